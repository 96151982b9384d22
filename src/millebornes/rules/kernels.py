"""The kernels of the rules that other packages compile into their own.

`millebornes.rules.masks` tells what is legal, `turns` how a hand goes on, `hand_end` when it is over, `shuffling` lays
decks. The rules themselves stand in `millebornes.rules.clauses`. All kernels take state and tables as records. ``is_``
functions answer and change nothing, ``write_`` functions fill a buffer that they are given, ``apply_`` functions change
the state that they are given.
"""

from millebornes.rules.hand_end import is_any_score_left, is_hand_over
from millebornes.rules.masks import further_hits, held_kinds, legal_word, own_plays, turn_word
from millebornes.rules.shuffling import random_word, write_shuffled
from millebornes.rules.turns import apply_move, start_hand
from millebornes.rules.words import count_cards

__all__ = [
    "apply_move",
    "count_cards",
    "further_hits",
    "held_kinds",
    "is_any_score_left",
    "is_hand_over",
    "legal_word",
    "own_plays",
    "random_word",
    "start_hand",
    "turn_word",
    "write_shuffled",
]
