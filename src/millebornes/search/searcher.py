"""The search of one seat: worlds by what it remembers, rollouts in them, and what they say about each move."""

import itertools
import math
import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.policies.batch import KernelPlayer, seats_of
from millebornes.policies.chooser import choose_code
from millebornes.policies.choosing import MAXIMS, NET
from millebornes.policies.compiled import weigh_codes
from millebornes.policies.match_equity import equity_for, stakes_of
from millebornes.policies.maxims.weights import tuned
from millebornes.policies.net import OUTPUTS, score_moves
from millebornes.policies.shipped_nets import net_named
from millebornes.policies.workspace import Workspace, workspace_for
from millebornes.rules.engine import engine_for
from millebornes.search.beliefs import TRAIL, Chain, sample_hands
from millebornes.search.halving import Budget, Estimate, Numbers, Prior, halve
from millebornes.search.information_set import InformationSet
from millebornes.search.memory import Memory, Past
from millebornes.search.rollouts import Known, Seating, roll_out
from millebornes.search.settings import Settings

__all__ = ["Found", "Searcher"]

U = np.uint64
NOISE: Final = 300.0
"""By so many points leads of one move on another scatter from world to world."""
STEPS: Final = 20_000
"""Most steps, for each other seat, of the chain that makes their hands."""
FEWEST_STEPS: Final = 2000
STEPS_A_MILLISECOND: Final = 500
STEPS_A_ROLLOUT: Final = 16
SPAN: Final = 650
"""What a point is worth in a match is measured for leads up to this: half of a standard deviation of a hand's lead."""
THINNING: Final = 10
"""Each so many steps the hands are taken down; an eighth of all steps go before."""


class _Trust(NamedTuple):
    """A move that is thought worse by x points is so by ``mean`` x points, with a spread of ``least`` + ``more`` x."""

    mean: float
    least: float
    more: float


NET_TRUST: Final = _Trust(0.3, 5.0, 0.2)
MAXIMS_TRUST: Final = _Trust(0.7, 3.0, 0.8)
"""Fitted to moves of decisions in hands of the net, played out in 3,000 worlds of a long chain."""


class Found(NamedTuple):
    """What a search found: the move ``codes``, what is known of each, the places of the best and the first choice."""

    codes: tuple[int, ...]
    estimate: Estimate
    best: int
    start: int


