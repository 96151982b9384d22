"""Read views that other programs have sent, as VIEW objects of the bot protocol, and check them strictly."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from millebornes.cards import DISTANCES, HAZARDS, SAFETIES, Card
from millebornes.editions import Rules
from millebornes.errors import NotationError
from millebornes.game import Pending, Phase, Tableau, View, check_target
from millebornes.game.position import MAX_MILES, ReadPosition, check_deal, visible_cards
from millebornes.rules.clauses import goal_in_force, is_trip_complete
from millebornes.rules.state import BATTLE_TOPS, Side
from millebornes.rules.tables import battle_code
from millebornes.schema.fields import CardCounts
from millebornes.schema.reading import check_number, check_numbers, read, refusal
from millebornes.schema.strict import show
from millebornes.schema.view import PendingObject, SideObject, ViewObject

_NO_SIDE: Final[Mapping[str, Any]] = msgspec.to_builtins(Tableau(0).to_object())
"""The defaults for a partial SIDE object. Keys that follow from the piles are computed later."""
_NO_VIEW: Final[Mapping[str, Any]] = {
    "seat": 0,
    "phase": "play",
    "goal": 0,
    "extended": False,
    "hand_sizes": [],
    "draw_pile": 0,
    "discards": {},
    "pending": None,
    "hand_number": 1,
    "match_target": None,
}
"""The defaults for a partial VIEW object. Keys that follow from other keys or from the rules are computed later."""
_SPEED: Final = {"speed_limit": 1 << Side.LIMIT, "end_of_limit": 1 << Side.END_OF_LIMIT}


def read_view(data: Any, rules: Rules) -> View:
    """Return the view that a VIEW object (docs/formats.md: bot protocol) describes at a table with these rules.

    This is the inverse of `View.to_dict`. If ``played`` is missing, only the cards visible in the tableaux count as
    played. The object doesn't say which seat has to decide. If the sizes of the hands don't show it, the viewing seat
    is assumed. The object also leaves out an end of limit under a speed limit, and a 200 under a hazard. Unknown keys
    are ignored. Raises a `NotationError` that names the invalid key.

    If the object contains ``"partial": true``, it can leave out everything but the seat's own ``hand``. Cards that it
    doesn't name are then unseen, and the other hands have the size that the rules give them.

    >>> from millebornes import make_rules
    >>> own = ["25", "50", "roll", "stop", "stop", "100", "gasoline"]
    >>> read_view({"partial": True, "hand": own}, make_rules("classic")).hand_sizes
    (7, 6)
    """
    if isinstance(data, Mapping) and data.get("partial", False) is not False:
        if data["partial"] is not True:
            raise NotationError(refusal("partial", data["partial"], "true or false"))
        return view_of(_completed(data, rules), rules, is_partial=True)
    return view_of(read(ViewObject, data, "view"), rules)


def _completed(data: Mapping[str, Any], rules: Rules) -> ViewObject:
    raw, discards = data.get("sides", [{}] * rules.sides), data.get("discards", {})
    sides = raw
    if isinstance(raw, list):
        sides = [{**_NO_SIDE, **side} if isinstance(side, Mapping) else side for side in raw]
    top = next(iter(discards), None) if isinstance(discards, Mapping) else None
    defaults = {**_NO_VIEW, "first": data.get("seat", 0), "totals": [0] * rules.sides, "discard_top": top}
    view = read(ViewObject, {**defaults, **data, "sides": sides}, "view")
    derived: dict[str, Any] = {
        "goal": goal_in_force(rules, view.extended),
        "discards": {} if view.discard_top is None else {view.discard_top: 1},
        "hand_sizes": tuple(len(view.hand) if seat == view.seat else rules.hand_size for seat in range(rules.seats)),
    }
    words = [_word_of(f"sides[{n}]", side) for n, side in enumerate(view.sides)]
    view = msgspec.structs.replace(
        view,
        sides=tuple(_completed_side(*each) for each in zip(view.sides, words, raw, strict=True)),
        **{key: value for key, value in derived.items() if key not in data},
    )
    if "draw_pile" in data:
        return view
    played = view.played if isinstance(view.played, dict) else _visible(words, rules)
    gone = sum(view.hand_sizes) + sum(view.discards.values()) + sum(played.values())
    return msgspec.structs.replace(view, draw_pile=max(0, rules.cards - gone))


def _completed_side(side: SideObject, word: int, given: Mapping[str, Any]) -> SideObject:
    derived = {"distance": Tableau(word).distance, **_derived(word)}
    return msgspec.structs.replace(side, **{key: value for key, value in derived.items() if key not in given})


def _derived(word: int) -> dict[str, Any]:
    tableau = Tableau(word)
    return {"moving": tableau.is_moving, "under": tableau.under, "limited": tableau.is_limited}


def view_of(data: ViewObject, rules: Rules, *, is_partial: bool = False) -> View:
    """Return the view described by a VIEW object that has already been read (see `read_view`).

    Raises `NotationError` if the view is impossible at this table. If ``is_partial`` is true, cards that the data
    doesn't name count as unseen.
    """
    seat = check_number("seat", data.seat, rules.seats - 1)
    phase = Phase[data.phase.upper()]
    sizes = check_numbers("hand_sizes", data.hand_sizes, rules.seats, "seat")
    if sizes[seat] != len(data.hand):
        raise NotationError(f"hand_sizes: {sizes[seat]} for seat {seat}, whose hand has {len(data.hand)}")
    if len(data.sides) != rules.sides:
        raise NotationError(refusal("sides", list(data.sides), f"a list of {rules.sides} sides"))
    words = tuple(_side_word(f"sides[{i}]", side) for i, side in enumerate(data.sides))
    top, discards = data.discard_top, _counts(data.discards)
    if (top is None) != (sum(discards.values()) == 0) or (top is not None and not discards[top]):
        raise NotationError(f"discard_top: {show(top)} does not match the discards")
    played = _counts(data.played) if isinstance(data.played, dict) else _visible(words, rules)
    pending = None if data.pending is None else _pending(data.pending, rules)
    if (pending is not None) != (phase is Phase.COUP):
        raise NotationError("pending: it must be an object in phase coup, and null in all others")
    draw = check_number("draw_pile", data.draw_pile, rules.cards)
    pile = [card for card in Card for _ in range(discards[card] - (card is top))] + ([] if top is None else [top])
    completed = _completed_by(words, rules, phase, data.extended)
    mover = _mover(words, rules, phase, seat, sizes, draw)
    deal = ReadPosition(
        rules=rules,
        words=words,
        hands=tuple(data.hand if other == seat else size for other, size in enumerate(sizes)),
        draw_size=draw,
        discards=tuple(pile),
        played=played,
        phase=phase,
        mover=mover,
        pending=pending,
        first=check_number("first", data.first, rules.seats - 1),
        extended=data.extended,
        completed=completed,
        viewer=seat,
    )
    check_deal(deal, all_played=isinstance(data.played, dict) and not is_partial)
    totals = check_numbers("totals", data.totals, rules.sides, "side")
    view = View.from_position(deal, totals, data.hand_number, check_target(data.match_target))
    if data.goal != view.goal:
        raise NotationError(f"goal: {data.goal} is not the goal in force, {view.goal}")
    return view


def _visible(words: Sequence[int], rules: Rules) -> dict[Card, int]:
    played = dict.fromkeys(Card, 0)
    for word in words:
        for card, count in visible_cards(word).items():
            if card is not Card.ROLL or not rules.safety_gives_roll:  # the roll of a safety isn't a card (R4.6)
                played[card] += count
    return played


def _counts(counts: CardCounts) -> dict[Card, int]:
    return {**dict.fromkeys(Card, 0), **counts}


def _pending(data: PendingObject, rules: Rules) -> Pending:
    if data.hazard not in HAZARDS:
        raise NotationError(refusal("pending, hazard", data.hazard, "a hazard"))
    side = check_number("pending, side", data.side, rules.sides - 1)
    return Pending(data.hazard, side, check_number("pending, by", data.by, rules.seats - 1))


def _completed_by(words: tuple[int, ...], rules: Rules, phase: Phase, extended: bool) -> int | None:
    """Return the side that has completed the trip: the side at the goal when the hand is over."""
    goal = goal_in_force(rules, extended)
    arrived = [side for side, word in enumerate(words) if is_trip_complete(Tableau(word).distance, goal)]
    return arrived[0] if phase is Phase.OVER and arrived else None


def _mover(
    words: tuple[int, ...], rules: Rules, phase: Phase, seat: int, sizes: tuple[int, ...], draw: int
) -> int | None:
    """Return the seat to decide, which has an extra card or is asked the current question."""
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


def _side_word(where: str, data: SideObject) -> int:
    word = _word_of(where, data)
    distance = Tableau(word).distance
    if data.distance != distance:
        raise NotationError(f"{where}, distance: {show(data.distance)}, but the cards make {distance}")
    for key, right in _derived(word).items():
        given = getattr(data, key)
        if given != right:
            raise NotationError(f"{where}, {key}: {show(given)}, but according to the piles it is {show(right)}")
    return word


def _word_of(where: str, data: SideObject) -> int:
    word = _battle_word(where, data.battle)
    if data.speed is not None:
        word |= _SPEED[data.speed]
    cards = _counts(data.cards)
    if any(count for card, count in cards.items() if card not in DISTANCES):
        raise NotationError(f"{where}, cards: only distance cards belong there")
    miles = sum(card.miles * cards[card] for card in DISTANCES)
    if miles > MAX_MILES or cards[Card.D200] > 2:
        raise NotationError(
            f"{where}, cards: {miles} miles with {cards[Card.D200]} x 200 are more than a side can have"
        )
    word |= miles // 25 << Side.MILES
    for card, shift in zip(DISTANCES, Side.DISTANCES, strict=True):
        word |= cards[card] << shift
    for owned, shift in ((data.safeties, Side.SAFETIES), (data.coups_fourres, Side.COUPS)):
        for card in owned:
            if card not in SAFETIES or owned.count(card) > 1 or card not in data.safeties:
                raise NotationError(
                    f"{where}: {card} is not allowed; list each safety once, and only coups fourrés whose "
                    "safety is listed"
                )
            word |= 1 << shift + SAFETIES.index(card)
    return word


def _battle_word(where: str, card: Card | None) -> int:
    if card is None:
        return 0
    if card is Card.D200:
        return battle_code(Card.ROLL) << Side.BATTLE | 1 << Side.ROLL_IS_200
    if card not in BATTLE_TOPS:
        right = "null, 200, a remedy, or a hazard other than speed_limit"
        raise NotationError(refusal(f"{where}, battle", card, right))
    return battle_code(card) << Side.BATTLE
