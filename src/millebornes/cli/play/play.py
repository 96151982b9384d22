"""``millebornes play``: play a game in the terminal."""

import os
import sys
from pathlib import Path
from typing import Final

import click

from millebornes.cli.common import (
    DEFAULT_EDITION,
    DEFAULT_SEATS,
    ChosenTable,
    TextType,
    blamed_on,
    check_player,
    language_option,
    match_target_option,
    seed_option,
    symbols_option,
    table_options,
    theme_option,
)
from millebornes.cli.play.statistics import print_statistics
from millebornes.editions import EDITIONS, Rules
from millebornes.i18n import choose_language
from millebornes.player_names import HUMAN, OWN_PREFIXES
from millebornes.roster import DEFAULT_PLAYER
from millebornes.shown import clean_name
from millebornes.table.setup import GameSetup
from millebornes.tui.plain import PlayOptions, play_plain


def _place(edition: str | None) -> str:
    """Return an edition in a form that is valid in any folder: its name, or the full path of its file."""
    name = edition or DEFAULT_EDITION
    return name if name in EDITIONS else str(Path(name).expanduser().absolute())


def _seats(players: tuple[str, ...], rules: Rules) -> tuple[str, ...]:
    """Return the player for each seat. Raises `click.UsageError` if a player doesn't exist or there are too many."""
    if len(players) > rules.seats:
        raise click.BadParameter(
            f"{len(players)} players for {rules.seats} seats; use --seats {len(players)} for a larger table",
            param_hint="'--player'",
        )
    seats = players + (HUMAN, *[DEFAULT_PLAYER] * rules.seats)[len(players) : rules.seats]
    others = [name for name in dict.fromkeys(seats) if name not in {HUMAN, DEFAULT_PLAYER}]
    if others:
        from millebornes.errors import PlayerError

        for name in others:  # this loads the game, so do it only if needed: the first question should appear quickly
            try:
                check_player(name, rules)
            except PlayerError as error:
                too = f", and {HUMAN}" if "the players are" in str(error) else ""
                raise click.BadParameter(f"{error}{too}", param_hint="'--player'") from None
    return seats


def _exists(save: Path) -> bool:
    from millebornes.errors import SaveError
    from millebornes.storage import save_path

    with blamed_on("SAVE", SaveError):
        return save_path(save).exists()


def _refuse_programs(save: Path) -> None:
    """Raise `click.UsageError` if a saved game from someone else would start programs."""
    from millebornes.errors import SaveError
    from millebornes.storage import save_path, slot_of
    from millebornes.storage.saves import peek

    try:
        path = save_path(save)
        slot = slot_of(path)
        if slot is not None:
            slot.release()
            return  # this program wrote the file itself
        seats = peek(path).save.get("seats") or ()
    except SaveError:
        return  # the game reports what is wrong with the file
    programs = [name for name in seats if isinstance(name, str) and name.startswith(OWN_PREFIXES)]
    if programs:
        raise click.UsageError(
            f"{save}: this saved game starts a program as a player: {programs[0]!r}. Add --trust to continue it, "
            "if you know where the file comes from"
        )


class _NameType(TextType):
    """The name of a person, which must contain at least one visible character."""

    name = "text"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        shown = clean_name(super().convert(value, param, ctx))
        if not shown:
            self.fail(f"{value!r} has no visible character; leave out --name to play without a name", param, ctx)
        return shown


_HELP: Final = """\
Play a game in the terminal, alone against computer players or with friends at one keyboard.

On a terminal, the game uses the whole screen, and you play with keys or the mouse. Elsewhere, or with --plain, it
prints one line at a time. If you give no options, it asks you what to play. SAVE is a saved game that you want to
continue. The game is saved automatically after every move, and also when the input ends. Type ? during the game for
a list of commands."""


