"""What would come of each move, by playing it out over the real cards: kernels of the `oracle`.

States, deals and streams come in rows: row 0 is the hand as it stands, the rows after it are copies that are played on.
"""

from typing import Any, Final

import numpy as np
from numpy import uint64

from millebornes.policies.draws import redraw
from millebornes.policies.equity_tables import win_chance
from millebornes.policies.features import write_codes
from millebornes.policies.native import choose_code, make_seen
from millebornes.rules.jit import inner_kernel, kernel
from millebornes.rules.scoring import side_score
from millebornes.rules.state import NOBODY, Phase, Record, Word

__all__ = ["AIM", "ROWS", "choose_by_planning", "choose_by_playing_out"]

AIM: Final = np.dtype(
    [
        ("target", "i8"),  # points that the match is played to, 0 for single hands
        ("chances", "i8"),  # 1 where the chance to win the match counts, 0 where points do
        ("step", "i8"),  # of the table with these chances (`millebornes.policies.match_equity.Equity`)
        ("reach", "i8"),  # the match target that this table is for
        ("streams", "i8"),  # 1 where every seat draws from its own part of the deck
    ],
    align=True,
)
"""What is played for."""

ROWS: Final = 3
"""Rows of states that `choose_by_planning` needs."""

U = np.uint64
ZERO, CODE_MASK = U(0), U(63)
OVER = np.uint8(Phase.OVER)
NO = np.uint8(NOBODY)
POINTS: Final = 1e-9
"""What a point counts where chances are equal."""


@inner_kernel
def go_on(state: Record, tables: Record, deal: Record, streams: Record, aim: Record, code: Word) -> None:
    """Make a move, and what belongs to it."""
    before = np.int64(state["drawn"])
    make_seen(state, tables, deal, code)
    if aim["streams"]:
        redraw(state, np.int64(tables["seats"]), before, deal, streams)


@inner_kernel
def copy_row(states: Any, deals: Any, streams: Any, aim: Record, row: Word) -> None:
    """Copy a hand to the next row."""
    states[row + 1] = states[row]
    deals[row + 1] = deals[row]
    if aim["streams"]:
        streams[row + 1] = streams[row]


@kernel
def worth(state: Record, tables: Record, deal: Record, aim: Record, equity: Any, own: Word, points: Any) -> float:
    """What a finished hand is worth to the side ``own``; ``points`` takes the points by side.

    Its lead, which is (sides - 1) times its own points less those of all others; or its chance to win the match, where
    equal chances go by the lead.
    """
    sides = np.int64(tables["sides"])
    lead = np.int64(0)
    for side in range(sides):
        points[side] = np.int64(side_score(state, tables, uint64(side)))
        lead += (sides - 1) * points[side] if side == own else -points[side]
    if not aim["chances"]:
        return float(lead)
    for side in range(sides):
        deal["totals"][side] += points[side]  # of a copy, which is not played on
    first = (np.int64(state["first"]) + 1) % np.int64(tables["seats"])  # R2.7
    chance = win_chance(equity, sides, aim["step"], aim["reach"], deal["totals"], own, first)
    return float(chance + POINTS * lead)


@kernel
def choose_by_playing_out(
    row: Word,
    states: Any,
    deals: Any,
    streams: Any,
    tables: Record,
    lookups: Record,
    aim: Record,
    equity: Any,
    player: Record,
    generator: Record,
    f: Record,
    codes: Any,
    values: Any,
    points: Any,
) -> Word:
    """The place of the move that turns out best when ``player`` (a `SEATED` record) makes all moves after it.

    ``codes[row]`` takes the legal moves, ``values[row]`` what each is worth, ``points[row, place, side]`` the hand's
    points; their number is returned as well. ``equity`` is the table of chances (any where points count). Of equal
    moves that of ``player`` is preferred. Rows from ``row`` + 1 on are used.
    """
    state = states[row]
    own = np.int64(state["own"])
    write_codes(state, tables, f)
    count = f["count"]
    for i in range(count):
        codes[row, i] = f["codes"][i]
    if count == 1:
        return np.int64(0), count
    usual = choose_code(state, tables, lookups, deals[row], aim["target"], player, ZERO, generator, f)
    best = 0
    for i in range(count):
        if codes[row, i] == usual:
            best = i
    line, deal, left = states[row + 1], deals[row + 1], streams[row + 1]
    for i in range(count):
        copy_row(states, deals, streams, aim, row)
        go_on(line, tables, deal, left, aim, U(codes[row, i]))
        while line["phase"] != OVER:
            code = choose_code(line, tables, lookups, deal, aim["target"], player, ZERO, generator, f)
            go_on(line, tables, deal, left, aim, U(code))
        values[row, i] = worth(line, tables, deal, aim, equity, own, points[row, i])
    for i in range(count):
        if values[row, i] > values[row, best]:
            best = i
    return np.int64(best), count


@kernel
def choose_by_planning(
    states: Any,
    deals: Any,
    streams: Any,
    tables: Record,
    lookups: Record,
    aim: Record,
    equity: Any,
    player: Record,
    generator: Record,
    f: Record,
    codes: Any,
    values: Any,
    points: Any,
) -> Word:
    """As `choose_by_playing_out` for row 0, but the seat that decides plays on by that, and only others as ``player``.

    Of equal moves the one that `choose_by_playing_out` makes is preferred.
    """
    seat = states[0]["seat"]
    own = np.int64(states[0]["own"])
    best, count = choose_by_playing_out(
        0, states, deals, streams, tables, lookups, aim, equity, player, generator, f, codes, values, points
    )
    line, deal, left = states[1], deals[1], streams[1]
    for i in range(count):
        copy_row(states, deals, streams, aim, 0)
        go_on(line, tables, deal, left, aim, U(codes[0, i]))
        while line["phase"] != OVER:
            if line["seat"] == seat:
                place, _ = choose_by_playing_out(
                    1, states, deals, streams, tables, lookups, aim, equity, player, generator, f, codes, values, points
                )
                code = codes[1, place]
            else:
                code = choose_code(line, tables, lookups, deal, aim["target"], player, ZERO, generator, f)
            go_on(line, tables, deal, left, aim, U(code))
        values[0, i] = worth(line, tables, deal, aim, equity, own, points[0, i])
    for i in range(count):
        if values[0, i] > values[0, best]:
            best = i
    return best, count
