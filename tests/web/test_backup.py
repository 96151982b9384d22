"""Backup and restore: everybody goes on elsewhere where they were."""

import asyncio
import functools
import hashlib
import json
import random
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest

from millebornes.cli import main
from millebornes.notation import read_transcript
from millebornes.web.store.backup import back_up, restore
from millebornes.web.store.schema import HEAD
from millebornes.web.store.store import open_store
from tests.damage import complaint, damaged
from tests.web.client import Client
from tests.web.serving import Running
from tests.web.test_api import MAX_EVENTS_AT_ONCE, pick, refused, until


def test_games_go_on_from_a_backup(tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    """From SQLite, while it is served, to another database, and from that one back into a third."""
    database, file, again = tmp_path / "tables.db", tmp_path / "backup.jsonl", tmp_path / "again.jsonl"
    rng = random.Random(1)
    with (
        Running(database) as running,
        Client.create(running.url, places=["me", "open"], set=MAX_EVENTS_AT_ONCE, match_target=None) as ann,
        ann.join(ann.invitations[1] or "", "Bo") as bo,
        Client.create(running.url, places=["me", "open"], open=True) as cy,
    ):
        until(ann.events(), lambda told: told.event == "choose")
        for _ in range(3):
            step((ann, bo), rng)
        bo.do("asking", ask=False)
        while ann.look()["window"] is not None:
            pass
        assert main(["backup", str(file), "--database", f"sqlite:///{database}"]) == 0
        before = [client.look() for client in (ann, bo, cy)]
        tokens = [(client.table, client.token) for client in (ann, bo, cy)]
        link = bo.do("resume-link")["link"]  # after the backup
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert main(["restore", str(file), "--database", url]) == 0
    assert capsys.readouterr().out == f"{file}: 2 tables\n{file}: 2 tables restored\n"
    with Running(url) as running:
        clients = [Client(running.url, table, token) for table, token in tokens]
        for client, old in zip(clients, before, strict=True):
            assert kept(client.look()) == kept(old)
        assert running.service.live[ann.table].auto_pass_seats == {1}
        ann, bo, cy = clients
        ann.seat, bo.seat = 0, 1
        assert [entry["table"] for entry in cy.get("api/lobby")["tables"]] == [cy.table]
        refused(404, "no_link", lambda: cy.post(f"api{link}"))
        while ann.look()["status"] == "playing":
            step((ann, bo), rng)
        assert read_transcript(ann.transcript().encode().splitlines(keepends=True)).match.hands[0].is_over
        over = ann.look()
        for client in clients:
            client.__exit__()
    assert main(["backup", str(again), "--database", url]) == 0
    assert main(["restore", str(again), "--database", f"sqlite:///{database}"]) == 1
    assert "already contains tables; --replace" in capsys.readouterr().err
    assert main(["restore", str(again), "--database", f"sqlite:///{database}", "--replace"]) == 0
    with Running(database) as running, Client(running.url, *tokens[0]) as ann:
        assert kept(ann.look()) == kept(over)


def kept(snapshot: dict[str, Any]) -> dict[str, Any]:
    """What does not depend on the moment."""
    return {**snapshot, "spectators": 0, "absent": []}


def step(clients: tuple[Client, Client], rng: random.Random) -> None:
    """Somebody's move, if it is anybody's."""
    for client in clients:
        seen = client.look()
        if seen["legal"] and seen["phase"] != "coup":
            client.move(pick(seen["legal"], rng), seen["version"])
            return


def test_files_and_databases_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each is refused in a sentence, and nothing is changed."""

    def fails(command: str, file: Path, database: Path, text: str) -> None:
        assert main([command, str(file), "--database", f"sqlite:///{database}"]) == 1
        error = capsys.readouterr().err
        assert text in error, error
        assert error.count("\n") == 1

    database, file, other = tmp_path / "tables.db", tmp_path / "backup", tmp_path / "other.db"
    fails("backup", file, database, "there is no such database")
    assert not database.exists()
    sqlite3.connect(database).close()
    database.touch()
    fails("backup", file, database, "a database of the web game")
    assert not file.exists()
    with Running(other) as running, Client.create(running.url, places=["me", "open"]):
        pass
    assert main(["backup", str(file), "--database", f"sqlite:///{other}"]) == 0
    whole = file.read_bytes()
    fails("backup", tmp_path / "no" / "folder", other, "cannot be written")
    lines = whole.splitlines(keepends=True)
    damaged = {
        "this isn't a backup": b"\x00what\n",
        "this isn't a millebornes-backup/1": whole.replace(b"backup/1", b"backup/2"),
        "a newer version": whole.replace(f'"{HEAD}"'.encode(), b'"0099"', 1),
        "incomplete": b"".join(lines[:-1]),
        "damaged": b"".join([*lines[:2], *lines[3:]]),
        "damaged or": whole.replace(b"Ann", b"Eve"),
    }
    capsys.readouterr()
    fails("restore", tmp_path / "nothing", tmp_path / "new.db", "No such file")
    for text, data in damaged.items():
        file.write_bytes(data)
        fails("restore", file, tmp_path / "new.db", text)
    file.write_bytes(whole)
    capsys.readouterr()
    assert main(["restore", str(file), "--database", f"sqlite:///{tmp_path / 'new.db'}"]) == 0, "still empty"


@pytest.fixture(scope="module")
def kept_files(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """A database with a table, and its backup."""
    folder = tmp_path_factory.mktemp("kept")
    database, file = folder / "tables.db", folder / "backup"
    with Running(database) as running, Client.create(running.url, places=["me", "basic"]) as ann:
        step((ann, ann), random.Random(1))
    asyncio.run(back_up(f"sqlite:///{database}", file))
    return database.read_bytes(), file.read_bytes()


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.campaign)])
def test_damaged_files_are_refused_or_read(seed: int, kept_files: tuple[bytes, bytes], tmp_path: Path) -> None:
    """A damaged database is refused by all that open it, or is still readable; a damaged backup is refused."""
    whole, backup = kept_files
    file, written = tmp_path / "backup", tmp_path / "written"
    file.write_bytes(backup)
    refusals = 0
    for n, data in enumerate(damaged(whole, f"database {seed}", 25)):
        for what in ("open", "back up", "restore"):
            database = tmp_path / f"{n} {what}.db"
            database.write_bytes(data)
            url = f"sqlite:///{database}"

            async def work(what: str = what, url: str = url) -> None:
                if what == "open":
                    await (await open_store(url)).close()
                elif what == "back up":
                    await back_up(url, written)
                else:
                    await restore(url, file, 1, replace=True)

            refusals += complaint(functools.partial(asyncio.run, work())) is not None
    assert refusals > 20
    for n, data in enumerate(damaged(backup, f"backup {seed}", 25)):
        file.write_bytes(data)
        url = f"sqlite:///{tmp_path / f'{n}.db'}"
        told = complaint(functools.partial(asyncio.run, restore(url, file, 1)))
        assert (told is None) == (data == backup)


def test_a_schema_that_is_not_text_is_told(kept_files: tuple[bytes, bytes], tmp_path: Path) -> None:
    """SQLite quotes the schema in its message, and Python can't decode it."""
    database = tmp_path / "tables.db"
    database.write_bytes(kept_files[0].replace(b"CREATE TABLE", b"CREATE T\xd9BLE"))
    assert "damaged" in str(complaint(lambda: asyncio.run(back_up(f"sqlite:///{database}", tmp_path / "x"))))


def test_rows_that_no_database_can_hold_are_refused(kept_files: tuple[bytes, bytes], tmp_path: Path) -> None:
    """Their checksum is right, but a number is too large, a value of another kind, or a key is missing."""
    lines = [json.loads(line) for line in kept_files[1].splitlines()[:-1]]
    file = tmp_path / "backup"
    for place, row in enumerate(lines[1:], 1):
        name, values = row
        key = next(iter(values))
        for other in ({**values, key: 1 << 63}, {**values, key: None}, {**values, key: [1]}, {key: values[key]}, {}):
            changed = [*lines[:place], [name, other], *lines[place + 1 :]]
            text = b"".join(json.dumps(line).encode() + b"\n" for line in changed)
            tail = {"rows": len(lines) - 1, "sha256": hashlib.sha256(text).hexdigest()}
            file.write_bytes(text + json.dumps(tail).encode() + b"\n")
            if other != values:
                url = f"sqlite:///{tmp_path / 'new.db'}"
                assert complaint(functools.partial(asyncio.run, restore(url, file, 1, replace=True))) is not None
