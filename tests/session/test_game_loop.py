"""The game loop without a screen: whole games of every kind, by random answers."""

import dataclasses
import random
from typing import Any, TypeVar, cast

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from millebornes.errors import AnswerError, PlayerError
from millebornes.game import Action, Match, Move, Phase
from millebornes.i18n import translator
from millebornes.players import RandomPlayer, Table
from millebornes.players.registry import player
from millebornes.session.game_loop import GameLoop
from millebornes.session.game_session import GameSession
from millebornes.session.requests import (
    Another,
    Ask,
    Compute,
    ComputerMove,
    Continue,
    Event,
    EventKind,
    PassKeyboard,
    PersonMove,
    RecordResult,
    Save,
    TakeBack,
    Trouble,
)
from millebornes.session.saving import Saver
from millebornes.storage import load_results
from millebornes.storage.saves import match_seed
from millebornes.table.questions import Coup, Extension, Turn
from millebornes.themes import theme
from tests.session.driving import HUMAN, Saves, answer_at_random, requests, session

T = TypeVar("T")


def loop_of(*seats: str, **more: Any) -> GameLoop:
    table = session(*seats, **more)
    return GameLoop(table, cast(Saver, Saves(table)))


def until(loop: GameLoop, rng: random.Random, kind: type[T]) -> T:
    """Play on to the next request of a kind."""
    while True:
        request: object = loop.request
        if isinstance(request, kind):
            return request
        loop.answer(answer_at_random(loop.request, loop, rng))


def saves_of(loop: GameLoop) -> Saves:
    return cast(Saves, loop._saver)


H, C = HUMAN, "random"

GAMES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "one person": ((H, C), {}),
    "one person and many computers": ((C, H, C, C, C, C), {"sides": 3}),
    "two at one keyboard": ((H, H), {"target": 600}),
    "partners at one keyboard": ((H, C, H, C), {"sides": 2}),
    "six at one keyboard": ((H,) * 6, {"target": None}),
    "four at one keyboard, and computers": ((H, H, C, H, H, C), {"sides": 2}),
    "only computers": ((C, C, C), {}),
    "a coup by anyone": ((H, H, H, C), {"name": "house", "set": {"coup_by": "anyone"}}),
    "the opening call": ((H, H, C), {"set": {"opening_right_of_way": True}}),
    "cards picked by hand": ((H, H), {"manual_pick": True}),
}


@pytest.mark.parametrize("kind", GAMES)
@settings(deadline=None, max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6))
def test_whole_games(kind: str, seed: int) -> None:
    """Hand after hand, match after match: questions go to whom they concern, and nothing is lost between."""
    seats, more = GAMES[kind]
    loop, rng = loop_of(*seats, seed=str(seed), **more), random.Random(seed)
    table, ended = loop.session, 0
    for request in requests(loop, rng, 3000):
        if isinstance(request, Event):
            ended += request.kind is EventKind.END
            if ended == 3:
                break
        if not isinstance(request, Ask):
            continue
        assert saves_of(loop).kept[-1].match.hand is table.hand
        match request.question:
            case PassKeyboard(at):
                assert len(table.participants.people) > 1
                assert loop.viewer is None
            case Turn(at) | Extension(at):
                assert at == table.hand.seat == request.turn == loop.viewer
            case Coup(at, safety, holds):
                assert loop.viewer == at
                assert holds or len(table.participants.people) > 1
                assert holds == (table.hand.seat == at and table.hand.phase in {Phase.COUP, Phase.OPENING})
                assert not holds or safety in table.hand.cards(at)
            case Another():
                assert table.hand.is_over or table.is_over
                assert loop.viewer is None or len(table.participants.people) == 1
    assert ended == 3


