"""Add the sizes of uploads, the reviews that people are waiting for, and the secrets that servers share."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the tables for them. A server that opens the database makes the secret."""
    op.create_table(
        "uploads",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("bytes", sa.Integer, nullable=False),
    )
    op.create_table(
        "wishes",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("match", sa.Integer, primary_key=True),
        sa.Column("hand", sa.Integer, primary_key=True),
    )
    op.create_table(
        "secrets",
        sa.Column("purpose", sa.String(16), primary_key=True),
        sa.Column("value", sa.String(64), nullable=False),
    )
