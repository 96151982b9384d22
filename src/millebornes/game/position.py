"""Reads positions in one line, like chess's FEN: a whole hand, or what one seat sees of it.

Fields are separated by single spaces; docs/positions.md has the grammar::

    classic/2x2 ROL:-:100*2:-|OUT/200:LIM:-:ACE! 25,ROL|GAS 75,100 STP,25*2 ROL*2,LIM play:0 1 -
    rules       sides                            hands      draw   discards played    turn   first trip

The text holds all of the state, so that ``Hand.parse(str(hand)) == hand``; moves made before are not part of it.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from millebornes.cards import CODES, DISTANCES, HAZARDS, MILES, SAFETIES, Card
from millebornes.editions import Rules
from millebornes.errors import NotationError
from millebornes.game.parts import Pending, word_of_cards
from millebornes.game.position_checks import ReadPosition, check_deal, count_cards
from millebornes.game.position_fields import (
    NO_CARD,
    read_card,
    read_cards,
    read_fields,
    read_match,
    read_parts,
    read_totals,
    read_whole,
    shown,
)
from millebornes.game.tableau import Tableau
from millebornes.rules.engine import Position, engine_for
from millebornes.rules.hand_end import is_hand_over
from millebornes.rules.state import BATTLE_TOPS, NOBODY, Phase, Side
from millebornes.rules.tables import battle_code, play_code, tables_for

__all__ = ["parse_state", "parse_view"]

FIELDS: Final = ("RULES", "SIDES", "HANDS", "DRAW", "DISCARDS", "PLAYED", "TURN", "FIRST", "TRIP")
VIEW_FIELDS: Final = (*FIELDS, "SEAT", "TOTALS", "MATCH")
MAX_TEXT: Final = 10_000
FARTHEST: Final = 2000

_CARDS: Final = tuple(Card)
_is_over: Final[Any] = is_hand_over
_TOPS: Final = frozenset(top for top in BATTLE_TOPS if top is not None)


def parse_state(text: str) -> tuple[Rules, Position]:
    """The rules, and the state with its legal moves, that a text stands for.

    Raises `NotationError` that names the field and what is wrong, or `EditionError` where it is the rules.
    """
    fields = read_fields(text, FIELDS, "a position", MAX_TEXT)
    rules = Rules.parse(fields["RULES"])
    hands = tuple(read_cards("HANDS", part) for part in read_parts("HANDS", fields["HANDS"], rules.seats, "seats"))
    deal = _read_common(fields, rules, hands, read_cards("DRAW", fields["DRAW"]))
    check_deal(deal)
    engine = engine_for(rules)
    gap = rules.cards - len(deal.draw) - len(deal.discards)
    pending = deal.pending
    state = engine.pack(
        hand=[word_of_cards(hand) for hand in hands],
        side=list(deal.words),
        saved=deal.saved or 0,
        seat=deal.mover,
        drawn=rules.cards - len(deal.draw),
        discarded=len(deal.discards),
        phase=deal.phase,
        first=deal.first,
        extended=deal.extended,
        completed=NOBODY if deal.completed is None else deal.completed,
        attacker=NOBODY if pending is None else pending.by,
        target=NOBODY if pending is None else pending.side,
        hazard=NOBODY if pending is None else pending.hazard.index,
        deck=tuple(card.index for card in deal.discards) + (0,) * gap + tuple(card.index for card in deal.draw),
    )
    # That a hand should be over cannot be told: a seat that has drawn the last card plays on whatever lies there.
    ended = deal.phase is Phase.OVER and deal.completed is None
    if ended and not _is_over(np.frombuffer(state, engine.dtype)[0], tables_for(rules)):
        raise NotationError(f"TURN: the hand is not over by hand_end = {rules.hand_end} (R6.3)")
    return rules, Position(state, engine.words(state))


def parse_view(text: str) -> dict[str, Any]:
    """The fields of the view that a text stands for. Raises `NotationError` or `EditionError`."""
    fields = read_fields(text, VIEW_FIELDS, "a view", MAX_TEXT)
    rules = Rules.parse(fields["RULES"])
    seat = read_whole("SEAT", fields["SEAT"], rules.seats - 1)
    parts = read_parts("HANDS", fields["HANDS"], rules.seats, "seats")
    own = read_cards("HANDS", parts[seat])
    hidden = {other: _read_hidden("HANDS", part, 7) for other, part in enumerate(parts) if other != seat}
    sizes = tuple(len(own) if other == seat else hidden[other] for other in range(rules.seats))
    draw = _read_hidden("DRAW", fields["DRAW"], rules.cards)
    hands = tuple(own if other == seat else None for other in range(rules.seats))
    deal = _read_common(fields, rules, hands, None, sizes, draw, seat)
    check_deal(deal)
    number, target = read_match(fields["MATCH"])
    return {
        "rules": rules,
        "seat": seat,
        "phase": deal.phase,
        "mover": deal.mover,
        "hand": tuple(sorted(own)),
        "hand_sizes": sizes,
        "draw_pile": draw,
        "tableaux": tuple(Tableau(word) for word in deal.words),
        "discard_top": deal.discards[-1] if deal.discards else None,
        "discards": MappingProxyType(count_cards(deal.discards)),
        "played": MappingProxyType(dict(deal.played)),
        "first": deal.first,
        "extended": deal.extended,
        "completed_by": deal.completed,
        "pending": deal.pending,
        "totals": read_totals(fields["TOTALS"], rules.sides),
        "hand_number": number,
        "match_target": target,
    }


def _read_common(
    fields: Mapping[str, str],
    rules: Rules,
    hands: tuple[tuple[Card, ...] | None, ...],
    draw: tuple[Card, ...] | None,
    sizes: tuple[int, ...] = (),
    draw_size: int = 0,
    viewer: int | None = None,
) -> ReadPosition:
    phase, mover, pending = _read_turn(fields["TURN"], rules, viewer)
    words: list[int] = []
    saved = None
    for side, part in enumerate(read_parts("SIDES", fields["SIDES"], rules.sides, "sides")):
        hit = pending is not None and pending.side == side and viewer is None
        word, before = _read_side(part, side, rules, pending.hazard if hit and pending else None)
        words.append(word)
        saved = before if hit else saved
    extended, completed = _read_trip(fields["TRIP"], rules)
    return ReadPosition(
        rules=rules,
        words=tuple(words),
        saved=saved,
        hands=hands,
        sizes=sizes or tuple(len(hand) for hand in hands if hand is not None),
        draw=draw or (),
        draw_size=draw_size if draw is None else len(draw),
        discards=read_cards("DISCARDS", fields["DISCARDS"]),
        played=count_cards(read_cards("PLAYED", fields["PLAYED"])),
        phase=phase,
        mover=mover,
        pending=pending,
        first=read_whole("FIRST", fields["FIRST"], rules.seats - 1),
        extended=extended,
        completed=completed,
        viewer=viewer,
    )


def _read_hidden(field: str, text: str, most: int) -> int:
    if not text.startswith("?"):
        raise NotationError(f"{field}: {shown(text)} is not hidden; a view tells only how many cards, as in ?6")
    return read_whole(field, text[1:], most)


def _read_turn(text: str, rules: Rules, viewer: int | None) -> tuple[Phase, int | None, Pending | None]:
    """The phase, the seat that decides (None where a view hides it), and the hazard that is being answered."""
    name, *rest = text.split(":")
    phases = {phase.name.lower(): phase for phase in Phase}
    if name not in phases:
        raise NotationError(f"TURN: {shown(name)} is no phase; it may be {', '.join(phases)}")
    phase = phases[name]
    asked = phase is Phase.COUP
    if len(rest) != (3 if asked else 1):
        right = "coup:SEAT:HAZARD>SIDE:BY, such as coup:1:STP>1:0" if asked else f"{name}:SEAT, such as {name}:0"
        raise NotationError(f"TURN: {shown(text)} is not complete; write {right}")
    hidden = viewer is not None and rest[0] == "?" and phase in {Phase.PLAY, Phase.OVER}
    mover = None if hidden else read_whole("TURN", rest[0], rules.seats - 1)
    if not asked:
        return phase, mover, None
    code, sign, side = rest[1].partition(">")
    hazard = read_card("TURN", code)
    if hazard not in HAZARDS or not sign:
        raise NotationError(f"TURN: {shown(rest[1])} is no hazard on a side, such as STP>1")
    return (
        phase,
        mover,
        Pending(hazard, read_whole("TURN", side, rules.sides - 1), read_whole("TURN", rest[2], rules.seats - 1)),
    )


def _read_trip(text: str, rules: Rules) -> tuple[bool, int | None]:
    extended, completed = False, None
    for part in text.split(",") if text != NO_CARD else ():
        name, colon, side = part.partition(":")
        if part == "extended" and not extended and completed is None:
            extended = True
        elif name == "completed" and colon and completed is None:
            completed = read_whole("TRIP", side, rules.sides - 1)
        else:
            raise NotationError(f"TRIP: {shown(text)} is not allowed; it may be -, extended, completed:SIDE, or both")
    return extended, completed


def _read_side(text: str, side: int, rules: Rules, hazard: Card | None) -> tuple[int, int | None]:
    """The side word, and the word before the hazard that is being answered, where there is one."""
    field = f"SIDES, side {side}"
    parts = text.split(":")
    if len(parts) != 4:
        right = "BATTLE:SPEED:DISTANCE:SAFETIES, such as ROL:-:100*2,25:ACE!"
        raise NotationError(f"{field}: {shown(text)} has {len(parts)} parts instead of four; write {right}")
    battle, speed, distance, safeties = parts
    if hazard is None or hazard is Card.SPEED_LIMIT:
        word = _read_battle(field, battle, rules)
    else:
        top, slash, under = battle.partition("/")
        if top != CODES[hazard] or not slash:
            right = f"{CODES[hazard]}/ROL: the hazard that is being answered, and what lies under it"
            raise NotationError(f"{field}: {shown(battle)} must be such as {right}")
        word = _read_battle(field, under, rules)
    word |= _read_speed(field, speed) | _read_distance(field, distance) | _read_safeties(field, safeties)
    if hazard is None:
        return word, None
    if hazard is Card.SPEED_LIMIT:
        if not word >> Side.LIMIT & 1:
            raise NotationError(f"{field}: the speed limit that is being answered must lie there, as LIM or LIM/EOL")
        word &= ~(1 << Side.LIMIT)
    effect = tables_for(rules)["effect"][play_code(hazard)]
    return (word & int(effect["hit_keep"])) + int(effect["hit_add"]), word


def _read_battle(field: str, text: str, rules: Rules) -> int:
    if text == NO_CARD:
        return 0
    code, slash, under = text.partition("/")
    card = read_card(field, code)
    two_hundred = Card.D200
    if (card is two_hundred or slash) and not rules.roll_200:
        raise NotationError(f"{field}: {shown(text)} needs roll_200, which these rules do not have (R4.7)")
    if card is two_hundred and not slash:
        return battle_code(Card.ROLL) << Side.BATTLE | 1 << Side.ROLL_IS_200
    if card not in _TOPS:
        tops = ", ".join(CODES[top] for top in _CARDS if top in _TOPS)
        raise NotationError(f"{field}: {code} does not belong on a battle pile, which shows -, {tops}")
    if slash and (under != CODES[two_hundred] or card not in HAZARDS):
        raise NotationError(
            f"{field}: {shown(text)} is not allowed; only a 200 may be told under a hazard, as in STP/200"
        )
    return battle_code(card) << Side.BATTLE | (1 << Side.ROLL_IS_200 if slash else 0)


def _read_speed(field: str, text: str) -> int:
    limit, end = 1 << Side.LIMIT, 1 << Side.END_OF_LIMIT
    words = {NO_CARD: 0, "LIM": limit, "EOL": end, "LIM/EOL": limit | end}
    if text not in words:
        raise NotationError(f"{field}: {shown(text)} is no speed pile; it may be {', '.join(words)}")
    return words[text]


def _read_distance(field: str, text: str) -> int:
    counts = count_cards(read_cards(field, text))
    others = [CODES[card] for card, count in counts.items() if count and card not in MILES]
    if others:
        raise NotationError(f"{field}: {others[0]} is no distance card")
    miles = sum(MILES[card] * counts[card] for card in DISTANCES)
    if miles > FARTHEST:
        raise NotationError(f"{field}: {miles} miles are farther than any goal")
    if counts[Card.D200] > 2:
        raise NotationError(f"{field}: {counts[Card.D200]} x 200 are too many; a side plays at most two (R4.1)")
    word = miles // 25 << Side.MILES
    for card, shift in zip(DISTANCES, Side.DISTANCES, strict=True):
        word |= counts[card] << shift
    return word


def _read_safeties(field: str, text: str) -> int:
    word = 0
    for part in text.split(",") if text != NO_CARD else ():
        code = part.removesuffix("!")
        card = read_card(field, code)
        if card not in SAFETIES or word >> Side.SAFETIES + SAFETIES.index(card) & 1:
            raise NotationError(f"{field}: {shown(part)} must be a safety, once; they are ACE, TNK, PPF and ROW")
        place = SAFETIES.index(card)
        word |= 1 << Side.SAFETIES + place | (1 << Side.COUPS + place if part.endswith("!") else 0)
    return word
