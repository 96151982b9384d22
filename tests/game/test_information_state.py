"""What a seat has seen: nothing hidden is in it, it tells how the table looks now, and its text can be read back."""

import dataclasses
import itertools
import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millebornes.cards import Card
from millebornes.editions import make_rules
from millebornes.errors import EditionError, MilleBornesError, NotationError
from millebornes.game import Drew, Hand, InformationState, Match, Move, Moved, Phase
from millebornes.game.events import events_after

TABLES = [("classic", 2, 2), ("classic", 4, 2), ("bsd", 2, 2), ("mille2", 2, 2), ("wikibooks", 3, 3), ("house", 6, 3)]


def hands(name: str, seats: int, sides: int, seed: int) -> Iterator[Hand]:
    """Every moment of a hand whose moves are made by chance, cards being played rather than thrown away."""
    chance = random.Random(seed)
    hand = Hand.deal(make_rules(name, seats, sides), seed, first=seed % seats)
    yield hand
    while not hand.is_over:
        legal = list(hand.legal_moves)
        plays = [move for move in legal if not move.text.startswith("-")]
        hand = hand.play(chance.choice(plays if plays and chance.random() < 0.7 else legal))
        yield hand


@pytest.mark.parametrize(("name", "seats", "sides"), TABLES)
def test_it_tells_how_the_table_looks_now(name: str, seats: int, sides: int) -> None:
    for hand in hands(name, seats, sides, 5):
        if hand.ply % 4 and hand.phase is Phase.PLAY:
            continue
        for seat in range(seats):
            state = InformationState.of(hand, seat, hand_number=3, match_target=4000)
            view, found = hand.view(seat, hand_number=3, match_target=4000), state.view
            if seat != hand.seat and hand.draw_pile == 0 and view.mover is None:
                found = dataclasses.replace(found, mover=None)  # nothing tells that somebody is asked (R5.5)
            assert found == view
            assert InformationState.parse(str(state)) == state


@pytest.mark.parametrize(("name", "seats", "sides"), TABLES)
def test_hidden_cards_may_lie_in_any_other_way(name: str, seats: int, sides: int) -> None:
    chance = random.Random(1)
    differ = 0
    for hand in hands(name, seats, sides, 6):
        if hand.seat is None or (hand.ply % 5 and hand.phase is Phase.PLAY):
            continue
        state = InformationState.of(hand, hand.seat)
        for _ in range(2):
            other = state.consistent_hand(chance)
            differ += other != hand
            assert InformationState.of(other, hand.seat) == state
            assert other.view(hand.seat) == hand.view(hand.seat)
    assert differ > 10


def test_it_grows_by_what_its_seat_gets_to_know() -> None:
    for seat in range(4):
        moments = list(hands("house", 4, 2, 2))
        state = InformationState.of(moments[0], seat)
        for before, after in itertools.pairwise(moments):
            asked = after.phase in (Phase.COUP, Phase.OPENING) and after.seat == seat
            state = state.after(*events_after(before, after), is_asked=asked, is_over=after.is_over)
            assert state == InformationState.of(after, seat)


def test_another_seat_learns_neither_cards_nor_passes() -> None:
    drew = Drew(1, 1, (Card.D25,))
    assert (drew.seen_by(0), drew.seen_by(1)) == (Drew(1, 1), drew)
    passed = Moved(1, Move.parse("pass"))
    assert (passed.seen_by(0), passed.seen_by(1)) == (None, passed)


def test_of_a_match_it_knows_where_that_stands() -> None:
    match = Match.start(make_rules("classic"), seed=3, match_target=3000)
    while not match.hand.is_over:
        match = match.play(match.hand.legal_moves[-1])
    match = match.next_hand()
    state = InformationState.of_match(match, 1)
    assert (state.hand_number, state.totals, state.match_target, state.first) == (2, match.totals, 3000, 1)
    assert state.view == match.view(1)


def test_a_position_has_no_past() -> None:
    hand = Hand.deal(make_rules("classic"), 1)
    with pytest.raises(MilleBornesError, match="the order in which the cards were drawn"):
        InformationState.of(Hand.parse(str(hand)), 0)
    with pytest.raises(IndexError, match="no seat 2"):
        InformationState.of(hand, 2)


START = "classic/2x2 0 1/none 0|0 0 25*2,50,75,ROL,STP "


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "7 fields"),
        (START + "x", "EVENTS, number 1: 'x' isn't an event"),
        (START + "0+100;0:roll;1:stop>0", r"number 3: seat 1 draws 1 before that \(R2.5\)"),
        (START + "0+100;0:jump", "number 2: 'jump' isn't a move"),
        (START + "0+100;0:100", "number 2: 100 is not legal"),
        (START + "0+100;1:roll", "number 2: it is seat 0's turn"),
        (START + "0+100,25", r"number 1: seat 0 draws 1, not 2 \(R2.5\)"),
        (START + "0+ACE;0:roll;1+1;1:extra_tank;1+1;1:right_of_way;1+1;1:driving_ace", "no more|not have that many"),
        (START + "0+100;0:roll;1+1;1:pass", r"no one can see that seat 1 passed \(R5.5\)"),
        (START + "0+100;?", r"cannot be asked for a coup fourré now"),
        (START + "0+100;0:roll;1+200", "EVENTS: '200' is not allowed|number 3"),
        (START.replace("25*2,50", "25*2") + "-", "DEALT: 5 cards instead of 6"),
        (START.replace("1/none", "1") + "-", "MATCH"),
        (START.replace("0|0", "0|0|0") + "-", "TOTALS: 3 parts for 2 sides"),
    ],
)
def test_what_cannot_be_is_refused(text: str, said: str) -> None:
    with pytest.raises(NotationError, match=said):
        InformationState.parse(text)


@given(data=st.data())
def test_a_spoiled_text_is_read_or_refused(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TEXTS))
    place = data.draw(st.integers(0, len(text) - 1))
    spoiled = text[:place] + data.draw(st.text("0123456789+:;?.*,|/ -ROLSTPACE>x\x00é", max_size=3)) + text[place + 1 :]
    try:
        state = InformationState.parse(spoiled)
    except (NotationError, EditionError):
        return
    assert InformationState.parse(str(state)) == state
    assert state.view.seat == state.seat


TEXTS = [str(InformationState.of(hand, hand.ply % 2)) for hand in list(hands("house", 4, 2, 9))[::9]]
