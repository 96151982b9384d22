"""The whole of ``millebornes play --plain``: resume a game or set one up, play it, and leave."""

import contextlib
import dataclasses
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from millebornes.errors import SaveError
from millebornes.i18n import Translator, translator
from millebornes.session.new_game import Start, game_of
from millebornes.session.unfinished import resume, take_save, unreadable_games
from millebornes.storage import (
    Preferences,
    SavedGame,
    hold_save,
    let_go,
    load_preferences,
    open_slot,
    save_path,
    save_preferences,
    unfinished,
)
from millebornes.storage.preferences import LINES
from millebornes.table.setup import GameSetup
from millebornes.themes import Theme, theme, theme_for
from millebornes.tui.plain.console import Console, Interrupted, Leave
from millebornes.tui.plain.setup import TutorialWanted, ask_again, ask_setup, confirm, never_fit
from millebornes.tui.plain.unfinished import offer_unfinished
from millebornes.tui.plain.warm import WarmUp
from millebornes.words.setup import simply_text
from millebornes.words.troubles import PLAYED_ON, kept_as, no_file_question, not_autosaved
from millebornes.words.words import Words


@dataclasses.dataclass(frozen=True, kw_only=True)
class PlayOptions:
    """The options from the command line. ``save`` is a file to resume from, and ``setup`` is the game to play.

    Without a ``setup``, the player chooses. ``names``, ``seed`` and ``practice`` are for the game that they choose.
    With ``tutorial``, the program starts with the tutorial. ``symbols`` is true if the full screen may use symbols in
    addition to plain characters. If it is None, the preferences decide.
    """

    save: Path | None = None
    setup: GameSetup | None = None
    names: tuple[str, ...] = ()
    seed: str | None = None
    practice: bool = False
    language: str = "en"
    theme: str | None = None
    symbols: bool | None = None
    manual_pick: bool | None = None
    brief: bool | None = None
    tutorial: bool = False

    def offered(self, last_game: Mapping[str, Any] | None) -> GameSetup:
        """Return the setup to offer to the player: that of the last game, with what the command line adds to it."""
        setup = GameSetup.from_dict(last_game).with_names(self.names)
        return dataclasses.replace(setup, seed=self.seed, practice=self.practice or setup.practice)


def play_plain(options: PlayOptions) -> int:
    """Play in this terminal and return the exit status. Raises `SaveError` if a save can't be read."""
    _ = translator(options.language)
    console = Console()
    warm = WarmUp(_load_rules, _("Preparing the rules (first time only)…"))
    try:
        with console.signals():
            try:
                start = _start(console, options, warm, _)
                if start is None:
                    return 0
                warm.wait(console)
                game = _game(console, options, start, _)
                _prepare(console, game, _)
            except Leave as left:  # no game has started yet
                if left.why != "stuck":
                    return 0
                console.say(never_fit(_))
                return 1
            except Interrupted:
                return 0
            return _sit_down(console, options, start, game, _)
    finally:
        let_go()
        _close(console)


def _load_rules(compiling: Callable[[], None]) -> None:
    from millebornes.players.preparation import prepare_rules

    prepare_rules(compiling)


def _prepare(console: Console, game: SavedGame, _: Translator) -> None:
    from millebornes.players.preparation import prepare_players

    behind: list[str] = []
    table = game.seats, game.match.rules, game.match.match_target
    text = _("Preparing the computer player (first time only)…")
    WarmUp(lambda compiling: behind.extend(prepare_players(*table, compiling)), text).wait(console)
    if behind:
        console.say(simply_text(tuple(behind), _))


def _teach(console: Console, options: PlayOptions, warm: WarmUp, _: Translator) -> bool:
    """Run the tutorial. Return whether the player wants to play a game afterwards."""
    warm.wait(console)
    from millebornes.session.tutorial import Tutorial
    from millebornes.tui.plain.session import Session

    preferences = line_preferences()
    tutorial = Tutorial(Words(_, chosen_theme(options, preferences, _)))
    session = Session(console, tutorial.session(preferences), None, _, tutorial)
    session.run()
    return session.finished and confirm(console, _("Play a game now?"), _, default=True)


def line_preferences(console: Console | None = None) -> Preferences:
    """Return the preferences for the line game. Errors in them are printed on ``console``, if it is given."""
    try:
        return load_preferences(LINES)
    except SaveError as error:
        if console is not None:
            console.say(str(error))
        return Preferences(medium=LINES)


