"""A hint: the moves as a player ranks them, the best first, and what speaks for the best."""

from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import HorizontalGroup, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, OptionList, Static
from textual.widgets.option_list import Option

from millebornes.game import Move
from millebornes.i18n import Translator
from millebornes.players.hint import Hint, RankedMove
from millebornes.session.cast import Cast
from millebornes.themes import Theme
from millebornes.tui.common.hints import main_reasons
from millebornes.tui.common.moves import describe_move
from millebornes.tui.full.base_screen import AnsweredOnce
from millebornes.tui.full.start_rows import Form, Options

__all__ = ["HintScreen"]

BAR: Final = 12
"""Columns of the longest bar."""

MOVE_WIDTH: Final = 40


class HintScreen(AnsweredOnce, ModalScreen[Move | None]):
    """Shows a hint; the result is the move that was chosen from it to be played, or None.

    ``viewer`` is the seat that asked. The bars and numbers tell by how many points a move seems worse than the best.
    """

    CSS_PATH = "start.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,h", "close", show=False),
    ]

    def __init__(self, hint: Hint, cast: Cast, viewer: int, theme: Theme, _: Translator) -> None:
        super().__init__()
        self.hint = hint
        self._cast = cast
        self._viewer = viewer
        self._theme = theme
        self._ = _

    def compose(self) -> ComposeResult:
        """The window: the moves, then the reasons."""
        _ = self._
        with Vertical(id="hint", classes="window") as window:
            window.border_title = _("A hint from {player}").format(player=self.hint.player)
            window.border_subtitle = _("Enter: play it · Esc: back")
            yield Options(*(Option(self._line(ranked)) for ranked in self.hint.moves), id="hint-moves")
            with Form(id="hint-reasons"):
                yield Static(self._reasons(), id="hint-why", markup=False)
            with HorizontalGroup(classes="buttons"):
                yield Button(_("Play the best"), id="hint-play", compact=True)
                yield Button(_("Back (Esc)"), id="hint-back", compact=True)

    async def prepare(self) -> None:
        """The cursor stands on the best move."""
        moves = self.query_one("#hint-moves", OptionList)
        moves.highlighted = 0
        moves.focus()

    def _line(self, ranked: RankedMove) -> Content:
        """A move, how much worse it seems than the best, and that as a bar."""
        _ = self._
        text, width = self._text(ranked), max(map(len, map(self._text, self.hint.moves)))
        best = self.hint.moves[0]
        if ranked is best:
            what, bar = _("best"), ""
        elif ranked.value is None or best.value is None:
            what, bar = _("worse"), ""
        else:
            loss = best.value - ranked.value
            what = f"-{loss}" if loss else _("as good")
            bar = "▪" * round(loss * BAR / max(self._widest(), 1))
        mark = "★" if ranked is best else "\u00a0"  # a blank at the start of a line would be lost
        return Content.assemble(
            Content.styled(f"{mark} {text.ljust(width)} ", "bold" if ranked is best else ""),
            what.rjust(8),
            " ",
            Content.styled(bar, "$error"),
        )

    def _text(self, ranked: RankedMove) -> str:
        text = describe_move(ranked.move, self._cast, self._viewer, self._theme, self._)
        return text if len(text) <= MOVE_WIDTH else text[: MOVE_WIDTH - 1] + "…"

    def _widest(self) -> int:
        values = [ranked.value for ranked in self.hint.moves if ranked.value is not None]
        return max(values) - min(values) if values else 0

    def _reasons(self) -> Content:
        _, hint = self._, self.hint
        if len(hint.moves) == 1:
            return Content(_("No other move was weighed."))
        following = describe_move(hint.moves[1].move, self._cast, self._viewer, self._theme, _)
        lines = [Content.styled(_("Rather than “{move}”:").format(move=following), "dim")]
        for sign, style, reasons in (
            ("+", "$success", main_reasons(hint.pros)),
            ("−", "$error", main_reasons(hint.cons)[:1]),
        ):
            for why in reasons:
                weight = "" if why.points is None else f" ({why.points:+d})"
                lines.append(Content.assemble(Content.styled(f"{sign} ", style), _(why.says), weight))
        if len(lines) == 1:
            lines = [Content(_("This player gives no reasons."))]
        lines.append(Content.styled(_("Numbers are points that a move seems to cost, as this player judges."), "dim"))
        return Content("\n").join(lines)

    @on(OptionList.OptionSelected, "#hint-moves")
    def choose(self, event: OptionList.OptionSelected) -> None:
        """Play the move under the cursor."""
        event.stop()
        self.dismiss(self.hint.moves[event.option_index].move)

    @on(Button.Pressed, "#hint-play")
    def play_best(self) -> None:
        """Play the best move."""
        self.dismiss(self.hint.best)

    def on_click(self, event: events.Click) -> None:
        """A click beside the window closes it."""
        if event.widget is self:
            self.dismiss(None)

    @on(Button.Pressed, "#hint-back")
    def action_close(self) -> None:
        """Go back to the game."""
        self.dismiss(None)
