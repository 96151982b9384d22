"""The tables of the database. The steps in `millebornes.web.store.migrations` create and change them."""

from typing import Final

import sqlalchemy as sa

FORMS: Final = ("0001", "0002", "0003", "0004", "0005")
"""The names of the migrations, oldest first."""

HEAD: Final = FORMS[-1]
"""The last migration, which leads to the schema in this file."""

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
"""One row for each game table, for look-ups that don't need its log."""

facts: Final = sa.Table(
    "facts",
    METADATA,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
)
"""The logs. Rows are only ever added, and each place in each log is used once."""

commands: Final = sa.Table(
    "commands",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("answer", sa.Text, nullable=False),
)
"""The answers to those commands that have a key."""

answers: Final = sa.Table(
    "answers",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("window", sa.Integer, primary_key=True, comment="the fact that opened it"),
    sa.Column("seat", sa.Integer, primary_key=True),
)
"""The passes on coups fourrés. They aren't part of the log, so that no number reveals them (R5.5)."""

keys: Final = sa.Table(
    "keys",
    METADATA,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(32), nullable=False, index=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("purpose", sa.String(8), nullable=False),
    sa.Column("asking", sa.Boolean, nullable=False),
)
"""The hashes of tokens and invitations. The tokens and invitations themselves aren't stored anywhere."""

lobby: Final = sa.Table(
    "lobby",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("entry", sa.Text, nullable=False),
)
"""The tables that are in the lobby now, each in the form in which the lobby shows it (JSON)."""

presence: Final = sa.Table(
    "presence",
    METADATA,
    sa.Column("process", sa.String(32), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)
"""For each process, the presence of seats and the number of spectators (JSON).

It is used only if there are several processes.
"""

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

seekers: Final = sa.Table(
    "seekers",
    METADATA,
    sa.Column("browser", sa.String(64), primary_key=True, comment="the hash of its cookie"),
    sa.Column("table_id", sa.String(32), nullable=False, index=True),
    sa.Column("paired", sa.BigInteger, comment="when two people were sent to the table, ms since 1970"),
    sa.Column("seen", sa.BigInteger, comment="the latest sign of a person who waits there, ms since 1970"),
)
"""The people who look for an opponent, and those who have just found one (`millebornes.web.store.seekers`)."""

uploads: Final = sa.Table(
    "uploads",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("bytes", sa.Integer, nullable=False),
)
"""The tables that contain uploaded matches, with the sizes of their logs."""

wishes: Final = sa.Table(
    "wishes",
    METADATA,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("match", sa.Integer, primary_key=True),
    sa.Column("hand", sa.Integer, primary_key=True),
)
"""The hands whose reviews someone has asked for and that aren't finished, so that a restart doesn't lose them."""

secrets: Final = sa.Table(
    "secrets",
    METADATA,
    sa.Column("purpose", sa.String(16), primary_key=True),
    sa.Column("value", sa.String(64), nullable=False),
)
"""The secrets that all servers on this database share. With ``cookies``, they sign the cookies of browsers."""

health: Final = sa.Table(
    "health",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("written", sa.Integer, nullable=False),
)
"""A row that is written in order to check whether writing works."""


def newer_form(form: str) -> str:
    """Return a sentence about a database whose schema this program doesn't know."""
    return (
        f"this database was made by a newer version of this program (form {form[:40]}; this version knows forms up to "
        f"{HEAD}). Install the newer version, or choose another database"
    )
