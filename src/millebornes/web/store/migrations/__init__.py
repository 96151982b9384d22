"""The migrations of the database schema, with one file per step in ``versions``. Alembic applies them."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

__all__ = ["config", "upgrade"]


def config() -> Config:
    """Return the configuration for Alembic."""
    found = Config()
    found.set_main_option("script_location", str(Path(__file__).parent))
    found.set_main_option("path_separator", "os")
    return found


def upgrade(connection: sa.Connection) -> None:
    """Apply all steps that the database hasn't had yet, on a connection that is in a transaction."""
    alembic = config()
    alembic.attributes["connection"] = connection
    command.upgrade(alembic, "head")
