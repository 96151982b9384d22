"""The table as pages show it: plain values, so that the templates make no decisions."""

from collections.abc import Collection, Sequence
from types import SimpleNamespace
from typing import Final, NamedTuple

from millebornes.cards import DISTANCES, REMEDY_OF, SAFETIES, Card
from millebornes.game import Action, Hand, Tableau, View
from millebornes.words.participants import Participants
from millebornes.words.words import TableWords, Words


class Plate(NamedTuple):
    """A seat and the number of its ``cards``. ``level`` is the level of a computer player, or "" for a person."""

    seat: int
    side: int
    name: str
    cards: int
    is_turn: bool
    is_away: bool
    is_open: bool
    is_own: bool
    level: str


class ShownHand(NamedTuple):
    """A player's cards, each with a mark: ``best``, ``played`` or "". ``is_own`` is true for the player who decides."""

    name: str
    cards: tuple[tuple[Card, str], ...]
    is_own: bool = True


LEAST_LANES: Final = 2
"""The minimum number of lanes, even if there are fewer cars."""
WIDE_CAR: Final = 12
"""The percentage of the road that a car and its name cover in a wide window."""
NARROW_CAR: Final = 24
"""The same percentage in a narrow window, if there are at most `FEW_SIDES` sides."""
NARROW_TAG: Final = 15
"""The same percentage in a narrow window with more sides, where only the name tags of the cars are shown."""
FEW_SIDES: Final = 4


def road_of(sides: Sequence[SimpleNamespace]) -> SimpleNamespace:
    """Return the lane of each side's car in wide and in narrow windows, so that no car covers another."""
    wide, narrow = _lanes(sides, WIDE_CAR), _lanes(sides, NARROW_CAR if len(sides) <= FEW_SIDES else NARROW_TAG)
    lanes, narrow_lanes = (max(LEAST_LANES, 1 + max(each.values())) for each in (wide, narrow))
    return SimpleNamespace(wide=wide, narrow=narrow, lanes=lanes, narrow_lanes=narrow_lanes)


def _lanes(sides: Sequence[SimpleNamespace], width: int) -> dict[int, int]:
    """Return the first lane for each car in which the car behind is at least ``width`` per cent away."""
    if len(sides) <= LEAST_LANES:
        return {side: lane for lane, side in enumerate(sorted(side.side for side in sides))}
    last: list[int] = []
    lanes: dict[int, int] = {}
    for side in sorted(sides, key=lambda side: (side.percent, side.side)):
        lane = next((n for n, percent in enumerate(last) if side.percent - percent >= width), len(last))
        last[lane : lane + 1] = [side.percent]
        lanes[side.side] = lane
    return lanes


def side_models(view: View, plates: Sequence[Plate], viewer: int | None, words: TableWords) -> list[SimpleNamespace]:
    """Return what lies in front of each side, the viewer's side last. The other sides follow clockwise from it.

    ``stacks`` and ``safeties`` contain how often a distance card lies there, and whether a safety does ("", ``safety``
    or ``coup``). ``signs`` show the side's state, and ``percent`` is how much of the trip it has driven.
    """
    rules = view.rules
    first = 0 if viewer is None else rules.side_of(viewer) + 1
    models = []
    for side in ((first + n) % rules.sides for n in range(rules.sides)):
        tableau, seats = view.tableaux[side], rules.seats_of(side)
        own = tuple(plate for plate in plates if plate.seat in seats)
        models.append(
            SimpleNamespace(
                side=side,
                name=words.participants.side(side, viewer),
                plates=own,
                is_own=viewer in seats,
                is_turn=any(plate.is_turn for plate in own),
                is_away=any(plate.is_away for plate in own),
                battle=tableau.battle,
                speed=tableau.speed,
                stacks={card: tableau.distance_cards[card] for card in DISTANCES},
                safeties={card: _safety_state(card, tableau) for card in SAFETIES},
                distance=tableau.distance,
                goal=view.goal,
                percent=min(100, 100 * tableau.distance // view.goal),
                total=view.totals[side],
                signs=_signs(tableau, words),
            )
        )
    return models


def _safety_state(card: Card, tableau: Tableau) -> str:
    if card in tableau.coups_fourres:
        return "coup"
    return "safety" if card in tableau.safeties else ""


def _signs(tableau: Tableau, words: Words) -> list[tuple[str, str, str]]:
    """R3: return the signs that show the state of a side: the picture, ``good``, ``bad`` or ``warn``, and the text."""
    _, theme, under = words.translate, words.theme, tableau.under
    limit = [("limit", "warn", theme.name_of(Card.SPEED_LIMIT))] if tableau.is_limited else []
    if under is not None:
        text = _("Needs {remedy}").format(remedy=theme.name_of(REMEDY_OF[under]))
        return [("stop" if under is Card.STOP else "warn", "bad", text), *limit]
    if tableau.is_moving:
        return [("go", "good", _("Moving")), *limit]
    return [("wait", "warn", _("Needs {remedy}").format(remedy=theme.name_of(Card.ROLL))), *limit]


def landed_on(hand: Hand | None) -> str:
    """Return the name of the pile on which the last move put a card, as boards name it, or "" if there is none."""
    if hand is None or hand.move is None or hand.parent is None or hand.parent.seat is None:
        return ""
    move, side = hand.move, hand.rules.side_of(hand.parent.seat)
    if move.card is None:
        return ""
    if move.action is Action.DISCARD:
        return "discard"
    if move.action is Action.AS_ROLL:
        return f"battle-{side}"
    if move.card in SAFETIES:
        return f"safety-{side}-{move.card}"
    if move.card in DISTANCES:
        return f"miles-{side}-{move.card}"
    pile = "speed" if move.card in {Card.SPEED_LIMIT, Card.END_OF_LIMIT} else "battle"
    return f"{pile}-{side if move.target is None else move.target}"


def plates_of(
    participants: Participants,
    viewer: int | None,
    sizes: Sequence[int],
    turn: Collection[int],
    away: Collection[int] = (),
    free: Collection[int] = (),
) -> tuple[Plate, ...]:
    """Return all seats in order. The seats that have to move, that are away, and that are open are marked."""
    return tuple(
        Plate(
            seat=seat,
            side=participants.rules.side_of(seat),
            name=participants.seat(seat, viewer),
            cards=sizes[seat] if sizes else 0,
            is_turn=seat in turn,
            is_away=seat in away,
            is_open=seat in free,
            is_own=seat == viewer,
            level=participants.level(seat),
        )
        for seat in range(participants.rules.seats)
    )


def board_of(view: View, viewer: int | None, turn: Collection[int], words: TableWords) -> SimpleNamespace:
    """Return the table at one moment, such as one of a replay. ``turn`` contains the seats that have to move."""
    plates = plates_of(words.participants, viewer, view.hand_sizes, turn)
    sides = side_models(view, plates, viewer, words)
    return SimpleNamespace(
        sides=sides,
        lanes=road_of(sides),
        goal=view.goal,
        draw_pile=view.draw_pile,
        discard_top=view.discard_top,
        discarded=sum(view.discards.values()),
    )
