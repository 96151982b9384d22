"""Bytes that are no keys: the game takes no notice of them, and goes on."""

from pathlib import Path

import pytest

from tests.screen.terminal import Terminal
from tests.screen.typist import Asked, wait_asked

pytestmark = pytest.mark.slow  # real terminals

ALONE = ("--player", "human", "--player", "basic", "--seed", "11")

ODD = {
    "Latin-1": b"\xe9",
    "no UTF-8": b"\xff\xfe\x80\xc3",
    "old mouse": b"\x1b[M \xe9\xff\x1b[M#\xe9\xff",
    "no size in pixels": b"\x1b[?2048;2$y\x1b[48;24;80;0;0t\x1b[<35;5;5M",
    "no size at all": b"\x1b[48;0;0;0;0t\x1b[<35;5;5M",
    "a huge size": b"\x1b[48;99999999;99999999;1;1t\x1b[<35;5;5M",
    "far away": b"\x1b[<0;65000;65000M\x1b[<32;9999;1M\x1b[<0;65000;65000m",
    "codes of no character": b"\x1b[99999999999u\x1b[1114112;2u\x1b[55296;1;55296u\x1b[1:2u",
    "answers": b"\x1b[?64;1c\x1b[>0;1;2c\x1b[24;80R\x1b[0n\x1b]11;rgb:0/0/0\x1b\\\x1bP1+r\x1b\\",
    "controls": b"\x00\x9b\xc2\x9b\x1b[I\x1b[O\x0e\x0f",
    "a huge paste": b"\x1b[200~" + b"qy\r" * 50_000 + b"\x1b[201~",
    "a paste without an end": b"\x1b[200~qy\r",
    "an answer without an end": b"\x1bP1+r",
    "a report without an end": b"\x1b[<0;5;",
}


def test_odd_bytes_are_dropped(tmp_path: Path) -> None:
    with Terminal(tmp_path, *ALONE) as terminal:
        wait_asked(terminal)
        kept = terminal.autosave.read_bytes()
        for name, data in ODD.items():
            terminal.send_bytes(data)
            terminal.settle(1.2 if "without" in name else 0.1)  # after a second of silence nothing more is waited for
            assert not terminal.ended, (name, terminal.sent[-2000:])
            terminal.press("?")
            terminal.wait("─ Keys ─")
            terminal.press("escape")
            terminal.wait(lambda: terminal.find("─ Keys ─") is None)
        assert wait_asked(terminal) is Asked.TURN
        assert terminal.autosave.read_bytes() == kept


def test_what_is_pasted_is_text(tmp_path: Path) -> None:
    """A sequence may be cut anywhere. Controls in a text do nothing; a name takes its first line.

    Most terminals leave escapes out of a pasted text. Textual drops what follows one.
    """
    with Terminal(tmp_path, *ALONE) as terminal:
        wait_asked(terminal)
        for byte in b"\x1b[<35;5;5M\xc3\xa9\x1b[200~q\x1b[201~\x1bOP":
            terminal.send_bytes(bytes((byte,)))
        terminal.wait("─ Keys ─")
        terminal.press("escape")
        terminal.wait(lambda: terminal.find("─ Keys ─") is None)
        terminal.send_bytes(b"\x1b[200~qy\x1b[201~")
        terminal.press("s")
        terminal.wait("File name")
        terminal.settle()
        terminal.send_bytes(b"\x1b[200~a\x1b]0;x\x07\rc\x1b[201~\x1b[200~\x07b\xe9c\x1b[201~")
        terminal.wait(r"\babc\b")
        assert b"\x1b]0;x" not in terminal.sent
