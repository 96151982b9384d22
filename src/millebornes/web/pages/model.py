"""A table as its page shows it to one viewer: plain values, so that the template makes no decisions."""

import dataclasses
import functools
import secrets
from collections.abc import Collection, Sequence
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from millebornes.cards import DISTANCES, HAZARDS, REMEDY_OF, SAFETIES, Card
from millebornes.editions import Rules
from millebornes.game import Action, Hand, Move, Phase, Tableau, View
from millebornes.i18n import translator
from millebornes.texts.card_help import card_help
from millebornes.texts.moves import describe_move
from millebornes.texts.participants import Participants
from millebornes.texts.score_sheet import score_rows
from millebornes.themes import theme
from millebornes.web.pages.locale_text import Words

__all__ = [
    "ASKED",
    "HandCard",
    "Option",
    "Plate",
    "answers_of",
    "board_of",
    "hand_cards",
    "landed_on",
    "new_key",
    "plates_of",
    "road_of",
    "sheet_of",
    "side_models",
]

ASKED: Final = {Phase.COUP: "coup", Phase.OPENING: "coup", Phase.EXTEND: "extend", Phase.PLAY: "turn"}
"""The names that the pages use for the kinds of question."""
_ORDER: Final = {card: index for index, card in enumerate(Card)}


def new_key() -> str:
    """Return a key for a form. A form with a key is carried out only once, no matter how often it is sent."""
    return secrets.token_urlsafe(9)


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


class Option(NamedTuple):
    """A way to use a card: the move, its description, and the side on which the card is played (-1 for a discard).

    ``rival`` is the name of that side if it isn't the viewer's own side, and otherwise "".
    """

    move: str
    label: str
    side: int
    rival: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class HandCard:
    """A card in the viewer's hand. ``plays`` and ``discard`` are the ways to use it, and ``help`` says what it does.

    ``why_not`` and ``clause`` say why it can't be played.
    """

    id: str
    card: Card
    name: str
    plays: tuple[Option, ...]
    discard: Option | None
    why_not: str
    clause: str = ""
    help: str = ""
    is_new: bool = False


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