def test_computer_players_play_as_at_a_bare_table() -> None:
    loop, rng = loop_of("basic", "random", seed="9", target=2000), random.Random(1)
    for request in requests(loop, rng, 10_000):
        if isinstance(request, Event) and request.kind is EventKind.END and loop.session.is_over:
            break
    match = Match.start(loop.session.rules, match_seed("9", 1), match_target=2000)
    bare = Table(match, [player("basic"), player("random")], match_seed("9", 1))
    bare.play_match()
    assert loop.session.match.hands == bare.match.hands
    assert loop.session.match.hand_number > 1


@pytest.mark.parametrize("seats", [(H, C), (H, H), (C, H, H)])
@settings(deadline=None, max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6))
def test_practice_with_moves_taken_back(seats: tuple[str, ...], seed: int) -> None:
    loop, rng = loop_of(*seats, seed=str(seed), practice=True), random.Random(seed)
    taken = 0
    for _ in range(400):
        request = loop.request
        answer = answer_at_random(request, loop, rng, take_back=0.15)
        point = loop.session.undo_point(answer.seat) if isinstance(answer, TakeBack) else None
        following = loop.answer(answer)
        if not isinstance(answer, TakeBack):
            continue
        taken += 1
        assert loop.session.hand is point
        assert isinstance(following, Save)
        event = loop.answer(following.run())
        assert isinstance(event, Event)
        assert (event.kind, event.seat) == (EventKind.TAKEN_BACK, answer.seat)
        assert event.lines(answer.seat) == ["You take your move back."]
    assume(taken)  # of few seeds nobody takes a move back


def test_after_taking_back_at_the_end_of_a_hand_the_keyboard_passes_first() -> None:
    loop, rng = loop_of(H, H, practice=True), random.Random(3)
    for request in requests(loop, rng, 3000):
        if isinstance(request, Ask) and isinstance(request.question, Another):
            break
    seat = loop.session.latest_person
    assert seat is not None
    loop.answer(TakeBack(seat))
    assert until(loop, rng, Ask).question == PassKeyboard(seat)


def test_a_computer_player_that_breaks_the_rules_forfeits() -> None:
    loop, rng = loop_of(H, C, C), random.Random(2)
    seat = until(loop, rng, Compute).seat
    loop.answer(ComputerMove(None, PlayerError("it sulks")))
    kinds = []
    while not isinstance(loop.request, Ask):
        if isinstance(loop.request, Event):
            kinds.append((loop.request.kind, loop.request.lines(0)))
        loop.answer(answer_at_random(loop.request, loop, rng))
    told = [f"n{seat} forfeits the match: it it sulks."]
    assert kinds == [(EventKind.FORFEIT, told), (EventKind.END, told)]
    assert until(loop, rng, Ask).question == Another()
    assert saves_of(loop).kept[-1].forfeit is not None
    (kept,) = load_results().matches
    assert kept.loser == loop.session.rules.side_of(seat)
    loop.answer(Continue())
    assert loop.session.number == 2
    assert loop.session.loss is None


class Deaf(RandomPlayer):
    """A player of another package that breaks at what it is told."""

    name = "deaf"

    def __init__(self, at: str) -> None:
        super().__init__()
        self._at = at
        self._left = 5 if at == "moved" else 1

    def moved(self, seat: int, move: Move) -> None:
        self._break("moved")

    def hand_started(self, *_: object) -> None:
        self._break("hand_started")

    def match_started(self, *_: object) -> None:
        self._break("match_started")

    def _break(self, at: str) -> None:
        self._left -= self._at == at
        if self._left < 0:
            raise ZeroDivisionError


