"""The application: its screens, colours, keys and signals; it imports nothing of the game before the first screen."""

import contextlib
import os
import signal
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import BindingType
from textual.filter import Monochrome, NoColor

from millebornes.errors import SaveError
from millebornes.i18n import translator
from millebornes.storage import AutosaveSlot, Preferences, load_preferences, open_slot
from millebornes.themes import theme, theme_for
from millebornes.tui.full.colours import COLOURS, colours_for
from millebornes.tui.full.keys import KEYMAP
from millebornes.tui.full.loading import LoadingScreen
from millebornes.tui.sitting.setup import Setup

if TYPE_CHECKING:
    from millebornes.storage import SavedGame
    from millebornes.tui.full.table import TableScreen
    from millebornes.tui.plain import Options

__all__ = ["MilleApp"]


class MilleApp(App[int]):
    """Mille Bornes on the whole screen. Its result is the exit status; `farewell` is what to say afterwards."""

    TITLE = "Mille Bornes"
    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, options: "Options") -> None:
        no_colour = bool(os.environ.get("NO_COLOR"))
        super().__init__()
        self.options = options
        self._ = translator(options.language)
        self.farewell = ""
        self.table: TableScreen | None = None
        self.keymap: Mapping[str, Sequence[str]] = KEYMAP
        self.trouble = ""
        try:
            self.preferences = load_preferences()
        except SaveError as error:
            self.preferences = Preferences()
            self.trouble = str(error)
        self._no_colour = no_colour
        self._filters[:] = [found for found in self._filters if not isinstance(found, Monochrome | NoColor)]
        self._plain_filter = NoColor()
        self._filters.append(self._plain_filter)
        for colours in COLOURS:
            self.register_theme(colours)
        self.use_colours()

    @property
    def card_theme(self) -> str:
        """The name of the theme of the cards."""
        return self.options.theme or self.preferences.theme or theme_for(self._.language).name

    def use_colours(self) -> None:
        """Take the colours that the preferences ask for; NO_COLOR beats them."""
        wish = "none" if self._no_colour else self.preferences.colours
        self._plain_filter.enabled = wish == "none"
        self.theme = colours_for(self.card_theme, wish)

    # ------------------------------------------------------------------ beginning

    def on_mount(self) -> None:
        """Show something at once, load the rules behind it."""
        self._take_signals()
        self.loading_screen = LoadingScreen(self._)
        self.push_screen(self.loading_screen)
        self.call_after_refresh(self._warm_up)

    def _warm_up(self) -> None:
        threading.Thread(target=self._load, name="warm-up", daemon=True).start()

    def _load(self) -> None:
        """In a thread: load the rules (the first time they are compiled, which takes seconds) and the table."""
        from millebornes.game import prepare

        prepare(lambda: self.call_from_thread(self.loading_screen.tell_compiling))

        with contextlib.suppress(RuntimeError):  # the app has gone
            self.call_from_thread(self._begin)

    def _begin(self) -> None:
        from millebornes.tui.sitting.setup import new_seed, seat_names

        options = self.options
        assert options.rules is not None
        setup = Setup(
            rules=options.rules,
            seats=options.seats,
            names=seat_names(options.seats, list(options.names), self._),
            match_target=options.match_target,
            seed=new_seed() if options.seed is None else options.seed,
        )
        self.play_new(setup)

    def play_new(self, setup: Setup, file: Path | None = None) -> None:
        """Begin a new game."""
        from millebornes.tui.sitting.sitting import new_game

        game = new_game(setup.rules, setup.seats, setup.names, setup.match_target, setup.seed, self.preferences)
        self.play(game, None, file)

    def play(self, game: "SavedGame", slot: AutosaveSlot | None, file: Path | None) -> None:
        """Sit down at the table of a game, which saves itself in a slot of its own where none is given."""
        from millebornes.tui.full.saving import Saver
        from millebornes.tui.full.table import TableScreen
        from millebornes.tui.sitting.sitting import Sitting

        if slot is None:
            try:
                slot = open_slot()
            except SaveError as error:
                self.trouble = self._("This game cannot save itself: {reason}.").format(reason=error)
        sitting = Sitting(game, file, theme(self.card_theme), self._)
        self.table = TableScreen(sitting, Saver(sitting, slot, self._), self._)
        self.switch_screen(self.table)
        if self.trouble:
            self.notify(self.trouble, severity="warning", markup=False)

    # ------------------------------------------------------------------ ending

    def _take_signals(self) -> None:
        import asyncio

        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None:
                with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):  # Windows; not the main thread
                    loop.add_signal_handler(number, self._told_to_end)

    def _told_to_end(self) -> None:
        """SIGTERM or SIGHUP: save and leave."""
        status, text = (0, "") if self.table is None else self.table.saver.leave()
        self.leave(status, text)

    def leave(self, status: int, farewell: str) -> None:
        """Leave the screen; ``farewell`` is printed when the terminal is as it was."""
        self.farewell = farewell
        if self.table is not None:
            self.table.sitting.close()
        self.exit(status)
