"""The tables of the database. They are made and changed by `millebornes.web.storage.migrations`."""

from typing import Final

import sqlalchemy as sa

__all__ = [
    "FORMS",
    "HEAD",
    "METADATA",
    "answers",
    "commands",
    "create",
    "facts",
    "health",
    "keys",
    "lobby",
    "newer_form",
    "presence",
    "tables",
]

FORMS: Final = ("0001", "0002")
"""The migrations, oldest first."""

HEAD: Final = FORMS[-1]
"""The migration that leads to what stands here."""

METADATA: Final = sa.MetaData()

tables: Final = sa.Table(
    "tables",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("seq", sa.Integer, nullable=False, comment="facts so far"),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("due", sa.BigInteger, index=True, comment="when it goes on by itself, ms since 1970"),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("touched", sa.BigInteger),
)
"""One row a table of the game: what can be looked up without its log."""

facts: Final = sa.Table(
    "facts",
    METADATA,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
)
"""The logs, which are only added to: each place of each log is taken once."""

commands: Final = sa.Table(
    "commands",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("answer", sa.Text, nullable=False),
)
"""What commands with a key were answered."""

answers: Final = sa.Table(
    "answers",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("window", sa.Integer, primary_key=True, comment="the fact that opened it"),
    sa.Column("seat", sa.Integer, primary_key=True),
)
"""Who has let which coup fourré go: beside the log, so that no number tells of it (R5.5)."""

keys: Final = sa.Table(
    "keys",
    METADATA,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(32), nullable=False, index=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("purpose", sa.String(8), nullable=False),
    sa.Column("asking", sa.Boolean, nullable=False),
)
"""Hashes of tokens and invitations; what they are themselves is kept nowhere."""

lobby: Final = sa.Table(
    "lobby",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("entry", sa.Text, nullable=False),
)
"""The tables that stand in the lobby at present, each as it is shown there (JSON)."""

presence: Final = sa.Table(
    "presence",
    METADATA,
    sa.Column("process", sa.String(32), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)
"""Which seats each process has heard of, and how many look on (JSON); only where there are several processes."""

health: Final = sa.Table(
    "health",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("written", sa.Integer, nullable=False),
)
"""One row that is written to see whether writing is possible."""

_version: Final = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


def newer_form(form: str) -> str:
    """Return a sentence for a database in a form that this program does not know."""
    return (
        f"this database was made by a newer version of this program (form {form[:40]}; this version knows forms up to "
        f"{HEAD}). Install the newer version, or choose another database"
    )


def create(connection: sa.Connection) -> None:
    """Make all tables in an empty database, as the migrations would one after the other, but at once."""
    METADATA.create_all(connection)
    _version.create(connection)
    connection.execute(sa.insert(_version).values(version_num=HEAD))
    connection.execute(sa.insert(health).values(id=1, written=0))
