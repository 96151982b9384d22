"""Draw pictures of a table as SVG, without scripts, fonts or external files.

They can be read on both light and dark pages.
"""

import dataclasses
import html
from typing import Final

from millebornes.cards import DISTANCES, SAFETIES, Card, sorted_cards
from millebornes.editions import Rules
from millebornes.errors import shortened
from millebornes.game.artwork import (
    CARD_HEIGHT,
    CARD_WIDTH,
    FONT,
    card_back,
    card_face,
    empty_place,
    face_symbols,
    text,
)
from millebornes.game.tableau import Tableau
from millebornes.themes import Theme, theme

WIDTH: Final = 940
MARGIN: Final = 16
SIDE_HEIGHT: Final = 150
SEAT_HEIGHT: Final = 66
SMALL: Final = 0.66
MAX_NAME: Final = 24

TABLE: Final = "#1e4d45"
PANEL: Final = "#ffffff12"
INK: Final = "#fdfbf3"
FAINT: Final = "#c5d8d0"
ACCENT: Final = "#ffd24a"

_STACK_STEP: Final = 5
_STACK_SHOWN: Final = 4


@dataclasses.dataclass(frozen=True, kw_only=True)
class HandPicture:
    """The contents of a picture of the table.

    ``hands`` contains the cards of each seat, or only their number if they are hidden. ``names`` contains the name of
    each seat, or nothing.
    """

    rules: Rules
    tableaux: tuple[Tableau, ...]
    hands: tuple[tuple[Card, ...] | int, ...]
    draw_pile: int
    discard_top: Card | None
    discards: int
    goal: int
    mover: int | None
    names: tuple[str, ...] = ()

    def name(self, seat: int) -> str:
        """Return the name of a seat."""
        name = self.names[seat] if self.names else f"Seat {seat}"
        name = "".join(c if c.isprintable() else "?" for c in name)  # XML doesn't allow other characters
        return shortened(name, MAX_NAME)

    def side_name(self, side: int) -> str:
        """Return the name of a side."""
        return " + ".join(self.name(seat) for seat in self.rules.seats_of(side))


def draw(scene: HandPicture) -> str:
    """Return a complete SVG document that shows a table with the English names of the cards.

    Each side has its battle and speed piles, distance cards and safeties. A safety called as a coup fourré is turned on
    its side. The draw pile, the discard pile and the hands are below the sides.
    """
    cards = theme()
    parts = []
    y = MARGIN
    for side, tableau in enumerate(scene.tableaux):
        parts.append(_side(scene, cards, side, tableau, y))
        y += SIDE_HEIGHT + 10
    height_of_hands = max(len(scene.hands) * SEAT_HEIGHT + 14, 140)
    parts.append(_hands(scene, cards, y, height_of_hands))
    height = y + height_of_hands + MARGIN
    drawn = "".join(parts)
    label = ", ".join(f"{scene.side_name(side)} {tableau.distance}" for side, tableau in enumerate(scene.tableaux))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" font-family="{FONT}"><title>{html.escape(f"Mille Bornes: {label}", quote=False)}</title>'
        f'<rect width="{WIDTH}" height="{height}" rx="14" fill="{TABLE}"/>'
        f"{face_symbols(drawn, cards.short_of)}{drawn}</svg>"
    )


def _panel(y: float, height: float, lit: bool = False) -> str:
    edge = f' stroke="{ACCENT}" stroke-width="2"' if lit else ""
    return (
        f'<rect x="{MARGIN}" y="{y:g}" width="{WIDTH - 2 * MARGIN}" height="{height:g}" rx="10" fill="{PANEL}"{edge}/>'
    )