class Searcher:
    """Searches for one seat at one table; remembers nothing itself."""

    def __init__(self, rules: Rules, settings: Settings, deciders: str = "search") -> None:
        """``deciders`` are the players of `millebornes.policies.workspace.workspace_for`."""
        self.rules: Final = rules
        self.settings: Final = settings
        self._engine: Final = engine_for(rules)
        advice = tuned(rules)
        net = None if settings.net is None else net_named(settings.net)
        players = [KernelPlayer(MAXIMS, advice=advice)]
        self._net: npt.NDArray[np.float32] | None = None
        if net is not None and net.knows(rules):
            players.append(KernelPlayer(NET, advice=advice, net=net.ready(rules)))
            self._net = net.ready(rules).numbers
        self._players: Final = seats_of(players)
        self._line: Final = np.zeros(rules.seats, np.int64)
        self._workspaces: Final = [workspace_for(rules, 2, deciders) for _thread in range(settings.threads)]
        self._pool: Final = ThreadPoolExecutor(settings.threads) if settings.threads > 1 else None

    def close(self) -> None:
        """Let the threads go."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def search(self, seen: InformationSet, legal: Sequence[int], memory: Memory, rng: random.Random) -> Found:
        """Search for the best of at least two legal moves, given by their codes."""
        begin = time.perf_counter()
        settings = self.settings
        base = self._base(seen, memory)
        others = [seat for seat in range(self.rules.seats) if seat != seen.seat]
        own = self.rules.side_of(seen.seat)
        target = seen.target if settings.match else 0
        for workspace in self._workspaces:
            deal = workspace.deals[0]
            deal["totals"][: len(seen.totals)], deal["target"] = seen.totals, target
        hands = self._hands(seen, memory, others, rng)
        codes = np.array(legal, np.int64)
        stakes = stakes_of(self.rules, target)
        unit = 1.0
        if target:
            next_first = (seen.first + 1) % self.rules.seats
            unit = equity_for(self.rules, target).slope(seen.totals, own, next_first, span=SPAN)
        ahead = 0 if self._net is None else settings.ahead
        line_ahead = self._line.copy()
        line_ahead[seen.seat] = len(self._players) - 1
        for workspace in self._workspaces:
            workspace.deals[0]["watched"], workspace.deals[0]["tells"] = ahead > 0, memory.tells
        start, prior = self._expect(base, seen.public, codes, unit)
        for workspace in self._workspaces:
            workspace.deals[0]["target"] = stakes.goal
        known = Known(base[0], seen.public, seen.unseen, hands, np.array(others, np.int64))
        seating = Seating(self._players, self._line, line_ahead, ahead)
        seed = U(rng.getrandbits(64))
        used = 0

        def play(workspace: Workspace, places: npt.NDArray[np.int64], first: int, out: Numbers) -> None:
            roll_out(workspace, known, seating, stakes, first, seed, codes[places], out)

        def further(places: npt.NDArray[np.int64], worlds: int) -> Numbers:
            nonlocal used
            out = np.zeros((worlds, len(places)))
            if self._pool is None:
                play(self._workspaces[0], places, used, out)
            else:
                edges = [worlds * n // len(self._workspaces) for n in range(len(self._workspaces) + 1)]
                parts = [
                    self._pool.submit(play, workspace, places, used + first, out[first:end])
                    for workspace, (first, end) in zip(self._workspaces, itertools.pairwise(edges), strict=True)
                ]
                for part in parts:
                    part.result()
            used += worlds
            return out

        until = None if settings.milliseconds is None else begin + settings.milliseconds / 1000
        estimate = halve(len(codes), start, further, Budget(settings.rollouts, until), prior)
        gains = estimate.expected - settings.caution * estimate.error
        gains[estimate.worlds < estimate.worlds.max()] = -math.inf
        gains[start] = 0.0
        best = int(np.argmax(gains))
        return Found(tuple(codes.tolist()), estimate, best if gains[best] > 0 else start, start)

    # ------------------------------------------------------------------ what is known

    def _base(self, seen: InformationSet, memory: Memory) -> npt.NDArray[np.void]:
        """The state as the seat sees it, with as many cards in the others' hands as they hold."""
        hands = [min(7, size) for size in seen.sizes]  # 25s stand for them
        hands[seen.seat] = seen.hand
        pending: dict[str, Any] = {}
        if seen.pending is not None:
            kind, side, by = seen.pending
            saved = seen.sides[side] if memory.hazard is None else memory.hazard.saved
            pending = {"attacker": by, "target": side, "hazard": kind, "saved": saved}
        packed = self._engine.pack(
            hand=hands,
            side=list(seen.sides),
            seat=seen.seat,
            phase=seen.phase,
            drawn=seen.drawn,
            discarded=seen.discarded,
            first=seen.first,
            extended=seen.extended,
            **pending,
        )
        base = np.frombuffer(bytearray(packed), self._engine.dtype)
        if seen.top >= 0:
            base["deck"][0, seen.discarded - 1] = seen.top
        return base

    def _hands(
        self, seen: InformationSet, memory: Memory, others: list[int], rng: random.Random
    ) -> npt.NDArray[np.uint64]:
        """Hands of the others that fit what they have done, in the order in which they are used."""
        steps = self._steps(len(others))
        burn = steps // 8
        found = np.zeros(((steps - burn) // THINNING, len(others)), np.uint64)
        past = memory.past(others)
        if not self.settings.beliefs:
            past = Past(past.events, past.states, np.zeros(len(others), np.int64))
            burn = 0
        trails = np.zeros(len(others), TRAIL)
        trails["seat"], trails["cards"] = others, [seen.sizes[seat] for seat in others]
        trails["count"] = past.counts
        pool = np.repeat(np.arange(len(seen.unseen)), seen.unseen)
        workspace = self._workspaces[0]
        workspace.work[0]["generator"]["word"] = rng.getrandbits(64)
        chain = Chain(past.events, past.states, trails, pool)
        sample_hands(workspace, chain, self._players[0], burn, THINNING, found)
        return found[np.random.default_rng(rng.getrandbits(64)).permutation(len(found))]

    def _steps(self, others: int) -> int:
        """How long the chain is to be: a small part of what a decision may cost."""
        settings = self.settings
        by_time = math.inf if settings.milliseconds is None else STEPS_A_MILLISECOND * settings.milliseconds
        by_rollouts = math.inf if settings.rollouts is None else STEPS_A_ROLLOUT * settings.rollouts
        return int(min(STEPS * others, max(FEWEST_STEPS, min(by_time, by_rollouts))))

    def _expect(
        self, base: npt.NDArray[np.void], public: npt.NDArray[np.int8], codes: npt.NDArray[np.int64], unit: float
    ) -> tuple[int, Prior | None]:
        """The place of the move that the net or the maxims would make, and what is to be expected of the others.

        A point is worth ``unit`` in what rollouts bring.
        """
        work, deal = self._workspaces[0].work[0], self._workspaces[0].deals[0]
        deal["public"] = public
        player = self._players[-1]
        code = choose_code(base[0], deal, player, work)
        start = int(np.flatnonzero(codes == code)[0])
        if not self.settings.priors:
            return start, None
        if self._net is not None:
            f = work["features"]
            scores = np.zeros(OUTPUTS, np.float32)
            score_moves(f, self._net, scores)
            by_code = dict(zip(f["codes"][: f["count"]].tolist(), scores.tolist(), strict=False))
            worths, trust = np.array([by_code[code] for code in codes.tolist()]), NET_TRUST
        else:
            worths, trust = np.zeros(len(codes), np.int64), MAXIMS_TRUST
            weigh_codes(codes, work["features"], player["advice"], worths)
        gaps = np.maximum(0, worths[start] - worths).astype(np.float64)
        spread = np.where(codes == code, 0.0, trust.least + trust.more * gaps)
        return start, Prior(-trust.mean * gaps * unit, spread * unit, NOISE * unit)
