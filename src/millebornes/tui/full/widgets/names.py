"""Fit names into the available space on one or more lines, without splitting words."""

import re
from collections.abc import Iterable, Sequence

from rich.cells import cell_len

from millebornes.cards import ANSWERS, HAZARDS, REMEDIES, REMEDY_OF, Card
from millebornes.i18n import Translator
from millebornes.themes import Theme
from millebornes.words.participants import listed
from millebornes.words.words import Words


def broken(name: str, width: int, most: int) -> list[str]:
    """Split a name between words into lines of ``width``. Return an empty list if it takes more than ``most`` lines."""
    lines: list[str] = []
    for word in re.findall(r"[^\s'’-]+['’-]?", name):
        glue = "" if lines and lines[-1][-1] in "'’-" else " "
        if lines and cell_len(lines[-1]) + len(glue) + cell_len(word) <= width:
            lines[-1] += glue + word
        else:
            lines.append(word)
    return lines if len(lines) <= most and all(cell_len(line) <= width for line in lines) else []


def fitting(forms: Iterable[str], width: int, most: int) -> list[str]:
    """Return the lines of the first of several names that fits, or an empty list if none fits."""
    return next((lines for form in forms if (lines := broken(form, width, most))), [])


def short_enough(texts: Sequence[str], width: int) -> str:
    """Return the first text that is at most ``width`` columns wide, or "" if none is."""
    return next((text for text in texts if cell_len(text) <= width), "")


def fitting_line(theme: Theme, card: Card, width: int, before: str = "") -> str:
    """Return ``before`` and a card's name, the name alone, or its code: the first that fits on a line, or ""."""
    *names, code = theme.forms_of(card)
    return short_enough([*(before + name for name in names), *names, before + code, code], width)


def fitting_names(names: Sequence[str], _: Translator, width: int) -> str:
    """Return the names of a side within this many columns, joined by ``and`` if they fit, or shortened equally."""
    if len(names) > 1:
        text = listed(names, _)
        if cell_len(text) <= width:
            return text
    longest = max(map(len, names))
    for glue in (" + ", "+"):
        for most in range(longest, 0 if glue == "+" else 4, -1):
            text = glue.join(_cut(name, most) for name in names)
            if cell_len(text) <= width:
                return text
    return text[: max(0, width)]


def _cut(name: str, most: int) -> str:
    """Shorten a name to this number of letters. A number that distinguishes players with the same name is kept."""
    if len(name) <= most:
        return name
    number = re.search(r"#\d+$", name)
    end = number[0] if number is not None and most > len(number[0]) + 1 else ""
    return f"{name[: most - 1 - len(end)]}…{end}"


def purpose(card: Card, words: Words) -> str:
    """Return what a hazard needs, what a remedy ends, or what a safety protects from."""
    _, theme = words.translate, words.theme
    if card in HAZARDS:
        return _("needs {remedy}").format(remedy=theme.name_of(REMEDY_OF[card]))
    if card in REMEDIES:
        ended = [hazard for hazard in HAZARDS if REMEDY_OF[hazard] is card]
        return _("ends {hazard}").format(hazard=", ".join(map(theme.name_of, ended)))
    if card in ANSWERS:
        return _("against {hazards}").format(hazards=", ".join(map(theme.name_of, ANSWERS[card])))
    return ""


def legend(words: Words, *, symbols: bool) -> list[str]:
    """Return a line for each card except distances: its symbol, its name, its shorter names, and what it is for."""
    theme, rows = words.theme, []
    for card in Card:
        if not card.miles:
            sign, (name, *shorter) = f"{theme.symbol_of(card)} " if symbols else "", theme.forms_of(card)
            rows.append((sign + name, ", ".join(shorter), purpose(card, words)))
    return in_columns(rows)


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a line for each row. All columns but the last are as wide as their widest text."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            [text + " " * (width - cell_len(text)) for text, width in zip(row[:-1], widths[:-1], strict=True)]
            + [row[-1]]
        )
        for row in rows
    ]
