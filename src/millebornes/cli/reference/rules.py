"""``millebornes rules``: show the rulebook, a clause, the rules of an edition, or how two editions differ."""

import json
import re
import sys
import unicodedata
from typing import Any, Final

import click

from millebornes.cli.common import (
    DEFAULT_EDITION,
    ChosenTable,
    EditionType,
    json_option,
    language_option,
    table_options,
)
from millebornes.editions import EDITIONS, Edition, Rules, load_edition
from millebornes.errors import EditionError, NotationError
from millebornes.i18n import Translator, choose_language, translator
from millebornes.rulebook import Clause, chapter_of, clauses, preamble
from millebornes.words.rules import Sentence, compare, describe, value_of
from millebornes.words.words import Words

_HELP: Final = """\
Show the rules.

\b
millebornes rules                    the whole rulebook
millebornes rules R4.2               one clause (R4: a whole chapter)
millebornes rules bsd                the rules of an edition, in words
millebornes rules --seats 4          the rules of a table
millebornes rules R4.4 --edition bsd a clause, and the settings of an edition for it
millebornes rules --compare bsd classic
"""


@click.command(help=_HELP)
@click.argument("what", required=False, metavar="[CLAUSE|EDITION]")
@click.option(
    "--compare",
    "compared",
    nargs=2,
    type=EditionType(),
    metavar="A B",
    help="Show how two editions differ (names or TOML files).",
)
@table_options
@json_option
@language_option
def rules(
    what: str | None,
    compared: tuple[str, str] | None,
    table: ChosenTable,
    as_json: bool,
    language: str | None,
) -> None:
    """Run the command ``rules``."""
    language = choose_language(language)
    _ = translator(language)
    if compared:
        if what or table.edition:
            raise click.UsageError("--compare already names both editions; leave out the separate edition")
        left, right = (table._replace(edition=name).rules() for name in compared)
        names = [load_edition(name).name for name in compared]
        _show_differences((left, right), names if names[0] != names[1] else list(compared), as_json, _)
        return
    chosen = what if what and not re.fullmatch(r"[Rr]?[0-9]+(\.[0-9.]*)?", what.strip()) else None
    if chosen and table.edition:
        raise click.UsageError(f"give only one edition, not both {chosen!r} and --edition {table.edition}")
    if chosen:
        table = table._replace(edition=_edition(chosen))
    edition = load_edition(table.edition or DEFAULT_EDITION)
    asked = table.rules() if table.given else None
    if what and not chosen:
        _show_clauses(_clauses(what, language), asked, edition.name, as_json, _)
    elif asked is not None:
        _show_table(edition, asked, as_json, _)
    else:
        _show_clauses(clauses(language), None, "", as_json, _, preamble(language))


def _clauses(what: str, language: str) -> tuple[Clause, ...]:
    try:
        return chapter_of(what, language)
    except NotationError as error:
        raise click.UsageError(str(error)) from None


def _edition(name: str) -> str:
    try:
        load_edition(name if name.lower() not in EDITIONS else name.lower())
    except EditionError as error:
        raise click.UsageError(f"{error}; to see a clause, give its number, such as R4.2") from None
    return name.lower() if name.lower() in EDITIONS else name


def _write(markdown: str) -> None:
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        from millebornes.tui.common.wrapping import keep_no_break_spaces

        keep_no_break_spaces()
        console = Console()
        console.print(Markdown(markdown, hyperlinks=False), width=min(console.width, 100))
    else:
        click.echo(plain_text(markdown))


def _write_json(data: Any) -> None:
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def _settings_data(table: Rules, sentences: list[Sentence]) -> list[dict[str, Any]]:
    return [
        {"field": s.field, "clause": s.clause, "value": value_of(table, s.field), "text": s.text} for s in sentences
    ]


def _show_clauses(
    found: tuple[Clause, ...], table: Rules | None, name: str, as_json: bool, _: Translator, before: str = ""
) -> None:
    numbers = {clause.number for clause in found}
    plays = [s for s in describe(table, Words.of(_.language)) if s.clause in numbers] if table else []
    if as_json:
        data: dict[str, Any] = {"clauses": [{"clause": c.number, "title": c.title, "text": c.text} for c in found]}
        if table:
            data |= {"edition": name, "table": table.table, "settings": _settings_data(table, plays)}
        _write_json(data)
        return
    parts = [before] if before else []
    parts += [clause.markdown for clause in found]
    if table:
        text = _("At this table ({edition}, {table}):").format(edition=literal(name), table=table.table)
        parts.append(f"**{text}**")
        parts.append(_listed(plays) if plays else _("No setting changes this."))
    _write("\n\n".join(parts))


