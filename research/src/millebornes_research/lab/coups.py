"""Measure how often coups fourrés happen, with which safety and how late, and how many points they gain."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

import numpy as np

from millebornes.cards import HAZARDS, SAFETIES
from millebornes.rules.clauses import SCORE_LINES
from millebornes_research.lab.counts import Counts, Whole, mean, moments, pair_moments, plain, ratio, share_of
from millebornes_research.lab.experiment import HandExperiment
from millebornes_research.lab.instrumented import FATES, Instrumented
from millebornes_research.lab.sheets import Column, Sheet
from millebornes_research.lab.study import InstrumentedHands

__all__ = ["HELD_TURNS", "Coups", "CoupsFourres"]

HELD_TURNS: Final = (0, 1, 2, 4, 6, 8, 12, 16)
"""The numbers of turns after which the table shows how many safeties are still in hand."""
COUP: Final = FATES.index("coup fourré")
OPENING: Final = FATES.index("opening call")
COUPS_LINE: Final = SCORE_LINES.index("coups_fourres")
KINDS_OF_FATE: Final = len(FATES)


class Coups(InstrumentedHands):
    """Counts what happens to safeties and hazards in single hands.

    The array ``fates`` has three axes: whether the safety was dealt at the start, the safety, and its fate. The axes of
    ``held`` are turns, safeties, and two counts: safeties still in hand after each number of turns in `HELD_TURNS`, and
    those of them that were called as a coup fourré in the end. For each safety, ``asked`` is the number of times that
    its holder was asked, and ``gain`` contains the `moments` of the gain from calling. For each kind of hazard and for
    ``all`` together, ``hazards`` contains the `pair_moments` of those that met a coup fourré among those played.
    ``points`` contains the `moments` of the points for coups by side and of all points, and the `pair_moments` of both
    over the sides of a hand.
    """

    def measure(self, records: Instrumented, deals: range) -> Counts:
        """Return the counts of what happened to safeties and hazards."""
        sides = self.rules.sides
        fate = records["fate"].astype(np.int64)
        called = (fate == COUP) | (fate == OPENING)
        dealt = _dealt(records["dealt"])
        turns = (records["gone"] - records["came"]).astype(np.int64)
        fates = np.zeros((2, 4, KINDS_OF_FATE), np.int64)
        held = np.zeros((len(HELD_TURNS), 4, 2), np.int64)
        for i in range(4):
            at = dealt[:, i] * KINDS_OF_FATE + fate[:, i]
            fates[:, i] = np.bincount(at, minlength=2 * KINDS_OF_FATE).reshape(2, KINDS_OF_FATE)
            for n, least in enumerate(HELD_TURNS):
                still = (fate[:, i] > 0) & (turns[:, i] >= least) & (fate[:, i] != OPENING)
                held[n, i] = still.sum(), (still & called[:, i]).sum()
        gain = np.zeros((3, 4), np.int64)
        for i in range(4):
            gain[:, i] = moments(records["gain"][records["asked"][:, i] > 0, i])
        played, met = records["hazards"].astype(np.int64), records["met"].astype(np.int64)
        lines = records["lines"][:, :sides].astype(np.int64)
        coups = lines[:, :, COUPS_LINE].sum(axis=1)
        return {
            "fates": fates,
            "held": held,
            "asked": records["asked"].sum(axis=0, dtype=np.int64),
            "gain": gain,
            "hazards": pair_moments(
                np.column_stack([met, met.sum(axis=1)]), np.column_stack([played, played.sum(axis=1)])
            ),
            "points": moments(coups),
            "part": pair_moments(coups, lines.sum(axis=(1, 2))),
        }


def _dealt(words: Whole) -> Whole:
    """Return 1 for each safety (last axis) that was dealt to any seat, given the hand words by deal and seat."""
    all_hands = np.bitwise_or.reduce(words, axis=1)
    return np.stack(
        [(all_hands >> np.uint64(3 * safety.index) & np.uint64(7) > 0) for safety in SAFETIES], axis=1
    ).astype(np.int64)


class CoupsFourres(HandExperiment):
    """How often a safety is called as a coup fourré, how often a hazard meets one, and how much it gains."""

    name: ClassVar[str] = "coups"
    plots: ClassVar[tuple[str, str]] = ("held", "any")
    study: ClassVar[type[InstrumentedHands]] = Coups

    def sheets(self, counts: Sequence[Counts]) -> list[Sheet]:
        """Return four sheets: the fates of safeties, coups by the number of turns held, hazards, and points."""
        found, hands = self.found(counts), self.hands
        names = [*(safety.value for safety in SAFETIES), "any"]
        return [
            Sheet(
                "fates",
                f"what becomes of a safety that is drawn ({hands})",
                (
                    Column("safety", "safety", "text"),
                    Column("drawn", "drawn", "count"),
                    Column("coup", "coup fourré", "share"),
                    Column("played", "played", "share"),
                    Column("lost", "lost in hand", "share"),
                    Column("discarded", "discarded", "share"),
                    Column("coup_if_dealt", "coup if dealt", "share"),
                    Column("coup_if_later", "coup if drawn later", "share"),
                    Column("gain", "what calling brings", "points"),
                ),
                [self._fates(found, names, i) for i in range(5)],
                ("coup", "gain"),
            ),
            Sheet(
                "held",
                f"coups fourrés for safeties still in hand after so many turns ({hands})",
                (
                    Column("turns", "turns held", "text"),
                    Column("still", "in hand", "count"),
                    *(Column(name, name if name != "any" else "any safety", "share") for name in names),
                ),
                [self._held(found["held"][n], n, names) for n in range(len(HELD_TURNS))],
                ("any",),
            ),
            Sheet(
                "hazards",
                f"hazards that meet a coup fourré ({hands})",
                (
                    Column("hazard", "hazard", "text"),
                    Column("played", "played a hand", "number"),
                    Column("met", "met a coup fourré", "share"),
                ),
                self._hazards(found),
                ("met",),
            ),
            Sheet(
                "points",
                f"what coups fourrés bring in points of the score ({hands})",
                (
                    Column("what", "bonus alone", "text"),
                    Column("points", "points a hand and side", "points"),
                    Column("part", "part of all points", "share"),
                ),
                [
                    {
                        "what": "coups fourrés",
                        "points": plain(mean(found["points"], 1 / self.rules.sides)),
                        "part": plain(ratio(found["part"])),
                    }
                ],
                ("points", "part"),
            ),
        ]

    def _fates(self, found: Counts, names: list[str], i: int) -> dict[str, Any]:
        some = slice(None) if i == 4 else slice(i, i + 1)
        fates = found["fates"][:, some].sum(axis=1)
        by_fate = fates.sum(axis=0)
        drawn = int(by_fate[1:].sum())
        calls = fates[:, COUP] + fates[:, OPENING]
        at_deal = fates[:, 1:].sum(axis=1)

        def part(*names_of_fates: str) -> dict[str, Any]:
            return plain(share_of(sum(int(by_fate[FATES.index(name)]) for name in names_of_fates), drawn))

        return {
            "safety": names[i],
            "drawn": drawn,
            "coup": part("coup fourré", "opening call"),
            "played": part("played"),
            "lost": part("in hand at the end"),
            "discarded": part("discarded"),
            "coup_if_dealt": plain(share_of(int(calls[1]), int(at_deal[1]))),
            "coup_if_later": plain(share_of(int(calls[0]), int(at_deal[0]))),
            "gain": plain(mean(found["gain"][:, some].sum(axis=1), 1 / (self.rules.sides - 1))),
        }

    def _held(self, held: Whole, n: int, names: list[str]) -> dict[str, Any]:
        both = np.concatenate([held, held.sum(axis=0, keepdims=True)])
        shares = {name: plain(share_of(int(both[i, 1]), int(both[i, 0]))) for i, name in enumerate(names)}
        return {"turns": str(HELD_TURNS[n]), "still": int(both[4, 0]), **shares}

    def _hazards(self, found: Counts) -> list[dict[str, Any]]:
        deals = int(found["points"][0])
        names = [*(hazard.value for hazard in HAZARDS), "any"]
        return [
            {
                "hazard": name,
                "played": int(found["hazards"][2, i]) / deals if deals else None,
                "met": plain(ratio(found["hazards"][:, i])),
            }
            for i, name in enumerate(names)
        ]

    def estimate(self, counts: Sequence[Counts]) -> str:
        """Return a sentence about how often a safety has been called so far."""
        row = self.sheets(counts)[0].rows[-1]
        return f"{100 * (row['coup']['value'] or 0):.1f} % of safeties are called"
