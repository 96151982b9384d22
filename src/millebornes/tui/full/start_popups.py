"""Small windows over a screen: one of several with what there is to say about each, a text, a yes or no."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import HorizontalGroup, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from millebornes.i18n import Translator
from millebornes.tui.full.base_screen import AnsweredOnce
from millebornes.tui.full.start_rows import Choice, Options

__all__ = ["AskScreen", "ConfirmScreen", "PickScreen"]


class PickScreen(AnsweredOnce, ModalScreen[str | None]):
    """One of several choices; the result is its value, or None when it was closed.

    Arrows and Enter, the number of a choice, or a click; Escape or a click beside the window closes it. Below the list
    stands what there is to say about the choice under the cursor (Markdown is not read).
    """

    CSS_PATH = "start.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "close", show=False)]

    def __init__(self, title: str, choices: Sequence[Choice], value: str, _: Translator) -> None:
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
            yield Options(
                *(
                    Option(f"{number}  {choice.label}" if len(self._choices) < 10 else choice.label, id=f"c{number}")
                    for number, choice in enumerate(self._choices, 1)
                ),
                id="pick-list",
                markup=False,
            )
            if any(choice.details for choice in self._choices):
                with VerticalScroll(id="pick-details", can_focus=False):
                    yield Static(id="pick-text", markup=False)

    async def prepare(self) -> None:
        """The cursor stands on the value that holds now."""
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

    def on_click(self, event: events.Click) -> None:
        """A click beside the window closes it."""
        if event.widget is self:
            self.dismiss(None)

    def action_close(self) -> None:
        """Change nothing."""
        self.dismiss(None)


class AskScreen(AnsweredOnce, ModalScreen[str | None]):
    """A text of one line; the result is the text, or None when it was closed.

    ``check`` says in a sentence what is wrong with a text (what would be right included), or gives an empty text.
    """

    CSS_PATH = "start.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", show=False)]

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
                yield Button(_("Back (Esc)"), id="ask-back", compact=True)

    async def prepare(self) -> None:
        """Typing begins at once."""
        self.query_one("#ask-text", Input).focus()

    @on(Input.Submitted, "#ask-text")
    @on(Button.Pressed, "#ask-ok")
    def take(self) -> None:
        """Take the text if nothing is wrong with it."""
        text = self.query_one("#ask-text", Input).value.strip()
        wrong = self._check(text)
        if wrong:
            self.query_one("#ask-error", Static).update(f"✗ {wrong}")
            self.query_one("#ask-text", Input).focus()
            self.app.bell()
        else:
            self.dismiss(text)

    @on(Button.Pressed, "#ask-back")
    def action_close(self) -> None:
        """Change nothing."""
        self.dismiss(None)


class ConfirmScreen(AnsweredOnce, ModalScreen[bool]):
    """A question to be answered by yes or no; Escape is no."""

    CSS_PATH = "start.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,o", "answer(True)", show=False),
        Binding("n,escape", "answer(False)", show=False),
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]

    def __init__(self, title: str, question: str, _: Translator, *, default: bool = False) -> None:
        super().__init__()
        self._title = title
        self._question = question
        self._default = default
        self._ = _

    def compose(self) -> ComposeResult:
        """The window."""
        _ = self._
        with Vertical(id="confirm", classes="window") as window:
            window.border_title = self._title
            yield Static(self._question, markup=False)
            with HorizontalGroup(classes="buttons"):
                yield Button(_("Yes (Y)"), id="confirm-yes", compact=True)
                yield Button(_("No (N)"), id="confirm-no", compact=True)

    async def prepare(self) -> None:
        """Enter gives the usual answer."""
        self.query_one("#confirm-yes" if self._default else "#confirm-no", Button).focus()

    @on(Button.Pressed)
    def pressed(self, event: Button.Pressed) -> None:
        """An answer by the mouse, or by Enter."""
        event.stop()
        self.dismiss(event.button.id == "confirm-yes")

    def action_answer(self, answer: bool) -> None:
        """An answer by its letter."""
        self.dismiss(answer)
