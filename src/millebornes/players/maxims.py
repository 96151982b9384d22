"""The player that follows the old advice: the maxims of the strategy chapters, weighed against each other."""

import difflib
import random
from typing import ClassVar

from millebornes.cards import Card
from millebornes.errors import PlayerError
from millebornes.game.legal import LegalMoves
from millebornes.game.move import Move
from millebornes.game.view import View
from millebornes.players.advice import MATCH, Advice, tuned
from millebornes.players.base import Player
from millebornes.players.basic import facts_of, sides_of
from millebornes.players.counsel import best_move
from millebornes.players.features import Features
from millebornes.players.sayings import MAXIMS, without
from millebornes.players.thumb import threat

__all__ = ["Maxims", "features_of", "parse_advice"]


class Maxims(Player):
    """Weighs every legal move by the maxims of `millebornes.players.counsel`, and makes the best.

    It uses no chance and remembers nothing between decisions. ``options`` are those of `parse_advice`; they change the
    advice tuned for the table, or ``advice`` where that is given.
    """

    name: ClassVar[str] = "maxims"
    summary: ClassVar[str] = "weighs each move by the maxims of the strategy chapters, tuned by play"
    takes_options: ClassVar[bool] = True

    def __init__(self, options: str = "", advice: Advice | None = None) -> None:
        self.options = options
        self.advice = advice
        self._found: dict[Advice, Advice] = {}
        self.advice_for(MATCH if advice is None else advice)

    def advice_for(self, start: Advice) -> Advice:
        """The advice that the options make of another."""
        found = self._found.get(start)
        if found is None:
            found = self._found[start] = parse_advice(self.options, start)
        return found

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """The move that seems worth most; ``rng`` is not used."""
        by_code = {legal.code(move) or 0: move for move in legal}
        if len(by_code) == 1:
            return legal[0]
        advice = self.advice_for(tuned(view.rules) if self.advice is None else self.advice)
        words = [0] * view.rules.sides
        for code in by_code:
            words[code // 64] |= 1 << code % 64
        return by_code[best_move(words, features_of(view), advice)]


def features_of(view: View) -> Features:
    """What a view tells, as the whole numbers that maxims read."""
    hand = [0] * len(Card)
    for card in view.hand:
        hand[card.index] += 1
    totals = view.totals or (0,) * view.rules.sides
    others = max(total for side, total in enumerate(totals) if side != view.side)
    stake = [totals[view.side], others, view.match_target or 0]
    unseen, sides, facts = list(view.unseen.values()), sides_of(view), facts_of(view)
    threats = [0, *(threat(n, unseen, sides, facts) for n in range(1, view.rules.sides))]
    return Features(hand, unseen, sides, [*facts, *stake], threats)


def parse_advice(options: str, advice: Advice = MATCH) -> Advice:
    """Advice from options after the player's name, joined by commas; later ones win.

    ``match`` or ``points`` is the objective, ``no-MAXIM`` switches a maxim off, ``WEIGHT=NUMBER`` sets a weight.
    Raises `PlayerError` for anything else.
    """
    found = advice
    for option in filter(None, (part.strip() for part in options.split(","))):
        name, equals, number = option.partition("=")
        if equals:
            found = _with_weight(found, name.strip(), number.strip())
        elif option == "points":
            found = found._replace(match=0)
        elif option == "match":
            found = found._replace(match=1)
        elif option.startswith("no-") and option[3:] in MAXIMS:
            found = without(found, option[3:])
        else:
            names = ["match", "points", *(f"no-{maxim}" for maxim in MAXIMS)]
            raise PlayerError(f"maxims: there is no option {option!r}; {_closest(option, names)}")
    return found


def _with_weight(advice: Advice, name: str, number: str) -> Advice:
    if name not in Advice._fields:
        raise PlayerError(f"maxims: there is no weight {name!r}; {_closest(name, list(Advice._fields))}")
    try:
        value = int(number)
    except ValueError:
        raise PlayerError(f"maxims: {name}={number!r} is no whole number") from None
    if abs(value) > 10_000:
        raise PlayerError(f"maxims: {name}={value} is beyond -10000 to 10000")
    return advice._replace(**{name: value})


def _closest(wrong: str, names: list[str]) -> str:
    close = difflib.get_close_matches(wrong, names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"it may be {', '.join(names[:4])} …"
