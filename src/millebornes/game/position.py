"""Positions in one line of text, like FEN in chess: read, check and write a whole hand or a seat's view of it.

The fields are separated by single spaces. docs/positions.md contains the grammar::

    classic/2x2 ROL:-:100*2:-|OUT/200:LIM:-:ACE! 25,ROL|GAS 75,100 STP,25*2 ROL*2,LIM play:0 1 -
    rules       sides                            hands      draw   discards played    turn   first trip

A position describes the whole state, so ``Hand.parse(str(hand)) == hand``. It doesn't include earlier moves.
"""

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np

from millebornes.cards import CODES, DISTANCES, HAZARDS, MILES, SAFETIES, Card
from millebornes.editions import Rules
from millebornes.errors import NotationError
from millebornes.game.decks import word_of_cards
from millebornes.game.tableau import Pending, Tableau
from millebornes.rules import clauses
from millebornes.rules.engine import Position, engine_for
from millebornes.rules.hand_end import is_hand_over
from millebornes.rules.state import BATTLE_TOPS, NOBODY, Phase, Side
from millebornes.rules.tables import battle_code, play_code, status_of, tables_for

FIELDS: Final = ("RULES", "SIDES", "HANDS", "DRAW", "DISCARDS", "PLAYED", "TURN", "FIRST", "TRIP")
VIEW_FIELDS: Final = (*FIELDS, "SEAT", "TOTALS", "MATCH")
MAX_TEXT: Final = 10_000
"""The maximum number of characters in a position."""
MAX_MILES: Final = 2000
"""A distance in miles that no side can exceed, whatever the settings."""

_CARDS: Final = tuple(Card)
_is_over: Final[Any] = is_hand_over
_TOPS: Final = frozenset(top for top in BATTLE_TOPS if top is not None)
NO_CARD: Final = "-"
"""The notation for no card."""
_CARD_OF: Final = {code: card for card, code in CODES.items()}


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReadPosition:
    """The parts of a position after reading it.

    ``words`` contains the side words. In the phase COUP, ``saved`` is the word of the side that was hit from before the
    hazard. ``hands`` contains the cards of each seat, or only their number if they are hidden. ``draw`` is empty if the
    cards aren't known and only ``draw_size`` is. ``viewer`` is the seat that sees the position, or None if it isn't a
    view. ``played`` contains the number of cards of each kind in all tableaux.
    """

    rules: Rules
    words: tuple[int, ...]
    saved: int | None = None
    hands: tuple[tuple[Card, ...] | int, ...]
    draw: tuple[Card, ...] = ()
    draw_size: int
    discards: tuple[Card, ...]
    played: Mapping[Card, int]
    phase: Phase
    mover: int | None
    pending: Pending | None
    first: int
    extended: bool
    completed: int | None
    viewer: int | None

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of cards in each hand."""
        return tuple(hand if isinstance(hand, int) else len(hand) for hand in self.hands)

    def hand(self, seat: int) -> tuple[Card, ...]:
        """Return the cards in a seat's hand, or no cards if they are hidden."""
        hand = self.hands[seat]
        return () if isinstance(hand, int) else hand


# ------------------------------------------------------------------ a whole position


def parse_state(text: str) -> tuple[Rules, Position]:
    """Return the rules of a position, and its state with the legal moves.

    Raises a `NotationError` that names the field and the problem, or an `EditionError` if the rules are invalid.
    """
    deal = _read_position(read_fields(text, FIELDS, "a position", MAX_TEXT), None)
    rules, draw, pending = deal.rules, deal.draw, deal.pending
    engine = engine_for(rules)
    gap = rules.cards - len(draw) - len(deal.discards)
    state = engine.pack(
        hand=[word_of_cards(deal.hand(seat)) for seat in range(rules.seats)],
        side=list(deal.words),
        saved=deal.saved or 0,
        seat=deal.mover,
        drawn=rules.cards - len(draw),
        discarded=len(deal.discards),
        phase=deal.phase,
        first=deal.first,
        extended=deal.extended,
        completed=NOBODY if deal.completed is None else deal.completed,
        attacker=NOBODY if pending is None else pending.by,
        target=NOBODY if pending is None else pending.side,
        hazard=NOBODY if pending is None else pending.hazard.index,
        deck=tuple(card.index for card in deal.discards) + (0,) * gap + tuple(card.index for card in draw),
    )
    # It is impossible to detect that a hand should have ended, because a seat that has just drawn the last card still
    # has its turn.
    ended = deal.phase is Phase.OVER and deal.completed is None
    if ended and not _is_over(np.frombuffer(state, engine.dtype)[0], tables_for(rules)):
        raise NotationError(f"TURN: with hand_end = {rules.hand_end}, the hand is not over (R6.3)")
    return rules, Position(state, engine.words(state))


