"""Keys and clicks that come faster than the screen can follow."""

from pathlib import Path

import pytest

from tests.screen.terminal import Terminal
from tests.screen.typist import Asked, asked, wait_asked

pytestmark = pytest.mark.slow  # real terminals

ALONE = ("--player", "human", "--player", "basic", "--seed", "11")


def _wait_gone(terminal: Terminal, seen: str) -> None:
    terminal.wait(lambda: asked(terminal) is Asked.TURN and terminal.find(seen) is None)


@pytest.mark.parametrize("clicks", [2, 5])
def test_a_dialogue_that_is_clicked_twice_takes_nothing_else_away(tmp_path: Path, clicks: int) -> None:
    with Terminal(tmp_path, *ALONE) as terminal:
        wait_asked(terminal)
        for key, seen, where in (
            ("q", r"Really quit\?", r"No, play on"),
            ("?", r"─ Keys ─", r"Close"),
            ("t", r"Hand 1: the score", r"Close"),
            ("ctrl+p", r"Search", None),
        ):
            terminal.press(key)
            terminal.wait(seen)
            terminal.settle()
            place = (0, terminal.size[1] - 1) if where is None else terminal.find(where)
            assert place is not None, terminal.text
            x, y = place
            terminal.send(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m" * clicks)
            _wait_gone(terminal, seen)
            terminal.settle(0.3)
            assert wait_asked(terminal) is Asked.TURN


@pytest.mark.parametrize("ahead", ["qqqttq", "qtdu1\r", "tqtq", "sqs", "?q?", "hq"])
def test_keys_typed_ahead_open_one_dialogue(tmp_path: Path, ahead: str) -> None:
    """And neither answer it by accident nor move a card."""
    with Terminal(tmp_path, *ALONE) as terminal:
        wait_asked(terminal)
        kept = terminal.autosave.read_bytes()
        terminal.send(ahead)
        terminal.settle(0.7)
        terminal.press("escape")
        terminal.settle(0.7)
        terminal.press("escape")
        terminal.settle(0.7)  # what followed an escape at once would be its letter
        open_ = r"Really quit|the score|File name|─ Keys ─|─ Hint"
        _wait_gone(terminal, open_)
        terminal.press("d")
        terminal.wait(r"Discard which card\?")
        assert terminal.autosave.read_bytes() == kept
        assert b"Traceback" not in terminal.sent
