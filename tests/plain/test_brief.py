"""The brief mode: only what has changed since one's last turn, the hand on demand."""

import dataclasses
import re
from collections.abc import Iterator

import pytest

from millebornes.analysis.records import Analysis
from millebornes.editions import make_rules
from millebornes.game import Action, InformationState, Match, Move
from millebornes.i18n import translator
from millebornes.storage import load_preferences
from millebornes.storage.preferences import LINES
from millebornes.table.setup import GameSetup
from millebornes.themes import theme
from millebornes.tui.common import hints
from millebornes.tui.plain import PlayOptions
from millebornes.words.participants import Participants
from millebornes.words.table import changes
from millebornes.words.words import Words
from tests.full.hints import analysis_of, thought
from tests.plain.inside import Home, Played, deck_of

ENGLISH = translator("en")
CLASSIC = make_rules("classic")
BRIEF = PlayOptions(setup=GameSetup(places=("human", "basic"), seed="7"), brief=True)
HANDS = {0: "roll 100 25 25 25 25", 1: "stop speed_limit roll 75 75 75"}


def begin(home: Home, *lines: str, moves: tuple[str, ...] = (), people: int = 1) -> Played:
    """Go on with a hand of known cards, in brief."""
    match = Match.start(CLASSIC, deck=deck_of(CLASSIC, HANDS, "25 75 50 75 gasoline 75"), players=("Ann", "Bo"))
    for move in moves:
        match = match.play(move)
    path = home.save(match, ["human"] * people + ["random"] * (2 - people))
    return home.play(PlayOptions(save=path, brief=True), lines)


def test_a_turn_tells_what_is_new_in_few_lines(home: Home) -> None:
    played = home.play(BRIEF, ["roll", "100", "D 1", "D 2", "gas"])
    turns = played.text.split("Your move:")
    assert turns[0].endswith(
        "Your turn. You draw 25 miles.\n"
        "Your hand: 1, 25 miles; 2, 50 miles; 3, Roll; 4, 25 miles; 5, 75 miles; 6, End of Limit; P, 25 miles.\n"
    )
    assert (
        turns[2] == " \nYou play 100 miles, now at 100.\nSam plays 200 miles, now at 200.\nYour turn. You draw Roll.\n"
    )
    assert turns[3] == (
        " \nYou discard 25 miles.\nSam plays Out of Gas on you.\nYour turn. You draw Out of Gas.\n"
        "You: held up by Out of Gas, needs Gasoline.\n"
    )
    assert played.text.count("Your hand:") == 1
    assert "draws a card" not in played.text


def test_a_speed_limit_is_news(home: Home) -> None:
    played = begin(home, "", "D 2", "", "use limit", "", "n", people=2)
    told = played.after("Pass the keyboard to Ann")
    assert "Bo plays Speed Limit on you." in told
    assert told.count("You: at most 50 a turn because of Speed Limit.\n") == 1


def test_the_end_of_the_draw_pile_is_news() -> None:
    view = Match.start(CLASSIC, "x", players=("You", "basic")).view(0)
    participants = Participants(CLASSIC, ("You", "basic"), (True, False), ENGLISH)

    def told(before: int, now: int) -> list[str]:
        known, seen = (dataclasses.replace(view, draw_pile=left) for left in (before, now))
        return changes(known, seen, Words(ENGLISH, theme()).at(participants))

    assert told(40, 11) == []
    assert told(12, 10) == ["10 cards are left to draw."]
    assert told(10, 8) == []
    assert told(2, 0) == ["The draw pile is empty."]
    assert told(0, 0) == []


def test_the_switch_is_a_command_and_is_kept(home: Home) -> None:
    full = PlayOptions(setup=GameSetup(places=("human", "basic"), seed="7"))
    played = home.play(full, ["b", "roll", "brief", "D 1"])
    told = played.after("You play Roll.\n")
    assert "Brief mode on: you'll hear only what has changed." in played.text
    assert "Brief mode off: you'll hear the whole table at every turn." in told
    assert told.count("Draw pile:") == 1
    assert not load_preferences(LINES).brief
    home.play(full, ["bref"])
    assert load_preferences(LINES).brief
    assert "Draw pile:" not in home.play(full, ["D 1"]).text
    assert (
        "Draw pile:"
        in home.play(PlayOptions(setup=GameSetup(places=("human", "basic"), seed="7"), brief=False), []).text
    )


def test_a_game_that_is_taken_up_again_is_told_in_full_once(home: Home) -> None:
    played = begin(home, "D 1", moves=("roll", "roll"))
    first = played.text.partition("Your move:")[0]
    assert "You: 0 of 700 miles, moving.\nBo: 0 of 700 miles, moving.\nYour hand: " in first
    assert "of 700 miles" not in played.after("You discard")


