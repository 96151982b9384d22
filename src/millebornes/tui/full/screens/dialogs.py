"""Dialogues in front of the table, such as a yes/no question, a question for a file name, or a text to read."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, TypeVar

from rich.cells import cell_len
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, ItemGrid, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key, Resize
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Input, Label, Static

from millebornes.i18n import Translator
from millebornes.tui.full.screens.base_screen import KeyHelp, SingleAnswerScreen
from millebornes.tui.full.terminal.keys import yes_key

if TYPE_CHECKING:
    from millebornes.session.saving import Saver

Answer = TypeVar("Answer")

AROUND: Final = 7
"""The number of columns of a window outside its text: the frame, the space inside it, and the scroll bar."""

_COLUMNS: Final = re.compile(r".*\S {2,}(?=\S)")
"""The columns of a line before the last one. There are at least two spaces between columns."""

_LEAST_COLUMN: Final = 12
"""If there are fewer columns than this for the last column, its lines begin at the left."""

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


def _key_label(key: str, text: str) -> Content:
    """Return the text of a button with the letter of its key, either underlined or in front of the text."""
    at = text.find(key)
    if at < 0:
        return Content.assemble((key, "underline"), f" {text}")
    return Content.assemble(text[:at], (key, "underline"), text[at + 1 :])


class Reply(NamedTuple):
    """An answer to a dialogue: its name, its key, the text of its button, and its meaning on the last line."""

    name: str
    key: str
    label: str
    words: str


class Dialog(SingleAnswerScreen, ModalScreen[Answer]):
    """A box in front of everything else. The part that scrolls uses all available rows."""

    AUTO_FOCUS: ClassVar[str | None] = ""  # some dialogues don't start on their first button

    _: Translator

    def _key_help(self) -> KeyHelp:
        replies = [(reply.key, reply.words) for reply in self.replies()]
        return replies or [("↑ ↓", self._("scroll")), (self._("Esc"), self._("close"))]

    def on_key(self, event: Key) -> None:
        """Accept the letter for yes in languages in which it isn't Y."""
        letter = yes_key(self._).lower()
        if event.key == letter != "y":
            event.stop()
            self._action_answer("yes")

    def replies(self) -> list[Reply]:
        """Return the possible answers. The letter for yes gives the answer ``"yes"``."""
        return []

    def buttons(self) -> Iterable[Button]:
        """Return a button for each answer. Its id is the name of the answer."""
        return [Button(_key_label(reply.key, reply.label), id=reply.name, compact=True) for reply in self.replies()]

    def _action_answer(self, answer: str) -> None:
        """Give an answer, if the dialogue asks for one."""

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Give the answer of a button."""
        self._action_answer(event.button.id or "")

    def _action_scroll(self, rows: int) -> None:
        for scroll in self.query(VerticalScroll):
            scroll.scroll_relative(y=rows, animate=False)


class Confirm(Dialog[bool]):
    """A yes/no question. Escape means no. The ids of the buttons are ``#yes`` and ``#no``."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer('yes')", show=False),
        Binding("n,escape", "answer('no')", show=False),
        Binding("left,right", "app.focus_next", show=False),
        *SCROLLS,
    ]

    def __init__(self, question: str, _: Translator, *, default: bool = False, title: str = "") -> None:
        super().__init__(classes="dialog")
        self._question = question
        self._title = title
        self._ = _
        self._default = default

    def replies(self) -> list[Reply]:
        """Return yes and no."""
        _ = self._
        return [Reply("yes", yes_key(_), _("Yes"), _("yes")), Reply("no", "N", _("No"), _("no"))]

    def _key_help(self) -> KeyHelp:
        return [*super()._key_help(), (self._("Esc"), self._("no"))]

    def compose(self) -> ComposeResult:
        """Lay out the question and two buttons."""
        with Vertical(classes="dialog-box") as box:
            box.border_title = self._title
            with VerticalScroll(classes="dialog-scroll", can_focus=False):
                yield Label(self._question, classes="dialog-text", markup=False)
            with Horizontal(classes="dialog-buttons"):
                yield from self.buttons()

    async def _prepare(self) -> None:
        self.query("#yes" if self._default else "#no").focus()

    def _action_answer(self, answer: str) -> None:
        self.dismiss(answer == "yes")


