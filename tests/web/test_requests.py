"""What a person asks the others to agree to: a move back, the end of the match, resigning."""

import json
from typing import Any

import pytest

from millebornes.game import Action
from millebornes.i18n import translator
from millebornes.table.commands import next_hand, reply, request
from millebornes.table.facts import Agreed, Left, LogError, MoveMade, Requested, read_fact, write_fact
from millebornes.table.log import fold
from millebornes.table.refusal import CommandError
from millebornes.table.state import TableState
from millebornes.table.steps import Pace, steps_of
from millebornes.themes import theme
from millebornes.web.pages.locale_text import PageWords
from millebornes.web.pages.tables import table_model
from millebornes.words.activity import activity_lines
from tests.web.client import Client, Refused
from tests.web.playing import Game, created
from tests.web.serving import Running

ENGLISH = PageWords(translator("en"), theme())


def moved(game: Game, seat: int) -> None:
    """Play until a seat has made a move and someone else has to decide, with no window open."""
    while True:
        game.step()
        state = game.state
        if state.status == "playing" and state.window is None and state.turn is not None and state.turn != seat:
            assert state.match is not None
            if isinstance(game.log[-1], MoveMade) and game.log[-1].seat == seat:
                return


def ask(game: Game, seat: int, what: Any) -> None:
    event = request(game.state, seat, what, len(game.log))
    assert event is not None
    game.do(event)


def answer(game: Game, seat: int, agree: bool = True) -> None:
    game.do(reply(game.state, seat, agree, game.state.version, len(game.log)))


def told(state: TableState, event: str) -> list[dict[str, Any]]:
    return [json.loads(m.public) for m in state.messages if m.event == event and m.public is not None]


def lines(state: TableState, seat: int | None) -> list[str]:
    return [line.text for line in activity_lines(state, seat, ENGLISH)]


def test_a_move_is_taken_back_when_all_agree() -> None:
    game = Game(created("me", "open", "open", edition="house"), 4)
    moved(game, 1)
    state = game.state
    assert state.match is not None
    before = state.before_latest(1)
    assert before is not None
    ask(game, 1, "undo")
    assert (sorted(state.concerned), told(state, "requested")[0]["what"]) == ([0, 2], "undo")
    answer(game, 0)
    assert state.match.hand != before
    answer(game, 2)
    assert state.match.hand == before
    assert state.question(1) is not None
    assert state.requested is None
    assert told(state, "undone")[0]["moves"] == sum(move.action is not Action.PASS for move in before.moves)
    assert {"You ask to take your move back.", "p2 agrees.", "You take your move back."} <= set(lines(state, 1))
    assert {"p1 asks to take a move back.", "You agree.", "p1 takes a move back."} <= set(lines(state, 2))


def test_a_request_to_take_back_lapses_with_the_next_move() -> None:
    game = Game(created("me", "open"), 1)
    moved(game, 0)
    ask(game, 0, "undo")
    while not isinstance(game.log[-1], MoveMade):
        game.step()
    assert game.state.requested is None
    with pytest.raises(CommandError, match="no one is asking you") as caught:
        reply(game.state, 1, True, game.state.version, 9)
    assert caught.value.word == "no_request"


def test_a_request_after_a_hand_lapses_with_the_next_one() -> None:
    game = Game(created("me", "open", match_target=5000), 1, forfeits=0)
    while game.state.status != "hand_over":
        game.step()
    ask(game, 0, "end")
    assert sorted(game.state.concerned) == [1]
    while game.state.next_hand != (1, 3):
        game.step()
    assert (game.state.requested, game.state.concerned) == (None, frozenset())


def test_one_who_declines_is_enough() -> None:
    game = Game(created("me", "open", "open", edition="house"), 4)
    moved(game, 1)
    state = game.state
    assert state.match is not None
    hand = state.match.hand
    ask(game, 1, "undo")
    answer(game, 0)
    answer(game, 2, agree=False)
    assert (state.requested, state.match.hand) == (None, hand)
    assert "p2 declines." in lines(state, 0)
    ask(game, 1, "undo")
    assert sorted(state.concerned) == [0, 2], "the first agreement counts no more"


def test_a_pass_is_never_taken_back() -> None:
    """R5.5: else everyone would see who could have called. What is taken back is a move that all have seen."""
    found = 0
    for seed in range(40):
        game = Game(created("me", "open", "open", edition="house", coup_window=900), seed)
        for _ in range(150):
            game.step()
            match = game.state.match
            if match is None or game.state.status != "playing":
                continue
            for seat in range(3):
                point = game.state.before_latest(seat)
                after = match.hand
                while point is not None and after.parent is not point:
                    assert after.parent is not None
                    after = after.parent
                if point is None:
                    continue
                assert after.move is not None
                assert after.move.action is not Action.PASS
                found += match.hand.moves[-1].action is Action.PASS
    assert found > 20


