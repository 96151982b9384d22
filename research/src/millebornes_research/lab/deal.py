"""Measure the influence of the deal: how much it is worth to go first, and to be dealt or draw each kind of card."""

import dataclasses
from collections.abc import Sequence
from typing import Any, ClassVar, Final

import numpy as np

from millebornes.arena.statistics import Estimate
from millebornes.cards import SAFETIES, Card
from millebornes.editions import Rules
from millebornes.policies.batch import KernelPlayer, play_batch
from millebornes_research.lab.counts import Counts, Whole, jackknife, mean, moments, plain, win_parts
from millebornes_research.lab.experiment import Experiment, HandExperiment
from millebornes_research.lab.instrumented import Instrumented
from millebornes_research.lab.sheets import Column, Sheet, describe_games, edge_columns
from millebornes_research.lab.study import InstrumentedHands, Study, hands_a_match, instrumented, leads_of
from millebornes_research.seeds import seed_word

__all__ = ["CardWorth", "Dealt", "FirstHands", "FirstMatches", "GoingFirst"]

GROUPS: Final = 32
"""The number of groups of deals for the jackknife."""
KINDS: Final = len(Card)
SAFETY: Final = SAFETIES[0].index


def _moments_by_place(points: Whole, first: Whole) -> Counts:
    """Return the `moments` of ``lead`` and ``wins`` by place after the first seat, summed over the hands of a deal.

    The axes of ``points`` are deals, hands and sides; ``first`` contains the first seats by deal and hand.
    """
    sides = points.shape[-1]
    wins, whole = win_parts(points)
    side = (first[..., None] + np.arange(sides)) % sides
    lead = np.take_along_axis(leads_of(points), side, axis=-1).sum(axis=1)
    return {
        "lead": moments(lead),
        "wins": moments((sides * np.take_along_axis(wins, side, axis=-1) - whole).sum(axis=1)),
    }


@dataclasses.dataclass(frozen=True, kw_only=True)
class FirstHands(Study):
    """Single hands in which each deck is played once with every first seat.

    The counts are the `moments` of ``lead`` and ``wins`` by place. Place 0 is the side that goes first, and the others
    follow clockwise. The values are summed over the first seats of a deck.
    """

    rules: Rules
    player: str
    deals: int
    seed: int

    @property
    def weight(self) -> float:
        """The approximate number of hands that are played for a deal."""
        return 3.0 * self.rules.seats

    def count(self, deals: range) -> Counts:
        """Play these deals and return the counts."""
        seats = range(self.rules.seats)
        records = instrumented(self.rules, self.player, deals, self.seed, seats)
        points = records["lines"].sum(axis=3, dtype=np.int64)[:, :, : self.rules.sides]
        return _moments_by_place(points, np.broadcast_to(np.array(seats), points.shape[:2]))


@dataclasses.dataclass(frozen=True, kw_only=True)
class FirstMatches(Study):
    """Matches in which the same player has all seats.

    The first seat of the first hand differs from deal to deal (R2.7). The counts are the `moments` of ``lead`` and
    ``wins`` by place, as in `FirstHands`.
    """

    rules: Rules
    player: str
    deals: int
    match_target: int
    seed: int

    @property
    def weight(self) -> float:
        """The approximate number of hands that are played for a deal."""
        return hands_a_match(self.match_target)

    def count(self, deals: range) -> Counts:
        """Play these deals and return the counts."""
        rules = self.rules
        played = play_batch(
            rules,
            [KernelPlayer.named(self.player, rules)],
            [[0] * rules.seats],
            len(deals),
            seed=self.seed,
            begin=deals.start,
            match_target=self.match_target,
        )
        first = np.arange(deals.start, deals.stop)[:, None] % rules.seats
        return _moments_by_place(played.points, first)


