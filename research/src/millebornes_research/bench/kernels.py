"""Measure how fast the compiled rules play random hands, in the classic game for two and at other tables."""

import contextlib
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from millebornes.editions import EDITIONS, Rules, make_rules
from millebornes.errors import MilleBornesError
from millebornes.rules.shuffling import GENERATOR
from millebornes.rules.state import COMPACT_DECK, STATE, STATE_LARGE
from millebornes.rules.tables import tables_for
from millebornes_research.bench.base import Result, alternate, cpu_seconds, median, shown
from millebornes_research.bench.limit import LimitRun, compiled_limit, run_limit
from millebornes_research.bench.random_hands import TOTALS, play_random_hands

LANES: Final = 4
"""The number of hands that advance in turn (as in limit.c)."""
TABLES: Final = ((3, 3), (4, 2), (4, 4), (6, 2), (6, 3))


class _Round(NamedTuple):
    """One round of random hands: CPU seconds, hands, decisions, and the sums of scores and of their squares by side."""

    seconds: float
    hands: int
    decisions: int
    scores: tuple[float, ...]
    squares: tuple[float, ...]

    @property
    def decisions_per_cpu_s(self) -> float:
        return self.decisions / self.seconds

    @property
    def hands_per_cpu_s(self) -> float:
        return self.hands / self.seconds


class RandomHands:
    """Plays random hands in one thread, with the same compiled rules as the rest of the program."""

    def __init__(self, rules: Rules, seed: int = 1) -> None:
        self.rules = rules
        self._tables = tables_for(rules)
        self._states = np.zeros(LANES, STATE if rules.cards <= COMPACT_DECK else STATE_LARGE)
        self._generators = np.zeros(LANES, GENERATOR)
        self._generators["word"] = np.random.default_rng(seed).integers(0, 2**63, LANES)
        self.play(LANES)  # compile, or read from the cache, before the measurement

    def play(self, hands: int) -> _Round:
        """Play at least ``hands`` hands, measure them, and return the round."""
        totals = np.zeros(1, TOTALS)
        record = totals[0]
        play: Callable[..., None] = play_random_hands
        seconds = cpu_seconds(lambda: play(np.uint64(hands), self._states, self._generators, self._tables, record))
        scores, squares = (tuple(map(float, record[name][: self.rules.sides])) for name in ("score", "square"))
        return _Round(seconds, int(record["hands"]), int(record["decisions"]), scores, squares)


def _mean_scores(rounds: Iterable[_Round]) -> tuple[list[float], list[float]]:
    """Return the mean scores over all rounds by side, and their standard errors."""
    rounds = list(rounds)
    hands = sum(found.hands for found in rounds)
    means, errors = [], []
    for side in range(len(rounds[0].scores)):
        mean = sum(found.scores[side] for found in rounds) / hands
        square = sum(found.squares[side] for found in rounds) / hands
        means.append(mean)
        errors.append(math.sqrt(max(0.0, square - mean * mean) / hands))
    return means, errors


def measure_kernels(quick: bool = False) -> Result:
    """Measure random hands of the classic game for two, in turn with limit.c if it can be compiled."""
    hands, rounds = (60_000, 3) if quick else (600_000, 7)
    game = RandomHands(make_rules())
    ours: list[_Round] = []
    theirs: list[LimitRun] = []

    def our_round(_: int) -> float:
        ours.append(game.play(hands))
        return ours[-1].decisions_per_cpu_s

    notes: tuple[str, ...] = ()
    with contextlib.ExitStack() as stack:
        program: Path | None = None
        try:
            program = stack.enter_context(compiled_limit())
            run_limit(program, LANES, 1)
        except MilleBornesError as error:
            program, notes = None, (str(error),)

        def their_round(i: int) -> float:
            if program is not None:
                theirs.append(run_limit(program, hands, i + 1))
            return 0.0

        our_round(-1)  # the first round warms up the processor and doesn't count
        ours.clear()
        alternate(rounds, our_round, their_round)
    means, errors = _mean_scores(ours)
    figures: dict[str, Any] = {
        "decisions_per_cpu_s": median([found.decisions_per_cpu_s for found in ours]),
        "hands_per_cpu_s": median([found.hands_per_cpu_s for found in ours]),
        "mean_decisions_per_hand": shown(sum(found.decisions for found in ours) / sum(found.hands for found in ours)),
        "mean_scores": [round(mean, 3) for mean in means],
        "mean_scores_stderr": [round(error, 3) for error in errors],
        "hands": sum(found.hands for found in ours),
        "rounds": rounds,
    }
    if not theirs:
        return Result("kernels", figures, {"limit_c": None}, notes)
    their_means = [sum(found.scores[side] for found in theirs) / rounds for side in (0, 1)]
    their_errors = [math.sqrt(sum(found.stderrs[side] ** 2 for found in theirs)) / rounds for side in (0, 1)]
    limit: dict[str, Any] = {
        "decisions_per_cpu_s": median([found.decisions_per_cpu_s for found in theirs]),
        "hands_per_cpu_s": median([found.hands_per_cpu_s for found in theirs]),
        "mean_decisions_per_hand": shown(sum(found.decisions_per_hand for found in theirs) / rounds),
        "mean_scores": [round(mean, 3) for mean in their_means],
        "mean_scores_stderr": [round(error, 3) for error in their_errors],
    }
    figures["decisions_ratio_to_limit_c"] = shown(figures["decisions_per_cpu_s"] / limit["decisions_per_cpu_s"])
    figures["hands_ratio_to_limit_c"] = shown(figures["hands_per_cpu_s"] / limit["hands_per_cpu_s"])
    figures["mean_scores_apart_in_stderrs"] = [
        round(abs(means[side] - their_means[side]) / math.hypot(errors[side], their_errors[side]), 2) for side in (0, 1)
    ]
    return Result("kernels", figures, {"limit_c": limit})


def measure_tables(quick: bool = False) -> Result:
    """Measure decisions per CPU-second at other tables and in other editions, in turn with the classic game for two."""
    hands, rounds = (20_000, 3) if quick else (200_000, 5)
    games = {"classic 2x2": RandomHands(make_rules())}
    games |= {f"classic {seats}x{sides}": RandomHands(make_rules("classic", seats, sides)) for seats, sides in TABLES}
    games |= {f"{name} 2x2": RandomHands(make_rules(name)) for name in EDITIONS if name != "classic"}
    measures = [lambda _, game=game: game.play(hands).decisions_per_cpu_s for game in games.values()]
    found = dict(zip(games, (median(values) for values in alternate(rounds, *measures)), strict=True))
    first = found["classic 2x2"]
    return Result(
        "tables",
        {
            "decisions_per_cpu_s": found,
            "ratio_to_2x2": {name: shown(speed / first) for name, speed in found.items() if name != "classic 2x2"},
        },
    )
