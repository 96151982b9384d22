"""A hint: all moves with their losses, best first, and the reasons. The hint improves while the player looks at it."""

import contextlib
import time
from collections.abc import Generator
from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import HorizontalGroup, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Button, OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import get_current_worker

from millebornes.analysis.records import Analysis, MoveEstimate
from millebornes.errors import PlayerError
from millebornes.game import Move, View
from millebornes.players.hint import hint as hint_of_player
from millebornes.tui.full.screens.popups import Popup
from millebornes.tui.full.widgets.form import StartOptions
from millebornes.words.figures import chance, loss_column
from millebornes.words.hints import hint_sentence, maxims_lines
from millebornes.words.moves import describe_move
from millebornes.words.reasons import explain
from millebornes.words.words import TableWords

Thoughts = Generator[Analysis | None, None, None]
"""A generator of better and better hints, from `millebornes.tui.common.hints.thoughts`."""

THINKING: Final = 2.0  # the maximum time for a hint, in seconds
BAR: Final = 8  # the length of the longest bar, in columns
MARKS: Final = 2  # the number of columns for the arrow and the star before a move
MOVE_WIDTH: Final = 30
LOSS_WIDTH: Final = 9
CHANCE_WIDTH: Final = 9
WIDE: Final = 70  # the minimum number of columns in which bars and chances are shown …
FRAME: Final = 5  # … and the number of columns that the window itself needs if it is narrow


