"""What a session leaves in the statistics, and the statistics in words."""

import dataclasses
import datetime
import random
from pathlib import Path

import pytest

from millebornes.editions import edition
from millebornes.errors import PlayerError
from millebornes.i18n import translator
from millebornes.notation import read_match
from millebornes.players.external_player import ForfeitError
from millebornes.session.game_session import GameSession
from millebornes.session.luck import luck_of
from millebornes.session.record import keep_results
from millebornes.storage import Preferences, Results, SaveWriter, load_results, past_match, read_save
from millebornes.themes import theme
from millebornes.words.statistics import statistics_lines
from tests.session.new_games import named_game
from tests.storage.test_statistics import hand, match

NOW = datetime.datetime(2024, 2, 29, 12, 0, tzinfo=datetime.UTC)
ENGLISH = translator("en")


def session(*seats: str, target: int | None = 1000, practice: bool = False) -> GameSession:
    rules = edition("classic").rules(len(seats))
    names = [f"n{seat}" for seat in range(len(seats))]
    game = named_game(rules, seats, names, target, "7", Preferences(), practice=practice)
    return GameSession(game, None, theme("english"), ENGLISH)


def play(table: GameSession, hands: int = 1000) -> int:
    """Play until the match is over, or so many hands; how many hands ended."""
    rng, ended = random.Random(2), 0
    while True:
        table.settle()
        if table.hand.is_over:
            keep_results(table, NOW)
            ended += 1
            if table.is_over or ended == hands:
                return ended
            table.next_hand()
        elif table.computers.player is None:
            table.play(rng.choice(list(table.hand.legal_moves)))
        else:
            table.play(table.computers.choose())


def test_a_match_is_kept_with_its_hands() -> None:
    table = session("human", "basic")
    ended = play(table)
    results = load_results()
    assert len(results.hands) == ended == table.match.hand_number
    assert [kept.points for kept in results.hands] == [
        tuple(sheet.total for sheet in played.scores) for played in table.match.hands
    ]
    assert results.hands[0].luck == pytest.approx(luck_of(table.match.hands[0]), abs=0.06)
    (kept,) = results.matches
    assert (kept.totals, kept.winner, kept.loser) == (table.match.totals, table.match.winner, None)
    assert (kept.edition, kept.players, kept.names, kept.date) == ("classic", ("human", "basic"), ("n0", "n1"), NOW)


def test_a_finished_match_is_kept_for_reviews_unless_that_is_not_wanted() -> None:
    for wanted in (True, False):
        table = session("human", "basic")
        table.preferences = dataclasses.replace(table.preferences, keep_matches=wanted)
        play(table)
        (match,) = load_results().matches
        path = past_match(match.id)
        assert (path is not None) is wanted
        if path is not None:
            with path.open("rb") as stream:
                assert read_match(stream).hands == table.match.hands
            path.unlink()


def test_an_end_seen_again_counts_once(tmp_path: Path) -> None:
    table = session("human", "basic")
    play(table)
    before = load_results()
    SaveWriter().write(table.saved(), tmp_path / "save")
    again = GameSession(read_save(tmp_path / "save"), None, theme("english"), ENGLISH)
    keep_results(again, NOW + datetime.timedelta(days=1))
    assert load_results() == before


def test_a_second_match_with_the_same_people_counts_too() -> None:
    table = session("human", "basic")
    play(table)
    table.next_hand()
    play(table)
    assert len(load_results().matches) == 2


def test_single_hands_are_kept_without_a_match() -> None:
    table = session("human", "random", target=None)
    play(table, hands=3)
    results = load_results()
    assert len(results.hands) == 3
    assert not results.matches
    assert "Single hands: " in "\n".join(statistics_lines(results, ENGLISH))


def test_practice_and_games_of_the_computer_alone_are_not_kept(tmp_path: Path) -> None:
    for table in (session("human", "basic", practice=True), session("basic", "random")):
        play(table, hands=1)
    assert load_results() == Results()


