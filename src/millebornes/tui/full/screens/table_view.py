"""The view of the table: all sides, the piles, the hand, the window, the log and the message line."""

import dataclasses
import math
import re
from collections.abc import Sequence
from typing import ClassVar, Final, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.geometry import Region
from textual.widgets import Static

from millebornes.cards import Card
from millebornes.i18n import Translator
from millebornes.session.game_loop import GameLoop
from millebornes.session.game_session import GameSession
from millebornes.session.log import latest_lines, log_lines
from millebornes.session.saving import Saver
from millebornes.session.tutorial import Tutorial
from millebornes.tui.controller import Controller
from millebornes.tui.full.screens.app import FullScreenApp, PlayedScreen
from millebornes.tui.full.screens.base_screen import TooSmall
from millebornes.tui.full.screens.input import Choice, Mode, TableInput
from millebornes.tui.full.screens.readers import LogScreen
from millebornes.tui.full.terminal.early_input import TypedAhead
from millebornes.tui.full.terminal.keys import key_name, yes_key
from millebornes.tui.full.widgets.board import Part, TableScene, put_at
from millebornes.tui.full.widgets.hand import CardView, DiscardPile, DrawPile
from millebornes.tui.full.widgets.layout import arrange
from millebornes.tui.full.widgets.side import SideView
from millebornes.tui.full.widgets.text_widgets import MOST_LINES, Choices, LogView, MessageLine, TitleLine
from millebornes.tui.full.widgets.window import ScoreWindow

BRIEF: Final = 40  # if the log has fewer columns than this, it is brief
BANNER_WIDTH: Final = 46

SENTENCE_ENDS: Final = re.compile(r"(?<=[.!?…]) +")
MESSAGE_PADDING: Final = 2  # the number of columns on the message line that aren't part of its text


