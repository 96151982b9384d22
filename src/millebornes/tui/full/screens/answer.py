"""The answer to a practice question: how good the move was, the reasons, and how much each move loses."""

from collections.abc import Sequence
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import HorizontalGroup, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Resize
from textual.widgets import Button, Static

from millebornes.analysis.exercises.practice_session import AnswerOutcome
from millebornes.analysis.records import MoveEstimate
from millebornes.analysis.reports.practice_text import cost_text, verdict
from millebornes.i18n import Translator
from millebornes.texts.moves import describe_move
from millebornes.texts.participants import Participants
from millebornes.themes import Theme
from millebornes.tui.full.screens.start_popups import Popup

__all__ = ["AnswerScreen"]

BAR: Final = 10
"""The length of the longest bar, in columns."""

MOVE_WIDTH: Final = 36
COST_WIDTH: Final = 18

OVERHEAD: Final = 8
"""The number of rows outside the list of moves and reasons, including the space above and below the window."""
LOW: Final = 24
"""If the screen has fewer rows than this, the window fills it."""


class AnswerScreen(Popup[str]):
    """Shows how good an answer was. The result is ``"next"``, or ``"quit"`` if the player wants no more questions.

    ``lines`` contains the reasons. If they are longer than the screen, the arrow keys scroll them.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space,h,n", "close", show=False),
        Binding("q,delete", "quit_practice", show=False),
    ]
    KEYS: ClassVar[str] = "#answer-text"

    def __init__(
        self, outcome: AnswerOutcome, lines: Sequence[str], participants: Participants, theme: Theme, _: Translator
    ) -> None:
        super().__init__()
        self.outcome = outcome
        self._lines = tuple(lines)
        self._participants = participants
        self._theme = theme
        self._ = _

    def compose(self) -> ComposeResult:
        """Lay out the verdict, the reasons and the moves."""
        _, outcome = self._, self.outcome
        style = "$success" if outcome.is_right else "$error" if outcome.move is not None else ""
        with Vertical(id="answer", classes="window") as window:
            window.border_title = _("The answer")
            window.border_subtitle = _("Enter: continue · Q: stop")
            with VerticalScroll(id="answer-text"):
                told = verdict(outcome, self._participants, self._theme, _)
                yield Static(Content.styled(told, f"bold {style}".strip()), id="answer-verdict")
                yield Static("\n".join(self._lines), id="answer-why", markup=False)
                moves = Content("\n").join([self._line(found) for found in outcome.exercise.moves])
                yield Static(moves, id="answer-moves")
            with HorizontalGroup(classes="buttons"):
                yield Button(_("Continue (Enter)"), id="answer-next", classes="back", compact=True)
                yield Button(_("Stop (Q)"), id="answer-quit", compact=True)

    def on_resize(self, event: Resize) -> None:
        """Keep the buttons on the screen even if it has few rows."""
        rows = self.app.size.height
        self.query_one("#answer-text").styles.max_height = None if rows < LOW else max(1, rows - OVERHEAD)

    def _line(self, found: MoveEstimate) -> Content:
        exercise, _ = self.outcome.exercise, self._
        width = max(len(self._text(other)) for other in exercise.moves)
        is_best, is_chosen = found.move == exercise.best, found.move == self.outcome.move
        mark = "★" if is_best else "▸" if is_chosen else "\u00a0"  # a space at the start of a line would disappear
        cost = _("best") if is_best else cost_text(found, exercise, _)
        widest = max(other.loss for other in exercise.moves)
        bar = "▪" * round(found.loss * BAR / widest) if widest else ""
        return Content.assemble(
            Content.styled(f"{mark} {self._text(found).ljust(width)} ", "bold" if is_best or is_chosen else ""),
            cost.rjust(COST_WIDTH),
            " ",
            Content.styled(bar, "$error"),
        )

    def _text(self, found: MoveEstimate) -> str:
        text = describe_move(found.move, self._participants, self.outcome.exercise.seat, self._theme, self._)
        return text if len(text) <= MOVE_WIDTH else text[: MOVE_WIDTH - 1] + "…"

    def action_close(self) -> None:
        """Continue with the next question."""
        self.dismiss("next")

    @on(Button.Pressed, "#answer-quit")
    def action_quit_practice(self) -> None:
        """End the session."""
        self.dismiss("quit")
