"""A match: several hands, until a side reaches the target (R8)."""

import dataclasses
import html
import itertools
from collections.abc import Iterable
from typing import Any, Final

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.editions.fields import shown
from millebornes.errors import MilleBornesError, NotationError
from millebornes.game.checks import check_rules
from millebornes.game.decks import shuffled_deck
from millebornes.game.frames import to_frame
from millebornes.game.hand import Hand
from millebornes.game.move import Move
from millebornes.game.view import View
from millebornes.rules import clauses
from millebornes.schema.fields import DEFAULT_TARGET

MAX_TARGET: Final = 1_000_000_000


def check_target(target: Any) -> int | None:
    """Return the target of a match in points, or None if single hands are played without a target.

    Raises `NotationError` if the target is invalid.

    >>> check_target(0)
    Traceback (most recent call last):
    millebornes.errors.NotationError: match_target: 0 is not allowed; ...
    """
    if target is None:
        return None
    if type(target) is not int or not 1 <= target <= MAX_TARGET:
        raise NotationError(
            f"match_target: {shown(target)} is not allowed; it must be a whole number from 1 to {MAX_TARGET}, or none"
        )
    return target


@dataclasses.dataclass(frozen=True)
class Standing:
    """The totals of a match in points by side, and what follows from them (R8)."""

    totals: tuple[int, ...]
    """The points of each side."""
    match_target: int | None
    """The number of points that ends the match, or None for single hands."""
    tie: str
    """The setting for the result if several sides share the highest total (R8)."""

    @property
    def is_over(self) -> bool:
        """R8.1, R8.2: whether the match is decided. Use this only at the end of a hand."""
        if self.match_target is None:
            return False
        best, sides = clauses.highest_total(self.totals)
        return clauses.is_match_over(best, sides, self.match_target, clauses.may_be_drawn(self.tie))

    @property
    def winner(self) -> int | None:
        """The side with the highest total once the match is over, or None if the match is drawn or unfinished."""
        best, sides = clauses.highest_total(self.totals)
        return self.totals.index(best) if self.is_over and sides == 1 else None

    def add(self, points: Iterable[int]) -> "Standing":
        """Return the standing after another hand with these points.

        >>> Standing((0, 0), 5000, "draw").add([700, 5000]).winner
        1
        """
        totals = tuple(total + more for total, more in zip(self.totals, points, strict=True))
        return dataclasses.replace(self, totals=totals)


