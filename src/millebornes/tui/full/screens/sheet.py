"""The end of a hand: the score sheet in the words of the classic game, the match so far, and what to do next."""

from typing import ClassVar, Final

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Label

from millebornes.i18n import Translator
from millebornes.session.game_session import GameSession
from millebornes.tui.common.plot import running_totals
from millebornes.tui.full.screens.base_screen import KeyHelp
from millebornes.tui.full.screens.dialogs import SCROLLS, SIDEWAYS, Dialog, Reply
from millebornes.tui.full.terminal.keys import yes_key
from millebornes.tui.full.widgets.board import Part, TableScene
from millebornes.tui.full.widgets.canvas import Canvas
from millebornes.tui.full.widgets.card_art import Look, draw_bar
from millebornes.tui.full.widgets.names import fitting_names
from millebornes.words import prompts
from millebornes.words.score_sheet import LABELS, score_rows

COLUMN: Final = 9
TICKS: Final = "▁▂▃▄▅▆▇█"
MARKS: Final = "●◆▲■▼★✚◇"
PLAIN_MARKS: Final = "o*^#v+x%"
"""The marks of up to eight sides in the plot. They have different shapes, so that no one needs to see colours."""

AROUND: Final = 8  # the number of columns outside the sheet, including the scroll bar
NARROWEST: Final = 4  # the minimum number of columns for a side
LEAST_BAR: Final = 8  # the minimum number of columns for the bar beside a name, if there is any room for it
CHART: Final = 8  # the number of rows for the plot, if there is enough room


