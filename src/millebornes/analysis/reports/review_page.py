"""A review as a single HTML file. The page needs no other files and no network, and you can read it without scripts."""

import base64
import functools
import hashlib
import importlib.resources
import json
import zlib
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import jinja2
from markupsafe import Markup

from millebornes.analysis.match_review import Review
from millebornes.analysis.records import Grade
from millebornes.analysis.reports.page.cards import back_row, face_row, marked, side_rows, symbols
from millebornes.analysis.reports.page.markup import bar, printable
from millebornes.analysis.reports.review_model import DecisionModel, ReviewModel, participants_of
from millebornes.i18n import translator
from millebornes.themes import theme_for

__all__ = ["Article", "article", "grade_bar", "review_html"]

MAX_UNPACKED: Final = 1_000_000
"""A page with more characters than this is compressed, except for what is needed on paper or without scripts."""


class Article(NamedTuple):
    """The part of the page for one decision, consisting of its opening tag and its content."""

    tag: str
    inside: str

    def __str__(self) -> str:
        return f"{self.tag}{self.inside}</article>"


def review_html(review: Review, language: str = "en") -> str:
    """Return a review as an HTML file in one of `millebornes.i18n.LANGUAGES`. Raises `ValueError` for other languages.

    The page works offline, in light and dark mode, on screens from 360 pixels wide, and on paper. Without scripts, it
    shows the list of mistakes with their tables. Names are escaped, and a strict content security policy prevents the
    page from running or loading anything else.
    """
    _ = translator(language)
    model = ReviewModel(review, participants_of(review, _), theme_for(language), _)
    style, script = _resource("page.css"), _resource("page.js")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    page = _environment().get_template("page.html")
    given = {"policy": policy, "style": style, "script": script, "articles": _articles(model)}
    return page.render(
        _=_, m=model, symbols=symbols(model.theme), **{name: Markup(text) for name, text in given.items()}
    )


def article(decision: DecisionModel) -> Article:
    """Return the part of the page for a decision."""
    macros: Any = _environment().get_template("decision.html").module
    return Article(macros.tag(decision), macros.inside(decision))


def _articles(model: ReviewModel) -> str:
    """Return all decisions. On a long page, those without a mistake are compressed until a script needs them."""
    pieces = [article(decision) for decision in model.decisions]
    if sum(len(piece.inside) for piece in pieces) <= MAX_UNPACKED:
        return "\n".join(map(str, pieces))
    packed: list[str] = []
    shown = []
    for decision, piece in zip(model.decisions, pieces, strict=True):
        if decision.is_mistake:
            shown.append(str(piece))
        else:
            packed.append(piece.inside)
            shown.append(f"{piece.tag}</article>")
    data = zlib.compress(json.dumps(packed).encode(), 9, wbits=-zlib.MAX_WBITS)
    shown.append(f'<div id="packed" hidden>{base64.b64encode(data).decode("ascii")}</div>')
    return "\n".join(shown)


@functools.cache
def _environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("millebornes.analysis.reports.page"),
        autoescape=True,
        finalize=_finalize,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {part.__name__: part for part in (back_row, bar, face_row, grade_bar, marked, side_rows)}
    return made


def _finalize(value: Any) -> Any:
    """Return text for the page without characters that can't be shown. Markup stays unchanged."""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def grade_bar(counts: Sequence[tuple[Grade, str, int]]) -> Markup:
    """Return a bar that shows the grades of a player's decisions."""
    whole = sum(count for _grade, _name, count in counts) or 1
    return bar(((f"g-{grade.value}", count / whole) for grade, _name, count in counts), "grades")


@functools.cache
def _resource(name: str) -> str:
    return importlib.resources.files("millebornes.analysis.reports.page").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
