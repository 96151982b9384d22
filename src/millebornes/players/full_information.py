"""A player that is shown all cards: no opponent, but a yardstick for what better play could bring."""

import abc
from collections.abc import Sequence
from typing import TYPE_CHECKING

from millebornes.cards import Card
from millebornes.players.base import Player

if TYPE_CHECKING:
    from millebornes.game.hand import Hand

__all__ = ["FullInformationPlayer"]


class FullInformationPlayer(Player):
    """A player that sees everything: all hands, and the draw pile in its order.

    Nobody else ever gets to see that: a `millebornes.players.table.Table` calls `reveal` for players of this class
    alone, and `millebornes.players.player` makes them only where they are asked for by ``sees_everything=True``, as
    the arena does. Games, hints and the bot protocol do not.
    """

    @abc.abstractmethod
    def reveal(self, hand: "Hand", draws: Sequence[Sequence[Card]] | None) -> None:
        """The hand as it really stands, told right before each `choose`.

        ``draws`` tells by seat which cards it draws next, where every seat has a part of the draw pile to itself
        (`millebornes.game.streams`); the order of the hand's own draw pile then means nothing. None where all draw
        from that pile.
        """
