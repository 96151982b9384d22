"""The log of a whole match: all that happened, for each seat what it may know, and the same after a save."""

import random
from pathlib import Path

import pytest

from millebornes.cards import Card
from millebornes.editions import edition, make_rules
from millebornes.game import Action, Hand, Match, Move, Phase
from millebornes.i18n import translator
from millebornes.session.game_session import GameSession
from millebornes.session.log import HandLog, latest_lines, log_lines
from millebornes.storage import SavedGame, SaveWriter, read_save
from millebornes.themes import theme
from tests.session.test_practice import advance, session

TABLES = [("classic", 2, 2), ("classic", 4, 2), ("bsd", 3, 3), ("classic", 6, 6), ("house", 6, 3)]


def played(name: str, seats: int, sides: int, hands: int, seed: int = 1) -> GameSession:
    """A match of computer players after some hands and a few moves more."""
    rng = random.Random(f"{name} {seats} {sides} {seed}")
    names = [f"n{seat}" for seat in range(seats)]
    match = Match.start(edition(name).rules(seats, sides), seed, players=names, match_target=None)
    while match.hand_number <= hands or match.hand.ply < 20:
        match = match.next_hand() if match.hand.is_over else match.play(rng.choice(list(match.hand.legal_moves)))
    return again(match)


def again(match: Match) -> GameSession:
    """A session that goes on with a match, as after a save."""
    rules = match.rules
    game = SavedGame(
        match=match,
        seats=("human",) * rules.seats,
        seed="1",
        games=(0,) * rules.sides,
        slots=tuple(tuple(card.value for card in hand) for hand in match.hand.hands),
    )
    return GameSession(game, None, theme("english"), translator("en"))


@pytest.mark.parametrize(("name", "seats", "sides"), TABLES)
def test_the_log_holds_every_hand(name: str, seats: int, sides: int) -> None:
    table = played(name, seats, sides, 2)
    for viewer in (None, *range(seats)):
        log = log_lines(table, viewer)
        assert [part.number for part in log] == [1, 2, 3]
        for part, hand in zip(log, table.match.hands, strict=True):
            assert part.heading.startswith(f"Hand {part.number}. ")
            assert ("You begin" in part.heading) == (viewer == hand.first)
            assert any("The hand is over" in line for line in part.lines) == hand.is_over
            moves = [move for move in hand.moves if move.card is not None]
            assert len(part.lines) >= len(moves)
            assert all(part.lines)


def test_only_the_mover_reads_what_was_discarded_as_its_own() -> None:
    table = played("classic", 2, 2, 1)
    own, other = log_lines(table, 0)[0].lines, log_lines(table, 1)[0].lines
    for mine, theirs in zip(own, other, strict=True):
        assert mine.startswith("You ") != theirs.startswith("You ") or mine == theirs or "The hand is over" in mine


@pytest.mark.parametrize("seats", [2, 3])
def test_the_log_of_a_save_is_that_of_the_game(tmp_path: Path, seats: int) -> None:
    """A save brings all of the log back."""
    table = session("human", *["random"] * (seats - 1), practice=False)
    rng = random.Random(3)
    for _n in range(60):
        advance(table, rng)
    SaveWriter().write(table.saved(), tmp_path / "game.jsonl")
    resumed = GameSession(read_save(tmp_path / "game.jsonl"), None, theme("english"), translator("en"))
    for viewer in (None, *range(seats)):
        assert log_lines(resumed, viewer) == log_lines(table, viewer)


def test_what_is_taken_back_is_no_longer_told() -> None:
    table = session("human", "random")
    rng = random.Random(4)
    while table.hand.ply < 10 or table.hand.seat != 0 or table.hand.phase is not Phase.PLAY:
        advance(table, rng)
    before = log_lines(table, 0)[0].lines
    advance(table, rng)
    assert len(log_lines(table, 0)[0].lines) > len(before)
    assert table.undo(0)
    assert log_lines(table, 0)[0].lines == (*before, "You take your move back.")
    assert log_lines(table, 1)[0].lines[-1] == "n0 takes a move back."
    table.settle()
    advance(table, rng)
    assert log_lines(table, 0)[0].lines[: len(before) + 1] == (*before, "You take your move back.")


def test_the_latest_lines() -> None:
    table = played("classic", 2, 2, 2)
    whole = [line for part in log_lines(table, 0) for line in (part.heading, *part.lines)]
    for most in (1, 7, 60, 10_000):
        assert latest_lines(table, 0, most) == whole[-most:]


def test_another_match_has_a_log_of_its_own() -> None:
    table = session("random", "random", practice=False)
    rng = random.Random(5)
    while not table.is_over:
        if table.hand.is_over:
            table.next_hand()
        advance(table, rng)
    assert len(log_lines(table, None)) == table.match.hand_number
    table.next_hand()
    assert log_lines(table, None) == (HandLog(1, "Hand 1. n1 begins.", ()),)


def _waits(hand: Hand) -> Move:
    """The move of who gets going, and then keeps a stop, or the right of way, as the last card."""
    moves = [Move(Action.PLAY, Card.ROLL), *(Move(Action.DISCARD, card) for card in Card)]
    keep = {Card.STOP, Card.RIGHT_OF_WAY}
    legal = [move for move in moves if move in hand.legal_moves]
    spare = [move for move in legal if move.card not in keep]
    return (spare or [move for move in hand.legal_moves if move.target is not None] or legal)[0]


def test_who_let_a_coup_go_has_not_moved() -> None:
    """R2.6, R5.5: who was passed over is counted from the attacker, so that nobody learns who could have called."""
    narrator, seen = played("classic", 3, 3, 0).narrator, 0
    for seed in range(30):
        hand = Hand.deal(make_rules("classic", 3, 3), seed)
        while not hand.is_over:
            if hand.phase is Phase.COUP:
                after = hand.play("pass")
                assert hand.pending is not None
                told = [event(None) for event in narrator.passed_over(after)]
                assert f"n{hand.pending.by} has no cards left and misses a turn." not in told
                seen += not hand.cards(hand.pending.by)
                called = hand.play(next(move for move in hand.legal_moves if move.action is Action.COUP))
                assert not narrator.passed_over(called)
            else:
                after = hand.play(_waits(hand))
            hand = after
    assert seen
