"""What the tests try of every setting (R9)."""

from typing import Any

from millebornes.cards import FULL_DECK
from millebornes.editions import edition

VALUES: dict[str, list[Any]] = {
    "deck": [tuple(FULL_DECK.values()), edition("bsd").rules().deck, (9, *list(FULL_DECK.values())[1:])],
    "hand_size": [3, 6],
    "goal": [500, 700],
    "extension_goal": [None, 1000, 2000],
    "hazard_on": ["rolling", "stack", "stack_different"],
    "targets": ["all", "left"],
    "coup_by": ["victim", "anyone"],
    "roll_200": [False, True],
    "opening_right_of_way": [False, True],
    "right_of_way_clears": [False, True],
    "safety_gives_roll": [False, True],
    "discard_safeties": [False, True],
    "all_safeties_bonus": [0, 300, 700],
    "hand_end": ["cards", "plays", "points"],
    "tie": ["draw", "play_on"],
}
"""Values of each setting that mean something different."""

WRONG: dict[str, list[Any]] = {
    "deck": ["half", "", None, 5, True, [], [10] * 19, {"26": 1}, {"roll": -1}, {"roll": 1.0}, {"roll": True},
             {"roll": "3"}, {"extra_tank": 2}, {"25": 193}, {"25": 100, "roll": 93}, {}],
    "hand_size": [2, 7, 0, -6, 6.0, "6", None, True, 1 << 70],
    "goal": [710, 75, 2025, 0, -700, 700.0, "700", None, True, 1 << 70],
    "extension_goal": [710, 75, 2025, 1000.0, "1000", "never", False, True, -1000],
    "hazard_on": ["moving", "", "Rolling", None, True, 1, ["rolling"], {"rolling": 1}],
    "targets": ["right", "", None, False, 1, ["all"]],
    "coup_by": ["attacker", "", None, True, 0],
    "roll_200": ["yes", 1, 0, None, "true", 1.0],
    "opening_right_of_way": ["no", 1, 0, None],
    "right_of_way_clears": ["no", 1, 0, None],
    "safety_gives_roll": ["no", 1, 0, None],
    "discard_safeties": ["no", 1, 0, None],
    "all_safeties_bonus": [-1, 10_001, 300.0, "300", None, True],
    "hand_end": ["never", "", None, True],
    "tie": ["win", "", None, False],
}  # fmt: skip
"""Values that it may not have."""
