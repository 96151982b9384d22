"""Ignore keys, clicks and pasted texts from before a question was visible, because they can't be answers."""

from typing import Final, NamedTuple

from textual import events

QUIET: Final = 0.4  # if a key isn't repeated for this many seconds, it is no longer held down
ALWAYS: Final = frozenset({"ctrl+c"})  # the keys that are never ignored


class TypedAhead(NamedTuple):
    """Keys from ``counted`` on count, unless they repeat a key from before ``since``, so that it may be held down."""

    counted: float
    since: float


class _Press(NamedTuple):
    key: str
    time: float
    is_ahead: bool


class EarlyInput:
    """Decides which events come too early for the screen that would receive them.

    If a key was pressed too early and has been held down since, its events are too early until it is released.
    """

    def __init__(self) -> None:
        self._key = _Press("", 0.0, False)
        self._down = 0.0  # the time at which a mouse button was last pressed
        self._is_early_press = False

    def is_early(self, event: events.Event, since: float, *, ahead: TypedAhead | None = None) -> bool:
        """Return whether an event is from before ``since``, the time at which the current screen became visible.

        ``ahead`` says which keys count although they are from before.
        """
        match event:
            case events.Key():
                return self._is_early_key(event, *((since, since) if ahead is None else ahead))
            case events.MouseDown():
                self._down = event.time
                self._is_early_press = event.time < since
                return self._is_early_press
            case events.MouseUp() | events.Click():
                return self._is_early_press or self._down < since
            case events.Paste():
                return event.time < since
        return False

    def _is_early_key(self, event: events.Key, counted: float, since: float) -> bool:
        if event.key in ALWAYS:
            return False
        if event.is_forwarded:  # checked before; it has come back from a widget, and the screen may have changed since
            return event.time < counted
        before = self._key
        repeats = event.key == before.key and event.time - before.time < QUIET
        early = event.time < counted or (repeats and (before.is_ahead or before.time < since))
        self._key = _Press(event.key, event.time, early)
        return early
