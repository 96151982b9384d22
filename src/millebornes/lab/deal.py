"""What the deal gives: the worth of going first, of each kind of card at the start, and of each safety drawn."""

import dataclasses
from collections.abc import Sequence
from typing import Any, ClassVar, Final

import numpy as np

from millebornes.cards import SAFETIES, Card
from millebornes.editions import Rules
from millebornes.lab.contrast import HANDS_A_MATCH
from millebornes.lab.counts import Counts, Whole, jackknife, mean, moments, plain, seed_word, win_parts
from millebornes.lab.experiment import Experiment, Study
from millebornes.lab.sheets import Column, Sheet
from millebornes.players.batch import KernelPlayer, play_batch
from millebornes.players.observed import Observed, observe

__all__ = ["CardWorth", "Dealt", "FirstHands", "FirstMatches", "GoingFirst", "leads_of", "observed"]

GROUPS: Final = 32
"""Groups of deals for the jackknife."""
KINDS: Final = len(Card)
SAFETY: Final = SAFETIES[0].index


def observed(rules: Rules, player: str, deals: range, seed: int, firsts: Sequence[int] = (0,)) -> Observed:
    """Hands in which one player has all seats, observed: records by (deal, first seat)."""
    seated = [KernelPlayer.named(player, rules)]
    lineups = [[0] * rules.seats] * len(firsts)
    return observe(rules, seated, lineups, firsts, len(deals), seed=seed, begin=deals.start)


def leads_of(points: Whole) -> Whole:
    """Points by side on the last axis as leads: (sides - 1) times one's own, less all others'."""
    found: Whole = points.shape[-1] * points - points.sum(axis=-1, keepdims=True)
    return found


@dataclasses.dataclass(frozen=True, kw_only=True)
class FirstHands(Study):
    """Single hands, each deck once with every first seat. Counts `moments` of ``lead`` and ``wins`` by place.

    Place 0 is the side that goes first, the others follow clockwise; sums over the first seats of a deck.
    """

    rules: Rules
    player: str
    deals: int
    seed: int

    @property
    def weight(self) -> float:
        """About how many hands a deal takes."""
        return 3.0 * self.rules.seats

    def count(self, deals: range) -> Counts:
        """Play these deals."""
        rules, sides = self.rules, self.rules.sides
        seen = observed(rules, self.player, deals, self.seed, range(rules.seats))
        points = seen["lines"].sum(axis=3, dtype=np.int64)[:, :, :sides]
        lead, wins, whole = np.zeros((2, len(deals), sides), np.int64), win_parts(points)[0], win_parts(points)[1]
        leads = leads_of(points)
        for first in range(rules.seats):
            for place in range(sides):
                side = (first + place) % sides
                lead[0, :, place] += leads[:, first, side]
                lead[1, :, place] += sides * wins[:, first, side] - whole
        return {"lead": moments(lead[0]), "wins": moments(lead[1])}


@dataclasses.dataclass(frozen=True, kw_only=True)
class FirstMatches(Study):
    """Matches in which one player has all seats; the first hand's first seat changes from deal to deal (R2.7).

    Counts `moments` of ``lead`` and ``wins`` by place, as `FirstHands` does.
    """

    rules: Rules
    player: str
    deals: int
    match_target: int
    seed: int

    @property
    def weight(self) -> float:
        """About how many hands a deal takes."""
        return max(1.0, HANDS_A_MATCH * self.match_target / 5000)

    def count(self, deals: range) -> Counts:
        """Play these deals."""
        rules, sides = self.rules, self.rules.sides
        seated = [KernelPlayer.named(self.player, rules)]
        played = play_batch(
            rules,
            seated,
            [[0] * rules.seats],
            len(deals),
            seed=self.seed,
            begin=deals.start,
            match_target=self.match_target,
        )
        points = played.points[:, 0]
        wins, whole = win_parts(points)
        first = np.arange(deals.start, deals.stop) % rules.seats
        side = (first[:, None] + np.arange(sides)) % sides
        lead = np.take_along_axis(leads_of(points), side, axis=1)
        return {"lead": moments(lead), "wins": moments(sides * np.take_along_axis(wins, side, axis=1) - whole)}


