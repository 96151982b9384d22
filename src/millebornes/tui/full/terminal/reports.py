"""Turn input from the terminal into Textual's events for keys, the mouse, pasted texts and a few answers."""

import re
from collections.abc import Iterator
from typing import Final

from textual import events
from textual.message import Message
from textual.messages import TerminalSupportsSynchronizedOutput

from millebornes.tui.full.terminal.scanner import Token, TokenKind
from millebornes.tui.full.textual_private import KeyNames

__all__ = ["Interpreter"]

SGR_MOUSE: Final = re.compile(r"\x1b\[<([0-9]{1,3});([0-9]{1,5});([0-9]{1,5})([Mm])")
URXVT_MOUSE: Final = re.compile(r"\x1b\[([0-9]{1,3});([0-9]{1,5});([0-9]{1,5})M")
X10_MOUSE: Final = re.compile(r"\x1b\[M(.)(.)(.)", re.DOTALL)
WHOLE_FRAMES: Final = re.compile(r"\x1b\[\?2026;[123]\$y")
KEY: Final = re.compile(r"\x1b\[([0-9]{0,7})(?::[0-9:]*)?(?:;([0-9]{0,3})(?::([0-9]))?(?:;([0-9:]*))?)?([u~A-Z])")
"""The report of a key, with its code, its modifiers, the type of event, and the characters it types."""

SHIFT, CAPS_LOCK, NUM_LOCK = 1, 64, 128
RELEASED: Final = "3"


class Interpreter:
    """Makes events from tokens. Tokens that have no meaning or weren't requested are ignored.

    The app never requests the size of the terminal. The system reports it, and a size reported by the terminal itself
    can be zero.
    """

    def __init__(self) -> None:
        self._names = KeyNames()
        self._down = 0
        """The button that was pressed last, because old reports don't say which button is released."""

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
        elif found := X10_MOUSE.fullmatch(sequence):
            yield from self._old_mouse(ord(found[1]), ord(found[2]) - 32, ord(found[3]) - 32)
        elif found := URXVT_MOUSE.fullmatch(sequence):
            yield from self._old_mouse(*(int(number) for number in found.groups()))
        else:
            yield from self._key(sequence) or self._names.listed(sequence)

    # ------------------------------------------------------------------ keys

    def _key(self, sequence: str) -> list[events.Key]:
        """Return the keys in a report from kitty, or from xterm for keys with modifiers."""
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

    # ------------------------------------------------------------------ the mouse

    def _old_mouse(self, code: int, column: int, row: int) -> Iterator[Message]:
        """Yield the events for an old kind of mouse report.

        Such reports add 32 to the buttons and don't say which button is released.
        """
        buttons = code - 32
        if buttons < 0:
            return
        up = buttons & 3 == 3 and not buttons & (32 | 64 | 128)
        if up:
            buttons = buttons & ~3 | (self._down - 1) if self._down else 35
        yield from self._mouse(buttons, column, row, up=up)

    def _mouse(self, buttons: int, column: int, row: int, *, up: bool) -> Iterator[Message]:
        if buttons & 128 or (buttons & 64 and up):  # other buttons, such as "back", must not count as the left button
            return
        code = f"\x1b[<{buttons};{max(1, column)};{max(1, row)}{'m' if up else 'M'}"
        event = self._names.parser.parse_mouse_code(code)
        if isinstance(event, events.MouseDown | events.MouseUp):
            self._down = 0 if up else event.button
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
