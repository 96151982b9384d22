"""The table: all sides, the piles, the hand, the window and the message line; keys and mouse go to the `TableInput`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final, cast

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Region
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from millebornes.cards import Card
from millebornes.i18n import Translator
from millebornes.session.game_loop import GameLoop
from millebornes.session.log import MatchLog
from millebornes.session.news import Teller
from millebornes.session.saving import Saver
from millebornes.session.sitting import Sitting
from millebornes.storage import Preferences
from millebornes.themes import theme
from millebornes.tui.full.base_screen import Steady
from millebornes.tui.full.board import Part, Scene, put_at
from millebornes.tui.full.choices import Mode
from millebornes.tui.full.commands import Commands
from millebornes.tui.full.dialogs import yes_key
from millebornes.tui.full.display import Choice
from millebornes.tui.full.game_driver import Decided, GameDriver, TakenBack
from millebornes.tui.full.hand import CardView, Ghost
from millebornes.tui.full.input import TableInput
from millebornes.tui.full.keys import bindings, key_name
from millebornes.tui.full.layout import arrange
from millebornes.tui.full.log_screen import LogScreen
from millebornes.tui.full.mouse import Mouse
from millebornes.tui.full.piles import DiscardPile, DrawPile
from millebornes.tui.full.sheet import SheetScreen
from millebornes.tui.full.side import SideView
from millebornes.tui.full.text_widgets import MOST_LINES, Choices, Header, Log, MessageLine
from millebornes.tui.full.window import Window

if TYPE_CHECKING:
    from millebornes.tui.full.app import MilleApp

__all__ = ["TableScreen"]

BANNER: float = 1.5
"""Seconds for which a coup fourré stays in the middle of the screen."""

BRIEF: Final = 40
"""Columns of the log below which it is told in brief."""
BANNER_WIDTH: Final = 46

MESSAGE_PADDING: Final = 2
"""Columns of the message line beside its text."""


class TableScreen(Steady, Screen[None]):
    """The full-screen table; it is the screen of a `GameDriver` and the display of a `TableInput`.

    Its widgets: ``#header``, ``#side-1`` …, ``#draw-pile``, ``#discard-pile``, ``#log``, ``#window``, ``#card-1`` to
    ``#card-7`` (the last is P), ``#message``, ``#choices``, ``#banner`` and ``#ghost`` (a card that is being dragged).
    """

    AUTO_FOCUS: ClassVar[str | None] = ""

    def __init__(self, sitting: Sitting, saver: Saver, _: Translator) -> None:
        super().__init__(id="table")
        self.sitting = sitting
        self.saver = saver
        self._ = _
        self.input = TableInput(sitting, self, _)
        self.loop = GameLoop(sitting, saver)
        self.commands = Commands(self)
        self.mouse = Mouse(self)
        self.header = Header(id="header")
        self.side_views = [SideView(side) for side in range(sitting.rules.sides)]
        self.draw_pile, self.discard_pile = DrawPile(), DiscardPile()
        self.log_view, self.window = Log(), Window(id="window")
        self.card_views = [CardView(place) for place in range(1, 8)]
        self.message, self.choices = MessageLine(), Choices()
        self.banner, self.ghost = Static(id="banner", markup=False), Ghost()
        self.scene = Scene(sitting, self.loop.viewer())
        self._logs = {brief: MatchLog(sitting, brief=brief) for brief in (False, True)}
        self._turn: int | None = None
        self._plan = arrange(80, 24, sitting.rules.sides, sitting.rules.seats)
        self.counts = False
        """Whether the window shows the counts of unseen cards (in practice)."""

    @property
    def mille(self) -> "MilleApp":
        """The app, by its own type."""
        return cast("MilleApp", self.app)

    def compose(self) -> ComposeResult:
        """All parts; `arrange` says where they lie."""
        yield self.header
        yield from self.side_views
        yield self.draw_pile
        yield self.discard_pile
        yield self.log_view
        yield self.window
        yield from self.card_views
        yield self.message
        yield self.choices
        yield self.ghost
        yield self.banner

    async def prepare(self) -> None:
        """Sit down and play."""
        for binding in bindings(self.mille.keymap, self._.traits.yes_key):
            self._bindings.bind(binding.key, binding.action, show=False)
        self.ghost.display = self.banner.display = False
        self._lay_out()
        self.run_worker(GameDriver(self.loop, self).run(), name="game", exclusive=True)

    def on_resize(self) -> None:
        """The terminal has another size."""
        self.mouse.forget()
        self._lay_out()

    def _lay_out(self) -> None:
        rules = self.sitting.rules
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
        self.banner.styles.width = width = min(BANNER_WIDTH, self.size.width)
        self.banner.styles.offset = (max(0, (plan.sides[-1].width - width) // 2), 4 if self.size.height > 12 else 0)

    @property
    def parts(self) -> list[Part]:
        """All parts that draw the scene."""
        return [
            self.header,
            *self.side_views,
            self.draw_pile,
            self.discard_pile,
            self.window,
            *self.card_views,
            self.ghost,
        ]

    # ------------------------------------------------------------------ what the driver of the game loop wants

    def show(self, viewer: int | None, turn: int | None = None) -> None:
        """Show the table as a seat may see it."""
        moved = viewer != self.scene.viewer
        self._turn = turn
        self._set_scene(Scene(self.sitting, viewer, turn=turn, counts=self.counts))
        if moved:
            self._lay_out()
        lines = self._tell_log()
        if self.input.mode is Mode.WATCH and lines:
            self.say(lines[-1])

    def _tell_log(self) -> list[str]:
        """Show the log, in brief where its lines are short; returns the lines."""
        lines = self._logs[self._plan.log.width < BRIEF].latest(self.scene.viewer, MOST_LINES)
        self.log_view.tell(lines)
        if isinstance(self.app.screen, LogScreen):
            self.app.screen.follow(self._logs[False].hands(self.scene.viewer))
        return lines

    def show_log(self) -> None:
        """Show the log of the whole match."""
        self.app.push_screen(LogScreen(self._logs[False].hands(self.scene.viewer), self._))

    def _set_scene(self, scene: Scene) -> None:
        self.scene = scene
        for part in self.parts:
            part.show(scene)
        self._paint_together()

    def _paint_together(self) -> None:
        """Paint in one frame what changes at once: cards of one moment under the question of another would mislead."""
        parts: list[Widget] = [*self.parts, self.message, self.choices]
        self._dirty_widgets.update(part for part in parts if part in self._compositor.visible_widgets)
        self.check_idle()

    # A private method of Textual: it alone knows when a frame is really painted, and with which widgets. The public
    # hook after each display is also called where nothing was painted, and too late to put more into the frame.
    def _compositor_refresh(self) -> None:
        self._compositor.update_widgets(self._dirty_widgets)
        super()._compositor_refresh()
        if self.is_current and not self.app._batch_count:
            for view in self.card_views:
                view.seen = view.face

    def warn(self, text: str) -> None:
        """Tell what went wrong, beside the question that stands."""
        self.app.notify(text, severity="warning", markup=False)
        self.ring()

    async def pause(self, seconds: float) -> None:
        """Wait, unless something is pressed."""
        await self.input.pause(seconds)

    async def coup_called(self, text: str) -> None:
        """A coup fourré is an event: it rings, and stands in the middle of the screen for a moment."""
        self.ring()
        self.banner.update(f"★  {self.sitting.theme.coup.upper()} !  ★\n\n{text}")
        self.banner.display = True
        if self.sitting.preferences.pace > 0:
            await self.input.pause(max(BANNER, self.sitting.preferences.pace))
            self._hide_banner()
        else:
            self.set_timer(BANNER, self._hide_banner)

    def _hide_banner(self) -> None:
        self.banner.display = False

    async def keyboard(self, seat: int) -> None:
        """Let the keyboard pass to a person."""
        await self.input.keyboard(seat)

    async def turn(self, seat: int, drawn: Sequence[Card]) -> Decided:
        """A person's turn."""
        return await self.input.turn(seat, drawn)

    async def coup(self, seat: int, holds: bool) -> Decided:
        """The question of a coup fourré."""
        return await self.input.coup(seat, holds)

    async def extension(self, seat: int) -> Decided:
        """The choice at the goal."""
        return await self.input.extension(seat)

    async def end_of_hand(self, text: str) -> None:
        """Show the score; returns when another hand or match is wanted."""
        while True:
            answer = await self.app.push_screen_wait(SheetScreen(self.sitting, self.loop.viewer(), text, self._))
            if answer == "undo":
                raise TakenBack
            if answer == "save":
                await self.commands.save()
            elif answer == "review":
                await self.commands.review()
            elif answer == "yes":
                return
            elif await self.commands.part():
                # As in the classic game: who could not save plays on, and can try again.
                self.say(self._("The game continues."))
                return

    def follow(self, preferences: Preferences) -> None:
        """Preferences have changed."""
        sitting = self.sitting
        sorts = preferences.sort and not sitting.preferences.sort
        sitting.preferences = preferences
        if sorts:
            self.input.sort_hands()
        words = theme(self.mille.card_theme)
        if words is not sitting.theme:
            sitting.theme = words
            sitting.teller = Teller(sitting.cast, words, self._)
        if self.is_mounted:
            self.redraw(self.scene.deciding)

    # ------------------------------------------------------------------ what the input wants

    def say(self, text: str, kind: str = "") -> None:
        """Put a text on the message line; one that is too long takes the line of the choices and rows above as well.

        The answers to a question stay in sight, for those who click as well.
        """
        self.message.say(text, kind)
        self._fit_message()
        self._paint_together()

    def _fit_message(self) -> None:
        line, below = self._plan.message, self._plan.choices
        rows = Content(self.message.text).get_height({}, max(1, line.width - MESSAGE_PADDING))
        asks = self.message.has_class("-question") or self.message.has_class("-coup")
        place, covers = line, rows > line.height and not asks
        if covers:
            place = line.union(below)
        if rows > place.height:  # over what lies above, as long as the message stands
            top = max(0, place.bottom - rows)
            place = Region(place.x, top, place.width, place.bottom - top)
        put_at(self.message, place)
        if covers:
            self.choices.display = False
        else:
            put_at(self.choices, below)

    def offer(self, choices: Sequence[Choice]) -> None:
        """Show what can be chosen now."""
        self.choices.offer(choices)
        self._paint_together()

    def select(self, place: int | None) -> None:
        """Mark the card at a place."""
        for view in self.card_views:
            if view.selected != (view.number == place):
                view.selected = view.number == place
                view.refresh()

    def ring(self) -> None:
        """Beep, where errors ring."""
        if self.mille.preferences.bell:
            self.app.bell()

    def redraw(self, deciding: bool) -> None:
        """Show the table again."""
        viewer = self.scene.viewer
        coup = self.input.mode is Mode.COUP
        self._set_scene(Scene(self.sitting, viewer, deciding and viewer is not None, self._turn, self.counts, coup))

    def key_for(self, action: str) -> str:
        """The first key of an action, as people know it."""
        keys = self.mille.keymap.get(action, ())
        if action == "yes" and keys[:1] == ("y",):
            return yes_key(self._)
        return key_name(keys[0], self._) if keys else ""

    # ------------------------------------------------------------------ keys and mouse

    def action_table(self, action: str) -> None:
        """A key of the key map, or a click on a choice; one typed ahead of a dialogue is no answer to the table."""
        if not self.commands.is_busy and not self.input.command(action):
            self.commands.command(action)

    def action_yes_or(self, action: str) -> None:
        """The letter that says yes in this language, where it means something else when no question is asked."""
        self.action_table("yes" if self.input.is_yes_or_no else action)

    def on_key(self, event: events.Key) -> None:
        """A key without a meaning of its own ends a pause."""
        if self.input.mode is Mode.WATCH:
            self.input.command("confirm")

    # A private method of Textual: events of the mouse come in here, in their order. Handlers are called from the queues
    # of the widgets below the mouse (see `Mouse`), and a screen's own only for what no widget has taken.
    def _forward_event(self, event: events.Event) -> None:
        if isinstance(event, events.MouseEvent) and not event.is_forwarded and not self.is_second_click(event):
            self.mouse.take(event)
        super()._forward_event(event)

    def on_screen_suspend(self) -> None:
        """Something comes to lie above the table, whose keys mean nothing then."""
        self.mouse.forget()
        self.choices.visible = False

    def on_screen_resume(self) -> None:
        """The table can be seen again."""
        super().on_screen_resume()
        self.choices.visible = True

    def drop_grip(self) -> None:
        """The mouse lets go of a card."""
        self.mouse.forget()
