"""The match so far, as a small text plot with a line for each hand and a mark for each side, and as a sentence."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from millebornes.game import Match
from millebornes.i18n import Translator
from millebornes.words.words import TableWords

WIDTH: Final = 40
WIDEST: Final = 3
"""The points of up to this many sides fit at the end of a line. If there are more sides, only their marks are shown."""

MAX_HANDS: Final = 15
"""The maximum number of hands in a plot. In a longer match, the plot shows the latest hands."""

STEPS: Final = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000)
"""The possible steps of the scale, in points. The smallest step that fits is used."""

EVERY: Final = 6
"""The minimum number of columns between two numbers on the scale."""


def running_totals(match: Match) -> tuple[tuple[int, ...], ...]:
    """Return each side's points in the match after each finished hand."""
    played = [hand for hand in match.hands if hand.is_over]
    sides = [list(accumulate(hand.scores[side].total for hand in played)) for side in range(match.rules.sides)]
    return tuple(zip(*sides, strict=True))


def plot_lines(totals: Sequence[Sequence[int]], target: int | None, _: Translator) -> list[str]:
    """Return a line for each hand, with the numbers of the sides (from 1) placed on a scale.

    If there is room, their points follow. ``totals`` are the totals that `running_totals` returns. The scale starts at
    0. ``target`` is the number of points that ends the match, or None. Sides at the same position share a ``*``.
    Without finished hands, there are no lines.
    """
    if not totals:
        return []
    highest = max(target or 0, *(max(row) for row in totals), 1)
    step = next((step for step in STEPS if step * WIDTH >= EVERY * highest), highest)
    last = WIDTH - 1

    def column(points: int) -> int:
        return round(max(0, points) * last / highest)

    marks, scale = [" "] * (WIDTH + EVERY), [" "] * WIDTH
    for points in range(0, highest + 1, step):
        at = column(points)
        scale[at] = "."
        marks[at : at + len(str(points))] = str(points)
    if target is not None:
        scale[column(target)] = "|"
    label = max(len(str(len(totals))), 2)
    lines = [_("The match so far: the points of each side after each hand.")]
    lines.append(" " * (label + 3) + "".join(marks).rstrip())
    for number, row in list(enumerate(totals, 1))[-MAX_HANDS:]:
        cells = list(scale)
        for side, points in enumerate(row):
            at = column(points)
            shared = sum(column(other) == at for other in row) > 1
            cells[at] = "*" if shared else str(side + 1)
        told = "  ".join(f"{side}: {points}" for side, points in enumerate(row, 1)) if len(row) <= WIDEST else ""
        lines.append(f"  {number:>{label}} {''.join(cells)}  {told}".rstrip())
    return lines


def plot_sentence(totals: Sequence[Sequence[int]], viewer: int | None, words: TableWords) -> str:
    """Return a sentence for screen readers with each side's points after each of the latest hands."""
    _, hands = words.translate, []
    for number, row in list(enumerate(totals, 1))[-MAX_HANDS:]:
        points = ", ".join(f"{words.participants.side(side, viewer)} {points}" for side, points in enumerate(row))
        hands.append(_("after hand {number}: {points}").format(number=number, points=points))
    return _("The match so far: {hands}.").format(hands=_.join(hands))
