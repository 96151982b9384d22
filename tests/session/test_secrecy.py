"""What a viewer is sent tells nothing of the cards that the viewer cannot see, nor that somebody else is asked (R5.5).

A hand is played; then the cards that a viewer has not seen, in other hands and in the draw pile, change their places,
and the same moves are made. What the viewer has been sent must be the same, in the same order.
"""

import random
from typing import Any

import pytest

from millebornes.cards import Card
from millebornes.game import Action, Hand, Move, Phase
from millebornes.session.game_loop import GameLoop
from millebornes.session.game_session import GameSession
from millebornes.session.requests import Ask, Event, EventKind, PersonMove
from tests.session.driving import HUMAN, Heard, Script, answer_at_random, session

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it

H, C = HUMAN, "random"

TABLES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "one person and computers": ((H, C, C), {}),
    "two at one keyboard": ((H, H), {}),
    "four sides": ((H, H, C, H), {"set": {"coup_by": "anyone"}}),
    "partners": ((H, H, C, H, C, H), {"sides": 3}),
    "three at one keyboard": ((H, H, H), {"set": {"opening_right_of_way": True}}),
}


def hidden_places(hand: Hand, viewer: int | None) -> list[int]:
    """The places in the deck of the cards that a viewer has not seen by now."""
    rules, start = hand.rules, hand.at(0)
    held: dict[int, list[int]] = {
        seat: list(range((seat - start.first) % rules.seats, rules.seats * rules.hand_size, rules.seats))
        for seat in range(rules.seats)
    }
    for ply in range(hand.ply + 1):
        now = hand.at(ply)
        if now.move is not None and now.parent is not None and now.move.card is not None:
            assert now.parent.seat is not None
            places = held[now.parent.seat]
            places.remove(next(place for place in places if start.deck[place] is now.move.card))
        if now.seat is not None:
            end = rules.cards - now.draw_pile
            held[now.seat] += range(end - len(now.drawn_cards), end)
    others = [place for seat, places in held.items() if seat != viewer for place in places]
    return sorted(others + list(range(rules.cards - hand.draw_pile, rules.cards)))


def moves_of(hand: Hand) -> list[tuple[int, Move]]:
    """The moves of a hand with the seats that made them, passes left out."""
    found = []
    for ply in range(1, hand.ply + 1):
        now = hand.at(ply)
        assert now.parent is not None
        assert now.parent.seat is not None
        assert now.move is not None
        if now.move.action is not Action.PASS:
            found.append((now.parent.seat, now.move))
    return found


def played(kind: str, seed: int) -> tuple[GameSession, int]:
    """A session with a hand played by random answers for a while, and a chance number of moves of it."""
    seats, more = TABLES[kind]
    loop, rng = GameLoop(session(*seats, seed=str(seed), **more)), random.Random(seed)
    moves = rng.randrange(5, 60)
    while loop.session.hand.ply < moves and not loop.session.hand.is_over:
        loop.answer(answer_at_random(loop.request, loop, rng))
    hand = loop.session.hand
    while hand.is_over or (hand.move is not None and hand.move.action is Action.PASS):  # a pass ends nothing to be seen
        assert hand.parent is not None
        hand = hand.parent
    return loop.session, hand.ply


def heard(kind: str, deck: list[Card], moves: list[tuple[int, Move]]) -> tuple[Heard, list[bool], GameSession]:
    """What everybody is sent while the moves are made; after each, whether somebody is asked for a coup fourré."""
    seats, more = TABLES[kind]
    table = session(*seats, deck=deck, **more)
    loop, script = GameLoop(table), Script(moves)
    found, asked = Heard([*table.participants.people, None]), []
    while not script.is_done:
        asked.append(table.hand.phase in {Phase.COUP, Phase.OPENING})
        found.hear(loop.request, loop)
        loop.answer(script.answer(loop.request, loop))
    found.hear(loop.request, loop)
    return found, asked, table


@pytest.mark.parametrize("kind", TABLES)
def test_nothing_that_is_hidden_can_be_learned(kind: str) -> None:
    told_apart = 0
    for seed in range(80):
        if seed >= 5 and told_apart:
            break
        table, ply = played(kind, seed)
        hand = table.hand.at(ply)
        moves, deck, rng = moves_of(hand), list(hand.at(0).deck), random.Random(seed)
        before, asked, _table = heard(kind, deck, moves)
        for viewer in before.sent:
            other = list(deck)
            places = hidden_places(hand, viewer)
            for place, card in zip(places, rng.sample([deck[place] for place in places], len(places)), strict=True):
                other[place] = card
            after, others_asked, _table = heard(kind, other, moves)
            told_apart += asked != others_asked
            assert before.sent[viewer] == after.sent[viewer]
    assert told_apart, "the cards that changed places never decided who is asked"


@pytest.mark.parametrize("kind", [kind for kind in TABLES if kind != "one person and computers"])
def test_everybody_entitled_is_asked_until_the_window_closes(kind: str) -> None:
    seats, more = TABLES[kind]
    windows = 0
    for seed in range(6):
        loop, rng = GameLoop(session(*seats, seed=str(seed), **more)), random.Random(seed)
        table = loop.session
        due: list[int] | None = None
        """Who is still to be asked; None while no window is open."""
        for _ in range(300):
            request = loop.request
            if isinstance(request, Event):
                assert request.kind is not EventKind.WINDOW_CLOSES or due == []
                due = None
            if due is None and table.state.window is not None:
                due = [seat for seat in table.hand.entitled if table.participants.humans[seat]]
                windows += 1
            elif isinstance(request, Ask) and due is not None:
                assert request.question.seat == due[0]
            answer = answer_at_random(request, loop, rng)
            if due is not None and isinstance(answer, PersonMove) and answer.move.action is Action.PASS:
                due.remove(answer.seat)
            loop.answer(answer)
    assert windows > 10


def test_a_hint_of_a_hidden_card_would_be_found() -> None:
    """The comparison itself: of a view that shows all hands it would tell."""
    table, ply = played("two at one keyboard", 1)
    hand = table.hand.at(ply)
    places, deck = hidden_places(hand, 0), list(hand.at(0).deck)
    other = list(deck)
    for place, card in zip(places, reversed([deck[place] for place in places]), strict=True):
        other[place] = card
    first = heard("two at one keyboard", deck, moves_of(hand))[2]
    second = heard("two at one keyboard", other, moves_of(hand))[2]
    assert first.view(0) == second.view(0)
    assert first.view(1) != second.view(1)
    assert first.view(None) == second.view(None)
