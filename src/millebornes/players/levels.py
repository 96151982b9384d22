"""The levels from beginner to expert: `maxims` with human weaknesses. Their strength is measured in the arena.

A level knows only some of the maxims, forgets cards, misjudges some moves, overlooks others, and sometimes plays on
impulse (`millebornes.policies.handicaps`). No level sees more than its seat could see.
"""

import random
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from millebornes.cards import Card
from millebornes.game.decks import word_of_cards
from millebornes.game.legal import LegalMoves
from millebornes.game.move import Move
from millebornes.game.view import View
from millebornes.players.base import Player
from millebornes.players.features import features_of
from millebornes.policies.handicaps import MASK, decide
from millebornes.policies.levels import LEVELS, Level, advice_at, handicap_at
from millebornes.roster import ROSTER


def salt_of_cards(cards: Sequence[Card]) -> int:
    """Return a number of 31 bits, derived from the cards dealt to a seat, on which its memory in this hand depends."""
    word = word_of_cards(tuple(cards))
    return (word ^ word >> 31) & MASK


class LevelPlayer(Player):
    """Plays at one of the levels. Two such players make the same moves if they have the same seed."""

    level: ClassVar[Level]

    def __init__(self) -> None:
        self._salt = 0

    def __reduce__(self) -> tuple[object, tuple[str], dict[str, object]]:
        return _made, (self.level.name,), self.__dict__

    def hand_started(self, number: int, first: int, totals: Sequence[int], hand: Sequence[Card]) -> None:
        """Remember the cards that were dealt, which determine the cards that the player will forget in this hand."""
        self._salt = salt_of_cards(hand)

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """Return the move that seems best to the player. ``rng`` determines its mistakes."""
        by_code = {legal.code(move) or 0: move for move in legal}
        if len(by_code) == 1:
            return legal[0]
        luck = rng.getrandbits(62)
        rules, features = view.rules, features_of(view)
        advice, handicap = advice_at(self.level, rules), handicap_at(self.level, rules)
        return by_code[decide(sorted(by_code), rules.deck, self._salt, luck, features, advice, handicap)]


def _class_of(level: Level) -> type[LevelPlayer]:
    summary = ROSTER[level.name].summary
    about = f"The level {level.name!r}: {summary}."
    names = {"__module__": __name__, "__doc__": about, "level": level, "name": level.name, "summary": summary}
    return type(level.name.capitalize(), (LevelPlayer,), names)


def _made(name: str) -> LevelPlayer:
    """Return a new player at a level.

    Copies are made with this function, because the class can't be found by its name.
    """
    return LEVEL_PLAYERS[name]()


LEVEL_PLAYERS: Final[Mapping[str, type[LevelPlayer]]] = {name: _class_of(level) for name, level in LEVELS.items()}
"""The players by level, from the weakest to the strongest."""
