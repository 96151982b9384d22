"""Small windows on top of a screen, with either a list of choices or a text field, and the forms that open them."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import HorizontalGroup, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from millebornes.i18n import Translator
from millebornes.tui.full.screens.app import FullScreenApp
from millebornes.tui.full.screens.base_screen import KeyHelp, SingleAnswerScreen, StableScreen, keys_of
from millebornes.tui.full.widgets.form import ChoiceRow, StartOption, StartOptions

Answer = TypeVar("Answer")


class Popup(SingleAnswerScreen, ModalScreen[Answer | None]):
    """A window on a screen. Escape, a button with the class ``back`` or a click beside the window closes it."""

    CSS_PATH = "start.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", show=False)]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-medium")]  # noqa: RUF012 # Textual says so
    VERTICAL_BREAKPOINTS = [(0, "-low"), (24, "-high")]  # noqa: RUF012
    KEYS: ClassVar[str] = ""  # the part that has the focus when the window opens

    async def _prepare(self) -> None:
        self.query_one(self.KEYS).focus()

    def _key_help(self) -> KeyHelp:
        return next((keys_of(str(window.border_subtitle)) for window in self.query(".window")), ())

    def on_click(self, event: events.Click) -> None:
        """Close the window after a click beside it."""
        if event.widget is self:
            self._action_close()

    @on(Button.Pressed, ".back")
    def _go_back(self) -> None:
        self._action_close()

    def _action_close(self) -> None:
        self.dismiss(None)


class PickScreen(Popup[StartOption]):
    """A list of choices. The result is the chosen item, or None if the window was closed.

    The item under the cursor is described below the list. After Tab, the arrow keys scroll this description.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "close", show=False)]
    KEYS: ClassVar[str] = "#pick-list"

    def __init__(self, title: str, choices: Sequence[StartOption], value: Any, _: Translator) -> None:
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

    async def _prepare(self) -> None:
        await super()._prepare()
        values = [choice.value for choice in self._choices]
        self.query_one("#pick-list", OptionList).highlighted = values.index(self._value) if self._value in values else 0

    @on(OptionList.OptionHighlighted, "#pick-list")
    def _tell(self, event: OptionList.OptionHighlighted) -> None:
        for text in self.query("#pick-text").results(Static):
            text.update(self._choices[event.option_index].details)
            self.query_one("#pick-details", VerticalScroll).scroll_home(animate=False)

    @on(OptionList.OptionSelected, "#pick-list")
    def _choose(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._choices[event.option_index])

    def on_key(self, event: events.Key) -> None:
        """Choose the item whose number was typed."""
        if event.character and event.character in "123456789"[: min(len(self._choices), 9)]:
            event.stop()
            self.dismiss(self._choices[int(event.character) - 1])


class FormScreen(StableScreen):
    """A screen with rows of choices. Widgets with the class ``about`` describe the part that has the focus."""

    _: Translator

    @property
    def mille(self) -> FullScreenApp:
        """The app, with its precise type."""
        return cast("FullScreenApp", self.app)

    async def _take(self, row: str, value: Any) -> None:
        """Use a value that was chosen in the row with the id ``row``."""
        raise NotImplementedError

    def _about(self) -> str:
        """Return the description of the part that has the focus."""
        return ""

    def _tell(self) -> None:
        text = self._about()
        for about in self.query(".about").results(Static):
            about.update(text)

    def on_descendant_focus(self) -> None:
        """Describe the part that has just received the focus."""
        self._tell()

    async def on_choice_row_picked(self, event: ChoiceRow.Picked) -> None:
        """Use a value that was chosen."""
        event.stop()
        await self._take(event.row.id or "", event.value)

    def on_choice_row_opened(self, event: ChoiceRow.Opened) -> None:
        """Open the list of values for a row."""
        event.stop()
        self._open_row(event.row)

    def _open_row(self, row: ChoiceRow) -> None:
        """Let the player choose a value for a row from a list."""

        async def chosen(choice: StartOption | None) -> None:
            if choice is not None:
                await self._take(row.id or "", choice.value)

        self.app.push_screen(PickScreen(row.label.strip(), row.choices, row.value, self._), chosen)


class AskScreen(Popup[str]):
    """A text field with one line. The result is the text, or None if the window was closed.

    ``check`` returns a sentence that says what is wrong with the text, or "" if nothing is.
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

    def _key_help(self) -> KeyHelp:
        _ = self._
        return [(_("Enter"), _("OK")), (_("Esc"), _("go back"))]

    def compose(self) -> ComposeResult:
        """Lay out the window."""
        with Vertical(id="ask", classes="window") as window:
            window.border_title = self._title
            yield Static(self._what, id="ask-what", markup=False)
            yield Input(self._value, placeholder=self._example, id="ask-text")
            yield Static("", id="ask-error", classes="error", markup=False)
            with HorizontalGroup(classes="buttons"):
                yield Button(self._("OK"), id="ask-ok", variant="primary", compact=True)
                yield Button(self._("Back (Esc)"), id="ask-back", classes="back", compact=True)

    @on(Input.Submitted, "#ask-text")
    @on(Button.Pressed, "#ask-ok")
    def _take(self) -> None:
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