@pytest.mark.parametrize("places", [("me", "open"), ("me", "open", "basic", "open")])
def test_a_match_ends_without_a_winner_when_all_agree(places: tuple[str, ...]) -> None:
    game = Game(created(*places, edition="house" if len(places) > 2 else "classic"), 2)
    moved(game, 0)
    state = game.state
    ask(game, 1, "end")
    for seat in sorted(state.concerned):
        assert state.status == "playing"
        answer(game, seat)
    assert (state.status, state.winner, steps_of(state, Pace())) == ("match_over", None, [])
    over = told(state, "match_over")[0]
    assert (over["winner"], over["reason"]) == (None, "stopped")
    assert lines(state, 0)[-1] == "You all agree to end the match. Nobody wins it."
    assert table_model(state, 0, None, ENGLISH, time=0).result == "The match has ended without a winner."
    assert state.question(0) is state.question(1) is None
    begun = next_hand(state, 0, 9)
    assert begun is not None
    game.do(begun)
    while state.status != "playing":
        game.step()
    assert state.match is not None
    assert (state.number, state.match.hand_number, state.ended) == (2, 1, None)
    assert set(state.games) == {0}


def test_resigning_gives_the_match_to_the_other_side() -> None:
    game = Game(created("me", "open"), 2)
    moved(game, 0)
    state = game.state
    ask(game, 0, "resign")
    assert (state.status, state.winner) == ("match_over", 1)
    over = told(state, "match_over")[0]
    assert (over["winner"], over["reason"]) == (1, "forfeit")
    assert lines(state, 0)[-2:] == ["You resign.", "p1 wins the match."]
    assert lines(state, 1)[-2:] == ["Ann resigns.", "You win the match."]
    model = table_model(state, 1, None, ENGLISH, time=0)
    assert (model.result, model.is_winner) == ("You win the match.", True)
    while state.status != "playing":
        game.step()
    assert state.match is not None
    assert (state.number, state.games) == (2, [0, 1])


def test_partners_resign_together() -> None:
    game = Game(created("me", "open", "open", "open"), 3)
    moved(game, 0)
    ask(game, 0, "resign")
    state = game.state
    assert sorted(state.concerned) == [2]
    with pytest.raises(CommandError, match="no one is asking you"):
        reply(state, 1, True, state.version, 9)
    assert "Ann proposes to resign." in lines(state, 1)
    answer(game, 2)
    assert state.winner == 1


def test_who_has_left_is_not_asked() -> None:
    game = Game(created("me", "open", "open", edition="house"), 4)
    moved(game, 1)
    ask(game, 1, "end")
    answer(game, 0)
    game.do(Left(at=len(game.log), seat=2))
    assert game.state.status == "match_over"
    game = Game(created("me", "open", "open", edition="house"), 4)
    moved(game, 1)
    ask(game, 1, "end")
    for seat in (1, 0):
        game.do(Left(at=len(game.log), seat=seat))
    answer(game, 2)
    assert (game.state.status, game.state.requested) == ("playing", None), "whoever asked has left"


def test_what_cannot_be_asked_for() -> None:
    game = Game(created("me", "open", "open", edition="house"), 4)
    state = game.state
    with pytest.raises(CommandError, match="no match is being played"):
        request(state, 0, "end", 1)
    moved(game, 1)
    with pytest.raises(CommandError, match="you can resign only"):
        request(state, 0, "resign", 1)
    ask(game, 1, "end")
    assert request(state, 1, "end", 1) is None
    assert request(state, 1, "undo", 1) == Requested(at=1, seat=1, what="undo", settled=True), "in place of the first"
    with pytest.raises(CommandError, match="answer that first"):
        request(state, 0, "end", 1)
    with pytest.raises(CommandError, match="another request has been made"):
        reply(state, 0, True, state.requested_version - 1, 1)
    game.do(Left(at=len(game.log), seat=2))
    with pytest.raises(CommandError, match="return first"):
        request(state, 2, "end", 1)
    for event in (Agreed(at=9, seat=0), Requested(at=9, seat=0, what="resign")):
        with pytest.raises(LogError):
            fold([*game.log[:3], event])


def test_the_same_table_follows_from_its_log() -> None:
    """Whatever people ask for, agree to and decline, also while some leave and come back."""
    wishes = 0
    for seed in range(6):
        game = Game(created("me", "open", "basic", "open"), seed, comings=0.03, wishes=0.1)
        for _ in range(500):
            game.step()
        wishes += sum(isinstance(event, Requested) for event in game.log)
        again = fold([read_fact(write_fact(event)) for event in game.log])
        assert again.messages == game.state.messages
        assert (again.requested, again.agreed, again.ended) == (
            game.state.requested,
            game.state.agreed,
            game.state.ended,
        )
    assert wishes > 50


def test_over_the_api(server: Running) -> None:
    with Client.create(server.url, places=["me", "open"], match_target=5000) as ann:
        bo = ann.join(ann.invitations[1] or "", "Bo")
        with bo:
            while ann.look()["status"] != "playing":
                pass
            path = f"api/tables/{ann.table}"
            with pytest.raises(Refused) as refused:
                ann.post(f"{path}/request", {"what": "coffee"})
            assert refused.value.status == 400
            ann.post(f"{path}/request", {"what": "end"})
            seen = bo.look()
            assert seen["request"] == {"seat": 0, "what": "end", "asked": [1]}
            bo.post(f"{path}/reply", {"agree": False, "version": seen["version"]})
            assert ann.look()["request"] is None
            bo.post(f"{path}/request", {"what": "resign"})
            assert (ann.look()["status"], ann.look()["winner"]) == ("match_over", 0)