class GoingFirst(Experiment):
    """How much the first turn is worth between equal players."""

    name: ClassVar[str] = "first"
    plots: ClassVar[tuple[str, str]] = ("first", "points")

    def __init__(
        self,
        rules: Rules,
        player: str,
        *,
        hands: int = 20_000,
        matches: int = 20_000,
        target: int = 5000,
        seed: str = "0",
    ) -> None:
        """Raises `PlayerError` if kernels can't run the player."""
        KernelPlayer.named(player, rules)
        self.rules, self.player, self.target = rules, player, target
        word = seed_word(seed, self.name)
        studies: list[Study] = [FirstHands(rules=rules, player=player, deals=hands, seed=word)]
        if matches:
            studies.append(FirstMatches(rules=rules, player=player, deals=matches, match_target=target, seed=word ^ 1))
        self.studies = tuple(studies)

    def sheets(self, counts: Sequence[Counts]) -> list[Sheet]:
        """Return a sheet with a row for each place after the first seat."""
        rules, sides = self.rules, self.rules.sides
        whole = win_parts(np.zeros((1, sides), np.int64))[1]
        rows = []
        for place in range(sides):
            row: dict[str, Any] = {"place": ("first", "second", "third")[place] if place < 3 else f"{place + 1}th"}
            for name, found, times in zip(("", "match_"), counts, (rules.seats, 1), strict=False):
                lead, wins = (found[key][:, place] if found else np.zeros(3, np.int64) for key in ("lead", "wins"))
                row[f"{name}points"] = plain(mean(lead, 1 / (times * (sides - 1))))
                row[f"{name or 'hand_'}share"] = plain(mean(wins, 1 / (times * whole * sides)))
            rows.append(row)
        hands, *matches = (study.deals for study in self.studies)
        columns = (Column("place", "side that plays", "text"), *edge_columns(matches=bool(matches)))
        games = describe_games(hands, f"{matches[0]:,} matches to {self.target}" if matches else "")
        across = tuple(column.key for column in columns if column.key in ("points", "hand_share", "match_share"))
        title = f"against the mean of the others, and against a fair share ({games})"
        return [Sheet("first", title, columns, rows, across)]

    def estimate(self, counts: Sequence[Counts]) -> str:
        """Return a sentence about the lead of the first side so far."""
        found = mean(counts[0]["lead"][:, 0], 1 / (self.rules.seats * (self.rules.sides - 1)))
        return f"going first {found.value:+.1f} ± {(found.high - found.low) / 2:.1f} points"


class Dealt(InstrumentedHands):
    """Single hands and the cards dealt in them: the sums for least squares, by groups of deals.

    One side is examined in each deal, and the sides take turns. ``cards`` and ``drawn`` contain the products of all
    pairs of columns for each group. The first columns compare the side's cards of each kind with those of the others:
    the cards dealt for ``cards``, and the four safeties drawn at any time for ``drawn``. They are followed by the
    side's lead in points and its part of the win.
    """

    def measure(self, records: Instrumented, deals: range) -> Counts:
        """Return the products of all pairs of columns."""
        rules, sides = self.rules, self.rules.sides
        points = self.points(records)
        wins, whole = win_parts(points)
        numbers, rows = np.arange(deals.start, deals.stop), np.arange(len(deals))
        side, group = numbers % sides, numbers % GROUPS
        dealt = np.zeros((len(deals), sides, KINDS), np.int64)
        for seat in range(rules.seats):
            word = records["dealt"][:, seat]
            for kind in range(KINDS):
                dealt[:, seat % sides, kind] += (word >> np.uint64(3 * kind) & np.uint64(7)).astype(np.int64)
        holder = records["holder"].astype(np.int64)
        drawn = (holder[:, None, :] % sides == np.arange(sides)[None, :, None]) & (holder >= 0)[:, None, :]
        results = np.stack([leads_of(points)[rows, side], sides * wins[rows, side] - whole], axis=1)

        def products(values: Whole) -> Whole:
            return _products(np.concatenate([leads_of(values, axis=1)[rows, side], results], axis=1), group)

        return {"cards": products(dealt), "drawn": products(drawn.astype(np.int64))}


