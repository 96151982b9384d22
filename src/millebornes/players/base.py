# ruff: noqa: B027 (methods that report events do nothing unless a player overrides them)
"""The base class of players: a player sees views, chooses moves and can follow what its seat sees."""

import abc
import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game import Drew, InformationState
from millebornes.game.legal import LegalMoves
from millebornes.game.move import Move
from millebornes.game.scoresheet import Scoresheet
from millebornes.game.view import View

if TYPE_CHECKING:
    from millebornes.game.hand import Hand

__all__ = ["FullInformationPlayer", "Player", "replay_state"]


class Player(abc.ABC):
    """A player for one seat.

    Only `choose` must be written, because a view shows everything that a decision needs. The other methods are called
    during a match and do nothing by default. They report the events that the seat could see at a table, in order, and
    no more (R5.5): the draws of other seats as counts, and no `pass` except its own. One player object plays one seat
    of one match at a time.
    """

    name: str = ""
    """The name that people and programs use for this player. Classes have one, and so do players made from a file."""
    summary: ClassVar[str] = ""
    """One line on how the player thinks."""

    @abc.abstractmethod
    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """Return the move to make, one of ``legal`` (never empty). ``view.mover`` is this seat.

        Take all random numbers from ``rng``. It is created for each decision, so a resumed match continues exactly as
        it would have without the break (unless players watch the clock).
        """

    def check_table(self, rules: Rules) -> None:
        """Raise `PlayerError` if the player can't play by these rules. May be called before a game."""

    def prepare(self) -> None:
        """Do the slow work that the first move needs. May be called before a game, perhaps in another thread."""

    def prepare_behind(self, rules: Rules, match_target: int | None) -> bool:
        """Start to `prepare` in the background while a person or a host plays, and return at once.

        Until that is done, the player may use a simpler method. Return False if it can't prepare in the background;
        `prepare` is then called before the game.
        """
        return False

    def is_prepared_behind(self, rules: Rules, match_target: int | None, seconds: float) -> bool:
        """Wait at most ``seconds``, and return whether the work that `prepare_behind` started is done."""
        return True

    def match_started(self, seat: int, rules: Rules, players: Sequence[str], match_target: int | None) -> None:
        """Called when a match begins or is resumed.

        ``seat`` is this player's seat, ``players`` holds all names by seat (and may be empty), and ``match_target`` is
        in points.
        """

    def hand_started(self, number: int, first: int, totals: Sequence[int], hand: Sequence[Card]) -> None:
        """Called when hand ``number`` (from 1) has been dealt.

        ``first`` is the nominal first seat (R2.7), ``totals`` are points by side, and ``hand`` holds this player's
        cards.
        """

    def drew(self, seat: int, count: int, cards: Sequence[Card] | None) -> None:
        """Called when a seat has drawn ``count`` cards. ``cards`` is None unless it is this player's own seat."""

    def moved(self, seat: int, move: Move) -> None:
        """Called when any seat, including this one, has moved, and before any question that the move raises."""

    def hand_over(
        self, completed_by: int | None, extended: bool, scores: Sequence[Scoresheet], totals: Sequence[int]
    ) -> None:
        """Called when the hand has ended: the side that completed the trip, and score sheets and new totals by side."""

    def match_over(self, totals: Sequence[int], winner: int | None, reason: str) -> None:
        """Called when the match has ended.

        ``winner`` is the winning side, or None for a draw. ``reason`` is ``finished``, ``forfeit`` or ``stopped``.
        """

    def explain(self) -> Mapping[str, object]:
        """Return the reasons for the latest choice as plain data, or an empty mapping if the player gives none."""
        return {}

    def close(self) -> None:
        """Release files, processes and other resources. Called once, by the code that created the player."""


class FullInformationPlayer(Player):
    """A player that sees everything: all hands, and the draw pile in order.

    No other player sees this. A `millebornes.players.table.Table` calls `reveal` for players of this class only, and
    `millebornes.players.player` creates them only when called with ``sees_everything=True``, as the arena does. Games,
    hints and the bot protocol do not.
    """

    @abc.abstractmethod
    def reveal(self, hand: "Hand", draws: Sequence[Sequence[Card]] | None) -> None:
        """Called right before each `choose`, with the real state of the hand.

        ``draws`` holds the next cards of each seat if every seat has its own part of the draw pile
        (`millebornes.game.streams`). The order of the hand's draw pile then means nothing. ``draws`` is None if all
        seats draw from that pile.
        """


def replay_state(player: Player, state: InformationState) -> None:
    """Report to a player everything its seat has seen of a hand, as if it had played since the deal.

    The player doesn't learn the names of the other players or anything about earlier hands. It can then choose a move
    for ``state.view``.
    """
    player.match_started(state.seat, state.rules, (), state.match_target)
    player.hand_started(state.hand_number, state.first, state.totals, state.dealt)
    for event in state.events:
        if isinstance(event, Drew):
            player.drew(event.seat, event.count, event.cards)
        else:
            player.moved(event.seat, event.move)
