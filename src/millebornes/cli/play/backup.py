"""``millebornes backup`` and ``restore``: copy the database of the web game to a file and back."""

import time
from pathlib import Path
from typing import Final

import click

from millebornes.cli.common import counted
from millebornes.cli.play.serve import check_packages, database_url

_FILE = click.Path(dir_okay=False, path_type=Path)
_database_option = click.option(
    "--database", metavar="URL", help="Database URL, as for 'millebornes serve'.  [default: a file in your data folder]"
)


_BACKUP_HELP: Final = """\
Copy all tables of the web game to FILE, in the state of a single moment. Servers can keep running.

'millebornes restore' copies the tables to any SQLite or PostgreSQL database. Only you can read FILE, because it
contains the hidden cards of games in progress."""


@click.command(help=_BACKUP_HELP)
@click.argument("file", type=_FILE)
@_database_option
def backup(file: Path, database: str | None) -> None:
    """Run the command ``backup``."""
    check_packages()
    import asyncio

    from millebornes.web.store.backup import back_up

    count = asyncio.run(back_up(database_url(database), file))
    click.echo(f"{file}: {counted(count, 'table')}")


_RESTORE_HELP: Final = """\
Restore all tables that 'millebornes backup' copied to FILE. If anything fails, nothing is restored.

Stop the servers first. Afterwards, all players find their seats and games in the state they were in when you made
the backup."""


@click.command(help=_RESTORE_HELP)
@click.argument("file", type=_FILE)
@_database_option
@click.option("--replace", is_flag=True, help="Overwrite the current contents of the database.")
def restore(file: Path, database: str | None, replace: bool) -> None:
    """Run the command ``restore``."""
    check_packages()
    import asyncio

    from millebornes.web.store.backup import restore as fill

    count = asyncio.run(fill(database_url(database), file, time.time_ns() // 1_000_000, replace=replace))
    click.echo(f"{file}: {counted(count, 'table')} restored")
