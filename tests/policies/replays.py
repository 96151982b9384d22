"""Hands that kernels play, played again by the faces of the players in Python, move for move."""

import random
from collections.abc import Sequence
from typing import Any

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game import Hand
from millebornes.game.move import move_codes
from millebornes.players import Player
from millebornes.policies.batch import KernelPlayer, decision_chance, play_one

__all__ = ["deal_hidden_anew", "replayed"]


def replayed(
    rules: Rules, kernels: Sequence[KernelPlayer], faces: Sequence[Player], seed: int, *, streams: bool = False
) -> int:
    """Play a hand in kernels and again with the faces, which must make the same moves; return how many there were."""
    first = seed % rules.seats
    played = play_one(rules, list(kernels), seed=seed, first=first, streams=streams)
    deck = tuple(tuple(Card)[kind] for kind in played.deck)
    hand = Hand.from_deck(rules, deck, first)
    for seat, face in enumerate(faces):
        dealt = deck[(seat - first) % rules.seats : rules.seats * rules.hand_size : rules.seats]
        face.hand_started(1, first, (0,) * rules.sides, tuple(sorted(dealt)))
    for ply, code in enumerate(played.codes):
        assert hand.seat is not None
        view = hand.view(hand.seat)
        move = faces[hand.seat].choose(view, view.legal_moves, decision_chance(seed, 1, ply))
        assert move_codes(rules, rules.side_of(hand.seat)).codes[move] == code, (ply, view, move)
        hand = hand.play(move)
    assert hand.is_over
    assert [sheet.total for sheet in hand.scores] == played.scores
    return len(played.codes)


def deal_hidden_anew(state: Any, rules: Rules, seat: int, chance: random.Random) -> None:
    """Shuffle all that the seat cannot see: other hands (as many cards as before) and the draw pile."""
    drawn = int(state["drawn"])
    others = [other for other in range(rules.seats) if other != seat]
    held = {s: [k for k in range(19) for _ in range(int(state["hand"][s]) >> 3 * k & 7)] for s in others}
    hidden = [*(kind for cards in held.values() for kind in cards), *state["deck"][drawn : rules.cards].tolist()]
    chance.shuffle(hidden)
    for other in others:
        cards, hidden = hidden[: len(held[other])], hidden[len(held[other]) :]
        state["hand"][other] = sum(1 << 3 * kind for kind in cards)
    state["deck"][drawn : rules.cards] = hidden
