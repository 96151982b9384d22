"""Players that have much to compile are got ready once, before a game."""

import random
from pathlib import Path
from typing import Any

import pytest

from millebornes.game import LegalMoves, Move, View
from millebornes.players import PLAYERS, Player
from millebornes.players.prepare import prepare_players, unprepared
from millebornes.players.search.searcher import Found, Searcher


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
    monkeypatch.setattr("millebornes.rules.jit.cache_folder", tmp_path)
    monkeypatch.setitem(PLAYERS, "heavy", Heavy)
    Heavy.done = []
    return Heavy.done


def test_once_and_only_for_who_needs_it(told: list[str]) -> None:
    seats = ("human", "heavy", "basic", "heavy", "cmd:heavy", "no-such-player")
    assert unprepared(seats) == ("heavy",)
    prepare_players(seats, lambda: told.append("begins"))
    assert told == ["begins", "prepared", "closed"]
    assert unprepared(seats) == ()
    prepare_players(seats, lambda: told.append("begins"))
    assert told == ["begins", "prepared", "closed"]


def test_a_failure_is_told_and_tried_again(told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Heavy) -> None:
        raise MemoryError

    monkeypatch.setattr(Heavy, "prepare", fail)
    with pytest.raises(MemoryError):
        prepare_players(["heavy"], lambda: None)
    assert told == ["closed"]
    assert unprepared(["heavy"]) == ("heavy",)


@pytest.mark.slow  # its kernels take long to compile
def test_the_champion_is_prepared_for_all_that_it_does(told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    found = []

    class Witness(Searcher):
        def search(self, *details: Any) -> Found:
            found.append(super().search(*details))
            return found[-1]

    monkeypatch.setattr("millebornes.players.search.searcher.Searcher", Witness)
    assert unprepared(["champion:time=30"]) == ("champion",)
    prepare_players(["champion:time=30"], lambda: told.append("begins"))
    assert told == ["begins"]
    assert unprepared(["champion"]) == ()
    assert (found[0].estimate.worlds > 0).all()
