"""Every move that can be written, on every state: it is legal and can be played, or it is refused with a clause."""

import random
import re

import pytest

from millebornes.cards import HAZARDS, SAFETIES, Card
from millebornes.editions import make_rules
from millebornes.errors import IllegalMoveError, NotationError, TranscriptError
from millebornes.game import Hand, Move
from millebornes.game.view import View
from millebornes.notation import hand_line, header_line, read_match, replay_lines
from millebornes.rules.clauses import Reason
from millebornes.themes import theme
from tests.reference.randoms import Style, random_rules, shuffled_deck

TABLES = [(seats, sides) for seats in range(2, 9) for sides in range(2, seats + 1) if seats % sides == 0]

TEXTS = (
    *("pass", "extend", "finish", "200=roll"),
    *(f"-{card}" for card in Card),
    *(f"{card}!" for card in SAFETIES),
    *(card.value for card in Card if card not in HAZARDS),
    *(f"{card}>{side}" for card in HAZARDS for side in range(8)),
)


def check_hand(hand: Hand, text: str, legal: bool) -> None:
    move = Move.parse(text)
    assert (move in hand.legal_moves, text in hand.legal_moves) == (legal, legal)
    assert (hand.legal_moves.code(move) is not None) == legal
    reason = hand.why_not(move)
    assert (reason is None) == legal, (str(hand), text)
    if reason is None:
        assert hand.play(move).move == move
        return
    with pytest.raises(
        IllegalMoveError, match=re.escape(f"{text} is not legal: {theme().worded(reason.text)} ({reason.clause}); ")
    ):
        hand.play(text)


def check_view(view: View, text: str, legal: bool) -> None:
    """``legal``: the hand allows the move, and it is for this seat to make."""
    assert (text in view.legal_moves) == legal
    assert (view.why_not(text) is None) == legal


def check_all_moves(hand: Hand) -> None:
    texts = hand.legal_moves.texts
    assert set(texts) <= set(TEXTS)
    for text in TEXTS:
        check_hand(hand, text, text in texts)
        for seat in range(hand.rules.seats):
            check_view(hand.view(seat), text, seat == hand.seat and text in texts)


def test_the_texts_are_all_that_there_are() -> None:
    assert len(set(TEXTS)) == len(TEXTS) == 4 + 19 + 4 + 14 + 5 * 8
    wrong = ["stop", "stop>8", "stop>-1", "25>1", "roll=200", "-stop>1", "stop!", "", "coup", "0" * 5000, "stop>\u0661"]
    for text in wrong:
        with pytest.raises(NotationError):
            Move.parse(text)


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_every_move_is_legal_or_refused_with_a_clause(number: int) -> None:
    rng = random.Random(number)
    rules = random_rules(rng, TABLES[number]).replace({"targets": ("all", "left")[number % 2]})
    hand = Hand.from_deck(rules, shuffled_deck(rng, rules), rng.randrange(rules.seats))
    style = Style(rng)
    while not hand.is_over:
        if rng.random() < 0.08:
            check_all_moves(hand)
        hand = hand.play(style.pick(list(hand.legal_moves.texts)))
    check_all_moves(hand)


@pytest.mark.parametrize("sides", [3, 8])
def test_hazards_on_sides_out_of_reach(sides: int) -> None:
    rules = make_rules("classic", sides, sides, {"targets": "left"})
    hand = next(hand for seed in range(99) if Card.SPEED_LIMIT in (hand := Hand.deal(rules, seed)).cards(0))
    assert hand.why_not("speed_limit>1") is None
    for side in range(2, sides):
        assert hand.why_not(f"speed_limit>{side}") is hand.view(0).why_not(f"speed_limit>{side}") is Reason.NOT_LEFT
        with pytest.raises(IllegalMoveError, match=r"on your left \(R4\.9\)"):
            hand.play(f"speed_limit>{side}")
        lines = [header_line(rules), hand_line(hand, 1).replace('"moves":[]', f'"moves":["speed_limit>{side}"]')]
        for read in (read_match, lambda found: list(replay_lines(found))):
            with pytest.raises(TranscriptError, match=rf"ply 0: speed_limit>{side} is not legal: .*\(R4\.9\); legal: "):
                read(lines)
    assert hand.why_not("speed_limit>0") is Reason.OWN_SIDE
    if sides < 8:
        assert hand.why_not(f"speed_limit>{sides}") is Reason.NO_SUCH_SIDE
