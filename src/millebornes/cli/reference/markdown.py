"""Markdown as plain text, for files, pipes and screen readers."""

import re
import unicodedata
from typing import Final

__all__ = ["literal", "plain_text"]

_SPECIAL: Final = re.compile(r"[!-/:-@\[-`{-~]")
_MARKS: Final = re.compile(r"\\([!-/:-@\[-`{-~])|\*\*|`|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)")


def literal(text: str) -> str:
    """A text that stands for itself within Markdown, whatever marks are in it."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def plain_text(markdown: str) -> str:
    """The text of simple Markdown (headings, lists, tables, code and emphasis) without its marks, tables in columns.

    Headings of the first level are underlined; list items start with ``-``.
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
    """The rows of a table with aligned columns; the line of dashes under the head is drawn anew."""
    rows = [row for row in table if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
    widths = [max(_width(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return [lines[0], "  ".join("-" * width for width in widths), *lines[1:]]
