"""A review as a single HTML file. The page needs no other files and no network, and you can read it without scripts."""

import base64
import functools
import hashlib
import json
import zlib
from typing import Any, Final, NamedTuple

import jinja2
from markupsafe import Markup

from millebornes.analysis.match_review import Review
from millebornes.markup.environment import STATIC, faces, inline_styles, make_environment
from millebornes.markup.review import review_context
from millebornes.words.review import DecisionModel, ReviewModel, words_for
from millebornes.words.words import Words

MAX_UNPACKED: Final = 1_000_000
"""A page with more characters than this is compressed, except for what is needed on paper or without scripts."""
STYLES: Final = ("tokens.css", "pieces.css", "base.css", "review.css")


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
    model = ReviewModel(review, words_for(review, Words.of(language)))
    style, script = inline_styles(*STYLES), STATIC.joinpath("review.js").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    given = {"policy": policy, "style": style, "script": script, "articles": _articles(model)}
    return (
        _environment()
        .get_template("page.html")
        .render(
            **_context(model), faces=faces(model.words.theme), **{name: Markup(text) for name, text in given.items()}
        )
    )


def article(decision: DecisionModel) -> Article:
    """Return the part of the page for a decision."""
    return _article(_macros(decision.model), decision)


def _article(macros: Any, decision: DecisionModel) -> Article:
    return Article(macros.tag(decision), macros.inside(decision))


def _macros(model: ReviewModel) -> Any:
    return _environment().get_template("review.html").make_module(_context(model))


def _context(model: ReviewModel) -> dict[str, Any]:
    _, theme = model.words.translate, model.words.theme
    return {"_": _, "plural": _.plural, "theme": theme, "inline": True} | review_context(model)


def _articles(model: ReviewModel) -> str:
    """Return all decisions. On a long page, those without a mistake are compressed until a script needs them."""
    macros = _macros(model)
    pieces = [_article(macros, decision) for decision in model.decisions]
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
    return make_environment()


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