@pytest.mark.parametrize("seats", [("human", "basic"), ("human", "basic", "random")])
def test_a_forfeit_ends_the_match(seats: tuple[str, ...], tmp_path: Path) -> None:
    table = session(*seats)
    table.settle()
    table.play(next(move for move in table.hand.legal_moves if str(move).startswith("-")))
    loss = table.lose(ForfeitError("basic", 1, "sent nonsense"))
    assert (table.is_over, table.match.is_over) == (True, False)
    two = len(seats) == 2
    assert table.winner == (0 if two else None)
    assert table.games == ([1, 0] if two else [0, 0, 0])
    assert table.log[-1](0) == "n1 forfeits the match: it sent nonsense."
    told = table.narrator.result(table.winner, table.loss)(0)
    assert told == ("You win the match." if two else "The other sides share the win.")
    keep_results(table, NOW)
    (kept,) = load_results().matches
    assert (kept.winner, kept.loser, kept.hands) == (0 if two else None, 1, ())
    assert not load_results().hands
    assert any("1 won, 0 lost" in line for line in statistics_lines(load_results(), ENGLISH))
    SaveWriter().write(table.saved(), tmp_path / "save")
    game = read_save(tmp_path / "save")
    assert game.is_over
    again = GameSession(game, None, theme("english"), ENGLISH)
    assert (again.loss, again.games) == (loss, table.games)
    again.next_hand()
    assert (again.loss, again.is_over) == (None, False)


def test_only_computer_players_forfeit() -> None:
    table = session("human", "basic")
    with pytest.raises(Exception, match="isn't a computer player"):
        table.lose(PlayerError("x"))


def test_in_practice_a_forfeit_can_be_taken_back() -> None:
    table = session("human", "basic", practice=True)
    table.settle()
    table.play(next(move for move in table.hand.legal_moves if str(move).startswith("-")))
    table.lose(ForfeitError("basic", 1, "sent nonsense"))
    assert table.undo(0)
    assert (table.loss, table.games) == (None, [0, 0])


# ---------------------------------------------------------------- in words


def test_statistics_in_words() -> None:
    results = Results(
        hands=(hand(1, 700, 300, luck=(50.0, -50.0)), hand(2, 100, 300, luck=(-20.0, 40.0)), hand(3, 900, 300)),
        matches=(
            match(1, 5000, 100, winner=0),
            match(2, 5100, 100, winner=0, edition="house"),
            match(3, 100, 5000, winner=1, edition=None),
            match(4, 5000, 100, winner=0, players=("human", "human"), names=("Ann", "Bo")),
        ),
        dropped=1,
    )
    assert statistics_lines(results, ENGLISH) == [
        "Your games against computer players:",
        "  Matches: 2 won, 1 lost.",
        "  Current streak: 1 lost. Longest winning streak: 2.",
        "  Hands: 3, averaging 567 ± 240 points each, 267 ± 240 more than the others.",
        "  Luck: the cards were worth 20 ± 80 points a hand more to you than to the others.",
        "  (± is a standard error: about two times in three, the true value is within it.)",
        "  Best hand: 900 points (classic, 2024-02-29).",
        "  By edition:",
        "    classic       1 won, 0 lost",
        "    house         1 won, 0 lost",
        "    custom rules  0 won, 1 lost",
        "Several people at one keyboard:",
        "  Ann: 1 won, 0 lost.",
        "  Bo: 0 won, 1 lost.",
        "1 entry could not be read and is left out.",
    ]
    worse = Results(hands=(hand(1, 100, 300, luck=(-50.0, 50.0)),), matches=results.matches[:1])
    assert statistics_lines(worse, ENGLISH)[-3:-1] == [
        "  Hands: 1, averaging 100 points each, 200 fewer than the others.",
        "  Luck: the cards were worth 100 points a hand less to you than to the others.",
    ]


def test_no_statistics_yet() -> None:
    assert statistics_lines(Results(), ENGLISH) == ["You haven't finished a game yet."]


def test_statistics_in_french() -> None:
    results = Results(hands=(hand(1, 700, 300),), matches=(match(1, 5000, 100, winner=0),))
    text = "\n".join(statistics_lines(results, translator("fr")))
    for english in ("Your", "won", "Hands", "Best"):
        assert english not in text
