"""Helpers for HTML and inline SVG. All text from outside the program is escaped with `escaped`."""

import html
from collections.abc import Iterable

from markupsafe import Markup

__all__ = ["bar", "escaped", "percent_of", "printable"]


def printable(text: str) -> str:
    """Return ``text`` with spaces in place of characters that can't be shown."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def escaped(text: str) -> str:
    """Return ``text``, escaped for use in an element or in a double-quoted attribute."""
    return html.escape(printable(text))


def percent_of(share: float) -> str:
    """Return a share (0 to 1) as a percentage for an SVG attribute."""
    return f"{100 * min(max(share, 0.0), 1.0):.2f}".rstrip("0").rstrip(".") + "%"


def bar(parts: Iterable[tuple[str, float]], class_: str) -> Markup:
    """Return an SVG bar that consists of several parts, each with its class and its share of the whole."""
    drawn, at = [], 0.0
    for name, share in parts:
        if share > 0:
            drawn.append(f'<rect class="{name}" x="{percent_of(at)}" width="{percent_of(share)}" height="100%"/>')
        at += share
    return Markup(f'<svg class="{class_}" aria-hidden="true">{"".join(drawn)}</svg>')
