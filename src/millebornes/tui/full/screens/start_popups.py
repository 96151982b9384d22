"""Small windows over a screen: one of several with what there is to say about each, or a text."""

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
    """A window over a screen; Escape, a button of the class ``back`` or a click beside it close it.

    On low and narrow screens what scrolls takes the rows that there are, without space around it.
    """

    CSS_PATH = "start.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", show=False)]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-medium")]  # noqa: RUF012 # Textual says so
    VERTICAL_BREAKPOINTS = [(0, "-low"), (24, "-high")]  # noqa: RUF012
    KEYS: ClassVar[str] = ""
    """What has the keys at first."""

    async def prepare(self) -> None:
        """Give the keys to what has them at first."""
        self.query_one(self.KEYS).focus()

    def key_help(self) -> KeyHelp:
        """What the lower edge of the window says."""
        return next((keys_of(str(window.border_subtitle)) for window in self.query(".window")), ())

    def on_click(self, event: events.Click) -> None:
        """A click beside the window closes it."""
        if event.widget is self:
            self.action_close()

    @on(Button.Pressed, ".back")
    def go_back(self) -> None:
        """So does the button."""
        self.action_close()

    def action_close(self) -> None:
        """Change nothing."""
        self.dismiss(None)


class PickScreen(Popup[str]):
    """One of several choices; the result is its value, or None when it was closed.

    Arrows and Enter, the number of a choice, or a click; Escape or a click beside the window closes it. Below the list
    stands what there is to say about the choice under the cursor (Markdown is not read); with Tab the arrows scroll it.
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
        """The window."""
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
        """The cursor stands on the value that holds now."""
        await super().prepare()
        values = [choice.value for choice in self._choices]
        self.query_one("#pick-list", OptionList).highlighted = values.index(self._value) if self._value in values else 0

    @on(OptionList.OptionHighlighted, "#pick-list")
    def tell(self, event: OptionList.OptionHighlighted) -> None:
        """Say what there is to say about the choice under the cursor."""
        for text in self.query("#pick-text").results(Static):
            text.update(self._choices[event.option_index].details)
            self.query_one("#pick-details", VerticalScroll).scroll_home(animate=False)

    @on(OptionList.OptionSelected, "#pick-list")
    def choose(self, event: OptionList.OptionSelected) -> None:
        """Take it."""
        event.stop()
        self.dismiss(self._choices[event.option_index].value)

    def on_key(self, event: events.Key) -> None:
        """The number of a choice takes it."""
        if event.character and event.character in "123456789"[: min(len(self._choices), 9)]:
            event.stop()
            self.dismiss(self._choices[int(event.character) - 1].value)


class AskScreen(Popup[str]):
    """A text of one line; the result is the text, or None when it was closed.

    ``check`` says in a sentence what is wrong with a text (what would be right included), or gives an empty text.
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
        """The window tells no keys."""
        _ = self._
        return [(_("Enter"), _("OK")), (_("Esc"), _("go back"))]

    def compose(self) -> ComposeResult:
        """The window."""
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
        """Take the text if nothing is wrong with it."""
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
