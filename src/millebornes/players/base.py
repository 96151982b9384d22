# ruff: noqa: B027 (what a player may listen to does nothing unless it wants to)
"""What a player is: it sees views, chooses moves, and may listen to what its seat gets to know."""

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
    """Something that plays one seat.

    Only `choose` must be written; a view shows all that a decision needs. The other methods are called as a match goes
    on and do nothing here; they report what a seat could see at a table, in the order in which it happens, and no
    more (R5.5): other seats' draws as counts, and no `pass` but its own. One player object plays one seat of one match
    at a time.
    """

    name: str = ""
    """The name that people and programs ask for it by; a class has one, and a player made from a file has its own."""
    summary: ClassVar[str] = ""
    """One line on how it thinks."""

    @abc.abstractmethod
    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """The move to make, one of ``legal`` (never empty); ``view.mover`` is this seat.

        All chance must come from ``rng``, which is made anew for each decision, so that a match that is taken up again
        goes on as it would have (but where players go by the clock).
        """

    def check_table(self, rules: Rules) -> None:
        """Raise `PlayerError` where it cannot play by these rules; asked before a game, if at all."""

    def prepare(self) -> None:
        """Do what would make a first move take long; called before a game, if at all, and perhaps in another thread."""

    def prepare_behind(self, rules: Rules, match_target: int | None) -> bool:
        """Begin to `prepare` for a table behind a game that a person or a host plays, and return at once.

        Until that is done it may play more simply. False where it cannot; then `prepare` is called before the game.
        """
        return False

    def is_prepared_behind(self, rules: Rules, match_target: int | None, seconds: float) -> bool:
        """Whether what `prepare_behind` began is done, after waiting for so many seconds at most."""
        return True

    def match_started(self, seat: int, rules: Rules, players: Sequence[str], match_target: int | None) -> None:
        """A match begins, or is taken up again.

        ``seat`` is one's own, ``players`` are all names by seat (may be empty), ``match_target`` is in points.
        """

    def hand_started(self, number: int, first: int, totals: Sequence[int], hand: Sequence[Card]) -> None:
        """Hand ``number`` (from 1) has been dealt.

        ``first`` is the nominal first seat (R2.7), ``totals`` are points by side, ``hand`` holds one's own cards.
        """

    def drew(self, seat: int, count: int, cards: Sequence[Card] | None) -> None:
        """A seat drew ``count`` cards; only for its own seat are they named, else ``cards`` is None."""

    def moved(self, seat: int, move: Move) -> None:
        """A seat, perhaps one's own, made a move; reported before any question that it raises."""

    def hand_over(
        self, completed_by: int | None, extended: bool, scores: Sequence[Scoresheet], totals: Sequence[int]
    ) -> None:
        """The hand has ended: who completed the trip, and score sheets and new totals by side."""

    def match_over(self, totals: Sequence[int], winner: int | None, reason: str) -> None:
        """The match has ended.

        ``winner`` is the winning side, None for a draw; ``reason`` is ``finished``, ``forfeit`` or ``stopped``.
        """

    def explain(self) -> Mapping[str, object]:
        """The reasons for its latest choice, as plain data; empty if it gives none."""
        return {}

    def close(self) -> None:
        """Let go of what it holds (files, processes); called once, by whoever made it."""


class FullInformationPlayer(Player):
    """A player that sees everything: all hands, and the draw pile in its order.

    Nobody else ever gets to see that: a `millebornes.players.table.Table` calls `reveal` for players of this class
    alone, and `millebornes.players.player` makes them only where they are asked for by ``sees_everything=True``, as
    the arena does. Games, hints and the bot protocol do not.
    """

    @abc.abstractmethod
    def reveal(self, hand: "Hand", draws: Sequence[Sequence[Card]] | None) -> None:
        """The hand as it really stands, shown right before each `choose`.

        ``draws`` shows by seat which cards it draws next, where every seat has a part of the draw pile to itself
        (`millebornes.game.streams`); the order of the hand's own draw pile then means nothing. None where all draw
        from that pile.
        """


def replay_state(player: Player, state: InformationState) -> None:
    """Tell a player all that its seat has seen of a hand, as if it had sat there from the deal on.

    The player does not learn the others' names, nor the hands before. It may then choose by ``state.view``.
    """
    player.match_started(state.seat, state.rules, (), state.match_target)
    player.hand_started(state.hand_number, state.first, state.totals, state.dealt)
    for event in state.events:
        if isinstance(event, Drew):
            player.drew(event.seat, event.count, event.cards)
        else:
            player.moved(event.seat, event.move)
