"""The private names of Textual that the full screen needs, with the reasons and the upstream issues.

``tests/full/test_textual_private.py`` fails if one of the names changes, or if another module uses a private name. To
upgrade Textual, change the pin in ``pyproject.toml``, run that test, and read what has changed in Textual.
"""

from collections.abc import Iterable
from typing import IO, TYPE_CHECKING, Any, ClassVar, Final

from rich.console import RenderableType
from textual import events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._context import active_message_pump
from textual._keyboard_protocol import FUNCTIONAL_KEYS
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.dom import DOMNode
from textual.keys import Keys
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import WorkerFailed, get_current_worker

__all__ = [
    "PRIVATE",
    "HookedApp",
    "HookedScreen",
    "KeyNames",
    "draw_on",
    "output_of",
]

PRIVATE: Final = {
    "textual.app.App._handle_exception": (
        "No public hook sees an exception before it ends the app. https://github.com/Textualize/textual/issues/2818"
    ),
    "textual.app.App._fatal_error": (
        "The report of an exception shows local variables, and with them everyone's cards. No upstream issue found."
    ),
    "textual._context.active_message_pump": (
        "An exception doesn't say which widget was at work, and widgets miss each other while their screen goes away. "
        "https://github.com/Textualize/textual/issues/4258"
    ),
    "textual.screen.Screen._compositor_refresh": (
        "Only this method knows when a frame is really painted, and with which widgets. The public `post_display_hook` "
        "is also called when nothing was painted. No upstream issue found."
    ),
    "textual.screen.Screen._compositor": "What is painted now, to paint several widgets in one frame; see above.",
    "textual.screen.Screen._dirty_widgets": "The widgets of the next frame, to paint several in one; see above.",
    "textual.app.App._display": "Paints something else than the screen, when the terminal is too small; see above.",
    "textual.app.App._batch_count": "While updates are batched nothing is painted; see above.",
    "textual.screen.Screen._forward_event": (
        "All events of the mouse come in here, in their order. The public handlers are called from the queues of "
        "single widgets. No upstream issue found."
    ),
    "textual.drivers.linux_driver.LinuxDriver._file": (
        "The driver always draws on standard error, and an error while writing ends its thread; the app then waits "
        "forever. Like https://github.com/Textualize/textual/issues/6692"
    ),
    "textual._xterm_parser.XTermParser._sequence_to_key_events": (
        "Names a typed character. The parser as a whole can't be used: bytes that aren't UTF-8 end the driver "
        "(https://github.com/Textualize/textual/issues/6456), a size of zero pixels ends it too "
        "(https://github.com/Textualize/textual/issues/6706), the end of input is read without end "
        "(https://github.com/Textualize/textual/pull/6690), and answers of the terminal are taken for keys."
    ),
    "textual._xterm_parser.XTermParser._parse_extended_key": "Names a key with its modifiers; see above.",
    "textual._ansi_sequences.ANSI_SEQUENCES_KEYS": "The keys of all other sequences; see above.",
    "textual._keyboard_protocol.FUNCTIONAL_KEYS": "Which codes are keys without a character; see above.",
}
"""All private names that this module uses, each with the reason and the upstream issue."""


class HookedApp(App[int]):
    """An app that decides whether an exception ends it and how the exception is reported."""

    def ignores(self, error: Exception, node: DOMNode | None) -> bool:
        """Return whether an exception is harmless. ``node`` is the part that raised it, if known."""
        raise NotImplementedError

    def report(self) -> RenderableType:
        """Return what to print about the current exception."""
        raise NotImplementedError

    def instead(self) -> RenderableType | None:
        """Return what to paint in place of the current screen, or None to paint the screen."""
        raise NotImplementedError

    def _handle_exception(self, error: Exception) -> None:
        node = get_current_worker().node if isinstance(error, WorkerFailed) else active_message_pump.get(None)
        if not self.ignores(error, node if isinstance(node, DOMNode) else None):
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        self.bell()
        self.panic(self.report())


if TYPE_CHECKING:
    from textual.drivers.linux_driver import LinuxDriver

    _Base = Screen[Any]
else:
    _Base = object  # Textual takes its styles from the first base class that is a screen, which is not this class


class HookedScreen(_Base):
    """A screen in a `HookedApp`. Put this class before Textual's own class in the list of base classes."""

    PAINTS_TOGETHER: ClassVar[bool] = False
    """Whether all changed widgets are painted in the next frame, even if the layout has changed."""

    def painted(self, since: float | None) -> None:
        """Called when a frame that began at ``since`` has been painted. If something else was, ``since`` is None."""

    def takes(self, event: events.Event) -> bool:
        """Return whether the screen and its widgets may see an event. This is called once for each event, in order."""
        return True

    def paint_together(self, widgets: Iterable[Widget]) -> None:
        """Paint widgets in the same frame, even widgets that haven't changed."""
        self._dirty_widgets.update(widget for widget in widgets if widget in self._compositor.visible_widgets)
        self.check_idle()

    def _compositor_refresh(self) -> None:
        begun, app = Message().time, self.app
        if self.PAINTS_TOGETHER:
            self._compositor.update_widgets(self._dirty_widgets)
        other = app.instead() if isinstance(app, HookedApp) else None
        if other is None:
            super()._compositor_refresh()
            if not app._batch_count:
                self.painted(begun)
        else:
            if self.is_current:
                app._display(self, other)
            self._dirty_widgets.clear()
            self.painted(None)

    def _forward_event(self, event: events.Event) -> None:
        if self.takes(event):
            super()._forward_event(event)


def output_of(driver: "LinuxDriver") -> IO[str] | None:
    """Return the file that a driver draws on."""
    return driver._file


def draw_on(driver: "LinuxDriver", file: Any) -> None:
    """Make a driver draw on another file."""
    driver._file = file


class KeyNames:
    """Looks up Textual's keys for the input from a terminal."""

    def __init__(self) -> None:
        self.parser = XTermParser()

    def typed(self, character: str, *, alt: bool = False) -> list[events.Key]:
        """Return the keys for a character that was typed."""
        return [key for key in self.parser._sequence_to_key_events(character, alt) if key.key != Keys.Ignore]

    def listed(self, sequence: str) -> list[events.Key]:
        """Return the keys for an escape sequence, if it is in Textual's list."""
        keys = ANSI_SEQUENCES_KEYS.get(sequence)
        if isinstance(keys, str):
            return self.typed(keys)
        if not isinstance(keys, tuple):
            return []
        return [events.Key(key.value, None) for key in keys if key is not Keys.Ignore]

    def is_functional(self, code: str) -> bool:
        """Return whether a number and the last letter of its sequence belong to a key without a character."""
        return code in FUNCTIONAL_KEYS

    def extended(self, sequence: str) -> list[events.Key]:
        """Return the keys for a sequence in kitty's format, with a code, modifiers and characters."""
        return [key.copy() for key in self.parser._parse_extended_key(sequence) or []]
