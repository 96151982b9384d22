"""What a terminal sends, as Textual hears it."""

import random

import pytest
from textual import events
from textual.message import Message
from textual.messages import TerminalSupportsSynchronizedOutput

from millebornes.tui.full.terminal.scanner import PATIENCE, Interpreter, Scanner


def heard(data: bytes, interpreter: Interpreter | None = None) -> list[Message]:
    """All events of some bytes, and of a silence after them."""
    scanner, interpreter = Scanner(), interpreter or Interpreter()
    return [
        event for token in [*scanner.feed(data), *scanner.idle(2 * PATIENCE)] for event in interpreter.messages(token)
    ]


def keys(data: bytes) -> list[str]:
    found = []
    for event in heard(data):
        assert isinstance(event, events.Key)
        found.append(event.key)
    return found


def mouse(data: bytes) -> list[tuple[str, int, int, int]]:
    found = []
    for event in heard(data):
        assert isinstance(event, events.MouseEvent)
        found.append((type(event).__name__.removeprefix("Mouse"), event.screen_x, event.screen_y, event.button))
    return found


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"qQ1 \r\t\x7f\x03", ["q", "Q", "1", "space", "enter", "tab", "backspace", "ctrl+c"]),
        (b"?!@", ["question_mark", "exclamation_mark", "at"]),
        ("éÉ".encode(), ["é", "É"]),
        (b"\x1b", ["escape"]),
        (b"\x1b[A\x1bOA\x1b[1;5A", ["up", "up", "ctrl+up"]),
        (b"\x1bOP\x1b[11~\x1b[[A\x1b[P", ["f1"] * 4),
        (b"\x1b[3~\x1b[5~\x1b[21~\x1b[25~", ["delete", "pageup", "f10", "f13"]),
        (b"\x1bOR\x1b[1;2R\x1b[24;80R", ["f3", "shift+f3"]),  # where the cursor is, isn't a key
        (b"\x1bq\x1bQ\x1b\r", ["alt+q", "alt+shift+q", "enter"]),
        # kitty: code, modifiers, text
        (b"\x1b[113u\x1b[27u\x1b[13u\x1b[99;5u", ["q", "escape", "enter", "ctrl+c"]),
        (b"\x1b[113;2;81u\x1b[49;2;33u", ["Q", "exclamation_mark"]),
        (b"\x1b[113;2u\x1b[113;65u\x1b[113;66u\x1b[233;2u", ["Q", "Q", "q", "É"]),  # Shift, Caps Lock, no text
        (b"\x1b[49;2u", ["shift+1"]),
        (b"\x1b[97:65;2:1u\x1b[1;1:2A", ["A", "up"]),  # other codes of the key, and what happened to it
        (b"\x1b[97;1:3u\x1b[1;1:3A", []),  # released
        (b"\x1b[u\x1b[3u\x1b[3;3H\x1b[99;99~", []),
        (b"\x1b[99999999999u\x1b[1114112u\x1b[55296u\x1b[97;;55296u\x1b[97;;7u", []),
        # answers to what nobody asked
        (b"\x1b[?64;1;2c\x1b[>41;354;0c\x1b[0n\x1b[8;24;80t\x1b[48;24;80;0;0t\x1b[?1u\x1b[?2048;2$y", []),
    ],
)
def test_keys(data: bytes, names: list[str]) -> None:
    assert keys(data) == names


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (
            b"\x1b[<0;5;3M\x1b[<32;6;3M\x1b[<0;6;3m",
            [("Down", 4, 2, 1), ("Move", 5, 2, 1), ("Up", 5, 2, 1)],
        ),
        (
            b"\x1b[<2;1;1M\x1b[<2;1;1m\x1b[<35;9;9M",
            [("Down", 0, 0, 3), ("Up", 0, 0, 3), ("Move", 8, 8, 0)],
        ),
        (b"\x1b[<64;1;1M\x1b[<65;1;1M", [("ScrollUp", 0, 0, 0), ("ScrollDown", 0, 0, 0)]),
        (b"\x1b[<128;1;1M\x1b[<128;1;1m", []),  # "back" isn't a left button
        (b"\x1b[<0;0;0M", [("Down", 0, 0, 1)]),
        (b"\x1b[<0;999999;1M\x1b[<0;1M\x1b[<0;1;1;1M\x1b[<-1;1;1M", []),
        (b"\x1b[M %#\x1b[M##\xe9", []),  # reports of older terminals
    ],
)
def test_the_mouse(data: bytes, found: list[tuple[str, int, int, int]]) -> None:
    assert mouse(data) == found


def test_other_reports() -> None:
    kinds = [type(event) for event in heard(b"\x1b[I\x1b[O\x1b[?2026;2$y\x1b[?2026;0$y\x1b[200~text\x1b[201~")]
    assert kinds == [events.AppFocus, events.AppBlur, TerminalSupportsSynchronizedOutput, events.Paste]


def test_random_reports_are_understood_or_dropped() -> None:
    rng, interpreter = random.Random(1), Interpreter()
    ends = b"ABCDEFHMPQRSmuytcn~$"
    for _n in range(5000):
        numbers = b";".join(
            rng.choice([b"", b"0", b"1", b"27", b"1:2", b"%d" % rng.randrange(10 ** rng.randrange(1, 12))])
            for _m in range(rng.randrange(5))
        )
        heard(b"\x1b[" + rng.choice([b"", b"<", b"?", b">"]) + numbers + bytes((rng.choice(ends),)), interpreter)
        heard(rng.randbytes(rng.randrange(20)), interpreter)
