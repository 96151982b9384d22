"""Puzzles: a person continues a hand from one moment, of which only one seat's knowledge is given."""

import dataclasses
from collections.abc import Sequence
from typing import Final

from millebornes.analysis.exercises.exercise import Exercise
from millebornes.game import InformationState, Match, Standing
from millebornes.player_names import HUMAN
from millebornes.session.game_session import GameSession
from millebornes.session.slots import Slots
from millebornes.storage import Preferences, SavedGame
from millebornes.table.views import ASKED
from millebornes.words.participants import levels_of, with_computer_names
from millebornes.words.words import Words

ANOTHER: Final = "another"
"""The name of the player in all other seats. These seats are never asked to move."""


@dataclasses.dataclass(frozen=True)
class PuzzleMatch(Match):
    """A match in which only the current hand is known: its ``number`` from 1, and each side's points ``so_far``."""

    number: int = 1
    so_far: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "before", Standing(self.so_far, self.match_target, self.rules.tie))

    @property
    def hand_number(self) -> int:
        """The number of the current hand, from 1."""
        return self.number


def puzzle_session(
    state: InformationState, names: Sequence[str], preferences: Preferences, words: Words
) -> GameSession:
    """Return a session that starts at the moment described by ``state``. A person plays the seat of that state.

    ``names`` has one entry per seat. Without it, the players are called by their numbers. The hidden cards are in
    arbitrary order, but views of this seat never show them. The cards for the decision have already been drawn.
    """
    hand, rules, seat = state.consistent_hand(), state.rules, state.seat
    own = list(hand.cards(seat))
    if hand.seat == seat:
        for card in hand.drawn_cards:
            own.remove(card)
    slots = Slots(rules.hand_size)
    slots.rebuild(own, sort=True)
    match = PuzzleMatch(
        rules,
        hand,
        "",
        players=tuple(names) if len(names) == rules.seats else tuple(f"{other + 1}" for other in range(rules.seats)),
        match_target=state.match_target,
        number=state.hand_number,
        so_far=state.totals,
    )
    session = GameSession(
        SavedGame(
            match=match,
            seats=tuple(HUMAN if other == seat else ANOTHER for other in range(rules.seats)),
            seed="",
            games=(0,) * rules.sides,
            slots=tuple(slots.texts() if other == seat else () for other in range(rules.seats)),
            preferences=dataclasses.replace(preferences, manual_pick=False),
            is_asked=hand.phase not in ASKED,
        ),
        None,
        words.theme,
        words.translate,
        [None] * rules.seats,
    )
    session.state.stand_at(match)
    session.settle()
    return session


def session_of(exercise: Exercise, preferences: Preferences, words: Words) -> GameSession:
    """Return a game at the moment of an exercise, with the names from the original match.

    Computer players get people's names.
    """
    players = () if exercise.origin is None else exercise.origin.players
    return puzzle_session(exercise.state, with_computer_names(players, levels_of(players)), preferences, words)
