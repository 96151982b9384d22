"""What a hand and a view say of a coup fourré: who may be asked, and that nobody can tell who is (R5.1, R5.5, R5.6)."""

import random

import pytest

from millebornes.cards import Card
from millebornes.editions import make_rules
from millebornes.game import Hand, Pending, Phase, shuffled_deck

TABLES = [(2, 2), (3, 3), (4, 2), (6, 3)]


def lay(first_cards: dict[int, str], seats: int, sides: int, **settings: object) -> Hand:
    """A hand in which some seats are dealt these cards, and nobody holds any other safety."""
    rules = make_rules("classic", seats, sides, {"hand_size": 3, **settings})
    left = sorted(shuffled_deck(rules, 1), key=lambda card: card.group == "safety")
    deck: list[Card | None] = [None] * (3 * seats)
    for seat, cards in first_cards.items():
        for n, card in enumerate(cards.split()):
            deck[seat + n * seats] = Card(card)
            left.remove(Card(card))
    return Hand.from_deck(rules, [card or left.pop(0) for card in deck] + left)


def test_r5_1_a_hazard_raises_the_question_whoever_holds_the_answer() -> None:
    hand = lay({0: "roll stop", 1: "roll"}, 3, 3).play_all(["roll", "roll", "-25", "stop>1"])
    assert (hand.phase, hand.coup_question, hand.entitled) == (Phase.PLAY, Card.RIGHT_OF_WAY, (1,))
    assert hand.latest_hazard == Pending(Card.STOP, 1, 0)
    assert hand.apparent_seat == hand.seat == 1
    later = hand.play(next(move for move in hand.legal_moves if move.target is None))
    assert (later.coup_question, later.entitled, later.latest_hazard) == (None, (), None)


def test_r5_5_nobody_is_asked_for_a_safety_that_lies_open() -> None:
    hand = lay({0: "speed_limit", 1: "speed_limit right_of_way"}, 3, 3)
    hand = hand.play_all(["speed_limit>2", "right_of_way", "speed_limit>0"])
    assert hand.latest_hazard == Pending(Card.SPEED_LIMIT, 0, 1)
    assert (hand.coup_question, hand.entitled) == (None, ())


def test_r5_1_anyone_is_asked_from_the_left_of_the_attacker_on() -> None:
    hand = lay({0: "roll", 1: "stop"}, 4, 2, coup_by="anyone").play_all(["roll", "stop>0"])
    assert hand.entitled == (2, 3, 0, 1)


@pytest.mark.parametrize(("seats", "sides"), TABLES)
def test_r5_5_hidden_cards_change_nothing(seats: int, sides: int) -> None:
    """The same moves with the safety in the victim's hand, and at the bottom of the pile, look the same."""
    cards = {0: "stop", 1: "roll right_of_way", 2: "roll"} if seats > 2 else {0: "roll stop", 1: "roll right_of_way"}
    held = lay(cards, seats, sides, targets="all")
    hidden = lay({seat: text.replace(" right_of_way", "") for seat, text in cards.items()}, seats, sides, targets="all")
    one, other = held, hidden
    for _ in range(seats):
        text = "roll" if one.seat == 1 else next(m.text for m in one.legal_moves if m.text in other.legal_moves.texts)
        one, other = one.play(text), other.play(text)
    one, other = one.play("stop>1"), other.play("stop>1")
    assert (one.phase, one.seat, other.phase) == (Phase.COUP, 1, Phase.PLAY)
    assert one.coup_question == other.coup_question == Card.RIGHT_OF_WAY
    assert one.entitled == other.entitled
    assert one.latest_hazard == other.latest_hazard
    assert one.apparent_seat == other.apparent_seat
    for seat in range(seats):
        assert one.view(seat).asked_for is (Card.RIGHT_OF_WAY if seat == 1 else None)
        assert other.view(seat).asked_for is None


def test_r5_6_the_opening_call() -> None:
    hand = lay({2: "right_of_way"}, 3, 3, opening_right_of_way=True)
    assert (hand.phase, hand.seat, hand.apparent_seat) == (Phase.OPENING, 2, 0)
    assert (hand.coup_question, hand.entitled) == (Card.RIGHT_OF_WAY, (0, 1, 2))
    assert [hand.view(seat).asked_for for seat in range(3)] == [None, None, Card.RIGHT_OF_WAY]
    parsed = Hand.parse(str(hand))
    assert (parsed.coup_question, parsed.entitled, parsed.apparent_seat) == (Card.RIGHT_OF_WAY, (0, 1, 2), 0)
    begun = hand.play("pass")
    assert (begun.coup_question, begun.entitled, begun.apparent_seat) == (None, (), 0)
    nobody = lay({}, 3, 3, opening_right_of_way=True)
    assert (nobody.phase, nobody.coup_question, nobody.entitled) == (Phase.PLAY, Card.RIGHT_OF_WAY, (0, 1, 2))
    assert Hand.parse(str(nobody)).coup_question is None  # a position does not tell that the hand begins here


def test_r2_6_the_apparent_seat_is_never_one_that_is_passed_over() -> None:
    asked = Hand.parse(
        "classic/3x3/hand_size=3,deck=25*6+FLT*1+ROL*2+PPF*1 "
        "ROL:-:-:-|-:-:-:-|FLT/ROL:-:-:- 25|-|25,PPF - 25*4 FLT,ROL*2 coup:2:FLT>2:0 0 -"
    )
    assert (asked.seat, asked.apparent_seat, asked.entitled) == (2, 2, (2,))
    assert asked.latest_hazard == asked.pending
    assert asked.drawn == 0


@pytest.mark.parametrize(
    ("hands", "move", "seat", "skipped"),
    [
        ("25,ACE|-|25", "driving_ace", 0, ()),  # R4.6: another turn, so that it comes to nobody else
        ("ACE|-|25*2", "driving_ace", 2, (0, 1)),
        ("25,ACE|-|25", "-25", 2, (1,)),
        ("25,ACE|25|-", "-25", 1, ()),
    ],
)
def test_r2_6_the_seats_that_are_left_out(hands: str, move: str, seat: int, skipped: tuple[int, ...]) -> None:
    deck = "25*6+ACE*1+ROL*2"
    hand = Hand.parse(
        f"classic/3x3/hand_size=3,deck={deck} ROL:-:-:-|ROL:-:-:-|-:-:-:- {hands} - 25*4 ROL*2 play:0 0 -"
    )
    after = hand.play(move)
    assert (after.seat, after.skipped) == (seat, skipped)
    assert hand.skipped == ()  # a position does not tell what was before


def test_r5_3_the_seats_that_a_coup_costs_their_turn() -> None:
    hand = lay({0: "roll stop", 3: "roll right_of_way"}, 4, 4).play_all(["roll", "-25", "-25", "roll", "stop>3"])
    assert (hand.phase, hand.skipped) == (Phase.COUP, ())
    called, passed = hand.play("right_of_way!"), hand.play("pass")
    assert (called.seat, called.skipped) == (3, (1, 2))
    assert (passed.seat, passed.skipped) == (1, ())


def test_drawn_counts_what_the_seat_that_decides_has_drawn() -> None:
    rng = random.Random(4)
    hand = Hand.deal(make_rules("classic", 3, 3, {"hand_size": 3}), 5)
    assert hand.drawn == 1
    while not hand.is_over:
        before, hand = hand, hand.play(rng.choice(hand.legal_moves))
        assert hand.drawn == before.draw_pile - hand.draw_pile