@dataclasses.dataclass(frozen=True)
class Match:
    """A snapshot of a match. Matches are immutable: `play` and `next_hand` return a new match.

    ``hand`` is the current hand, which may be over, and ``finished`` contains all earlier hands. ``seed`` determines
    all decks. The seed is None if every deck is given. ``players`` contains the names by seat. ``match_target`` is the
    target in points, or None for single hands.
    """

    rules: Rules
    """The rules of the table."""
    hand: Hand
    seed: str | None = None
    finished: tuple[Hand, ...] = ()
    players: tuple[str, ...] = ()
    match_target: int | None = DEFAULT_TARGET
    before: Standing = dataclasses.field(init=False, compare=False, repr=False)
    """The standing before the current hand."""

    def __post_init__(self) -> None:
        check_target(self.match_target)
        if len(self.players) not in {0, self.rules.seats}:
            raise NotationError(f"players: {len(self.players)} names for {self.rules.seats} seats")
        standing = Standing((0,) * self.rules.sides, self.match_target, self.rules.tie)
        for hand in self.finished:
            standing = standing.add(sheet.total for sheet in hand.scores)
        object.__setattr__(self, "before", standing)

    @classmethod
    def start(
        cls,
        rules: Rules,
        seed: int | str | None = None,
        *,
        deck: Iterable[Card | str] | None = None,
        first: int = 0,
        players: Iterable[str] = (),
        match_target: int | None = DEFAULT_TARGET,
    ) -> "Match":
        """Deal the first hand from a seed or from a given deck. Raises `NotationError` if an argument is invalid.

        >>> Match.start(make_rules("classic"), seed=1958).hand == hand
        True
        """
        check_rules(rules)
        hand = Hand.from_deck(rules, _deck(rules, seed, 1, deck), first)
        return cls(rules, hand, None if seed is None else str(seed), (), tuple(players), match_target)

    def play(self, move: Move | str) -> "Match":
        """Return the match after a move in the current hand. Raises the same errors as `Hand.play`.

        >>> match.play("-repairs").hand.seat
        1
        """
        return self.with_hand(self.hand.play(move))

    def next_hand(self, deck: Iterable[Card | str] | None = None) -> "Match":
        """Return the match with the next hand dealt. The seat to the left becomes the nominal first seat (R2.7).

        Raises `MilleBornesError` if there is no next hand.

        >>> match.next_hand()
        Traceback (most recent call last):
        millebornes.errors.MilleBornesError: the hand is not over yet
        """
        if not self.hand.is_over:
            raise MilleBornesError("the hand is not over yet")
        if self.is_over:
            raise MilleBornesError("the match is over")
        dealt = _deck(self.rules, self.seed, self.hand_number + 1, deck)
        hand = Hand.from_deck(self.rules, dealt, clauses.first_of_next_hand(self.hand.first, self.rules))
        return dataclasses.replace(self, hand=hand, finished=(*self.finished, self.hand.compact()))

    def at(self, hand_number: int, ply: int) -> "Match":
        """Return the match as it was after ``ply`` moves of hand ``hand_number``, counted from 1.

        Raises `IndexError` if the match has no such moment.

        >>> match.play("-repairs").at(1, 0) == match
        True
        """
        hands = self.hands
        if not 1 <= hand_number <= len(hands):
            raise IndexError(f"hand {hand_number} is out of range; this match has hands 1 to {len(hands)}")
        return dataclasses.replace(self, hand=hands[hand_number - 1].at(ply), finished=hands[: hand_number - 1])

    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary of plain values for each decision, in order. It describes the position before the move.

        The keys are ``hand`` (from 1), ``ply`` (from 0), ``seat``, ``side``, ``player``, ``phase``, ``move``, ``legal``
        (number of legal moves), ``draw_pile`` (number of cards), ``distance`` (miles of the side), ``distance_ahead``
        (the side's miles minus those of the best other side), and ``score`` (points of the side for the whole hand, or
        None if the hand isn't over).

        >>> match.play("-repairs").rows()[0]["move"]
        '-repairs'
        """
        return [row for number, hand in enumerate(self.hands, 1) for row in _rows(self, number, hand)]

    def to_frame(self) -> Any:
        """Return `rows` as a data frame of pandas or polars. Raises `MilleBornesError` if neither of them is installed.

        >>> len(match.play("-repairs").to_frame()) if pandas else 1
        1
        """
        return to_frame(self.rows())

    def with_hand(self, hand: Hand) -> "Match":
        """Return a copy of the match with another current hand.

        This is faster than `dataclasses.replace`, which adds up the points of all hands again.

        >>> match.with_hand(match.hand.play("-repairs")).hand.ply
        1
        """
        match = object.__new__(Match)
        for field in dataclasses.fields(self):
            object.__setattr__(match, field.name, getattr(self, field.name))
        object.__setattr__(match, "hand", hand)
        return match

    @property
    def hand_number(self) -> int:
        """The number of the current hand, counted from 1."""
        return len(self.finished) + 1

    @property
    def hands(self) -> tuple[Hand, ...]:
        """All hands in order, including the current one."""
        return (*self.finished, self.hand)

    @property
    def standing(self) -> Standing:
        """The standing, including the current hand once it is over."""
        return self.before.add(sheet.total for sheet in self.hand.scores) if self.hand.is_over else self.before

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each side, including the current hand once it is over."""
        return self.standing.totals

    @property
    def is_over(self) -> bool:
        """Whether the match is decided (R8)."""
        return self.hand.is_over and self.standing.is_over

    @property
    def winner(self) -> int | None:
        """The winning side once the match is over, or None if the match is drawn or unfinished."""
        return self.standing.winner if self.is_over else None

    def _repr_html_(self) -> str:
        rules = self.rules
        sides = [
            " + ".join(self.players[seat] if self.players else f"Seat {seat}" for seat in rules.seats_of(side))
            for side in range(rules.sides)
        ]
        hands = [hand for hand in self.hands if hand.is_over]
        points = ([sheet.total for sheet in hand.scores] for hand in hands)
        running = itertools.accumulate(points, lambda before, more: [a + b for a, b in zip(before, more, strict=True)])
        body = "".join(
            f"<tr><th>after hand {number}</th>{''.join(f'<td>{total}</td>' for total in totals)}</tr>"
            for number, totals in enumerate(running, 1)
        )
        head = "".join(f"<th>{html.escape(side, quote=False)}</th>" for side in sides)
        table = f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>" if hands else ""
        return self.hand.to_svg(self.players) + table

    def view(self, seat: int | None) -> View:
        """Return everything that a seat can see of the current hand and of the match.

        >>> match.view(0).match_target
        5000
        """
        return self.hand.view(seat, self.before.totals, self.hand_number, self.match_target)


def _deck(rules: Rules, seed: int | str | None, hand: int, deck: Iterable[Card | str] | None) -> Iterable[Card | str]:
    if deck is not None:
        return deck
    if seed is None:
        raise MilleBornesError("dealing a hand needs a seed or a deck")
    return shuffled_deck(rules, seed, hand)


def _rows(match: Match, number: int, hand: Hand) -> list[dict[str, Any]]:
    rules = match.rules
    scores = hand.scores if hand.is_over else None
    rows = []
    for before, after in itertools.pairwise(hand.moments):
        seat = before.seat
        if seat is None or after.move is None:
            continue
        side = rules.side_of(seat)
        miles = [tableau.distance for tableau in before.tableaux]
        rows.append(
            {
                "hand": number,
                "ply": before.ply,
                "seat": seat,
                "side": side,
                "player": match.players[seat] if match.players else "",
                "phase": before.phase.name.lower(),
                "move": after.move.text,
                "legal": len(before.legal_moves),
                "draw_pile": before.draw_pile,
                "distance": miles[side],
                "distance_ahead": miles[side] - max(own for other, own in enumerate(miles) if other != side),
                "score": None if scores is None else scores[side].total,
            }
        )
    return rows
