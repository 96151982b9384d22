"""Where everything lies on a screen of a given size; arithmetic only."""

from typing import Final, NamedTuple

from textual.geometry import Region

__all__ = ["Plan", "arrange"]

CARDS: Final = 7
"""Places in a hand: 1 to 6 and P."""

NARROW: Final = 72
"""Columns below which there is no room for a window beside the table."""


class Plan(NamedTuple):
    """Regions by name.

    ``sides`` are in the order of the screen: the other sides from the top, one's own last. A region without rows or
    columns is not shown.
    """

    header: Region
    sides: tuple[Region, ...]
    draw: Region
    discard: Region
    log: Region
    window: Region
    cards: tuple[Region, ...]
    message: Region
    choices: Region


def arrange(width: int, height: int, sides: int) -> Plan:
    """Lay out a table of some sides on a screen of ``width`` columns and ``height`` rows."""
    width, height = max(width, 20), max(height, 8)
    lines = 1 if height < 34 else 2
    hand = 3 if height < 18 else 4 if height < 22 else 5 if height < 30 else 7 if height < 44 else 9
    upper = height - 1 - hand - lines - 1
    right = 0 if width < NARROW else 30 if width < 100 else 38 if width < 140 else 44
    left = width - right
    others = sides - 1
    own = 6 if upper < 26 else 9 if upper < 36 else 11
    if upper < own + 2 * others + 1:
        own = max(2, min(own, upper - 2 * others))
    strip = 4 if upper < 26 else 7 if upper < 36 else 9
    each = (upper - own - strip) // others
    beside = each < 2 and right > 0
    if beside:  # no room for the piles between the sides: they go below the window
        each = (upper - own) // others
    each = max(2, min(each, own))
    if sides == 2 and not beside:
        each = own = max(2, min((upper - strip) // 2, own))
    regions, top = [], 1
    for _n in range(others):
        regions.append(Region(0, top, left, each))
        top += each
    bottom = 1 + upper
    own_top = max(top, bottom - own)
    middle = Region(0, top, left, max(0, own_top - top))
    regions.append(Region(0, own_top, left, max(0, bottom - own_top)))
    window = Region(left, 1, right, upper)
    if beside:
        middle = Region(left, bottom - 6, right, 6)
        window = Region(left, 1, right, upper - 6)
    pile = 11 if middle.height < 7 or middle.width < 60 else 14
    tall = min(middle.height, 7 if middle.height < 9 else 8)
    draw = Region(middle.x + (1 if not beside else 0), middle.y, pile if middle.width >= 24 else 0, tall)
    discard = Region(draw.right, middle.y, draw.width, tall)
    log = Region(discard.right + 1, middle.y, max(0, middle.right - discard.right - 1), middle.height)
    if beside:
        draw = Region(draw.x, draw.y, pile, 3)
        discard = Region(draw.right, draw.y, pile, 3)
        log = Region(middle.x, middle.y + 3, right, 3)
    each_card = min(17, (width - 1) // CARDS)
    edge = (width - each_card * CARDS) // 2
    cards = tuple(Region(edge + n * each_card, bottom, each_card, hand) for n in range(CARDS))
    return Plan(
        header=Region(0, 0, width, 1),
        sides=tuple(regions),
        draw=draw,
        discard=discard,
        log=log,
        window=window,
        cards=cards,
        message=Region(0, bottom + hand, width, lines),
        choices=Region(0, bottom + hand + lines, width, 1),
    )
