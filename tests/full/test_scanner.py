"""Bytes of a terminal, cut into what was typed and reported; whatever they are, the next key is understood."""

import random

import pytest

from millebornes.tui.full.terminal.scanner import (
    LONGEST_PASTE,
    LONGEST_SEQUENCE,
    LONGEST_STRING,
    PATIENCE,
    Scanner,
    Token,
    TokenKind,
)

LONG = 2 * PATIENCE


def scan(*chunks: bytes, silence: float = LONG) -> list[tuple[str, str]]:
    """The tokens of some bytes, and of the silence after them."""
    scanner = Scanner()
    tokens = [token for chunk in chunks for token in scanner.feed(chunk)]
    return [(token.kind.name.lower(), token.text) for token in [*tokens, *scanner.idle(silence)]]


def typed(text: str) -> list[tuple[str, str]]:
    return [("character", character) for character in text]


@pytest.mark.parametrize(
    ("data", "tokens"),
    [
        ("né漢".encode(), typed("né漢")),
        (b"q\x00\r", typed("q\x00\r")),
        (b"\x1b", [("sequence", "\x1b")]),
        (b"\x1b\x1b", [("sequence", "\x1b")] * 2),
        (b"\x1b[A\x1bOP", [("sequence", "\x1b[A"), ("sequence", "\x1bOP")]),
        (b"\x1b[[A\x1b[3$\x1b[?2026;2$y", [("sequence", text) for text in ("\x1b[[A", "\x1b[3$", "\x1b[?2026;2$y")]),
        (b"\x1bx\x1b\xc3\xa9\x1b\r", [("alt", "x"), ("alt", "é"), ("alt", "\r")]),
        (b"\x1b[", [("alt", "[")]),
        (b"\x1bO", [("alt", "O")]),
        (b"\x1bP\x1bP", [("alt", "P")] * 2),
        (b"\x1bP\x1b", [("alt", "P"), ("sequence", "\x1b")]),
        (b"\x1bPq\x1b", [("sequence", "\x1b")]),
        (b"\x1b[M !!q", [("sequence", "\x1b[M !!"), *typed("q")]),
        (b"\x1b[M \xe9\xffq", [("sequence", "\x1b[M \xe9\xff"), *typed("q")]),
        (b"\x1b[200~two\r\nlines\x1b[201~q", [("paste", "two\nlines"), *typed("q")]),
        (b"\x1b[200~\x1b[31mr\x07\xe9d\x1b[201~", [("paste", "[31mrd")]),
        (b"\x1b[201~q", typed("q")),
    ],
)
def test_what_is_sent_is_understood(data: bytes, tokens: list[tuple[str, str]]) -> None:
    assert scan(data) == tokens
    assert scan(*(bytes((byte,)) for byte in data)) == tokens, "wherever it is cut"


@pytest.mark.parametrize(
    "broken",
    [
        b"\xe9",  # Latin-1
        b"\xc3",  # the first half of a character
        b"\xff\xfe\x80",
        b"\x1b\xff",  # not the Escape key
        b"\x1b\xe9",
        b"\x9b\x8f\x90",  # controls above ASCII, as bytes and in UTF-8
        "\x9b".encode(),
        b"\x1b[<0;5",
        b"\x1b[M ",
        b"\x1b[\xe9",
        b"\x1b]0;title",
        b"\x1bP+r",
        b"\x1b[" + b"1;" * LONGEST_SEQUENCE + b"u",
        b"\x1b]" + b"x" * (LONGEST_STRING + 1),
        b"\x1b]11;rgb:0/0/0\x07",
        b"\x1bP1+r\x1b\\",
    ],
)
def test_what_is_broken_is_dropped_and_the_next_key_understood(broken: bytes) -> None:
    assert scan(broken) == []
    scanner = Scanner()
    scanner.feed(broken)
    scanner.idle(LONG)
    assert scanner.feed(b"q") == [Token(TokenKind.CHARACTER, "q")]
    assert scan(broken + b"\x03")[-1:] == typed("\x03"), "nothing swallows Control-C"


def test_only_silence_tells_escape_from_a_sequence() -> None:
    """The rest of what was cut in two belongs to it, however long it took to be read."""
    assert scan(b"\x1b", b"[A") == [("sequence", "\x1b[A")]
    scanner = Scanner()
    assert scanner.feed(b"\x1b[<0;1") == scanner.idle(0.9 * PATIENCE) == []
    assert scanner.feed(b"2;3M") == [Token(TokenKind.SEQUENCE, "\x1b[<0;12;3M")]


def test_a_paste_without_an_end_ends_by_silence() -> None:
    scanner = Scanner()
    assert scanner.feed(b"\x1b[200~name\x1b[20") == scanner.idle(0.9 * PATIENCE) == []
    assert scanner.idle(PATIENCE) == [Token(TokenKind.PASTE, "name[20")]
    assert scanner.feed(b"q") == [Token(TokenKind.CHARACTER, "q")]


def test_of_a_huge_paste_only_the_beginning_is_kept() -> None:
    scanner = Scanner()
    scanner.feed(b"\x1b[200~")
    for _n in range(100):
        assert scanner.feed(b"a" * 4096) == []
    (paste, key) = scanner.feed(b"\x1b[201~q")
    assert paste == Token(TokenKind.PASTE, "a" * LONGEST_PASTE)
    assert key == Token(TokenKind.CHARACTER, "q")


def test_random_bytes_never_keep_it_from_the_next_key() -> None:
    rng = random.Random(1)
    pieces = [b"\x1b", b"[", b"<", b"M", b"m", b"O", b"P", b"]", b"\x1b[200~", b";", b"0", b"~", b"u", b"\\", b"\xe9"]
    for _n in range(2000):
        scanner = Scanner()
        for _m in range(rng.randrange(1, 30)):
            scanner.feed(rng.choice(pieces) if rng.random() < 0.7 else rng.randbytes(rng.randrange(1, 9)))
        scanner.idle(LONG)
        assert scanner.feed(b"q") == [Token(TokenKind.CHARACTER, "q")]