def _side(scene: HandPicture, cards: Theme, side: int, tableau: Tableau, y: float) -> str:
    lit = scene.mover is not None and scene.rules.side_of(scene.mover) == side
    parts = [_panel(y, SIDE_HEIGHT, lit)]
    parts.append(text(MARGIN + 14, y + 25, scene.side_name(side), 16, INK, bold=True))
    parts.append(_road(tableau.distance, scene.goal, y + 12))
    top = y + 40
    x = MARGIN + 14
    for card, label in ((tableau.battle, cards.pile("battle")), (tableau.speed, cards.pile("speed"))):
        name = label.split(" ")[0]
        parts.append(empty_place(x, top, name) if card is None else card_face(card, cards.short_of(card), x, top))
        x += CARD_WIDTH + 10
    x += 14
    for card in DISTANCES:
        parts.append(_stack(card, tableau.distance_cards[card], cards, x, top))
        x += CARD_WIDTH + 10
    x += 14
    for card in SAFETIES:
        if card in tableau.coups_fourres:
            parts.append(card_face(card, cards.short_of(card), x, top + 12, turned=True))
        elif card in tableau.safeties:
            parts.append(card_face(card, cards.short_of(card), x + 12, top))
        else:
            parts.append(empty_place(x + 12, top, cards.short_of(card)))
        x += CARD_HEIGHT + 6
    return "".join(parts)


def _road(distance: int, goal: int, y: float) -> str:
    left, length = 480, 310
    done = min(distance / goal, 1) * length
    return (
        f'<rect x="{left}" y="{y:g}" width="{length}" height="12" rx="6" fill="#00000055"/>'
        f'<rect x="{left}" y="{y:g}" width="{done:g}" height="12" rx="6" fill="{ACCENT}"/>'
        f'<path d="M{left + 8},{y + 6:g}h{length - 16}" stroke="#ffffff66" stroke-width="1.5" stroke-dasharray="9 8"/>'
        + text(WIDTH - MARGIN - 14, y + 12, f"{distance} / {goal}", 15, INK, anchor="end", bold=True)
    )


def _stack(card: Card, count: int, cards: Theme, x: float, y: float) -> str:
    if not count:
        return empty_place(x, y, card.value)
    shown = min(count, _STACK_SHOWN)
    name = cards.short_of(card)
    parts = [card_face(card, name, x, y + _STACK_STEP * i) for i in range(shown)]
    if count > 1:
        parts.append(
            f'<circle cx="{x + CARD_WIDTH - 3:g}" cy="{y + 6:g}" r="11" '
            f'fill="{ACCENT}" stroke="{TABLE}" stroke-width="2"/>'
            + text(x + CARD_WIDTH - 3, y + 10.5, f"{count}", 13, "#2b2f36", anchor="middle", bold=True)
        )
    return "".join(parts)


def _hands(scene: HandPicture, cards: Theme, y: float, height: float) -> str:
    parts = [_panel(y, height)]
    top = y + 36
    parts.append(text(MARGIN + 14, y + 24, cards.pile("draw").split(" ")[0], 12, FAINT))
    parts.append(text(MARGIN + 88, y + 24, cards.pile("discard").split(" ")[0], 12, FAINT))
    left = MARGIN + 14
    parts.append(card_back(left, top, count=scene.draw_pile) if scene.draw_pile else empty_place(left, top, "0"))
    if scene.discard_top is None:
        parts.append(empty_place(left + 74, top, "0"))
    else:
        parts.append(card_face(scene.discard_top, cards.short_of(scene.discard_top), left + 74, top))
        middle = left + 74 + CARD_WIDTH / 2
        parts.append(text(middle, top + CARD_HEIGHT + 13, f"{scene.discards}", 11, FAINT, anchor="middle"))
    for seat, hand in enumerate(scene.hands):
        line = y + 10 + seat * SEAT_HEIGHT
        turn = seat == scene.mover
        mark = f'<path d="M208,{line + 22:g}l12,7l-12,7z" fill="{ACCENT}"/>' if turn else ""
        parts.append(mark + text(228, line + 34, scene.name(seat), 14, ACCENT if turn else INK, bold=turn))
        x = 440.0
        for card in [None] * hand if isinstance(hand, int) else sorted_cards(hand):
            if card is None:
                parts.append(card_back(x, line, scale=SMALL))
            else:
                parts.append(card_face(card, cards.short_of(card), x, line, scale=SMALL))
            x += CARD_WIDTH * SMALL + 7
        if not hand:
            parts.append(text(x, line + 34, "–", 14, FAINT))
    return "".join(parts)
