"""Whether a position could lie on a table: cards add up, sizes are possible, nothing contradicts itself."""

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Final

from millebornes.cards import CODES, DISTANCES, SAFETIES, Card
from millebornes.editions import Rules
from millebornes.errors import NotationError
from millebornes.game.parts import Pending
from millebornes.game.tableau import Tableau
from millebornes.rules import clauses
from millebornes.rules.state import Phase, Side
from millebornes.rules.tables import status_of

__all__ = ["ReadPosition", "check_deal", "count_cards", "visible_cards"]

_CARDS: Final = tuple(Card)


def count_cards(cards: Iterable[Card]) -> dict[Card, int]:
    """How many of each kind; all kinds, in order."""
    counts = dict.fromkeys(_CARDS, 0)
    for card in cards:
        counts[card] += 1
    return counts


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReadPosition:
    """The parts of a position as they were read.

    ``words`` are side words, ``saved`` is the word of the side that was hit before the hazard (phase COUP); hands that
    are hidden are None; ``sizes`` count all. ``draw`` is empty where only ``draw_size`` is known. ``viewer`` sees
    it, None for a whole position. ``played`` counts all cards on tableaux.
    """

    rules: Rules
    words: tuple[int, ...]
    saved: int | None
    hands: tuple[tuple[Card, ...] | None, ...]
    sizes: tuple[int, ...]
    draw: tuple[Card, ...]
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


