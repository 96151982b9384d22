"""Rows of a form, usable by keys alone or by the mouse alone: a choice from a list, a switch, a short text."""

import contextlib
import textwrap
from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, Input, OptionList

__all__ = ["ROWS", "BigButton", "ChoiceRow", "Form", "StartOption", "StartOptions", "TextField"]

LABEL_WIDTH: Final = 17
ARROW: Final = 2
STACKED: Final = 40
"""With fewer columns than this, a row's label is above its value."""


ROWS: Final[list[BindingType]] = [
    Binding("up,k", "app.focus_previous", show=False),
    Binding("down,j", "app.focus_next", show=False),
]
"""Keys that move between rows."""


class StartOption(NamedTuple):
    """A choice: its ``value``, its label, and its description.

    A ``special`` choice opens a question (another number, a file), so the arrows skip it.
    """

    value: str
    label: str
    details: str = ""
    special: bool = False


class ChoiceRow(Widget, can_focus=True):
    """A line ``label ‹ value ›``. Left and right change the value, and Enter and Space open the list of all.

    The row itself changes nothing. It sends `Picked` and `Opened`, and shows the value given to `show`. The mouse
    works, too: click on the arrows, or anywhere else for the list.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "cycle(-1)", show=False),
        Binding("right,l", "cycle(1)", show=False),
        Binding("enter,space", "open", show=False),
        *ROWS,
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"choice-row--label", "choice-row--value", "choice-row--arrow"}

    class Picked(Message):
        """The player wants this value."""

        def __init__(self, row: "ChoiceRow", value: str) -> None:
            super().__init__()
            self.row = row
            self.value = value

        @property
        def control(self) -> "ChoiceRow":
            """Return the row."""
            return self.row

    class Opened(Message):
        """The player wants to see the list of all choices."""

        def __init__(self, row: "ChoiceRow") -> None:
            super().__init__()
            self.row = row

        @property
        def control(self) -> "ChoiceRow":
            """Return the row."""
            return self.row

    def __init__(self, label: str, *, id: str, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.label = label
        self.choices: tuple[StartOption, ...] = ()
        self.value = ""
        self.shown = ""

    @property
    def choice(self) -> StartOption | None:
        """The choice shown, or None for a value outside the list."""
        return next((choice for choice in self.choices if choice.value == self.value), None)

    def show(self, choices: Sequence[StartOption], value: str, shown: str | None = None) -> None:
        """Show a value: one of the choices, or ``shown`` in words."""
        self.choices = tuple(choices)
        self.value = value
        choice = self.choice
        self.shown = shown if shown is not None else choice.label if choice else value
        self.refresh(layout=True)

    def render(self) -> Content:
        """Return the line, as wide as the row."""
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
        """Return the number of lines of the value, plus one for the label if it is above the value."""
        return len(self._values(width)) + self._is_stacked(width)

    def _is_stacked(self, width: int) -> bool:
        """Return whether the label is above the value, because there is no room for both in a line."""
        return width < STACKED

    def _values(self, width: int) -> list[str]:
        """Return the value in lines that fill the available width."""
        room = max(width - 2 * ARROW - (0 if self._is_stacked(width) else LABEL_WIDTH), 4)
        return [line.ljust(room) for line in textwrap.wrap(self.shown, room) or [""]]

    def action_cycle(self, step: int) -> None:
        """Ask for the next or previous value."""
        plain = [choice.value for choice in self.choices if not choice.special]
        if not plain:
            self.post_message(self.Opened(self))
        elif self.value in plain:
            if len(plain) > 1:
                self.post_message(self.Picked(self, plain[(plain.index(self.value) + step) % len(plain)]))
        else:
            self.post_message(self.Picked(self, plain[0 if step > 0 else -1]))

    def action_open(self) -> None:
        """Ask for the list."""
        self.post_message(self.Opened(self))

    def on_click(self, event: events.Click) -> None:
        """Change the value if an arrow is clicked. Anywhere else, open the list."""
        event.stop()
        stacked = self._is_stacked(self.size.width)
        left, line = (0, 1) if stacked else (LABEL_WIDTH, 0)
        if event.y == line and max(left - 1, 0) <= event.x <= left + 1:
            self.action_cycle(-1)
        elif event.y == line and event.x >= self.size.width - 3:
            self.action_cycle(1)
        else:
            self.action_open()


class Form(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Rows that scroll by themselves as the cursor moves. The arrow keys move the cursor."""


class BigButton(Button):
    """A button that Space also presses."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "press", show=False)]


class StartOptions(OptionList):
    """A list to choose from. Paging does nothing while it has no room yet, because Textual then has no lines in it."""

    def action_page_up(self) -> None:
        """Go a page up."""
        with contextlib.suppress(LookupError):
            super().action_page_up()  # type: ignore[no-untyped-call]

    def action_page_down(self) -> None:
        """Go a page down."""
        with contextlib.suppress(LookupError):
            super().action_page_down()  # type: ignore[no-untyped-call]


class TextField(Input):
    """A text field of one line within a form. Up and down leave it, as in every row."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "app.focus_previous", show=False),
        Binding("down,enter", "app.focus_next", show=False),
    ]
