"""Split the bytes from a terminal into characters, escape sequences and pasted texts."""

import codecs
import enum
from typing import Final, NamedTuple

from textual import constants

__all__ = ["Scanner", "Token", "TokenKind"]

ESC: Final = 0x1B
PASTE_BEGINS: Final = b"\x1b[200~"
PASTE_ENDS: Final = b"\x1b[201~"

PATIENCE: Final = 1.0
"""After this many seconds of silence, an unfinished report or paste counts as complete."""

LONGEST_SEQUENCE: Final = 256
LONGEST_STRING: Final = 4096
LONGEST_PASTE: Final = 1 << 16
"""The maximum number of bytes to keep from a report, a text answer or a paste."""

STRINGS: Final = frozenset(b"]P_^X")
"""The characters that start a text answer after an escape: OSC, DCS, APC, PM and SOS.

This program never requests such an answer.
"""

RXVT: Final = frozenset({b"\x1b[3$", b"\x1b[7$", b"\x1b[8$", b"\x1b[23$", b"\x1b[24$"})
"""Keys of rxvt whose last byte isn't a valid last byte according to the standard."""


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


class _State(enum.Enum):
    GROUND = enum.auto()
    ESCAPE = enum.auto()
    CONTROL = enum.auto()
    """A CSI sequence, up to its last byte."""
    SINGLE = enum.auto()
    """SS3 and one more byte."""
    MOUSE = enum.auto()
    """CSI M and three more bytes with any value."""
    STRING = enum.auto()
    PASTE = enum.auto()


