"""A moment put before one person: exactly what the seat had seen, whatever is hidden."""

import random

import pytest

from millebornes.cards import Card
from millebornes.game import InformationState, Match, Phase
from millebornes.i18n import translator
from millebornes.players.registry import player
from millebornes.session.game_session import GameSession
from millebornes.session.log import log_lines
from millebornes.session.puzzle import puzzle_session
from millebornes.storage import Preferences
from millebornes.themes import theme
from millebornes.words.words import Words
from tests.analysis.asked import asked_for_coup, states


def sit(state: InformationState, *names: str, **preferences: object) -> GameSession:
    wishes = Preferences(**preferences)  # type: ignore[arg-type]
    return puzzle_session(state, names, wishes, Words(translator("en"), theme("english")))


@pytest.mark.parametrize("seats", [2, 4])
def test_the_seat_sees_what_it_saw(seats: int) -> None:
    for state in states(seats):
        session = sit(state, manual_pick=True)
        view = session.view(state.seat)
        assert view == state.view
        assert session.participants.people == (state.seat,)
        slots = session.slots[state.seat]
        assert slots.held == view.hand
        before = [card for card in slots.cards if card is not None and card not in session.hand.drawn_cards]
        assert before == sorted(before, key=list(Card).index)


def test_a_question_of_a_coup_fourre_is_put() -> None:
    state = asked_for_coup().state
    session = sit(state)
    assert session.hand.phase is Phase.COUP
    assert session.hand.seat == state.seat
    assert session.hand.coup_question is not None


def later_hand() -> InformationState:
    """A seat's view in the second hand of a match."""
    rng, basic = random.Random(2), player("basic")
    match = Match.start(next(states()).rules, "9", players=("Ann", "Bo"))
    while match.hand_number < 2 or match.hand.ply < 9:
        if match.hand.is_over:
            match = match.next_hand()
            continue
        assert match.hand.seat is not None
        view = match.view(match.hand.seat)
        match = match.play(basic.choose(view, view.legal_moves, rng))
    assert match.hand.seat is not None
    return InformationState.of_match(match, match.hand.seat)


def test_a_later_hand_has_its_number_its_points_and_its_log_alone() -> None:
    state = later_hand()
    session = sit(state, "Ann", "Bo")
    assert session.match.hand_number == 2
    assert session.match.totals == state.totals
    assert session.view(state.seat) == state.view
    (hand,) = log_lines(session, state.seat)
    assert hand.number == 2
    assert hand.lines


def test_the_log_tells_nothing_of_hidden_cards() -> None:
    """Other hidden cards that fit give the same log, line by line."""
    for state in [later_hand(), *list(states(2))[::7]]:
        told = {
            log_lines(session, state.seat)
            for session in (sit(state, "Ann", "Bo"), sit(_hidden_otherwise(state), "Ann", "Bo"))
        }
        assert len(told) == 1


def _hidden_otherwise(state: InformationState) -> InformationState:
    """The same, as somebody says it whose hidden cards lay otherwise."""
    hand = state.consistent_hand(random.Random(3))
    return InformationState.of(hand, state.seat, state.totals, state.hand_number, state.match_target)
