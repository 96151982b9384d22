"""``millebornes practise``: answer questions based on your own mistakes or on other instructive decisions."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
import msgspec

from millebornes.cli.common import TextType, json_option, language_option, symbols_option, theme_option
from millebornes.cli.working import at_work
from millebornes.errors import SaveError, printable
from millebornes.i18n import Translator, choose_language, translator

if TYPE_CHECKING:
    from millebornes.analysis.exercises.exercise import Exercise
    from millebornes.analysis.exercises.practice_session import Candidate
    from millebornes.analysis.exercises.schedule import Schedule
    from millebornes.analysis.match_review import Review
    from millebornes.game import Match
    from millebornes.storage.practise import PractiseProgress

DEFAULT_COUNT: Final = 10
"""The number of questions in a session."""


_HELP: Final = """\
Practise decisions: what would you play? After each answer, you see the best move and the reason.

FILE is a set of exercises, a recorded match or a saved game. The first time you give a match, it is searched for
mistakes, which takes a while, and the mistakes are added to your collection. Without FILE, the questions come from
all mistakes collected so far, and from a set that comes with the program. Your answers are saved. Each exercise
comes up again after a few days, and later each time you get it right. (The dates come from simple boxes or, if it
is installed, from the scheduler fsrs: pip install 'millebornes[practise]'.) H shows the answer, and Q quits. With
--json, the command asks nothing, but prints the exercises and when each is due."""


@click.command(help=_HELP)
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--count",
    type=click.IntRange(1, 1000),
    default=DEFAULT_COUNT,
    show_default=True,
    metavar="N",
    help="Ask at most this many questions.",
)
@click.option("--all", "everything", is_flag=True, help="Also ask questions that are not due yet.")
@click.option(
    "--seat",
    "seats",
    type=TextType(),
    multiple=True,
    metavar="N|NAME",
    help="In the matches of FILE, use the mistakes of this seat, given by number (from 1) or name; may be repeated.  "
    "[default: all human players]",
)
@click.option("--plain", is_flag=True, help="Ask line by line, for screen readers, simple terminals and scripts.")
@theme_option
@symbols_option
@language_option
@json_option
def practise(
    files: tuple[Path, ...],
    count: int,
    everything: bool,
    seats: tuple[str, ...],
    plain: bool,
    theme: str | None,
    symbols: bool | None,
    language: str | None,
    as_json: bool,
) -> int:
    """Run the command ``practise``."""
    from millebornes.analysis.exercises.practice_session import (
        PracticeSession,
        candidates,
        choose_exercises,
        next_due,
        utc_now,
    )
    from millebornes.analysis.exercises.schedule import usual_schedule
    from millebornes.cli.play.play import is_screen, preferred_language
    from millebornes.storage.practise import PractiseProgress
    from millebornes.words.practice import nothing_due

    _ = translator(choose_language(language or preferred_language()))
    if seats and not files:
        raise click.UsageError("--seat chooses whose mistakes in FILE to practise; name a FILE")
    with PractiseProgress.open() as progress:
        own, shipped = _exercises(files, seats, _)
        schedule, now = usual_schedule(), utc_now()
        found = candidates(own, shipped, progress, schedule)
        if as_json:
            click.echo(json.dumps(_report(found, progress, schedule), ensure_ascii=False))
            return 0
        exercises = choose_exercises(found, now, everything=everything)[:count]
        if not exercises:
            click.echo(nothing_due(len(found), next_due(found), now, _))
            return 0
        session = PracticeSession(exercises, progress, schedule, utc_now)
        from millebornes.tui.plain import PlayOptions

        options = PlayOptions(language=_.language, theme=theme, symbols=symbols)
        if plain or not is_screen():
            from millebornes.tui.plain.practise import practise_plain

            return practise_plain(session, options)
        from millebornes.tui.full.screens.practise import practise_full

        return practise_full(session, options)


def _exercises(
    files: Sequence[Path], seats: Sequence[str], _: Translator
) -> tuple[tuple["Exercise", ...], tuple["Exercise", ...]]:
    from millebornes.analysis.exercises.collection import (
        collect,
        collected,
        mistakes_in,
        read_played,
        seat_named,
    )
    from millebornes.analysis.exercises.exercise_sets import is_exercise_set, read_exercise_set, shipped_exercises

    known, trouble = collected()
    if trouble:
        click.echo(f"millebornes: {trouble}", err=True)
    if not files:
        return known, shipped_exercises()
    own: list[Exercise] = []
    sets: list[Exercise] = []
    for path in files:
        if is_exercise_set(path):
            sets += read_exercise_set(path)
            continue
        played = read_played(path)
        wanted = {seat_named(played, name) for name in seats} if seats else set(played.people)
        found = mistakes_in(played, _judge(path, _))
        own += [exercise for exercise in found if exercise.seat in wanted]
    try:
        collect(known, own)
    except SaveError as error:
        click.echo(f"millebornes: {error}", err=True)
    return tuple(own), tuple(sets)


def _report(found: Sequence["Candidate"], progress: "PractiseProgress", schedule: "Schedule") -> dict[str, Any]:
    from millebornes.analysis.exercises.practice_session import next_due

    due = next_due(found)
    return {
        "schedule": schedule.name,
        "next": None if due is None else due.isoformat(),
        "exercises": [_row(candidate, progress) for candidate in found],
    }


def _row(candidate: "Candidate", progress: "PractiseProgress") -> dict[str, Any]:
    exercise, history = candidate.exercise, progress.history(candidate.exercise.id)
    return {
        "id": exercise.id,
        "kind": exercise.kind.value,
        "own": candidate.is_own,
        "rules": str(exercise.state.rules),
        "from": None if exercise.origin is None else msgspec.structs.asdict(exercise.origin),
        "answers": len(history),
        "right": sum(answer.right for answer in history),
        "due": None if candidate.due is None else candidate.due.isoformat(),
    }


def _judge(path: Path, _: Translator) -> Callable[["Match"], "Review"]:
    from millebornes.analysis.reviews import review
    from millebornes.errors import MilleBornesError

    def judge(match: "Match") -> "Review":
        text = _("Looking for mistakes in {file}…").format(file=printable(path.name))
        if sys.stderr is None or not sys.stderr.isatty():
            click.echo(text, err=True)
        try:
            with at_work(text) as work:
                return review(match, progress=work.show)
        except MilleBornesError as error:
            raise SaveError(f"{path}: {error}") from None

    return judge
