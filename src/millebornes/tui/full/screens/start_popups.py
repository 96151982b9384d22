"""Small windows on top of a screen, with either a list of choices or a text field."""

from collections.abc import Callable, Sequence
from typing import ClassVar, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import HorizontalGroup, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from millebornes.i18n import Translator
from millebornes.tui.full.screens.base_screen import AnsweredOnce
from millebornes.tui.full.screens.start_rows import StartOption, StartOptions
from millebornes.tui.full.widgets.key_line import KeyHelp, keys_of

__all__ = ["AskScreen", "PickScreen", "Popup"]

Answer = TypeVar("Answer")


class Popup(AnsweredOnce, ModalScreen[Answer | None]):
    """A window on top of a screen. Escape, a button with the class ``back`` or a click beside the window closes it.

    On small screens, the part that scrolls uses all available rows, without empty space around it.
    """

    CSS_PATH = "start.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", show=False)]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-medium")]  # noqa: RUF012 # Textual says so
    VERTICAL_BREAKPOINTS = [(0, "-low"), (24, "-high")]  # noqa: RUF012
    KEYS: ClassVar[str] = ""
    """The part that has the focus when the window opens."""

    async def prepare(self) -> None:
        """Focus the part named in ``KEYS``."""
        self.query_one(self.KEYS).focus()

    def key_help(self) -> KeyHelp:
        """Return the keys shown on the lower edge of the window."""
        return next((keys_of(str(window.border_subtitle)) for window in self.query(".window")), ())

    def on_click(self, event: events.Click) -> None:
        """Close the window after a click beside it."""
        if event.widget is self:
            self.action_close()

    @on(Button.Pressed, ".back")
    def go_back(self) -> None:
        """Close the window, from the button."""
        self.action_close()

    def action_close(self) -> None:
        """Close the window without changing anything."""
        self.dismiss(None)


class PickScreen(Popup[str]):
    """A list of choices. The result is the value of the chosen item, or None if the window was closed.

    To choose an item, press the arrow keys and Enter or the number of the item, or click on it. Escape or a click
    beside the window closes the window. The item under the cursor is described below the list, without Markdown. After
    Tab, the arrow keys scroll this description.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "close", show=False)]
    KEYS: ClassVar[str] = "#pick-list"

    def __init__(self, title: str, choices: Sequence[StartOption], value: str, _: Translator) -> None:
        super().__init__()
        self._title = title
        self._choices = tuple(choices)
        self._value = value
        self._ = _

    def compose(self) -> ComposeResult:
        """Lay out the window."""
        with Vertical(id="pick", classes="window") as window:
            window.border_title = self._title
            window.border_subtitle = self._("Enter: choose · Esc: back")
            yield StartOptions(
                *(
                    Option(f"{number}  {choice.label}" if len(self._choices) < 10 else choice.label, id=f"c{number}")
                    for number, choice in enumerate(self._choices, 1)
                ),
                id="pick-list",
                markup=False,
            )
            if any(choice.details for choice in self._choices):
                with VerticalScroll(id="pick-details"):
                    yield Static(id="pick-text", markup=False)

    async def prepare(self) -> None:
        """Put the cursor on the current value."""
        await super().prepare()
        values = [choice.value for choice in self._choices]
        self.query_one("#pick-list", OptionList).highlighted = values.index(self._value) if self._value in values else 0

    @on(OptionList.OptionHighlighted, "#pick-list")
    def tell(self, event: OptionList.OptionHighlighted) -> None:
        """Describe the item under the cursor."""
        for text in self.query("#pick-text").results(Static):
            text.update(self._choices[event.option_index].details)
            self.query_one("#pick-details", VerticalScroll).scroll_home(animate=False)

    @on(OptionList.OptionSelected, "#pick-list")
    def choose(self, event: OptionList.OptionSelected) -> None:
        """Close the window with the chosen item."""
        event.stop()
        self.dismiss(self._choices[event.option_index].value)

    def on_key(self, event: events.Key) -> None:
        """Choose the item whose number was typed."""
        if event.character and event.character in "123456789"[: min(len(self._choices), 9)]:
            event.stop()
            self.dismiss(self._choices[int(event.character) - 1].value)


class AskScreen(Popup[str]):
    """A text field with one line. The result is the text, or None if the window was closed.

    ``check`` returns a sentence that says what is wrong with the input and what would be right, or "" if the input is
    fine.
    """

    KEYS: ClassVar[str] = "#ask-text"

    def __init__(
        self, title: str, what: str, _: Translator, *, check: Callable[[str], str], value: str = "", example: str = ""
    ) -> None:
        super().__init__()
        self._title = title
        self._what = what
        self._check = check
        self._value = value
        self._example = example
        self._ = _

    def key_help(self) -> KeyHelp:
        """Return the keys, which the edge of this window doesn't show."""
        _ = self._
        return [(_("Enter"), _("OK")), (_("Esc"), _("go back"))]

    def compose(self) -> ComposeResult:
        """Lay out the window."""
        _ = self._
        with Vertical(id="ask", classes="window") as window:
            window.border_title = self._title
            yield Static(self._what, id="ask-what", markup=False)
            yield Input(self._value, placeholder=self._example, id="ask-text")
            yield Static("", id="ask-error", classes="error", markup=False)
            with HorizontalGroup(classes="buttons"):
                yield Button(_("OK"), id="ask-ok", variant="primary", compact=True)
                yield Button(_("Back (Esc)"), id="ask-back", classes="back", compact=True)

    @on(Input.Submitted, "#ask-text")
    @on(Button.Pressed, "#ask-ok")
    def take(self) -> None:
        """Close the window with the text, unless there is something wrong with it."""
        text = self.query_one("#ask-text", Input).value.strip()
        wrong = self._check(text)
        if wrong:
            error = self.query_one("#ask-error", Static)
            error.update(f"✗ {wrong}")
            self.query_one("#ask-text", Input).focus()
            self.call_after_refresh(error.scroll_visible, animate=False)
            self.app.bell()
        else:
            self.dismiss(text)
