"""Ignores anything typed, clicked or pasted before a question was visible, because it cannot be an answer."""

from typing import Final, NamedTuple

from textual import events

__all__ = ["EarlyInput"]

QUIET: Final = 0.4
"""A key that has not come again for this many seconds is no longer held down or pressed repeatedly."""

ALWAYS: Final = frozenset({"ctrl+c"})
"""Keys that always count."""


class _Press(NamedTuple):
    key: str
    time: float
    is_ahead: bool


class EarlyInput:
    """Decides which events come too early for the screen that would get them.

    A key that was pressed early, and repeatedly since (or is held down), stays too early until it is released.
    """

    def __init__(self) -> None:
        self._key = _Press("", 0.0, False)
        self._down = 0.0
        """When a mouse button was last pressed."""
        self._is_early_press = False

    def is_early(self, event: events.Event, since: float) -> bool:
        """Return whether an event came before the current screen was visible, at ``since``."""
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
        if event.is_forwarded:  # already checked, and now returned from the widgets, which may have changed since
            return event.time < since
        before = self._key
        repeats = event.key == before.key and event.time - before.time < QUIET
        early = event.time < since or (repeats and (before.is_ahead or before.time < since))
        self._key = _Press(event.key, event.time, early)
        return early