@click.command(help=_HELP)
@click.argument("save", metavar="[SAVE]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--player",
    "players",
    type=TextType(),
    multiple=True,
    metavar="NAME",
    help=f"Player for the next seat: {HUMAN}, a computer player ('millebornes players' lists them), cmd:COMMAND (a "
    "program in any language), py:FILE.py (a Python class) or onnx:FILE (a neural network); may be repeated. "
    f" [default: {HUMAN}, then {DEFAULT_PLAYER}]",
)
@click.option(
    "--name",
    "names",
    type=_NameType(),
    multiple=True,
    metavar="TEXT",
    help="Name of the next human player; may be repeated.",
)
@table_options
@match_target_option()
@seed_option
@click.option("--plain", is_flag=True, help="Play line by line, for screen readers, simple terminals and scripts.")
@click.option(
    "--manual-pick/--auto-pick",
    default=None,
    help="Draw your own cards with P, or draw them automatically.  [default: your saved setting]",
)
@click.option(
    "--brief/--no-brief",
    default=None,
    help="In line-by-line play, announce only what has changed since your last turn, or the whole table.  "
    "[default: your saved setting]",
)
@click.option("--practice", is_flag=True, help="Start a practice game (undo and card counting allowed).")
@click.option("--tutorial", is_flag=True, help="Start with a hand that teaches you the game.")
@click.option("--statistics", is_flag=True, help="Print your statistics and exit.")
@click.option("--review", is_flag=True, help="With --statistics, first review the matches that haven't been reviewed.")
@click.option("--json", "as_json", is_flag=True, help="With --statistics, print them as JSON.")
@click.option("--trust", is_flag=True, help="Resume SAVE even if it starts programs as players.")
@language_option
@theme_option
@symbols_option
@click.pass_context
def play(
    ctx: click.Context,
    save: Path | None,
    players: tuple[str, ...],
    names: tuple[str, ...],
    table: ChosenTable,
    match_target: int | None,
    seed: str | None,
    plain: bool,
    manual_pick: bool | None,
    brief: bool | None,
    practice: bool,
    tutorial: bool,
    statistics: bool,
    review: bool,
    as_json: bool,
    trust: bool,
    language: str | None,
    theme: str | None,
    symbols: bool | None,
) -> int:
    """Run the command ``play``."""
    target_given = ctx.get_parameter_source("match_target") is not click.core.ParameterSource.DEFAULT
    chosen = bool(players or table.given or target_given)
    if statistics:
        if save is not None or chosen or names or seed is not None or practice or tutorial:
            raise click.UsageError(
                "--statistics doesn't start a game; leave out SAVE and any options that say what to play"
            )
        return print_statistics(choose_language(language or preferred_language()), review=review, as_json=as_json)
    if review:
        raise click.UsageError("--review needs --statistics; to review a single match, use 'millebornes review FILE'")
    if as_json:
        raise click.UsageError("--json needs --statistics; a game doesn't print JSON")
    exists = save is not None and _exists(save)
    if exists and (chosen or seed is not None):
        raise click.UsageError(
            "a saved game has its own rules, seats and seed; to continue SAVE, leave out these options"
        )
    if exists and (practice or tutorial):
        raise click.UsageError("a saved game continues as it was started; leave out --practice and --tutorial")
    if exists and save is not None and not trust:
        _refuse_programs(save)
    setup = None
    if chosen:
        rules = table.rules(max(len(players), DEFAULT_SEATS))
        setup = GameSetup(
            rules=rules,
            edition=_place(table.edition),
            places=_seats(players, rules),
            match_target=match_target,
            seed=seed,
            practice=practice,
        ).with_names(names)
        if len(names) > len(setup.people):
            raise click.BadParameter(
                f"{len(names)} names for {len(setup.people)} people; use --player {HUMAN} once for each person",
                param_hint="'--name'",
            )
    options = PlayOptions(
        save=save,
        setup=setup,
        names=names,
        seed=seed,
        practice=practice,
        language=choose_language(language or preferred_language()),
        theme=theme,
        symbols=symbols,
        manual_pick=manual_pick,
        brief=brief,
        tutorial=tutorial,
    )
    if plain or brief is not None or not is_screen():
        return play_plain(options)
    # Loaded only here, because the plain game doesn't need this library.
    from millebornes.tui.full import play_full

    return play_full(options)


def preferred_language() -> str | None:
    """Return the language in the preferences, or None if they leave it to the system or can't be read."""
    from millebornes.errors import SaveError
    from millebornes.storage import load_preferences

    try:
        return load_preferences().language
    except SaveError:
        return None  # the game reports what is wrong with them


def is_screen() -> bool:
    """Return whether input and output are a terminal that can show the full-screen game."""
    if os.environ.get("TERM", "").lower() in {"dumb", "unknown"}:
        return False
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
