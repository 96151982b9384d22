"""What would come of each move, by playing it out over the real cards: kernels of the `oracle`.

States, deals and streams come in rows: row 0 is the hand as it stands, the rows after it are copies that are played on.
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
OVER = np.uint8(Phase.OVER)
POINTS: Final = 1e-9
"""What a point counts where chances are equal."""


class Board(NamedTuple):
    """The hand, what it is played for, and by whom.

    Its `Workspace` has `ROWS` of everything, and so has ``streams``. ``equity`` is the table of chances (any where
    points count). ``player`` (a `SEATED` record) makes the moves that are not in question.
    """

    workspace: Workspace
    streams: Records
    aim: Record
    equity: Chances
    player: Record


class Outcomes(NamedTuple):
    """What was found by row: the legal moves, what each is worth, and the hand's points by move and side."""

    codes: Integers
    values: Floats
    points: Integers


@inner_kernel
def go_on(state: Record, tables: Record, deal: Record, streams: Record, aim: Record, code: Word) -> None:
    """Make a move, and what belongs to it."""
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
def choose_by_playing_out(row: int, board: Board, found: Outcomes) -> Word:
    """The place of the move that turns out best when the player of the `Board` makes all moves after it.

    Row ``row`` of the `Outcomes` is filled in; the number of moves is returned as well. Of equal moves that of the
    player is preferred. Rows from ``row`` + 1 on are used.
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
    """As `choose_by_playing_out` for row 0, but the seat that decides plays on by that, and only others as the player.

    Of equal moves the one that `choose_by_playing_out` makes is preferred.
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
