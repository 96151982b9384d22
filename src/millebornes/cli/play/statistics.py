"""The output of `millebornes play --statistics`: a summary of past games and of how well they were played."""

import dataclasses
import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from millebornes.cli.interruption import interruptible
from millebornes.cli.working import at_work
from millebornes.i18n import Translator, translator
from millebornes.session.invocation import play_command

if TYPE_CHECKING:
    from millebornes.schema.statistics import ReviewResult
    from millebornes.storage import MatchResult, Results


def print_statistics(language: str, *, review: bool, as_json: bool = False) -> int:
    """Print the statistics and return the exit status.

    With ``review``, first review the matches that haven't been reviewed.

    With ``as_json``, print a JSON object. The field ``people`` has an entry for your games against computer players, in
    which ``name`` is null, and an entry for each person who has shared a keyboard with others.

    Raises `SaveError` if files can't be read or written.
    """
    from millebornes.storage import load_results, load_reviews, past_match
    from millebornes.tui.common.career import career_lines
    from millebornes.tui.common.glyphs import can_show_symbols
    from millebornes.words.statistics import statistics_lines

    _ = translator(language)
    results = load_results()
    reviews = load_reviews()
    waiting = [match for match in reversed(results.matches) if match.id not in reviews and past_match(match.id)]
    interrupted = False
    if review and waiting:
        interrupted = _review(waiting, _)
        reviews = load_reviews()
        waiting = [match for match in waiting if match.id not in reviews]
    if as_json:
        click.echo(json.dumps(_plain(results, reviews), ensure_ascii=False))
        return 1 if interrupted else 0
    for line in statistics_lines(results, _):
        click.echo(line)
    for line in career_lines(results, reviews, _, ascii_only=not can_show_symbols(sys.stdout.encoding)):
        click.echo(line)
    if waiting:
        text = _.plural(
            "{n} finished match hasn't been reviewed yet. To review it, type: {command}",
            "{n} finished matches haven't been reviewed yet. To review them, type: {command}",
            len(waiting),
        )
        click.echo(text.format(n=len(waiting), command=f"{play_command()} --statistics --review"))
    return 1 if interrupted else 0


def _plain(results: "Results", reviews: "Mapping[str, ReviewResult]") -> dict[str, Any]:
    import msgspec

    from millebornes.storage.career import career_of
    from millebornes.storage.summary import people, summarize

    found = []
    for name in (None, *people(results)):
        summary = summarize(results, name)
        values = {field.name: getattr(summary, field.name) for field in dataclasses.fields(summary)}
        means = {key: values[key] and values[key]._asdict() for key in ("points", "ahead", "luck", "streak", "best")}
        groups = {
            "by_edition": [{"edition": key, "matches": value} for key, value in summary.by_edition.items()],
            "by_table": [
                {"seats": seats, "sides": sides, "matches": value} for (seats, sides), value in summary.by_table.items()
            ],
            "by_opponents": [{"opponents": key, "matches": value} for key, value in summary.by_opponents.items()],
        }
        reviewed = [match._asdict() for match in career_of(results, reviews, name)]
        found.append({"name": name, **values, **means, **groups, "reviewed": reviewed})
    plain: dict[str, Any] = msgspec.to_builtins({"people": found, "dropped": results.dropped})
    return plain


def _review(waiting: "list[MatchResult]", _: Translator) -> bool:
    """Review matches, and report which matches couldn't be reviewed. Return whether this was interrupted."""
    from millebornes.analysis.career import review_past
    from millebornes.arena.executors import open_workers

    faults: tuple[str, ...] = ()
    with (
        interruptible(_("the finished reviews are saved")) as interruption,
        open_workers(0) as workers,
        at_work(_("Reviewing…")) as work,
    ):

        def show(match: int, matches: int, done: int, total: int) -> None:
            work.say(_("Reviewing match {n} of {total}").format(n=match + 1, total=matches), done, total)

        faults = review_past(workers, waiting, progress=show)
    for fault in faults:
        click.echo(f"millebornes: {fault}", err=True)
    return interruption.happened
