"""The end of a hand: the score sheet in classic terms, how the match has gone so far, and what next."""

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Label, Static

from millebornes.i18n import Translator
from millebornes.tui.plain.sheet import sheet_lines
from millebornes.tui.sitting.sitting import Sitting

__all__ = ["SheetScreen", "match_plot"]

TICKS = "▁▂▃▄▅▆▇█"


def match_plot(sitting: Sitting, viewer: int | None, width: int) -> list[str]:
    """A line of small bars for each side: its points in each hand of the match, and its total beside the target."""
    match = sitting.match
    hands = [*match.finished, match.hand] if match.hand.is_over else list(match.finished)
    points = [[sheet.total for sheet in hand.scores] for hand in hands]
    most = max((max(row) for row in points), default=0) or 1
    names = [sitting.cast.side(side, viewer) for side in range(sitting.rules.sides)]
    first = min(max(map(len, names)), 18)
    goal = match.match_target or max(match.totals) or 1
    bar = max(8, min(30, width - first - 30))
    lines = []
    for side, name in enumerate(names):
        ticks = "".join(TICKS[min(7, 8 * row[side] // (most + 1))] for row in points[-18:])
        done = min(bar, bar * match.totals[side] // goal)
        lines.append(f"{name[:first]:<{first}}  {'█' * done}{'░' * (bar - done)} {match.totals[side]:>6}  {ticks}")
    return lines


class SheetScreen(ModalScreen[str]):
    """The score sheet; ``asking`` whether another hand (or match) is wanted.

    Dismissed with ``"yes"``, ``"no"``, ``"save"``, or ``"undo"`` (in practice). The buttons have these ids; the text is
    ``#sheet``.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,Y,space", "answer('yes')", show=False),
        Binding("n,N,q,Q,delete,backspace", "answer('no')", show=False),
        Binding("escape,t,T", "close", show=False),
        Binding("s,S", "answer('save')", show=False),
        Binding("z,Z", "answer('undo')", show=False),
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]

    def __init__(
        self, sitting: Sitting, viewer: int | None, reason: str, _: Translator, *, asking: bool = True
    ) -> None:
        super().__init__(classes="dialog")
        self._sitting = sitting
        self._viewer = viewer
        self._reason = reason
        self._ = _
        self._asking = asking

    def compose(self) -> ComposeResult:
        """Title, why the hand is over, the sheet, the plot, and the question."""
        _, sitting = self._, self._sitting
        match = sitting.match
        with Vertical(classes="dialog-box -reader"):
            title = _("Hand {number}: the score").format(number=match.hand_number)
            yield Label(title, classes="dialog-title", markup=False)
            with VerticalScroll(id="sheet-scroll"):
                if self._reason:
                    yield Label(self._reason, classes="dialog-text", markup=False)
                if match.is_over:
                    yield Label(self._verdict(), id="verdict", markup=False)
                yield Static(self._sheet(), id="sheet")
            with Horizontal(classes="dialog-buttons"):
                if self._asking:
                    question = _("Another game?") if match.is_over else _("Another hand?")
                    yield Label(question, classes="dialog-question")
                    yield Button("[u]Y[/u] " + _("Yes"), id="yes", compact=True)
                    yield Button("[u]N[/u] " + _("No"), id="no", compact=True)
                    yield Button("[u]S[/u] " + _("Save"), id="save", compact=True)
                    if sitting.practice:
                        yield Button("[u]Z[/u] " + _("Take back"), id="undo", compact=True)
                else:
                    yield Button(_("Close (Esc)"), id="no", compact=True)

    def on_mount(self) -> None:
        """Enter presses the first button."""
        self.query_one("#yes" if self._asking else "#no", Button).focus()
        if self._.language == "fr":
            for key in "oO":
                self._bindings.bind(key, "answer('yes')", show=False)

    def _verdict(self) -> str:
        _, sitting = self._, self._sitting
        winner = sitting.match.winner
        if winner is None:
            return _("The match is drawn.")
        own = None if self._viewer is None else sitting.rules.side_of(self._viewer)
        if own == winner:
            return _("You win the match.")
        return _("{side} wins the match.").format(side=sitting.cast.side(winner))

    def _sheet(self) -> Text:
        sitting, match = self._sitting, self._sitting.match
        lines = sheet_lines(match.hand.scores, match.totals, sitting.games, sitting.cast, self._viewer, self._)
        width = min(self.app.size.width - 8, 72)
        text = Text("\n".join(lines))
        text.append("\n\n" + "\n".join(match_plot(sitting, self._viewer, width)))
        return text

    def action_answer(self, answer: str) -> None:
        """Answer; where nothing is asked, close."""
        if answer != "undo" or self._sitting.practice:
            self.dismiss(answer if self._asking else "no")

    def action_close(self) -> None:
        """Close, where nothing is asked."""
        if not self._asking:
            self.dismiss("no")

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id or "no")
