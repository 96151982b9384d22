"""Determinizations: possible arrangements of the hidden cards that fit everything one seat has seen."""

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from millebornes.cards import Card
from millebornes.errors import ArgumentError, NotationError
from millebornes.game.decks import cards_of_word
from millebornes.game.information_state import InformationState
from millebornes.game.view import View

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["World", "sample_worlds"]


class World(NamedTuple):
    """A possible arrangement of the hidden cards."""

    hands: tuple[tuple[Card, ...], ...]
    """The sorted cards of each seat. The cards of the seat whose knowledge was used are its real cards."""
    draw_pile: tuple[Card, ...]
    """The cards left to draw, in drawing order."""


def sample_worlds(
    seen: View | InformationState, count: int, *, seed: int | str, beliefs: bool | None = None
) -> tuple[World, ...]:
    """Return ``count`` arrangements of the hidden cards that fit everything a seat has seen.

    They don't depend on where the hidden cards really are. If ``beliefs`` is False, all arrangements of the unseen
    cards are equally likely. If it is True, hands are weighted by how likely they make the moves of the other players,
    according to the champion's model (`millebornes.search.beliefs`). These samples are taken from a Markov chain and
    then thinned and shuffled, so they aren't completely independent. Beliefs need an `InformationState`, and are used
    by default if ``seen`` is one. Without beliefs, a hand may contain a safety that its player would already have
    called. The same ``seed`` always leads to the same arrangements. Raises `ArgumentError` if ``seen`` has another
    type, and `NotationError` if ``count`` is negative, or if beliefs are requested for a view, which doesn't show the
    past.
    """
    view = seen.view if isinstance(seen, InformationState) else seen
    if not isinstance(view, View):
        raise ArgumentError(f"{seen!r} is neither a View nor an InformationState")
    if type(count) is not int or count < 0:
        raise NotationError(f"count: {count!r} is not allowed; it must be a whole number of at least 0")
    rng = random.Random(f"millebornes worlds {seed}")
    if beliefs or (beliefs is None and isinstance(seen, InformationState)):
        if not isinstance(seen, InformationState):
            raise NotationError("beliefs depend on what the others have done; give an InformationState, not a View")
        return tuple(_by_beliefs(seen, view, count, rng))
    return tuple(_uniform(view, rng) for _ in range(count))


def _uniform(view: View, rng: random.Random) -> World:
    cards = [card for card, left in view.unseen.items() for _ in range(left)]
    rng.shuffle(cards)
    hands: list[tuple[Card, ...]] = []
    for seat, size in enumerate(view.hand_sizes):
        if seat == view.seat:
            hands.append(view.hand)
        else:
            hands.append(tuple(sorted(cards[:size])))
            del cards[:size]
    return World(tuple(hands), tuple(cards[: view.draw_pile]))  # there may be cards elsewhere that no one has seen


def _by_beliefs(seen: InformationState, view: View, count: int, rng: random.Random) -> Iterator[World]:
    others = [seat for seat in range(view.rules.seats) if seat != view.seat]
    left = count
    while left > 0:
        sampled = _sampled(seen, view, rng)
        for row in sampled[:left].tolist():
            held = dict(zip(others, map(cards_of_word, row), strict=True))
            rest = view.unseen
            for hand in held.values():
                for card in hand:
                    rest[card] -= 1
            pile = [card for card, number in rest.items() for _ in range(number)]
            rng.shuffle(pile)
            hands = (view.hand if seat == view.seat else held[seat] for seat in range(view.rules.seats))
            yield World(tuple(hands), tuple(pile))
        left -= len(sampled)


def _sampled(seen: InformationState, view: View, rng: random.Random) -> "npt.NDArray[np.uint64]":
    """Return hand words of the other seats, of shape (samples, seats), which are taken from one walk of the chain."""
    # Compiled code is imported here, so that callers without beliefs don't have to wait for it.
    from millebornes.players.history_player import remember_state
    from millebornes.players.information_set import information_set_of
    from millebornes.search.searcher import Searcher
    from millebornes.search.settings import SearchSettings

    searcher = Searcher(view.rules, SearchSettings(milliseconds=None, rollouts=1024))
    return searcher.hands(information_set_of(view), remember_state(seen), rng)
