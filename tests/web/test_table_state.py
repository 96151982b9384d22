"""What follows from a log: always the same, and for each viewer no more than it may know."""

import contextlib
import gc
import json
import random
import tracemalloc
from typing import Any

import msgspec
import pytest

from millebornes.editions import make_rules
from millebornes.errors import MilleBornesError
from millebornes.game import Action, Move
from millebornes.i18n import translator
from millebornes.table.commands import Terms, begin, next_hand
from millebornes.table.facts import (
    Agreed,
    ChatSent,
    Closed,
    Fact,
    HandDealt,
    Left,
    LogError,
    MoveMade,
    Proposed,
    Requested,
    Returned,
    Shuffled,
    Undone,
    read_fact,
    write_fact,
)
from millebornes.table.log import fold
from millebornes.table.questions import Coup
from millebornes.table.refusal import CommandError
from millebornes.table.state import TableState, may_undo
from millebornes.table.steps import MAX_HANDS, Pace, StepKind, due_of, steps_of
from millebornes.themes import theme
from millebornes.web.pages.locale_text import PageWords
from millebornes.words.activity import activity_lines
from tests.web.golden import DATA, GOLDEN, digest_of, kept, missing
from tests.web.leaks import look
from tests.web.playing import Game, codes, created

PROPOSED = Proposed(at=1, seat=1, rules=str(make_rules("mille2", 3, 3)), match_target=None, coup_window=500)
ENGLISH = PageWords(translator("en"), theme())
TABLES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "two": (("me", "open"), {"clock": (60_000, 1000)}),
    "computer": (("me", "casual"), {"edition": "bsd", "settings": {"coup_by": "anyone"}}),
    "three": (("me", "open", "basic"), {"edition": "house"}),
    "partners": (("open", "me", "casual", "open"), {"edition": "wikibooks"}),
    "six": (("me", "open", "open", "basic", "open", "open"), {"edition": "house", "sides": 3}),
    "eight": (("me",) + ("open",) * 7, {"edition": "mille2", "sides": 4, "settings": {"coup_by": "anyone"}}),
}


def played(kind: str, seed: int, steps: int, wishes: float = 0.0) -> Game:
    places, more = TABLES[kind]
    game = Game(created(*places, **more), seed, comings=0.04, wishes=wishes)
    for _ in range(steps):
        game.step()
    return game


@pytest.mark.parametrize("kind", TABLES)
def test_the_same_log_gives_the_same_table(kind: str) -> None:
    game = played(kind, 1, 400, wishes=0.06)
    again = fold([read_fact(write_fact(event)) for event in game.log])
    assert again.messages == game.state.messages
    assert (again.version, again.seq, again.window) == (game.state.version, game.state.seq, game.state.window)
    viewers = [None, *range(len(again.humans))]
    for viewer in viewers:
        assert look(again, viewer) == look(game.state, viewer)
    versions = [message.version for message in again.messages]
    assert versions == list(range(again.floor + 1, again.version + 1))


def test_old_messages_are_let_go() -> None:
    game = Game(created("me", "open", match_target=None), 3)
    while game.state.next_hand[1] < 6:
        game.step()
    hands = [message for message in game.state.messages if message.event == "hand"]
    assert 1 <= len(hands) <= 2
    assert game.state.floor > 0


def test_a_table_takes_little_memory() -> None:
    """However many hands it has played; what all tables share is made before."""
    for seed in range(2):
        played("two", seed, 1000)
    kept, sizes = [], []
    tracemalloc.start()
    try:
        for seed in range(2, 4):
            game = Game(created("me", "open", match_target=None), seed)
            while game.state.next_hand[1] < 6:
                game.step()
            game.log.clear()
            kept.append(game)
            gc.collect()
            sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert sizes[-1] / len(kept) < 350_000, "bytes; with finished hands and questions as they were made, 500,000"