class AskName(Dialog[str]):
    """A question for a file name, in the field ``#name``. If it is empty, the dialogue closes without a result."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", show=False), *SCROLLS]

    def __init__(self, question: str, _: Translator, *, value: str = "", trouble: str = "") -> None:
        super().__init__(classes="dialog")
        self._question = question
        self._ = _
        self._value = value
        self._trouble = trouble

    def _key_help(self) -> KeyHelp:
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

    async def _prepare(self) -> None:
        self.query("#name").focus()

    def _action_back(self) -> None:
        self.dismiss("")

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())


class Reader(Dialog[None]):
    """Lines of text, in ``#reader-text``. Escape, Enter, Space or Q closes them. Subclasses have their own `NAME`.

    If the last column of a line is too long, it continues below itself.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,q,question_mark,l", "answer('close')", show=False),
    ]
    NAME: ClassVar[str] = "reader"

    def __init__(self, title: str, lines: Sequence[str], _: Translator) -> None:
        super().__init__(classes="dialog")
        self._title = title
        self._lines = lines
        self._ = _

    def compose(self) -> ComposeResult:
        """Lay out the title, and the lines in a scrolling box."""
        with Vertical(classes="dialog-box -reader") as box:
            box.border_title = self._title
            with VerticalScroll(id=f"{self.NAME}-scroll"):
                yield self.text(f"{self.NAME}-text")
            yield from self.below()
            yield Button(self._("Close (Esc)"), id="close", compact=True)

    def text(self, id: str) -> Static:
        """Return the widget with the text."""
        return Static(self._wrapped(), id=id, markup=False)

    def on_resize(self, _event: Resize) -> None:
        """Wrap the text at the width of the screen."""
        for text in self.query("#reader-text").results(Static):
            text.update(self._wrapped())

    def _wrapped(self) -> str:
        console, width = self.app.console, max(1, self.app.size.width - AROUND)
        lines = []
        for line in self._lines:
            found = _COLUMNS.match(line)
            indent = cell_len(found[0]) if found else 0
            if not found or cell_len(line) <= width or width - indent < _LEAST_COLUMN:
                lines.append(line)  # the widget itself wraps lines without columns
                continue
            first, *more = [part.plain.rstrip() for part in Text(line[found.end() :]).wrap(console, width - indent)]
            lines += [found[0] + first, *(" " * indent + part for part in more)]
        return "\n".join(lines)

    def below(self) -> Iterable[Widget]:
        """Return the widgets below the text."""
        return ()

    async def _prepare(self) -> None:
        self.query(VerticalScroll).focus()

    def _action_answer(self, answer: str) -> None:
        if answer == "close":
            self.dismiss(None)


class LeaveScreen(Dialog[str]):
    """Asks before leaving, and says what will happen to the game and how to resume it.

    The result is ``"leave"`` (save the game if possible), ``"save"`` (in a file), ``"delete"`` or ``"stay"``.
    ``trouble`` is the error from an attempt to save the game. If there is one, ``"leave"`` tries again.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer('yes')", show=False),
        Binding("s", "answer('save')", show=False),
        Binding("d", "answer('delete')", show=False),
        Binding("n,escape", "answer('stay')", show=False),
        *SIDEWAYS,
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
    ]

    def __init__(self, saver: "Saver", _: Translator, trouble: str = "") -> None:
        super().__init__(classes="dialog")
        self._saver = saver
        self._offered = saver.ways_out  # the game may begin while this is open, but the buttons stay the same
        self._ = _
        self._trouble = trouble

    def compose(self) -> ComposeResult:
        """Lay out what will happen to the game, and the possible answers."""
        _, saver = self._, self._saver
        with Vertical(classes="dialog-box -wide"):
            with VerticalScroll(id="leave-text"):
                if self._trouble:
                    yield Label(self._trouble, classes="dialog-trouble", markup=False)
                # A call inside an f-string wouldn't be found by Babel, so the text would stay English.
                question = _("Quit?") + " " + saver.outlook()
                yield Label(question, classes="dialog-text", markup=False)
            with ItemGrid(id="leave-buttons", classes="dialog-grid", min_column_width=26):
                yield from self.buttons()

    def replies(self) -> list[Reply]:
        """Return the answers that were possible when the dialogue opened."""
        _, saver = self._, self._saver
        leave, delete = (_("Yes, quit"), _("quit")), (_("Quit without saving"), _("delete"))
        if saver.keeps:
            leave, delete = (_("Yes, save and quit"), _("quit")), (_("Delete this game"), _("delete"))
        elif saver.is_wanted:
            leave, delete = (_("Try again"), _("try again")), (_("Quit without saving"), _("quit without saving"))
        replies = [
            Reply("leave", yes_key(_), *leave),
            Reply("save", "S", _("Save to a file"), _("save")),
            Reply("delete", "D", *delete),
            Reply("stay", "N", _("No, keep playing"), _("keep playing")),
        ]
        return [reply for reply in replies if reply.name in self._offered]

    def _key_help(self) -> KeyHelp:
        return [*super()._key_help(), (self._("Esc"), self._("keep playing"))]

    async def _prepare(self) -> None:
        self.query(Button).first().focus()

    def _action_answer(self, answer: str) -> None:
        answer = "leave" if answer == "yes" else answer
        if answer in self._offered:
            self.dismiss(answer)
