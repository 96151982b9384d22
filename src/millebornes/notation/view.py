"""Views as other programs send them: the VIEW object of the bot protocol, read strictly."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from millebornes.cards import DISTANCES, HAZARDS, SAFETIES, Card
from millebornes.editions import Rules
from millebornes.errors import NotationError
from millebornes.game import Pending, Phase, Tableau, View, check_target
from millebornes.game.position_checks import Deal, check_deal, visible_cards
from millebornes.notation.lines import show
from millebornes.rules.clauses import goal_in_force, is_trip_complete
from millebornes.rules.state import BATTLE_TOPS, Side
from millebornes.rules.tables import battle_code

__all__ = ["read_view"]

_CARDS: Final = {card.value: card for card in Card}
_PHASES: Final = {phase.name.lower(): phase for phase in Phase}
_NEEDED: Final = (
    "seat phase goal extended hand hand_sizes draw_pile sides discard_top discards first totals hand_number "
    "match_target pending"
).split()
_SIDE_KEYS: Final = "battle speed distance cards safeties coups_fourres moving under limited".split()
_SPEED: Final = {"speed_limit": 1 << Side.LIMIT, "end_of_limit": 1 << Side.END_OF_LIMIT}
_HIGH: Final = 10**9


def read_view(data: Any, rules: Rules) -> View:
    """The view that a VIEW object (docs/formats.md: bot protocol) at a table with these rules tells.

    `View.to_dict` in reverse. ``played`` may be absent: then only the cards that can be seen on the tableaux count as
    played. Who decides is not in the object: where the sizes of hands leave it open, it is taken to be this seat. Nor
    are an end of limit under a speed limit and a 200 under a hazard. Unknown keys are left alone. Raises
    `NotationError` that names the key.
    """
    if not isinstance(data, Mapping):
        raise NotationError(f"view: {show(data)} is no object")
    for key in _NEEDED:
        if key not in data:
            raise NotationError(f"view: {key} is missing")
    seat = _whole(data, "seat", rules.seats - 1)
    phase = _choice(data, "phase", _PHASES)
    extended = _yes_no(data, "extended")
    hand = _cards("hand", data["hand"])
    sizes = _numbers(data, "hand_sizes", rules.seats, "seat", 7)
    if sizes[seat] != len(hand):
        raise NotationError(f"hand_sizes: {sizes[seat]} for seat {seat}, whose hand holds {len(hand)}")
    sides = data["sides"]
    if not isinstance(sides, list) or len(sides) != rules.sides:
        raise NotationError(f"sides: {show(sides)} is not allowed; it must be a list of {rules.sides} sides")
    words = tuple(_read_side(f"sides[{i}]", side) for i, side in enumerate(sides))
    top = None if data["discard_top"] is None else _card("discard_top", data["discard_top"])
    discards = _counts("discards", data["discards"])
    if (top is None) != (sum(discards.values()) == 0) or (top is not None and not discards[top]):
        raise NotationError(f"discard_top: {show(data['discard_top'])} does not fit the discards")
    if "played" in data:
        played = _counts("played", data["played"])
    else:
        played = dict.fromkeys(Card, 0)
        for word in words:
            for card, count in visible_cards(word).items():
                if card is not Card.ROLL or not rules.safety_gives_roll:  # a roll that is no card (R4.6)
                    played[card] += count
    pending = _read_pending(data["pending"], rules)
    if (pending is not None) != (phase is Phase.COUP):
        raise NotationError("pending: it must be an object in phase coup, and null in all others")
    draw = _whole(data, "draw_pile", rules.cards)
    pile = [card for card in Card for _ in range(discards[card] - (card is top))] + ([] if top is None else [top])
    completed = _completed_by(words, rules, phase, extended)
    mover = _mover(words, rules, phase, seat, sizes, draw)
    deal = Deal(
        rules=rules, words=words, saved=None, sizes=sizes,
        hands=tuple(hand if other == seat else None for other in range(rules.seats)),
        draw=(), draw_size=draw, discards=tuple(pile), played=played, phase=phase, mover=mover, pending=pending,
        first=_whole(data, "first", rules.seats - 1), extended=extended, completed=completed, viewer=seat,
    )  # fmt: skip
    check_deal(deal, all_played="played" in data)
    view = View(
        rules=rules,
        seat=seat,
        phase=phase,
        mover=mover,
        hand=tuple(sorted(hand)),
        hand_sizes=sizes,
        draw_pile=draw,
        tableaux=tuple(Tableau(word) for word in words),
        discard_top=top,
        discards=MappingProxyType(discards),
        played=MappingProxyType(played),
        first=deal.first,
        extended=extended,
        completed_by=completed,
        pending=pending,
        totals=_numbers(data, "totals", rules.sides, "side", 10**12),
        hand_number=_whole(data, "hand_number", _HIGH, 1),
        match_target=_target(data["match_target"]),
    )
    if type(data["goal"]) is not int or data["goal"] != view.goal:
        raise NotationError(f"goal: {show(data['goal'])} is not the goal in force, {view.goal}")
    return view


def _fault(key: str, value: Any, right: str) -> NotationError:
    return NotationError(f"{key}: {show(value)} is not allowed; it must be {right}")


def _whole(data: Mapping[str, Any], key: str, high: int, low: int = 0) -> int:
    value = data[key]
    if type(value) is not int or not low <= value <= high:
        raise _fault(key, value, f"a whole number from {low} to {high}")
    return value


def _yes_no(data: Mapping[str, Any], key: str) -> bool:
    value = data[key]
    if type(value) is not bool:
        raise _fault(key, value, "true or false")
    return value


def _choice(data: Mapping[str, Any], key: str, choices: Mapping[str, Phase]) -> Phase:
    value = data[key]
    if not isinstance(value, str) or value not in choices:
        raise _fault(key, value, f"one of {', '.join(choices)}")
    return choices[value]


def _numbers(data: Mapping[str, Any], key: str, count: int, what: str, high: int) -> tuple[int, ...]:
    value = data[key]
    if (
        not isinstance(value, list)
        or len(value) != count
        or any(type(n) is not int or not 0 <= n <= high for n in value)
    ):
        raise _fault(key, value, f"a list of {count} whole numbers from 0 to {high}, one for each {what}")
    return tuple(value)


def _target(value: Any) -> int | None:
    if value is not None and type(value) is not int:
        raise _fault("match_target", value, "a whole number or null")
    return check_target(value)


def _card(key: str, value: Any) -> Card:
    card = _CARDS.get(value) if isinstance(value, str) else None
    if card is None:
        raise NotationError(f"{key}: {show(value)} is no card")
    return card


def _cards(key: str, value: Any) -> tuple[Card, ...]:
    if not isinstance(value, list):
        raise _fault(key, value, "a list of cards")
    return tuple(_card(key, card) for card in value)


def _counts(key: str, value: Any) -> dict[Card, int]:
    if not isinstance(value, Mapping):
        raise _fault(key, value, "an object of cards and their numbers")
    counts = dict.fromkeys(Card, 0)
    for name, count in value.items():
        if type(count) is not int or not 0 <= count <= 192:
            raise _fault(f"{key}, {name}"[:80], count, "a whole number from 0 to 192")
        counts[_card(key, name)] = count
    return counts


def _read_pending(value: Any, rules: Rules) -> Pending | None:
    if value is None:
        return None
    if not isinstance(value, Mapping) or any(key not in value for key in ("hazard", "side", "by")):
        raise _fault("pending", value, "null or an object with hazard, side and by")
    hazard = _card("pending, hazard", value["hazard"])
    if hazard not in HAZARDS:
        raise _fault("pending, hazard", value["hazard"], "a hazard")
    return Pending(hazard, _whole(value, "side", rules.sides - 1), _whole(value, "by", rules.seats - 1))


def _completed_by(words: tuple[int, ...], rules: Rules, phase: Phase, extended: bool) -> int | None:
    """The object does not name the side that completed the trip; it stands at the goal when the hand is over."""
    goal = goal_in_force(rules, extended)
    arrived = [side for side, word in enumerate(words) if is_trip_complete(Tableau(word).distance, goal)]
    return arrived[0] if phase is Phase.OVER and arrived else None


def _mover(
    words: tuple[int, ...], rules: Rules, phase: Phase, seat: int, sizes: tuple[int, ...], draw: int
) -> int | None:
    """The object does not name who decides either; hands of one card more, or the question that is asked, tell it."""
    if phase is Phase.OVER:
        return None
    if phase is Phase.EXTEND:
        arrived = [other for other in range(rules.seats) if Tableau(words[rules.side_of(other)]).distance == rules.goal]
        return seat if seat in arrived else next(iter(arrived), seat)
    if phase is Phase.PLAY:
        full = [other for other, size in enumerate(sizes) if size > rules.hand_size]
        if full or draw:
            return full[0] if full else None
        return seat if sizes[seat] else None
    return seat


def _read_side(where: str, data: Any) -> int:
    """The side word of a SIDE object."""
    if not isinstance(data, Mapping):
        raise _fault(where, data, "an object")
    for key in _SIDE_KEYS:
        if key not in data:
            raise NotationError(f"{where}: {key} is missing")
    word = _read_battle(where, data["battle"])
    speed = data["speed"]
    if speed is not None:
        if not isinstance(speed, str) or speed not in _SPEED:
            raise _fault(f"{where}, speed", speed, "speed_limit, end_of_limit or null")
        word |= _SPEED[speed]
    cards = _counts(f"{where}, cards", data["cards"])
    if any(count for card, count in cards.items() if card not in DISTANCES):
        raise NotationError(f"{where}, cards: only distance cards belong there")
    miles = sum(card.miles * cards[card] for card in DISTANCES)
    if type(data["distance"]) is not int or data["distance"] != miles or miles > 2000 or cards[Card.D200] > 2:
        raise NotationError(f"{where}, distance: {show(data['distance'])}, but the cards make {miles}")
    word |= miles // 25 << Side.MILES
    for card, shift in zip(DISTANCES, Side.DISTANCES, strict=True):
        word |= cards[card] << shift
    coups = _cards(f"{where}, coups_fourres", data["coups_fourres"])
    safeties = _cards(f"{where}, safeties", data["safeties"])
    for owned, shift in ((safeties, Side.SAFETIES), (coups, Side.COUPS)):
        for card in owned:
            if card not in SAFETIES or owned.count(card) > 1 or card not in safeties:
                raise NotationError(f"{where}: {card} cannot be among the safeties there")
            word |= 1 << shift + SAFETIES.index(card)
    tableau = Tableau(word)
    under = None if tableau.under is None else tableau.under.value
    for key, right in (("moving", tableau.is_moving), ("under", under), ("limited", tableau.is_limited)):
        if type(data[key]) is not type(right) or data[key] != right:
            raise NotationError(f"{where}, {key}: {show(data[key])}, but from the piles it is {show(right)}")
    return word


def _read_battle(where: str, value: Any) -> int:
    if value is None:
        return 0
    card = _card(f"{where}, battle", value)
    if card is Card.D200:
        return battle_code(Card.ROLL) << Side.BATTLE | 1 << Side.ROLL_IS_200
    if card not in BATTLE_TOPS:
        raise _fault(f"{where}, battle", value, "null, 200, a remedy, or a hazard other than speed_limit")
    return battle_code(card) << Side.BATTLE