def check_deal(deal: ReadPosition, *, all_played: bool = True) -> None:
    """Raise `NotationError`, naming the field, for a position that cannot be.

    ``all_played`` is False where ``played`` lacks cards that are buried in piles.
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


# ---------------------------------------------------------------- cards


def _check_cards(deal: ReadPosition, all_played: bool) -> None:
    """Every card of the deck lies somewhere, once."""
    found = count_cards((*deal.discards, *deal.draw, *(card for hand in deal.hands for card in hand or ())))
    for card, count in zip(_CARDS, deal.rules.deck, strict=True):
        there = found[card] + deal.played[card]
        if there > count or (there < count and deal.viewer is None):
            where = "hands, draw pile, discards and played cards" if deal.viewer is None else "what is seen"
            raise _fault("PLAYED", f"{where} hold {there} x {CODES[card]}, but the deck has {count}")
    if deal.viewer is not None:
        total = sum(deal.sizes) + deal.draw_size + len(deal.discards) + sum(deal.played.values())
        if total > deal.rules.cards or (total < deal.rules.cards and all_played):
            raise _fault("DRAW", f"all cards together are {total}, but the deck has {deal.rules.cards}")


def visible_cards(word: int) -> dict[Card, int]:
    """Cards that must lie before a side for it to look as it does; a roll that a safety gave is no card (R4.6)."""
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
                        f"SIDES, side {side}", f"{CODES[card]} cannot lie there besides ROW, which discards it (R4.10)"
                    )
    for card in _CARDS:
        played = deal.played[card]
        buried = card not in SAFETIES and (card not in DISTANCES or (card is Card.D200 and rules.roll_200))
        if card is Card.ROLL and rules.safety_gives_roll:
            continue
        if played < seen[card] or (played > seen[card] and not buried):
            right = "at least " if buried else ""
            raise _fault("PLAYED", f"{played} x {CODES[card]}, but the sides show {right}{seen[card]}")


# ---------------------------------------------------------------- trip and turn


def _check_trip(deal: ReadPosition) -> None:
    """R4.1, R6: how far the sides may have come in this phase."""
    rules = deal.rules
    if deal.extended and not clauses.may_extend(rules, False):
        raise _fault("TRIP", "these rules have no extension (R6.2)")
    goal = clauses.goal_in_force(rules, deal.extended)
    miles = [Tableau(word).distance for word in deal.words]
    for side, distance in enumerate(miles):
        if distance > goal:
            raise _fault(f"SIDES, side {side}", f"{distance} miles are more than the goal in force, {goal} (R4.1)")
    if deal.extended and max(miles) < rules.goal:
        raise _fault("TRIP", f"nobody has come to {rules.goal} miles, so nobody can have extended the trip (R6.2)")
    arrived = [side for side, distance in enumerate(miles) if clauses.is_trip_complete(distance, goal)]
    if deal.phase is Phase.EXTEND:
        assert deal.mover is not None
        if not clauses.may_extend(rules, deal.extended):
            raise _fault("TURN", "there is no extension to be called (R6.2)")
        if arrived != [rules.side_of(deal.mover)]:
            raise _fault(
                "TURN", f"seat {deal.mover} may only be asked when its side alone stands at {goal} miles (R6.2)"
            )
    elif arrived and deal.completed is None:
        raise _fault(
            "TRIP", f"side {arrived[0]} stands at {goal} miles; then it must be extend, or over and completed (R6)"
        )
    if deal.completed is not None:
        if deal.phase is not Phase.OVER:
            raise _fault("TRIP", "a completed trip ends the hand; the turn must be over (R6.1)")
        if arrived != [deal.completed]:
            raise _fault("TRIP", f"side {deal.completed} has not completed the trip; the goal is {goal} miles (R6.1)")
    if deal.phase is Phase.OVER and deal.completed is None:
        if deal.draw_size:
            raise _fault("TURN", "with cards left to draw a hand is over only when a trip is completed (R6.3)")
        if not clauses.is_hand_over(clauses.end_test(rules), 0, any(deal.sizes), plays=False, scores=False):
            raise _fault("TURN", "the hand is not over while somebody holds cards (R6.3)")


def _check_sizes(deal: ReadPosition) -> None:
    """R2.4, R2.5: how many cards seats hold."""
    rules = deal.rules
    playing = deal.phase is Phase.PLAY and deal.mover is not None
    for seat, size in enumerate(deal.sizes):
        draws = playing and seat == deal.mover
        most = rules.hand_size + draws
        if size > most or (deal.draw_size and size < most):
            exactly = "at most" if not deal.draw_size else "exactly"
            raise _fault("HANDS", f"seat {seat} holds {size} cards; now it must hold {exactly} {most} (R2.5)")
    if playing and deal.mover is not None and not deal.sizes[deal.mover]:
        raise _fault("TURN", f"seat {deal.mover} has no cards, so it is passed over (R2.6)")


def _check_coup(deal: ReadPosition) -> None:
    """R5.1: somebody entitled is asked about a hazard that could be played."""
    pending, asked, rules = deal.pending, deal.mover, deal.rules
    assert pending is not None
    assert asked is not None
    safety = clauses.answer_to(pending.hazard)
    if deal.viewer is not None and asked != deal.viewer:
        raise _fault("TURN", f"seat {deal.viewer} cannot see that seat {asked} is asked (R5.5); write play:?")
    if safety not in (deal.hands[asked] or ()):
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
    """R5.6: before the first draw."""
    rules, asked = deal.rules, deal.mover
    assert asked is not None
    answer = clauses.opening_answer(rules)
    if answer is None:
        raise _fault("TURN", "these rules have no opening call of right of way (R5.6)")
    if answer not in (deal.hands[asked] or (answer,)):
        raise _fault("TURN", f"seat {asked} is asked, but does not hold {CODES[answer]} (R5.6)")
    if deal.viewer is not None and asked != deal.viewer:
        raise _fault("TURN", f"seat {deal.viewer} cannot see that seat {asked} is asked (R5.5); write play:?")
    if any(deal.words) or deal.discards or any(deal.played.values()):
        raise _fault("TURN", "the opening call comes before anything has been played (R5.6)")
    if any(size != rules.hand_size for size in deal.sizes):
        raise _fault("HANDS", f"before the first draw every seat holds {rules.hand_size} cards (R2.4)")
