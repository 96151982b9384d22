"""What a player's moves are worth, without the luck of the cards.

A player's lead on a heuristic player P scatters by more than a thousand points a hand. But how much more it expects
than P in its place is also the sum, over its own moves, of what each of them brings more than P's move would have, all
going on as P from there (the performance difference lemma; Kakade and Langford, 2002). The hidden cards are known to
who watches, so each term can be played out as often as one likes, and most moves are those of P and count for nothing.
What is left scatters by some 300 points a hand: a twentieth of the hands tell as much. In matches the same holds of the
chance to win, as far as the table of match equity is right.
"""

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game.hand import Hand
from millebornes.game.legal import LegalMoves
from millebornes.game.match import Match
from millebornes.game.move import Move
from millebornes.game.scoresheet import Scoresheet
from millebornes.game.view import View, word_of_cards
from millebornes.players import player
from millebornes.players.base import Player
from millebornes.players.full_information import FullInformationPlayer
from millebornes.players.information_set import seen_by_all
from millebornes.players.table import Table
from millebornes.policies.batch import KernelPlayer, seats_of
from millebornes.policies.match_equity import stakes_of
from millebornes.policies.workspace import workspace_for
from millebornes.rules.engine import engine_for
from millebornes.search.rollouts import Known, Seating, roll_out

__all__ = ["gains"]

RIVAL: Final = "maxims"


class _Judged(FullInformationPlayer):
    """Plays as another player does, and sums up what its moves bring more than those of `RIVAL`."""

    name = "judged"
    summary = "plays as another player, and is judged"

    def __init__(self, inner: Player, rules: Rules, worlds: int, seed: str) -> None:
        self.inner: Final = inner
        self.gained = 0.0
        self._rival: Final = player(RIVAL)
        self._rules: Final = rules
        self._kernel: Final = seats_of([KernelPlayer.named(RIVAL, rules)])
        self._workspace: Final = workspace_for(rules, 2)
        self._out: Final = np.zeros((worlds, 2))
        self._chance: Final = random.Random(seed)
        self._hand: Hand | None = None

    def reveal(self, hand: Hand, draws: Sequence[Sequence[Card]] | None) -> None:
        """The hand as it really stands; the player itself is told nothing of it."""
        self._hand = hand

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """The move of the player that is judged."""
        move, other = self.inner.choose(view, legal, rng), self._rival.choose(view, legal, rng)
        if move != other:
            self.gained += self._gain(view, [legal.code(other) or 0, legal.code(move) or 0])
        return move

    def match_started(self, seat: int, rules: Rules, players: Sequence[str], match_target: int | None) -> None:
        """Handed on, as all that follows."""
        self.inner.match_started(seat, rules, players, match_target)

    def hand_started(self, number: int, first: int, totals: Sequence[int], hand: Sequence[Card]) -> None:
        """Handed on."""
        self.inner.hand_started(number, first, totals, hand)

    def drew(self, seat: int, count: int, cards: Sequence[Card] | None) -> None:
        """Handed on."""
        self.inner.drew(seat, count, cards)

    def moved(self, seat: int, move: Move) -> None:
        """Handed on."""
        self.inner.moved(seat, move)

    def hand_over(
        self, completed_by: int | None, extended: bool, scores: Sequence[Scoresheet], totals: Sequence[int]
    ) -> None:
        """Handed on."""
        self.inner.hand_over(completed_by, extended, scores, totals)

    def match_over(self, totals: Sequence[int], winner: int | None, reason: str) -> None:
        """Handed on."""
        self.inner.match_over(totals, winner, reason)

    def close(self) -> None:
        """Handed on."""
        self.inner.close()

    def _gain(self, view: View, codes: list[int]) -> float:
        """How much more the second move brings than the first, in the mean of many play-outs."""
        hand, rules = self._hand, self._rules
        assert hand is not None
        stakes = stakes_of(rules, view.match_target or 0)
        deal = self._workspace.deals[0]
        deal["totals"][: len(view.totals)], deal["target"] = view.totals, stakes.goal
        base = np.frombuffer(bytearray(hand.state), engine_for(rules).dtype)
        others = [seat for seat in range(rules.seats) if seat != view.seat]
        hands = np.array([[word_of_cards(hand.cards(seat)) for seat in others]], np.uint64)
        line = np.zeros(rules.seats, np.int64)
        unseen = np.array(list(view.unseen.values()), np.int64)
        known = Known(base[0], seen_by_all(view), unseen, hands, np.array(others, np.int64))
        seed = np.uint64(self._chance.getrandbits(64))
        seating = Seating(self._kernel, line, line, 0)
        roll_out(self._workspace, known, seating, stakes, 0, seed, np.array(codes, np.int64), self._out)
        return float((self._out[:, 1] - self._out[:, 0]).mean())


def gains(
    rules: Rules, name: str, *, match_target: int | None = None, worlds: int = 1024, seed: int = 0, begin: int = 0
) -> Iterator[float]:
    """How much a side of players of a name is worth more than one of `RIVAL`: what each game says, from ``begin`` on.

    Games are hands, and the worth is in points by which the side leads the mean of the others; or, with a
    ``match_target``, matches, and the worth is in chances to win (`millebornes.policies.match_equity`). `RIVAL` sits on
    all other sides, and the side takes turns. Each move in question is played out in so many ``worlds``. It goes on for
    as long as it is asked; the mean of what it says is the estimate.
    """
    for number in itertools.count(begin):
        own, deal = number % rules.sides, f"gain {seed} {number // rules.sides}"
        judges = [
            _Judged(player(name), rules, worlds, f"{deal} {own}") if rules.side_of(seat) == own else None
            for seat in range(rules.seats)
        ]
        table = Table(
            Match.start(rules, seed=deal, match_target=match_target), [j or player(RIVAL) for j in judges], number
        )
        try:
            while not table.play_hand().is_over and match_target:
                table.next_hand()
        finally:
            for judge in filter(None, judges):
                judge.close()
        yield sum(judge.gained for judge in judges if judge)
