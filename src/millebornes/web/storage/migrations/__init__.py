"""Changes of the database's form, one step a file in ``versions``; alembic goes through them."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

__all__ = ["config", "upgrade"]


def config() -> Config:
    """What alembic needs to know."""
    found = Config()
    found.set_main_option("script_location", str(Path(__file__).parent))
    found.set_main_option("path_separator", "os")
    return found


def upgrade(connection: sa.Connection) -> None:
    """Go through all steps that a database has not had yet, on a connection in a transaction."""
    alembic = config()
    alembic.attributes["connection"] = connection
    command.upgrade(alembic, "head")
