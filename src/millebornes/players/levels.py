"""Levels from beginner to expert: `maxims` with human weaknesses, each of a strength known from the arena.

A level knows only some of the maxims, forgets cards, misjudges moves, overlooks others, and now and then plays on
impulse (`millebornes.players.habits`). None of them sees more than its seat does.
"""

import functools
import random
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, NamedTuple

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game.legal import LegalMoves
from millebornes.game.move import Move
from millebornes.game.view import View, word_of_cards
from millebornes.i18n import N_
from millebornes.players.advice import Advice, tuned
from millebornes.players.base import Player
from millebornes.players.habits import MASK, Habits, decide, forget, is_impulsive, is_missed, is_overlooked
from millebornes.players.maxims import features_of
from millebornes.players.sayings import without

__all__ = ["ELO", "LEVELS", "LEVEL_PLAYERS", "Level", "LevelPlayer", "advice_at", "habits_at", "salt_of_cards"]

CROWD_NOISE: Final = 40
"""Where moves of more than two sides are weighed, they differ by less: so does their misjudgement, in hundredths."""


class Level(NamedTuple):
    """What makes a level.

    ``summary`` is one line (a key for translators), ``elo`` its strength in the classic game for two, counted from
    `basic` (docs/ladder.md), ``habits`` its weaknesses, ``ignores`` the maxims that it does not know.
    """

    name: str
    summary: str
    elo: int
    habits: Habits
    ignores: tuple[str, ...] = ()


_COUNTING: Final = ("remedies_will_come", "remedies_beside_a_safety", "scarce_remedies")
_WAITING: Final = (*_COUNTING, "distance_will_come", "drive_from_behind", "idle_hazards", "mind_their_coup")
_PLANNING: Final = (*_WAITING, "hazards_wait", "hold_for_the_coup", "extend_for_a_coup", "keep_for_the_extension")
_EXACTNESS: Final = (
    *_PLANNING,
    "even_finish",
    "no_lone_odd_card",
    "safeties_before_the_end",
    "hope_for_the_shut_out",
)
_OTHERS: Final = (
    *_EXACTNESS,
    "one_of_each_remedy",
    "keep_rolls",
    "end_a_limit_for_large_cards",
    "no_limit_on_the_stopped",
    "hit_who_leads",
    "extend_with_distance",
    "extend_when_protected",
    "extend_against_the_stuck",
)

LEVELS: Final[Mapping[str, Level]] = {
    level.name: level
    for level in (
        Level(
            "beginner",
            N_("knows the rules, plays what looks good at once, and hardly remembers a card"),
            -445,
            Habits(memory=30, fading=25, noise=65, impulse=50, blindness=16),
            _OTHERS,
        ),
        Level(
            "novice",
            N_("drives and hits as it comes, and runs into dead ends before the goal"),
            -383,
            Habits(memory=45, fading=20, noise=56, impulse=35, blindness=11),
            _EXACTNESS,
        ),
        Level(
            "casual",
            N_("plays for fun: often on impulse, and no safety waits for its coup fourré"),
            -302,
            Habits(memory=60, fading=15, noise=46, impulse=22, blindness=7),
            _PLANNING,
        ),
        Level(
            "regular",
            N_("a sound player at home; counts few cards and fears no coup fourré"),
            -213,
            Habits(memory=75, fading=12, noise=45, impulse=12, blindness=4),
            _WAITING,
        ),
        Level(
            "skilled",
            N_("plans and waits, and remembers most cards, but counts none of them out"),
            -135,
            Habits(memory=85, fading=8, noise=37, impulse=5, blindness=2),
            _COUNTING,
        ),
        Level(
            "advanced",
            N_("knows all the old advice, and errs by little and not often"),
            -47,
            Habits(memory=95, fading=5, noise=25, impulse=2, blindness=1),
        ),
    )
}
"""The levels by name, the weakest first."""

ELO: Final[Mapping[str, int]] = {
    **{name: level.elo for name, level in LEVELS.items()},
    "basic": 0,
    "maxims": 40,
    "instant": 78,
    "champion": 120,
}
"""Players whose strength is known, the weakest first: Elo in the classic game for two, counted from `basic`.

That of the champion is at its usual time for a move, on a core of its own.
"""


@functools.lru_cache(maxsize=256)
def advice_at(level: Level, rules: Rules) -> Advice:
    """What a level knows of the advice tuned for a table."""
    return without(tuned(rules), *level.ignores)


def habits_at(level: Level, rules: Rules) -> Habits:
    """A level's weaknesses at a table."""
    habits = level.habits
    return habits if rules.sides == 2 else habits._replace(noise=habits.noise * CROWD_NOISE // 100)


def salt_of_cards(cards: Sequence[Card]) -> int:
    """What a seat's memory depends on throughout a hand: the cards that it was dealt (31 bits)."""
    word = word_of_cards(tuple(cards))
    return (word ^ word >> 31) & MASK


class LevelPlayer(Player):
    """Plays at a level. Of two such players with the same seed, both make the same moves."""

    level: ClassVar[Level]

    def __init__(self) -> None:
        self._salt = 0
        self._latest: tuple[View, LegalMoves, int] | None = None

    def hand_started(self, number: int, first: int, totals: Sequence[int], hand: Sequence[Card]) -> None:
        """Which cards it will remember in this hand depends on those that it was dealt."""
        self._salt = salt_of_cards(hand)

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """The move that seems worth most to it; ``rng`` says where it errs."""
        by_code = {legal.code(move) or 0: move for move in legal}
        if len(by_code) == 1:
            self._latest = None
            return legal[0]
        luck = rng.getrandbits(62)
        self._latest = view, legal, luck
        rules, features = view.rules, features_of(view)
        advice, habits = advice_at(self.level, rules), habits_at(self.level, rules)
        return by_code[decide(sorted(by_code), rules.deck, self._salt, luck, features, advice, habits)]

    def explain(self) -> Mapping[str, object]:
        """How it came by its latest choice: ``thought`` (``judgement``, ``impulse`` or ``none``), what it overlooked.

        And the cards that have gone without its remembering them, by kind.
        """
        if self._latest is None:
            return {}
        view, legal, luck = self._latest
        habits = self.level.habits
        codes = {legal.code(move) or 0: move.text for move in legal}
        if is_missed(sorted(codes), luck, habits):
            return {"thought": "none", "overlooked": [codes[min(codes)]]}
        features = features_of(view)
        before = list(features.unseen)
        forget(view.rules.deck, self._salt, features, habits)
        return {
            "thought": "impulse" if is_impulsive(luck, habits) else "judgement",
            "overlooked": [text for code, text in sorted(codes.items()) if is_overlooked(code, luck, habits)],
            "forgotten": {
                card.value: now - then
                for card, now, then in zip(Card, features.unseen, before, strict=True)
                if now != then
            },
        }


def _class_of(level: Level) -> type[LevelPlayer]:
    """The player of a level."""
    about = f"The level {level.name!r}: {level.summary}."
    names = {"__module__": __name__, "__doc__": about, "level": level, "name": level.name, "summary": level.summary}
    return type(level.name.capitalize(), (LevelPlayer,), names)


LEVEL_PLAYERS: Final[Mapping[str, type[LevelPlayer]]] = {name: _class_of(level) for name, level in LEVELS.items()}
"""The players by level, the weakest first."""
