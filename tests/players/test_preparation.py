"""Players that have much to compile are got ready once, before a game."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from millebornes.editions import Rules, make_rules
from millebornes.game import LegalMoves, Match, Move, View
from millebornes.kernels.store import KernelStore
from millebornes.players import PLAYERS, Player, player
from millebornes.players.preparation import prepare_players, unprepared

TABLE = make_rules(), 700


class Heavy(Player):
    """Takes long over its first move, were it not prepared."""

    name = "heavy"
    done: list[str]

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        return next(iter(legal))

    def prepare(self) -> None:
        type(self).done.append("prepared")

    def close(self) -> None:
        type(self).done.append("closed")


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    monkeypatch.setattr("millebornes.kernels.store.cache_folder", tmp_path)
    monkeypatch.setattr("millebornes.kernels.store.store", KernelStore(tmp_path))
    monkeypatch.setitem(PLAYERS, "heavy", Heavy)
    Heavy.done = []
    return Heavy.done


def test_once_and_only_for_who_needs_it(told: list[str]) -> None:
    seats = ("human", "heavy", "basic", "heavy", "cmd:heavy", "no-such-player")
    assert unprepared(seats) == ("heavy",)
    prepare_players(seats, *TABLE, lambda: told.append("begins"))
    assert told == ["begins", "prepared", "closed"]
    assert unprepared(seats) == ()
    prepare_players(seats, *TABLE, lambda: told.append("begins"))
    assert told == ["begins", "prepared", "closed"]


def test_a_failure_is_told_and_tried_again(told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Heavy) -> None:
        raise MemoryError

    monkeypatch.setattr(Heavy, "prepare", fail)
    with pytest.raises(MemoryError):
        prepare_players(["heavy"], *TABLE, lambda: None)
    assert told == ["closed"]
    assert unprepared(["heavy"]) == ("heavy",)


class Patient(Heavy):
    """Gets ready behind the game."""

    name = "patient"
    ready = False

    def prepare_behind(self, rules: Rules, match_target: int | None) -> bool:
        type(self).done.append(f"begins for {rules} to {match_target}")
        return True

    def is_prepared_behind(self, rules: Rules, match_target: int | None, seconds: float) -> bool:
        return type(self).ready


def test_who_gets_ready_behind_the_game_is_not_waited_for(told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "patient", Patient)
    monkeypatch.setattr(Patient, "done", told)
    seats = ["human", "patient", "patient"]
    assert prepare_players(seats, *TABLE, lambda: told.append("waits")) == ("patient",)
    assert told == ["begins for classic/2x2 to 700", "closed"]
    monkeypatch.setattr(Patient, "ready", True)
    assert prepare_players(seats, *TABLE, lambda: told.append("waits")) == ()
    assert "waits" not in told


@pytest.mark.slow  # its kernels take long to compile
def test_the_champion_is_prepared_for_all_that_it_does() -> None:
    """What a search compiles is there after `prepare`: a first move with little time makes rollouts."""
    champion = player("champion:time=200")
    champion.prepare()
    match = Match.start(make_rules(), 1)
    champion.choose(match.view(0), match.hand.legal_moves, random.Random(0))
    moves = champion.explain()["moves"]
    assert isinstance(moves, dict)
    assert all(told["worlds"] > 0 for told in moves.values())


GAME = """
import random, sys
from millebornes.editions import make_rules
from millebornes.game import Match
from millebornes.players import player
from millebornes.players.preparation import prepare_players
match = Match.start(make_rules(), 1)
print(prepare_players([sys.argv[1]], match.rules, match.match_target, lambda: print("waits")))
champion = player(sys.argv[1])
champion.match_started(0, match.rules, (), match.match_target)
while True:
    move = champion.choose(match.view(0), match.hand.legal_moves, random.Random(0))
    assert move in match.hand.legal_moves
    told = champion.explain()
    print("simply" if told.get("compiling") else "searched", flush=True)
    if "compiling" not in told:
        break
"""


def _play(cache: Path, name: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", GAME, name],
        env={**os.environ, "MILLEBORNES_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.once  # the same in one process
def test_without_a_cache_it_is_compiled_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    told = _play(tmp_path / "file", "champion:time=20")
    assert told[0] == "('champion',)"
    assert told[-1] == "searched"
