"""The search of one seat: sample determinizations from its memory, play rollouts in them, and compare the moves."""

import itertools
import math
import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.policies.dispatch import choose_code, is_watching, workspace_for
from millebornes.policies.match_equity import SPAN, equity_for, stakes_of
from millebornes.rules.clauses import first_of_next_hand
from millebornes.rules.engine import engine_for
from millebornes.search.beliefs import EVENTS, TRAIL, Chain, new_cache, sample_hands, weigh_styles
from millebornes.search.endgames import EndgameSolver, is_endgame
from millebornes.search.information_set import InformationSet
from millebornes.search.memory import Memory
from millebornes.search.opponents import OpponentModel
from millebornes.search.rollouts import OUTCOME, RolloutSeats, SeatKnowledge, Simulations, roll_out
from millebornes.search.sequential_halving import Budget, MoveEstimates, Numbers, Prior, halve
from millebornes.search.settings import SearchSettings

U = np.uint64
NOISE: Final = 300.0
"""How much the lead of one move over another varies from simulation to simulation, in points."""
MIN_STEPS: Final = 1000
STEPS_A_MILLISECOND: Final = 150
STEPS_A_ROLLOUT: Final = 16
THINNING: Final = 10
"""Hands are sampled every this many steps, after the first eighth of all steps."""
STEPS_A_HISTORY: Final = 312
"""In the longest walk, the latest moves are weighed in each style for one sample in this many steps …"""
LATEST: Final = 6
"""… for at most this many events of a seat, because a decision has no time for more."""


class _PriorFit(NamedTuple):
    """A move judged x points worse is on average ``mean`` x points worse, with a spread of ``least`` + ``more`` x."""

    mean: float
    least: float
    more: float


NET_PRIOR: Final = _PriorFit(0.3, 5.0, 0.2)
MAXIMS_PRIOR: Final = _PriorFit(0.7, 3.0, 0.8)
"""Fitted to decisions in hands played by the net, each played out in 3,000 simulations from a long chain."""


class SearchResult(NamedTuple):
    """The result of a search: the move ``codes``, the estimates, and the places of the best move and the first choice.

    If it ``is_proven``, the search covered the whole rest of the hand, and no value is an estimate.
    """

    codes: tuple[int, ...]
    estimate: MoveEstimates
    best: int
    start: int
    is_proven: bool = False


class RolloutQuestion(NamedTuple):
    """The question for rollouts: which of the move ``codes`` is best? The one at place ``start`` is expected to be."""

    codes: npt.NDArray[np.int64]
    start: int
    prior: Prior | None
    simulations: Simulations


