"""Kernels of the `oracle`: play each move out over the real cards to see how it turns out.

States, deals and streams come in rows. Row 0 is the current hand, and the other rows are copies that are played out.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy import uint64

from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.policies.deal import make_seen
from millebornes.policies.dispatch import Workspace, choose_code
from millebornes.policies.equity_tables import Chances, win_chance
from millebornes.policies.features import write_codes
from millebornes.policies.streams import redraw
from millebornes.rules.scoring import side_score
from millebornes.rules.state import Floats, Integers, Phase, Record, Records, Word

__all__ = ["AIM", "ROWS", "Board", "Outcomes", "choose_by_planning", "choose_by_playing_out"]

AIM: Final = np.dtype(
    [
        ("chances", "i8"),  # 1 for the chance to win the match, 0 for points
        ("step", "i8"),  # step of the table of chances (`millebornes.policies.match_equity.Equity`)
        ("reach", "i8"),  # match target of this table
        ("streams", "i8"),  # 1 if every seat draws from its own part of the deck
    ],
    align=True,
)
"""The objective."""

ROWS: Final = 3
"""Rows of states that `choose_by_planning` needs."""

U = np.uint64
OVER = np.uint8(Phase.OVER)
POINTS: Final = 1e-9
"""The value of a point, to compare moves with equal chances."""


class Board(NamedTuple):
    """The hand, the objective, and the player who moves.

    The `Workspace` and ``streams`` have `ROWS` rows each. ``equity`` is the table of chances (any table if points
    count). ``player`` (a `SEATED` record) makes all moves that are not being compared.
    """

    workspace: Workspace
    streams: Records
    aim: Record
    equity: Chances
    player: Record


class Outcomes(NamedTuple):
    """Results by row: the legal moves, the value of each, and the hand's points by move and side."""

    codes: Integers
    values: Floats
    points: Integers


@inner_kernel
def go_on(state: Record, tables: Record, deal: Record, streams: Record, aim: Record, code: Word) -> None:
    """Make a move and, with streams, redraw the cards that follow."""
    before = np.int64(state["drawn"])
    make_seen(state, tables, deal, code)
    if aim["streams"]:
        redraw(state, np.int64(tables["seats"]), before, deal, streams)


@inner_kernel
def copy_row(workspace: Workspace, streams: Records, aim: Record, row: int) -> None:
    """Copy a hand to the next row."""
    workspace.states[row + 1] = workspace.states[row]
    workspace.deals[row + 1] = workspace.deals[row]
    if aim["streams"]:
        streams[row + 1] = streams[row]


@kernel
def worth(
    state: Record, tables: Record, deal: Record, aim: Record, equity: Chances, own: Word, points: Integers
) -> float:
    """Return the value of a finished hand for the side ``own``, and write the points of each side to ``points``.

    The value is its lead, which is (sides - 1) times its points minus the points of all other sides, or its chance to
    win the match. Equal chances are ordered by the lead.
    """
    sides = np.int64(tables["sides"])
    lead = np.int64(0)
    for side in range(sides):
        points[side] = np.int64(side_score(state, tables, uint64(side)))
        lead += (sides - 1) * points[side] if side == own else -points[side]
    if not aim["chances"]:
        return float(lead)
    for side in range(sides):
        deal["totals"][side] += points[side]  # totals of a copy, which is not used again
    first = (np.int64(state["first"]) + 1) % np.int64(tables["seats"])  # R2.7
    chance = win_chance(equity, sides, aim["step"], aim["reach"], deal["totals"], own, first)
    return float(chance + POINTS * lead)


@kernel
def choose_by_playing_out(row: int, board: Board, found: Outcomes) -> Word:
    """Return the place of the best move if the player of the `Board` makes all later moves, and the number of moves.

    Fills row ``row`` of the `Outcomes`, and uses the states of the rows from ``row`` + 1. If several moves are equally
    good, the player's choice is preferred.
    """
    workspace, streams, aim, equity, player = board
    work, tables = workspace.work[0], workspace.work[0]["tables"]
    codes, values = found.codes[row], found.values[row]
    state = workspace.states[row]
    own = np.int64(state["own"])
    f = work["features"]
    write_codes(state, tables, f)
    count = f["count"]
    for i in range(count):
        codes[i] = f["codes"][i]
    if count == 1:
        return np.int64(0), count
    usual = choose_code(state, workspace.deals[row], player, work)
    best = 0
    for i in range(count):
        if codes[i] == usual:
            best = i
    line, deal, left = workspace.states[row + 1], workspace.deals[row + 1], streams[row + 1]
    for i in range(count):
        copy_row(workspace, streams, aim, row)
        go_on(line, tables, deal, left, aim, U(codes[i]))
        while line["phase"] != OVER:
            go_on(line, tables, deal, left, aim, U(choose_code(line, deal, player, work)))
        values[i] = worth(line, tables, deal, aim, equity, own, found.points[row, i])
    for i in range(count):
        if values[i] > values[best]:
            best = i
    return np.int64(best), count


@kernel
def choose_by_planning(board: Board, found: Outcomes) -> Word:
    """Choose as in `choose_by_playing_out` for row 0, but let the seat to decide use that method for its later moves.

    Other seats play like the player. If several moves are equally good, the choice of `choose_by_playing_out` is
    preferred.
    """
    workspace, streams, aim, equity, player = board
    work, tables = workspace.work[0], workspace.work[0]["tables"]
    codes, values = found.codes[0], found.values[0]
    seat = workspace.states[0]["seat"]
    own = np.int64(workspace.states[0]["own"])
    best, count = choose_by_playing_out(0, board, found)
    line, deal, left = workspace.states[1], workspace.deals[1], streams[1]
    for i in range(count):
        copy_row(workspace, streams, aim, 0)
        go_on(line, tables, deal, left, aim, U(codes[i]))
        while line["phase"] != OVER:
            if line["seat"] == seat:
                place, _ = choose_by_playing_out(1, board, found)
                code = found.codes[1, place]
            else:
                code = choose_code(line, deal, player, work)
            go_on(line, tables, deal, left, aim, U(code))
        values[i] = worth(line, tables, deal, aim, equity, own, found.points[0, i])
    for i in range(count):
        if values[i] > values[best]:
            best = i
    return best, count
