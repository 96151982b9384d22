"""Look ahead with the real cards: convert a hand from Python for the kernels, and convert their results back."""

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.policies.batch import KernelPlayer, seats_of
from millebornes.policies.dispatch import workspace_for
from millebornes.policies.match_equity import stakes_of
from millebornes.policies.streams import STREAMS
from millebornes.rules.state import SEATS
from millebornes.search.lookahead_kernels import ROWS, Board, Outcomes, choose_by_planning, choose_by_playing_out

__all__ = ["LookAhead", "Planned"]

MOVES: Final = 64
"""The maximum number of legal moves in a decision (see `FEATURES`)."""


class Planned(NamedTuple):
    """The code of the best move, and the points of each side at the end of the hand after this move."""

    code: int
    points: tuple[int, ...]


@functools.lru_cache(maxsize=8)
def _expected(rules: Rules) -> npt.NDArray[np.void]:
    """Return the player that is assumed to play for every seat."""
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
        self._lay(state, draws, totals)
        found, stakes = self._found, stakes_of(self.rules, match_target if chances else 0)
        self._workspace.deals[0]["target"] = match_target
        board = Board(self._workspace, self._streams, draws is not None, stakes, self._player)
        best, _ = choose_by_planning(board, found) if depth > 1 else choose_by_playing_out(0, board, found)
        return Planned(int(found.codes[0, best]), tuple(found.points[0, best, : self.rules.sides].tolist()))

    def _lay(self, packed: bytes, draws: Sequence[Sequence[Card]] | None, totals: Sequence[int]) -> None:
        """Set up the current hand: its state, the cards that everyone has seen, and the draws of each seat."""
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
