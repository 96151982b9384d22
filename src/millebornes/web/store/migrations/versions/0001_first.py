"""The first version of the database schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create all tables."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False, comment="facts so far"),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("due", sa.BigInteger, index=True, comment="when it goes on by itself, ms since 1970"),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("touched", sa.BigInteger),
    )
    op.create_table(
        "facts",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "commands",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("answer", sa.Text, nullable=False),
    )
    op.create_table(
        "answers",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("window", sa.Integer, primary_key=True, comment="the fact that opened it"),
        sa.Column("seat", sa.Integer, primary_key=True),
    )
    op.create_table(
        "keys",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), nullable=False, index=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("purpose", sa.String(8), nullable=False),
        sa.Column("asking", sa.Boolean, nullable=False),
    )