def test_a_window_is_the_same_for_all() -> None:
    """Its times follow from the log before it, not from any hand; and nobody is asked but the holder."""
    windows = 0
    for seed in range(6):
        game = Game(created("me", "open", "open", edition="house", coup_window=900), seed)
        for _ in range(300):
            game.step()
            state = game.state
            if state.window is None:
                continue
            windows += 1
            assert state.window.until - state.window.opened == 900
            assert state.window.opened < state.window.call_at < state.window.until
            asked = [seat for seat in range(3) if isinstance(state.question(seat), Coup)]
            assert asked in ([], [state.deciding()])
            assert due_of(state, Pace()) == state.window.until
    assert windows > 20


def test_a_pass_is_no_fact() -> None:
    game = played("two", 1, 300)
    assert not any(isinstance(event, MoveMade) and event.move == "pass" for event in game.log)
    assert game.state.match is not None
    passes = [m for hand in game.state.match.hands for m in hand.moves if m == Move(Action.PASS)]
    assert len(passes) <= sum(isinstance(event, Closed) for event in game.log)


def test_logs_that_are_none() -> None:
    begun = created("me", "open")
    with pytest.raises(LogError, match="does not begin with a table"):
        fold([Closed(at=1)])
    with pytest.raises(LogError, match="version 0 of the rules"):
        fold([msgspec.structs.replace(begun, rules_version=0)])
    with pytest.raises(LogError, match="before the first hand"):
        fold([begun, MoveMade(at=1, seat=0, move="25")])
    game = played("two", 1, 5)
    with pytest.raises(LogError, match="a window was closed"):
        game.do(Closed(at=1))


def test_steps() -> None:
    pace = Pace(entropy=1000, move=10, hand=100)
    state = fold([created("basic", "casual", at=5)])
    assert [step.task for step in steps_of(state, pace)] == [StepKind.SHUFFLE]
    state.apply(Shuffled(at=7, match=1, hand=1, server_seed="00" * 32))
    assert steps_of(state, pace)[0][:2] == (StepKind.DEAL, 7)
    state.apply(HandDealt(at=8, match=1, hand=1, deck=codes(state.deck())))
    assert tuple(steps_of(state, pace)[0]) == (StepKind.THINK, 18, 0)
    assert steps_of(fold([created("me", "open")]), pace) == []


def test_computers_among_themselves_come_to_an_end() -> None:
    short = {"goal": 100, "extension_goal": None, "deck": {"25": 30, "roll": 10, "right_of_way": 1}}
    game = Game(created("basic", "casual", match_target=None, settings=short), 1, forfeits=0)
    while game.state.next_hand[1] <= MAX_HANDS or game.state.status != "hand_over":
        assert steps_of(game.state, Pace())
        game.step()
    assert steps_of(game.state, Pace()) == []


@pytest.mark.parametrize("name", GOLDEN)
def test_a_log_of_an_earlier_version_gives_the_same_table(name: str) -> None:
    """What stands in databases stays readable, and nobody's versions and messages change by it.

    Where this fails, either it is a mistake, or `RULES_VERSION` and the file have to change.
    """
    lines = (DATA / name).read_bytes().splitlines()
    log = [read_fact(line) for line in lines]
    assert [write_fact(event).encode() for event in log] == lines
    assert digest_of(log) == GOLDEN[name]


def test_logs_of_earlier_versions_hold_every_fact_and_field_with_and_without_a_value() -> None:
    """From now on, databases contain the new fact or field: run ``python -m tests.web.golden --add``."""
    assert not missing(map(kept, GOLDEN))


@pytest.mark.parametrize("name", [name for name in GOLDEN if "settled" in name or "again" in name])
def test_whether_questions_stay_settled_matters_in_logs_of_earlier_versions(name: str) -> None:
    """So the digests notice a version that confuses the two."""
    log = kept(name)
    confused = [
        msgspec.structs.replace(event, settled=not event.settled) if isinstance(event, Undone | Requested) else event
        for event in log
    ]
    messages = fold(log).messages
    with contextlib.suppress(MilleBornesError):  # perhaps a later event doesn't follow
        assert fold(confused).messages != messages


