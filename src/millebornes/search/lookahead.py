"""Look ahead with the real cards, as the player `oracle` does: play each move out to see how the hand ends.

States, deals and streams are stored in rows. Row 0 is the current hand, and all other rows are copies to play out.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy import uint64

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.policies.batch import KernelPlayer, seats_of
from millebornes.policies.dispatch import Workspace, choose_code, workspace_for
from millebornes.policies.equity_tables import Stakes, win_chance
from millebornes.policies.features import write_codes
from millebornes.policies.match_equity import stakes_of
from millebornes.policies.streams import STREAMS, make_streamed
from millebornes.rules.scoring import side_score
from millebornes.rules.state import SEATS, Floats, Integers, Phase, Record, Records, Word

ROWS: Final = 3
"""The number of rows that `choose_by_planning` needs."""

U = np.uint64
OVER = np.uint8(Phase.OVER)
POINTS: Final = 1e-9
"""The value of a point when two moves with equal chances are compared."""


class Board(NamedTuple):
    """The hand, the objective, and the player that makes the moves.

    The `Workspace` and ``streams`` have `ROWS` rows each. ``draws`` is true if each seat draws from its own stream.
    ``player`` (a `SEATED` record) makes all moves except those that are being compared.
    """

    workspace: Workspace
    streams: Records
    draws: bool
    stakes: Stakes
    player: Record


class Outcomes(NamedTuple):
    """The results in each row: the legal moves, the value of each move, and the points in the hand by move and side."""

    codes: Integers
    values: Floats
    points: Integers


@inner_kernel
def copy_row(workspace: Workspace, streams: Records, draws: bool, row: int) -> None:
    workspace.states[row + 1] = workspace.states[row]
    workspace.deals[row + 1] = workspace.deals[row]
    if draws:
        streams[row + 1] = streams[row]


@kernel
def worth(state: Record, tables: Record, deal: Record, stakes: Stakes, own: Word, points: Integers) -> float:
    """Return the value of a finished hand to the side ``own``, and write the points of each side to ``points``.

    The value is the lead of the side, which is (sides - 1) times its points minus the points of all other sides, or its
    chance to win the match. The lead breaks ties between equal chances.
    """
    sides = np.int64(tables["sides"])
    lead = np.int64(0)
    for side in range(sides):
        points[side] = np.int64(side_score(state, tables, uint64(side)))
        lead += (sides - 1) * points[side] if side == own else -points[side]
    if stakes.goal == 0:
        return float(lead)
    for side in range(sides):
        deal["totals"][side] += points[side]  # the totals of a copy that isn't used again
    first = (np.int64(state["first"]) + 1) % np.int64(tables["seats"])  # R2.7
    chance = win_chance(stakes.table, sides, stakes.step, stakes.goal, deal["totals"], own, first)
    return float(chance + POINTS * lead)


@kernel
def choose_by_playing_out(row: int, board: Board, found: Outcomes) -> Word:
    """Return the place of the best move (of equal ones the player's own) if the player makes all later moves."""
    workspace, streams, draws, stakes, player = board
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
        copy_row(workspace, streams, draws, row)
        make_streamed(line, tables, U(codes[i]), deal, left, draws)
        while line["phase"] != OVER:
            make_streamed(line, tables, U(choose_code(line, deal, player, work)), deal, left, draws)
        values[i] = worth(line, tables, deal, stakes, own, found.points[row, i])
    for i in range(count):
        if values[i] > values[best]:
            best = i
    return np.int64(best), count


@kernel
def choose_by_planning(board: Board, found: Outcomes) -> Word:
    """Return the place of the best move if the seat plays out its later moves too, and the number of moves."""
    workspace, streams, draws, stakes, player = board
    work, tables = workspace.work[0], workspace.work[0]["tables"]
    codes, values = found.codes[0], found.values[0]
    seat = workspace.states[0]["seat"]
    own = np.int64(workspace.states[0]["own"])
    best, count = choose_by_playing_out(0, board, found)
    line, deal, left = workspace.states[1], workspace.deals[1], streams[1]
    for i in range(count):
        copy_row(workspace, streams, draws, 0)
        make_streamed(line, tables, U(codes[i]), deal, left, draws)
        while line["phase"] != OVER:
            if line["seat"] == seat:
                place, _ = choose_by_playing_out(1, board, found)
                code = found.codes[1, place]
            else:
                code = choose_code(line, deal, player, work)
            make_streamed(line, tables, U(code), deal, left, draws)
        values[i] = worth(line, tables, deal, stakes, own, found.points[0, i])
    for i in range(count):
        if values[i] > values[best]:
            best = i
    return best, count


MOVES: Final = 64
"""The maximum number of legal moves in a decision (see `FEATURES`)."""


class Planned(NamedTuple):
    """The code of the best move, and the points of each side at the end of the hand after this move."""

    code: int
    points: tuple[int, ...]


@functools.lru_cache(maxsize=8)
def _expected(rules: Rules) -> npt.NDArray[np.void]:
    return seats_of([KernelPlayer.named("maxims", rules)])


class LookAhead:
    """Plays hands out with the real cards. An instance reuses its buffers, so only one thread can use it."""

    def __init__(self, rules: Rules) -> None:
        self.rules: Final = rules
        self._player: Final = _expected(rules)[0]
        self._workspace: Final = workspace_for(rules, ROWS)
        self._streams: Final = np.zeros(ROWS, STREAMS)
        self._found: Final = Outcomes(
            np.zeros((ROWS, MOVES), np.int64), np.zeros((ROWS, MOVES)), np.zeros((ROWS, MOVES, SEATS), np.int64)
        )

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Rules]]:
        return LookAhead, (self.rules,)  # the object contains only buffers

    def best_move(
        self,
        state: bytes,
        draws: Sequence[Sequence[Card]] | None,
        *,
        totals: Sequence[int],
        match_target: int,
        chances: bool,
        depth: int = 1,
    ) -> Planned:
        """Return the best move of the seat to decide in a packed state (see `millebornes.players.oracle.Oracle`).

        `millebornes.players.base.FullInformationPlayer.reveal` describes ``draws``. ``totals`` contains the points of
        each side before this hand, and ``match_target`` is in points, or 0. If ``chances`` is true, moves are compared
        by the chance to win the match, and otherwise by the lead in points.
        """
        self._set_position(state, draws, totals)
        outcomes, stakes = self._found, stakes_of(self.rules, match_target if chances else 0)
        self._workspace.deals[0]["target"] = match_target
        board = Board(self._workspace, self._streams, draws is not None, stakes, self._player)
        best, _ = choose_by_planning(board, outcomes) if depth > 1 else choose_by_playing_out(0, board, outcomes)
        return Planned(int(outcomes.codes[0, best]), tuple(outcomes.points[0, best, : self.rules.sides].tolist()))

    def _set_position(self, packed: bytes, draws: Sequence[Sequence[Card]] | None, totals: Sequence[int]) -> None:
        states = self._workspace.states
        states[0] = state = np.frombuffer(packed, states.dtype)[0]
        size = self.rules.cards
        pile = size - int(state["drawn"])
        left = states["deck"][0, size - pile : size]
        deal = self._workspace.deals[0]
        seen = np.array(self._workspace.work[0]["tables"]["count"], np.int8)
        seen -= np.bincount(left, minlength=len(seen)).astype(np.int8)
        for word in state["hand"][: self.rules.seats].tolist():
            for kind in range(len(Card)):
                seen[kind] -= word >> 3 * kind & 7
        deal["public"][:] = 0
        deal["public"][: len(seen)] = seen
        deal["totals"][: len(totals)] = totals
        deal["pile"][size - pile : size] = left
        if draws is None:
            return
        streams = self._streams[0]
        for seat, cards in enumerate(draws):
            streams["card"][seat, : len(cards)] = [card.index for card in cards]
            streams["front"][seat] = 0
            streams["back"][seat] = len(cards)
