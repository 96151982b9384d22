"""A game that was killed and taken up again is the game that it would have been."""

import random
import re
import signal
from pathlib import Path

import pytest

from millebornes.game import Match
from millebornes.storage import read_save
from tests.plain.driver import ANOTHER_HAND, ENDED, MOVE, QUESTION, Game

TABLES = [
    ("wikibooks", ["--player", "human", "--player", "random", "--player", "basic"]),
    pytest.param("house", ["--seats", "4"], marks=pytest.mark.slow),
]


def _moves(match: Match) -> list[list[str]]:
    return [[move.text for move in hand.moves] for hand in match.hands]


def _played(home: Path, options: list[str], kill: random.Random | None) -> tuple[Match, list[tuple[str, str]]]:
    """Play a hand by a fixed recipe, with accidents or without; the match, and the hand of cards shown last."""
    autosave = home / "data" / "saves" / "autosave-1.jsonl"
    game = Game(home, *options)
    turn = 0
    shown: list[tuple[str, str]] = []
    while True:
        found = game.wait()
        if found == ANOTHER_HAND:
            break
        assert found != ENDED, game.latest
        if found == MOVE:
            if kill is not None and kill.random() < 0.1:
                game.child.kill(signal.SIGKILL)
                game.child.close(force=True)
                game = Game(home, str(autosave))
                continue
            turn += 1
            shown = re.findall(r"^  ([1-6P])  (.*?)\r?$", game.latest.rpartition("Your hand:")[2], re.MULTILINE)
            moves = game.legal()
            plays = [move for move in moves if not move.startswith("discard")]
            # By place, not by name: the order of the hand has to be the same as well.
            places = [card[0] for card in shown]
            game.send(plays[turn % len(plays)] if plays else f"D {places[turn % len(places)]}")
        elif found == QUESTION:
            game.send("ny"[turn % 2])
        else:
            game.send("")
    game.child.close(force=True)
    return read_save(autosave).match, shown


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_a_killed_game_goes_on_as_it_would_have(tmp_path: Path, edition: str, players: list[str]) -> None:
    options = ["--edition", edition, *players, "--seed", "11"]
    straight, hand = _played(tmp_path / "a", options, None)
    broken, same_hand = _played(tmp_path / "b", options, random.Random(1))
    assert _moves(straight) == _moves(broken)
    assert straight.hand.is_over
    assert hand == same_hand
