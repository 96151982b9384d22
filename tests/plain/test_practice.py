"""Practice at the keyboard: undo, count, and what is said where neither is allowed."""

from pathlib import Path

from millebornes.cards import Card
from millebornes.editions import make_rules
from millebornes.game import Match
from millebornes.storage import read_save
from millebornes.table.setup import GameSetup
from millebornes.tui.plain import PlayOptions
from tests.plain.inside import Home, deck_of

CLASSIC = make_rules("classic")


def practice(**options: object) -> PlayOptions:
    return PlayOptions(setup=GameSetup(places=("human", "random"), seed="3", practice=True), **options)  # type: ignore[arg-type]


def test_undo_and_counts(home: Home) -> None:
    played = home.play(practice(), ["undo", "count", "D 1", "undo", "D 2", "undo", "R", "D 3", "?"])
    assert "Practice: “undo” takes a move back" in played.text
    assert played.text.count("You have no move in this hand that can be taken back.") == 1
    assert played.text.count("You take your move back.") == 2
    hands = [part.partition("Your move:")[0] for part in played.text.split("Your hand:\n")[1:]]
    assert hands[0].splitlines()[:7] == hands[-2].splitlines()[:7]
    saved = read_save(home.autosave)
    assert saved.practice
    assert f"You discard {hands[0].splitlines()[2].split('  ')[-1]}" in played.text
    told, view = played.after("Cards that you haven't seen: "), saved.match.hand.at(0).view(0)
    assert told.startswith("99, with 93 in the draw pile and 6 in other players' hands.\n")
    for word, card in (("Right of Way", Card.RIGHT_OF_WAY), ("Roll", Card.ROLL), ("200 miles", Card.D200)):
        assert f"{word} {view.unseen[card]}" in told
    assert "  Z   undo: take your latest move back" in told
    assert "  C   count the cards" in told
    assert "You take your move back." in home.resume(home.autosave, "undo").text


def test_neither_in_a_game_that_counts(home: Home) -> None:
    played = home.play(
        PlayOptions(setup=GameSetup(places=("human", "random"), seed="3")), ["D 1", "undo", "count", "?"]
    )
    assert played.text.count("You can take moves back and count cards only in practice") == 2
    assert "in practice only" not in played.text


def finishing(home: Home, *, practice: bool, second: str = "random") -> Path:
    """A hand that the first seat can end with a 100."""
    rules = CLASSIC.replace({"goal": 100, "extension_goal": None})
    deck = deck_of(rules, {0: "roll 100 25 25 25 25", 1: "stop 75 75 75 75 75"}, "25 75 25 75 25 75")
    match = Match.start(rules, deck=deck, players=("You", "Bo"), match_target=100)
    for move in ("roll", "-75"):
        match = match.play(move)
    return home.save(match, ["human", second], practice=practice)


def test_the_last_move_of_a_hand_can_be_taken_back(home: Home) -> None:
    path = finishing(home, practice=True)
    played = home.resume(path, "100", "undo", "R")
    told = played.after("You win the match.")
    assert "You take your move back." in told
    assert told.count("Side 1, You: 0 of 100 miles, moving.") == 2
    assert not read_save(path).match.hand.is_over
    assert read_save(path).games == (0, 0)


def test_the_last_move_of_several_people_too(home: Home) -> None:
    path = finishing(home, practice=True, second="human")
    told = home.resume(path, "", "100", "undo", "", "R").after("You wins the match.")
    assert "Pass the keyboard to You." in told
    assert "You take your move back." in told
    assert not read_save(path).match.hand.is_over


def test_a_match_that_is_over_stays_over(home: Home) -> None:
    told = home.resume(finishing(home, practice=False), "100", "undo", "W", "?").after("You win the match.")
    assert "Please answer yes or no." in told
    assert told.count("Distance Driven") == 1
    assert "Enter continues, N ends the game" in told
