"""One server for all tests of a module that need no other, and a PostgreSQL of our own."""

import asyncio
import io
import logging
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from millebornes.web.http.logs import configure
from tests.web.serving import Running, spare_port

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("web") / "tables.db") as running:
        yield running


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("needs chromium")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """What goes to standard error, in JSON; the loggers are as they were afterwards."""
    loggers = [logging.getLogger(name) for name in (None, "millebornes", "uvicorn", "millebornes.web.http.logs")]
    before = [(logger.handlers[:], logger.level) for logger in loggers]
    stream = io.StringIO()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", stream)
        configure("json")
    loggers[1].setLevel(logging.DEBUG)  # uvicorn would write headers then, so it stays at warnings
    yield stream
    logging.captureWarnings(False)
    for logger, (handlers, level) in zip(loggers, before, strict=True):
        logger.handlers[:] = handlers
        logger.setLevel(level)


def programs() -> Path | None:
    """Where PostgreSQL's programs are; Debian keeps them off the path."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None, key=lambda path: int(path.parent.name))


class Cluster:
    """PostgreSQL with a database of our own, which can be stopped and started again."""

    def __init__(self, where: Path, folder: Path, who: dict[str, Any]) -> None:
        port = spare_port()
        self.url = f"postgresql://tests@127.0.0.1:{port}/postgres"
        self._more: dict[str, Any] = {"stdout": subprocess.DEVNULL, "cwd": folder, **who}
        data = folder / "data"
        made: list[str | Path] = [where / "initdb", "-D", data, "-A", "trust", "-U", "tests", "--no-sync", "-E", "UTF8"]
        subprocess.run(made, check=True, **self._more)
        self._options = f"-c listen_addresses=127.0.0.1 -c unix_socket_directories= -p {port}"
        self._control: list[str | Path] = [where / "pg_ctl", "-D", data, "-w", "-t", "300", "-l", folder / "log"]

    def start(self) -> None:
        subprocess.run([*self._control, "-o", self._options, "start"], check=True, **self._more)

    def stop(self) -> None:
        """At once, as in a crash."""
        subprocess.run([*self._control, "-m", "immediate", "stop"], check=False, **self._more)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL that runs for these tests alone; skips where it is not installed."""
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
    made = Cluster(where, folder, who)
    made.start()
    try:
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def postgres(cluster: Cluster) -> str:
    """The URL of a database that is there for these tests alone."""
    return cluster.url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.once)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'deep' / 'tables.db'}"
    found = str(request.getfixturevalue("postgres"))

    from sqlalchemy.ext.asyncio import create_async_engine

    async def empty() -> None:
        engine = create_async_engine(found.replace("postgresql:", "postgresql+asyncpg:"))
        async with engine.begin() as connection:
            await connection.execute(sa.text("DROP SCHEMA public CASCADE"))
            await connection.execute(sa.text("CREATE SCHEMA public"))
        await engine.dispose()

    asyncio.run(empty())
    return found
