"""Compare players that differ slightly over the same deals: how much each maxim and objective is worth."""

import dataclasses
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from millebornes.arena.statistics import Estimate, plain
from millebornes.editions import Rules
from millebornes.errors import PlayerError
from millebornes.policies.batch import KernelPlayer, play_batch
from millebornes.policies.maxim_catalogue import MAXIMS
from millebornes_research.lab.counts import Counts, Whole, mean, moments, win_parts
from millebornes_research.lab.experiment import Experiment
from millebornes_research.lab.sheets import Column, Sheet, describe_games, edge_columns, verdict
from millebornes_research.lab.study import Study, hands_a_match, leads_of
from millebornes_research.seeds import seed_word


def with_options(player: str, *options: str) -> str:
    """Return the name of ``maxims`` with its options followed by ``options``."""
    name, _, own = player.partition(":")
    joined = ",".join(part for part in (own, *options) if part)
    return f"{name}:{joined}" if joined else name


@dataclasses.dataclass(frozen=True, kw_only=True)
class Contrast(Study):
    """A comparison of each of the ``variants`` with ``base``: one side plays the variant, all others play the base.

    The variant takes every seat in turn. The games are single hands, or matches to ``match_target`` points. The counts
    are the `moments` of ``lead``, ``wins`` and ``points`` for one deal by variant, summed over the rotations of its
    seats (see `edges_of`).
    """

    rules: Rules
    base: str
    variants: tuple[str, ...]
    deals: int
    match_target: int | None
    seed: int

    @property
    def weight(self) -> float:
        """The approximate number of hands that are played for a deal."""
        hands = 1.0 if self.match_target is None else hands_a_match(self.match_target)
        return hands * len(self.variants) * self.rules.sides

    def players(self) -> list[KernelPlayer]:
        """Return the base player, followed by the variants."""
        return [KernelPlayer.named(name, self.rules) for name in (self.base, *self.variants)]

    def count(self, deals: range) -> Counts:
        """Play these deals and return the counts."""
        rules, sides = self.rules, self.rules.sides
        players = self.players()
        lineups = [
            [variant if rules.side_of(seat) == turn else 0 for seat in range(rules.seats)]
            for variant in range(1, len(players))
            for turn in range(sides)
        ]
        played = play_batch(
            rules,
            players,
            lineups,
            len(deals),
            seed=self.seed,
            begin=deals.start,
            match_target=self.match_target,
        )
        points = played.points.reshape(len(deals), len(self.variants), sides, sides)
        parts, whole = win_parts(points)
        own = np.arange(sides)
        mine = points[:, :, own, own]
        lead = leads_of(points)[:, :, own, own].sum(axis=2)
        wins = parts[:, :, own, own].sum(axis=2) - whole
        return {
            "lead": moments(lead),
            "wins": moments(wins),
            "points": moments(mine.sum(axis=2)),
            "games": np.array([played.hands, len(deals) * len(lineups)], np.int64),
        }


def edges_of(counts: Counts, rules: Rules, i: int) -> tuple[Estimate, Estimate]:
    """Return the edge of variant ``i`` over the base in points per game and in its share of wins.

    Points are the lead over the average of the other sides. The share of wins is the difference from a fair share.
    """
    if not counts:
        return mean(np.zeros(3, np.int64)), mean(np.zeros(3, np.int64))
    sides = rules.sides
    whole = win_parts(np.zeros((1, sides), np.int64))[1]
    lead: Whole = counts["lead"][:, i]
    return mean(lead, 1 / (sides * (sides - 1))), mean(counts["wins"][:, i], 1 / (sides * whole))


def _negated(found: Estimate) -> Estimate:
    return Estimate(-found.value + 0.0, found.stderr, -found.high + 0.0, -found.low + 0.0)


def edge_row(counts: Sequence[Counts], rules: Rules, i: int = 0, *, worth: bool = False) -> dict[str, Any]:
    """Return a row's cells: points and share of hands for variant ``i``, and the same for matches if any were played.

    If ``worth`` is true, the signs are reversed, so that the cells show how much the base is worth against the variant.
    """
    row: dict[str, Any] = {}
    for kind, found in zip((("points", "hand_share"), ("match_points", "match_share")), counts, strict=False):
        edges = edges_of(found, rules, i)
        row |= {key: plain(_negated(edge) if worth else edge) for key, edge in zip(kind, edges, strict=True)}
    return row


