"""The positions of all parts on a screen of a given size. This module only calculates.

A style sheet can't say this: how many rows a side gets depends on the number of sides as well as on the screen, all
sides get the same number, the piles get the rest, and at a crowded table the piles and the log move to another column.
"""

from typing import Final, NamedTuple

from textual.geometry import Region

CARDS: Final = 7  # the number of places in a hand: 1 to 6 and P
NARROW: Final = 72  # if the screen has fewer columns than this, there is no room for a window beside the table
PILES: Final = 3  # the number of rows for the piles if they are below the window
LEAST_WINDOW: Final = 5  # the minimum number of rows for the window above the piles
CROWD: Final = 6  # if there are more seats than this, the log of a whole round is more important than the window
WRAPPED: Final = 5  # if the log is narrow, a round takes this many lines in addition to one per seat


class Regions(NamedTuple):
    """Regions by name. The player's side is the last. A region without rows or columns isn't shown."""

    header: Region
    sides: tuple[Region, ...]
    draw: Region
    discard: Region
    log: Region
    window: Region
    cards: tuple[Region, ...]
    message: Region
    choices: Region


def arrange(width: int, height: int, sides: int, seats: int) -> Regions:
    """Return the regions for ``sides`` and ``seats`` on a screen with ``width`` columns and ``height`` rows."""
    width, height = max(width, 20), max(height, 8)
    lines = 1 if height < 34 else 2
    hand = (
        3 if height < 18 else 4 if height < 22 else 5 if height < 30 else 7 if height < 44 else 9 if height < 54 else 11
    )
    upper = height - 1 - hand - lines - 1
    right = 0 if width < NARROW else 30 if width < 100 else 38 if width < 140 else 44
    left = width - right
    others = sides - 1
    own = 6 if upper < 26 else 9 if upper < 36 else 12 if upper < 44 or sides > 2 else 14
    if upper < own + 2 * others + 1:
        own = max(2, min(own, upper - 2 * others))
    strip = 4 if upper < 26 else 7 if upper < 36 else 11
    each = (upper - own - strip) // others
    if each < 7 < strip:  # showing the other sides as cards is more important than large piles
        strip = 7
        each = (upper - own - strip) // others
    beside = each < 2 and right > 0
    if beside:  # if there is no room between the sides, the piles are below the window
        each = (upper - own) // others
    each = max(2, min(each, own))
    if sides == 2 and not beside:
        each = own = max(2, min((upper - strip) // 2, own))
    if upper < 2 * sides:  # a line for each side: the player's side first, then the sides that play next
        each = own = 1
    shown = min(others, max(0, upper - own) // each)
    regions, top = [], 1
    for n in range(others):
        regions.append(Region(0, top, left if n < shown else 0, each if n < shown else 0))
        top += each if n < shown else 0
    bottom = 1 + upper
    own_top = max(top, bottom - own)
    middle = Region(0, top, left, max(0, own_top - top))
    regions.append(Region(0, own_top, left, max(0, bottom - own_top)))
    told = 0  # rows for the log below the window, enough for a whole round
    if beside:  # if this leaves too little for the window, the log takes all rows
        told = min(max(3, upper - PILES - LEAST_WINDOW), seats + 2) if seats <= CROWD else upper - PILES
        middle = Region(left, bottom - PILES - told, right, PILES + told)
    elif right and seats > CROWD and middle.height < seats + (2 if middle.width >= NARROW else WRAPPED):
        told = max(seats + WRAPPED, upper // 2)
        told = told if upper - told >= LEAST_WINDOW else upper
    above = upper - told - (PILES if beside else 0)
    window = Region(left, 1, right if above else 0, above)
    pile = 11 if middle.height < 7 or middle.width < 60 else 14 if middle.height < 11 or middle.width < 100 else 22
    tall = min(middle.height, 7 if middle.height < 9 else 8 if middle.height < 11 else 13)
    draw = Region(middle.x + (1 if not beside else 0), middle.y, pile if middle.width >= 24 else 0, tall)
    discard = Region(draw.right, middle.y, draw.width, tall)
    log = Region(discard.right + 1, middle.y, max(0, middle.right - discard.right - 1), middle.height)
    if beside:
        draw = Region(draw.x, draw.y, pile, PILES)
        discard = Region(draw.right, draw.y, pile, PILES)
    if told:
        log = Region(left, bottom - told, right, told)
    each_card = min(17 if hand < 9 else 28, (width - 1) // CARDS)
    edge = (width - each_card * CARDS) // 2
    cards = tuple(Region(edge + n * each_card, bottom, each_card, hand) for n in range(CARDS))
    return Regions(
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
