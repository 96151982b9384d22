"""Hands that kernels play, played again by the faces of the players in Python, move for move."""

from collections.abc import Sequence

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game import Hand
from millebornes.game.move import move_codes
from millebornes.players import Player
from millebornes.policies.batch import KernelPlayer, decision_chance, play_one

__all__ = ["replayed"]


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