def test_what_was_taken_back_is_told_in_full_again(home: Home) -> None:
    options = PlayOptions(setup=GameSetup(places=("human", "basic"), seed="7", practice=True), brief=True)
    told = home.play(options, ["roll", "100", "z"]).after("You take your move back.")
    assert "You: 0 of 700 miles, moving." in told
    assert "Your hand: " in told


def test_several_people_are_told_what_is_new_to_each(home: Home) -> None:
    played = begin(home, "", "stop", "", "n", "D 1", "", "D 1", "", "hand", moves=("roll", "roll", "-25"), people=2)
    assert "Bo, your turn." in played.text
    asked = played.text.partition("Pass the keyboard to Ann")[2].partition("Ann, your turn.")[0]
    assert "Bo plays Stop on you." in asked
    assert "You: 0 of 700 miles, held up by Stop, needs Roll.\nBo: 0 of 700 miles, moving." in asked
    assert "You draw" not in asked
    assert played.text.rstrip().rpartition("Your move:")[0].endswith("P, 100 miles.\n")


def test_the_score_is_told_in_sentences(home: Home) -> None:
    rules = CLASSIC.replace({"goal": 100, "extension_goal": None})
    deck = deck_of(rules, {0: "roll 100 25 25 25 25", 1: "stop 75 75 75 75 75"}, "25 75 25 75 25 75")
    match = Match.start(rules, deck=deck, players=("You", "Bo"), match_target=4000).play("roll").play("-75")
    path = home.save(match, ["human", "random"])
    played = home.play(PlayOptions(save=path, brief=True), ["100", "T", "log", "last", "score", "b", "W"])
    sentence = (
        "You: Distance Driven 100, Trip Completed 400, Safe Trip 300, Shut-Out 500, Hand Total 1300, "
        "Overall Total 1300, Matches Won 0.\nBo: Hand Total 0, Overall Total 0, Matches Won 0.\n"
    )
    assert played.text.count(sentence) == 2
    assert "Hand 1. You begin.\nYou play Roll.\nBo discards 75 miles.\nYou play 100 miles, now at 100." in played.text
    assert "You: 1300 in this hand, 1300 in the match; Bo: 0 in this hand, 0 in the match." in played.text
    assert re.search(r"^Trip Completed +400 +0$", played.text, re.MULTILINE)  # no longer in brief
    in_words = home.play(PlayOptions(save=path), ["100", "sheet words"])
    assert sentence in in_words.text


def test_the_match_so_far_is_a_sentence(home: Home) -> None:
    match = Match.start(CLASSIC, "seed", players=("random", "random"), match_target=None)
    path = home.save(match, ["random", "random"])
    played = home.play(PlayOptions(save=path, brief=True), ["", "n", ""])
    assert re.search(r"^The match so far: after hand 1: Sam \d+, Alex \d+; after hand 2: ", played.text, re.M)


@pytest.fixture
def quick_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints with given figures; `test_commands.py` thinks in earnest."""

    def best_first(seen: InformationState) -> Iterator[Analysis | None]:
        def rank(move: Move) -> bool:
            return move.action is not Action.COUP and move != Move.parse("roll")

        return thought(analysis_of(seen.view, moves=sorted(seen.view.legal_moves, key=rank)))

    monkeypatch.setattr(hints, "thoughts", best_first)


@pytest.mark.usefixtures("quick_hints")
@pytest.mark.parametrize("brief", [True, False])
def test_a_hint_is_played_by_enter(home: Home, brief: bool) -> None:
    options = PlayOptions(setup=GameSetup(places=("human", "basic"), seed="7"), brief=brief)
    played = home.play(options, ["", "H", "pile", "", ""])
    assert "Type a command" in played.text.partition("Hint: ")[0]
    assert played.text.count("Your move (Enter: play Roll):") == 2
    assert "The other moves, and what they lose: " in played.text
    told = played.after("You play Roll.")
    assert "Your move (Enter" not in told
    assert "Type a command" in told  # a hint holds for one decision


@pytest.mark.usefixtures("quick_hints")
def test_a_hint_answers_a_question_by_enter(home: Home) -> None:
    deck = deck_of(CLASSIC, {0: "roll right_of_way 25 25 50 50", 1: "stop 100 100 100 100 100"}, "25 25 25 25 25 25")
    match = Match.start(CLASSIC, deck=deck, players=("You", "basic")).play("roll").play("stop>0")
    path = home.save(match, ["human", "basic"])
    played = home.resume(path, "", "H", "")
    assert "Decide about the coup fourré first" in played.text.partition("Hint: ")[0]
    assert "(y/n) (Enter: call a coup fourré with Right of Way)" in played.text
    assert "Coup fourré! You answer Stop with Right of Way." in played.text
