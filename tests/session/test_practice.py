"""Practice: moves taken back, and cards counted; never in a game that counts."""

import random
from pathlib import Path

import pytest

from millebornes.cards import Card
from millebornes.editions import EDITIONS, edition, make_rules
from millebornes.game import Hand, Phase
from millebornes.i18n import translator
from millebornes.session.game_session import GameSession
from millebornes.storage import Preferences, SaveWriter, read_save
from millebornes.themes import theme
from millebornes.words.unseen import unseen_groups, unseen_lines
from millebornes.words.words import Words
from tests.session.new_games import named_game

ENGLISH = translator("en")
THEME = theme("english")


def session(
    *seats: str, name: str = "classic", practice: bool = True, manual: bool = False, seed: str = "1"
) -> GameSession:
    rules = edition(name).rules(len(seats))
    preferences = Preferences(manual_pick=manual)
    names = [f"n{seat}" for seat in range(len(seats))]
    game = named_game(rules, seats, names, 1000, seed, preferences, practice=practice)
    return GameSession(game, None, THEME, ENGLISH)


def advance(table: GameSession, rng: random.Random) -> None:
    """One step of a game: settle, then a move by whoever decides."""
    table.settle()
    table.pick()
    hand = table.hand
    assert hand.seat is not None
    computer = table.computers.player is not None
    table.play(table.computers.choose() if computer else rng.choice(list(hand.legal_moves)))


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("seats", [("human", "basic"), ("human", "human", "random", "maxims")])
def test_a_move_taken_back_has_never_been(name: str, seats: tuple[str, ...]) -> None:
    rng = random.Random(f"{name} {seats}")
    table = session(*seats, name=name)
    before: dict[int, tuple[object, object]] = {}
    taken = 0
    for _ in range(400):
        table.settle()
        hand = table.hand
        if hand.is_over or rng.random() < 0.1:
            people = [seat for seat in table.slots if table.undo_point(seat) is not None]
            if people:
                seat = rng.choice(people)
                point = table.undo_point(seat)
                assert table.undo(seat)
                taken += 1
                assert table.hand is point
                assert table.hand.seat == seat
                assert before[table.hand.ply] == (table.hand, {s: list(held.cards) for s, held in table.slots.items()})
                assert table.settle() == ()
            if table.hand.is_over:
                break
            continue
        if table.computers.player is None:
            before[hand.ply] = (hand, {s: list(held.cards) for s, held in table.slots.items()})
        advance(table, rng)
        for seat, held in table.slots.items():
            if seat != table.hand.seat:
                assert held.match(table.hand.cards(seat))
    assert taken > 5


def test_computer_players_make_the_same_moves_again() -> None:
    table = session("human", "random")

    def turn() -> Hand:
        advance(table, random.Random(1))
        while table.computers.player is not None:
            advance(table, random.Random(1))
        return table.hand

    first = turn()
    assert table.undo(0)
    assert turn() == first


def test_a_win_taken_back_does_not_count() -> None:
    rng, table = random.Random(5), session("human", "random", seed="9")
    for _ in range(3000):
        if table.match.is_over:
            break
        if table.hand.is_over:
            table.next_hand()
        else:
            advance(table, rng)
    assert (table.match.is_over, sum(table.games)) == (True, 1)
    assert table.undo(0)
    assert (table.match.is_over, sum(table.games)) == (False, 0)


def test_the_log_tells_that_a_move_was_taken_back() -> None:
    table = session("human", "human")
    advance(table, random.Random(1))
    told = len(table.log)
    assert table.undo(0)
    assert [event(0) for event in table.log[told:]] == ["You take your move back."]
    assert [event(1) for event in table.log[told:]] == ["n0 takes a move back."]


def test_nothing_is_taken_back_in_a_match_or_before_the_first_move() -> None:
    match = session("human", "basic", practice=False)
    advance(match, random.Random(1))
    assert match.undo_point(0) is None
    assert not match.undo(0)
    table = session("human", "basic")
    assert not table.undo(0)
    advance(table, random.Random(1))
    assert not table.undo(1)
    assert table.undo(0)


def test_picked_by_hand_it_lies_as_it_lay() -> None:
    table = session("human", "human", manual=True)
    advance(table, random.Random(1))
    table.settle()
    assert len(table.unpicked) == 1
    lying = table.unpicked
    table.play(table.hand.legal_moves[0])
    assert table.undo(1)
    assert table.unpicked == lying
    assert table.is_settled


def test_practice_is_saved_and_goes_on_after_a_resume(tmp_path: Path) -> None:
    table = session("human", "random")
    for _ in range(9):
        advance(table, random.Random(3))
    path = tmp_path / "save"
    SaveWriter().write(table.saved(), path)
    again = GameSession(read_save(path), None, THEME, ENGLISH)
    assert again.practice
    again.settle()
    assert again.undo(0)
    assert again.hand == table.undo_point(0)
    again.settle()
    assert again.hand.phase is not Phase.PLAY or again.slots[0].match(again.hand.cards(0))


def test_unseen_cards_are_those_of_the_view_and_add_up() -> None:
    table = session("human", "random", "basic")
    for _ in range(30):
        table.settle()
        view = table.match.view(0)
        groups = unseen_groups(view)
        found = {card: count for group in groups for card, count in group.counts}
        assert found == view.unseen
        assert sum(group.total for group in groups) == view.draw_pile + sum(view.hand_sizes) - len(view.hand)
        advance(table, random.Random(4))


def test_unseen_cards_in_words() -> None:
    view = session("human", "random").match.view(0)
    lines = unseen_lines(view, Words(ENGLISH, THEME))
    assert lines[0] == "Cards that you haven't seen: 99, with 93 in the draw pile and 6 in other players' hands."
    assert [line.split(" (")[0].strip() for line in lines[1:]] == ["Distances", "Hazards", "Remedies", "Safeties"]
    assert f"Roll {view.unseen[Card.ROLL]}" in lines[3]


def test_kinds_that_the_deck_lacks_are_left_out() -> None:
    deck = {card.value: count for card, count in zip(Card, make_rules("classic").deck, strict=True)}
    del deck["25"]
    rules = make_rules("classic").replace({"deck": deck})
    table = GameSession(named_game(rules, ["human", "basic"], ["a", "b"]), None, THEME, ENGLISH)
    assert Card.D25 not in dict(unseen_groups(table.match.view(0))[0].counts)