@pytest.mark.parametrize("edition", ["classic", "house", "bsd"])
def test_moves_are_taken_back(edition: str) -> None:
    """The table is as it was at the decision before; what is told is what would have been without the moves."""
    game = Game(created("me", "basic", edition=edition, match_target=None), 5, forfeits=0)
    chance, undone, known = random.Random(6), 0, dict[tuple[int, int], Any]()
    while game.state.next_hand[1] < 4:
        game.step()
        state = game.state
        if state.match is None or state.status != "playing":
            continue
        here = state.moment
        if state.question(0) is not None:
            known[here] = state.view(0)
        if may_undo(state, 0) and chance.random() < 0.3:
            game.do(Undone(at=len(game.log), seat=0))
            undone += 1
            back = state.moment
            assert back < here
            assert state.view(0) == known[back]
            assert state.question(0) is not None or state.window is not None
        assert not may_undo(state, 1), "only people take moves back"
    assert undone > 20
    state = game.state
    again = fold([read_fact(write_fact(event)) for event in game.log])
    assert again.messages == state.messages
    assert state.match is not None
    moves = [m for hand in state.match.hands[-2:] for m in hand.moves if m.action is not Action.PASS]
    told = [message for message in state.messages if message.event == "moved" and message.public is not None]
    assert [json.loads(message.public or b"")["move"] for message in told][-len(moves) :] == [m.text for m in moves]
    lines = [line for line in activity_lines(state, 0, ENGLISH) if line.kind not in {"chat", "undone"}]
    plain = Game(created("me", "basic", edition=edition, match_target=None), 5)
    for event in _without(game.log, state):
        plain.do(event)
    assert [line.text for line in activity_lines(plain.state, 0, ENGLISH)] == [line.text for line in lines]


def _without(log: list[Fact], state: TableState) -> list[Fact]:
    """The events of a log after the first, without the moves that were taken back."""
    assert state.match is not None
    hands, found = iter(state.match.hands), list[Fact]()
    for event in log[1:]:
        if isinstance(event, HandDealt):
            found.append(event)
            game = fold([log[0], *found])
            for moment in next(hands).moments[1:]:
                assert moment.parent is not None
                assert moment.parent.seat is not None
                assert moment.move is not None
                if game.window is not None and moment.move.action is not Action.COUP:
                    found.append(Closed(at=event.at))
                    game.apply(found[-1])
                if moment.move.action is not Action.PASS:
                    found.append(MoveMade(at=event.at, seat=moment.parent.seat, move=moment.move.text))
                    game.apply(found[-1])
            if game.window is not None:
                found.append(Closed(at=event.at))
        elif not isinstance(event, MoveMade | Closed | Undone | ChatSent):
            found.append(event)
    return found


def test_a_rematch_with_other_settings() -> None:
    """It begins when all who are present agree, with the next number and the next seat; the match before stays."""
    game = Game(created("me", "open", "open", edition="house", match_target=300, coup_window=900), 2)
    with pytest.raises(LogError, match="during a match"):
        fold([*game.log, PROPOSED])
    with pytest.raises(LogError, match="nothing is proposed"):
        fold([*game.log, Agreed(at=9, seat=0)])
    while game.state.status != "match_over":
        game.step()
    before, state = len(game.log), game.state
    at = before
    found = []
    for event in (
        PROPOSED,
        Agreed(at=at, seat=0),
        Left(at=at, seat=2),  # who has left is not waited for
        Returned(at=at, seat=2),
        Agreed(at=at, seat=2),
    ):
        game.do(event)
        found.append([step.task for step in steps_of(state, Pace())])
    assert found == [[], [], [StepKind.SHUFFLE], [], [StepKind.SHUFFLE]]
    assert state.next_hand == (2, 1)
    while state.next_hand[1] < 3:
        game.step()
    assert state.match is not None
    assert (state.rules.edition, state.rules.table) == ("mille2", "3x3")
    assert (state.number, state.match.match_target, state.created.coup_window) == (2, None, 500)
    assert state.match.hands[0].first == 1
    again = fold([read_fact(write_fact(event)) for event in game.log])
    assert again.messages == state.messages
    assert [look(again, n) for n in (None, 0, 1, 2)] == [look(state, n) for n in (None, 0, 1, 2)]
    assert fold(game.log[:before]).rules.edition == "house"
    assert state.proposal is None


