"""One server for all tests of a module that need no other, and a PostgreSQL of our own."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.serving import Running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("web") / "tables.db") as running:
        yield running


def programs() -> Path | None:
    """Where PostgreSQL's programs are; Debian keeps them off the path."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None, key=lambda path: int(path.parent.name))


class Database:
    """PostgreSQL that is there for these tests alone; ``url`` is where."""

    def __init__(self, where: Path, folder: Path, who: dict[str, Any]) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.url = f"postgresql://tests@127.0.0.1:{port}/postgres"
        self._how: dict[str, Any] = {"stdout": subprocess.DEVNULL, "cwd": folder, **who}
        data = folder / "data"
        made: list[str | Path] = [where / "initdb", "-D", data, "-A", "trust", "-U", "tests", "--no-sync", "-E", "UTF8"]
        subprocess.run(made, check=True, **self._how)
        self._options = f"-c listen_addresses=127.0.0.1 -c unix_socket_directories= -p {port}"
        self._control: list[str | Path] = [where / "pg_ctl", "-D", data, "-w", "-l", folder / "log"]

    def start(self) -> None:
        """Let it run."""
        subprocess.run([*self._control, "-o", self._options, "start"], check=True, **self._how)

    def stop(self) -> None:
        """As if somebody had pulled the plug."""
        subprocess.run([*self._control, "-m", "immediate", "stop"], check=False, **self._how)


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    """A PostgreSQL that may be stopped; skips where it is not installed."""
    where = programs()
    if where is None:
        pytest.skip("needs PostgreSQL")
    folder = Path(tempfile.mkdtemp(prefix="millebornes-postgres-"))  # not below pytest's, which is for root alone
    who: dict[str, Any] = {}
    if os.geteuid() == 0:  # it refuses to run as root
        import pwd

        try:
            who = {"user": pwd.getpwnam("postgres").pw_uid}
        except KeyError:
            pytest.skip("needs a user postgres")
        os.chown(folder, who["user"], -1)
    made = Database(where, folder, who)
    made.start()
    try:
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def postgres(database: Database) -> str:
    """The URL of a PostgreSQL that is there for these tests alone."""
    return database.url
