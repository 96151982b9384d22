"""Check whether the sentence of a maxim supports one move over another.

The weights of the maxims were tuned by play, so a maxim can add to the value of a move that its sentence doesn't
mention, or even contradicts. Hints therefore name a maxim only if its sentence is true in the position. Each case in
this module checks this for one maxim.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from millebornes.cards import ANSWERS, REMEDY_OF, SAFETY_OF, Card, Group
from millebornes.game.move import Action, Move
from millebornes.game.tableau import Tableau
from millebornes.game.view import View
from millebornes.policies.maxims.catalogue import MAXIMS

__all__ = ["holds"]

LARGE: Final = 100
"""The number of miles of a large distance card …"""
SMALL: Final = 50
"""… and of a small distance card."""
NEAR: Final = 200
"""A side that is at most this many miles from the goal may finish with one card."""
MAX_DRAW_PILE_AT_END: Final = 12
"""If this few cards or fewer are left to draw, the end is near …"""
MIN_DRAW_PILE_EARLY: Final = 40
"""… and with this many or more, most of the hand is still to come."""
SCARCE: Final = 2
STRENGTH: Final = {Card.STOP: 1, Card.SPEED_LIMIT: 0}
STRONG: Final = 2
RISK: Final = {3: 3, 1: 2, 2: 1, 0: 0}
"""The risk if this number of 25s remains after whole hundreds."""

Case = Callable[["_MovePair"], bool]


class _MovePair:
    """A move, another move to compare it with, and the view of the seat."""

    def __init__(self, view: View, best: Move, other: Move) -> None:
        self.view = view
        self.best = best
        self.other = other
        self.hand = Counter(view.hand)
        self.unseen = view.unseen
        self.own: Tableau = view.own
        self.rest = view.goal - self.own.distance

    # ---------------------------------------------------------------- kinds of moves

    def side_hit(self, move: Move) -> Tableau | None:
        """Return the tableau of the side on which a hazard is played, or None for other moves."""
        return None if move.target is None else self.view.tableaux[move.target]

    @property
    def others(self) -> list[Tableau]:
        """The tableaux of the other sides."""
        return [tableau for side, tableau in enumerate(self.view.tableaux) if side != self.view.side]

    def can_use(self, card: Card) -> bool:
        """Return whether a card can be played now (not just discarded)."""
        return any(move.card is card and move.action is not Action.DISCARD for move in self.view.legal_moves)


def _plays(move: Move, group: Group) -> bool:
    return move.action is Action.PLAY and move.card is not None and move.card.group is group


def _drives(move: Move) -> bool:
    return _plays(move, Group.DISTANCE)


def _hits(move: Move) -> bool:
    return _plays(move, Group.HAZARD)


def _protects(move: Move) -> bool:
    return _plays(move, Group.SAFETY)


def _discards(move: Move, group: Group) -> bool:
    return move.action is Action.DISCARD and move.card is not None and move.card.group is group


def _miles(move: Move) -> int:
    return 0 if move.card is None else move.card.miles


def _strength(move: Move) -> int:
    return STRENGTH.get(move.card, STRONG) if move.card is not None else -1


# ---------------------------------------------------------------- distance


def _large_distance_at_once(pair: _MovePair) -> bool:
    other = pair.other
    return _drives(pair.best) and _miles(pair.best) >= LARGE and (not _drives(other) or _miles(other) < LARGE)


def _break_the_shut_out(pair: _MovePair) -> bool:
    return pair.own.distance == 0 and _drives(pair.best) and not _drives(pair.other)


def _safe_trip(pair: _MovePair) -> bool:
    first = pair.own.distance_cards[Card.D200] == 0
    return first and _drives(pair.other) and _miles(pair.other) == 200 and _miles(pair.best) != 200


def _delayed_action(pair: _MovePair) -> bool:
    arrives = _drives(pair.other) and _miles(pair.other) == pair.rest
    return arrives and not _drives(pair.best) and pair.view.draw_pile > 0


def _even_finish(pair: _MovePair) -> bool:
    return pair.rest <= NEAR and _drives(pair.other) and _miles(pair.other) < pair.rest and not _drives(pair.best)


def _no_lone_odd_card(pair: _MovePair) -> bool:
    best, other = pair.best, pair.other
    if not (_drives(best) and _drives(other) and pair.rest % LARGE == 0):
        return False
    risks = [RISK[(pair.rest - _miles(move)) // 25 % 4] for move in (best, other)]
    return risks[0] < risks[1]


def _small_while_plenty(pair: _MovePair) -> bool:
    small = _drives(pair.best) and _miles(pair.best) <= SMALL and pair.best.card is not None
    return small and _drives(pair.other) and _miles(pair.other) > SMALL and pair.unseen[_card(pair.best)] >= 4


def _drive_from_behind(pair: _MovePair) -> bool:
    behind = any(tableau.distance > pair.own.distance for tableau in pair.others)
    return behind and _drives(pair.best) and not _drives(pair.other)


def _keep_up_speed(pair: _MovePair) -> bool:
    small = pair.hand[Card.D25] + pair.hand[Card.D50]
    return small == 1 and _drives(pair.other) and _miles(pair.other) <= SMALL and not pair.own.is_limited


# ---------------------------------------------------------------- rolls, remedies, safeties


def _roll_first(pair: _MovePair) -> bool:
    return pair.best.card is Card.ROLL and pair.best.action is Action.PLAY and pair.own.battle is None


def _end_what_holds_you(pair: _MovePair) -> bool:
    under = pair.own.under
    return under is not None and _plays(pair.best, Group.REMEDY) and pair.best.card is REMEDY_OF[under]


def _end_a_limit_for_large_cards(pair: _MovePair) -> bool:
    ends = _plays(pair.best, Group.REMEDY) and pair.best.card is Card.END_OF_LIMIT
    return ends and any(card.miles > SMALL for card in pair.hand)


def _hold_for_the_coup(pair: _MovePair) -> bool:
    waits = _protects(pair.other) and not _protects(pair.best)
    return waits and any(pair.unseen[hazard] for hazard in ANSWERS[_card(pair.other)])


def _safety_for_relief(pair: _MovePair) -> bool:
    under = pair.own.under
    return under is not None and _protects(pair.best) and pair.best.card is SAFETY_OF[under]


def _safety_to_drive(pair: _MovePair) -> bool:
    drives = _protects(pair.best) and pair.own.is_moving and not pair.own.is_limited
    return drives and any(LARGE <= card.miles <= pair.rest for card in pair.hand)


def _right_of_way_to_move(pair: _MovePair) -> bool:
    waits = pair.own.under is None and not pair.own.is_moving and pair.hand[Card.ROLL] == 0
    return waits and pair.own.distance == 0 and _protects(pair.best) and pair.best.card is Card.RIGHT_OF_WAY


def _safeties_before_the_end(pair: _MovePair) -> bool:
    near = any(pair.view.goal - tableau.distance <= NEAR for tableau in pair.others)
    return _protects(pair.best) and not _protects(pair.other) and (near or pair.view.draw_pile <= MAX_DRAW_PILE_AT_END)


# ---------------------------------------------------------------- hazards


def _strong_hazards_first(pair: _MovePair) -> bool:
    best, other = pair.best, pair.other
    if _hits(best) and _hits(other):
        return best.target == other.target and _strength(best) > _strength(other)
    both = _discards(best, Group.HAZARD) and _discards(other, Group.HAZARD)
    return both and _strength(best) < _strength(other)


def _scarce_remedies(pair: _MovePair) -> bool:
    if not _hits(pair.best) or (_hits(pair.other) and pair.other.target != pair.best.target):
        return False
    left = pair.unseen[REMEDY_OF[_card(pair.best)]]
    other = pair.unseen[REMEDY_OF[_card(pair.other)]] if _hits(pair.other) else SCARCE + 1
    return left <= SCARCE and left < other


def _is_limit_on_the_stopped(pair: _MovePair, move: Move) -> bool:
    hit = pair.side_hit(move)
    return hit is not None and move.card is Card.SPEED_LIMIT and not hit.is_moving


def _no_limit_on_the_stopped(pair: _MovePair) -> bool:
    return _is_limit_on_the_stopped(pair, pair.other) and not _is_limit_on_the_stopped(pair, pair.best)


def _covers(pair: _MovePair, move: Move) -> bool:
    hit = pair.side_hit(move)
    return hit is not None and move.card is not Card.SPEED_LIMIT and not hit.is_moving


def _no_cover(pair: _MovePair) -> bool:
    return _covers(pair, pair.other) and not _covers(pair, pair.best)


def _hit_who_leads(pair: _MovePair) -> bool:
    best, other = pair.side_hit(pair.best), pair.side_hit(pair.other)
    if best is None or pair.best.target == pair.other.target:
        return False
    if other is not None:
        return best.distance > other.distance
    furthest = max(tableau.distance for tableau in pair.others)
    return best.distance == furthest and (best.distance > pair.own.distance or pair.view.goal - best.distance <= NEAR)


def _hope_for_the_shut_out(pair: _MovePair) -> bool:
    best, other = pair.side_hit(pair.best), pair.side_hit(pair.other)
    return best is not None and best.distance == 0 and (other is None or other.distance > 0)


def _hit_before_small_distance(pair: _MovePair) -> bool:
    large = any(card.miles > SMALL and pair.can_use(card) for card in pair.hand)
    return _hits(pair.best) and _drives(pair.other) and not large


def _roll_before_minor_hazards(pair: _MovePair) -> bool:
    minor = _hits(pair.other) and _strength(pair.other) < STRONG
    return minor and _roll_first(pair)


def _use_spare_hazards(pair: _MovePair) -> bool:
    return _hits(pair.best) and not _hits(pair.other) and pair.hand[_card(pair.best)] > 1


def _hit_late(pair: _MovePair) -> bool:
    return _hits(pair.best) and not _hits(pair.other) and pair.view.draw_pile <= MAX_DRAW_PILE_AT_END


def _few_hazards(pair: _MovePair) -> bool:
    held = sum(pair.hand[hazard] for hazard in REMEDY_OF)
    return held > 1 and _discards(pair.best, Group.HAZARD) and not _discards(pair.other, Group.HAZARD)


def _hazards_wait(pair: _MovePair) -> bool:
    parts = _discards(pair.other, Group.HAZARD) and not _discards(pair.best, Group.HAZARD)
    return parts and pair.view.draw_pile >= MIN_DRAW_PILE_EARLY


def _idle_hazards(pair: _MovePair) -> bool:
    parts = _discards(pair.best, Group.HAZARD) and not _discards(pair.other, Group.HAZARD)
    return parts and not any(tableau.is_moving for tableau in pair.others)


def _mind_their_coup(pair: _MovePair) -> bool:
    if not _hits(pair.other) or pair.unseen[SAFETY_OF[_card(pair.other)]] == 0:
        return False
    return not _hits(pair.best) or pair.unseen[SAFETY_OF[_card(pair.best)]] == 0


# ---------------------------------------------------------------- keeping


def _small_distance_first(pair: _MovePair) -> bool:
    if not _discards(pair.best, Group.DISTANCE) or pair.other.action is not Action.DISCARD:
        return False
    return not _discards(pair.other, Group.DISTANCE) or _miles(pair.best) < _miles(pair.other)


def _small_card_for_a_limit(pair: _MovePair) -> bool:
    parts = pair.best.action is Action.DISCARD and pair.best.card is Card.END_OF_LIMIT
    small = _discards(pair.other, Group.DISTANCE) and _miles(pair.other) <= SMALL
    return parts and small and not pair.own.is_moving


def _distance_will_come(pair: _MovePair) -> bool:
    if not _discards(pair.best, Group.DISTANCE) or pair.other.action is not Action.DISCARD:
        return False
    held = sum(pair.hand[card] for card in Card if card.miles)
    return not _discards(pair.other, Group.DISTANCE) and (not pair.own.is_moving or held > 2)


def _keep_for_the_extension(pair: _MovePair) -> bool:
    rules, extended = pair.view.rules, pair.view.extended
    serves = _discards(pair.other, Group.DISTANCE) and (_miles(pair.other) >= LARGE or _miles(pair.other) > pair.rest)
    smaller = not _discards(pair.best, Group.DISTANCE) or _miles(pair.best) < _miles(pair.other)
    parts = pair.best.action is Action.DISCARD
    return rules.extension_goal is not None and not extended and serves and smaller and parts


def _one_of_each_remedy(pair: _MovePair) -> bool:
    best, other = pair.best, pair.other
    if _discards(best, Group.REMEDY):
        return pair.hand[_card(best)] > 1 and other.action is Action.DISCARD
    if not _discards(other, Group.REMEDY) or other.card in (Card.ROLL, Card.END_OF_LIMIT):
        return False
    return pair.hand[_card(other)] == 1


def _remedies_will_come(pair: _MovePair) -> bool:
    parts = _discards(pair.best, Group.REMEDY) and pair.other.action is Action.DISCARD
    return parts and pair.unseen[_card(pair.best)] >= 4


def _keep_what_is_needed(pair: _MovePair) -> bool:
    other, own = pair.other, pair.own
    if not _discards(other, Group.REMEDY) or pair.hand[_card(other)] > 1 or pair.best.card is other.card:
        return False
    if own.under is not None:
        return other.card is REMEDY_OF[own.under]
    if not own.is_moving:
        return other.card is Card.ROLL
    return own.is_limited and other.card is Card.END_OF_LIMIT


def _remedies_beside_a_safety(pair: _MovePair) -> bool:
    if not _discards(pair.best, Group.REMEDY) or pair.other.action is not Action.DISCARD:
        return False
    safeties = {SAFETY_OF[hazard] for hazard, remedy in REMEDY_OF.items() if remedy is pair.best.card}
    return bool(safeties & {*pair.hand, *pair.own.safeties})


def _keep_rolls(pair: _MovePair) -> bool:
    parts = pair.other.action is Action.DISCARD and pair.other.card is Card.ROLL
    return parts and pair.best.action is Action.DISCARD and pair.best.card is not Card.ROLL


def _sure_hazards(pair: _MovePair) -> bool:
    if not _discards(pair.other, Group.HAZARD) or _discards(pair.best, Group.HAZARD):
        return False
    return pair.unseen[SAFETY_OF[_card(pair.other)]] == 0


# ---------------------------------------------------------------- the extension


def _extends(pair: _MovePair) -> bool:
    return pair.best.action is Action.EXTEND


def _extend_with_distance(pair: _MovePair) -> bool:
    return _extends(pair) and any(card.miles for card in pair.hand)


def _extend_when_protected(pair: _MovePair) -> bool:
    owned = {*pair.own.safeties, *(card for card in pair.hand if card.group is Group.SAFETY)}
    safe = [
        safety in owned or not any(pair.unseen[hazard] for hazard in hazards) for safety, hazards in ANSWERS.items()
    ]
    return _extends(pair) and all(safe)


def _extend_for_a_coup(pair: _MovePair) -> bool:
    held = [card for card in pair.hand if card.group is Group.SAFETY]
    return _extends(pair) and any(pair.unseen[hazard] for card in held for hazard in ANSWERS[card])


def _extend_against_the_stuck(pair: _MovePair) -> bool:
    return _extends(pair) and not any(tableau.is_moving for tableau in pair.others)


def _keep_the_shut_out(pair: _MovePair) -> bool:
    return pair.best.action is Action.FINISH and any(tableau.distance == 0 for tableau in pair.others)


def _card(move: Move) -> Card:
    assert move.card is not None
    return move.card


_BY_NAME: Final[Mapping[str, Case]] = {name: globals()[f"_{name}"] for name in MAXIMS if f"_{name}" in globals()}
"""The cases by the name of the maxim: each function has the name of its maxim after an underscore."""


def holds(name: str, view: View, best: Move, other: Move) -> bool:
    """Return whether the sentence of a maxim supports one move over another.

    Returns False if there is no case for the maxim. ``name`` is one of `millebornes.policies.maxims.catalogue.MAXIMS`.
    """
    case = _BY_NAME.get(name)
    return case is not None and case(_MovePair(view, best, other))
