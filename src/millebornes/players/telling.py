"""Tells players what their seats have seen: event by event as a match goes on, or all of a hand at once."""

from millebornes.game import Drew, Event, InformationState
from millebornes.players.base import Player

__all__ = ["tell_event", "tell_state"]


def tell_event(player: Player, event: Event) -> None:
    """Tell a player something that its seat gets to know (`Drew.seen_by`, `Moved.seen_by`)."""
    if isinstance(event, Drew):
        player.drew(event.seat, event.count, event.cards)
    else:
        player.moved(event.seat, event.move)


def tell_state(player: Player, state: InformationState) -> None:
    """Tell a player all that its seat has seen of a hand, as if it had sat there from the deal on.

    The names of the others are not told, nor the hands before. It may then be asked to choose by ``state.view``.
    """
    player.match_started(state.seat, state.rules, (), state.match_target)
    player.hand_started(state.hand_number, state.first, state.totals, state.dealt)
    for event in state.events:
        tell_event(player, event)
