"""The rulebook, with every clause from R1 to R9 in each language.

The source code refers to the clauses by the same numbers. The text is in the file ``rulebook.md`` of each language
folder in ``locale/``. The numbers and their order are the same in all languages.
"""

import difflib
import functools
import re
from typing import Final, NamedTuple

from millebornes.errors import NotationError
from millebornes.i18n import LANGUAGES, LOCALE

__all__ = ["Clause", "chapter_of", "clause", "clauses", "preamble", "whole"]

_HEADING: Final = re.compile(r"^(##|###) (R[0-9]+(?:\.[0-9]+)?) (.+)$")
_NUMBER: Final = re.compile(r"[Rr]?([0-9]{1,3}(?:\.[0-9]{1,3})?)")


class Clause(NamedTuple):
    """A numbered part of the rulebook: its number (such as ``"R4.2"``), its title and its text in Markdown.

    The text of a chapter (``"R4"``) is the part before its first clause, and is often empty.
    """

    number: str
    title: str
    text: str

    @property
    def is_chapter(self) -> bool:
        """Whether this is a chapter, such as R4, and not a single clause."""
        return "." not in self.number

    @property
    def markdown(self) -> str:
        """The heading and the text, as they appear in the rulebook."""
        heading = f"{'##' if self.is_chapter else '###'} {self.number} {self.title}"
        return f"{heading}\n\n{self.text}" if self.text else heading


@functools.cache
def whole(language: str = "en") -> str:
    """Return the whole rulebook in Markdown, in English if there is no translation. Raises `ValueError`."""
    if language not in LANGUAGES:
        raise ValueError(f"there is no language {language!r}; the languages are {', '.join(LANGUAGES)}")
    files = (LOCALE.joinpath(code, "rulebook.md") for code in (language, LANGUAGES[0]))
    return next(file for file in files if file.is_file()).read_text(encoding="utf-8")


@functools.cache
def _parsed(language: str) -> tuple[str, dict[str, Clause]]:
    """Return the text before the first chapter, and all chapters and clauses by their numbers."""
    found: list[tuple[str, str, list[str]]] = []
    before: list[str] = []
    for line in whole(language).splitlines():
        heading = _HEADING.match(line)
        if heading:
            found.append((heading[2], heading[3], []))
        else:
            (found[-1][2] if found else before).append(line)
    table = {number: Clause(number, title, "\n".join(lines).strip()) for number, title, lines in found}
    return "\n".join(before).strip(), table


def preamble(language: str = "en") -> str:
    """Return the title and the introduction of the rulebook in Markdown."""
    return _parsed(language)[0]


def clauses(language: str = "en") -> tuple[Clause, ...]:
    """Return all chapters and clauses in order, from R1 to R9."""
    return tuple(_parsed(language)[1].values())


def clause(number: str, language: str = "en") -> Clause:
    """Return the clause or chapter with a number written as ``"R4.2"``, ``"r4.2"``, ``"4.2"`` or ``"R4"``.

    Raises a `NotationError` that lists similar numbers if there is no such clause.
    """
    table = _parsed(language)[1]
    match = _NUMBER.fullmatch(number.strip())
    name = f"R{match[1]}" if match else number.strip()
    if name in table:
        return table[name]
    chapter = name.partition(".")[0]
    if match and chapter in table:
        inside = [known for known in table if known.startswith(f"{chapter}.")]
        hint = f"{chapter} has {inside[0]} to {inside[-1]}" if inside else f"{chapter} is not divided into clauses"
    else:
        close = difflib.get_close_matches(name[:10], table, n=1)
        hint = f"did you mean {close[0]}?" if close and not match else "the chapters are R1 to R9"
    raise NotationError(f"there is no clause {number.strip()[:40]!r} in the rules; {hint}")


def chapter_of(number: str, language: str = "en") -> tuple[Clause, ...]:
    """Return the chapter with this number and its clauses, or only the clause. Raises `NotationError`."""
    head = clause(number, language)
    if not head.is_chapter:
        return (head,)
    return tuple(c for c in clauses(language) if c.number.partition(".")[0] == head.number)
