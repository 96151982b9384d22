"""The common parts of all runs of ``millebornes lab``: options, progress, and the output of results."""

import contextlib
import json
import os
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

import click

from millebornes.cli.interruption import RESULTS_SO_FAR, interruptible

if TYPE_CHECKING:
    from millebornes.arena.executors import Workers
    from millebornes_research.lab.experiment import Experiment
    from millebornes_research.lab.sheets import Sheet


class Asked(NamedTuple):
    """The options of all runs: how they are played, what is stored, and how the results are shown."""

    seed: str
    jobs: int
    cluster: str | None
    resume: Path | None
    plot: Path | None
    markdown: bool
    as_json: bool


def seed_for(seed: str | None, resume: Path | None) -> str:
    """Return the seed, or a new one if none is given.

    A new seed is printed if progress is saved in a new file, because continuing needs it.
    """
    if seed is not None:
        return seed
    drawn = str(secrets.randbelow(2**53))
    if resume is not None and not resume.exists():
        click.echo(f"millebornes: the seed is {drawn}; use --seed {drawn} to continue from {resume}", err=True)
    return drawn


class Entry(Protocol):
    """An experiment or run that has results to show: its name, its table, and the sheet and column for a plot."""

    name: ClassVar[str]
    plots: ClassVar[tuple[str, str]]

    @property
    def title(self) -> str:
        """The table in words, such as ``classic 2x2``."""


class Progressing(Protocol):
    """A run that reports its progress."""

    @property
    def total(self) -> float:
        """The total amount of work."""

    @property
    def progress(self) -> float:
        """The amount of work that has been done."""

    def line(self) -> str:
        """Return the results so far in a few words."""

    def run(self, workers: "Workers", on_progress: "Callable[[Any], None] | None" = None) -> None:
        """Do all the remaining work."""


def run_lab(experiments: "Sequence[Experiment]", asked: Asked) -> int:
    """Run the experiments, print their results, and return the exit status."""
    from millebornes_research.lab.lab import Lab

    run = Lab(experiments, asked.seed, resume=asked.resume)
    stopped = carry_out([run], asked)
    ending = f"seed {asked.seed}, {run.seconds:.1f} s" + ("" if run.complete else ", not complete")
    show(run.sheets(), run.report(), ending, asked)
    return 1 if stopped else 0


def show(found: "Sequence[tuple[Entry, list[Sheet]]]", report: Mapping[str, Any], ending: str, asked: Asked) -> None:
    """Print the results, followed by ``ending``, or print the ``report`` as JSON. Draw the plot if asked."""
    if asked.as_json:
        click.echo(json.dumps(report, ensure_ascii=False))
    elif found:
        lines = (line for group in _grouped(found) for line in sheet_lines(group, markdown=asked.markdown))
        click.echo("\n".join(lines).rstrip("\n"))
        if not asked.markdown:
            click.echo(f"\n{ending}")
    if asked.plot is not None and found:
        _plot(asked.plot, found)


def carry_out(
    runs: Sequence[Progressing],
    asked: Asked,
    *,
    known: str = RESULTS_SO_FAR,
    on_end: Callable[[Any], None] | None = None,
) -> bool:
    """Carry out the runs one after another, and return whether they were interrupted.

    In this case, ``known`` is part of the message (see `interruptible`). ``on_end`` is called for each finished run.
    """
    from millebornes.arena.executors import open_workers

    if asked.plot is not None:
        from millebornes_research.lab.plot import check_plots

        check_plots()  # report this now instead of after hours of play
    before = 0.0
    with (
        interruptible(known) as interruption,
        open_workers(asked.jobs or os.cpu_count() or 1, asked.cluster) as workers,
        progress(sum(run.total for run in runs)) as show_progress,
    ):
        for run in runs:

            def on_progress(run: Progressing, before: float = before) -> None:
                show_progress(before + run.progress, run.line())

            run.run(workers, on_progress)
            before += run.progress
            if on_end is not None:
                on_end(run)
    return interruption.happened


@contextlib.contextmanager
def progress(total: float) -> Iterator[Any]:
    """Show a progress bar on standard error, if that is a terminal.

    Provides a function that updates the progress and the text beside the bar.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, line: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.table import Column

    rest = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    line = TextColumn("{task.fields[line]}", table_column=rest, markup=False)
    columns = (BarColumn(bar_width=12), TaskProgressColumn(), TimeRemainingColumn(compact=True), line)
    with Progress(*columns, console=Console(stderr=True), transient=True, expand=True) as bar:
        task = bar.add_task("", total=total, line="getting ready …")
        yield lambda done, line: bar.update(task, completed=done, line=line.replace("[", r"\["))


def _grouped(found: "Sequence[tuple[Entry, list[Sheet]]]") -> "Iterator[list[tuple[str, Sheet]]]":
    """Yield each sheet of an experiment for all tables together, with the names of the tables."""
    for name in dict.fromkeys(entry.name for entry, _ in found):
        group = [(entry, sheets) for entry, sheets in found if entry.name == name]
        for i in range(len(group[0][1])):
            yield [(entry.title, sheets[i]) for entry, sheets in group]


def sheet_lines(group: "Sequence[tuple[str, Sheet]]", *, markdown: bool) -> Iterator[str]:
    """Yield sheets with the same columns, each with the name of its rows' table, as lines of text or of Markdown."""
    from millebornes_research.lab.sheets import as_markdown, as_text

    yield from as_markdown(group) if markdown else as_text(group)


def _plot(path: Path, found: "Sequence[tuple[Entry, list[Sheet]]]") -> None:
    """Plot the sheet that the first experiment chooses for plots."""
    from millebornes_research.lab.plot import plot_sheets

    entry = found[0][0]
    sheet_name, key = entry.plots
    shown = [(other.title, sheet) for other, sheets in found for sheet in sheets if sheet.name == sheet_name]
    plot_sheets(path, shown, key, shown[0][1].title)