class _Contrasts(Experiment):
    """Comparisons in hands and, if ``matches`` isn't 0, also in matches."""

    variants: tuple[str, ...]
    target: int
    studies: tuple[Contrast, ...]

    def _compare(self, base: str, variants: Sequence[str], hands: int, matches: int, target: int, seed: str) -> None:
        """Set up the studies. Raises `PlayerError` if kernels can't run one of the players."""
        for name in (base, *variants):
            KernelPlayer.named(name, self.rules)
        self.variants, self.target = tuple(variants), target
        word = seed_word(seed, self.name)
        first = Contrast(rules=self.rules, base=base, variants=self.variants, deals=hands, match_target=None, seed=word)
        second = dataclasses.replace(first, deals=matches, match_target=target, seed=word ^ 1)
        self.studies = (first, second) if matches else (first,)

    def estimate(self, counts: Sequence[Counts]) -> str:
        """Return the estimate for the first variant as a sentence."""
        if not self.variants:
            return ""
        stage = max(i for i, found in enumerate(counts) if found)
        edge, share = edges_of(counts[stage], self.rules, 0)
        reach = (edge.high - edge.low) / 2
        games = "a match" if stage else "a hand"
        return f"{self.variants[0]} {edge.value:+.1f} ± {reach:.1f} points {games}, {100 * share.value:+.2f} % of wins"

    def _columns(self) -> tuple[Column, ...]:
        return edge_columns(matches=len(self.studies) > 1)

    def _games(self) -> str:
        hands, *rest = (study.deals for study in self.studies)
        return describe_games(hands, f"{rest[0]:,} of matches to {self.target}" if rest else "")


class MaximWorth(_Contrasts):
    """How much each maxim is worth: the complete advice is compared with the same advice without that maxim.

    By default, this is done for all maxims.
    """

    name: ClassVar[str] = "maxims"
    plots: ClassVar[tuple[str, str]] = ("worth", "points")

    def __init__(
        self,
        rules: Rules,
        player: str,
        *,
        maxims: Sequence[str] = (),
        hands: int = 2000,
        matches: int = 400,
        target: int = 5000,
        seed: str = "0",
    ) -> None:
        """Raises `PlayerError` if a maxim is unknown, or if the player isn't ``maxims``."""
        self.rules, self.player, self.maxims = rules, player, _known(player, maxims)
        self._compare(
            player, [with_options(player, f"no-{name}") for name in self.maxims], hands, matches, target, seed
        )

    def sheets(self, counts: Sequence[Counts]) -> list[Sheet]:
        """Return a sheet with a row for each maxim."""
        rows = []
        for i, name in enumerate(self.maxims):
            found = edge_row(counts, self.rules, i, worth=True)
            rows.append({"maxim": name, **found, "verdict": verdict(found["points"])})
        columns = (Column("maxim", "maxim", "text"), *self._columns(), Column("verdict", "verdict", "text"))
        keys = tuple(key for key in ("verdict", "points", "match_share") if any(c.key == key for c in columns))
        return [Sheet("worth", f"worth of each maxim ({self._games()})", columns, rows, keys)]


class Objective(_Contrasts):
    """A comparison of a player's two objectives: playing for the match, and playing for every point."""

    name: ClassVar[str] = "objective"
    plots: ClassVar[tuple[str, str]] = ("objective", "match_share")

    def __init__(
        self, rules: Rules, player: str, *, hands: int = 2000, matches: int = 2000, target: int = 5000, seed: str = "0"
    ) -> None:
        """Raises `PlayerError` if the player isn't ``maxims``."""
        _known(player, ())
        self.rules, self.player = rules, player
        base, variants = with_options(player, "points"), (with_options(player, "match"),)
        self._compare(base, variants, hands, matches, target, seed)

    def sheets(self, counts: Sequence[Counts]) -> list[Sheet]:
        """Return a sheet with a single row."""
        row = {"objective": "match rather than points", **edge_row(counts, self.rules)}
        columns = (Column("objective", "objective", "text"), *self._columns())
        title = f"playing for the match against playing for points ({self._games()})"
        return [Sheet("objective", title, columns, [row], ("match_points", "match_share"))]


def _known(player: str, maxims: Sequence[str]) -> tuple[str, ...]:
    if player.partition(":")[0] != "maxims":
        raise PlayerError(f"{player!r} has no maxims to compare; the player must be maxims, with any options")
    for name in maxims:
        if name not in MAXIMS:
            raise PlayerError(f"there is no maxim {name!r}; the maxims are {', '.join(MAXIMS)}")
    return tuple(maxims or MAXIMS)
