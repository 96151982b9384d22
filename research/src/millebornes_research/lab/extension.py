"""Find out when to call an extension, by comparing hands with and without it over the same cards from the goal."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.errors import MilleBornesError
from millebornes_research.lab.counts import Counts, Whole, mean, moments, plain, share_of
from millebornes_research.lab.experiment import HandExperiment
from millebornes_research.lab.instrumented import Instrumented
from millebornes_research.lab.sheets import Column, Sheet, verdict
from millebornes_research.lab.study import InstrumentedHands, leads_of

__all__ = ["STATES", "Choices", "Extension"]

Mask = npt.NDArray[np.bool_]


class ChoiceFeatures(NamedTuple):
    """The features of hands at the goal, by choice.

    The numbers come from `millebornes_research.lab.instrumented.CHOICE`. ``out`` and ``held`` are numbers of safeties.
    ``way_out`` and ``way_held`` show where the right of way is.
    """

    out: Whole
    held: Whole
    way_out: Mask
    way_held: Mask
    covered: Whole
    others: Whole
    pile: Whole
    miles: Whole
    exact: Whole
    stuck: Whole

    @classmethod
    def of(cls, choice: npt.NDArray[np.void]) -> "ChoiceFeatures":
        """Return the features of the choices."""
        bits = [choice[name].astype(np.uint8) for name in ("safeties", "held")]
        out, held = (np.bitwise_count(found).astype(np.int64) for found in bits)
        names = ("covered", "others", "pile", "miles", "exact", "stuck")
        return cls(
            out, held, *(found >> 3 & 1 == 1 for found in bits), *(choice[name].astype(np.int64) for name in names)
        )


State = Callable[[ChoiceFeatures], Mask]


def _both(least: int, most: int, far: bool) -> State:
    return lambda f: (f.out >= least) & (f.out <= most) & ((f.others > 12) == far)


def _out(count: int) -> State:
    return lambda f: f.out == count


STATES: Final[dict[str, dict[str, State]]] = {
    "all": {"every choice": lambda f: f.out >= 0},
    "safeties": {f"{n or 'no'} {'safeties' if n > 1 else 'safety'} out": _out(n) for n in range(5)},
    "right_of_way": {
        "right of way out": lambda f: f.way_out,
        "right of way in hand": lambda f: f.way_held,
        "right of way elsewhere": lambda f: ~f.way_out & ~f.way_held,
    },
    "held": {
        "no safety in hand": lambda f: f.held == 0,
        "1 safety in hand": lambda f: f.held == 1,
        "2 or more in hand": lambda f: f.held >= 2,
    },
    "covered": {
        "0-1 hazards answered": lambda f: f.covered <= 1,
        "2 hazards answered": lambda f: f.covered == 2,
        "3 hazards answered": lambda f: f.covered == 3,
        "all 4 hazards answered": lambda f: f.covered == 4,
    },
    "others": {
        "others at 0": lambda f: f.others == 0,
        "others at 25-300": lambda f: (f.others > 0) & (f.others <= 12),
        "others at 325-500": lambda f: (f.others > 12) & (f.others <= 20),
        "others beyond 500": lambda f: f.others > 20,
    },
    "pile": {
        "0-9 cards to draw": lambda f: f.pile < 10,
        "10-24 cards to draw": lambda f: (f.pile >= 10) & (f.pile < 25),
        "25-39 cards to draw": lambda f: (f.pile >= 25) & (f.pile < 40),
        "40 or more to draw": lambda f: f.pile >= 40,
    },
    "miles": {
        "less than 100 in hand": lambda f: f.miles < 4,
        "100-275 in hand": lambda f: (f.miles >= 4) & (f.miles < 12),
        "300 or more in hand": lambda f: f.miles >= 12,
        "exactly what is needed": lambda f: f.exact == 1,
    },
    "stuck": {
        "nobody else stopped": lambda f: f.stuck == 0,
        "another side under a hazard": lambda f: f.stuck > 0,
    },
    "both": {
        "0-1 out, others to 300": _both(0, 1, False),
        "0-1 out, others beyond 300": _both(0, 1, True),
        "2 out, others to 300": _both(2, 2, False),
        "2 out, others beyond 300": _both(2, 2, True),
        "3-4 out, others to 300": _both(3, 4, False),
        "3-4 out, others beyond 300": _both(3, 4, True),
    },
}
"""Groups of situations at the goal.