class GoingFirst(Experiment):
    """What the first turn is worth, between equal players."""

    name: ClassVar[str] = "first"
    summary: ClassVar[str] = "the worth of going first"
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
        """Raises `PlayerError` for a player that has to be asked from outside."""
        KernelPlayer.named(player, rules)
        self.rules, self.player, self.target = rules, player, target
        word = seed_word(seed, self.name)
        studies: list[Study] = [FirstHands(rules=rules, player=player, deals=hands, seed=word)]
        if matches:
            studies.append(FirstMatches(rules=rules, player=player, deals=matches, match_target=target, seed=word ^ 1))
        self.studies = tuple(studies)

    def sheets(self, counts: Sequence[Counts]) -> list[Sheet]:
        """One table: a row for each place after the first seat."""
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
        columns = [
            Column("place", "side that plays", "text"),
            Column("points", "points a hand", "gain"),
            Column("hand_share", "share of hands", "edge"),
        ]
        games = f"{self.studies[0].deals:,} decks of hands"
        if len(self.studies) > 1:
            games += f" and {self.studies[1].deals:,} matches to {self.target}"
            columns += [
                Column("match_points", "points a match", "gain"),
                Column("match_share", "share of matches", "edge"),
            ]
        across = tuple(column.key for column in columns if column.key in ("points", "hand_share", "match_share"))
        title = f"against the mean of the others, and against a fair share ({games})"
        return [Sheet("first", title, tuple(columns), rows, across)]

    def line(self, counts: Sequence[Counts]) -> str:
        """The first side's lead so far."""
        if not counts[0]:
            return "getting ready …"
        found = mean(counts[0]["lead"][:, 0], 1 / (self.rules.seats * (self.rules.sides - 1)))
        return f"going first {found.value:+.1f} ± {(found.high - found.low) / 2:.1f} points"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Dealt(Study):
    """Single hands, and what was dealt to whom: the sums that least squares need, by groups of deals.

    Of each deal one side is looked at, each in turn. ``cards`` and ``drawn`` hold for each group the products of all
    columns with each other: what the side was dealt of each kind (which of the four safeties it drew, now or later)
    against the others, then its lead in points, then its part of the win.
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
        rules, sides = self.rules, self.rules.sides
        seen = observed(rules, self.player, deals, self.seed)[:, 0]
        points = seen["lines"].sum(axis=2, dtype=np.int64)[:, :sides]
        wins, whole = win_parts(points)
        side = np.arange(deals.start, deals.stop) % sides
        dealt = np.zeros((len(deals), sides, KINDS), np.int64)
        for seat in range(rules.seats):
            word = seen["dealt"][:, seat]
            for kind in range(KINDS):
                dealt[:, seat % sides, kind] += (word >> np.uint64(3 * kind) & np.uint64(7)).astype(np.int64)
        holder = seen["holder"].astype(np.int64)
        drawn = (holder[:, None, :] % sides == np.arange(sides)[None, :, None]) & (holder >= 0)[:, None, :]
        rows = np.arange(len(deals))
        results = np.stack([leads_of(points)[rows, side], sides * wins[rows, side] - whole], axis=1)
        group = np.arange(deals.start, deals.stop) % GROUPS
        return {
            "cards": _products(np.concatenate([leads_by_side(dealt)[rows, side], results], axis=1), group),
            "drawn": _products(
                np.concatenate([leads_by_side(drawn.astype(np.int64))[rows, side], results], axis=1), group
            ),
        }


def leads_by_side(values: Whole) -> Whole:
    """Values by (deal, side, …) as leads over the other sides, like `leads_of`."""
    found: Whole = values.shape[1] * values - values.sum(axis=1, keepdims=True)
    return found


def _products(columns: Whole, group: Whole) -> Whole:
    found = np.zeros((GROUPS, columns.shape[1], columns.shape[1]), np.int64)
    for n in range(GROUPS):
        mine = columns[group == n]
        found[n] = mine.T @ mine
    return found


def _least_squares(products: Whole, deck: Sequence[int]) -> list[float]:
    """Worth of one card more of each kind than the others have: of points, then of parts of a win.

    Hands are equally large, so only differences between kinds can be known: the mean card of the ``deck`` counts as 0.
    An empty ``deck`` leaves that out, for numbers that do not add up to anything.
    """
    size = products.shape[0] - 2
    left = products[:size, :size].astype(float)
    if deck:
        weights = np.array(deck, float) / max(deck)
        left = left + np.outer(weights, weights) * left.trace() / size
    found = np.linalg.lstsq(left, products[:size, size:].astype(float), rcond=1e-10)[0]
    return [float(value) for value in found.T.ravel()]


class CardWorth(Experiment):
    """What each kind of card dealt at the start is worth, and each safety whenever it is drawn."""

    name: ClassVar[str] = "safeties"
    summary: ClassVar[str] = "the worth of each safety, and of each kind of card, held at the start"
    plots: ClassVar[tuple[str, str]] = ("dealt", "points")

    def __init__(self, rules: Rules, player: str, *, hands: int = 40_000, seed: str = "0") -> None:
        """Raises `PlayerError` for a player that has to be asked from outside."""
        KernelPlayer.named(player, rules)
        self.rules, self.player = rules, player
        self.studies = (Dealt(rules=rules, player=player, deals=hands, seed=seed_word(seed, self.name)),)

    def sheets(self, counts: Sequence[Counts]) -> list[Sheet]:
        """Two tables: cards in the deal (the mean card is 0), and safeties drawn at any time."""
        deck = self.rules.deck
        kinds = [card for card in Card if deck[card.index]]
        dealt = self._rows(counts[0], "cards", [card.index for card in kinds], [deck[card.index] for card in kinds])
        safeties = [card for card in SAFETIES if deck[card.index]]
        drawn = self._rows(counts[0], "drawn", [card.index - SAFETY for card in safeties], [])
        columns = (
            Column("card", "card", "text"),
            Column("points", "points a hand", "gain"),
            Column("hand_share", "share of hands", "edge"),
        )
        hands = f"{self.studies[0].deals:,} hands"
        return [
            Sheet(
                "dealt",
                f"one card more in the deal than the others, in place of an average card ({hands})",
                columns,
                [{"card": card.value, **row} for card, row in zip(kinds, dealt, strict=True)],
                ("points", "hand_share"),
            ),
            Sheet(
                "drawn",
                f"a safety drawn at any time, against nobody drawing it ({hands})",
                columns,
                [{"card": card.value, **row} for card, row in zip(safeties, drawn, strict=True)],
                ("points", "hand_share"),
            ),
        ]

    def _rows(self, counts: Counts, name: str, columns: list[int], deck: list[int]) -> list[dict[str, Any]]:
        nothing = plain(mean(np.zeros(3, np.int64)))
        if not counts:
            return [{"points": nothing, "hand_share": nothing} for _ in columns]
        sides = self.rules.sides
        products = counts[name]
        size = products.shape[1]
        chosen = [*columns, size - 2, size - 1]
        products = products[:, chosen][:, :, chosen]
        whole = products.sum(axis=0)
        used = [part for part in products if part.any()]
        if len(used) < 2:
            return [{"points": nothing, "hand_share": nothing} for _ in columns]
        found = jackknife(_least_squares(whole, deck), [_least_squares(whole - part, deck) for part in used])
        # a lead is (sides - 1) times that over the mean of the others, in points as in cards: points come out as they
        # are for one card more than the others have; shares are of sides times a whole win
        unit = win_parts(np.zeros((1, sides), np.int64))[1]
        count = len(columns)
        rows = []
        for i in range(count):
            share = found[count + i]
            scale = (sides - 1) / (sides * unit)
            rows.append(
                {
                    "points": plain(found[i]),
                    "hand_share": plain(type(share)(*(scale * value for value in share))),
                }
            )
        return rows

    def line(self, counts: Sequence[Counts]) -> str:
        """The worth of the right of way so far."""
        rows = self.sheets(counts)[0].rows
        points = rows[-1]["points"] if rows else {"value": None}
        return "getting ready …" if points["value"] is None else f"{rows[-1]['card']} {points['value']:+.0f} points"