def _listed(sentences: list[Sentence]) -> str:
    return "\n".join(f"* {s.text} ({s.clause}{'' if s.field == 'table' else f', `{s.field}`'})" for s in sentences)


def _show_table(edition: Edition, table: Rules, as_json: bool, _: Translator) -> None:
    sentences = describe(table, Words.of(_.language))
    changed = edition.differences(table)
    if as_json:
        data = {
            "edition": edition.name,
            "title": edition.title,
            "summary": edition.summary,
            "source": edition.source,
            "tables": [f"{seats}x{sides}" for seats, sides in edition.tables],
            "seats": table.seats,
            "sides": table.sides,
            "set": changed,
            "settings": _settings_data(table, sentences),
        }
        _write_json(data)
        return
    parts = [f"# {literal(_(edition.title))} ({literal(edition.name)}, {table.table})"]
    if edition.summary:
        parts.append(literal(_(edition.summary)))
    if edition.source:
        parts.append(_("Source: {source}.").format(source=literal(_(edition.source))))
    parts.append(_listed(sentences))
    if changed:
        parts.append(_("Changed from the edition: {fields}.").format(fields=", ".join(f"`{name}`" for name in changed)))
    if (table.seats, table.sides) not in edition.tables:
        own = ", ".join(f"{seats}x{sides}" for seats, sides in edition.tables)
        parts.append(_("This table is not one of those the edition was made for ({tables}).").format(tables=own))
    _write("\n\n".join(parts))


def _show_differences(tables: tuple[Rules, Rules], names: list[str], as_json: bool, _: Translator) -> None:
    left, right = tables
    found = compare(left, right, Words.of(_.language))
    if as_json:
        differences = [
            {
                "field": d.field,
                "clause": d.clause,
                "a": value_of(left, d.field),
                "b": value_of(right, d.field),
                "a_text": d.left,
                "b_text": d.right,
            }
            for d in found
        ]
        _write_json({"a": names[0], "b": names[1], "table": left.table, "differences": differences})
        return
    title = _("{a} and {b} at a table of {table}").format(a=names[0], b=names[1], table=left.table)
    if not found:
        click.echo(_("{head}: {text}").format(head=title, text=_("no difference.")))
    elif sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Column, Table
        from rich.text import Text

        from millebornes.tui.common.wrapping import keep_no_break_spaces

        keep_no_break_spaces()
        columns = (Column(Text(name)) for name in names)
        grid = Table(_("setting"), *columns, title=Text(title), show_lines=True, expand=False)
        for d in found:
            grid.add_row(*map(Text, (f"{d.field}\n{d.clause}", d.left, d.right)))
        Console().print(grid)
    else:
        width = max(map(len, names)) + 1
        lines = [title]
        for d in found:
            lines += ["", f"{d.field} ({d.clause})"]
            lines += [f"  {f'{name}:':{width}} {text}" for name, text in zip(names, (d.left, d.right), strict=True)]
        click.echo("\n".join(lines))


_SPECIAL: Final = re.compile(r"[!-/:-@\[-`{-~]")
_MARKS: Final = re.compile(r"\\([!-/:-@\[-`{-~])|\*\*|`|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)")


def literal(text: str) -> str:
    """Return ``text`` with characters escaped that have a meaning in Markdown."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def plain_text(markdown: str) -> str:
    """Convert simple Markdown (headings, lists, tables, code and emphasis) to plain text with aligned tables.

    Top-level headings are underlined. List items begin with ``-``.
    """
    lines: list[str] = []
    table: list[list[str]] = []
    for line in [*markdown.splitlines(), ""]:
        if line.startswith("|"):
            table.append([_unmarked(cell.strip()) for cell in line.strip().strip("|").split("|")])
            continue
        if table:
            lines += _columns(table)
            table = []
        heading = re.match(r"(#+) (.*)", line)
        if heading:
            text = _unmarked(heading[2])
            lines.append(text)
            if len(heading[1]) <= 2:
                lines.append(("=" if len(heading[1]) == 1 else "-") * _width(text))
        else:
            lines.append(_unmarked(re.sub(r"^(\s*)\* ", r"\1- ", line)))
    return "\n".join(lines).rstrip("\n")


def _unmarked(text: str) -> str:
    return _MARKS.sub(lambda mark: mark[1] or "", text)


def _width(text: str) -> int:
    return sum(not unicodedata.combining(c) for c in text)


def _columns(table: list[list[str]]) -> list[str]:
    """Return the rows of a table with aligned columns. The line of dashes below the heading is lengthened to match."""
    rows = [row for row in table if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
    widths = [max(_width(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return [lines[0], "  ".join("-" * width for width in widths), *lines[1:]]
