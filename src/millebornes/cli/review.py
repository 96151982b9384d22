"""``millebornes review``: a match judged move by move."""

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from millebornes.cli.common import (
    TextType,
    cluster_option,
    jobs_option,
    json_option,
    language_option,
    saying_what_compiles,
)
from millebornes.errors import MilleBornesError
from millebornes.i18n import choose_language, translator

if TYPE_CHECKING:
    from millebornes.analysis.records import Review
    from millebornes.analysis.reviews import Progress
    from millebornes.game import Match

__all__ = ["review"]


@click.command(short_help="Grade every move of a match; separate luck from skill.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.option("--quick", is_flag=True, help="Fewer rollouts: some seconds, and larger errors.")
@click.option(
    "--objective",
    type=click.Choice(["points", "match"]),
    help="What is weighed.  [default: the chance to win the match where it has a target, else points]",
)
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write a page, too.")
@click.option("--seed", type=TextType(), default="0", show_default=True, help="Chance of the rollouts.")
@jobs_option(default=0)
@cluster_option
@json_option
@language_option
def review(
    files: tuple[Path, ...],
    quick: bool,
    objective: str | None,
    html: Path | None,
    seed: str,
    jobs: int,
    cluster: str | None,
    as_json: bool,
    language: str | None,
) -> int:
    """Judge every decision in transcripts and saved games.

    Each move is compared with the best one by rollouts in worlds that fit what its seat could know; luck is told apart.
    A hand that is not finished is left out. With --json: one object for each FILE, a line each. --html writes a page
    that works without a network; it takes one FILE.
    """
    from millebornes.analysis.records import Objective
    from millebornes.analysis.reviews import DEFAULT, QUICK, review_with
    from millebornes.simulation.executors import open_workers

    if html is not None and len(files) > 1:
        raise click.UsageError("--html takes one FILE; review the others for themselves")
    chosen = choose_language(language)
    matches = [_match(file) for file in files]  # a fault of any file is told before there is long work
    with saying_what_compiles(), open_workers(jobs or os.cpu_count() or 1, cluster) as workers:
        for file, (match, names) in zip(files, matches, strict=True):
            with _progress(str(file)) as show:
                told = review_with(
                    workers,
                    match,
                    names,
                    effort=QUICK if quick else DEFAULT,
                    objective=None if objective is None else Objective(objective),
                    seed=seed,
                    progress=show,
                )
            if html is not None:
                _write_page(told, html, chosen)
            _tell(told, as_json, chosen)
    return 0


def _match(file: Path) -> "tuple[Match, tuple[str, ...]]":
    """The match of a transcript or saved game, and the names of its seats."""
    from millebornes.notation import read_transcript

    with file.open("rb") as stream:
        found = read_transcript(stream, str(file))
    if not any(hand.is_over for hand in found.match.hands):
        raise MilleBornesError(f"{file}: there is no finished hand to review; play one to its end first")
    return found.match, found.match.players


def _tell(told: "Review", as_json: bool, language: str) -> None:
    if as_json:
        from millebornes.analysis.report_json import review_json

        click.echo(json.dumps(review_json(told), ensure_ascii=False, allow_nan=False))
        return
    from rich.console import Console

    from millebornes.analysis.report_text import review_text

    review_text(told, Console(), translator(language))


def _write_page(told: "Review", file: Path, language: str) -> None:
    from millebornes.analysis.report_html import review_html
    from millebornes.storage import write_atomically

    write_atomically(file, review_html(told, language).encode())


@contextlib.contextmanager
def _progress(name: str) -> "Iterator[Progress | None]":
    """A bar on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True, expand=True) as bar:
        task = bar.add_task(name, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
