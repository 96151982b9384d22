"""What was typed, clicked or pasted before a question could be seen is no answer to it."""

from typing import Final, NamedTuple

from textual import events

__all__ = ["EarlyInput"]

QUIET: Final = 0.4
"""Seconds without a key after which it is not held down any more, nor pressed again and again."""

ALWAYS: Final = frozenset({"ctrl+c"})
"""Keys that always count."""


class _Press(NamedTuple):
    key: str
    time: float
    is_ahead: bool


class EarlyInput:
    """Tells which events come too early for the screen that would take them.

    A key that was pressed before, and since then again and again, as one that is held down, stays too early until it is
    let go.
    """

    def __init__(self) -> None:
        self._key = _Press("", 0.0, False)
        self._down = 0.0
        """When a button of the mouse went down last."""
        self._is_early_press = False

    def is_early(self, event: events.Event, since: float) -> bool:
        """Whether an event came before what stands on the screen could be seen there, at ``since``."""
        match event:
            case events.Key():
                return self._is_early_key(event, since)
            case events.MouseDown():
                self._down = event.time
                self._is_early_press = event.time < since
                return self._is_early_press
            case events.MouseUp() | events.Click():
                return self._is_early_press or self._down < since
            case events.Paste():
                return event.time < since
        return False

    def _is_early_key(self, event: events.Key, since: float) -> bool:
        if event.key in ALWAYS:
            return False
        if event.is_forwarded:  # it has been looked at, and comes back from the widgets; they may have changed since
            return event.time < since
        before = self._key
        repeats = event.key == before.key and event.time - before.time < QUIET
        early = event.time < since or (repeats and (before.is_ahead or before.time < since))
        self._key = _Press(event.key, event.time, early)
        return early
