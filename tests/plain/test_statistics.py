"""Statistics at the keyboard: kept at every end, shown by T, never in the way."""

import re
from pathlib import Path

from millebornes.editions import make_rules
from millebornes.game import Match
from millebornes.storage import load_results, load_reviews, statistics_file
from millebornes.table.setup import GameSetup
from millebornes.tui.plain import PlayOptions
from millebornes.tui.plain.console import Interrupted
from tests.plain.inside import Home, deck_of

CLASSIC = make_rules("classic").replace({"goal": 100, "extension_goal": None})


def finishing(home: Home, name: str = "game.jsonl", *, practice: bool = False) -> Path:
    """A match that the person wins with a 100."""
    deck = deck_of(CLASSIC, {0: "roll 100 25 25 25 25", 1: "stop 75 75 75 75 75"}, "25 75 25 75 25 75")
    match = Match.start(CLASSIC, deck=deck, players=("You", "Bo"), match_target=100)
    for move in ("roll", "-75"):
        match = match.play(move)
    return home.save(match, ["human", "random"], name, practice=practice)


def test_a_finished_match_is_kept_and_shown(home: Home) -> None:
    played = home.resume(finishing(home), "stats", "100", "stats")
    assert "You haven't finished a game yet." in played.text
    told = played.after("Another game? (Y/n) \nYour games against computer players:\n")
    assert re.search(r"^  Matches: 1 won, 0 lost\.$", told, re.MULTILINE)
    assert re.search(r"^  Hands: 1, averaging 1300 points each, 1300 more than the others\.$", told, re.MULTILINE)
    results = load_results()
    assert [hand.points for hand in results.hands] == [(1300, 0)]
    assert [match.winner for match in results.matches] == [0]


def test_the_same_end_is_kept_once(home: Home) -> None:
    path = finishing(home)
    for _ in range(3):
        home.resume(path, "100")
    assert len(load_results().matches) == 1
    home.resume(finishing(home, "again.jsonl"), "100", "", "stats")
    assert len(load_results().matches) == 1


def test_games_with_hints_are_told_apart(home: Home) -> None:
    path = finishing(home)
    home.resume(path, "H")  # it is still known when the game goes on
    told = home.resume(path, "H", "100", "stats").after("Another game? (Y/n) \nYour games against computer players:\n")
    assert "  Matches: 1 won, 0 lost.\n  Of these, with hints: 1 won, 0 lost.\n" in told
    results = load_results()
    assert [hand.hints for hand in results.hands] == [match.hints for match in results.matches] == [(2, 0)]


def test_practice_is_not_kept(home: Home) -> None:
    assert "You haven't finished a game yet." in home.resume(finishing(home, practice=True), "100", "stats").text
    assert not statistics_file().exists()


def test_statistics_that_cannot_be_kept_do_not_stop_the_game(home: Home) -> None:
    statistics_file().mkdir(parents=True)
    played = home.resume(finishing(home), "100", "stats")
    assert "The result is missing from the statistics: there is a folder with that name." in played.text
    assert "the statistics cannot be read" in played.text
    assert "You win the match." in played.text


def test_in_french(home: Home) -> None:
    played = home.resume(finishing(home), "100", "statistiques", language="fr")
    assert "Parties : gagnées 1, perdues 0." in played.text


def test_statistics_need_no_game(home: Home) -> None:
    home.resume(finishing(home), "100")
    assert (
        "Hand 1. You begin."
        in home.play(PlayOptions(setup=GameSetup(rules=CLASSIC, places=("human", "random"), seed="1")), ["stats"]).text
    )


def test_a_match_that_is_over_is_reviewed(home: Home) -> None:
    played = home.resume(finishing(home), "review", "100", "review", "stats", "?")
    before, _, after = played.text.partition("Type “review” to have every decision of the match judged.")
    assert "A match can be reviewed once it is over." in before
    assert "100% of the decisions judged…" in after
    assert "decisions" in after.partition("100% of the decisions judged…")[2]
    assert "Your reviewed matches:\n  Error rate: " in after
    (match,) = load_results().matches
    assert list(load_reviews()) == [match.id]
    with home.monkeypatch.context() as patch:
        patch.setattr("millebornes.tui.common.review.review", _interrupted)
        given_up = home.resume(finishing(home, "again.jsonl"), "100", "review", "n").text
    assert "The review was stopped." in given_up


def _interrupted(*_: object, **__: object) -> None:
    raise Interrupted


def test_the_review_of_a_practice_match_is_not_kept(home: Home) -> None:
    played = home.resume(finishing(home, practice=True), "100", "review")
    assert "100% of the decisions judged…" in played.text
    assert load_reviews() == {}
