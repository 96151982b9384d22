"""The base of the full-screen apps. It imports nothing of the game before the first screen appears."""

import asyncio
import contextlib
import dataclasses
import functools
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from rich.console import RenderableType
from rich.segment import Segment, Segments
from textual import events, work
from textual.app import ScreenStackError, SystemCommand
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.command import CommandPalette
from textual.css.query import NoMatches
from textual.dom import DOMNode
from textual.driver import Driver
from textual.errors import NoWidget
from textual.filter import LineFilter, Monochrome, NoColor
from textual.screen import Screen
from textual.worker import WorkerFailed

from millebornes.errors import MilleBornesError, SaveError
from millebornes.i18n import Translator, translator
from millebornes.storage import Preferences, change_preferences, load_preferences
from millebornes.themes import theme_for
from millebornes.tui.common.glyphs import can_show_symbols, in_plain_cells
from millebornes.tui.common.wrapping import keep_no_break_spaces
from millebornes.tui.full.screens.base_screen import LoadingScreen, StableScreen, TooSmall
from millebornes.tui.full.terminal.early_input import EarlyInput
from millebornes.tui.full.terminal.keys import APP_SUSPEND, KEYMAP, SUSPEND, in_lower_case, textual_keymap
from millebornes.tui.full.terminal.textual_private import HookedApp
from millebornes.tui.full.widgets.colours import COLOURS, colours_for
from millebornes.words.troubles import not_kept

if TYPE_CHECKING:
    from millebornes.session.game_session import GameSession
    from millebornes.session.saving import Saver
    from millebornes.storage import SavedGame
    from millebornes.tui.plain import PlayOptions

HEAD_START: Final = 0.2
"""How many seconds the start screen gets to appear before the rules are loaded in the background."""

T = TypeVar("T")

LEGIBLE: Final = 80  # the minimum number of columns in which an error report is readable


class PlayedScreen(StableScreen, Screen[None]):
    """A screen with a game on it, as the app sees it."""

    session: "GameSession"
    saver: "Saver"

    def follow(self, preferences: Preferences) -> None:
        """Apply preferences that have changed."""
        raise NotImplementedError

    def ask_to_leave(self) -> None:
        """Ask the player what to do with the game, and leave."""
        raise NotImplementedError

    def palette(self) -> Iterable[SystemCommand]:
        """Return the screen's commands for the command palette."""
        raise NotImplementedError


class _PlainCharacters(LineFilter):
    """A filter that replaces symbols and letters by ASCII. Texts keep their width."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments in ASCII."""
        return [
            segment if segment.text.isascii() else Segment(in_plain_cells(segment.text), *segment[1:])
            for segment in segments
        ]


