"""The dialogue for leaving the table. The game is saved unless the player decides otherwise."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import ItemGrid, Vertical, VerticalScroll
from textual.widgets import Button, Label

from millebornes.i18n import Translator
from millebornes.session.saving import Saver
from millebornes.tui.full.keys import yes_key
from millebornes.tui.full.screens.dialogs import SIDEWAYS, Dialog, key_label
from millebornes.tui.full.widgets.key_line import KeyHelp

__all__ = ["LeaveScreen"]


class LeaveScreen(Dialog[str]):
    """Asks before leaving, and says what will happen to the game and how to resume it.

    The result is ``"leave"`` (save the game if possible), ``"save"`` (in a file), ``"delete"`` or ``"stay"``. The
    buttons have ids with these names. Enter leaves or, if the game can't be saved automatically, saves it in a file.
    Escape stays. ``trouble`` is the error from an attempt to save the game. If there is one, ``"leave"`` tries again,
    and ``"delete"`` quits without saving.
    """

    OVERHEAD = 7
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer('leave')", show=False),
        Binding("s", "answer('save')", show=False),
        Binding("d", "answer('delete')", show=False),
        Binding("n,escape", "answer('stay')", show=False),
        *SIDEWAYS,
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
    ]

    def __init__(self, saver: Saver, _: Translator, trouble: str = "") -> None:
        super().__init__(classes="dialog")
        self._saver = saver
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
                if "leave" in saver.ways_out:
                    label = _("Yes, save and quit") if saver.keeps else _("Yes, quit")
                    if saver.is_wanted and not saver.keeps:
                        label = _("Try again")
                    yield Button(key_label(yes_key(_), label), id="leave", compact=True)
                if "save" in saver.ways_out:
                    yield Button(key_label("S", _("Save to a file")), id="save", compact=True)
                if "delete" in saver.ways_out:
                    label = _("Delete this game") if saver.keeps else _("Quit without saving")
                    yield Button(key_label("D", label), id="delete", compact=True)
                yield Button(key_label("N", _("No, keep playing")), id="stay", compact=True)

    def key_help(self) -> KeyHelp:
        """Return the keys of the answers that are offered."""
        _ = self._
        keys = {"leave": yes_key(_), "save": "S", "delete": "D", "stay": "N"}
        words = {"leave": _("quit"), "save": _("save"), "delete": _("delete"), "stay": _("keep playing")}
        if self._saver.is_wanted and not self._saver.keeps:
            words |= {"leave": _("try again"), "delete": _("quit without saving")}
        offered = [(keys[answer], words[answer]) for answer in self._saver.ways_out]
        return [*offered, (_("Esc"), _("keep playing"))]

    async def prepare(self) -> None:
        """Focus the first answer, so that Enter saves the game."""
        self.query(Button).first().focus()

    def answer_yes(self) -> None:
        """Leave."""
        self.action_answer("leave")

    def action_answer(self, answer: str) -> None:
        """Give an answer, if it is offered."""
        if answer in self._saver.ways_out:
            self.dismiss(answer)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id or "stay")