@pytest.mark.parametrize("at", ["moved", "hand_started"])
def test_a_computer_player_that_breaks_at_what_it_is_told_forfeits(at: str) -> None:
    begun = session(H, C, target=None).saved()
    game = dataclasses.replace(begun, seats=(H, "deaf"))
    table = GameSession(game, None, theme("english"), translator("en"), players=(None, Deaf(at)))
    loop, rng = GameLoop(table), random.Random(1)
    narrations = []
    for request in requests(loop, rng, 3000):
        if isinstance(request, Event):
            narrations.append((request.kind, request.lines(None)))
        if isinstance(request, Ask) and isinstance(request.question, Another) and table.loss is not None:
            break
    assert table.loss is not None
    told = [f"n1 forfeits the match: it raised ZeroDivisionError ({at})."]
    assert narrations[-2:] == [(EventKind.FORFEIT, told), (EventKind.END, told)]
    assert narrations[-3][0] is (EventKind.MOVE if at == "moved" else EventKind.END)
    assert told[0] not in narrations[-3][1]


def loop_with_deaf(**more: Any) -> GameLoop:
    """A game against a player that breaks when the second match begins."""
    game = dataclasses.replace(session(H, C, **more).saved(), seats=(H, "deaf"))
    table = GameSession(game, None, theme("english"), translator("en"), players=(None, Deaf("match_started")))
    return GameLoop(table, cast(Saver, Saves(table)))


def test_a_computer_player_that_breaks_at_the_next_match_forfeits_it() -> None:
    loop, rng = loop_with_deaf(target=100), random.Random(1)
    while not loop.session.is_over:
        loop.answer(answer_at_random(loop.request, loop, rng))
    assert loop.session.loss is None
    until(loop, rng, Ask)
    won = list(loop.session.games)
    loop.answer(Continue())
    told = ["n1 forfeits the match: it raised ZeroDivisionError (match_started)."]
    narrations = []
    while not isinstance(loop.request, Ask):
        if isinstance(loop.request, Event):
            narrations.append((loop.request.kind, loop.request.lines(None)))
        loop.answer(answer_at_random(loop.request, loop, rng))
    assert narrations == [(EventKind.FORFEIT, told), (EventKind.END, told)]
    assert (loop.session.number, loop.session.winner) == (2, 0)
    assert loop.session.games == [won[0] + 1, won[1]]
    assert saves_of(loop).kept[-1].forfeit is not None
    assert [match.loser for match in load_results().matches] == [None, 1]


def test_a_computer_player_that_breaks_when_a_move_is_taken_back_forfeits() -> None:
    loop, rng = loop_with_deaf(practice=True), random.Random(1)
    while loop.session.undo_point(0) is None:
        loop.answer(answer_at_random(loop.request, loop, rng))
    until(loop, rng, Ask)
    loop.answer(TakeBack(0))
    event = until(loop, rng, Event)
    while event.kind is not EventKind.FORFEIT:
        loop.answer()
        event = until(loop, rng, Event)
    assert event.lines(None) == ["n1 forfeits the match: it raised ZeroDivisionError (match_started)."]
    assert loop.session.loss is not None


def test_a_mistake_of_a_player_of_this_package_is_no_forfeit() -> None:
    loop, rng = loop_of(H, C), random.Random(2)
    compute = until(loop, rng, Compute)

    def choose() -> Move:
        raise ZeroDivisionError

    loop.session.computers.choose = choose  # type: ignore[method-assign]
    with pytest.raises(ZeroDivisionError):
        compute.run()
    loop.session.seats = (H, "of another package")
    assert isinstance(compute.run().error, ZeroDivisionError)


def test_what_cannot_be_saved_is_told_and_the_game_goes_on() -> None:
    loop, rng = loop_of(H, C), random.Random(2)
    saves_of(loop).trouble = "No room."
    before, told = None, 0
    for request in requests(loop, rng, 100):
        if isinstance(before, Save):
            assert request == Trouble("No room.")
            told += 1
        before = request
    assert told > 3


def test_a_finished_hand_is_recorded_once_and_after_it_was_saved() -> None:
    loop, rng = loop_of(H, C, target=None), random.Random(5)
    order = []
    for request in requests(loop, rng, 3000):
        if isinstance(request, RecordResult):
            assert saves_of(loop).kept[-1].match.hand.is_over
            order.append("record")
        elif isinstance(request, Event) and request.kind in {EventKind.END, EventKind.HAND}:
            order.append(request.kind.value)
    assert order[:6] == ["hand", "record", "end", "hand", "record", "end"]
    assert len(load_results().hands) == order.count("record")


