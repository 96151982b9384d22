"""Judge the moves of a player at a table by how much more each of them gains than a baseline's move would."""

import random
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game.decks import word_of_cards
from millebornes.game.hand import Hand
from millebornes.game.legal import LegalMoves
from millebornes.game.move import Move
from millebornes.game.scoresheet import Scoresheet
from millebornes.game.view import View
from millebornes.players import player
from millebornes.players.base import FullInformationPlayer, Player
from millebornes.players.history_player import HistoryPlayer
from millebornes.players.information_set import seen_by_all
from millebornes.policies.batch import KernelSeats
from millebornes.policies.dispatch import LEVEL, RANDOM, is_watching, workspace_for
from millebornes.rules.clauses import first_of_next_hand
from millebornes.rules.engine import engine_for
from millebornes.search.rollouts import OUTCOME, RolloutSeats, SeatKnowledge, Simulations, roll_out
from millebornes_research.pool.pair_equity import pair_stakes
from millebornes_research.pool.strangers import Stranger, kernel_player

CHOICES: Final = 32
"""The number of times that a baseline with random moves is asked for its move."""


class Company(NamedTuple):
    """The players in play-outs: the ``baseline`` in the seats of the judged side, and the ``rival`` in all others."""

    baseline: str
    rival: str | Stranger


class Judged(HistoryPlayer, FullInformationPlayer):
    """Plays like another player, and adds up how much more its moves gain than those of a baseline.

    It sees all hands, but passes only the information of its seat on to the judged player. Each move that differs from
    the baseline's is played out ``worlds`` times, with the real hands of all players and random draw piles that depend
    on ``seed``. Raises `PlayerError` if kernels can't run the baseline or the rival.
    """

    name = "judged"
    summary = "plays as another player, and is judged"

    def __init__(self, inner: Player, rules: Rules, company: Company, worlds: int, seed: str) -> None:
        self.inner: Final = inner
        self.gained = 0.0
        self._baseline: Final = player(company.baseline)
        self._rules: Final = rules
        self._company: Final = company
        kernels = [kernel_player(who, rules) for who in company]
        self._asked: Final = CHOICES if kernels[0].who in (LEVEL, RANDOM) else 1
        self._kernels: Final = KernelSeats(kernels)
        self._workspace: Final = workspace_for(rules, 2)
        self._worlds: Final = worlds
        self._chance: Final = random.Random(seed)
        self._hand: Hand | None = None

    def reveal(self, hand: Hand, draws: Sequence[Sequence[Card]] | None) -> None:
        """Store the real hand, which the judged player doesn't see."""
        self._hand = hand

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """Return the move of the judged player."""
        move = self.inner.choose(view, legal, rng)
        others = [self._baseline.choose(view, legal, self._chance) for _ in range(self._asked)]
        if any(other != move for other in others):
            self.gained += self._gain(view, legal.code(move) or 0, [legal.code(other) or 0 for other in others])
        return move

    def match_started(self, seat: int, rules: Rules, players: Sequence[str], match_target: int | None) -> None:
        """Report the match to the player and the baseline, as all methods below do with their events."""
        super().match_started(seat, rules, players, match_target)
        for told in (self.inner, self._baseline):
            told.match_started(seat, rules, players, match_target)

    def hand_started(self, number: int, first: int, totals: Sequence[int], hand: Sequence[Card]) -> None:
        """Report the deal to the player and the baseline."""
        super().hand_started(number, first, totals, hand)
        for told in (self.inner, self._baseline):
            told.hand_started(number, first, totals, hand)

    def drew(self, seat: int, count: int, cards: Sequence[Card] | None) -> None:
        """Report the draw to the player and the baseline."""
        super().drew(seat, count, cards)
        for told in (self.inner, self._baseline):
            told.drew(seat, count, cards)

    def moved(self, seat: int, move: Move) -> None:
        """Report the move to the player and the baseline."""
        super().moved(seat, move)
        for told in (self.inner, self._baseline):
            told.moved(seat, move)

    def hand_over(
        self, completed_by: int | None, extended: bool, scores: Sequence[Scoresheet], totals: Sequence[int]
    ) -> None:
        """Report the end of the hand to the player and the baseline."""
        for told in (self.inner, self._baseline):
            told.hand_over(completed_by, extended, scores, totals)

    def match_over(self, totals: Sequence[int], winner: int | None, reason: str) -> None:
        """Report the end of the match to the player and the baseline."""
        for told in (self.inner, self._baseline):
            told.match_over(totals, winner, reason)

    def close(self) -> None:
        """Close the baseline. The judged player must be closed by the code that created it."""
        self._baseline.close()

    def _gain(self, view: View, chosen: int, instead: list[int]) -> float:
        """Return how much more a move gains than the moves ``instead`` do on average, over many play-outs."""
        hand, rules = self._hand, self._rules
        assert hand is not None
        next_first = first_of_next_hand(view.first, rules)
        pair = pair_stakes(rules, self._company.baseline, self._company.rival, view.match_target or 0)
        stakes = pair.begins if rules.side_of(next_first) == view.side else pair.follows
        deal = self._workspace.deals[0]
        deal["totals"][: len(view.totals)], deal["target"] = view.totals, stakes.goal
        deal["watched"], deal["opponents"] = is_watching(self._kernels.records), self.memory_for(rules).opponents
        dealt = hand.cards_in_deck(0, rules.seats * rules.hand_size)  # the memory of a level depends on this
        deal["pile"][: len(dealt)] = [card.index for card in dealt]
        base = np.frombuffer(bytearray(hand.state), engine_for(rules).dtype)
        others = [seat for seat in range(rules.seats) if seat != view.seat]
        hands = np.array([[word_of_cards(hand.cards(seat)) for seat in others]], np.uint64)
        line = np.array([[rules.side_of(seat) != view.side for seat in range(rules.seats)]], np.int64)
        unseen = np.array(list(view.unseen.values()), np.int64)
        known = SeatKnowledge(base[0], seen_by_all(view), unseen, hands, np.array(others, np.int64))
        seed = np.uint64(self._chance.getrandbits(64))
        codes = sorted({chosen, *instead})
        out = np.zeros((self._worlds, len(codes)), OUTCOME)
        simulations = Simulations(known, RolloutSeats(self._kernels.records, line, line, 0), stakes, seed)
        roll_out(self._workspace, simulations, 0, np.array(codes, np.int64), False, out)
        means = out["chance" if stakes.goal else "lead"].mean(axis=0)
        brought = dict(zip(codes, means.tolist(), strict=True))
        return float(brought[chosen] - sum(brought[code] for code in instead) / len(instead))