class Searcher:
    """Searches for one seat at one table. It keeps only buffers and caches."""

    def __init__(self, rules: Rules, settings: SearchSettings, deciders: str = "search") -> None:
        """Create a searcher. ``deciders`` are the players of `millebornes.policies.dispatch.workspace_for`."""
        self.rules: Final = rules
        self.settings: Final = settings
        self._deciders: Final = deciders
        self._engine: Final = engine_for(rules)
        self._opponent_model: Final = OpponentModel(rules, settings)
        self._workspaces: Final = [workspace_for(rules, 2, deciders) for _thread in range(settings.threads)]
        self._solver: EndgameSolver | None = None
        self._cache: Final = new_cache()
        self._pool: Final = ThreadPoolExecutor(settings.threads) if settings.threads > 1 else None

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Rules, SearchSettings, str]]:
        return Searcher, (self.rules, self.settings, self._deciders)  # it keeps only buffers and caches

    def close(self) -> None:
        """Stop the threads."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def search(self, seen: InformationSet, legal: Sequence[int], memory: Memory, rng: random.Random) -> SearchResult:
        """Search for the best of at least two legal moves, given by their codes."""
        begin = time.perf_counter()
        settings = self.settings
        solved = self.solve(seen, legal, memory, settings.match)
        if solved is not None:
            return solved
        question = self.ask(seen, legal, memory, rng)
        codes, start = question.codes, question.start
        field = "chance" if question.simulations.stakes.goal else "lead"
        used = 0

        def further(places: npt.NDArray[np.int64], worlds: int) -> Numbers:
            nonlocal used
            out = self.roll_out(question, places, used, worlds, is_counted=False)
            used += worlds
            return np.asarray(out[field])

        until = None if settings.milliseconds is None else begin + settings.milliseconds / 1000
        estimate = halve(len(codes), start, further, Budget(settings.rollouts, until), question.prior)
        gains = estimate.expected - settings.caution * estimate.error
        gains[estimate.worlds < estimate.worlds.max()] = -math.inf
        gains[start] = 0.0
        best = int(np.argmax(gains))
        return SearchResult(tuple(codes.tolist()), estimate, best if gains[best] > 0 else start, start)

    def ask(
        self,
        seen: InformationSet,
        legal: Sequence[int],
        memory: Memory,
        rng: random.Random,
        seating: RolloutSeats | None = None,
    ) -> RolloutQuestion:
        """Return the question for rollouts at a decision, and prepare this searcher's workspaces for them.

        If ``seating`` is None, the later moves are made by the players that this searcher expects.
        """
        settings = self.settings
        others = self._seats_but(seen.seat)
        own = self.rules.side_of(seen.seat)
        target = seen.target if settings.match else 0
        codes = np.array(legal, np.int64)
        stakes = stakes_of(self.rules, target)
        base = self._visible_state(seen, memory)
        hands = self.hands(seen, memory, rng)
        unit = 1.0
        if target:
            next_first = first_of_next_hand(seen.first, self.rules)
            unit = equity_for(self.rules, target).slope(seen.totals, own, next_first, span=SPAN)
        expected = self._opponent_model.seating(seen.seat, memory, np.random.default_rng(rng.getrandbits(64)))
        for workspace in self._workspaces:
            workspace.deals[0]["watched"], workspace.deals[0]["opponents"] = expected.net_plies > 0, memory.opponents
        start, prior = self._prior(base, seen.public, codes, unit)
        for workspace in self._workspaces:
            workspace.deals[0]["target"] = stakes.goal
            if seating is not None:
                workspace.deals[0]["watched"] = is_watching(seating.players)
        known = SeatKnowledge(base[0], seen.public, seen.unseen, hands, np.array(others, np.int64))
        simulations = Simulations(known, seating or expected, stakes, U(rng.getrandbits(64)))
        return RolloutQuestion(codes, start, prior, simulations)

    def roll_out(
        self, question: RolloutQuestion, places: npt.NDArray[np.int64], first: int, worlds: int, *, is_counted: bool
    ) -> npt.NDArray[np.void]:
        """Return the `OUTCOME` of the moves at these places in some simulations, counted from ``first``.

        The threads share the work. Without ``is_counted``, only the lead or the chance is filled in.
        """
        out = np.zeros((worlds, len(places)), OUTCOME)
        codes = question.codes[places]
        if self._pool is None:
            roll_out(self._workspaces[0], question.simulations, first, codes, is_counted, out)
            return out
        edges = [len(out) * n // len(self._workspaces) for n in range(len(self._workspaces) + 1)]
        parts = [
            self._pool.submit(
                roll_out, workspace, question.simulations, first + begin, codes, is_counted, out[begin:end]
            )
            for workspace, (begin, end) in zip(self._workspaces, itertools.pairwise(edges), strict=True)
        ]
        for part in parts:
            part.result()
        return out

    def set_pile(self, kinds: npt.NDArray[np.int64]) -> None:
        """Set the cards in drawing order. Those that were dealt decide what players of a level forget."""
        for workspace in self._workspaces:
            workspace.deals[0]["pile"][: len(kinds)] = kinds

    def hands(self, seen: InformationSet, memory: Memory, rng: random.Random) -> npt.NDArray[np.uint64]:
        """Return equally likely samples of the other hands that fit the play: hand words, shape (samples, seats).

        It also remembers what the seats' latest moves show about their style.
        """
        others = self._seats_but(seen.seat)
        self._set_standing(seen)
        steps = self._steps(len(others))
        burn = steps // 8
        samples = np.zeros(((steps - burn) // THINNING, len(others)), np.uint64)
        past = memory.past(others)
        if not self.settings.beliefs:
            past = past._replace(counts=np.zeros(len(others), np.int64))
            burn = 0
        trails = np.zeros(len(others), TRAIL)
        trails["seat"], trails["cards"] = others, [seen.sizes[seat] for seat in others]
        trails["count"] = past.counts
        deal = self._workspaces[0].deals[0]
        past.deals["totals"], past.deals["target"] = deal["totals"], deal["target"]
        pool = np.repeat(np.arange(len(seen.unseen)), seen.unseen)
        work = self._workspaces[0].work[0]
        work["generator"]["word"] = rng.getrandbits(64)
        chain = Chain(past.events, past.states, past.deals, trails, pool, self._cache)
        model = self._opponent_model.model(memory)
        count = min(self.settings.steps // STEPS_A_HISTORY, len(samples))
        histories = np.zeros((count, len(others), EVENTS), np.uint64)
        sample_hands(work, chain, model, burn, THINNING, samples, histories)
        if self.settings.beliefs:
            log_ratios = np.zeros((len(others), model.shares.shape[1]))
            weigh_styles(work, chain, model, np.minimum(past.fresh, LATEST), histories, log_ratios)
            self._opponent_model.learn(memory, others, log_ratios)
        return samples[np.random.default_rng(rng.getrandbits(64)).permutation(len(samples))]

    def solve(self, seen: InformationSet, legal: Sequence[int], memory: Memory, match: bool) -> SearchResult | None:
        """Return the best move with certainty, if no card is hidden any more and an exhaustive search is quick enough.

        Moves are compared by the chance to win the match if ``match`` is true and there is a target, otherwise by
        points. Of equal moves, the first choice is preferred, because the opponent may not find the best reply.
        """
        if not self.settings.endgames or not is_endgame(self.rules, seen):
            return None
        if self._solver is None:
            self._solver = EndgameSolver(self.rules)
        codes = np.array(legal, np.int64)
        base, state = self._visible_state(seen, memory), self._revealed_state(seen, memory)
        stakes = stakes_of(self.rules, seen.target if match else 0)
        solved = self._solver.solve(state, codes, stakes, seen.totals)
        if solved is None:
            return None
        self._set_standing(seen)
        deal = self._workspaces[0].deals[0]
        deal["watched"], deal["opponents"] = 1, memory.opponents
        start, _prior = self._prior(base, seen.public, codes, 1.0)
        leads = solved.values - solved.values[start]
        nothing, worlds = np.zeros(len(codes)), np.ones(len(codes), np.int64)
        estimate = MoveEstimates(leads, nothing, leads, nothing, worlds, float(solved.values[start]))
        best = start if leads.max() <= 0 else int(np.argmax(leads))
        return SearchResult(tuple(codes.tolist()), estimate, best, start, is_proven=True)

    def solved_leads(
        self, seen: InformationSet, legal: Sequence[int], memory: Memory, match: bool
    ) -> npt.NDArray[np.float64] | None:
        """Return the player's final lead in points after each move, for positions that `solve` can solve.

        Both seats play for the match or, if ``match`` is false, for points. Returns None if the search takes too long.
        """
        if self._solver is None or not is_endgame(self.rules, seen):
            return None
        stakes = stakes_of(self.rules, seen.target if match else 0)
        return self._solver.leads(self._revealed_state(seen, memory), np.array(legal, np.int64), stakes, seen.totals)

    # ------------------------------------------------------------------ knowledge

    def _revealed_state(self, seen: InformationSet, memory: Memory) -> npt.NDArray[np.void]:
        """Return the state of the hand if the other seat holds all unseen cards."""
        state = self._visible_state(seen, memory)
        state["hand"][0, 1 - seen.seat] = sum(int(count) << 3 * kind for kind, count in enumerate(seen.unseen))
        return state

    def _seats_but(self, own: int) -> list[int]:
        return [seat for seat in range(self.rules.seats) if seat != own]

    def _visible_state(self, seen: InformationSet, memory: Memory) -> npt.NDArray[np.void]:
        """Return the state as the seat sees it, with the right number of cards in the other hands."""
        hands = [min(7, size) for size in seen.sizes]  # as 25s
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

    def _set_standing(self, seen: InformationSet) -> None:
        for workspace in self._workspaces:
            deal = workspace.deals[0]
            deal["totals"][: len(seen.totals)], deal["target"] = seen.totals, seen.target if self.settings.match else 0

    def _steps(self, others: int) -> int:
        """Return the length of the chain, which takes a small part of the budget of a decision."""
        settings = self.settings
        by_time = math.inf if settings.milliseconds is None else STEPS_A_MILLISECOND * settings.milliseconds
        by_rollouts = math.inf if settings.rollouts is None else STEPS_A_ROLLOUT * settings.rollouts
        return int(min(settings.steps * others, max(MIN_STEPS, min(by_time, by_rollouts))))

    def _prior(
        self, base: npt.NDArray[np.void], public: npt.NDArray[np.int8], codes: npt.NDArray[np.int64], unit: float
    ) -> tuple[int, Prior | None]:
        """Return the place of the usual move, and the prior. ``unit`` is the value of a point in rollouts."""
        work, deal = self._workspaces[0].work[0], self._workspaces[0].deals[0]
        deal["public"] = public
        code = choose_code(base[0], deal, self._opponent_model.own, work)
        start = int(np.flatnonzero(codes == code)[0])
        if not self.settings.priors:
            return start, None
        f, fit = work["features"], NET_PRIOR if self._opponent_model.has_net else MAXIMS_PRIOR
        by_code = dict(zip(f["codes"][: f["count"]].tolist(), f["scores"].tolist(), strict=False))
        worths = np.array([by_code[code] for code in codes.tolist()])
        gaps = np.maximum(0, worths[start] - worths).astype(np.float64)
        spread = np.where(codes == code, 0.0, fit.least + fit.more * gaps)
        return start, Prior(-fit.mean * gaps * unit, spread * unit, NOISE * unit)
