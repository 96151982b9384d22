"""``millebornes saves``: list unfinished games or delete them."""

import json
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from millebornes.cli.common import json_option, language_option
from millebornes.i18n import choose_language, translator
from millebornes.session.unfinished import (
    UnfinishedGame,
    delete_unfinished,
    describe_unfinished,
    unfinished_games,
    unreadable_games,
)

SUFFIX: Final = ".jsonl"


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(game.path.stem) for game in unfinished_games() if game.path.stem.startswith(incomplete)]


_HELP: Final = """\
List the unfinished games that were saved automatically, latest first, with their players, score and date.

With NAMEs (such as autosave-1), only these games are listed. To continue one, run 'millebornes play'. Games in
progress and damaged files are never listed or deleted."""


@click.command(help=_HELP)
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=_complete)
@click.option("--delete", is_flag=True, help="Permanently delete the named games.")
@json_option
@language_option
def saves(names: tuple[str, ...], delete: bool, as_json: bool, language: str | None) -> None:
    """Run the command ``saves``."""
    if delete and not names:
        raise click.UsageError("--delete: name the games to delete; 'millebornes saves' lists them")
    games = unfinished_games()
    if names:
        games = [_named(name, games) for name in dict.fromkeys(name.removesuffix(SUFFIX) for name in names)]
    _ = translator(choose_language(language))
    if delete:
        for game in games:
            delete_unfinished(game.path)
            if not as_json:
                click.echo(_("Deleted: {name}").format(name=game.path.stem))
    if as_json:
        click.echo(json.dumps([_data(game) for game in games], ensure_ascii=False, indent=2))
        return
    if delete:
        return
    for line in unreadable_games(_):
        click.echo(f"millebornes: {line}", err=True)
    if not games:
        click.echo(_("There are no unfinished games."))
        return
    width = max(len(game.path.stem) for game in games)
    for game in games:
        standing, rest = describe_unfinished(game, _)
        click.echo(f"{game.path.stem:{width}}  {standing}\n{'':{width}}  {rest}")


def _named(name: str, games: list[UnfinishedGame]) -> UnfinishedGame:
    for game in games:
        if game.path.stem == name:
            return game
    known = f"the unfinished games are {', '.join(game.path.stem for game in games)}" if games else "there are none"
    raise click.BadParameter(f"there is no unfinished game {name!r}; {known}", param_hint="'NAME'")


def _data(game: UnfinishedGame) -> dict[str, Any]:
    return {
        "name": game.path.stem,
        "path": str(game.path),
        "date": game.date.astimezone().isoformat(timespec="seconds"),
        "players": list(game.names),
        "totals": list(game.totals),
        "hand_points": list(game.hand_points),
        "hand": game.hand,
        "edition": None if game.rules is None else game.rules.edition,
        "set": {} if game.rules is None else game.rules.changes(),
        "match_target": game.match_target,
        "practice": game.practice,
    }