class FullScreenApp(HookedApp):
    """The base class of the full-screen apps. The result of an app is its exit status.

    Subclasses do their work in `begin`. When the app has ended, `farewell` is the message to print on the terminal, and
    `failure` is the error that ended the app, if any.
    """

    TITLE = "Mille Bornes"
    CSS_PATH = Path(__file__).with_name("style.tcss")
    ENABLE_COMMAND_PALETTE = True
    COMMAND_PALETTE_BINDING = "f10"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True, system=True),
        Binding(",".join(KEYMAP[SUSPEND]), "suspend_process", show=False, priority=True, id=APP_SUSPEND),
    ]

    def __init__(
        self,
        options: "PlayOptions",
        keymap: Mapping[str, Sequence[str]] = KEYMAP,
        driver: type[Driver] | None = None,
        *,
        key_faults: Sequence[str] = (),
    ) -> None:
        self._no_colour = bool(os.environ.get("NO_COLOR"))
        self._colourless = NoColor()
        self._plain = _PlainCharacters()
        self._can_show_symbols: Final = can_show_symbols(sys.stdout.encoding)  # Textual replaces the stream later
        keep_no_break_spaces()
        self._early_input = EarlyInput()
        super().__init__(driver_class=driver)
        self.options = options
        self.keymap = keymap
        self._own_keys = {key for action, keys in keymap.items() if tuple(keys) != KEYMAP[action] for key in keys}
        self.set_keymap(textual_keymap(keymap))
        self.key_faults = key_faults
        self.farewell = ""
        self.failure: MilleBornesError | None = None
        self.table: PlayedScreen | None = None
        self.trouble = ""
        self._before: dict[int, Any] = {}  # the signal handlers that were installed before
        self.ready = asyncio.Event()
        self._loading_screen: LoadingScreen | None = None
        try:
            self.preferences = load_preferences()
        except SaveError as error:
            self.preferences = Preferences()
            self.trouble = str(error)
        self._ = translator(options.language)
        for colours in COLOURS:
            self.register_theme(colours)
        self.use_colours()
        self.use_glyphs()

    @property
    def card_theme(self) -> str:
        """The name of the card theme."""
        return self.options.theme or self.preferences.theme or theme_for(self._.language).name

    @property
    def has_symbols(self) -> bool:
        """Whether all characters can be shown, or only ASCII."""
        return not self._plain.enabled

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters for each line. Without colours, they also remove the greys that Textual itself uses."""
        filters = [found for found in super().get_line_filters() if not isinstance(found, Monochrome | NoColor)]
        return filters + [own for own in (self._colourless, self._plain) if own.enabled]

    def use_glyphs(self) -> None:
        """Draw with the characters that the command line, the preferences or the terminal allow."""
        before, wanted = self.has_symbols, self.options.symbols
        if wanted is None:
            wish = self.preferences.symbols
            wanted = self._can_show_symbols if wish == "auto" else wish == "yes"
        self._plain.enabled = not wanted
        if self.is_running and before != wanted:
            for screen in self.screen_stack:
                for widget in screen.query():
                    widget.refresh()
                screen.refresh()

    def use_colours(self) -> None:
        """Use the colours set in the preferences, unless NO_COLOR is set."""
        wish = "none" if self._no_colour else self.preferences.colours
        self._colourless.enabled = wish == "none"
        self.theme = colours_for(self.card_theme, wish, os.environ.get("COLORFGBG", ""))

    def follow(self, preferences: Preferences) -> None:
        """Apply preferences that were changed and saved elsewhere, and update the screen and the table."""
        before, self.preferences = self.preferences, preferences
        if preferences.theme != before.theme:  # a choice made here takes precedence over the command line
            self.options = dataclasses.replace(self.options, theme=preferences.theme)
        if preferences.symbols != before.symbols:
            self.options = dataclasses.replace(self.options, symbols=None)
        self.use_colours()
        self.use_glyphs()
        if self.table is not None:
            self.table.follow(preferences)

    def prefer(self, _: Translator, **changes: object) -> None:
        """Change preferences and save them. If they can't be saved, show a message in the language of the screen.

        Only the changes are saved, because other preferences may come from the command line or from a saved game.
        """
        self.follow(dataclasses.replace(self.preferences, **changes))  # type: ignore[arg-type]
        try:
            change_preferences(changes)
        except SaveError as error:
            self.notify(not_kept(error, _), severity="warning", markup=False)

    async def on_event(self, event: events.Event) -> None:
        """Ignore input from before the current question was visible, because it can't be an answer."""
        with contextlib.suppress(ScreenStackError):
            screen = self.screen
            if isinstance(screen, StableScreen) and (
                self._early_input.is_early(event, screen.open_since, ahead=screen.typed_ahead())
                or screen.is_double(event)
            ):
                return
            if isinstance(event, events.Key) and not event.is_forwarded:
                event = self._as_bound(self._as_digit(event))
        await super().on_event(event)

    def on_mount(self) -> None:
        """Show the first screen at once, and load the rules in the background."""
        self._take_signals()
        self._loading_screen = LoadingScreen(self._)
        self.push_screen(self._loading_screen)
        self.run_worker(self._begin(), name="beginning")
        if self.options.setup is None and not self.options.tutorial:
            self.set_timer(HEAD_START, self._warm_up)  # the start screen comes first; it doesn't need the rules
        else:
            self.call_after_refresh(self._warm_up)

    async def begin(self) -> None:
        """Do the work of the app, and then leave. Raises `MilleBornesError` if the app has to end because of it."""
        raise NotImplementedError

    def load_screens(self) -> None:
        """Import the screens that follow. This method runs in a thread after the rules are loaded."""

    async def _begin(self) -> None:
        if self.key_faults:
            from millebornes.tui.full.screens.dialogs import Reader

            lines = [*self.key_faults, "", self._("The usual keys are used instead.")]
            await self.push_screen_wait(Reader(self._("Custom keys"), lines, self._))
        try:
            await self.begin()
        except MilleBornesError as error:
            self.failure = error
            self.exit(1)

    @work(name="warm-up")
    async def _warm_up(self) -> None:
        def load() -> None:
            from millebornes.players.preparation import prepare_rules

            prepare_rules(self._status_setter(self._("Preparing the rules (first time only)…")))
            self.load_screens()

        await self._in_background(load)
        self.ready.set()

    async def get_ready(self, game: "SavedGame") -> None:
        """Prepare those computer players that take long to compile the first time."""
        from millebornes.player_names import COMMAND_PREFIX
        from millebornes.players.preparation import prepare_players, unprepared
        from millebornes.words.setup import simply_text

        if not (unprepared(game.seats) or any(name.startswith(COMMAND_PREFIX) for name in game.seats)):
            return
        table = game.seats, game.match.rules, game.match.match_target
        begins = self._status_setter(self._("Preparing the computer player (first time only)…"))
        behind = await self._in_background(lambda: prepare_players(*table, begins))
        if behind:
            self.trouble = simply_text(tuple(behind), self._)

    def _status_setter(self, text: str) -> Callable[[], None]:
        """Return a function that shows a text on the first screen. You can call it from any thread."""
        assert self._loading_screen is not None
        return self._later(functools.partial(self._loading_screen.tell, text))

    async def _in_background(self, work: Callable[[], T]) -> T:
        """Return the result of slow work. Its thread doesn't keep the program from ending."""
        done, results = asyncio.Event(), list[T]()
        errors = list[Exception]()

        def run() -> None:
            try:
                results.append(work())
            except Exception as error:
                errors.append(error)
            self._later(done.set)()

        threading.Thread(target=run, daemon=True).start()
        await done.wait()
        if errors:
            raise errors[0]
        return results[0]

    def _later(self, call: Callable[[], object]) -> Callable[[], None]:
        """Return a function that makes the event loop call ``call``. It works in any thread until the app has ended."""
        loop = self._events

        def ask() -> None:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(call)

        return ask

    def _as_digit(self, event: events.Key) -> events.Key:
        """Return the digit for a key that types it only with Shift. Keys from the keys file and text fields win."""
        digit = getattr(self.screen, "_", self._).digits(event.character or "")
        if digit == event.character or len(digit) != 1 or self._is_text(event) or event.key in self._own_keys:
            return event
        meant = events.Key(digit, digit)
        meant.time = event.time
        return meant

    def _is_text(self, event: events.Key) -> bool:
        """Return whether a key goes into a text field."""
        return self.focused is not None and self.focused.check_consume_key(event.key, event.character)

    def _as_bound(self, event: events.Key) -> events.Key:
        """Return the key that the player meant. Capital letters are the same as small ones, except in a text field."""
        key = in_lower_case(event.key)
        if key is None or event.key in self.screen.active_bindings or self._is_text(event):
            return event
        meant = events.Key(key, event.character)
        meant.time = event.time
        return meant

    def action_command_palette(self) -> None:
        """Show the command palette."""
        from millebornes.tui.full.screens.palette import Palette

        if not isinstance(self.screen, CommandPalette):
            self.push_screen(Palette())  # the new palette gets no id, because the previous one may still exist

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Return the commands for the palette: the commands of the table, if there is one, and Quit."""
        if self.table is not None and screen is self.table:
            yield from self.table.palette()
        yield SystemCommand(self._("Quit"), self._("Leave the game"), self._action_interrupt)

    def _action_interrupt(self) -> None:
        screen, table = self.screen, self.table
        if table is not None and screen is table:
            table.ask_to_leave()
        elif table is not None and isinstance(screen, CommandPalette):
            screen.dismiss()
        elif table is not None:  # the player pressed it again, so they mean it
            self._end_now()
        else:
            self.exit(0)

    async def action_quit(self) -> None:
        """Handle Ctrl-Q, Textual's own key, in the same way as Ctrl-C."""
        self._action_interrupt()

    @property
    def is_leaving(self) -> bool:
        """Whether the app has ended or is about to end."""
        return self.return_code is not None

    def _take_signals(self) -> None:
        """Handle signals while the app runs.

        The event loop's own handlers can lose a signal if the player has typed more than the loop has read. But if the
        loop has any handler, every signal wakes it, even a signal that the system delivers to another thread.
        """
        self._events = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP", "SIGINT"):
            number = getattr(signal, name, None)
            if number is not None:
                with contextlib.suppress(ValueError):  # not in the main thread
                    self._before[number] = signal.signal(number, lambda *_: self.terminal_gone())
        if hasattr(signal, "SIGURG"):
            with contextlib.suppress(ValueError, RuntimeError):  # not in the main thread
                self._events.add_signal_handler(signal.SIGURG, lambda: None)
                # If more signals arrive than the loop has read, it is awake, so no warning belongs on the screen.
                signal.set_wakeup_fd(signal.set_wakeup_fd(-1), warn_on_full_buffer=False)

    def on_unmount(self) -> None:
        """Restore the signal handlers. At this point, the app has ended and the terminal has been restored."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before.clear()

    def terminal_gone(self) -> None:
        """Handle the loss of the terminal. You can call this method from any thread."""
        self._later(self._end_now)()

    def _end_now(self) -> None:
        if self.is_leaving:
            return
        status, text = (0, "") if self.table is None else self.table.saver.end()
        self.leave(status, text)

    def ignores(self, error: Exception, node: DOMNode | None) -> bool:
        """Return whether an error is harmless, because it only concerns parts that disappear while a screen closes."""
        if self.is_leaving:
            return True
        cause = error.error if isinstance(error, WorkerFailed) else error
        if not isinstance(cause, NoMatches | NoWidget) or node is None or node is self:
            return False
        above = next((found for found in node.ancestors_with_self if isinstance(found, Screen)), None)
        return above is None or above not in self.screen_stack

    def report(self) -> RenderableType:
        """Return Textual's error report without the values of variables, which include the players' cards."""
        from rich.traceback import Traceback

        self.error_console.width = max(LEGIBLE, self.console.width)  # wider lines would be cut off
        options = self.console.options.update(width=self.error_console.width)
        report = Traceback(show_locals=False, width=None, suppress=["textual"])
        return Segments(self.console.render(report, options))

    def replacement(self) -> RenderableType | None:
        """Return what to show if the terminal is too small for any screen, otherwise None."""
        return TooSmall(self.size, self._) if TooSmall.holds(self.size) else None

    def return_to_start(self, status: int, farewell: str) -> None:
        """Leave the game, but not the app, if it has a start screen. ``farewell`` says what became of the game."""
        self.leave(status, farewell)

    def leave(self, status: int, farewell: str) -> None:
        """Leave the full screen. ``farewell`` is printed once the terminal has been restored."""
        self.farewell = farewell
        if self.table is not None:
            self.table.session.close()
            self.table.saver.release()
        self.exit(status)