def parse_view(text: str) -> tuple[ReadPosition, tuple[int, ...], int, int | None]:
    """Return the position, the totals, the number of the hand and the match target that the text of a view contains.

    Raises `NotationError` or `EditionError`.
    """
    fields = read_fields(text, VIEW_FIELDS, "a view", MAX_TEXT)
    rules = Rules.parse(fields["RULES"])
    deal = _read_position(fields, read_whole("SEAT", fields["SEAT"], rules.seats - 1))
    number, target = read_match(fields["MATCH"])
    return deal, read_totals(fields["TOTALS"], rules.sides), number, target


def _read_position(fields: Mapping[str, str], viewer: int | None) -> ReadPosition:
    rules = Rules.parse(fields["RULES"])
    phase, mover, pending = _read_turn(fields["TURN"], rules, viewer)
    words: list[int] = []
    saved = None
    for side, part in enumerate(read_parts("SIDES", fields["SIDES"], rules.sides, "sides")):
        hit = pending is not None and pending.side == side and viewer is None
        word, before = _read_side(part, side, rules, pending.hazard if hit and pending else None)
        words.append(word)
        saved = before if hit else saved
    extended, completed = _read_trip(fields["TRIP"], rules)
    draw = read_cards("DRAW", fields["DRAW"]) if viewer is None else ()
    deal = ReadPosition(
        rules=rules,
        words=tuple(words),
        saved=saved,
        hands=tuple(
            read_cards("HANDS", part) if viewer in (None, seat) else _read_hidden("HANDS", part, 7)
            for seat, part in enumerate(read_parts("HANDS", fields["HANDS"], rules.seats, "seats"))
        ),
        draw=draw,
        draw_size=len(draw) if viewer is None else _read_hidden("DRAW", fields["DRAW"], rules.cards),
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
    check_deal(deal)
    return deal


def _read_hidden(field: str, text: str, most: int) -> int:
    if not text.startswith("?"):
        raise NotationError(f"{field}: {shown(text)} is not hidden; a view shows only the number of cards, as in ?6")
    return read_whole(field, text[1:], most)


def _read_turn(text: str, rules: Rules, viewer: int | None) -> tuple[Phase, int | None, Pending | None]:
    """Return the phase, the seat to decide (None if a view hides it), and the hazard that is being answered."""
    name, *rest = text.split(":")
    phases = {phase.name.lower(): phase for phase in Phase}
    if name not in phases:
        raise NotationError(f"TURN: {shown(name)} isn't a phase; it must be one of {', '.join(phases)}")
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
        raise NotationError(f"TURN: {shown(rest[1])} isn't a hazard on a side, such as STP>1")
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
            raise NotationError(f"TRIP: {shown(text)} is not allowed; it must be -, extended, completed:SIDE, or both")
    return extended, completed


def _read_side(text: str, side: int, rules: Rules, hazard: Card | None) -> tuple[int, int | None]:
    """Return the side word and, if a hazard is being answered, the side word from before that hazard."""
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
            right = f"the hazard that is being answered and what is under it, such as {CODES[hazard]}/ROL"
            raise NotationError(f"{field}: {shown(battle)} is not allowed; write {right}")
        word = _read_battle(field, under, rules)
    word |= _read_speed(field, speed) | _read_distance(field, distance) | _read_safeties(field, safeties)
    if hazard is None:
        return word, None
    if hazard is Card.SPEED_LIMIT:
        if not word >> Side.LIMIT & 1:
            raise NotationError(f"{field}: the speed limit that is being answered must be there, as LIM or LIM/EOL")
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
        raise NotationError(f"{field}: {code} does not belong on a battle pile, which must show one of -, {tops}")
    if slash and (under != CODES[two_hundred] or card not in HAZARDS):
        raise NotationError(
            f"{field}: {shown(text)} is not allowed; only a 200 can be shown under a hazard, as in STP/200"
        )
    return battle_code(card) << Side.BATTLE | (1 << Side.ROLL_IS_200 if slash else 0)


def _read_speed(field: str, text: str) -> int:
    limit, end = 1 << Side.LIMIT, 1 << Side.END_OF_LIMIT
    words = {NO_CARD: 0, "LIM": limit, "EOL": end, "LIM/EOL": limit | end}
    if text not in words:
        raise NotationError(f"{field}: {shown(text)} isn't a speed pile; it must be one of {', '.join(words)}")
    return words[text]


def _read_distance(field: str, text: str) -> int:
    counts = count_cards(read_cards(field, text))
    others = [CODES[card] for card, count in counts.items() if count and card not in MILES]
    if others:
        raise NotationError(f"{field}: {others[0]} isn't a distance card")
    miles = sum(MILES[card] * counts[card] for card in DISTANCES)
    if miles > MAX_MILES:
        raise NotationError(f"{field}: {miles} miles are more than any goal")
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
            raise NotationError(
                f"{field}: {shown(part)} is not allowed; write each safety once, as ACE, TNK, PPF or ROW"
            )
        place = SAFETIES.index(card)
        word |= 1 << Side.SAFETIES + place | (1 << Side.COUPS + place if part.endswith("!") else 0)
    return word


# ------------------------------------------------------------------ parts of a field


def count_cards(cards: Iterable[Card]) -> dict[Card, int]:
    """Return the number of cards of each kind, for all kinds in order."""
    counts = dict.fromkeys(_CARDS, 0)
    for card in cards:
        counts[card] += 1
    return counts


def cards_text(cards: Iterable[Card]) -> str:
    """Return cards as text in the given order. Equal neighbours are written once, followed by their number."""
    runs: list[tuple[Card, int]] = []
    for card in cards:
        if runs and runs[-1][0] is card:
            runs[-1] = card, runs[-1][1] + 1
        else:
            runs.append((card, 1))
    return ",".join(CODES[card] if n == 1 else f"{CODES[card]}*{n}" for card, n in runs) or NO_CARD


def shown(text: str) -> str:
    """Return part of a text for a message, shortened if necessary."""
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


def read_fields(text: str, names: tuple[str, ...], what: str, most: int) -> dict[str, str]:
    """Return the fields of a text by their names.

    ``what`` says what the text is, and ``most`` is the maximum number of characters.
    """
    if not isinstance(text, str):
        raise NotationError(f"{what} must be a string, not {type(text).__name__}")
    if len(text) > most:
        raise NotationError(f"{len(text)} characters are too many for {what}, which has at most {most}")
    parts = text.split(" ")
    if len(parts) != len(names):
        wanted = f"{what} has {len(names)} fields separated by single spaces: {' '.join(names)}"
        raise NotationError(f"{wanted}; this has {len(parts)}")
    return dict(zip(names, parts, strict=True))


def read_whole(field: str, text: str, high: int, low: int = 0) -> int:
    """Return an integer that is written in the only valid way.

    Like all other functions that read fields, this one raises `NotationError`.
    """
    if text.isascii() and text.isdigit() and len(text) <= 13 and str(int(text)) == text and low <= int(text) <= high:
        return int(text)
    raise NotationError(f"{field}: {shown(text)} is not allowed; it must be a whole number from {low} to {high}")


def read_parts(field: str, text: str, count: int, what: str) -> list[str]:
    """Return the ``count`` parts of a field.

    ``what`` is a word in the plural for the things that the parts describe.
    """
    parts = text.split("|")
    if len(parts) != count:
        raise NotationError(f"{field}: {len(parts)} parts for {count} {what}; write one for each, separated by |")
    return parts


def read_card(field: str, code: str) -> Card:
    """Return the card that has this short code."""
    card = _CARD_OF.get(code)
    if card is None:
        raise NotationError(f"{field}: {shown(code)} isn't a card; the codes are {' '.join(_CARD_OF)}")
    return card


def read_cards(field: str, text: str) -> tuple[Card, ...]:
    """Return cards in the order in which `cards_text` wrote them."""
    if text == NO_CARD:
        return ()
    cards: list[Card] = []
    for part in text.split(","):
        code, star, number = part.partition("*")
        cards += [read_card(field, code)] * (read_whole(field, number, 192, 2) if star else 1)
    return tuple(cards)


def read_totals(text: str, sides: int) -> tuple[int, ...]:
    """Return the points of each side from the field TOTALS."""
    return tuple(read_whole("TOTALS", part, 10**12) for part in read_parts("TOTALS", text, sides, "sides"))


def read_match(text: str) -> tuple[int, int | None]:
    """Return the number of the hand and the match target from the field MATCH."""
    number, slash, target = text.partition("/")
    if not slash:
        raise NotationError(
            f"MATCH: {shown(text)} is not allowed; write the hand's number and the target, as in 1/5000"
        )
    return (
        read_whole("MATCH", number, 10**9, 1),
        None if target == "none" else read_whole("MATCH", target, 10**9, 1),
    )


def match_text(hand_number: int, match_target: int | None) -> str:
    """Return the field MATCH."""
    return f"{hand_number}/{'none' if match_target is None else match_target}"


# ------------------------------------------------------------------ whether the position is possible


def check_deal(deal: ReadPosition, *, all_played: bool = True) -> None:
    """Raise a `NotationError` that names the field if a position is impossible.

    ``all_played`` is false if ``played`` doesn't include the cards that are buried in piles.
    """
    _check_cards(deal, all_played)
    if deal.phase is Phase.OPENING:
        _check_opening(deal)
    _check_tableaux(deal)
    _check_trip(deal)
    _check_sizes(deal)
    if deal.phase is Phase.COUP:
        _check_coup(deal)


def _fault(field: str, text: str) -> NotationError:
    return NotationError(f"{field}: {text}")


# ------------------------------------------------------------------ whether the position is possible: cards


def _check_cards(deal: ReadPosition, all_played: bool) -> None:
    counts = count_cards(
        (*deal.discards, *deal.draw, *(card for seat in range(len(deal.hands)) for card in deal.hand(seat)))
    )
    for card, count in zip(_CARDS, deal.rules.deck, strict=True):
        there = counts[card] + deal.played[card]
        if there > count or (there < count and deal.viewer is None):
            where = "hands, draw pile, discards and played cards" if deal.viewer is None else "the visible cards"
            raise _fault("PLAYED", f"{where} include {there} x {CODES[card]}, but the deck has {count}")
    if deal.viewer is not None:
        total = sum(deal.sizes) + deal.draw_size + len(deal.discards) + sum(deal.played.values())
        if total > deal.rules.cards or (total < deal.rules.cards and all_played):
            raise _fault("DRAW", f"there are {total} cards altogether, but the deck has {deal.rules.cards}")


def visible_cards(word: int) -> dict[Card, int]:
    """Return the cards that must be in a tableau with this side word.

    The roll that a safety provides isn't a card (R4.6).
    """
    tableau = Tableau(word)
    counts = count_cards(tableau.safeties)
    for card, count in tableau.distance_cards.items():
        counts[card] += count
    if tableau.battle is not None and tableau.battle is not Card.D200:
        counts[tableau.battle] += 1
    counts[Card.D200] += word >> Side.ROLL_IS_200 & 1
    counts[Card.SPEED_LIMIT] += word >> Side.LIMIT & 1
    counts[Card.END_OF_LIMIT] += word >> Side.END_OF_LIMIT & 1
    return counts


def _check_tableaux(deal: ReadPosition) -> None:
    rules = deal.rules
    seen = dict.fromkeys(_CARDS, 0)
    for side, word in enumerate(deal.words):
        for card, count in visible_cards(word).items():
            seen[card] += count
        owns_right_of_way = Card.RIGHT_OF_WAY in Tableau(word).safeties
        shows = Tableau(word)
        if rules.right_of_way_clears and owns_right_of_way:
            for card, lies in (
                (Card.STOP, shows.battle is Card.STOP),
                (Card.SPEED_LIMIT, shows.speed is Card.SPEED_LIMIT),
            ):
                if lies:
                    raise _fault(
                        f"SIDES, side {side}",
                        f"{CODES[card]} cannot be on the table with ROW, which discards it (R4.10)",
                    )
    for card in _CARDS:
        played = deal.played[card]
        buried = card not in SAFETIES and (card not in DISTANCES or (card is Card.D200 and rules.roll_200))
        if card is Card.ROLL and rules.safety_gives_roll:
            continue
        if played < seen[card] or (played > seen[card] and not buried):
            right = "at least " if buried else ""
            raise _fault("PLAYED", f"{played} x {CODES[card]}, but the sides show {right}{seen[card]}")


# ------------------------------------------------------------------ whether the position is possible: trip and turn


def _check_trip(deal: ReadPosition) -> None:
    """R4.1, R6: check that the sides can have driven this far in this phase."""
    rules = deal.rules
    if deal.extended and not clauses.may_extend(rules, False):
        raise _fault("TRIP", "these rules have no extension (R6.2)")
    goal = clauses.goal_in_force(rules, deal.extended)
    miles = [Tableau(word).distance for word in deal.words]
    for side, distance in enumerate(miles):
        if distance > goal:
            raise _fault(f"SIDES, side {side}", f"{distance} miles are more than the goal in force, {goal} (R4.1)")
    if deal.extended and max(miles) < rules.goal:
        raise _fault("TRIP", f"no side has reached {rules.goal} miles, so none can have extended the trip (R6.2)")
    arrived = [side for side, distance in enumerate(miles) if clauses.is_trip_complete(distance, goal)]
    if deal.phase is Phase.EXTEND:
        assert deal.mover is not None
        if not clauses.may_extend(rules, deal.extended):
            raise _fault("TURN", "the trip cannot be extended here (R6.2)")
        if arrived != [rules.side_of(deal.mover)]:
            raise _fault(
                "TURN", f"seat {deal.mover} can be asked only when its side alone has reached {goal} miles (R6.2)"
            )
    elif arrived and deal.completed is None:
        raise _fault(
            "TRIP",
            f"side {arrived[0]} has reached {goal} miles, so TURN must be extend, or over with a completed trip (R6)",
        )
    if deal.completed is not None:
        if deal.phase is not Phase.OVER:
            raise _fault("TRIP", "a completed trip ends the hand, so TURN must be over (R6.1)")
        if arrived != [deal.completed]:
            raise _fault("TRIP", f"side {deal.completed} has not completed the trip; the goal is {goal} miles (R6.1)")
    if deal.phase is Phase.OVER and deal.completed is None:
        if deal.draw_size:
            raise _fault("TURN", "while there are cards to draw, only a completed trip ends the hand (R6.3)")
        if not clauses.is_hand_over(clauses.end_test(rules), 0, any(deal.sizes), plays=False, scores=False):
            raise _fault("TURN", "the hand isn't over while anyone holds cards (R6.3)")


def _check_sizes(deal: ReadPosition) -> None:
    """R2.4, R2.5: check that the seats can hold this many cards."""
    rules = deal.rules
    playing = deal.phase is Phase.PLAY and deal.mover is not None
    for seat, size in enumerate(deal.sizes):
        draws = playing and seat == deal.mover
        most = rules.hand_size + draws
        if size > most or (deal.draw_size and size < most):
            exactly = "at most" if not deal.draw_size else "exactly"
            raise _fault("HANDS", f"seat {seat} holds {size} cards; it must now hold {exactly} {most} (R2.5)")
    if playing and deal.mover is not None and not deal.sizes[deal.mover]:
        raise _fault("TURN", f"seat {deal.mover} has no cards, so it is passed over (R2.6)")


def _check_coup(deal: ReadPosition) -> None:
    """R5.1: check that the seat asked is entitled to answer, and that the hazard could have been played."""
    pending, asked, rules = deal.pending, deal.mover, deal.rules
    assert pending is not None
    assert asked is not None
    safety = clauses.answer_to(pending.hazard)
    if deal.viewer is not None and asked != deal.viewer:
        raise _fault("TURN", f"seat {deal.viewer} cannot see that seat {asked} is asked (R5.5); write play:?")
    if safety not in deal.hand(asked):
        raise _fault("TURN", f"seat {asked} is asked, but does not hold {CODES[safety]} (R5.1)")
    if not clauses.is_entitled(asked, pending.side, rules):
        raise _fault("TURN", f"seat {asked} may not answer for side {pending.side} under coup_by = victim (R5.1)")
    refused = clauses.refuse_target(pending.by, pending.side, rules)
    if refused is None and deal.saved is not None:
        refused = clauses.refuse_hit(pending.hazard, status_of(deal.saved & Side.STATUS_MASK), rules)
    if refused is not None:
        what = f"seat {pending.by} cannot have played {CODES[pending.hazard]} on side {pending.side}"
        raise _fault("TURN", f"{what}: {refused.text} ({refused.clause})")
    shown = Tableau(deal.words[pending.side])
    if pending.hazard not in {shown.battle, shown.speed}:
        raise _fault("TURN", f"side {pending.side} does not show the {CODES[pending.hazard]} that is being answered")


def _check_opening(deal: ReadPosition) -> None:
    """R5.6: check that no card has been drawn before the opening."""
    rules, asked = deal.rules, deal.mover
    assert asked is not None
    answer = clauses.opening_answer(rules)
    if answer is None:
        raise _fault("TURN", "these rules have no opening call of right of way (R5.6)")
    if answer not in (deal.hand(asked) or (answer,)):
        raise _fault("TURN", f"seat {asked} is asked, but does not hold {CODES[answer]} (R5.6)")
    if deal.viewer is not None and asked != deal.viewer:
        raise _fault("TURN", f"seat {deal.viewer} cannot see that seat {asked} is asked (R5.5); write play:?")
    if any(deal.words) or deal.discards or any(deal.played.values()):
        raise _fault("TURN", "the opening call comes before anything has been played (R5.6)")
    if any(size != rules.hand_size for size in deal.sizes):
        raise _fault("HANDS", f"before the first draw, every seat must hold {rules.hand_size} cards (R2.4)")


# ------------------------------------------------------------------ writing


def counts_text(counts: Mapping[Card, int]) -> str:
    """Return the number of cards of each kind as text."""
    return cards_text(card for card in _CARDS for _ in range(counts[card]))


def side_text(word: int) -> str:
    """Return the part of the field SIDES for a side word."""
    tableau = Tableau(word)
    battle = NO_CARD if tableau.battle is None else CODES[tableau.battle]
    if word >> Side.ROLL_IS_200 & 1 and tableau.battle is not Card.D200:
        battle += f"/{CODES[Card.D200]}"
    parts = [CODES[Card.SPEED_LIMIT]] if word >> Side.LIMIT & 1 else []
    parts += [CODES[Card.END_OF_LIMIT]] if word >> Side.END_OF_LIMIT & 1 else []
    coups = tableau.coups_fourres
    safeties = ",".join(CODES[card] + "!" * (card in coups) for card in tableau.safeties)
    distance = counts_text({**dict.fromkeys(_CARDS, 0), **tableau.distance_cards})
    return f"{battle}:{'/'.join(parts) or NO_CARD}:{distance}:{safeties or NO_CARD}"


def trip_text(extended: bool, completed: int | None) -> str:
    """Return the field TRIP."""
    parts = ["extended"] if extended else []
    parts += [] if completed is None else [f"completed:{completed}"]
    return ",".join(parts) or NO_CARD


def turn_text(phase: Phase, seat: int | None, pending: Pending | None) -> str:
    """Return the field TURN, in which ``seat`` is the seat to decide, or None if it is hidden."""
    turn = f"{phase.name.lower()}:{'?' if seat is None else seat}"
    return turn if pending is None else f"{turn}:{CODES[pending.hazard]}>{pending.side}:{pending.by}"
