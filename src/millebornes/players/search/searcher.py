"""The search of one seat: worlds by what it remembers, rollouts in them, and what they say about each move."""

import math
import random
import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game.move import Move, move_codes
from millebornes.game.view import View, word_of_cards
from millebornes.players.advice import tuned
from millebornes.players.batch import KernelPlayer, seats_of
from millebornes.players.equity import equity_for
from millebornes.players.features import COUNTS, FEATURES, looks_for
from millebornes.players.native import DEAL, MAXIMS, choose_code
from millebornes.players.search.beliefs import TRAIL, sample_hands
from millebornes.players.search.halving import Budget, Estimate, Numbers, halve
from millebornes.players.search.memory import Memory, Past
from millebornes.players.search.rollouts import roll_out
from millebornes.players.search.settings import Settings
from millebornes.rules.engine import engine_for
from millebornes.rules.playout import GENERATOR
from millebornes.rules.state import SEATS
from millebornes.rules.tables import tables_for

__all__ = ["Found", "Searcher"]

U = np.uint64
STEPS: Final = 8000
"""Steps of the chain that makes hands of the others, of which every tenth is used after the first eighth."""
BURN: Final = STEPS // 8
EVERY: Final = 10
STEPS_A_ROLLOUT: Final = 2
"""With few rollouts the chain is shorter: so many steps for each."""


class Found(NamedTuple):
    """What a search found: the ``moves``, what is known of each, and which is best."""

    moves: tuple[Move, ...]
    estimate: Estimate
    best: int
    start: int


class Searcher:
    """Searches for one seat at one table; remembers nothing itself."""

    def __init__(self, rules: Rules, settings: Settings) -> None:
        self.rules: Final = rules
        self.settings: Final = settings
        self._engine: Final = engine_for(rules)
        self._tables: Final = tables_for(rules)
        self._looks: Final = looks_for(rules)
        self._players: Final = seats_of([KernelPlayer(MAXIMS, advice=tuned(rules))])
        self._line: Final = np.zeros(rules.seats, np.int64)
        self._worlds: Final = np.zeros(2, self._engine.dtype)
        self._deals: Final = np.zeros(2, DEAL)
        self._generators: Final = np.zeros(2, GENERATOR)
        self._features: Final = np.zeros(1, FEATURES)
        self._log: Final = np.zeros(0, np.int64)

    def search(self, view: View, legal: Sequence[Move], memory: Memory, rng: random.Random) -> Found:
        """Look for the best of at least two legal moves."""
        begin = time.perf_counter()
        settings = self.settings
        base = self._base(view, memory)
        others = [seat for seat in range(self.rules.seats) if seat != view.seat]
        unseen = np.array([view.unseen[card] for card in Card], np.int64)
        public = np.zeros(COUNTS, np.int8)
        for card in Card:
            public[card.index] = view.discards[card] + view.played[card]
        totals = np.zeros(SEATS, np.int64)
        totals[: len(view.totals)] = view.totals
        target = view.match_target or 0 if settings.match else 0
        self._generators[0]["word"] = U(rng.getrandbits(64))
        hands = self._hands(view, memory, others, unseen, totals, target)
        codes_of = move_codes(self.rules, view.side).codes
        codes = np.array([codes_of[move] for move in legal], np.int64)
        start = self._start(base, public, totals, target, codes)
        if target:
            equity = equity_for(self.rules, target)
            table, step, goal = equity.table, equity.step, equity.target
        else:
            table, step, goal = np.zeros((1, 1), np.float32), 1, 0
        next_first = (view.first + 1) % self.rules.seats
        seats = np.array(others, np.int64)
        used = 0

        def further(places: npt.NDArray[np.int64], worlds: int) -> Numbers:
            nonlocal used
            out = np.zeros((worlds, len(places)))
            roll_out(
                base[0],
                public,
                unseen,
                hands,
                seats,
                used,
                self._worlds,
                self._deals,
                self._tables,
                self._looks,
                self._players,
                self._line,
                totals,
                goal,
                table,
                step,
                next_first,
                self._generators,
                self._features[0],
                self._log,
                codes[places],
                out,
            )
            used += worlds
            return out

        until = None if settings.milliseconds is None else begin + settings.milliseconds / 1000
        estimate = halve(len(codes), start, further, Budget(settings.rollouts, until))
        ahead = estimate.lead - settings.caution * estimate.error
        ahead[estimate.worlds < estimate.worlds.max()] = -math.inf
        ahead[start] = 0.0
        return Found(tuple(legal), estimate, int(np.argmax(ahead)), start)

    # ------------------------------------------------------------------ what is known

    def _base(self, view: View, memory: Memory) -> npt.NDArray[np.void]:
        """The state as the seat sees it, with as many cards in the others' hands as they hold."""
        hands = [min(7, size) for size in view.hand_sizes]  # 25s stand for them
        hands[view.seat] = word_of_cards(view.hand)
        pending: dict[str, Any] = {}
        if view.pending is not None:
            hazard = memory.hazard
            saved = hazard.saved if hazard is not None else view.tableaux[view.pending.side].word
            pending = {
                "attacker": view.pending.by,
                "target": view.pending.side,
                "hazard": view.pending.hazard.index,
                "saved": saved,
            }
        packed = self._engine.pack(
            hand=hands,
            side=[tableau.word for tableau in view.tableaux],
            seat=view.seat,
            phase=view.phase,
            drawn=self.rules.cards - view.draw_pile,
            discarded=sum(view.discards.values()),
            first=view.first,
            extended=view.extended,
            **pending,
        )
        return np.frombuffer(bytearray(packed), self._engine.dtype)

    def _hands(
        self,
        view: View,
        memory: Memory,
        others: list[int],
        unseen: npt.NDArray[np.int64],
        totals: npt.NDArray[np.int64],
        target: int,
    ) -> npt.NDArray[np.uint64]:
        """Hands of the others that fit what they have done, in the order in which they are used."""
        rollouts = self.settings.rollouts
        steps = STEPS if rollouts is None else min(STEPS, max(400, STEPS_A_ROLLOUT * rollouts))
        burn = steps // 8
        found = np.zeros(((steps - burn) // EVERY, len(others)), np.uint64)
        past = memory.past(others)
        if not self.settings.beliefs:
            past = Past(past.events, past.states, np.zeros(len(others), np.int64))
            burn = 0
        cards = np.array([view.hand_sizes[seat] for seat in others], np.int64)
        pool = np.repeat(np.arange(len(unseen)), unseen)
        self._deals[0]["totals"][: len(totals)] = totals
        sample_hands(
            past.events,
            past.counts,
            past.states,
            np.array(others, np.int64),
            cards,
            pool,
            len(pool),
            np.zeros(len(others), TRAIL),
            self._tables,
            self._looks,
            self._deals[0],
            target,
            self._players[0],
            self._generators[0],
            self._features[0],
            burn,
            EVERY,
            found,
        )
        order = np.random.default_rng(int(self._generators["word"][0])).permutation(len(found))
        return found[order]

    def _start(
        self,
        base: npt.NDArray[np.void],
        public: npt.NDArray[np.int8],
        totals: npt.NDArray[np.int64],
        target: int,
        codes: npt.NDArray[np.int64],
    ) -> int:
        """The place of the move that the maxims would make."""
        deal = self._deals[0]
        deal["public"], deal["totals"] = public, totals
        code = choose_code(
            base[0],
            self._tables,
            self._looks,
            deal,
            target,
            self._players[0],
            U(0),
            self._generators[1],
            self._features[0],
        )
        return int(np.flatnonzero(codes == code)[0])
