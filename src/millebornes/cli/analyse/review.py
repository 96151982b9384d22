"""``millebornes review``: judge every move in a match."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from millebornes.cli.common import TextType, cluster_option, jobs_option, json_option, language_option, objective_option
from millebornes.cli.working import at_work
from millebornes.errors import MilleBornesError, printable
from millebornes.i18n import choose_language, translator

if TYPE_CHECKING:
    from millebornes.analysis.match_review import Review
    from millebornes.game import Match

_HELP: Final = """\
Judge every decision in transcripts and saved games.

Each move is compared with the best one by simulating hidden cards that are consistent with what the player could
know. Luck is measured separately. Unfinished hands are left out. With --json, the output is one JSON object per
FILE, each on its own line. If you give a FOLDER, all transcripts in it (*.jsonl) are judged, and the results are
summed up for each player. --html writes a web page that works offline. For several matches, give --html a folder,
which will contain one page per match."""


@click.command(help=_HELP)
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER...", type=click.Path(path_type=Path))
@click.option("--quick", is_flag=True, help="Run fewer simulations, which takes a few seconds but is less precise.")
@objective_option
@click.option(
    "--html",
    type=click.Path(path_type=Path),
    metavar="FILE|FOLDER",
    help="Also write an HTML page, or a folder of pages for several matches.",
)
@click.option("--seed", type=TextType(), default="0", show_default=True, help="Random seed for the simulations.")
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
    """Run the command ``review``."""
    with at_work("getting ready …"):  # loading all this takes seconds
        from millebornes.analysis.exercises.tally import tally_json, tally_of
        from millebornes.analysis.reviews import DEFAULT, QUICK, review_with
        from millebornes.arena.executors import open_workers
        from millebornes.schema.exercises import Objective

    chosen = choose_language(language)
    sums_up = any(file.is_dir() for file in files)
    matches = _matches(files)  # report errors in all files before the long work starts
    pages = [None] * len(matches) if html is None else _pages(html, [file for file, _found in matches], sums_up)
    reviews = []
    with open_workers(jobs, cluster) as workers:
        for number, ((file, (match, names)), page) in enumerate(zip(matches, pages, strict=True), 1):
            title = str(file) if len(matches) == 1 else f"{number}/{len(matches)} {file}"
            with at_work(printable(title)) as work:
                reviewed = review_with(
                    workers,
                    match,
                    names,
                    effort=QUICK if quick else DEFAULT,
                    objective=None if objective is None else Objective(objective),
                    seed=seed,
                    progress=work.show,
                )
            if page is not None:
                _write_page(reviewed, page, chosen)
            if sums_up:
                reviews.append(reviewed)
            else:
                _tell(reviewed, as_json, chosen)
    if sums_up and as_json:
        click.echo(json.dumps(tally_json(tally_of(reviews), len(reviews)), ensure_ascii=False, allow_nan=False))
    elif sums_up:
        from rich.console import Console

        from millebornes.cli.analyse.tally_text import tally_text

        tally_text(tally_of(reviews), Console(), translator(chosen))
    return 0


def _matches(files: Iterable[Path]) -> "list[tuple[Path, tuple[Match, tuple[str, ...]]]]":
    """Return the matches in files, and in all transcripts in folders. Unsuitable files in folders are skipped."""
    matches = []
    for file in files:
        if not file.is_dir():
            matches.append((file, _match(file)))
            continue
        before = len(matches)
        for path in sorted(file.glob("*.jsonl")):
            try:
                matches.append((path, _match(path)))
            except MilleBornesError as error:
                click.echo(f"{error}; this file is skipped", err=True)
        if len(matches) == before:
            raise MilleBornesError(f"{file}: there is no transcript (*.jsonl) with a finished hand in this folder")
    return matches


def _pages(html: Path, files: Sequence[Path], in_folder: bool) -> list[Path]:
    """Return the path of each match's page. Raises `click.UsageError` if ``html`` has to be a folder but is a file."""
    if len(files) == 1 and not in_folder and not html.is_dir():
        return [html]
    if html.is_file():
        raise click.UsageError(f"--html: {html} is a file; for several matches, name a folder")
    try:
        html.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MilleBornesError(f"{html}: the folder cannot be created ({error.strerror or error})") from None
    names: list[str] = []
    for file in files:
        name, number = file.stem, 1
        while name in names:
            number += 1
            name = f"{file.stem}-{number}"
        names.append(name)
    return [html / f"{name}.html" for name in names]


def _match(file: Path) -> "tuple[Match, tuple[str, ...]]":
    from millebornes.notation import read_transcript

    with file.open("rb") as stream:
        transcript = read_transcript(stream, str(file))
    if not any(hand.is_over for hand in transcript.match.hands):
        raise MilleBornesError(f"{file}: there is no finished hand to review; play one to the end first")
    return transcript.match, transcript.match.players


def _tell(review: "Review", as_json: bool, language: str) -> None:
    if as_json:
        from millebornes.words.report_json import review_json

        click.echo(json.dumps(review_json(review), ensure_ascii=False, allow_nan=False))
        return
    from rich.console import Console

    from millebornes.tui.common.review_text import review_text
    from millebornes.words.words import Words

    review_text(review, Console(), Words.of(language))


def _write_page(review: "Review", file: Path, language: str) -> None:
    from millebornes.markup.review_page import review_html
    from millebornes.storage import write_atomically

    write_atomically(file, review_html(review, language).encode())