Each choice belongs to one situation in each group, except in the group of exact distances.
"""

ALL_STATES: Final = {label: state for group in STATES.values() for label, state in group.items()}
RULES: Final = {
    "own": "where the player extends",
    "declined": "where it finishes",
    "rule": "its rule, against never extending",
    "rule_against_always": "its rule, against always extending",
}
"""The figures that are counted to judge the player's own rule."""


class Choices(InstrumentedHands):
    """Single hands, and the extensions that could be called in them.

    The counts by situation in `STATES` are ``gain``, the `moments` of the caller's lead with the extension minus its
    lead without it; ``called``, ``kept`` and ``lost``, how often the player called, and how often the caller's side or
    another side completed the extended trip; ``own`` and ``declined``, the `moments` of the gain if the player called,
    and if it didn't; and ``hands``, the number of hands.
    """

    def measure(self, records: Instrumented, deals: range) -> Counts:
        """Return the counts of the gain from the extension by situation."""
        choice = records["choice"][records["choice"]["side"] >= 0]
        side, rows = choice["side"].astype(np.int64), np.arange(len(choice))
        extended, finished = (
            leads_of(choice[name][:, : self.rules.sides].astype(np.int64))[rows, side] for name in ("extend", "finish")
        )
        gain = extended - finished
        own = choice["own"].astype(bool)
        features = ChoiceFeatures.of(choice)
        inside = [state(features) for state in ALL_STATES.values()]

        def times(which: Mask) -> Whole:
            return np.array([(which & where).sum() for where in inside], np.int64)

        return {
            "gain": np.stack([moments(gain[where]) for where in inside], axis=1),
            "called": times(own),
            "kept": times(choice["ends"] == 1),
            "lost": times(choice["ends"] == -1),
            "own": moments(gain[own]),
            "declined": moments(gain[~own]),
            "rule": moments(gain * own),
            "rule_against_always": moments(gain * (own.astype(np.int64) - 1)),
            "hands": np.array([len(deals)], np.int64),
        }


class Extension(HandExperiment):
    """When the extension pays off, by the cards on the table and in hand, and whether the player's rule is right."""

    name: ClassVar[str] = "extension"
    plots: ClassVar[tuple[str, str]] = ("states", "gain")
    study: ClassVar[type[InstrumentedHands]] = Choices

    def __init__(self, rules: Rules, player: str, *, hands: int = 40_000, seed: str = "0") -> None:
        """Raises `PlayerError` if kernels can't run the player.

        Raises `MilleBornesError` if the table has no extension.
        """
        if rules.extension_goal is None:
            raise MilleBornesError(f"no one can call an extension in {rules.edition or 'this edition'} {rules.table}")
        super().__init__(rules, player, hands=hands, seed=seed)

    def sheets(self, counts: Sequence[Counts]) -> list[Sheet]:
        """Return two sheets: the gain by situation, and the player's own rule."""
        found = self.found(counts)
        scale = 1 / (self.rules.sides - 1)
        rows: list[dict[str, Any]] = []
        for i, label in enumerate(ALL_STATES):
            times = int(found["gain"][0, i])
            gain = plain(mean(found["gain"][:, i], scale))
            shares = {name: plain(share_of(int(found[name][i]), times)) for name in ("kept", "lost", "called")}
            rows.append({"state": label, "times": times, "gain": gain, **shares, "verdict": verdict(gain)})
        states = Sheet(
            "states",
            f"extending rather than finishing, by state at the goal ({self.hands})",
            (
                Column("state", "state", "text"),
                Column("times", "times", "count"),
                Column("gain", "points", "gain"),
                Column("kept", "completed", "share"),
                Column("lost", "by another", "share"),
                Column("called", "player extends", "share"),
                Column("verdict", "verdict", "text"),
            ),
            rows,
            ("gain",),
        )
        rule_rows = [
            {"rule": label, "times": int(found[key][0]), "gain": plain(mean(found[key], scale))}
            for key, label in RULES.items()
        ]
        columns = (Column("rule", "extending rather than finishing", "text"), *states.columns[1:3])
        title = f"is the player's own rule right? ({self.hands})"
        return [states, Sheet("rule", title, columns, rule_rows, ("gain",))]

    def estimate(self, counts: Sequence[Counts]) -> str:
        """Return a sentence about the average gain so far."""
        found = mean(counts[0]["gain"][:, 0], 1 / (self.rules.sides - 1))
        return f"extending {found.value:+.0f} ± {(found.high - found.low) / 2:.0f} points"