class SheetView(Part):
    """The score sheet and the plot of the match. The widget has the id ``sheet`` and is only as large as its contents.

    ``width`` and ``height`` are the size of the screen. The plot is left out if there isn't enough room.
    """

    def __init__(self, scene: TableScene, width: int, height: int) -> None:
        super().__init__(id="sheet")
        self.scene = scene
        sides = scene.session.rules.sides
        self._names = [scene.session.participants.side(side, scene.viewer) for side in scene.own_first()]
        room = (width - AROUND - self._first(scene)) // sides - 1
        self._column = max(NARROWEST, min(COLUMN if sides < 5 else 7, room))
        self._keyed = sides > 2 or max(map(len, self._names)) > self._column
        """Whether numbers head the columns and the names are listed above."""
        self._charted = height >= 15 + sides * (1 + self._keyed) + CHART + 4
        keys = [cell_len(head + name) for head, name in zip(self._heads(scene), self._names, strict=True)]
        least = max(0, min(max(self._first(scene) + 32, *keys), width - AROUND))
        self.styles.width = max(self._first(scene) + sides * (self._column + 1), least)
        self.styles.height = 15 + sides * (1 + self._keyed) + (CHART + 2 if self._charted else 0)

    def _first(self, scene: TableScene) -> int:
        _ = scene.translate
        return max(len(_(label)) for label in LABELS.values()) + 1

    def _heads(self, scene: TableScene) -> list[str]:
        """Return what comes before the names of each side above the columns."""
        _ = scene.translate
        sides = [_("Side {number}").format(number=side + 1) for side in scene.own_first()]
        return [_("{head}: {text}").format(head=side, text="") for side in sides]

    def _draw(self, canvas: Canvas, scene: TableScene) -> None:
        _, session, look = scene.translate, scene.session, self.look
        hand, order = session.hand, scene.own_first()
        first, y = self._first(scene), 0
        heads = self._names
        if self._keyed:
            heads = [_("Side {number}").format(number=side + 1) for side in order]
            for side, head in zip(order, self._heads(scene), strict=True):
                names = fitting_names(session.participants.partners(side, scene.viewer), _, canvas.width - len(head))
                canvas.put(0, y, head + names, look["distance"])
                y += 1
            heads = heads if max(map(len, heads)) <= self._column else [f"{side + 1}" for side in order]
        for n, head in enumerate(heads):
            canvas.right(first + n * (self._column + 1), y, self._column, head, look["strong"])
        for row in score_rows(hand.scores, session.overall, session.games, _, order):
            y += 1
            style = look["strong"] if row.is_total else look["distance"]
            canvas.put(0, y, row.label, style)
            for n, (side, value) in enumerate(zip(order, row.values, strict=True)):
                x = first + n * (self._column + 1)
                canvas.right(x, y, self._column, str(value), style if value or row.is_total else look["dim"])
                if row.name == "coups_fourres" and hand.tableaux[side].coups_fourres:
                    canvas.put(x + self._column - len(str(value)) - 3, y, "!!", look["mark"])
        y = self._bars(canvas, y + 2, scene, look)
        if self._charted:
            self._chart(canvas, y + 1, scene, look)

    def _bars(self, canvas: Canvas, y: int, scene: TableScene, look: Look) -> int:
        match, goal = scene.session.match, _goal(scene.session)
        finished = [hand for hand in match.hands if hand.is_over]
        points = [[hand.scores[side].total for side in range(match.rules.sides)] for hand in finished]
        most = max((max(row) for row in points), default=0) or 1
        names = min(max(map(cell_len, self._names)), max(13, canvas.width - 25 - LEAST_BAR))
        bar = max(0, min(30, canvas.width - 23 - names))
        for n, side in enumerate(scene.own_first()):
            total = scene.session.overall[side]
            canvas.put(0, y, f"{(MARKS if canvas.symbols else PLAIN_MARKS)[n]} ", look["accent"])
            partners = scene.session.participants.partners(side, scene.viewer)
            canvas.put(2, y, fitting_names(partners, scene.translate, names), look["distance"], names)
            x = draw_bar(canvas, 3 + names, y, bar, (total, total), (goal, max(scene.session.overall)), look)
            canvas.right(x, y, 7, str(total), look["strong"])
            canvas.put(
                x + 8, y, "".join(TICKS[min(7, 8 * row[side] // (most + 1))] for row in points[-12:]), look["dim"]
            )
            y += 1
        return y

    def _chart(self, canvas: Canvas, top: int, scene: TableScene, look: Look) -> None:
        totals = running_totals(scene.session.match)
        most = max(_goal(scene.session), max((max(row) for row in totals), default=1))
        rows, left, width = CHART, 7, canvas.width - 8
        for row in range(rows):
            canvas.put(left - 1, top + row, "│" if row else "┤", look["dim"])
        canvas.right(0, top, left - 2, str(most), look["dim"])
        canvas.right(0, top + rows, left - 2, "0", look["dim"])
        canvas.put(left - 1, top + rows, "└" + "─" * width, look["dim"])
        step = max(1, min(8, width // max(1, len(totals))))
        for n, after in enumerate(totals):
            for mark, side in reversed(list(enumerate(scene.own_first()))):
                y = top + rows - 1 - min(rows - 1, max(0, after[side] * rows // (most + 1)))
                style = look["strong"] if side == scene.own_side else look["accent"]
                shape = (MARKS if canvas.symbols else PLAIN_MARKS)[mark]
                canvas.put(left + n * step + step // 2, y, shape, style)


def _goal(session: GameSession) -> int:
    return session.match.match_target or max(*session.overall, 1)


class SheetScreen(Dialog[str]):
    """The score sheet. ``asking`` is true if the screen asks the player whether to play another hand or match.

    The result is ``"yes"``, ``"no"``, ``"quit"``, ``"save"``, ``"undo"`` (in practice) or ``"review"`` (after a match).
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,space", "answer('yes')", show=False),
        Binding("n", "answer('no')", show=False),
        Binding("q,delete", "answer('quit')", show=False),
        Binding("escape,t", "close", show=False),
        Binding("s", "answer('save')", show=False),
        Binding("z", "answer('undo')", show=False),
        Binding("r", "answer('review')", show=False),
        *SIDEWAYS,
        *SCROLLS,
    ]

    def __init__(
        self, session: GameSession, viewer: int | None, reason: str, _: Translator, *, asking: bool = True
    ) -> None:
        super().__init__(classes="dialog")
        self._session = session
        self._viewer = viewer
        self._reason = reason
        self._ = _
        self._asking = asking

    def compose(self) -> ComposeResult:
        """Lay out the title, the reason why the hand ended, the sheet, the plot and the question."""
        _, session = self._, self._session
        with Vertical(classes="dialog-box -reader") as box:
            title, *told = prompts.end(session.match.hand_number, session.loss, _)
            box.border_title = title
            with VerticalScroll(id="sheet-scroll"):
                if self._reason:
                    yield Label(self._reason, classes="dialog-text", markup=False)
                for text in told:
                    yield Label(text, markup=False)
                if session.is_over:
                    yield Label(
                        session.narrator.result(session.winner, session.loss)(self._viewer), id="verdict", markup=False
                    )
                width, height = self.app.size
                yield SheetView(TableScene(session, self._viewer), width, height - (2 if self._reason else 0))
            with Horizontal(classes="dialog-buttons"):
                if self._asking:
                    yield Label(prompts.another(is_over=session.is_over, _=_), classes="dialog-question")
                    yield from self.buttons()
                else:
                    yield Button(_("Close (Esc)"), id="no", compact=True)

    async def _prepare(self) -> None:
        self.query("#yes" if self._asking else "#no").focus()

    def replies(self) -> list[Reply]:
        """Return the answers, if the screen asks anything."""
        _, session = self._, self._session
        replies = [
            Reply("yes", yes_key(_), _("Yes"), _("yes")),
            Reply("no", "N", _("No"), _("no")),
            Reply("save", "S", _("Save"), _("save")),
        ]
        if session.can_review:
            replies.append(Reply("review", "R", _("Review"), _("review")))
        if session.practice:
            replies.append(Reply("undo", "Z", _("Take back"), _("take a move back")))
        return replies if self._asking else []

    def _key_help(self) -> KeyHelp:
        return [*super()._key_help(), *([("↑ ↓", self._("scroll"))] if self._asking else [])]

    def _action_answer(self, answer: str) -> None:
        if self._asking:
            if answer in {"quit", *(reply.name for reply in self.replies())}:
                self.dismiss(answer)
        elif answer not in {"undo", "review"}:
            self.dismiss("no")

    def _action_close(self) -> None:
        if not self._asking:
            self.dismiss("no")
