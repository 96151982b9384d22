"""The table that players sit at: it asks them in turn, checks their moves, and tells every seat what it may know."""

import random
from collections.abc import Sequence

from millebornes.cards import Card
from millebornes.errors import MilleBornesError, PlayerError
from millebornes.game.hand import Hand
from millebornes.game.match import Match
from millebornes.game.move import Action, Move
from millebornes.players.base import Player
from millebornes.rules.state import Phase

__all__ = ["Table", "decision_rng", "play_hand", "play_match"]


def decision_rng(seed: int | str, hand: int, ply: int) -> random.Random:
    """The chance for one decision: it depends on the seed, the hand (from 1) and the ply, not on what went before."""
    return random.Random(f"millebornes decision {hand} {ply} {seed}")


class Table:
    """A match being played. ``players`` are by seat; None where moves come from elsewhere (a person at the screen).

    A match that is under way may be sat down to: players are told its current hand from the deal on. The usual loop::

        while not table.match.is_over:
            if table.match.hand.is_over:
                table.next_hand()
            elif table.player is not None:
                table.step()
            else:
                table.play(ask_somebody(table.match))
    """

    def __init__(self, match: Match, players: Sequence[Player | None], seed: int | str | None = None) -> None:
        """Sit down. ``seed`` makes the players' chance; without it that of the match does.

        Raises `PlayerError` unless there is one player (or None) for each seat, all of them different objects.
        """
        seats = match.rules.seats
        if len(players) != seats:
            raise PlayerError(f"{len(players)} players for {seats} seats; each seat needs one")
        seated = [player for player in players if player is not None]
        if len({id(player) for player in seated}) != len(seated):
            raise PlayerError("a player object sits on two seats; make one for each seat")
        self.match = match
        self.players = tuple(players)
        self.seed = match.seed if seed is None else seed
        for seat, player in enumerate(self.players):
            if player is not None:
                player.match_started(seat, match.rules, match.players, match.match_target)
        self._deck: tuple[Card, ...] = ()  # of the current hand, in drawing order
        self._tell_deal()
        hands = [match.hand]
        while (parent := hands[-1].parent) is not None:
            hands.append(parent)
        for before, after in zip(hands[::-1], hands[-2::-1], strict=False):
            self._tell_move(before, after)

    @property
    def player(self) -> Player | None:
        """The player whose decision it is; None for a seat without one, or when the hand is over."""
        seat = self.match.hand.seat
        return None if seat is None else self.players[seat]

    def choose(self) -> Move:
        """Ask the player whose decision it is, without making the move.

        Raises `MilleBornesError` when there is no such player, `PlayerError` when its move is not legal.
        """
        hand = self.match.hand
        player = self.player
        if player is None or hand.seat is None:
            raise MilleBornesError("there is no computer player to move")
        rng = decision_rng(self.seed if self.seed is not None else "", self.match.hand_number, hand.ply)
        legal = hand.legal_moves
        move = player.choose(self.match.view(hand.seat), legal, rng)
        if move not in legal:
            who = f"the player {player.name!r} on seat {hand.seat}"
            raise PlayerError(f"{who} chose {move!s}, which is not legal; legal: {', '.join(legal.texts)}")
        return move

    def step(self) -> Move:
        """Ask the player whose decision it is and make its move, which is returned. Raises as `choose` does."""
        move = self.choose()
        self.play(move)
        return move

    def play(self, move: Move | str) -> None:
        """Make a move for the seat that decides and tell all players what they may know. Raises as `Hand.play` does."""
        before = self.match.hand
        self.match = self.match.play(move)
        self._tell_move(before, self.match.hand)

    def next_hand(self) -> None:
        """Deal the next hand. Raises as `Match.next_hand` does."""
        self.match = self.match.next_hand()
        self._tell_deal()

    def play_hand(self) -> Match:
        """Let the players finish the current hand. Raises `PlayerError` when a seat has no player."""
        while not self.match.hand.is_over:
            self.step()
        return self.match

    def stop(self, reason: str = "stopped", winner: int | None = None) -> None:
        """Tell the players that a match ends before its time."""
        for player in self._seated():
            player.match_over(self.match.totals, winner, reason)

    # ------------------------------------------------------------------ telling

    def _seated(self) -> list[Player]:
        return [player for player in self.players if player is not None]

    def _tell_deal(self) -> None:
        match, start = self.match, self.match.hand.at(0)
        rules = match.rules
        self._deck = deck = start.deck
        for seat, player in enumerate(self.players):
            if player is not None:
                place = (seat - start.first) % rules.seats  # R2.4
                dealt = deck[place : rules.seats * rules.hand_size : rules.seats]
                player.hand_started(match.hand_number, start.first, match.before.totals, tuple(sorted(dealt)))
        self._tell_draw(rules.cards - rules.seats * rules.hand_size, start)

    def _tell_draw(self, pile: int, hand: Hand) -> None:
        """Only the seat that decides next draws (R2.5); ``pile`` is what lay in the draw pile before."""
        count = pile - hand.draw_pile
        seat = hand.seat
        if count == 0 or seat is None:
            return
        drawn = hand.rules.cards - hand.draw_pile
        cards = self._deck[drawn - count : drawn]
        for other, player in enumerate(self.players):
            if player is not None:
                player.drew(seat, count, cards if other == seat else None)

    def _tell_move(self, before: Hand, after: Hand) -> None:
        move, mover = after.move, before.seat
        assert move is not None
        assert mover is not None
        for seat, player in enumerate(self.players):
            if player is not None and (move.action is not Action.PASS or seat == mover):  # R5.5
                player.moved(mover, move)
        if after.phase is not Phase.OVER:
            self._tell_draw(before.draw_pile, after)
            return
        scores = after.scores
        for player in self._seated():
            player.hand_over(after.completed_by, after.extended, scores, self.match.totals)
        if self.match.is_over:
            for player in self._seated():
                player.match_over(self.match.totals, self.match.winner, "finished")


def play_hand(hand: Hand, players: Sequence[Player], seed: int | str) -> Hand:
    """Let players finish a single hand; ``seed`` makes their chance. Raises `PlayerError` for an illegal choice."""
    match = Match(hand.rules, hand, players=tuple(player.name for player in players), match_target=None)
    return Table(match, players, seed).play_hand().hand


def play_match(match: Match, players: Sequence[Player], seed: int | str | None = None) -> Match:
    """Let players finish a match with a target; ``seed`` makes their chance (by default that of the match).

    Raises `PlayerError` for an illegal choice, `MilleBornesError` for a match without end.
    """
    if match.match_target is None:
        raise MilleBornesError(
            "a match without a target never ends; play its hands with Table.play_hand and Table.next_hand"
        )
    table = Table(match, players, seed)
    while not table.play_hand().is_over:
        table.next_hand()
    return table.match
