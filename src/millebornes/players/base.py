# ruff: noqa: B027 (methods that report events do nothing unless a player overrides them)
"""The base class of players, which see views, choose moves, and can follow the events of a match."""

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


class Player(abc.ABC):
    """A player for one seat.

    Only `choose` must be implemented, because a view shows everything that a decision needs. All other methods are
    called during a match, and do nothing by default. They report the events that the seat could see at a real table, in
    order, and nothing else (R5.5): the other seats' draws without the cards, and no `pass` except its own. A player
    object plays one seat in one match at a time.
    """

    name: str = ""
    """The name by which people and programs choose this player.

    It belongs to the class, or to the object if the player was created from a file.
    """
    summary: ClassVar[str] = ""
    """A summary of how the player thinks, in one line."""

    @abc.abstractmethod
    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """Return one of the moves in ``legal``, which is never empty.

        The seat to decide, ``view.mover``, is always this player's seat. Use ``rng`` for all random numbers. A new
        ``rng`` is created for each decision, so a resumed match continues exactly as it would have without the
        interruption (unless a player uses a clock).
        """

    def check_table(self, rules: Rules) -> None:
        """Raise `PlayerError` if the player can't play under these rules. This method may be called before a game."""

    def prepare(self) -> None:
        """Do any slow work that the first move would need.

        This method may be called before a game, and in another thread.
        """

    def prepare_behind(self, rules: Rules, match_target: int | None) -> bool:
        """Start to `prepare` in the background while a person or a host is playing, and return immediately.

        Until it is prepared, the player may use a simpler method. Return False if the player can't prepare in the
        background. In this case, `prepare` is called before the game.
        """
        return False

    def is_prepared_behind(self, rules: Rules, match_target: int | None, seconds: float) -> bool:
        """Wait at most ``seconds``, and return whether the work started by `prepare_behind` is done."""
        return True

    def match_started(self, seat: int, rules: Rules, players: Sequence[str], match_target: int | None) -> None:
        """Called when a match begins or is resumed.

        ``seat`` is the seat of this player, ``players`` contains all names by seat (or is empty), and ``match_target``
        is in points.
        """

    def hand_started(self, number: int, first: int, totals: Sequence[int], hand: Sequence[Card]) -> None:
        """Called when hand ``number`` (from 1) has been dealt.

        ``first`` is the nominal first seat (R2.7), ``totals`` contains the points of each side, and ``hand`` contains
        the cards of this player.
        """

    def drew(self, seat: int, count: int, cards: Sequence[Card] | None) -> None:
        """Called when a seat has drawn ``count`` cards. ``cards`` is None if it is another player's seat."""

    def moved(self, seat: int, move: Move) -> None:
        """Called when any seat, including this one, has made a move, and before any question that follows from it."""

    def hand_over(
        self, completed_by: int | None, extended: bool, scores: Sequence[Scoresheet], totals: Sequence[int]
    ) -> None:
        """Called when the hand has ended. ``scores`` and the new ``totals`` are by side."""

    def match_over(self, totals: Sequence[int], winner: int | None, reason: str) -> None:
        """Called when the match has ended.

        ``winner`` is the winning side, or None if the match was drawn. ``reason`` is ``finished``, ``forfeit`` or
        ``stopped``.
        """

    def explain(self) -> Mapping[str, object]:
        """Return the reasons for the latest choice as plain data, or an empty dictionary if the player gives none."""
        return {}

    def close(self) -> None:
        """Release files, processes and other resources.

        This method is called once, by the code that created the player.
        """


class FullInformationPlayer(Player):
    """A player that sees everything: all hands, and the draw pile in its order.

    No other players can see this. `millebornes.players.table.Table` calls `reveal` only for players of this class. They
    are created by `millebornes.players.player` only if ``sees_everything`` is true, as it is in the arena. Games, hints
    and the bot protocol never create them.
    """

    @abc.abstractmethod
    def reveal(self, hand: "Hand", draws: Sequence[Sequence[Card]] | None) -> None:
        """Called immediately before each `choose` with the real state of the hand.

        If each seat has its own part of the draw pile (`millebornes.game.streams`), ``draws`` contains the next cards
        of each seat. In this case, the order of the hand's draw pile has no meaning. If all seats draw from the same
        pile, ``draws`` is None.
        """


def replay_state(player: Player, state: InformationState) -> None:
    """Report everything that a seat has seen of a hand to a player, as if the player had been there since the deal.

    The player isn't told the names of the other players or anything about earlier hands. Afterwards, it can choose a
    move for ``state.view``.
    """
    player.match_started(state.seat, state.rules, (), state.match_target)
    player.hand_started(state.hand_number, state.first, state.totals, state.dealt)
    for event in state.events:
        if isinstance(event, Drew):
            player.drew(event.seat, event.count, event.cards)
        else:
            player.moved(event.seat, event.move)
