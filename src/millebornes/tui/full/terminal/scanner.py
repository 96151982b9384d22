"""What a terminal sends, byte by byte, cut into characters, escape sequences and pasted texts."""

import codecs
import enum
from typing import Final, NamedTuple

from textual import constants

__all__ = ["Scanner", "Token", "TokenKind"]

ESC: Final = 0x1B
PASTE_BEGINS: Final = b"\x1b[200~"
PASTE_ENDS: Final = b"\x1b[201~"

PATIENCE: Final = 1.0
"""Seconds of silence after which the rest of a report, or of a pasted text, is not waited for any longer."""

LONGEST_SEQUENCE: Final = 256
LONGEST_STRING: Final = 4096
LONGEST_PASTE: Final = 1 << 16
"""Bytes that are kept of a report, an answer in words, or a pasted text."""

STRINGS: Final = frozenset(b"]P_^X")
"""What follows an escape where a terminal answers in words: OSC, DCS, APC, PM and SOS. Nothing here asks for that."""

RXVT: Final = frozenset({b"\x1b[3$", b"\x1b[7$", b"\x1b[8$", b"\x1b[23$", b"\x1b[24$"})
"""Keys of rxvt that end where by the standard the last byte is still to come."""


class TokenKind(enum.Enum):
    """What a token is."""

    CHARACTER = enum.auto()
    ALT = enum.auto()
    """A character after an escape: typed together with Alt, or so soon after Escape that nobody can tell."""
    SEQUENCE = enum.auto()
    PASTE = enum.auto()


class Token(NamedTuple):
    """A complete thing that a terminal has sent; the text of a sequence begins with the escape."""

    kind: TokenKind
    text: str


class _State(enum.Enum):
    GROUND = enum.auto()
    ESCAPE = enum.auto()
    CONTROL = enum.auto()
    """CSI, up to its last byte."""
    SINGLE = enum.auto()
    """SS3, and one byte."""
    MOUSE = enum.auto()
    """CSI M, and three bytes of any value."""
    STRING = enum.auto()
    PASTE = enum.auto()


class Scanner:
    """Takes bytes as they come, cut anywhere, and gives tokens; what is broken off, too long or no text is dropped.

    It knows the form of what terminals send, not its meaning. Nothing can keep it from taking the next key: a sequence
    ends by a byte that cannot belong to it, and everything ends by silence.
    """

    def __init__(self) -> None:
        self._state = _State.GROUND
        self._held = bytearray()
        self._length = 0
        """Of the string that is being passed over."""
        self._ends_string = False
        """Whether the escape that is held came within a string; together with a backslash it ends that."""
        self._pasted = bytearray()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._alt = False
        self._tokens: list[Token] = []

    def feed(self, data: bytes) -> list[Token]:
        """Take bytes; returns what they complete."""
        while data:
            data = self._paste(data) if self._state is _State.PASTE else self._cut(data)
        return self._given()

    def _cut(self, data: bytes) -> bytes:
        """Take bytes up to where a paste begins; returns what is pasted."""
        for used, byte in enumerate(data, 1):
            self._take(byte)
            if self._state is _State.PASTE:
                return data[used:]
        return b""

    def idle(self, seconds: float) -> list[Token]:
        """Nothing has come for some seconds; returns what that completes, such as the key Escape."""
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
        """Whether what is held could be the key Escape, or a key pressed with Alt."""
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
        """A byte that cannot belong to what is held: that is dropped, and the byte begins anew."""
        self._reset()
        self._ground(byte)

    def _ground(self, byte: int) -> None:
        if byte == ESC:
            self._begin()
            return
        for character in self._decoder.decode(bytes((byte,))):
            # Neither what is no UTF-8, nor the controls above ASCII, which no keyboard has.
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
        """An answer in words is passed over; BEL ends it, or the string terminator, or whatever cannot stand in it."""
        if byte == ESC:
            answer = self._length > 0
            if not answer:  # Alt and a letter, held down
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
        """Take what is pasted; returns what comes after it."""
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
