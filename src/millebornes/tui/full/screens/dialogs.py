"""Dialogues in front of the table, such as a yes/no question, a question for a file name, or a text to read."""

from collections.abc import Sequence
from typing import ClassVar, Final, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key, Resize
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Static

from millebornes.i18n import Translator
from millebornes.tui.full.keys import yes_key
from millebornes.tui.full.screens.base_screen import AnsweredOnce
from millebornes.tui.full.widgets.key_line import KeyHelp

__all__ = [
    "SCROLLS",
    "SIDEWAYS",
    "AskName",
    "Confirm",
    "Dialog",
    "Reader",
    "ReadingDialog",
    "key_label",
    "no_label",
    "yes_label",
]

Answer = TypeVar("Answer")

SIDEWAYS: Final[list[BindingType]] = [
    Binding("left", "app.focus_previous", show=False),
    Binding("right", "app.focus_next", show=False),
]
"""The keys that move between buttons."""

SCROLLS: Final[list[BindingType]] = [
    Binding("up", "scroll(-1)", show=False),
    Binding("down", "scroll(1)", show=False),
]
"""The keys that scroll a question if it is longer than the screen."""


def key_label(key: str, text: str) -> Content:
    """Return the text of a button with the letter of its key, either underlined or in front of the text."""
    at = text.find(key)
    if at < 0:
        return Content.assemble((key, "underline"), f" {text}")
    return Content.assemble(text[:at], (key, "underline"), text[at + 1 :])


def yes_label(_: Translator) -> Content:
    """Return the text of the button for yes."""
    return key_label(yes_key(_), _("Yes"))


def no_label(_: Translator) -> Content:
    """Return the text of the button for no."""
    return key_label("N", _("No"))


class Dialog(AnsweredOnce, ModalScreen[Answer]):
    """A box in front of everything else. The part that scrolls uses all available rows."""

    AUTO_FOCUS: ClassVar[str | None] = ""  # some dialogues don't start on their first button
    OVERHEAD: ClassVar[int] = 5
    """The number of rows in the box, without the part that scrolls."""

    _: Translator

    def key_help(self) -> KeyHelp:
        """Return the keys of a dialogue that people read and close, as most dialogues are."""
        _ = self._
        return [("↑ ↓", _("scroll")), (_("Esc"), _("close"))]

    def on_mount(self) -> None:  # type: ignore[override]  # Textual calls that of the base class as well
        """Use the final size from the start, so that nothing moves under the mouse."""
        self.fit()

    def on_resize(self, event: Resize) -> None:
        """Adapt to the new size."""
        self.fit()

    def fit(self) -> None:
        """Keep the buttons on the screen even if it has few rows."""
        for scroll in self.query(VerticalScroll):
            scroll.styles.max_height = max(1, self.app.size.height - self.OVERHEAD)

    def on_key(self, event: Key) -> None:
        """Accept the letter for yes in languages in which it isn't Y."""
        letter = yes_key(self._).lower()
        if event.key == letter != "y":
            event.stop()
            self.answer_yes()

    def answer_yes(self) -> None:
        """Answer yes, if that is possible."""

    def action_scroll(self, rows: int) -> None:
        """Scroll the text if it is longer than the screen."""
        for scroll in self.query(VerticalScroll):
            scroll.scroll_relative(y=rows, animate=False)


class Confirm(Dialog[bool]):
    """A yes/no question. Escape means no. The ids of the buttons are ``#yes`` and ``#no``."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", show=False),
        Binding("n,escape", "answer(False)", show=False),
        Binding("left,right", "app.focus_next", show=False),
        *SCROLLS,
    ]

    def __init__(self, question: str, _: Translator, *, default: bool = False, title: str = "") -> None:
        super().__init__(classes="dialog")
        self._question = question
        self._title = title
        self._ = _
        self._default = default

    def key_help(self) -> KeyHelp:
        """Return the keys for both answers."""
        _ = self._
        return [(yes_key(_), _("yes")), ("N", _("no")), (_("Esc"), _("no"))]

    def compose(self) -> ComposeResult:
        """Lay out the question and two buttons."""
        with Vertical(classes="dialog-box") as box:
            box.border_title = self._title
            with VerticalScroll(classes="dialog-scroll", can_focus=False):
                yield Label(self._question, classes="dialog-text", markup=False)
            with Horizontal(classes="dialog-buttons"):
                yield Button(yes_label(self._), id="yes", compact=True)
                yield Button(no_label(self._), id="no", compact=True)

    async def prepare(self) -> None:
        """Focus the default answer, so that Enter chooses it."""
        self.query("#yes" if self._default else "#no").focus()

    def answer_yes(self) -> None:
        """Answer yes."""
        self.dismiss(True)

    def action_answer(self, yes: bool) -> None:
        """Give an answer."""
        self.dismiss(yes)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")


class AskName(Dialog[str]):
    """A question for a file name. If the name is empty, the dialogue closes without a result.

    The field is ``#name``.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", show=False), *SCROLLS]

    def __init__(self, question: str, _: Translator, *, value: str = "", trouble: str = "") -> None:
        super().__init__(classes="dialog")
        self._question = question
        self._ = _
        self._value = value
        self._trouble = trouble

    def key_help(self) -> KeyHelp:
        """Return the keys that close the dialogue."""
        _ = self._
        return [(_("Enter"), _("use this name")), (_("Esc"), _("go back"))]

    def compose(self) -> ComposeResult:
        """Lay out any earlier error, the question and the field."""
        with Vertical(classes="dialog-box -wide"):
            with VerticalScroll(classes="dialog-scroll", can_focus=False):
                if self._trouble:
                    yield Label(self._trouble, classes="dialog-trouble", markup=False)
                yield Label(self._question, classes="dialog-text", markup=False)
            yield Input(self._value, id="name", compact=True)

    async def prepare(self) -> None:
        """Focus the field, so that the player can type at once."""
        self.query("#name").focus()

    def action_back(self) -> None:
        """Close the dialogue without a name."""
        self.dismiss("")

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())


class ReadingDialog(Dialog[None]):
    """A dialogue that asks nothing. People read and close it."""

    def action_close(self) -> None:
        """Close the dialogue."""
        self.dismiss(None)

    @on(Button.Pressed)
    def _pressed(self) -> None:
        self.dismiss(None)


class Reader(ReadingDialog):
    """A dialogue with lines of text. Escape, Enter, Space or Q closes it. The text is ``#reader-text``."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,q,question_mark,l", "close", show=False),
    ]

    def __init__(self, title: str, lines: Sequence[str], _: Translator) -> None:
        super().__init__(classes="dialog")
        self._title = title
        self._lines = lines
        self._ = _

    def compose(self) -> ComposeResult:
        """Lay out the title, and the lines in a scrolling box."""
        with Vertical(classes="dialog-box -reader") as box:
            box.border_title = self._title
            with VerticalScroll(id="reader-scroll"):
                yield Static("\n".join(self._lines), id="reader-text", markup=False)
            yield Button(self._("Close (Esc)"), id="close", compact=True)

    async def prepare(self) -> None:
        """Focus the text, so that the arrow keys scroll it."""
        self.query("#reader-scroll").focus()
