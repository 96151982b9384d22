"""Check whether the sentence of a maxim supports one move over another.

The weights of the maxims were tuned by play, so a maxim can add to the value of a move that its sentence doesn't
mention, or even contradicts. Hints therefore name a maxim only if its sentence is true in the position. Each case in
this module checks this for one maxim.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from millebornes.cards import ANSWERS, REMEDY_OF, SAFETY_OF, Card, Group
from millebornes.game.move import Move
from millebornes.game.tableau import Tableau
from millebornes.game.view import View
from millebornes.rules.moves import Action

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


class _Situation:
    def __init__(self, view: View) -> None:
        self.view = view
        self.hand = Counter(view.hand)
        self.unseen = view.unseen
        self.own: Tableau = view.own
        self.others = [tableau for side, tableau in enumerate(view.tableaux) if side != view.side]
        self.rest = view.goal - self.own.distance
        self.is_late = view.draw_pile <= MAX_DRAW_PILE_AT_END
        self.are_others_stuck = not any(tableau.is_moving for tableau in self.others)
        self.held_safeties = [card for card in view.hand if card.group is Group.SAFETY]

    def threatens(self, safety: Card) -> bool:
        """Return whether a hazard that this safety answers may still come."""
        return any(self.unseen[hazard] for hazard in ANSWERS[safety])

    def lets_use(self, card: Card) -> bool:
        """Return whether a card can be played now (not just discarded)."""
        return any(move.card is card and move.action is not Action.DISCARD for move in self.view.legal_moves)


class _Candidate:
    def __init__(self, view: View, move: Move) -> None:
        self.action = move.action
        self.target = move.target
        self.hit = None if move.target is None else view.tableaux[move.target]
        """The side on which a hazard is played, or None for other moves."""
        self.card: Any = move.card
        """The card, or None for a choice without one."""
        group = None if move.card is None else move.card.group
        self.played = group if move.action is Action.PLAY else None
        """The group of a card that is played, or None."""
        self.discarded = group if move.action is Action.DISCARD else None
        """The group of a card that is discarded, or None."""
        self.drives = self.played is Group.DISTANCE
        self.hits = self.played is Group.HAZARD
        self.protects = self.played is Group.SAFETY
        self.is_discard = move.action is Action.DISCARD
        self.extends = move.action is Action.EXTEND
        self.miles = 0 if move.card is None else move.card.miles
        self.strength = STRENGTH.get(move.card, STRONG) if move.card is not None else -1
        self.slows_the_stopped = self.hit is not None and not self.hit.is_moving and self.card is Card.SPEED_LIMIT
        self.covers = self.hit is not None and not self.hit.is_moving and self.card is not Card.SPEED_LIMIT
        self.rolls_first = self.card is Card.ROLL and move.action is Action.PLAY and view.own.battle is None


Case = Callable[[_Situation, _Candidate, _Candidate], bool]
"""A function that returns whether a maxim supports one move (the second argument) over another (the third)."""


def _no_lone_odd_card(here: _Situation, best: _Candidate, other: _Candidate) -> bool:
    if not (best.drives and other.drives and here.rest % LARGE == 0):
        return False
    risks = [RISK[(here.rest - act.miles) // 25 % 4] for act in (best, other)]
    return risks[0] < risks[1]


def _strong_hazards_first(here: _Situation, best: _Candidate, other: _Candidate) -> bool:
    if best.hits and other.hits:
        return best.target == other.target and best.strength > other.strength
    both = best.discarded is Group.HAZARD and other.discarded is Group.HAZARD
    return both and best.strength < other.strength


def _scarce_remedies(here: _Situation, best: _Candidate, other: _Candidate) -> bool:
    if not best.hits or (other.hits and other.target != best.target):
        return False
    left = here.unseen[REMEDY_OF[best.card]]
    return left <= SCARCE and left < (here.unseen[REMEDY_OF[other.card]] if other.hits else SCARCE + 1)


def _hit_who_leads(here: _Situation, best: _Candidate, other: _Candidate) -> bool:
    if best.hit is None or best.target == other.target:
        return False
    if other.hit is not None:
        return best.hit.distance > other.hit.distance
    furthest = max(tableau.distance for tableau in here.others)
    is_near = here.view.goal - best.hit.distance <= NEAR
    return best.hit.distance == furthest and (best.hit.distance > here.own.distance or is_near)


def _keep_for_the_extension(here: _Situation, best: _Candidate, other: _Candidate) -> bool:
    serves = other.discarded is Group.DISTANCE and (other.miles >= LARGE or other.miles > here.rest)
    smaller = best.discarded is not Group.DISTANCE or best.miles < other.miles
    can_extend = here.view.rules.extension_goal is not None and not here.view.extended
    return can_extend and serves and smaller and best.is_discard


def _one_of_each_remedy(here: _Situation, best: _Candidate, other: _Candidate) -> bool:
    if best.discarded is Group.REMEDY:
        return here.hand[best.card] > 1 and other.is_discard
    is_spare = other.card in (Card.ROLL, Card.END_OF_LIMIT)
    return other.discarded is Group.REMEDY and not is_spare and here.hand[other.card] == 1


def _keep_what_is_needed(here: _Situation, best: _Candidate, other: _Candidate) -> bool:
    own = here.own
    if other.discarded is not Group.REMEDY or here.hand[other.card] > 1 or best.card is other.card:
        return False
    if own.under is not None:
        return other.card is REMEDY_OF[own.under]
    if not own.is_moving:
        return other.card is Card.ROLL
    return own.is_limited and other.card is Card.END_OF_LIMIT


def _remedies_beside_a_safety(here: _Situation, best: _Candidate, other: _Candidate) -> bool:
    safeties = {SAFETY_OF[hazard] for hazard, remedy in REMEDY_OF.items() if remedy is best.card}
    is_safe = bool(safeties & {*here.hand, *here.own.safeties})
    return is_safe and best.discarded is Group.REMEDY and other.is_discard


def _extend_when_protected(here: _Situation, best: _Candidate, other: _Candidate) -> bool:
    owned = {*here.own.safeties, *here.held_safeties}
    return best.extends and all(safety in owned or not here.threatens(safety) for safety in ANSWERS)


# fmt: off
_CASES: Final[Mapping[str, Case]] = {
    # distance
    "large_distance_at_once": lambda here, best, other:
        best.drives and best.miles >= LARGE and not (other.drives and other.miles >= LARGE),
    "break_the_shut_out": lambda here, best, other:
        here.own.distance == 0 and best.drives and not other.drives,
    "safe_trip": lambda here, best, other:
        here.own.distance_cards[Card.D200] == 0 and other.drives and other.miles == 200 and best.miles != 200,
    "delayed_action": lambda here, best, other:
        other.drives and other.miles == here.rest and not best.drives and here.view.draw_pile > 0,
    "even_finish": lambda here, best, other:
        here.rest <= NEAR and other.drives and other.miles < here.rest and not best.drives,
    "no_lone_odd_card": _no_lone_odd_card,
    "small_while_plenty": lambda here, best, other:
        best.drives and best.miles <= SMALL and other.drives and other.miles > SMALL and here.unseen[best.card] >= 4,
    "drive_from_behind": lambda here, best, other:
        best.drives and not other.drives and any(rival.distance > here.own.distance for rival in here.others),
    "keep_up_speed": lambda here, best, other:
        here.hand[Card.D25] + here.hand[Card.D50] == 1 and other.drives and other.miles <= SMALL
        and not here.own.is_limited,
    # rolls, remedies, safeties
    "roll_first": lambda here, best, other: best.rolls_first,
    "end_what_holds_you": lambda here, best, other:
        here.own.under is not None and best.played is Group.REMEDY and best.card is REMEDY_OF[here.own.under],
    "end_a_limit_for_large_cards": lambda here, best, other:
        best.played is Group.REMEDY and best.card is Card.END_OF_LIMIT
        and any(card.miles > SMALL for card in here.hand),
    "hold_for_the_coup": lambda here, best, other:
        other.protects and not best.protects and here.threatens(other.card),
    "safety_for_relief": lambda here, best, other:
        here.own.under is not None and best.protects and best.card is SAFETY_OF[here.own.under],
    "safety_to_drive": lambda here, best, other:
        best.protects and here.own.is_moving and not here.own.is_limited
        and any(LARGE <= card.miles <= here.rest for card in here.hand),
    "right_of_way_to_move": lambda here, best, other:
        here.own.under is None and not here.own.is_moving and here.hand[Card.ROLL] == 0 and here.own.distance == 0
        and best.protects and best.card is Card.RIGHT_OF_WAY,
    "safeties_before_the_end": lambda here, best, other:
        best.protects and not other.protects
        and (here.is_late or any(here.view.goal - rival.distance <= NEAR for rival in here.others)),
    # hazards
    "strong_hazards_first": _strong_hazards_first,
    "scarce_remedies": _scarce_remedies,
    "no_limit_on_the_stopped": lambda here, best, other: other.slows_the_stopped and not best.slows_the_stopped,
    "no_cover": lambda here, best, other: other.covers and not best.covers,
    "hit_who_leads": _hit_who_leads,
    "hope_for_the_shut_out": lambda here, best, other:
        best.hit is not None and best.hit.distance == 0 and (other.hit is None or other.hit.distance > 0),
    "hit_before_small_distance": lambda here, best, other:
        best.hits and other.drives and not any(card.miles > SMALL and here.lets_use(card) for card in here.hand),
    "roll_before_minor_hazards": lambda here, best, other:
        other.hits and other.strength < STRONG and best.rolls_first,
    "use_spare_hazards": lambda here, best, other: best.hits and not other.hits and here.hand[best.card] > 1,
    "hit_late": lambda here, best, other: best.hits and not other.hits and here.is_late,
    "few_hazards": lambda here, best, other:
        sum(here.hand[hazard] for hazard in REMEDY_OF) > 1
        and best.discarded is Group.HAZARD and other.discarded is not Group.HAZARD,
    "hazards_wait": lambda here, best, other:
        other.discarded is Group.HAZARD and best.discarded is not Group.HAZARD
        and here.view.draw_pile >= MIN_DRAW_PILE_EARLY,
    "idle_hazards": lambda here, best, other:
        best.discarded is Group.HAZARD and other.discarded is not Group.HAZARD and here.are_others_stuck,
    "mind_their_coup": lambda here, best, other:
        other.hits and here.unseen[SAFETY_OF[other.card]] > 0
        and not (best.hits and here.unseen[SAFETY_OF[best.card]] > 0),
    # keeping
    "small_distance_first": lambda here, best, other:
        best.discarded is Group.DISTANCE and other.is_discard
        and (other.discarded is not Group.DISTANCE or best.miles < other.miles),
    "small_card_for_a_limit": lambda here, best, other:
        best.is_discard and best.card is Card.END_OF_LIMIT and other.discarded is Group.DISTANCE
        and other.miles <= SMALL and not here.own.is_moving,
    "distance_will_come": lambda here, best, other:
        best.discarded is Group.DISTANCE and other.is_discard and other.discarded is not Group.DISTANCE
        and (not here.own.is_moving or sum(here.hand[card] for card in Card if card.miles) > 2),
    "keep_for_the_extension": _keep_for_the_extension,
    "one_of_each_remedy": _one_of_each_remedy,
    "remedies_will_come": lambda here, best, other:
        best.discarded is Group.REMEDY and other.is_discard and here.unseen[best.card] >= 4,
    "keep_what_is_needed": _keep_what_is_needed,
    "remedies_beside_a_safety": _remedies_beside_a_safety,
    "keep_rolls": lambda here, best, other:
        other.is_discard and other.card is Card.ROLL and best.is_discard and best.card is not Card.ROLL,
    "sure_hazards": lambda here, best, other:
        other.discarded is Group.HAZARD and best.discarded is not Group.HAZARD
        and here.unseen[SAFETY_OF[other.card]] == 0,
    # the extension
    "extend_with_distance": lambda here, best, other: best.extends and any(card.miles for card in here.hand),
    "extend_when_protected": _extend_when_protected,
    "extend_for_a_coup": lambda here, best, other: best.extends and any(map(here.threatens, here.held_safeties)),
    "extend_against_the_stuck": lambda here, best, other: best.extends and here.are_others_stuck,
    "keep_the_shut_out": lambda here, best, other:
        best.action is Action.FINISH and any(rival.distance == 0 for rival in here.others),
}
"""The cases by the name of the maxim."""
# fmt: on


def holds(name: str, view: View, best: Move, other: Move) -> bool:
    """Return whether the sentence of a maxim supports one move over another.

    Returns False if there is no case for the maxim. ``name`` is one of `millebornes.policies.maxim_catalogue.MAXIMS`.
    """
    case = _CASES.get(name)
    return case is not None and case(_Situation(view), _Candidate(view, best), _Candidate(view, other))
