"""Changes to the form of the database, one file per step in ``versions``. Alembic applies them."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

__all__ = ["config", "upgrade"]


def config() -> Config:
    """Return the configuration for alembic."""
    found = Config()
    found.set_main_option("script_location", str(Path(__file__).parent))
    found.set_main_option("path_separator", "os")
    return found


def upgrade(connection: sa.Connection) -> None:
    """Apply all steps that a database has not had yet, on a connection in a transaction."""
    alembic = config()
    alembic.attributes["connection"] = connection
    command.upgrade(alembic, "head")