def test_wrong_answers_are_refused_and_change_nothing() -> None:
    loop, rng = loop_of(H, H, practice=True), random.Random(1)
    wrong = [
        None,
        "text",
        ComputerMove(None),
        Continue(1),
        PersonMove(1, Move(Action.PASS)),
        PersonMove(0, Move(Action.EXTEND)),
        TakeBack(1),
    ]
    for _ in range(200):
        request, before = loop.request, loop.session.saved()
        for answer in wrong:
            asked = (request.question,) if isinstance(request, Ask) else ()
            fits: dict[type, list[object]] = {
                Event: [None],
                Trouble: [None],
                Save: [None, "text"],
                RecordResult: [None, "text"],
                Compute: [ComputerMove(None)],
            }
            if answer in fits.get(type(request), []) or (
                isinstance(answer, PersonMove | Continue) and answer.seat in {question.seat for question in asked}
            ):
                continue
            if isinstance(answer, TakeBack) and asked and loop.session.undo_point(answer.seat) is not None:
                continue
            with pytest.raises(AnswerError):
                loop.answer(answer)
            assert loop.request is request
            assert loop.session.saved() == before
        loop.answer(answer_at_random(request, loop, rng))


def test_a_move_that_is_not_legal_is_refused_with_those_that_are() -> None:
    loop, rng = loop_of(H, C), random.Random(1)
    until(loop, rng, Ask)
    with pytest.raises(AnswerError, match=r"extend is not legal: .*; possible: "):
        loop.answer(PersonMove(0, Move(Action.EXTEND)))
    legal = loop.session.hand.legal_moves[0]
    places = [place for place, card in enumerate(loop.session.slots[0].cards, 1) if card is not legal.card]
    with pytest.raises(AnswerError, match=rf"seat 0 has no {legal.card} in place {places[0]}"):
        loop.answer(PersonMove(0, legal, places[0]))
    with pytest.raises(AnswerError, match=r"Continue|Decision"):
        loop.answer(Continue(0))


def test_cards_picked_by_hand_come_before_the_move() -> None:
    loop, rng = loop_of(H, C, manual_pick=True), random.Random(1)
    until(loop, rng, Ask)
    move = loop.session.hand.legal_moves[0]
    with pytest.raises(AnswerError, match="first pick the cards"):
        loop.answer(PersonMove(0, move))
    loop.session.pick()
    loop.answer(PersonMove(0, move))


def test_who_does_not_hold_the_safety_can_only_pass() -> None:
    for seed in range(50):
        loop, rng = loop_of(H, H, seed=str(seed)), random.Random(seed)
        for request in requests(loop, rng, 200):
            question = request.question if isinstance(request, Ask) else None
            if isinstance(question, Coup) and not question.holds:
                with pytest.raises(AnswerError, match="possible: pass"):
                    loop.answer(PersonMove(question.seat, Move(Action.COUP, question.safety)))
                return
    raise AssertionError("nobody was ever asked")


def test_a_match_that_is_over_is_asked_about_again() -> None:
    """What was saved at its end is gone on with there."""
    loop, rng = loop_of(H, C, target=1), random.Random(1)
    while not loop.session.is_over:
        loop.answer(answer_at_random(loop.request, loop, rng))
    again = GameLoop(GameSession(loop.session.saved(), None, loop.session.theme, loop.session.translate))
    assert isinstance(again.request, RecordResult)
    assert again.answer(None) == Event(EventKind.END, None, until(again, rng, Event).narrations)
    assert until(again, rng, Ask).question == Another()
    assert again.session.saved() == loop.session.saved()
