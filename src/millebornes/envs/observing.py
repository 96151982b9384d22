"""Observations computed in plain Python from a view. They contain the same numbers that the kernels write."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from millebornes.cards import HAZARDS, SAFETIES, Card
from millebornes.envs.actions import action_of
from millebornes.envs.fields import BATTLE, MAX_POINTS, PHASES, layout_for
from millebornes.game import Action, Event, InformationState, Moved, Phase, Tableau, View
from millebornes.rules.state import Side

CARDS: Final = tuple(Card)


def observation_of(
    seen: View | InformationState, history: int = 0, events: Sequence[Event] = ()
) -> npt.NDArray[np.float32]:
    """Return the observation of a seat as float32 numbers, one for each of `millebornes.envs.observation_fields`.

    If you ask for a ``history`` of public events and pass an `InformationState`, it already contains these events. If
    you pass a `View`, also pass the ``events`` that the seat has seen since the deal.
    """
    view = seen if isinstance(seen, View) else seen.view
    rules, unseen = view.rules, view.unseen
    sides = [(view.side + n) % rules.sides for n in range(rules.sides)]
    seats = [(view.seat + n) % rules.seats for n in range(rules.seats)]
    numbers = [
        *map(view.hand.count, CARDS),
        *(unseen[card] for card in CARDS),
        *(number for side in sides for number in _side(view.tableaux[side], view.goal)),
        view.mover == view.seat,
        *(view.phase is Phase[name.upper()] for name in PHASES),
        *_pending(view, sides, seats),
        *(view.hand_sizes[seat] for seat in seats),
        *(view.first == seat for seat in seats),
        view.draw_pile,
        view.goal // 25,
        view.extended,
        *(view.discard_top is card for card in CARDS),
        *(min(view.totals[side], MAX_POINTS) for side in sides),
        min(view.match_target or 0, MAX_POINTS),
        *_events(view, events if isinstance(seen, View) else seen.events, history),
    ]
    return np.asarray(numbers, np.float32) * layout_for(rules, history).scale


def _side(side: Tableau, goal: int) -> list[int]:
    top = side.status.battle
    return [
        side.is_moving,
        side.is_limited,
        side.status.limit_shown,
        side.under is not None,
        *(safety in side.safeties for safety in SAFETIES),
        *(top is not None and top.value == name for name in BATTLE),
        *(safety in side.coups_fourres for safety in SAFETIES),
        side.word >> Side.END_OF_LIMIT & 1,
        side.word >> Side.ROLL_IS_200 & 1,
        side.distance // 25,
        (goal - side.distance) // 25,
        side.distance_cards[Card.D200],
    ]


def _pending(view: View, sides: Sequence[int], seats: Sequence[int]) -> list[int]:
    pending = view.pending
    if pending is None:
        return [0] * (len(HAZARDS) + len(sides) + len(seats))
    return [
        *(pending.hazard is hazard for hazard in HAZARDS),
        *(pending.side == side for side in sides),
        *(pending.by == seat for seat in seats),
    ]


def _events(view: View, events: Sequence[Event], history: int) -> Sequence[int]:
    """Return the latest public moves, starting with the most recent."""
    rules = view.rules
    numbers: list[int] = []
    for event in reversed(events):
        if isinstance(event, Moved) and event.move.action is not Action.PASS and len(numbers) < 2 * history:
            numbers += [
                (event.seat - view.seat) % rules.seats + 1,
                action_of(rules, event.seat, event.move) + 1,
            ]
    return numbers + [0] * (2 * history - len(numbers))