def _products(columns: Whole, group: Whole) -> Whole:
    found = np.zeros((GROUPS, columns.shape[1], columns.shape[1]), np.int64)
    for n in range(GROUPS):
        mine = columns[group == n]
        found[n] = mine.T @ mine
    return found


def _least_squares(products: Whole, deck: Sequence[int]) -> list[float]:
    """Return how much one card of each kind more than the others have is worth, in points and then in parts of a win.

    All hands have the same number of cards, so only differences between kinds can be determined. The average card of
    the ``deck`` is defined to be worth 0. Pass an empty ``deck`` to skip this if the numbers of cards have no fixed
    sum.
    """
    size = products.shape[0] - 2
    left = products[:size, :size].astype(float)
    if deck:
        weights = np.array(deck, float) / max(deck)
        left = left + np.outer(weights, weights) * left.trace() / size
    found = np.linalg.lstsq(left, products[:size, size:].astype(float), rcond=1e-10)[0]
    return [float(value) for value in found.T.ravel()]


class CardWorth(HandExperiment):
    """How much each kind of card is worth if it is dealt at the start, and each safety if it is drawn at any time."""

    name: ClassVar[str] = "safeties"
    plots: ClassVar[tuple[str, str]] = ("dealt", "points")
    study: ClassVar[type[InstrumentedHands]] = Dealt

    def sheets(self, counts: Sequence[Counts]) -> list[Sheet]:
        """Return two sheets: cards in the deal (the average card is worth 0), and safeties drawn at any time."""
        deck, found = self.rules.deck, self.found(counts)
        kinds = [card for card in Card if deck[card.index]]
        dealt = self._worths(found, "cards", [card.index for card in kinds], [deck[card.index] for card in kinds])
        safeties = [card for card in SAFETIES if deck[card.index]]
        drawn = self._worths(found, "drawn", [card.index - SAFETY for card in safeties], [])
        columns = (Column("card", "card", "text"), *edge_columns(matches=False))
        return [
            Sheet(
                name,
                f"{title} ({self.hands})",
                columns,
                [{"card": card.value, **row} for card, row in zip(cards, rows, strict=True)],
                ("points", "hand_share"),
            )
            for name, title, cards, rows in (
                ("dealt", "one card more in the deal than the others, in place of an average card", kinds, dealt),
                ("drawn", "a safety drawn at any time, against nobody drawing it", safeties, drawn),
            )
        ]

    def _worths(self, counts: Counts, name: str, columns: list[int], deck: list[int]) -> list[dict[str, Any]]:
        sides, count = self.rules.sides, len(columns)
        products = counts[name]
        size = products.shape[1]
        chosen = [*columns, size - 2, size - 1]
        products = products[:, chosen][:, :, chosen]
        whole = products.sum(axis=0)
        used = [part for part in products if part.any()]
        if len(used) < 2:
            nothing = plain(mean(np.zeros(3, np.int64)))
            return [{"points": nothing, "hand_share": nothing} for _ in columns]
        found = jackknife(_least_squares(whole, deck), [_least_squares(whole - part, deck) for part in used])
        # A lead is (sides - 1) times the lead over the average of the others, both for points and for cards. Points
        # therefore already show how much one card more than the others have is worth. The unit of shares is the number
        # of sides times a whole win.
        scale = (sides - 1) / (sides * win_parts(np.zeros((1, sides), np.int64))[1])
        return [
            {"points": plain(points), "hand_share": plain(Estimate(*(scale * value for value in share)))}
            for points, share in zip(found[:count], found[count:], strict=True)
        ]

    def estimate(self, counts: Sequence[Counts]) -> str:
        """Return a sentence about how much the right of way is worth so far."""
        rows = self.sheets(counts)[0].rows
        points = rows[-1]["points"] if rows else {"value": None}
        return "getting ready …" if points["value"] is None else f"{rows[-1]['card']} {points['value']:+.0f} points"
