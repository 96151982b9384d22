"""What a terminal sends, as the game hears it: Textual's parser reads it, and no input can end or deafen it."""

import random

import pytest
from textual import constants, events
from textual.message import Message
from textual.messages import TerminalSupportsSynchronizedOutput

from millebornes.tui.full.terminal.textual_private import PATIENCE, InputReader


@pytest.fixture(autouse=True)
def no_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first silence ends a sequence, however short it is."""
    monkeypatch.setattr(constants, "ESCAPE_DELAY", 0.0)


def heard(*chunks: bytes, reader: InputReader | None = None, silence: float = 0.0) -> list[Message]:
    """All messages of some bytes, and of a silence after them."""
    reader = reader or InputReader()
    return [message for chunk in chunks for message in reader.feed(chunk)] + list(reader.idle(silence))


def keys(*chunks: bytes, reader: InputReader | None = None) -> list[str]:
    found = []
    for event in heard(*chunks, reader=reader):
        assert isinstance(event, events.Key)
        found.append(event.key)
    return found


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"qQ1 \r\t\x7f\x03", ["q", "Q", "1", "space", "enter", "tab", "backspace", "ctrl+c"]),
        (b"?!@", ["question_mark", "exclamation_mark", "at"]),
        ("éÉ漢".encode(), ["é", "É", "漢"]),
        (b"\x1b", ["escape"]),
        (b"\x1b\x1b", ["escape"] * 2),
        (b"\x1b[A\x1bOA\x1b[1;5A", ["up", "up", "ctrl+up"]),
        (b"\x1bOP\x1b[11~\x1b[[A\x1b[P", ["f1"] * 4),
        (b"\x1b[3~\x1b[5~\x1b[21~", ["delete", "pageup", "f10"]),
        (b"\x1bq", ["alt+q"]),
        (b"\x1bP", ["alt+shift+p"]),
        # kitty: code, modifiers, text
        (b"\x1b[113u\x1b[27u\x1b[13u\x1b[99;5u", ["q", "escape", "enter", "ctrl+c"]),
        (b"\x1b[113;2;81u\x1b[49;2;33u", ["Q", "exclamation_mark"]),
        (b"\x1b[49;2u", ["shift+1"]),
    ],
)
def test_keys(data: bytes, names: list[str]) -> None:
    assert keys(data) == names
    assert keys(*(bytes((byte,)) for byte in data)) == names, "wherever it is cut"


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
        (b"\x1b[M %#\x1b[M##\xe9", []),  # reports of older terminals
        (b"\x1b[48;24;80;0;0t\x1b[48;1;1;9;9t\x1b[<0;5;3M", [("Down", 4, 2, 1)]),
    ],
)
def test_the_mouse(data: bytes, found: list[tuple[str, int, int, int]]) -> None:
    events_heard = heard(data)
    assert all(isinstance(event, events.MouseEvent) for event in events_heard)
    assert found == [
        (type(event).__name__.removeprefix("Mouse"), event.screen_x, event.screen_y, event.button)
        for event in events_heard
        if isinstance(event, events.MouseEvent)
    ]


def test_other_reports() -> None:
    kinds = [type(event) for event in heard(b"\x1b[I\x1b[O\x1b[?2026;2$y\x1b[?2026;0$y\x1b[200~text\x1b[201~")]
    assert kinds == [events.AppFocus, events.AppBlur, TerminalSupportsSynchronizedOutput, events.Paste]


@pytest.mark.parametrize(
    "broken",
    [
        b"\xe9",  # Latin-1
        b"\xc3",  # the first half of a character
        b"\xff\xfe\x80",
        b"\x9b\x8f\x90",  # controls above ASCII
        b"\x1b[<0;5",
        b"\x1b]0;title\x07",
        b"\x1bP+r",
        b"\x1b[" + b"1;" * 14,
        b"\x1b[99999999999u",  # Textual takes any number for a character
        b"\x1b[1114112u",
        b"\x1b[48;24;80;0;0t",  # sizes come from the system
        b"\x1b[?2048;2$y",
        b"\x1b[?64;1;2c",  # answers to other programs; Textual would type them
        b"\x1b]11;rgb:0/0/0\x1b",
        b"\x1bP1+r\x07",
    ],
)
def test_what_has_no_meaning_is_dropped_and_the_next_key_understood(broken: bytes) -> None:
    reader = InputReader()
    assert keys(broken, reader=reader) in ([], ["escape"])
    assert keys(b"q", reader=reader) == ["q"]


def test_what_breaks_the_parser_costs_only_itself() -> None:
    assert keys(b"a\x1b[99999999999ub\xffc") == ["a", "b", "c"]


def test_a_paste_is_text_without_controls() -> None:
    (paste,) = heard(b"\x1b[200~two\r\nli\x07n\xe9es\x9b\xc2\x9b\x1b[201~")
    assert isinstance(paste, events.Paste)
    assert paste.text == "two\r\nlines"
    assert [type(event) for event in heard(b"\x1b[200~a\x1b[31mu3\r\x1b[201~")] == [events.Paste], "no key in it"


def test_a_paste_without_an_end_is_given_up() -> None:
    reader = InputReader()
    assert heard(b"\x1b[200~name\x1b[20", reader=reader, silence=0.9 * PATIENCE) == []
    assert heard(b"qy\r", reader=reader) == []
    assert heard(reader=reader, silence=PATIENCE) == []
    assert keys(b"q", reader=reader) == ["q"]


def test_random_bytes_never_keep_it_from_the_next_key() -> None:
    rng = random.Random(1)
    pieces = [b"\x1b", b"[", b"<", b"M", b"m", b"O", b"P", b"]", b"\x1b[200~", b";", b"0", b"~", b"u", b"\\", b"\xe9"]
    pieces += [b"1114112", b"55296", b"48;", b"t", b"?", b"\x1b[48;9;9;0;0t", b"\x1b[<0;5;3M"]
    for _n in range(2000):
        reader = InputReader()
        for _m in range(rng.randrange(1, 30)):
            list(reader.feed(rng.choice(pieces) if rng.random() < 0.7 else rng.randbytes(rng.randrange(1, 9))))
        list(reader.idle(PATIENCE))
        assert keys(b"q", reader=reader) == ["q"]
