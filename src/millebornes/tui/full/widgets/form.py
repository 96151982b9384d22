"""The parts of a form: rows with a choice, text fields, buttons and lists."""

import contextlib
import textwrap
from collections.abc import Sequence
from typing import Any, ClassVar, Final, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, Input, OptionList

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

    value: Any
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

        def __init__(self, row: "ChoiceRow", value: Any) -> None:
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
        self.value: Any = None
        self.shown = ""

    @property
    def choice(self) -> StartOption | None:
        """The item that is shown, or None if the value isn't in the list."""
        return next((choice for choice in self.choices if choice.value == self.value), None)

    def show(self, choices: Sequence[StartOption], value: Any, shown: str | None = None) -> None:
        """Show a value, which is either one of the choices or described by ``shown``."""
        self.choices = tuple(choices)
        self.value = value
        choice = self.choice
        self.shown = shown if shown is not None else choice.label if choice else str(value)
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
