"""A review as one HTML file that needs nothing else: no other file, no network, and for reading no script."""

import base64
import functools
import hashlib
import importlib.resources
import json
import string
import zlib
from typing import Final

from millebornes.analysis.figures import unit_name
from millebornes.analysis.page.cards import symbols
from millebornes.analysis.page.decision import Setting, article, is_mistake
from millebornes.analysis.page.markup import element, escaped
from millebornes.analysis.page.summary import mistakes, plots, seats
from millebornes.analysis.records import Review
from millebornes.analysis.scene import cast_of, rules_line
from millebornes.i18n import N_, Translator, translator
from millebornes.themes import theme_for

__all__ = ["review_html"]

MOST_UNPACKED: Final = 1_000_000
"""Characters; a page with more packs what is not needed for reading it without a script or on paper."""

SIGNS: Final = {
    "first": "M2 2h2v12H2zM14 2v12L5 8z",
    "worse-back": "M8 2v12L1 8zM15 2v12L8 8z",
    "back": "M12 2v12L3 8z",
    "on": "M4 2v12L13 8z",
    "worse-on": "M8 2v12L15 8zM1 2v12L8 8z",
    "last": "M14 2h-2v12h2zM2 2v12L11 8z",
}
"""The signs of the buttons as paths in a square of 16 by 16; many fonts lack such characters."""

_PAGE: Final = string.Template(
    """<!DOCTYPE html>
<html lang="$language">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="millebornes">
<title>$title</title>
<style>$style</style>
</head>
<body $texts>
$symbols
<header><h1>$title</h1><p>$subtitle</p></header>
<main>
$summary
<section class="explorer" aria-label="$explorer">
$controls
<div id="moves">
$articles
</div>
</section>
$mistakes
$reading
</main>
<script>$script</script>
</body>
</html>
"""
)

_READING: Final = (
    N_(
        "Every decision is judged by what its player could know at the time, and the table is shown as "
        "that player saw it. “Show all cards” adds what the best move would have been had everyone's "
        "cards been known. The chances over the match and luck are based on everyone's real cards."
    ),
    N_(
        "Loss is how much worse a move was than the best one. The figure after ± is the standard error: "
        "in 95 of 100 cases the true figure is within twice that. Moves are graded only when the loss is "
        "statistically significant."
    ),
    N_(
        "The lead is the expected result of the hand: the points of the player's side minus the average "
        "of the others. “Wins hand” and “wins match” are chances."
    ),
    N_(
        "Luck is how much the deal and the draws changed your expected result, whatever anyone chose to "
        "play. Added up over all sides it is zero. The result without luck is what remains when you "
        "subtract luck."
    ),
    N_(
        "Keys: the left and right arrows step through the decisions, Home and End jump to the first and "
        "last, n and p to the next and previous mistake. Click a plot to jump to that moment."
    ),
    N_(
        "The rating shows which strength on the ladder of computer players loses as much per decision; "
        "in brackets, the 95% interval."
    ),
)


def review_html(review: Review, language: str = "en") -> str:
    """A review as the text of an HTML file, in one of `millebornes.i18n.LANGUAGES`. Raises `ValueError` for another.

    It works offline, in light and dark, from 360 pixels on, and on paper; without scripts as a list of mistakes with
    their tables. Names are escaped, and a strict content security policy lets nothing else run or be loaded.
    """
    _ = translator(language)
    setting = Setting(review, cast_of(review, _), theme_for(language), _)
    style, script = _resource("page.css"), _resource("page.js")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    names = " – ".join(setting.cast.side(side) for side in range(review.match.rules.sides))
    reading = "".join(element("p", escaped(_(text))) for text in _READING)
    unit = _("Losses are given in: {unit}.").format(unit=unit_name(setting.unit, _))
    return _PAGE.substitute(
        language=language,
        policy=escaped(policy).replace("&#x27;", "'"),
        title=escaped(_("{head}: {text}").format(head=_("Review"), text=names)),
        subtitle=escaped(f"{rules_line(review, _)}. {unit}"),
        style=style,
        script=script,
        texts=_texts(_),
        symbols=symbols(setting.theme),
        summary=seats(setting) + plots(setting),
        explorer=escaped(_("All decisions, one by one")),
        controls=_controls(setting),
        articles=_articles(setting),
        mistakes=mistakes(setting),
        reading=element("details", element("summary", escaped(_("How to read this"))) + reading, class_="panel"),
    )


def _articles(setting: Setting) -> str:
    """The pieces of all decisions; on a large page those that are no mistakes are unpacked by the script."""
    pieces = [article(setting, decision) for decision in setting.review.decisions]
    if sum(len(piece.inside) for piece in pieces) <= MOST_UNPACKED:
        return "\n".join(map(str, pieces))
    packed: list[str] = []
    shown = []
    for decision, piece in zip(setting.review.decisions, pieces, strict=True):
        if is_mistake(decision):
            shown.append(str(piece))
        else:
            packed.append(piece.inside)
            shown.append(f"{piece.tag}</article>")
    data = zlib.compress(json.dumps(packed).encode(), 9, wbits=-zlib.MAX_WBITS)
    shown.append(f'<div id="packed" hidden>{base64.b64encode(data).decode("ascii")}</div>')
    return "\n".join(shown)


@functools.cache
def _resource(name: str) -> str:
    """The style sheet or the script, which are files beside the parts of the page."""
    return importlib.resources.files("millebornes.analysis.page").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """How a policy names an inline style sheet or script that is allowed."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _texts(_: Translator) -> str:
    """What the script says, in this language."""
    texts = {
        "picked": _("Your pick: {move}. It loses {loss}."),
        "right": _("Your pick: {move}. It is the best."),
        "score": _("{best} of {n} picks were the best."),
        "counted": _("{n} of {all}"),
    }
    return " ".join(f'data-{name}="{escaped(text)}"' for name, text in texts.items())


def _sign(go: str) -> str:
    return f'<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="{SIGNS[go]}"/></svg>'


def _controls(setting: Setting) -> str:
    """Buttons and switches; without a script they are not shown."""
    _ = setting._
    buttons = (
        ("first", _("First decision (Home)")),
        ("worse-back", _("Previous mistake (p)")),
        ("back", _("Previous decision (left arrow)")),
        ("on", _("Next decision (right arrow)")),
        ("worse-on", _("Next mistake (n)")),
        ("last", _("Last decision (End)")),
    )
    drawn = "".join(
        f'<button type="button" data-go="{go}" title="{says}" aria-label="{says}">{_sign(go)}</button>'
        for go, says in ((go, escaped(says)) for go, says in buttons)
    )
    switches = (
        ("quiz", _("What would you play?")),
        ("only", _("Only mistakes")),
        ("open", _("Show all cards")),
    )
    toggles = "".join(
        f'<label><input type="checkbox" id="{name}" autocomplete="off"> {escaped(says)}</label>'
        for name, says in switches
    )
    steps, whose, everybody = _("Steps through the decisions"), _("whose decisions"), _("everyone")
    seats = range(setting.review.match.rules.seats)
    choices = "".join(f'<option value="{seat}">{escaped(setting.cast.seat(seat))}</option>' for seat in seats)
    return (
        f'<nav class="controls" aria-label="{escaped(steps)}">'
        f'<span class="steps">{drawn}</span><output id="count"></output><output id="now"></output>'
        f'<label><select id="who" autocomplete="off" aria-label="{escaped(whose)}">'
        f'<option value="">{escaped(everybody)}</option>{choices}</select></label>{toggles}'
        f'<p id="said" role="status"></p></nav>'
    )
