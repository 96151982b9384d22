"""Split the bytes from a terminal into characters, escape sequences and pasted texts."""

import enum
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from textual import constants, events
from textual.message import Message
from textual.messages import TerminalSupportsSynchronizedOutput

from millebornes.tui.full.textual_private import KeyNames

__all__ = ["Interpreter", "Scanner", "Token", "TokenKind"]

PASTE_BEGINS: Final = b"\x1b[200~"
PASTE_ENDS: Final = b"\x1b[201~"

PATIENCE: Final = 1.0  # after this many seconds of silence, an unfinished report or paste counts as complete
LONGEST_SEQUENCE: Final = 256
LONGEST_STRING: Final = 4096
LONGEST_PASTE: Final = 1 << 16  # the numbers of bytes to keep
UNFINISHED: Final = re.compile(
    rb"""
    \x1b? (?: [\xc2-\xf4] | [\xe0-\xf4][\x80-\xbf] | [\xf0-\xf4][\x80-\xbf]{2} )  # a character
    | \x1b (?! \[(?:3|7|8|23|24)\$ ) (?: \[\[? [\x20-\x3f]* | \[M [\x20-\xff]{0,2} | O [\x20-\x3f]* )?
    | \x1b []P_^X] (?: [^\0-\x1f]+ \x1b? )?  # an answer, or Alt and a letter
    """,
    re.VERBOSE,
)
"""Input that may continue."""

FINISHED: Final = re.compile(
    rb"""
    \x1b []P_^X] [^\0-\x1f]+ (?: \x1b\\ | \x07 | (?=[\0-\x1f]) )  # an answer: OSC, DCS, APC, PM or SOS
    | \x1b\[M [\x20-\xff]{0,2} (?=[\0-\x1f])  # a broken mouse report
    | (?P<SEQUENCE> \x1b (?:
        \[M [\x20-\xff]{3}              # an old mouse report
        | \[ (?:3|7|8|23|24)\$           # a key of rxvt whose last byte isn't a valid last byte in the standard
        | \[ \[? [\x20-\x3f]* [\x40-\x7e]  # CSI; Linux's F1 to F5 have two brackets
        | O [\x20-\x3f]* [\x40-\x7e]     # SS3
        | (?=\x1b)                       # Escape
      ) )
    | \x1b [\[O] [\x20-\x3f]* (?=[^\x20-\x7e])  # another broken sequence
    | \x1b? (?P<CHARACTER>
        [\0-\x1a\x1c-\x7f] | [\xc2-\xdf][\x80-\xbf] | [\xe0-\xef][\x80-\xbf]{2} | [\xf0-\xf4][\x80-\xbf]{3}
      )
    | \x1b? .  # not UTF-8
    """,
    re.VERBOSE | re.DOTALL,
)
"""Input that is complete. This program requests no answers, so they have no meaning."""


class TokenKind(enum.Enum):
    """The kinds of token that a terminal sends."""

    CHARACTER = enum.auto()
    ALT = enum.auto()
    """A character after an escape. It was typed with Alt, or so soon after Escape that it looks the same."""
    SEQUENCE = enum.auto()
    PASTE = enum.auto()


class Token(NamedTuple):
    """A complete unit of input from a terminal. If it is a sequence, its text starts with the escape."""

    kind: TokenKind
    text: str


class Scanner:
    """Turns bytes, in pieces of any size, into tokens. Input that is incomplete, too long or not text is dropped.

    No error can swallow the next key: a sequence ends at any byte that can't belong to it, and silence ends everything.
    """

    def __init__(self) -> None:
        self._held = b""  # the input that may continue
        self._pasted: bytearray | None = None

    def feed(self, data: bytes) -> list[Token]:
        """Process bytes and return the tokens that they complete."""
        held, at = self._held + data, 0
        tokens: list[Token] = []
        while at < len(held):
            if self._pasted is not None:
                end = held.find(PASTE_ENDS, at)
                until = end if end >= 0 else max(at, len(held) - len(PASTE_ENDS) + 1)
                self._pasted += held[at : min(until, at + LONGEST_PASTE - len(self._pasted))]
                at = until
                if end < 0:
                    break
                at += len(PASTE_ENDS)
                tokens.append(self._end_paste(self._pasted))
                continue
            if UNFINISHED.fullmatch(held, at):
                break
            found = FINISHED.match(held, at)
            assert found is not None
            at = found.end()
            tokens += self._tokens(found)
        self._held = held[at:] if len(held) - at <= LONGEST_STRING else b""
        return tokens

    def _tokens(self, found: re.Match[bytes]) -> list[Token]:
        if sequence := found["SEQUENCE"]:
            if sequence == PASTE_BEGINS:
                self._pasted = bytearray()
            elif sequence != PASTE_ENDS and len(sequence) < LONGEST_SEQUENCE:
                return [Token(TokenKind.SEQUENCE, sequence.decode("latin-1"))]
        character = (found["CHARACTER"] or b"").decode("utf-8", "ignore")
        if not character or "\x80" <= character <= "\x9f":  # no keyboard sends control characters above ASCII
            return []
        return [Token(TokenKind.ALT if len(found[0]) > len(found["CHARACTER"]) else TokenKind.CHARACTER, character)]

    def idle(self, seconds: float) -> list[Token]:
        """Process ``seconds`` of silence. Return the tokens that this completes, such as the Escape key."""
        held = self._held
        key = b"\x1b" if held.endswith(b"\x1b") else held  # the Escape key also ends an answer
        if seconds >= constants.ESCAPE_DELAY and self._pasted is None and 0 < len(key) <= 2 and key.isascii():
            self._held = b""
            return [Token(TokenKind.ALT, chr(key[1])) if key[1:] else Token(TokenKind.SEQUENCE, "\x1b")]
        if seconds >= PATIENCE:
            self._held = b""
            if self._pasted is not None:
                return [self._end_paste(self._pasted + held)]
        return []

    def _end_paste(self, pasted: bytearray) -> Token:
        self._pasted = None
        text = pasted.decode("utf-8", "ignore").replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
        return Token(TokenKind.PASTE, "".join(found for found in text if found == "\n" or found.isprintable()))


