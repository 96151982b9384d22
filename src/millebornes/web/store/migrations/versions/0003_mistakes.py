"""The mistakes that browsers practise."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "mistakes",
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("found", sa.BigInteger, nullable=False, index=True),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("answers", sa.Text, nullable=False),
    )
