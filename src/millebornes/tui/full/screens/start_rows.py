"""The rows of a form: lists of choices, switches and short text fields.

All rows work with keys alone or the mouse alone.
"""

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
"""If there are fewer columns than this, the label of a row is above its value."""


ROWS: Final[list[BindingType]] = [
    Binding("up,k", "app.focus_previous", show=False),
    Binding("down,j", "app.focus_next", show=False),
]
"""The keys that move between rows."""


class StartOption(NamedTuple):
    """An item in a list of choices, with its ``value``, its label and its description.

    Choosing a ``special`` item opens a question, for example for a number or a file. The arrow keys skip such items.
    """

    value: str
    label: str
    details: str = ""
    special: bool = False


class ChoiceRow(Widget, can_focus=True):
    """A line ``label ‹ value ›``. Left and right change the value, and Enter and Space open a list of all values.

    The row changes nothing by itself. The row sends the messages `Picked` and `Opened`, and displays the value that is
    passed to `show`. With the mouse, you can click on the arrows, or anywhere else in the row to open the list.
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

        @property
        def control(self) -> "ChoiceRow":
            """The row that sent the message."""
            return self.row

    class Opened(Message):
        """Sent when the player wants to see the list of all values."""

        def __init__(self, row: "ChoiceRow") -> None:
            super().__init__()
            self.row = row

        @property
        def control(self) -> "ChoiceRow":
            """The row that sent the message."""
            return self.row

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
        """Return the number of lines that the value takes.

        If the label is above the value, it counts as another line.
        """
        return len(self._values(width)) + self._is_stacked(width)

    def _is_stacked(self, width: int) -> bool:
        """Return whether the label is above the value, because a line has no room for both."""
        return width < STACKED

    def _values(self, width: int) -> list[str]:
        """Return the value as lines of the available width."""
        room = max(width - 2 * ARROW - (0 if self._is_stacked(width) else LABEL_WIDTH), 4)
        return [line.ljust(room) for line in textwrap.wrap(self.shown, room) or [""]]

    def action_cycle(self, step: int) -> None:
        """Ask for the next or the previous value."""
        plain = [choice.value for choice in self.choices if not choice.special]
        if not plain:
            self.post_message(self.Opened(self))
        elif self.value in plain:
            if len(plain) > 1:
                self.post_message(self.Picked(self, plain[(plain.index(self.value) + step) % len(plain)]))
        else:
            self.post_message(self.Picked(self, plain[0 if step > 0 else -1]))

    def action_open(self) -> None:
        """Ask for the list of values."""
        self.post_message(self.Opened(self))

    def on_click(self, event: events.Click) -> None:
        """Change the value if the click was on an arrow. Otherwise, open the list."""
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
    """A form whose rows scroll when the arrow keys move the cursor."""


class BigButton(Button):
    """A button that you can also press with Space."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "press", show=False)]


class StartOptions(OptionList):
    """A list of choices.

    The list ignores paging until it has been laid out, because before that Textual has no lines to page.
    """

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