def test_seats_change_with_a_rematch() -> None:
    """Everything of a seat goes along, and nobody is told what was told to the one who had the seat before."""
    game = Game(created("me", "open", "casual", "open", sides=2, match_target=300), 7, forfeits=0)
    state = game.state
    while not state.is_between:
        game.step()
    won = list(state.games)
    game.do(Left(at=9, seat=3))
    terms = Terms(state.created.rules, state.created.match_target, state.created.coup_window, (0, 3))
    proposed = next_hand(state, 0, 9, terms)
    assert proposed == Proposed(at=9, seat=0, **terms._asdict())
    assert isinstance(proposed, Proposed)
    game.do(proposed)
    assert not state.is_agreed, "others have to agree, even if nothing else changes"
    assert next_hand(state, 1, 9, terms) == Agreed(at=9, seat=1)
    game.do(Agreed(at=9, seat=1))
    begun = begin(state, 9)
    assert isinstance(begun, Shuffled)
    assert state.adopted_proposal(begun) is state.proposal is not None
    game.do(begun)
    assert (state.names, state.places) == (["p3", "p1", "casual", "Ann"], ["open", "open", "casual", "me"])
    assert (state.origins, state.away, state.creator) == ([3, 1, 2, 0], {0}, 3)
    assert [message.event for message in state.messages] == ["swapped", "hello", "shuffle"]
    assert next(line.text for line in activity_lines(state, 3, ENGLISH)) == "You and p3 swap seats."
    assert not {message.version for message in state.messages} & {*range(state.floor + 1)}
    while state.match is None or state.number == 1:
        game.step()
    assert (state.number, state.match.players) == (2, ("p3", "p1", "casual", "Ann"))
    assert state.games == won, "two people on the sides of a team"
    assert state.adopted_proposal(begun) is None
    again = fold([read_fact(write_fact(event)) for event in game.log])
    assert [look(again, n) for n in (None, 0, 1, 2, 3)] == [look(state, n) for n in (None, 0, 1, 2, 3)]


def test_won_matches_go_with_a_seat() -> None:
    game = Game(created("me", "casual", "casual", match_target=200), 7, forfeits=0)
    while not game.state.is_between:
        game.step()
    won, created_ = list(game.state.games), game.state.created
    terms = Terms(created_.rules, created_.match_target, created_.coup_window, (0, 1))
    proposed = next_hand(game.state, 0, 9, terms)
    assert isinstance(proposed, Proposed)
    game.do(proposed)
    while game.state.match is None or game.state.number == 1:
        game.step()
    assert game.state.games == [won[1], won[0], won[2]] != won


def test_another_proposal_takes_the_place_of_one() -> None:
    """Whoever plays on as before lets a proposal lapse."""
    game = Game(created("me", "open", match_target=300), 2)
    while game.state.status != "match_over":
        game.step()
    state, terms = game.state, Terms(str(make_rules("house")), 1000, 900)
    first = next_hand(state, 0, 1, terms)
    assert isinstance(first, Proposed)
    game.do(first)
    assert next_hand(state, 0, 1) is None
    assert next_hand(state, 0, 1, terms) is None
    assert next_hand(state, 1, 1) == next_hand(state, 1, 1, terms) == Agreed(at=1, seat=1)
    other = next_hand(state, 1, 1, terms._replace(match_target=None))
    assert isinstance(other, Proposed)
    game.do(other)
    assert sorted(state.agreed) == [1]
    same = Terms(state.created.rules, state.created.match_target, state.created.coup_window)
    begun = next_hand(state, 0, 1, same)
    assert isinstance(begun, Shuffled)
    game.do(begun)
    assert (state.proposal, sorted(state.agreed), state.rules.edition) == (None, [], "classic")
    while state.status != "playing":
        game.step()
    with pytest.raises(CommandError, match="no finished hand to continue from"):
        next_hand(state, 0, 1, terms)


def test_moves_among_people_stay() -> None:
    game = played("two", 1, 60)
    assert not any(may_undo(game.state, seat) for seat in range(2))
    with pytest.raises(LogError):
        fold([*game.log, Undone(at=999, seat=0)])