def chosen_theme(options: PlayOptions, preferences: Preferences, _: Translator) -> Theme:
    """Return the theme from the command line, the preferences or, by default, the language."""
    wanted = options.theme or preferences.theme
    return theme(wanted) if wanted else theme_for(_.language)


def _start(console: Console, options: PlayOptions, warm: WarmUp, _: Translator) -> Start | None:
    """Return how the session starts, after the tutorial if the player wants it. Return None if the player leaves."""
    teach = options.tutorial
    while not teach or _teach(console, options, warm, _):
        console.say_all(unreadable_games(_))
        try:
            return _begin(console, options, warm, _)
        except TutorialWanted:
            teach = True
    return None


def _begin(console: Console, options: PlayOptions, warm: WarmUp, _: Translator) -> Start:
    """Resume a game or set one up. Raises `TutorialWanted`."""
    if options.save is None:
        console.say(_("Mille Bornes. Type ? at any time for help."))
        if options.setup is None and (start := offer_unfinished(console, warm, _)) is not None:
            return start
        return Start(_setup(console, options, _))
    path = save_path(options.save)
    if not os.path.lexists(path):
        # A mistyped name must not start a different game, but it is fine to start a new game under a new name.
        hold_save(path)
        try:
            if options.setup is None and not confirm(console, no_file_question(path, _), _, default=True):
                raise SaveError(f"{path}: there is no such file")
        except (Leave, Interrupted) as left:
            if isinstance(left, Leave) and left.why == "stuck":
                raise
            raise SaveError(f"{path}: there is no such file") from None
        return Start(_setup(console, options, _), file=path)
    slot = take_save(path)
    if slot is None and (start := _offer_later(console, path, warm, _)) is not None:
        return start
    warm.wait(console)
    return resume(path, slot)


def _setup(console: Console, options: PlayOptions, _: Translator) -> GameSetup:
    """Return the new game to play: that of the command line, that of last time, or what the player chooses."""
    if options.setup is not None:
        return options.setup
    last_game = line_preferences().last_game
    if last_game is not None and not options.names:
        offered = options.offered(last_game)
        if ask_again(console, offered, _):
            return offered
    return ask_setup(console, options.offered(None), list(options.names), _)


def _offer_later(console: Console, file: Path, warm: WarmUp, _: Translator) -> Start | None:
    """Offer to resume the autosave of a game that continued after a save was written."""
    slot = unfinished(file)
    if slot is None:
        return None
    try:
        if confirm(console, _(PLAYED_ON), _, default=True):
            warm.wait(console)
            return resume(slot.path, slot)
        console.say(kept_as(slot.keep(), _))
    except SaveError as error:
        console.say(str(error))
    except BaseException:
        slot.release()
        raise
    slot.release()
    return None


def _game(console: Console, options: PlayOptions, start: Start, _: Translator) -> SavedGame:
    """Return the game to play, with the preferences of the person and of the command line."""
    preferences = line_preferences(console)
    console.colour = console.colour and preferences.colours != "none"
    if isinstance(start.game, GameSetup):
        preferences = dataclasses.replace(preferences, last_game=start.game.to_dict())
        with contextlib.suppress(SaveError):  # if a file is invalid, this has already been reported above
            save_preferences(preferences)
    game = game_of(start, preferences, _)
    asked = {"manual_pick": options.manual_pick, "brief": options.brief}
    chosen: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    return dataclasses.replace(game, preferences=dataclasses.replace(game.preferences, **chosen))


def _sit_down(console: Console, options: PlayOptions, start: Start, game: SavedGame, _: Translator) -> int:
    from millebornes.session.game_session import GameSession
    from millebornes.tui.plain.session import Session

    slot, cards = start.slot, chosen_theme(options, game.preferences, _)
    if slot is None:
        try:
            slot = open_slot()
        except SaveError as error:
            console.say(not_autosaved(error, _))
    try:
        return Session(console, GameSession(game, start.file, cards, _), slot, _).run()
    finally:
        if slot is not None:
            slot.release()


def _close(console: Console) -> None:
    """End without errors if the terminal has disappeared. The command line reports other failures as usual."""
    with contextlib.suppress(OSError, ValueError):
        console.flush()
        return
    if not console.is_terminal:
        return
    devnull = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError, ValueError):
        os.dup2(devnull, sys.stdout.fileno())