class HintScreen(Popup[Move]):
    """Shows a hint. The result is the move that the player has chosen in this window, or None.

    ``view`` is the view of the seat that asked for the hint. A thread reads hints from ``thoughts`` until the window
    closes, but for at most two seconds. The player can't choose a move before the first hint. As long as the code is
    still being compiled and there are no hints, the window shows the advice of the maxims.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,h", "close", show=False)]
    KEYS: ClassVar[str] = "#hint-moves"

    def __init__(self, view: View, thoughts: Thoughts, words: TableWords) -> None:
        super().__init__()
        self._advice = hint_of_player(view)
        self._viewer = view.seat
        self._thoughts = thoughts
        self._words = words
        self._ = words.translate
        self.analysis: Analysis | None = None  # the hint that is shown, or None before the first hint
        self.is_advised = False  # whether the window already shows any advice
        self._place = 0  # the place of the cursor

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves, in the order in which they are shown."""
        return self._advice.moves if self.analysis is None else tuple(known.move for known in self.analysis.moves)

    def compose(self) -> ComposeResult:
        """Lay out the moves and the reasons."""
        _ = self._
        with Vertical(id="hint", classes="window") as window:
            window.border_title = _("A hint")
            window.border_subtitle = _("↑ ↓: choose · Enter: play it · Esc: back")
            yield Static(self._head(), id="hint-head", markup=False)
            yield StartOptions(*(Option(line) for line in self._lines()), id="hint-moves")
            with VerticalScroll(id="hint-reasons"):
                yield Static(self._reasons(), id="hint-why", markup=False)
            with HorizontalGroup(classes="buttons"):
                yield Button(_("Play best move"), id="hint-play", compact=True)
                yield Button(_("Back (Esc)"), id="hint-back", classes="back", compact=True)

    async def _prepare(self) -> None:
        await super()._prepare()
        self.query_one("#hint-moves", OptionList).highlighted = 0
        self.run_worker(self._think, thread=True, exit_on_error=False)

    def _think(self) -> None:
        worker, until = get_current_worker(), None
        with contextlib.closing(self._thoughts) as thoughts, contextlib.suppress(PlayerError):
            for found in thoughts:
                if worker.is_cancelled or not self.call_later(self._learn, found):
                    return
                now = time.monotonic()
                if found is not None:
                    until = now + THINKING if until is None else until
                if until is not None and now >= until:
                    return

    def _learn(self, found: Analysis | None) -> None:
        """Show a new hint, or None while the code is still being compiled.

        The cursor stays on its move, unless it was on the best move and another is best now.
        """
        if self not in self.app.screen_stack or (found is None and self.is_advised):
            return  # the player has already chosen a move, or there is nothing new
        moves, listed = self.moves, self.query_one("#hint-moves", OptionList)
        place = listed.highlighted or 0
        self.is_advised, self.analysis = True, found
        self._place = self.moves.index(moves[place]) if place else 0
        self._show()
        listed.highlighted = self._place

    @on(OptionList.OptionHighlighted, "#hint-moves")
    def _point(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option_index != self._place:
            self._place = event.option_index
            self._show_moves()

    @on(events.Resize)
    def _fit(self) -> None:
        if self.is_mounted:
            self._show()

    def _show(self) -> None:
        for head in self.query("#hint-head").results(Static):
            head.update(self._head())
        self._show_moves()
        for why in self.query("#hint-why").results(Static):
            why.update(self._reasons())
        if self.analysis is not None:
            worlds, _ = self.analysis.moves[0].worlds, self._
            text = _.plural("A hint · {n} simulation", "A hint · {n} simulations", worlds)
            self.query_one("#hint", Vertical).border_title = text.format(n=worlds)

    def _show_moves(self) -> None:
        for listed in self.query("#hint-moves").results(OptionList):
            for place, line in enumerate(self._lines()):
                listed.replace_option_prompt_at_index(place, line)

    @property
    def _is_wide(self) -> bool:
        return self.app.size.width >= WIDE

    def _head(self) -> Content:
        if self.analysis is None or not self._is_wide:
            return Content("")
        width = MARKS + 1 + self._move_width + 1
        heads = self._("hand %").rjust(CHANCE_WIDTH)
        if self.analysis.moves[0].win_match is not None:
            heads += self._("match %").rjust(CHANCE_WIDTH)
        return Content.styled(" " * width + self._("loss").rjust(LOSS_WIDTH) + " " * (BAR + 1) + heads, "dim")

    @property
    def _move_width(self) -> int:
        longest = max(len(self._described(move)) for move in self.moves)
        return min(
            longest, MOVE_WIDTH if self._is_wide else max(8, self.app.size.width - FRAME - MARKS - 2 - LOSS_WIDTH)
        )

    def _described(self, move: Move) -> str:
        return describe_move(move, self._viewer, self._words)

    def _lines(self) -> list[Content]:
        if self.analysis is None:
            best = self._advice.best if self.is_advised else None
            return [self._line(place, move, move == best) for place, move in enumerate(self.moves)]
        most = max(known.loss for known in self.analysis.moves)
        return [
            self._line(place, known.move, place == 0) + self._figures(known, most)
            for place, known in enumerate(self.analysis.moves)
        ]

    def _line(self, place: int, move: Move, is_best: bool) -> Content:
        """Return a move with an arrow if the cursor is on it, and a star if it is the best."""
        text, width = self._described(move), self._move_width
        text = text if len(text) <= width else text[: width - 1] + "…"
        blank = "\u00a0"  # a space at the start of a line would be lost
        marks = ("▸" if place == self._place else blank) + ("★" if is_best else blank)
        return Content.styled(f"{marks} {text.ljust(width)} ", "bold" if is_best else "")

    def _figures(self, known: MoveEstimate, most: float) -> Content:
        assert self.analysis is not None
        _, analysis = self._, self.analysis
        loss = loss_column(known, analysis, _)
        if known is analysis.moves[0]:
            loss = _("best")
        elif known.loss:
            loss = "\N{MINUS SIGN}" + loss
        if not self._is_wide:
            return Content(loss.rjust(LOSS_WIDTH))
        bar = "▪" * round(known.loss * BAR / most) if most > 0 else ""
        chances = chance(known.win_hand, _).rjust(CHANCE_WIDTH)
        if known.win_match is not None:
            chances += chance(known.win_match, _, 1).rjust(CHANCE_WIDTH)
        return Content.assemble(loss.rjust(LOSS_WIDTH), " ", Content.styled(bar.ljust(BAR), "$error"), chances)

    def _reasons(self) -> Content:
        _ = self._
        if not self.is_advised:
            return Content.styled(_("Thinking…"), "dim")
        if self.analysis is None:
            return Content("\n".join(maxims_lines(self._advice, self._viewer, self._words)))
        said = hint_sentence(self.analysis, self._viewer, self._words)
        lines = [said, *explain(self.analysis, self._words)]
        if self._is_wide:
            lines.append(_("The columns say how likely you are to win the hand, or the match, after each move."))
        return Content("\n".join(lines))

    @on(OptionList.OptionSelected, "#hint-moves")
    def _choose(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if self.is_advised:
            self.dismiss(self.moves[event.option_index])

    @on(Button.Pressed, "#hint-play")
    def _play_best(self) -> None:
        if self.is_advised:
            self.dismiss(self.moves[0])
