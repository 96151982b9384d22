"""The questions about unfinished games before a new game starts. The player can resume, delete or ignore them."""

from collections.abc import Sequence

from millebornes.errors import SaveError
from millebornes.i18n import Translator, is_no, is_yes, words
from millebornes.session.new_game import Start
from millebornes.session.unfinished import (
    UnfinishedGame,
    delete_unfinished,
    describe_unfinished,
    resume,
    take_save,
    unfinished_games,
)
from millebornes.tui.plain.commands import question_help
from millebornes.tui.plain.console import Console
from millebornes.tui.plain.setup import confirm
from millebornes.tui.plain.warm import WarmUp


def offer_unfinished(console: Console, warm: WarmUp, _: Translator) -> Start | None:
    """Offer to resume an unfinished game. Return None if there isn't one or the player wants a new game."""
    games = _listed(console, _)
    while games:
        prompt = _("Which one? Enter resumes 1, N begins a new game, “delete” and a number deletes that one:")
        answer = console.ask(prompt, help=question_help(_range(games, _), _)).casefold()
        typed = [_.digits(word) for word in answer.split()]
        word = typed[0] if typed else ""
        if is_no(word) or word in words("new"):
            return None
        if word == "d" or word in words("delete"):
            games = _delete(console, games, typed[1:], _)
            continue
        number = 1 if not word or is_yes(word) else _number(typed, games)
        if number is None:
            console.wrong(_range(games, _))
            continue
        try:
            return _resumed(games[number - 1], console, warm)
        except SaveError as error:
            console.say(str(error))
            games = _listed(console, _)
    return None


def _listed(console: Console, _: Translator) -> list[UnfinishedGame]:
    games = unfinished_games()
    if games:
        text = _.plural("There is {n} unfinished game:", "There are {n} unfinished games:", len(games))
        console.say(text.format(n=len(games)))
    for number, game in enumerate(games, 1):
        console.say(f"  {number}  {_line(game, _)}")
    return games


def _line(game: UnfinishedGame, _: Translator) -> str:
    """Return a line about a game, without symbols that confuse screen readers."""
    points = _("points {points}").format(points=", ".join(map(str, game.standing)))
    what = describe_unfinished(game, _)[1].replace(" · ", ", ")
    return _.join([", ".join(game.shown_names(_)), points, what]) + "."


def _number(typed: Sequence[str], games: Sequence[UnfinishedGame]) -> int | None:
    text = typed[0]
    good = len(typed) == 1 and text.isascii() and text.isdigit() and len(text) < 6
    return int(text) if good and 1 <= int(text) <= len(games) else None


def _range(games: Sequence[UnfinishedGame], _: Translator) -> str:
    text = _("Please type a number from 1 to {n}, N, or “delete” and the numbers to delete (or “all”).")
    return text.format(n=len(games))


def _resumed(game: UnfinishedGame, console: Console, warm: WarmUp) -> Start:
    slot = take_save(game.path)
    try:
        warm.wait(console)
    except BaseException:
        if slot is not None:
            slot.release()
        raise
    return resume(game.path, slot)


def _delete(console: Console, games: list[UnfinishedGame], typed: Sequence[str], _: Translator) -> list[UnfinishedGame]:
    """Ask, and then delete the games whose numbers were typed. Return the games that are left."""
    if len(typed) == 1 and typed[0] in words("all"):
        typed = [str(number) for number in range(1, len(games) + 1)]
    elif not typed and len(games) == 1:
        typed = ["1"]
    numbers = [_number([word], games) for word in " ".join(typed).replace(",", " ").split()]
    chosen = [games[number - 1] for number in sorted({number for number in numbers if number is not None})]
    if not chosen or None in numbers:
        console.wrong(_range(games, _))
        return games
    for game in chosen:
        console.say("  " + _line(game, _))
    question = _.plural(
        "Delete this game? You can't get it back.", "Delete these {n} games? You can't get them back.", len(chosen)
    )
    if not confirm(console, question.format(n=len(chosen)), _, default=False):
        return games
    for game in chosen:
        try:
            delete_unfinished(game.path)
        except SaveError as error:
            console.say(str(error))
    console.say(_("Deleted."))
    return _listed(console, _)
