"""The tables of the database. `millebornes.web.storage.migrations` creates and changes them."""

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
    "mistakes",
    "newer_form",
    "presence",
    "tables",
]

FORMS: Final = ("0001", "0002", "0003")
"""The migrations, oldest first."""

HEAD: Final = FORMS[-1]
"""The migration that leads to the form in this file."""

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
"""One row per game table, for look-ups that don't need its log."""

facts: Final = sa.Table(
    "facts",
    METADATA,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
)
"""The logs. Rows are only added, and each place of each log is taken once."""

commands: Final = sa.Table(
    "commands",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("answer", sa.Text, nullable=False),
)
"""The answers to commands that have a key."""

answers: Final = sa.Table(
    "answers",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("window", sa.Integer, primary_key=True, comment="the fact that opened it"),
    sa.Column("seat", sa.Integer, primary_key=True),
)
"""The passes on coups fourrés. They are beside the log, so that no number gives them away (R5.5)."""

keys: Final = sa.Table(
    "keys",
    METADATA,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(32), nullable=False, index=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("purpose", sa.String(8), nullable=False),
    sa.Column("asking", sa.Boolean, nullable=False),
)
"""Hashes of tokens and invitations. The tokens and invitations themselves are not stored anywhere."""

lobby: Final = sa.Table(
    "lobby",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("entry", sa.Text, nullable=False),
)
"""The tables that are in the lobby now, each as it is shown there (JSON)."""

presence: Final = sa.Table(
    "presence",
    METADATA,
    sa.Column("process", sa.String(32), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)
"""The presence of seats and the number of spectators at each process (JSON), only if there are several processes."""

mistakes: Final = sa.Table(
    "mistakes",
    METADATA,
    sa.Column("owner", sa.String(64), primary_key=True),
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("found", sa.BigInteger, nullable=False, index=True),
    sa.Column("line", sa.Text, nullable=False),
    sa.Column("answers", sa.Text, nullable=False),
)
"""The mistakes that browsers practise, as exercises. The owner is the hash of a browser's cookie."""

health: Final = sa.Table(
    "health",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("written", sa.Integer, nullable=False),
)
"""A row that is written to check whether writing works."""

_version: Final = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


def newer_form(form: str) -> str:
    """Return a sentence about a database whose form this program does not know."""
    return (
        f"this database was made by a newer version of this program (form {form[:40]}; this version knows forms up to "
        f"{HEAD}). Install the newer version, or choose another database"
    )


def create(connection: sa.Connection) -> None:
    """Create all tables in an empty database at once, with the same result as the migrations."""
    METADATA.create_all(connection)
    _version.create(connection)
    connection.execute(sa.insert(_version).values(version_num=HEAD))
    connection.execute(sa.insert(health).values(id=1, written=0))
