"""Split the bytes from a terminal into characters, escape sequences and pasted texts."""

import enum
import re
from typing import Final, NamedTuple

from textual import constants

__all__ = ["Scanner", "Token", "TokenKind"]

PASTE_BEGINS: Final = b"\x1b[200~"
PASTE_ENDS: Final = b"\x1b[201~"

PATIENCE: Final = 1.0
"""After this many seconds of silence, an unfinished report or paste counts as complete."""

LONGEST_SEQUENCE: Final = 256
LONGEST_STRING: Final = 4096
LONGEST_PASTE: Final = 1 << 16
"""The maximum number of bytes to keep from a report, a text answer or a paste."""

UNFINISHED: Final = re.compile(
    rb"""
    \x1b? (?: [\xc2-\xf4] | [\xe0-\xf4][\x80-\xbf] | [\xf0-\xf4][\x80-\xbf]{2} )  # a character
    | \x1b (?! \[(?:3|7|8|23|24)\$ ) (?: \[\[? [\x20-\x3f]* | \[M [\x20-\xff]{0,2} | O [\x20-\x3f]* )?
    | \x1b []P_^X] [^\0-\x1f]* \x1b?  # an answer
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
        [\0-\x7f] | [\xc2-\xdf][\x80-\xbf] | [\xe0-\xef][\x80-\xbf]{2} | [\xf0-\xf4][\x80-\xbf]{3}
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

    The scanner knows the form of terminal input but not its meaning. No error can swallow the next key: a sequence ends
    at any byte that can't belong to it, and silence ends everything.
    """

    def __init__(self) -> None:
        self._held = b""
        """The input that may continue."""
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
        if seconds >= constants.ESCAPE_DELAY and self._pasted is None and 0 < len(held) <= 2 and held.isascii():
            self._held = b""
            return [Token(TokenKind.ALT, chr(held[1])) if held[1:] else Token(TokenKind.SEQUENCE, "\x1b")]
        if seconds >= PATIENCE:
            self._held = b""
            if self._pasted is not None:
                return [self._end_paste(self._pasted + held)]
        return []

    def _end_paste(self, pasted: bytearray) -> Token:
        self._pasted = None
        text = pasted.decode("utf-8", "ignore").replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
        return Token(TokenKind.PASTE, "".join(found for found in text if found == "\n" or found.isprintable()))