class TableView(PlayedScreen):
    """The view of the table, which also displays what a `TableInput` asks.

    The widgets are ``#header``, ``#side-1`` …, ``#draw-pile``, ``#discard-pile``, ``#log``, ``#window``, ``#card-1`` to
    ``#card-7`` (the last is P), ``#message``, ``#choices`` and ``#banner``.
    """

    AUTO_FOCUS: ClassVar[str | None] = ""
    PAINTS_TOGETHER = True

    def __init__(self, session: GameSession, saver: Saver, _: Translator, lessons: Tutorial | None = None) -> None:
        super().__init__(id="table")
        self.session = session
        self.saver = saver
        self._ = _
        self.controller = Controller(session, lessons)
        self.input = TableInput(self.controller, self)
        self.loop = GameLoop(session, saver)
        self.header = TitleLine(id="header")
        self.side_views = [SideView(side) for side in range(session.rules.sides)]
        self.draw_pile, self.discard_pile = DrawPile(), DiscardPile()
        self.log_view, self.window = LogView(), ScoreWindow(id="window")
        self.card_views = [CardView(place) for place in range(1, 8)]
        self.message, self.choices = MessageLine(), Choices()
        self.banner = Static(id="banner", markup=False)
        self.scene = TableScene(session, self.loop.viewer)
        self._plan = arrange(80, 24, session.rules.sides, session.rules.seats)

    @property
    def mille(self) -> FullScreenApp:
        """The app, with its precise type."""
        return cast("FullScreenApp", self.app)

    def compose(self) -> ComposeResult:
        """Yield all parts of the table. `arrange` determines their positions."""
        yield from (self.header, *self.side_views, self.draw_pile, self.discard_pile, self.log_view, self.window)
        yield from (*self.card_views, self.message, self.choices, self.banner)

    def _lay_out(self) -> None:
        rules = self.session.rules
        plan = arrange(self.size.width, self.size.height, rules.sides, rules.seats)
        put_at(self.header, plan.header)
        for side, region in zip(self.scene.order(), plan.sides, strict=True):
            put_at(self.side_views[side], region)
        put_at(self.draw_pile, plan.draw)
        put_at(self.discard_pile, plan.discard)
        put_at(self.log_view, plan.log)
        put_at(self.window, plan.window)
        for view, region in zip(self.card_views, plan.cards, strict=True):
            put_at(view, region)
        if (plan.log.width < BRIEF) != (self._plan.log.width < BRIEF):
            self._plan = plan
            self._tell_log()
        self._plan = plan
        self._fit_message()
        put_at(self.choices, plan.choices)
        for rack in self.query("#textual-toastrack"):
            rack.styles.max_height = plan.cards[0].y
        self.banner.styles.width = width = min(BANNER_WIDTH, self.size.width)
        self.banner.styles.offset = (max(0, (plan.sides[-1].width - width) // 2), 4 if self.size.height > 12 else 0)

    @property
    def is_busy(self) -> bool:
        """Whether a dialogue is open or about to open. Keys that were typed before must not open another dialogue."""
        at_work = any(worker.group == "commands" and not worker.is_finished for worker in self.workers)
        return at_work or self.app.screen is not self

    def show(self, viewer: int | None, turn: int | None = None) -> None:
        """Show the table as the player in a seat may see it."""
        moved = viewer != self.scene.viewer
        self._set_scene(TableScene(self.session, viewer, turn=turn, counts=self.scene.counts))
        if moved:
            self._lay_out()
        lines = self._tell_log()
        if self.input.mode is Mode.WATCH and lines:
            self.say(lines[-1])

    def _tell_log(self) -> list[str]:
        """Show the log, in its brief form if lines are short, and return the lines."""
        brief = self._plan.log.width < BRIEF
        lines = latest_lines(self.session, self.scene.viewer, MOST_LINES, brief=brief)
        self.log_view.tell(lines)
        if isinstance(self.app.screen, LogScreen):
            self.app.screen.follow(log_lines(self.session, self.scene.viewer))
        return lines

    def show_log(self) -> None:
        """Show the log of the whole match."""
        self.app.push_screen(LogScreen(log_lines(self.session, self.scene.viewer), self._))

    def _set_scene(self, scene: TableScene) -> None:
        self.scene = scene
        for part in self.query(Part):
            part.show(scene)
        self._paint_together()

    def _paint_together(self) -> None:
        """Paint all changes in a single frame. Old cards below a new question would be misleading."""
        self.paint_together([*self.query(Part), self.message, self.choices])

    def typed_ahead(self) -> TypedAhead | None:
        """Return which keys count for the next turn. A key that is held down must not answer two questions."""
        typed = self.input
        if not typed.takes_ahead or TooSmall.holds(self.app.size):
            return None
        return TypedAhead(typed.ahead_since, max(self.open_since, typed.answered))

    @property
    def is_visible(self) -> bool:
        """Whether the current question can be seen."""
        return self.open_since != math.inf

    def _seen(self, since: float | None) -> None:
        super()._seen(since)
        if self.is_visible and self.input.ahead:
            self.call_later(self.input.use_ahead)

    def painted(self, since: float | None) -> None:
        """Remember which cards are visible now, because players can only press these."""
        super().painted(since)
        if self.is_current and since is not None:
            for view in self.card_views:
                view.seen = view.face

    def warn(self, text: str) -> None:
        """Show a warning without replacing the current question."""
        self.app.notify(text, severity="warning", markup=False)
        self.ring()

    def say(self, text: str, kind: str = "") -> None:
        """Show a message. A long text is shown above the hand, without the sentences at its end that don't fit."""
        self.message.say(text, kind)
        self._fit_message()
        self._paint_together()

    def _fit_message(self) -> None:
        """Place the message. It never covers the hand or the choices, because the player needs both to answer."""
        line, top = self._plan.message, self._plan.cards[0].y
        width = max(1, line.width - MESSAGE_PADDING)
        sentences = SENTENCE_ENDS.split(self.message.text)
        lines = self._wrapped(self.message.text, width)
        if len(lines) <= line.height:
            put_at(self.message, line)
        else:
            while len(lines) > top and len(sentences) > 1:
                lines = self._wrapped(" ".join(sentences[:-1]), width)
                sentences.pop()
            if len(lines) > top:
                lines = [*lines[: top - 1], f"{lines[top - 1][: width - 1]}…"]
            put_at(self.message, Region(line.x, top - len(lines), line.width, len(lines)))
        self.message.update("\n".join(lines), layout=False)

    def _wrapped(self, text: str, width: int) -> list[str]:
        return [shown.plain.rstrip() for shown in Text(text).wrap(self.app.console, width)]

    def offer(self, choices: Sequence[Choice]) -> None:
        """Show the current choices."""
        self.choices.offer(choices)
        self._paint_together()

    def select(self, place: int | None) -> None:
        """Mark the card at a place."""
        for view in self.card_views:
            if view.selected != (view.number == place):
                view.selected = view.number == place
                view.refresh()

    def nudge(self, text: str) -> None:
        """Show why a move doesn't fit the lesson."""
        self.say(text, "error")

    def ring(self) -> None:
        """Ring the bell, if the preferences ask for a bell on errors."""
        if self.mille.preferences.bell:
            self.app.bell()

    def redraw(self, deciding: bool) -> None:
        """Show the table again."""
        deciding = deciding and self.scene.viewer is not None
        self._set_scene(dataclasses.replace(self.scene, deciding=deciding, coup=self.input.mode is Mode.COUP))

    def suggest(self, card: Card | None) -> None:
        """Mark the card that a hint suggests, until the next move."""
        self._set_scene(dataclasses.replace(self.scene, suggested=card))

    def count(self, counts: bool) -> None:
        """Show the numbers of unseen cards in the window (in practice games), or hide them."""
        self._set_scene(dataclasses.replace(self.scene, counts=counts))

    def key_for(self, action: str) -> str:
        """Return the first key of an action, as it is shown to players."""
        keys = self.mille.keymap.get(action, ())
        if action == "yes" and keys[:1] == ("y",):
            return yes_key(self._)
        return key_name(keys[0], self._) if keys else ""