SGR_MOUSE: Final = re.compile(r"\x1b\[<([0-9]{1,3});([0-9]{1,5});([0-9]{1,5})([Mm])")
WHOLE_FRAMES: Final = re.compile(r"\x1b\[\?2026;[123]\$y")
KEY: Final = re.compile(r"\x1b\[([0-9]{0,7})(?::[0-9:]*)?(?:;([0-9]{0,3})(?::([0-9]))?(?:;([0-9:]*))?)?([u~A-Z])")
"""The report of a key, with its code, its modifiers, the type of event, and the characters it types."""

SHIFT, CAPS_LOCK, NUM_LOCK = 1, 64, 128
RELEASED: Final = "3"


class Interpreter:
    """Makes events from tokens. Tokens that have no meaning or weren't requested are ignored.

    The system reports the size of the terminal. A size reported by the terminal itself can be zero.
    """

    def __init__(self) -> None:
        self._names = KeyNames()

    def messages(self, token: Token) -> Iterator[Message]:
        """Yield the events that belong to a token."""
        match token:
            case Token(TokenKind.PASTE, text):
                yield events.Paste(text)
            case Token(TokenKind.CHARACTER, text):
                yield from self._names.typed(text)
            case Token(TokenKind.ALT, text):
                yield from self._names.listed(f"\x1b{text}") or self._names.typed(text, alt=True)
            case Token(TokenKind.SEQUENCE, sequence):
                yield from self._sequence(sequence)

    def _sequence(self, sequence: str) -> Iterator[Message]:
        if sequence == "\x1b":
            yield events.Key("escape", "\x1b")
        elif sequence == "\x1b[I":
            yield events.AppFocus()
        elif sequence == "\x1b[O":
            yield events.AppBlur()
        elif WHOLE_FRAMES.fullmatch(sequence):
            yield TerminalSupportsSynchronizedOutput()
        elif found := SGR_MOUSE.fullmatch(sequence):
            yield from self._mouse(*(int(number) for number in found.groups()[:3]), up=found[4] == "m")
        else:
            yield from self._key(sequence) or self._names.listed(sequence)

    def _key(self, sequence: str) -> list[events.Key]:
        found = KEY.fullmatch(sequence)
        if found is None:
            return []
        code, modifiers, happened, text, end = found.groups(default="")
        if happened == RELEASED:
            return []
        functional = self._names.is_functional(f"{code or 1}{end}")
        if end == "R" and code != "1":  # the position of the cursor, not the key F3
            return []
        if not functional and (end != "u" or not _is_text(code)):
            return []
        if any(not _is_text(part) for part in text.split(":") if text):
            return []
        if not functional and not text:
            text = _shifted(int(code), int(modifiers or 1))
        return self._names.extended(f"\x1b[{code or 1};{modifiers};{text}{end}")

    def _mouse(self, buttons: int, column: int, row: int, *, up: bool) -> Iterator[Message]:
        if buttons & 128 or (buttons & 64 and up):  # other buttons, such as "back", must not count as the left button
            return
        code = f"\x1b[<{buttons};{max(1, column)};{max(1, row)}{'m' if up else 'M'}"
        event = self._names.parser.parse_mouse_code(code)
        if event is not None:
            yield event


def _is_text(code: str) -> bool:
    """Return whether a number is the code of a printable character. Control characters and surrogates aren't."""
    return code.isdecimal() and int(code) < 0x110000 and chr(int(code)).isprintable()


def _shifted(code: int, modifiers: int) -> str:
    """Return the code of the character that a letter becomes with Shift. Some terminals leave this to the program."""
    held, letter = modifiers - 1, chr(code)
    if not letter.isalpha() or held & ~(SHIFT | CAPS_LOCK | NUM_LOCK):
        return ""
    upper = letter.upper() if bool(held & SHIFT) is not bool(held & CAPS_LOCK) else letter
    return str(ord(upper)) if len(upper) == 1 else ""
