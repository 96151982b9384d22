"""``millebornes editions``: list the editions and what is special about each of them."""

import json
from typing import Any, Final

import click

from millebornes.cli.common import EditionType, json_option, language_option
from millebornes.editions import EDITIONS, Edition, Rules, load_edition
from millebornes.i18n import Translator, choose_language, translator
from millebornes.words.rules import compare, value_of
from millebornes.words.words import Words

_HELP: Final = """\
List the editions of the rules, with their tables, deck, goal and source, and what is special about them.

With NAMEs, only these editions are listed. A NAME can also be a TOML file of your own."""


@click.command(help=_HELP)
@click.argument("names", nargs=-1, type=EditionType(), metavar="[NAME|FILE.toml]...")
@json_option
@language_option
def editions(names: tuple[str, ...], as_json: bool, language: str | None) -> None:
    """Run the command ``editions``."""
    chosen = [load_edition(name) for name in names or EDITIONS]
    if as_json:
        click.echo(json.dumps([_data(edition) for edition in chosen], ensure_ascii=False, indent=2))
        return
    _ = translator(choose_language(language))
    click.echo("\n\n".join("\n".join(_lines(edition, _)) for edition in chosen))


def _tables(edition: Edition) -> list[Rules]:
    return [edition.rules(seats, sides) for seats, sides in edition.tables]


def _data(edition: Edition) -> dict[str, Any]:
    first, *others = _tables(edition)
    settings = first.settings(short_deck=True)
    return {
        "name": edition.name,
        "title": edition.title,
        "summary": edition.summary,
        "source": edition.source,
        "tables": [rules.table for rules in (first, *others)],
        "settings": settings,
        "changes": {
            rules.table: changed
            for rules in others
            if (changed := {k: v for k, v in rules.settings(short_deck=True).items() if v != settings[k]})
        },
    }


def _goal(rules: Rules, _: Translator) -> str:
    if rules.extension_goal is None:
        return _("{goal}, no extension").format(goal=rules.goal)
    return _("{goal}, extension to {extension}").format(goal=rules.goal, extension=rules.extension_goal)


def _goals(tables: list[Rules], _: Translator) -> str:
    """Return the goal of all tables or, if it differs between them, each goal with its tables."""
    groups: dict[str, list[str]] = {}
    for rules in tables:
        groups.setdefault(_goal(rules, _), []).append(rules.table)
    if len(groups) == 1:
        return next(iter(groups))
    return _.join(_("{head}: {text}").format(head=", ".join(names), text=goal) for goal, names in groups.items())


def _lines(edition: Edition, _: Translator) -> list[str]:
    tables = _tables(edition)
    first = tables[0]
    deck = value_of(first, "deck")
    kind = _("full") if deck == "full" else _("reduced") if deck == "reduced" else _("custom")
    rows = [
        (_("tables"), ", ".join(rules.table for rules in tables)),
        (_("deck"), _("{kind}, {cards} cards").format(kind=kind, cards=first.cards)),
        (_("goal"), _goals(tables, _)),
        (_("source"), _(edition.source)),
    ]
    width = max(len(label) for label, text in rows)
    lines = (
        [_("{head}: {text}").format(head=edition.name, text=_(edition.title)), f"  {_(edition.summary)}"]
        if edition.summary
        else [edition.name]
    )
    lines += [f"  {label:{width}}  {text}" for label, text in rows if text]
    classic = load_edition("classic").rules(first.seats, first.sides)
    special = compare(first, classic, Words.of(_.language))
    if special:
        lines.append("  " + _("differences from classic:"))
        lines += [f"    - {difference.left} ({difference.clause})" for difference in special]
    return lines
