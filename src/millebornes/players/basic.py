"""The player that goes by the heuristic: it counts cards and weighs each move by simple rules."""

import random
from typing import ClassVar

from millebornes.cards import Card
from millebornes.game.legal import LegalMoves
from millebornes.game.match import Standing
from millebornes.game.move import Move
from millebornes.game.view import View
from millebornes.players.base import Player
from millebornes.policies.heuristic import best_code
from millebornes.policies.heuristic_weights import WEIGHTS, Weights
from millebornes.roster import ROSTER
from millebornes.rules.clauses import may_others_answer, targets_in_reach
from millebornes.rules.engine import engine_for
from millebornes.rules.state import Phase

__all__ = ["Basic", "facts_of", "sides_of"]


class Basic(Player):
    """Weighs every legal move by the rules of `millebornes.policies.heuristic`, and makes the best.

    It uses no chance and remembers nothing between decisions, so the same view always gets the same move. ``weights``
    are what it weighs by.
    """

    name: ClassVar[str] = "basic"
    summary: ClassVar[str] = ROSTER[name].summary

    def __init__(self, weights: Weights = WEIGHTS) -> None:
        self.weights = weights

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """The move that seems worth most; ``rng`` is not used."""
        by_code = {legal.code(move) or 0: move for move in legal}
        if len(by_code) == 1:
            return legal[0]
        hand = [0] * len(Card)
        for card in view.hand:
            hand[card.index] += 1
        code = best_code(
            sorted(by_code), hand, list(view.unseen.values()), sides_of(view), facts_of(view), self.weights
        )
        return by_code[code]


def sides_of(view: View) -> list[int]:
    """What lies before each side, one's own first, as `millebornes.policies.heuristic` reads it."""
    rules = view.rules
    cards = [sum(view.hand_sizes[seat] for seat in rules.seats_of(side)) for side in range(rules.sides)]
    cards[view.side] -= len(view.hand)
    numbers = []
    for n in range(rules.sides):
        side = (view.side + n) % rules.sides
        tableau = view.tableaux[side]
        under = tableau.under
        numbers += [
            tableau.distance // 25,
            tableau.distance_cards[Card.D200],
            int(tableau.is_moving),
            -1 if under is None else under.index,
            int(tableau.is_limited),
            sum(1 << safety.index - Card.DRIVING_ACE.index for safety in tableau.safeties),
            cards[side],
        ]
    return numbers


def facts_of(view: View) -> list[int]:
    """What else there is to know, as `millebornes.policies.heuristic` reads it."""
    rules = view.rules
    extended = 0 if view.extended or rules.extension_goal is None else rules.extension_goal // 25
    return [
        view.goal // 25,
        extended,
        view.draw_pile,
        rules.seats // rules.sides,
        rules.sides,
        targets_in_reach(rules),
        int(may_others_answer(rules)),
        int(rules.safety_gives_roll),
        int(view.phase is Phase.EXTEND and _wins_by_finishing(view)),
    ]


def _wins_by_finishing(view: View) -> bool:
    """Whether the match is won when the hand ends now with one's own trip completed (R7, R8)."""
    engine = engine_for(view.rules)
    state = engine.pack(
        side=[tableau.word for tableau in view.tableaux],
        completed=view.side,
        drawn=view.rules.cards - view.draw_pile,
        extended=view.extended,
    )
    standing = Standing(view.totals, view.match_target, view.rules.tie).add(map(sum, engine.scores(state)))
    return standing.winner == view.side
