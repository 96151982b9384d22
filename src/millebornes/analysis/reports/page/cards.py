"""Drawings of cards in SVG. Each card is drawn once per page, and rows of cards refer to that drawing."""

from collections.abc import Iterable, Mapping
from typing import Final

from markupsafe import Markup

from millebornes.analysis.reports.page.markup import escaped
from millebornes.cards import DISTANCES, SAFETIES, Card, sorted_cards
from millebornes.game import Tableau
from millebornes.game.artwork import CARD_HEIGHT, CARD_WIDTH, card_back, card_face, empty_place, face_symbols, text
from millebornes.themes import Theme

__all__ = ["back_row", "face_row", "marked", "side_rows", "symbols"]

GAP: Final = 6
STEP: Final = CARD_WIDTH + GAP
BACK_STEP: Final = 22
ROOM: Final = 4
"""The margin around a row of cards, which leaves room for marks and numbers."""
MAX_COUNT: Final = 14
"""The highest number that a stack of distance cards can show."""
BACKS: Final = 7
"""The maximum number of face-down cards to draw, which is the size of a full hand."""
SIDE_SCALE: Final = 0.68
PILES: Final = ("battle", "speed")


def symbols(theme: Theme) -> Markup:
    """Return an invisible SVG element that contains all drawings. The theme provides the names of the cards.

    The id of a drawing begins with a letter: ``k`` and a code for a card, ``t`` and a code for a card on its side,
    ``b`` and a number for that many face-down cards, ``n`` and a number for the number on a stack, and ``m`` for a
    mark. ``tops`` and ``miles`` are the empty places for a side's cards.
    """
    parts = [_symbol(f"k{card.code}", card_face(card, theme.short_of(card), 0, 0)) for card in Card]
    parts += [_symbol(f"t{card.code}", card_face(card, theme.short_of(card), 0, 0, turned=True)) for card in SAFETIES]
    parts.append(_symbol("b1", card_back(0, 0)))
    for number in range(2, BACKS + 1):
        parts.append(_symbol(f"b{number}", "".join(_use("b1", BACK_STEP * place) for place in range(number))))
    tops = [empty_place(STEP * place, 0, theme.pile(pile).split(" ")[0]) for place, pile in enumerate(PILES)]
    tops += [empty_place(_safety_at(place), 0, theme.short_of(card)) for place, card in enumerate(SAFETIES)]
    parts.append(_symbol("tops", "".join(tops)))
    miles = [empty_place(STEP * place, 0, theme.short_of(card)) for place, card in enumerate(DISTANCES)]
    parts.append(_symbol("miles", "".join(miles)))
    parts += [_symbol(f"n{number}", _number(number)) for number in range(2, MAX_COUNT + 1)]
    frame = f'<rect x="-2" y="-2" width="{CARD_WIDTH + 4}" height="{CARD_HEIGHT + 4}" rx="8" fill="none"/>'
    parts += [_symbol(f"m{mark}", frame) for mark in ("best", "played")]
    drawn = "".join(parts)
    faces = face_symbols(drawn, theme.short_of)
    return Markup(f'<svg class="defs" width="0" height="0" aria-hidden="true">{faces}{drawn}</svg>')


def _symbol(name: str, inside: str) -> str:
    return f'<symbol id="{name}" overflow="visible">{inside}</symbol>'


def _use(name: str, x: float = 0, y: float = 0) -> str:
    """Return SVG that places a drawing at a position. The marks for the move played and the best move can be hidden."""
    where = "".join(f' {axis}="{value:g}"' for axis, value in (("x", x), ("y", y)) if value)
    hidden = f' class="a {name}"' if name in {"mbest", "mplayed"} else ""
    return f'<use href="#{name}"{where}{hidden}/>'


def _number(number: int) -> str:
    return f'<circle cx="{CARD_WIDTH - 6}" cy="9" r="11" fill="#ffd24a" stroke="#1e4d45" stroke-width="2"/>' + text(
        CARD_WIDTH - 6, 13.5, f"{number}", 13, "#2b2f36", anchor="middle", bold=True
    )


def _row(drawn: str, width: float, label: str, scale: float) -> Markup:
    whole, height = width + 2 * ROOM, CARD_HEIGHT + 2 * ROOM
    said = f'role="img" aria-label="{escaped(label)}"' if label else 'aria-hidden="true"'
    box = f'viewBox="-{ROOM} -{ROOM} {whole:g} {height}" width="{whole * scale:.0f}"'
    return Markup(f'<svg class="row" {box} {said}>{drawn}</svg>')


def face_row(cards: Iterable[Card], label: str, marks: Mapping[Card, str], scale: float) -> Markup:
    """Return an SVG row of face-up cards. ``marks`` draws "best" or "played" around the first card of a kind."""
    drawn, left = [], dict(marks)
    shown = sorted_cards(cards)
    for number, card in enumerate(shown):
        drawn.append(_use(f"k{card.code}", STEP * number))
        if card in left:
            drawn.append(_use(f"m{left.pop(card)}", STEP * number))
    return _row("".join(drawn), max(STEP * len(shown) - GAP, CARD_WIDTH), label, scale)


def marked(best: Card | None, played: Card | None) -> dict[Card, str]:
    """Return the marks for the cards that belong to the best move and to the move that was made."""
    return {card: mark for card, mark in ((played, "played"), (best, "best")) if card is not None}


def back_row(count: int, label: str, scale: float) -> Markup:
    """Return an SVG row of overlapping face-down cards."""
    shown = min(count, BACKS)
    drawn = _use(f"b{shown}") if shown else ""
    return _row(drawn, BACK_STEP * max(shown - 1, 0) + CARD_WIDTH, label, scale)


def _safety_at(place: int) -> float:
    return 2 * STEP + GAP + place * (CARD_HEIGHT + GAP) + (CARD_HEIGHT - CARD_WIDTH) / 2


def side_rows(tableau: Tableau, label: str) -> Markup:
    """Return SVG with two rows: the tops of a side's piles with its safeties, and the side's distance cards."""
    drawn = [_use("tops")]
    if tableau.battle is not None:
        drawn.append(_use(f"k{tableau.battle.code}"))
    if tableau.speed is not None:
        drawn.append(_use(f"k{tableau.speed.code}", STEP))
    lying = (CARD_HEIGHT - CARD_WIDTH) / 2
    for place, card in enumerate(SAFETIES):
        if card in tableau.coups_fourres:
            drawn.append(_use(f"t{card.code}", _safety_at(place) - lying, lying))
        elif card in tableau.safeties:
            drawn.append(_use(f"k{card.code}", _safety_at(place)))
    found = _row("".join(drawn), _safety_at(len(SAFETIES)) - lying - GAP, label, SIDE_SCALE)
    drawn = [_use("miles")]
    for place, card in enumerate(DISTANCES):
        count, x = tableau.distance_cards[card], STEP * place
        if count > 1:
            drawn += [_use(f"k{card.code}", x + 3, 3), _use(f"k{card.code}", x), _use(f"n{min(count, MAX_COUNT)}", x)]
        elif count:
            drawn.append(_use(f"k{card.code}", x))
    return found + _row("".join(drawn), STEP * len(DISTANCES) - GAP, "", SIDE_SCALE)
