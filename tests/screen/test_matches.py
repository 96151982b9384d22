"""Whole matches in a real terminal, by what is seen there alone: with keys only, and with the mouse only."""

import random
import re
from pathlib import Path

import pytest

from millebornes.storage import read_save
from tests.screen.terminal import Terminal
from tests.screen.typist import Asked, Hands, Keys, Mouse, play, wait_asked

TWO = ("--player", "human", "--player", "basic", "--seed", "3", "--match-target", "300")


def _finished(terminal: Terminal) -> None:
    """The match is over by the rules, and the sheet says so."""
    match = read_save(terminal.autosave).match
    assert match.is_over
    assert max(match.totals) >= 300
    assert re.search(r"wins? the match\.|The match is drawn\.", terminal.text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tool", "size"),
    [
        (Keys, (80, 24)),
        pytest.param(Mouse, (120, 40), marks=pytest.mark.once),
        pytest.param(Mouse, (80, 24), marks=pytest.mark.once),
    ],
)
def test_a_whole_match(tmp_path: Path, tool: type[Keys] | type[Mouse], size: tuple[int, int]) -> None:
    rng = random.Random(1)
    with Terminal(tmp_path, *TWO, size=size) as terminal:
        hands: Hands = tool(terminal, rng)
        steps = play(terminal, hands, rng)
        assert steps > 30
        _finished(terminal)
        hands.answer(Asked.GAME, True)
        assert wait_asked(terminal) in {Asked.TURN, Asked.COUP}
        assert read_save(terminal.autosave).match.hand_number == 1
        if isinstance(hands, Keys):
            terminal.press("q")
            terminal.wait(r"Quit\?")
            terminal.press("enter")
            status, said = terminal.left_behind()
            assert status == 0
            assert said.endswith(" -m millebornes play")
