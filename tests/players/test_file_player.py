"""Player files that are rubbish, no files, or fail in odd ways: a sentence, whatever they contain."""

import functools
import os
import random
import sys
from pathlib import Path

import pytest

from millebornes.players.file_player import MODULE, player_in_file
from tests.damage import complaint, damaged

PLAYER = """from millebornes.players import Player
class Mine(Player):
    def choose(self, view, legal, rng):
        return legal[0]
"""
FAULTS: dict[str, tuple[bytes, str]] = {
    "bytes": (random.Random(1).randbytes(500), "SyntaxError"),
    "zeros": (bytes(100), "null bytes"),
    "UTF-16": ("class A: pass".encode("utf-16"), "SyntaxError"),
    "Latin-1": ('x = "é"'.encode("latin1"), "line 1: SyntaxError"),
    "unknown encoding": (b"# coding: nonsense", "unknown encoding: nonsense"),
    "deep signs": (b"-" * 200_000 + b"1", "nested too deeply"),
    "deep names": (b"a" + b".a" * 100_000, "nested too deeply"),
    "deep brackets": (b"(" * 100_000, "too many nested parentheses"),
    "leaves": (b"import sys\nsys.exit(3)", "line 2: SystemExit: 3"),
    "own base": (b"class B(BaseException): pass\nraise B('x')", "line 2: B: x"),
    "without text": (b"class E(Exception):\n  def __str__(self): return 5\nraise E", "line 3: E"),
    "long text": (b"raise ValueError('x' * 100000)", "line 1: ValueError: xxx"),
    "removes itself": (b"import sys\ndel sys.modules[__name__]\nraise KeyError", "line 3: KeyError"),
    "leaves when made": (f"{PLAYER}    def __init__(self): raise SystemExit(4)".encode(), "SystemExit: 4"),
    "cannot be named": (f"{PLAYER}    name = property(lambda self: 1)".encode(), "could not be created"),
    "empty": (b"", "has no player"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_file_is_refused(fault: str, tmp_path: Path) -> None:
    file, (data, said) = tmp_path / "mine.py", FAULTS[fault]
    file.write_bytes(data)
    before = {name for name in sys.modules if name.startswith(MODULE)}
    told = complaint(lambda: player_in_file(f"py:{file}"))
    assert told is not None
    assert said in told
    assert "mine.py" in told
    if "no player" not in told and "created" not in told:
        assert {name for name in sys.modules if name.startswith(MODULE)} == before


def test_folders_and_pipes_are_refused(tmp_path: Path) -> None:
    assert "Is a directory" in str(complaint(lambda: player_in_file(f"py:{tmp_path}")))
    os.mkfifo(tmp_path / "pipe.py")
    assert "isn't a file" in str(complaint(lambda: player_in_file(f"py:{tmp_path / 'pipe.py'}")))


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
def test_damaged_files_are_refused_or_still_players(tmp_path: Path) -> None:
    for place, data in enumerate(damaged(PLAYER.encode(), "player", 100)):
        file = tmp_path / f"mine{place}.py"
        file.write_bytes(data)
        complaint(functools.partial(player_in_file, f"py:{file}"))
