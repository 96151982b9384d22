"""The outcomes of the games of an arena."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.arena.schedule import Game, Plan
from millebornes.cards import Card
from millebornes.game import Hand, Match
from millebornes.game.move import move_codes

CARDS: Final = tuple(Card)
LARGE: Final = 1 << 40
"""A number that is larger than any in an outcome."""


class GameForfeit(NamedTuple):
    """A forfeit: the side that lost, its player's error in words, and the details (see `Forfeit`)."""

    side: int
    """The side that lost, counted from 0."""
    reason: str
    """A description of the player's error."""
    clause: str | None = None
    """The number of the clause that the player broke, or None for any other error."""
    legal: tuple[str, ...] = ()
    """The moves that were legal when the player made an illegal one, or nothing for any other error."""
    log: str | None = None
    """The path of the file that contains what the program wrote to standard error."""


class GameOutcome(NamedTuple):
    """The outcome of a game. Lists have one entry per side; ``moves`` and ``seconds`` are sums over a side's players.

    ``order`` contains the number of the player on each side. ``totals`` are the points from ``hands`` finished hands,
    and ``shares`` are the sides' shares of the win, which add up to 1. ``seconds`` is the time that ``moves`` decisions
    took. ``forfeit`` describes a forfeit, or is None. ``lines`` contains the transcript, if it was requested.
    """

    deal: int
    """The number of the deal. Games with the same deal have the same decks."""
    turn: int
    """The number of the game among the games on the same deal, from 0."""
    order: tuple[int, ...]
    totals: tuple[int, ...]
    hands: int
    shares: tuple[float, ...]
    moves: tuple[int, ...]
    seconds: tuple[float, ...]
    forfeit: GameForfeit | None = None
    lines: tuple[str, ...] = ()


def names_of(plan: Plan, game: Game) -> tuple[str, ...]:
    """Return the player in each seat, by name. Partners differ only if a team joins different players."""
    shown = plan.names
    return tuple(
        plan.teams[number][member] if len(set(plan.teams[number])) > 1 else shown[number]
        for number, member in plan.seated(game)
    )


def read_outcome(plan: Plan, row: Sequence[Any]) -> GameOutcome:
    """Return an outcome from its first nine fields in a file. Raises `ValueError` or `TypeError` for other data."""
    deal, turn, order, totals, hands, shares, moves, seconds, forfeit = row
    sides = plan.rules.sides
    if not all(type(value) is int for value in (deal, turn, hands, *order, *totals, *moves)) or not 0 <= hands < LARGE:
        raise ValueError(row)
    for values in (order, totals, shares, moves, seconds):
        if len(values) != sides or not all(isinstance(value, int | float) and abs(value) < LARGE for value in values):
            raise ValueError(values)
    fault = None
    if forfeit is not None:
        side, reason, clause, legal, log = (*forfeit, None, (), None)[:5]
        if side not in range(sides):
            raise ValueError(side)
        fault = GameForfeit(int(side), str(reason), clause and str(clause), tuple(map(str, legal)), log and str(log))
    sums = tuple(order), tuple(totals), int(hands), tuple(shares), tuple(moves), tuple(seconds)
    return GameOutcome(int(deal), int(turn), *sums, fault)


Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Columns(NamedTuple):
    """The outcomes of games without transcripts, in whole rounds and in order.

    ``deal``, ``turn`` and ``hands`` have one entry per game. ``order``, ``totals``, ``shares``, ``moves`` and
    ``seconds`` have one entry per game and side, as in `GameOutcome`. ``forfeits`` pairs games with their forfeits.
    """

    deal: Counts
    turn: Counts
    order: Counts
    totals: Counts
    hands: Counts
    shares: Floats
    moves: Counts
    seconds: Floats
    forfeits: Sequence[tuple[int, GameForfeit]] = ()

    @classmethod
    def of(cls, outcomes: Sequence[GameOutcome]) -> "Columns":
        """Return the outcomes of at least one game in columns."""
        columns: list[Any] = [np.array(column) for column in zip(*(row[:8] for row in outcomes), strict=True)]
        lost = [(row, outcome.forfeit) for row, outcome in enumerate(outcomes) if outcome.forfeit is not None]
        return cls._make([*columns, lost])

    def outcomes(self) -> list[GameOutcome]:
        """Return the outcomes of the same games, one by one. There must be no forfeits."""
        rows: Iterator[tuple[Any, ...]] = zip(*(column.tolist() for column in self[:8]), strict=True)
        return [GameOutcome._make([*(tuple(x) if isinstance(x, list) else x for x in row), None, ()]) for row in rows]


def shares_of_win(totals: Counts) -> Floats:
    """Return each side's share of the win in each game, given the totals (game, side)."""
    best = totals == totals.max(axis=1, keepdims=True)
    return np.asarray(best / best.sum(axis=1, keepdims=True))


class RecordedHands(NamedTuple):
    """The hands of several games, game after game, with one entry per hand.

    ``game`` numbers the games from 0, and ``number`` numbers the hands of each game from 1. ``piles`` (hand, place)
    contains the kinds of card in the order they were drawn, followed by the cards left. ``codes`` (hand, ply) contains
    the codes of the moves from the point of view of the player who moves, and ``plies`` the number of moves.
    """

    game: npt.NDArray[np.int64]
    number: npt.NDArray[np.int64]
    piles: npt.NDArray[np.uint8]
    codes: npt.NDArray[np.int16]
    plies: npt.NDArray[np.int64]

    @property
    def size(self) -> int:
        """The number of hands."""
        return len(self.plies)

    @classmethod
    def none(cls, cards: int, moves: int) -> "RecordedHands":
        """Return a table without any hands, for decks of ``cards`` cards and with room for ``moves`` moves."""
        nothing = np.zeros(0, np.int64)
        return cls(nothing, nothing, np.zeros((0, cards), np.uint8), np.zeros((0, moves), np.int16), nothing)

    @classmethod
    def joined(cls, parts: "list[RecordedHands]") -> "RecordedHands":
        """Join parts of a table and sort the hands by game and number. At least one part is required."""
        columns = [np.concatenate([getattr(part, name) for part in parts]) for name in cls._fields]
        order = np.lexsort((columns[1], columns[0]))
        return cls(*(column[order] for column in columns))

    def match(self, plan: Plan, names: tuple[str, ...]) -> Match:
        """Return the match, or the single hand, that consists of these hands. ``names`` are the players by seat."""
        rules, hands = plan.rules, list[Hand]()
        for pile, codes, plies in zip(self.piles.tolist(), self.codes.tolist(), self.plies.tolist(), strict=True):
            hand = Hand.from_deck(rules, [CARDS[kind] for kind in pile], len(hands) % rules.seats)  # R2.7
            for code in codes[:plies]:
                assert hand.seat is not None
                hand = hand.play(move_codes(rules, rules.side_of(hand.seat)).moves[code])
            hands.append(hand)
        return Match(rules, hands[-1], finished=tuple(hands[:-1]), players=names, match_target=plan.match_target)
