"""Keys and clicks that come faster than the screen can follow."""

from pathlib import Path

import pytest

from tests.screen.terminal import Terminal
from tests.screen.typist import Asked, asked, wait_asked

pytestmark = pytest.mark.slow  # real terminals

ALONE = ("--player", "human", "--player", "basic", "--seed", "11")


def _wait_gone(terminal: Terminal, seen: str) -> None:
    terminal.wait(lambda: asked(terminal) is Asked.TURN and terminal.find(seen) is None)


def test_a_dialogue_that_is_clicked_twice_takes_nothing_else_away(tmp_path: Path) -> None:
    with Terminal(tmp_path, *ALONE) as terminal:
        wait_asked(terminal)
        for key, seen, where, clicks in (
            ("q", r"Really quit\?", r"No, play on", 5),
            ("?", r"─ Keys ─", r"Close", 2),
            ("t", r"Hand 1: the score", r"Close", 5),
            ("ctrl+p", r"Search", None, 2),
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


@pytest.mark.once
def test_keys_typed_ahead_open_one_dialogue(tmp_path: Path) -> None:
    """And neither answer it by accident nor move a card."""
    with Terminal(tmp_path, *ALONE) as terminal:
        wait_asked(terminal)
        kept = terminal.autosave.read_bytes()
        for ahead in ("qqqttq", "qtdu1\r", "tqtq", "sqs", "?q?", "hq"):
            terminal.send(ahead)
            for _ in range(2):
                terminal.settle(0.7)
                terminal.press("escape")
            terminal.settle(0.7)  # what followed an escape at once would be its letter
            _wait_gone(terminal, r"Really quit|the score|File name|─ Keys ─|─ A hint")
            terminal.press("d")
            terminal.wait(r"Discard which card\?")
            terminal.press("escape")
            _wait_gone(terminal, r"Discard which card\?")
            assert terminal.autosave.read_bytes() == kept, ahead
        assert b"Traceback" not in terminal.sent
