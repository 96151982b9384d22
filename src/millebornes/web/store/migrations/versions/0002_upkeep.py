"""Add the lobby, the presence reports of each process, and a row that is used to test writing."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the tables for them."""
    op.create_table(
        "lobby",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("entry", sa.Text, nullable=False),
    )
    op.create_table(
        "presence",
        sa.Column("process", sa.String(32), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "health",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("written", sa.Integer, nullable=False),
    )
    op.execute("INSERT INTO health (id, written) VALUES (1, 0)")
