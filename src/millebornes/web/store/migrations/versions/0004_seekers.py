"""The people who look for an opponent."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "seekers",
        sa.Column("browser", sa.String(64), primary_key=True, comment="the hash of its cookie"),
        sa.Column("table_id", sa.String(32), nullable=False, index=True),
        sa.Column("paired", sa.BigInteger, comment="when two people were sent to the table, ms since 1970"),
        sa.Column("seen", sa.BigInteger, comment="the latest sign of a person who waits there, ms since 1970"),
    )
