"""A game that was killed and taken up again is the game that it would have been."""

import random
import signal
from pathlib import Path

import pytest

from millebornes.game import Match
from millebornes.storage import read_save
from tests.plain.driver import ANOTHER_HAND, MOVE, QUESTION, Game

TABLES = [("wikibooks", ["--player", "human", "--player", "random", "--player", "basic"]), ("house", ["--seats", "4"])]


def _moves(match: Match) -> list[list[str]]:
    return [[move.text for move in hand.moves] for hand in match.hands]


def _played(home: Path, options: list[str], kill: random.Random | None) -> tuple[Match, str]:
    """Play a hand by a fixed recipe; the match, and the hand of seat 0 as it was shown last. ``kill``: with accidents."""
    autosave = home / "data" / "saves" / "autosave-1.jsonl"
    game = Game(home, *options)
    turn = 0
    shown = ""
    while True:
        found = game.wait()
        if found == ANOTHER_HAND:
            break
        if found == MOVE:
            if kill is not None and kill.random() < 0.15:
                game.child.kill(signal.SIGKILL)
                game.child.close(force=True)
                game = Game(home, str(autosave))
                continue
            turn += 1
            shown = game.latest.rpartition("Your hand:")[2]
            moves = game.legal()
            plays = [move for move in moves if not move.startswith("discard")]
            # By place, not by name: the order of the hand has to be the same as well.
            game.send(plays[turn % len(plays)] if plays else f"D {1 + turn % 5}")
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
