"""Small helpers for HTML and inline SVG; whatever comes from outside goes through `escaped`."""

import html

__all__ = ["bar", "element", "escaped", "percent_of", "printable"]


def printable(text: str) -> str:
    """A text with blanks for the characters that can't be shown."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def escaped(text: str) -> str:
    """A text as it may stand in an element or, in double quotes, in an attribute."""
    return html.escape(printable(text))


def element(name: str, inside: str, **attributes: str) -> str:
    """An element around markup; attributes are texts and are escaped (``class_`` is the class)."""
    given = "".join(f' {key.rstrip("_").replace("_", "-")}="{escaped(value)}"' for key, value in attributes.items())
    return f"<{name}{given}>{inside}</{name}>"


def percent_of(share: float) -> str:
    """A share as an SVG attribute takes it."""
    return f"{100 * min(max(share, 0.0), 1.0):.2f}".rstrip("0").rstrip(".") + "%"


def bar(parts: list[tuple[str, float]], class_: str) -> str:
    """A bar of several parts, each with its class and share of the whole, as SVG (no style attribute is needed)."""
    drawn, at = [], 0.0
    for name, share in parts:
        if share > 0:
            drawn.append(f'<rect class="{name}" x="{percent_of(at)}" width="{percent_of(share)}" height="100%"/>')
        at += share
    return f'<svg class="{class_}" aria-hidden="true">{"".join(drawn)}</svg>'
