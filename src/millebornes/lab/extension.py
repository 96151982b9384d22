"""When calling an extension pays: hands at the goal, played on and not, over the same cards."""

import dataclasses
from collections.abc import Sequence
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.errors import MilleBornesError
from millebornes.lab.counts import Counts, mean, moments, plain, seed_word, share_of
from millebornes.lab.deal import leads_of, observed
from millebornes.lab.experiment import Experiment, Study
from millebornes.lab.sheets import Column, Sheet, verdict
from millebornes.players.batch import KernelPlayer

__all__ = ["STATES", "Choices", "Extension"]

STATES: Final[dict[str, tuple[str, ...]]] = {
    "all": ("every choice",),
    "safeties": ("no safety out", "1 safety out", "2 safeties out", "3 safeties out", "4 safeties out"),
    "right_of_way": ("right of way out", "right of way in hand", "right of way elsewhere"),
    "held": ("no safety in hand", "1 safety in hand", "2 or more in hand"),
    "covered": ("0-1 hazards answered", "2 hazards answered", "3 hazards answered", "all 4 hazards answered"),
    "others": ("others at 0", "others at 25-300", "others at 325-500", "others beyond 500"),
    "pile": ("0-9 cards to draw", "10-24 cards to draw", "25-39 cards to draw", "40 or more to draw"),
    "miles": ("less than 100 in hand", "100-275 in hand", "300 or more in hand", "exactly what is needed"),
    "stuck": ("nobody else stopped", "another side under a hazard"),
    "both": tuple(
        f"{out}, {others}"
        for out in ("0-1 out", "2 out", "3-4 out")
        for others in ("others to 300", "others beyond 300")
    ),
}
"""Groups of states at the goal; every choice is in one state of each group, but for the one of exact distance."""

LABELS: Final = tuple(label for group in STATES.values() for label in group)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Choices(Study):
    """Single hands, and the extensions that could be called in them.

    Counts by state of `STATES`: ``gain``, the `moments` of the caller's lead extended less its lead finished;
    ``called``, ``kept`` and ``lost``: how often the player called, how often the extended trip was completed by the
    caller's side and by another; ``own``, `moments` of that gain where the player called, and ``declined`` where not;
    ``hands``: the number of hands.
    """

    rules: Rules
    player: str
    deals: int
    seed: int

    @property
    def weight(self) -> float:
        """About how many hands a deal takes."""
        return 3.0

    def count(self, deals: range) -> Counts:
        """Play these deals."""
        sides = self.rules.sides
        seen = observed(self.rules, self.player, deals, self.seed)[:, 0]
        choice = seen["choice"][seen["choice"]["side"] >= 0]
        side = choice["side"].astype(np.int64)
        rows = np.arange(len(choice))
        leads = [leads_of(choice[name][:, :sides].astype(np.int64))[rows, side] for name in ("extend", "finish")]
        gain = leads[0] - leads[1]
        own = choice["own"].astype(bool)
        inside = _states(choice)
        return {
            "gain": np.stack([moments(gain[where]) for where in inside], axis=1),
            "called": np.array([(own & where).sum() for where in inside], np.int64),
            "kept": np.array([((choice["ends"] == 1) & where).sum() for where in inside], np.int64),
            "lost": np.array([((choice["ends"] == -1) & where).sum() for where in inside], np.int64),
            "own": moments(gain[own]),
            "declined": moments(gain[~own]),
            "rule": moments(gain * own),
            "rule_against_always": moments(gain * (own.astype(np.int64) - 1)),
            "hands": np.array([len(deals)], np.int64),
        }


def _states(choice: npt.NDArray[np.void]) -> list[npt.NDArray[np.bool_]]:
    """Which choices are in each state of `STATES`, in order."""
    out = np.bitwise_count(choice["safeties"].astype(np.uint8)).astype(np.int64)
    held = np.bitwise_count(choice["held"].astype(np.uint8)).astype(np.int64)
    others, pile, miles = (choice[name].astype(np.int64) for name in ("others", "pile", "miles"))
    way_out, way_held = choice["safeties"] >> 3 & 1 == 1, choice["held"] >> 3 & 1 == 1
    far = others > 12
    return [
        np.ones(len(choice), bool),
        *(out == n for n in range(5)),
        way_out,
        way_held,
        ~way_out & ~way_held,
        held == 0,
        held == 1,
        held >= 2,
        choice["covered"] <= 1,
        *(choice["covered"] == n for n in (2, 3, 4)),
        others == 0,
        (others > 0) & (others <= 12),
        (others > 12) & (others <= 20),
        others > 20,
        pile < 10,
        (pile >= 10) & (pile < 25),
        (pile >= 25) & (pile < 40),
        pile >= 40,
        miles < 4,
        (miles >= 4) & (miles < 12),
        miles >= 12,
        choice["exact"] == 1,
        choice["stuck"] == 0,
        choice["stuck"] > 0,
        *(lot & (others_far == far) for lot in (out <= 1, out == 2, out >= 3) for others_far in (False, True)),
    ]


class Extension(Experiment):
    """When calling the extension pays, by what is on the table and in hand, and whether the player's rule is right."""

    name: ClassVar[str] = "extension"
    summary: ClassVar[str] = "when calling an extension pays, by state"
    plots: ClassVar[tuple[str, str]] = ("states", "gain")

    def __init__(self, rules: Rules, player: str, *, hands: int = 40_000, seed: str = "0") -> None:
        """Raises `PlayerError` for a player that has to be asked from outside.

        Raises `MilleBornesError` for a table without an extension.
        """
        if rules.extension_goal is None:
            raise MilleBornesError(f"nobody can call an extension in {rules.edition or 'this edition'} {rules.table}")
        KernelPlayer.named(player, rules)
        self.rules, self.player = rules, player
        self.studies = (Choices(rules=rules, player=player, deals=hands, seed=seed_word(seed, self.name)),)

    def sheets(self, counts: Sequence[Counts]) -> list[Sheet]:
        """Two tables: the gain by state, and the player's own rule."""
        found = counts[0] or self.studies[0].count(range(0))
        scale = 1 / (self.rules.sides - 1)
        rows: list[dict[str, Any]] = []
        for i, label in enumerate(LABELS):
            times = int(found["gain"][0, i])
            gain = plain(mean(found["gain"][:, i], scale))
            rows.append(
                {
                    "state": label,
                    "times": times,
                    "gain": gain,
                    "kept": plain(share_of(int(found["kept"][i]), times)),
                    "lost": plain(share_of(int(found["lost"][i]), times)),
                    "called": plain(share_of(int(found["called"][i]), times)),
                    "verdict": verdict(gain),
                }
            )
        hands = f"{self.studies[0].deals:,} hands"
        states = Sheet(
            "states",
            f"extending rather than finishing, by state at the goal ({hands})",
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
            for label, key in (
                ("where the player extends", "own"),
                ("where it finishes", "declined"),
                ("its rule, against never extending", "rule"),
                ("its rule, against always extending", "rule_against_always"),
            )
        ]
        columns = (
            Column("rule", "extending rather than finishing", "text"),
            Column("times", "times", "count"),
            Column("gain", "points", "gain"),
        )
        return [states, Sheet("rule", f"is the player's own rule right? ({hands})", columns, rule_rows, ("gain",))]

    def line(self, counts: Sequence[Counts]) -> str:
        """The mean gain so far."""
        if not counts[0]:
            return "getting ready …"
        found = mean(counts[0]["gain"][:, 0], 1 / (self.rules.sides - 1))
        return f"extending {found.value:+.0f} ± {(found.high - found.low) / 2:.0f} points"