class Scanner:
    """Turns bytes, in pieces of any size, into tokens. Input that is incomplete, too long or not text is dropped.

    The scanner knows the form of terminal input but not its meaning. No error can swallow the next key: a sequence ends
    at any byte that can't belong to it, and silence ends everything.
    """

    def __init__(self) -> None:
        self._state = _State.GROUND
        self._held = bytearray()
        self._length = 0
        """The length of the string that is being skipped."""
        self._ends_string = False
        """Whether the current escape is inside a string. If a backslash follows, the string ends."""
        self._pasted = bytearray()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._alt = False
        self._tokens: list[Token] = []

    def feed(self, data: bytes) -> list[Token]:
        """Process bytes and return the tokens that they complete."""
        while data:
            data = self._paste(data) if self._state is _State.PASTE else self._cut(data)
        return self._given()

    def _cut(self, data: bytes) -> bytes:
        """Process bytes until a paste starts. Return the bytes after that point."""
        for used, byte in enumerate(data, 1):
            self._take(byte)
            if self._state is _State.PASTE:
                return data[used:]
        return b""

    def idle(self, seconds: float) -> list[Token]:
        """Process ``seconds`` of silence. Return the tokens that this completes, such as the Escape key."""
        if self._state is _State.PASTE:
            if seconds >= PATIENCE:
                self._pasted += self._held
                self._end_paste()
        elif self._is_key and seconds >= constants.ESCAPE_DELAY:
            self._end_key()
        elif seconds >= PATIENCE:
            self._reset()
        return self._given()

    @property
    def _is_key(self) -> bool:
        """Whether the unfinished input may be the Escape key or a key pressed with Alt."""
        if self._state is _State.STRING:
            return self._length == 0
        return self._state is not _State.GROUND and len(self._held) <= 2

    def _end_key(self) -> None:
        if len(self._held) == 1:
            self._give(TokenKind.SEQUENCE, "\x1b")
        else:
            self._give(TokenKind.ALT, chr(self._held[1]))
        self._reset()

    def _given(self) -> list[Token]:
        given, self._tokens = self._tokens, []
        return given

    def _give(self, kind: TokenKind, text: str) -> None:
        self._tokens.append(Token(kind, text))

    def _reset(self) -> None:
        self._state = _State.GROUND
        self._held.clear()
        self._decoder.reset()
        self._length, self._alt, self._ends_string = 0, False, False

    # ------------------------------------------------------------------ byte by byte

    def _take(self, byte: int) -> None:
        match self._state:
            case _State.GROUND:
                self._ground(byte)
            case _State.ESCAPE:
                self._escape(byte)
            case _State.CONTROL:
                self._control(byte)
            case _State.SINGLE:
                self._single(byte)
            case _State.MOUSE:
                self._mouse(byte)
            case _:
                self._string(byte)

    def _begin(self) -> None:
        self._reset()
        self._state = _State.ESCAPE
        self._held.append(ESC)

    def _again(self, byte: int) -> None:
        """Drop the unfinished input and start again with this byte, which can't belong to it."""
        self._reset()
        self._ground(byte)

    def _ground(self, byte: int) -> None:
        if byte == ESC:
            self._begin()
            return
        for character in self._decoder.decode(bytes((byte,))):
            # Skip invalid UTF-8 and control characters above ASCII, which no keyboard sends.
            if character != "\ufffd" and not "\x80" <= character <= "\x9f":
                self._give(TokenKind.ALT if self._alt else TokenKind.CHARACTER, character)
            self._alt = False

    def _escape(self, byte: int) -> None:
        if byte == 0x5C and self._ends_string:
            self._reset()
        elif byte == ESC:
            self._give(TokenKind.SEQUENCE, "\x1b")
            self._begin()
        elif byte == 0x5B:
            self._hold(byte, _State.CONTROL)
        elif byte == 0x4F:
            self._hold(byte, _State.SINGLE)
        elif byte in STRINGS:
            self._hold(byte, _State.STRING)
        else:
            self._reset()
            self._alt = True
            self._ground(byte)

    def _hold(self, byte: int, state: _State) -> None:
        self._held.append(byte)
        self._state = state

    def _control(self, byte: int) -> None:
        if not 0x20 <= byte <= 0x7E:
            self._again(byte)
            return
        begins = len(self._held) == 2
        if len(self._held) < LONGEST_SEQUENCE:
            self._held.append(byte)
        if begins and byte == 0x4D:
            self._state = _State.MOUSE
        elif (byte >= 0x40 and not (begins and byte == 0x5B)) or bytes(self._held) in RXVT:  # "ESC [ [ A" is Linux's F1
            self._end_sequence()

    def _single(self, byte: int) -> None:
        if not 0x20 <= byte <= 0x7E:
            self._again(byte)
            return
        self._held.append(byte)
        if byte >= 0x40 or len(self._held) == LONGEST_SEQUENCE:
            self._end_sequence()

    def _mouse(self, byte: int) -> None:
        if byte < 0x20:
            self._again(byte)
            return
        self._held.append(byte)
        if len(self._held) == 6:
            self._end_sequence()

    def _end_sequence(self) -> None:
        sequence = bytes(self._held)
        self._reset()
        if sequence == PASTE_BEGINS:
            self._state = _State.PASTE
        elif sequence != PASTE_ENDS and len(sequence) < LONGEST_SEQUENCE:
            self._give(TokenKind.SEQUENCE, sequence.decode("latin-1"))

    def _string(self, byte: int) -> None:
        """Skip a text answer.

        A text answer ends at BEL, at the string terminator, or at any byte that it can't contain.
        """
        if byte == ESC:
            answer = self._length > 0
            if not answer:  # Alt and a letter that is held down
                self._end_key()
            self._begin()
            self._ends_string = answer
        elif byte == 0x07:
            self._reset()
        elif byte < 0x20:
            self._again(byte)
        else:
            self._length += 1
            if self._length > LONGEST_STRING:
                self._reset()

    # ------------------------------------------------------------------ pasting

    def _paste(self, data: bytes) -> bytes:
        """Process pasted bytes. Return the bytes after the paste."""
        found = bytes(self._held) + data
        end = found.find(PASTE_ENDS)
        kept = end if end >= 0 else max(0, len(found) - len(PASTE_ENDS) + 1)
        self._pasted += found[: min(kept, LONGEST_PASTE - len(self._pasted))]
        self._held[:] = found[kept:]
        if end < 0:
            return b""
        self._end_paste()
        return found[end + len(PASTE_ENDS) :]

    def _end_paste(self) -> None:
        text = self._pasted.decode("utf-8", "ignore").replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
        self._pasted.clear()
        self._reset()
        self._give(TokenKind.PASTE, "".join(found for found in text if found == "\n" or found.isprintable()))
