"""The table at one screen: games that were saved before go on as they were, and each match follows from the seed."""

import random
from pathlib import Path

import pytest

from millebornes.editions import make_rules
from millebornes.game import Match, Phase
from millebornes.i18n import translator
from millebornes.players.external_player import ForfeitError
from millebornes.session.game_session import GameSession
from millebornes.storage import SavedGame, SaveWriter, read_save
from millebornes.storage.saves import match_seed
from millebornes.themes import theme
from tests.session.driving import HUMAN, session
from tests.session.test_practice import advance

SAVES = Path(__file__).parents[1] / "data" / "saves"
"""Written by the program from before it kept the facts of a table at one screen."""


def resumed(game: SavedGame) -> GameSession:
    return GameSession(game, None, theme("english"), translator("en"))


def written(game: SavedGame) -> bytes:
    """A save as its file has it."""
    return SaveWriter().data(game)


def old(name: str) -> GameSession:
    return resumed(read_save(SAVES / f"{name}.jsonl"))


@pytest.mark.parametrize(
    ("name", "number", "games", "winner", "loser"),
    [
        ("middle", 1, [0, 0], None, None),
        ("second-match", 2, [0, 1, 0], None, None),
        ("won", 1, [0, 1], 1, None),
        ("won-in-practice", 1, [0, 1], 1, None),
        ("forfeit", 1, [1, 0], 0, 1),
        ("forfeit-of-three", 1, [0, 0, 0], None, 1),
        ("window", 1, [0, 0, 0], None, None),
        ("window-settled", 1, [0, 0, 0], None, None),
    ],
)
def test_an_old_save_is_the_same_game(
    name: str, number: int, games: list[int], winner: int | None, loser: int | None
) -> None:
    saved, table = read_save(SAVES / f"{name}.jsonl"), old(name)
    assert written(table.saved()) == written(saved)
    assert table.match.hands == saved.match.hands
    assert (table.number, table.games, table.winner) == (number, games, winner)
    assert table.is_over is saved.is_over
    assert (None if table.loss is None else table.loss.seat) == loser
    assert table.stored_names == saved.match.players
    assert (table.state.window is not None) is (name == "window")
    assert (table.state.asked is not None) is (name == "window")
    assert written(resumed(table.saved()).saved()) == written(saved)
    assert {path.stem for path in SAVES.iterdir()} >= {name}


@pytest.mark.parametrize(("name", "taken"), [("forfeit", [0, 0]), ("won-in-practice", [0, 0])])
def test_after_a_resume_the_end_of_a_match_is_taken_back(name: str, taken: list[int]) -> None:
    table = old(name)
    assert table.undo(0)
    assert (table.is_over, table.loss, table.games) == (False, None, taken)
    assert table.hand.seat == 0


def test_a_match_that_counts_stays_over_after_a_resume() -> None:
    table = old("won")
    assert not table.undo(0)
    assert table.is_over


@pytest.mark.parametrize("name", ["won", "forfeit", "forfeit-of-three", "won-in-practice"])
def test_the_next_match_follows_from_the_seed(name: str) -> None:
    table = old(name)
    hints, games = list(table.hints), table.games
    table.count_hint(0)
    table.next_hand()
    seats = table.rules.seats
    wanted = Match.start(
        table.rules,
        match_seed(table.seed, 2),
        first=1 % seats,
        players=table.match.players,
        match_target=table.match.match_target,
    )
    assert table.hand == wanted.hand
    assert (table.number, table.games, table.loss, table.is_over) == (2, games, None, False)
    assert table.hints == table.hand_hints == [0] * seats == hints
    assert table.slots[0].match(table.hand.dealt(0))
    assert table.saved().match.hand.first == 1


def test_hands_follow_from_the_seed_and_the_seat_to_the_left_begins() -> None:
    table, rng = session(HUMAN, "random", "basic", seed="9", target=None), random.Random(9)
    wanted = Match.start(table.rules, match_seed("9", 1), players=table.match.players, match_target=None)
    for number in (1, 2, 3):
        assert table.match.hand_number == number
        assert table.hand.deck == wanted.hand.deck
        assert table.hand.first == number - 1
        while not table.hand.is_over:
            advance(table, rng)
        wanted = Match(wanted.rules, table.hand, wanted.seed, wanted.finished, wanted.players, None).next_hand()
        table.next_hand()


@pytest.mark.parametrize("first", [0, 1, 2])
def test_a_hand_that_another_seat_began_goes_on(first: int) -> None:
    """A save may hold a hand that no deal of this program begins there, such as one of a rule of one's own."""
    match = Match.start(make_rules("classic", 3, 3), "x", first=first, players=("a", "b", "c"))
    for _ in range(4):
        match = match.play(match.hand.legal_moves[0])
    slots = tuple(tuple(card.value for card in hand) for hand in match.hand.hands)
    table = resumed(SavedGame(match=match, seats=(HUMAN,) * 3, seed="x", games=(0, 0, 0), slots=slots, practice=True))
    assert table.match.hands == match.hands
    assert (table.hand.first, table.hand.seat) == (first, (first + 4) % 3)
    table.settle()
    assert table.undo((first + 3) % 3)
    assert table.hand == match.hand.parent


def test_a_window_is_closed_by_the_next_move_or_a_pass() -> None:
    table = old("window")
    assert table.hand.phase is Phase.COUP
    table.close_window()
    assert table.state.window is None
    assert resumed(table.saved()).state.window is None
    settled = old("window-settled")
    settled.settle()
    settled.play(next(move for move in settled.hand.legal_moves if move.target is None))
    assert not settled.saved().is_asked


def test_a_forfeit_of_another_match_does_not_stay() -> None:
    table = session(HUMAN, "random", seed="4")
    table.settle()
    table.lose(ForfeitError("random", 1, "sent nonsense"))
    table.next_hand()
    assert (table.number, table.loss, table.games, table.saved().forfeit) == (2, None, [1, 0], None)
    table.settle()
    table.play(next(iter(table.hand.legal_moves)) if table.computers.player is None else table.computers.choose())
    assert written(resumed(table.saved()).saved()) == written(table.saved())
