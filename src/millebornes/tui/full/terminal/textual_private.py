"""The private names of Textual that the full screen needs, with the reasons and the upstream issues.

``tests/full/test_textual_private.py`` fails if one of the names changes, or if another module uses a private name. To
upgrade Textual, change the pin in ``pyproject.toml``, run that test, and read what has changed in Textual.
"""

import codecs
from collections.abc import Iterable, Iterator
from typing import IO, TYPE_CHECKING, Any, ClassVar, Final

from rich.console import RenderableType
from textual import events
from textual._context import active_message_pump
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.dom import DOMNode
from textual.message import Message
from textual.messages import InBandWindowResize
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import WorkerFailed, get_current_worker

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
    "textual.drivers.linux_driver.LinuxDriver._file": (
        "The driver always draws on standard error, and an error while writing ends its thread; the app then waits "
        "forever. Like https://github.com/Textualize/textual/issues/6692"
    ),
    "textual._xterm_parser.XTermParser": (
        "The driver's own loop ends at bytes that aren't UTF-8 (https://github.com/Textualize/textual/issues/6456), at "
        "a size of zero pixels (https://github.com/Textualize/textual/issues/6706) and at numbers that aren't "
        "characters, and reads the end of the input without end (https://github.com/Textualize/textual/pull/6690)."
    ),
}
"""All private names that this module uses, each with the reason and the upstream issue."""

PATIENCE: Final = 1.0
"""After this many seconds of silence, an unfinished sequence or paste is given up."""


class HookedApp(App[int]):
    """An app that decides whether an exception ends it and how the exception is reported."""

    def ignores(self, error: Exception, node: DOMNode | None) -> bool:
        """Return whether an exception is harmless. ``node`` is the part that raised it, if known."""
        raise NotImplementedError

    def report(self) -> RenderableType:
        """Return what to print about the current exception."""
        raise NotImplementedError

    def replacement(self) -> RenderableType | None:
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

    def paint_together(self, widgets: Iterable[Widget]) -> None:
        """Paint widgets in the same frame, even widgets that haven't changed."""
        self._dirty_widgets.update(widget for widget in widgets if widget in self._compositor.visible_widgets)
        self.check_idle()

    def _compositor_refresh(self) -> None:
        begun, app = Message().time, self.app
        if self.PAINTS_TOGETHER:
            self._compositor.update_widgets(self._dirty_widgets)
        other = app.replacement() if isinstance(app, HookedApp) else None
        if other is None:
            super()._compositor_refresh()
            if not app._batch_count:
                self.painted(begun)
        else:
            if self.is_current:
                app._display(self, other)
            self._dirty_widgets.clear()
            self.painted(None)


def output_of(driver: "LinuxDriver") -> IO[str] | None:
    """Return the file that a driver draws on."""
    return driver._file


def draw_on(driver: "LinuxDriver", file: Any) -> None:
    """Make a driver draw on another file."""
    driver._file = file


class InputReader:
    """Reads the input from a terminal with Textual's parser, and survives any input.

    Bytes that aren't UTF-8 are left out. If the parser fails, a new one continues with the next character. Some input
    that the parser understands is left out too:

    * Keys that it makes of a sequence it doesn't know, such as an answer to another program: it types the sequence.
    * Sizes, because the system reports the size, and a terminal may report zero.
    * Control characters in a pasted text.
    """

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("ignore").decode
        self._parser = XTermParser()
        self._is_new = True

    def feed(self, data: bytes) -> Iterator[Message]:
        """Read bytes, and yield the messages that they complete."""
        for character in self._decode(data):
            self._is_new = False
            yield from self._messages(self._parser.feed(character))

    def idle(self, seconds: float) -> Iterator[Message]:
        """Yield what ``seconds`` of silence complete, such as the Escape key. Later, give up an unfinished paste."""
        yield from self._messages(self._parser.tick())
        if seconds >= PATIENCE and not self._is_new:
            self._parser, self._is_new = XTermParser(), True

    def _messages(self, parsed: Iterable[Message]) -> list[Message]:
        try:
            messages = list(parsed)
        except Exception:  # whatever the parser may raise, its state is lost
            self._parser = XTermParser()
            return []
        if sum(isinstance(message, events.Key) and message.is_printable for message in messages) > 1:
            return []
        for message in messages:
            if isinstance(message, events.Resize):
                self._parser.mouse_pixels = False  # otherwise positions of the mouse would be divided by this size
            elif isinstance(message, events.Paste):
                message.text = "".join(found for found in message.text if found in "\r\n" or found.isprintable())
        return [message for message in messages if not isinstance(message, events.Resize | InBandWindowResize)]