def side_models(
    view: View, participants: Participants, plates: Sequence[Plate], viewer: int | None, words: Words
) -> list[SimpleNamespace]:
    """Return what lies in front of each side, the viewer's side last. The other sides follow clockwise from it.

    ``stacks`` and ``safeties`` contain how often a distance card lies there, and whether a safety does ("", ``safety``
    or ``coup``). ``signs`` show the side's state, and ``percent`` is how much of the trip it has driven.
    """
    rules = view.rules
    first = 0 if viewer is None else rules.side_of(viewer) + 1
    found = []
    for side in ((first + n) % rules.sides for n in range(rules.sides)):
        tableau, seats = view.tableaux[side], rules.seats_of(side)
        own = tuple(plate for plate in plates if plate.seat in seats)
        found.append(
            SimpleNamespace(
                side=side,
                name=participants.side(side, viewer),
                plates=own,
                is_own=viewer in seats,
                is_turn=any(plate.is_turn for plate in own),
                is_away=any(plate.is_away for plate in own),
                battle=tableau.battle,
                speed=tableau.speed,
                stacks={card: tableau.distance_cards[card] for card in DISTANCES},
                safeties={card: _lies(card, tableau) for card in SAFETIES},
                distance=tableau.distance,
                goal=view.goal,
                percent=min(100, 100 * tableau.distance // view.goal),
                total=view.totals[side],
                signs=_signs(tableau, words),
            )
        )
    return found


def _lies(card: Card, tableau: Tableau) -> str:
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


def board_of(
    view: View, participants: Participants, viewer: int | None, turn: Collection[int], words: Words
) -> dict[str, Any]:
    """Return the values for a table such as a replay. ``turn`` contains the seats that have to move."""
    plates = plates_of(participants, viewer, view.hand_sizes, turn)
    sides = side_models(view, participants, plates, viewer, words)
    return {
        "sides": sides,
        "lanes": road_of(sides),
        "goal": view.goal,
        "draw_pile": view.draw_pile,
        "discard_top": view.discard_top,
    }


def hand_cards(
    view: View, legal: Sequence[Move], participants: Participants, drawn: Sequence[Card], words: Words
) -> list[HandCard]:
    """Return the viewer's cards in order. Without ``legal`` moves, no card can be used, and no reasons are given."""
    cards, seen, left = [], dict.fromkeys(Card, 0), list(drawn)
    for card in sorted(view.hand, key=_ORDER.__getitem__):
        seen[card] += 1
        plays = [move for move in legal if move.card is card and move.action in {Action.PLAY, Action.AS_ROLL}]
        discards = [move for move in legal if move.card is card and move.action is Action.DISCARD]
        why_not, clause = ("", "") if plays or not legal else _why_not(view, card, words)
        is_new = card in left and seen[card] == view.hand.count(card)
        if is_new:
            left.remove(card)
        cards.append(
            HandCard(
                id=f"{card.code.lower()}-{seen[card]}",
                card=card,
                name=words.theme.name_of(card),
                plays=tuple(_option(move, view, participants, words) for move in plays),
                discard=_option(discards[0], view, participants, words) if discards else None,
                why_not=why_not,
                clause=clause,
                help=_card_helps(view.rules, words.theme.name, words.language)[card],
                is_new=is_new,
            )
        )
    return cards


@functools.lru_cache(maxsize=64)
def _card_helps(rules: Rules, theme_name: str, language: str) -> dict[Card, str]:
    """Return what each card does. Tables use only a few different rules and languages."""
    return {card: card_help(card, rules, theme(theme_name), translator(language)) for card in Card}


def answers_of(legal: Sequence[Move], participants: Participants, seat: int | None, words: Words) -> tuple[Option, ...]:
    """Return the answers to a question other than a turn. Passing or finishing comes last."""
    options = []
    for move in sorted(legal, key=lambda move: move.action in {Action.PASS, Action.FINISH}):
        label = describe_move(move, participants, seat, words.theme, words.translate)
        options.append(Option(move.text, label[:1].upper() + label[1:], -1))
    return tuple(options)


def _option(move: Move, view: View, participants: Participants, words: Words) -> Option:
    label = describe_move(move, participants, view.seat, words.theme, words.translate)
    side = -1 if move.action is Action.DISCARD else view.side if move.target is None else move.target
    rival = "" if side in {-1, view.side} else participants.side(side)
    return Option(move.text, label[:1].upper() + label[1:], side, rival)


def _why_not(view: View, card: Card, words: Words) -> tuple[str, str]:
    """Return why a card can't be played now, and the clause that forbids it."""
    sides = [side for side in range(view.rules.sides) if side != view.side] if card in HAZARDS else [None]
    reasons = [reason for side in sides if (reason := view.why_not(Move(Action.PLAY, card, side))) is not None]
    telling = [reason for reason in reasons if reason.name != "NOT_LEFT"] or reasons
    if not telling:
        return "", ""
    text = words.theme.worded(words.translate(telling[0].text))
    return text[:1].upper() + text[1:], telling[0].clause


def sheet_of(
    hand: Hand,
    overall: Sequence[int],
    viewer: int | None,
    participants: Participants,
    words: Words,
    target: int | None = None,
) -> SimpleNamespace:
    """Return the score sheet of the hand that has ended, with the viewer's side first.

    It has a heading for each side, a row for each line in which a side has scored, and rows of totals. ``standings``
    begin with the leader. Their ``percent`` is the side's share of the points that end the match (``target``) or, if
    there is no target, of the leader's points. ``is_best`` is true if no side has scored more in this hand.
    """
    _, completed, order = words.translate, hand.completed_by, participants.own_first(viewer)
    rows = score_rows(hand.scores, overall, None, _, order)
    scores, overall = [score.total for score in hand.scores], overall
    whole, best = max(1, target or max(overall)), max(scores)
    story = _("No one has completed the trip.")
    if completed is not None:
        story = _("{side}: trip completed.").format(side=participants.side(completed, viewer))
    standings = [
        SimpleNamespace(
            side=side,
            name=participants.side(side, viewer),
            hand=scores[side],
            total=overall[side],
            percent=min(100, 100 * overall[side] // whole),
            is_own=viewer is not None and side == participants.rules.side_of(viewer),
            is_best=scores[side] == best > 0,
        )
        for side in sorted(order, key=lambda side: -overall[side])
    ]
    return SimpleNamespace(
        heads=[participants.side(side, viewer) for side in order],
        rows=[row for row in rows if not row.is_total and any(row.values)],
        totals=[row for row in rows if row.is_total],
        story=story,
        sides=order,
        standings=standings,
    )
