"""``millebornes bench``: run the benchmarks of the project."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from millebornes.cli.common import json_option
from millebornes_research.bench import BENCHMARKS


class BenchmarkType(click.ParamType):  # type: ignore[type-arg] # generic only in newer versions
    """The click type for the name of a benchmark."""

    name = "name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name if it is known. If it isn't, a usage error lists all benchmarks."""
        if value not in BENCHMARKS:
            self.fail(f"there is no benchmark {value!r}; the benchmarks are {', '.join(BENCHMARKS)}", param, ctx)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the names that begin with the text."""
        return [CompletionItem(name) for name in BENCHMARKS if name.startswith(incomplete)]


_HELP: Final = """\
Measure the speed of the rules and the screen, with all benchmarks or the named ones.

With --json, print one line for each benchmark, with its figures and those of its baseline (null if not available).
Close other programs to get reproducible figures."""


@click.command(help=_HELP)
@click.argument("names", nargs=-1, type=BenchmarkType(), metavar="[NAME]...")
@click.option("--list", "lists", is_flag=True, help="List the benchmarks without running them.")
@click.option("--quick", is_flag=True, help="Spend little time on each benchmark, for rough figures.")
@json_option
def bench(names: tuple[str, ...], lists: bool, quick: bool, as_json: bool) -> None:
    """Run the command ``bench``."""
    chosen = list(dict.fromkeys(names)) or list(BENCHMARKS)
    if lists:
        if as_json:
            for name in chosen:
                click.echo(json.dumps({"name": name, "summary": BENCHMARKS[name].summary}))
        else:
            width = max(map(len, chosen))
            click.echo("\n".join(f"{name:{width}}  {BENCHMARKS[name].summary}" for name in chosen))
        return
    for number, name in enumerate(chosen):
        click.echo(f"measuring {name} …", err=True)
        result = BENCHMARKS[name].measure(name, quick)
        for note in result.notes:
            click.echo(f"millebornes: {name}: {note}", err=True)
        if as_json:
            click.echo(json.dumps(result.to_dict(), ensure_ascii=False))
            continue
        click.echo(f"{chr(10) if number else ''}{name}: {BENCHMARKS[name].summary}")
        rows = [*_rows(result.figures), *((f"{name} (baseline)", "none here") for name in _missing(result.baselines))]
        for baseline, figures in result.baselines.items():
            rows += [(f"{baseline}: {row}", text) for row, text in _rows(figures or {})]
        width = max(len(row) for row, _ in rows)
        click.echo("\n".join(f"  {row:{width}}  {text}" for row, text in rows))


def _missing(baselines: Mapping[str, Any]) -> list[str]:
    return [name for name, figures in baselines.items() if figures is None]


def _rows(figures: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """Yield each figure as a name and its value in words.

    The name of a nested figure begins with the name of its group.
    """
    for name, value in figures.items():
        label = f"{above}{name.replace('_', ' ')}"
        if isinstance(value, Mapping):
            yield from _rows(value, f"{label}, ")
        elif isinstance(value, list):
            yield label, "  ".join(map(_text, value))
        else:
            yield label, _text(value)


def _text(value: Any) -> str:
    """Return a number in a form that is easy to read."""
    if value is None:
        return "none here"
    if isinstance(value, float) and abs(value) >= 10_000:
        value = round(value)
    return f"{value:,}" if isinstance(value, int) else str(value)
