"""Small windows on top of a screen, with either a list of choices or a text field, and the forms that open them."""

import contextlib
import dataclasses
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import HorizontalGroup, Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from millebornes.errors import SaveError
from millebornes.i18n import Translator
from millebornes.session.troubles import not_kept
from millebornes.storage import Preferences, save_preferences
from millebornes.tui.full.screens.base_screen import AnsweredOnce, KeyHelp, Steady, keys_of

__all__ = [
    "ROWS",
    "AskScreen",
    "BigButton",
    "ChoiceRow",
    "Form",
    "FormScreen",
    "PickScreen",
    "Popup",
    "PreferencesForm",
    "StartOption",
    "StartOptions",
    "TextField",
]

LABEL_WIDTH: Final = 17
ARROW: Final = 2
STACKED: Final = 40  # if there are fewer columns than this, the label of a row is above its value


ROWS: Final[list[BindingType]] = [
    Binding("up,k", "app.focus_previous", show=False),
    Binding("down,j", "app.focus_next", show=False),
]
"""The keys that move between rows."""


class StartOption(NamedTuple):
    """An item in a list of choices. The arrow keys skip ``special`` items, which open a question."""

    value: str
    label: str
    details: str = ""
    special: bool = False


class ChoiceRow(Widget, can_focus=True):
    """A line ``label ‹ value ›``. Left and right change the value, and Enter and Space open a list of all values.

    The row sends the messages `Picked` and `Opened`, and displays the value that is passed to `show`.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "cycle(-1)", show=False),
        Binding("right,l", "cycle(1)", show=False),
        Binding("enter,space", "open", show=False),
        *ROWS,
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"choice-row--label", "choice-row--value", "choice-row--arrow"}

    class Picked(Message):
        """Sent when the player wants a different value."""

        def __init__(self, row: "ChoiceRow", value: str) -> None:
            super().__init__()
            self.row = row
            self.value = value

    class Opened(Message):
        """Sent when the player wants to see the list of all values."""

        def __init__(self, row: "ChoiceRow") -> None:
            super().__init__()
            self.row = row

    def __init__(self, label: str, *, id: str, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.label = label
        self.choices: tuple[StartOption, ...] = ()
        self.value = ""
        self.shown = ""

    @property
    def choice(self) -> StartOption | None:
        """The item that is shown, or None if the value isn't in the list."""
        return next((choice for choice in self.choices if choice.value == self.value), None)

    def show(self, choices: Sequence[StartOption], value: str, shown: str | None = None) -> None:
        """Show a value, which is either one of the choices or described by ``shown``."""
        self.choices = tuple(choices)
        self.value = value
        choice = self.choice
        self.shown = shown if shown is not None else choice.label if choice else value
        self.refresh(layout=True)

    def render(self) -> Content:
        """Return the line, using the full width of the row."""
        width = self.size.width

        def part(text: str, name: str) -> Content:
            return Content.styled(text, self.get_visual_style(f"choice-row--{name}"))

        left, right = "◀▶" if self.has_focus else "‹›"
        first, *more = self._values(width)
        if self._is_stacked(width):
            head, indent = part(self.label.ljust(width), "label") + "\n", " " * ARROW
        else:
            head, indent = part(self.label[: LABEL_WIDTH - 1].ljust(LABEL_WIDTH), "label"), " " * (LABEL_WIDTH + ARROW)
        value = Content.assemble(head, part(f"{left} ", "arrow"), part(first, "value"), part(f" {right}", "arrow"))
        return Content.assemble(value, *(part(f"\n{indent}{text}", "value") for text in more))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the number of lines. If the label is above the value, it counts as another line."""
        return len(self._values(width)) + self._is_stacked(width)

    def _is_stacked(self, width: int) -> bool:
        return width < STACKED

    def _values(self, width: int) -> list[str]:
        room = max(width - 2 * ARROW - (0 if self._is_stacked(width) else LABEL_WIDTH), 4)
        return [line.ljust(room) for line in textwrap.wrap(self.shown, room) or [""]]

    def _action_cycle(self, step: int) -> None:
        plain = [choice.value for choice in self.choices if not choice.special]
        if not plain:
            self.post_message(self.Opened(self))
        elif self.value in plain:
            if len(plain) > 1:
                self.post_message(self.Picked(self, plain[(plain.index(self.value) + step) % len(plain)]))
        else:
            self.post_message(self.Picked(self, plain[0 if step > 0 else -1]))

    def _action_open(self) -> None:
        self.post_message(self.Opened(self))

    def on_click(self, event: events.Click) -> None:
        """Change the value if the click was on an arrow. Otherwise, open the list."""
        event.stop()
        stacked = self._is_stacked(self.size.width)
        left, line = (0, 1) if stacked else (LABEL_WIDTH, 0)
        if event.y == line and max(left - 1, 0) <= event.x <= left + 1:
            self._action_cycle(-1)
        elif event.y == line and event.x >= self.size.width - 3:
            self._action_cycle(1)
        else:
            self._action_open()


class Form(VerticalScroll, can_focus=False, inherit_bindings=False):
    """A form whose rows scroll when the arrow keys move the cursor."""


class BigButton(Button):
    """A button that you can also press with Space."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "press", show=False)]


class StartOptions(OptionList):
    """A list of choices. Before it has been laid out, Textual has no lines to page, so paging does nothing."""

    def action_page_up(self) -> None:
        """Move the cursor up by one page."""
        with contextlib.suppress(LookupError):
            super().action_page_up()  # type: ignore[no-untyped-call]

    def action_page_down(self) -> None:
        """Move the cursor down by one page."""
        with contextlib.suppress(LookupError):
            super().action_page_down()  # type: ignore[no-untyped-call]


class TextField(Input):
    """A text field with one line in a form. As in other rows, up and down move to another row."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "app.focus_previous", show=False),
        Binding("down,enter", "app.focus_next", show=False),
    ]


Answer = TypeVar("Answer")


class Popup(AnsweredOnce, ModalScreen[Answer | None]):
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


class PickScreen(Popup[str]):
    """A list of choices. The result is the value of the chosen item, or None if the window was closed.

    The item under the cursor is described below the list. After Tab, the arrow keys scroll this description.
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
        self.dismiss(self._choices[event.option_index].value)

    def on_key(self, event: events.Key) -> None:
        """Choose the item whose number was typed."""
        if event.character and event.character in "123456789"[: min(len(self._choices), 9)]:
            event.stop()
            self.dismiss(self._choices[int(event.character) - 1].value)


class FormScreen(Steady):
    """A screen with rows of choices. Widgets with the class ``about`` describe the part that has the focus."""

    _: Translator

    async def _take(self, row: str, value: str) -> None:
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

        async def chosen(value: str | None) -> None:
            if value is not None:
                await self._take(row.id or "", value)

        self.app.push_screen(PickScreen(row.label.strip(), row.choices, row.value, self._), chosen)


class PreferencesForm(FormScreen):
    """A form that changes preferences. ``changed`` is called after each change, so that the app can adapt at once."""

    preferences: Preferences
    changed: Callable[[Preferences], None] | None = None

    def keep(self, **changes: Any) -> None:
        """Change and save preferences. The change applies even if the file can't be written."""
        self.preferences = dataclasses.replace(self.preferences, **changes)
        try:
            save_preferences(self.preferences)
        except SaveError as error:
            self.app.notify(not_kept(error, self._), severity="warning", markup=False)
        if self.changed is not None:
            self.changed(self.preferences)


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
