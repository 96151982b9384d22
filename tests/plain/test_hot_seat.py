"""Several people at one keyboard: nobody sees another's hand, and questions give nothing away (R5.5)."""

import re
from pathlib import Path

import pytest

from millebornes.commands.table import Command
from millebornes.editions import make_rules
from millebornes.game import Match
from tests.plain.driver import ANOTHER_HAND, KEYBOARD, MOVE, QUESTION, Game
from tests.plain.inside import Home, deck_of

QUESTIONS = [command.value.asked_by for command in Command if command.value.asked_by]
CLEAR = "\x1b[H\x1b[2J\x1b[3J"
CARD = re.compile(r"^  [1-6P]  \S", re.MULTILINE)
PLAIN = "25 25 50 50 75 75"


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_no_hand_is_on_the_screen_when_the_keyboard_is_passed(tmp_path: Path, term: str) -> None:
    people = ["--player", "human", "--player", "human", "--player", "human"]
    with Game(tmp_path, *people, "--name", "Ann", "--name", "Bo", "--name", "Cy", "--seed", "3", term=term) as game:
        passes = 0
        found = game.wait()
        for _ in range(45):
            if found == KEYBOARD:
                passes += 1
                screen = game.seen
                if term == "xterm":
                    screen = screen.rpartition(CLEAR)[2]
                else:
                    screen = "\n".join(screen.splitlines()[-50:])
                assert not CARD.search(screen), screen
                assert "You draw" not in screen
                assert "You can" not in screen
                game.send("")
            elif found == MOVE:
                game.send(game.choose())
            elif found == QUESTION:
                game.send("n")
            elif found == ANOTHER_HAND:
                break
            found = game.wait()
        assert passes > 10


def _question(home: Home, holder: bool) -> str:
    """Bo's screen while he is asked whether he answers Ann's stop, from a game where he can or cannot."""
    rules = make_rules("classic", 3, 3)
    hands = {0: "stop roll 100 100 100 100", 1: "roll 25 25 50 50 " + ("right_of_way" if holder else "75"), 2: PLAIN}
    match = Match.start(rules, deck=deck_of(rules, hands, "25 25 75 25 25"), players=("Ann", "Bo", "Cy"))
    for move in ("roll", "roll", "-25"):
        match = match.play(move)
    path = home.save(match, ["human"] * 3, f"{holder}.jsonl")
    played = home.resume(path, "", "use stop on bo", "", "R", "L", "n", "n", "n", "n", "n")
    return played.after("Pass the keyboard to Bo.").partition("Bo, your turn.")[0]


def test_holder_and_non_holder_get_the_same_question(home: Home) -> None:
    asked, not_asked = _question(home, True), _question(home, False)
    assert asked.count("Call a coup fourré with Right of Way? (y/n)") == 3
    assert "Right of Way" in asked
    # What differs is the one card of his hand, nothing else: not even the number of cards left to draw.
    assert asked.replace("  6  Right of Way", "  6  75 miles") == not_asked


def _told_when_asked(home: Home, mine: str, pile: str) -> str:
    """What Bo, to move next, gets from commands and questions while he is asked; ``mine`` is one of his cards."""
    rules = make_rules("classic")
    hands = {0: "stop 100 100 100 100 100", 1: f"roll 25 25 50 50 {mine}"}
    match = Match.start(rules, deck=deck_of(rules, hands, pile), players=("Ann", "Bo")).play("-100").play("roll")
    path = home.save(match, ["human"] * 2, f"{mine}-{pile.split()[-1]}.jsonl", practice=True)
    played = home.resume(path, "", "stop", "", "H", "count", "L", "R", *QUESTIONS, "n", "H")
    assert "Hint: " in played.after("Bo, your turn.")
    return played.text.partition("Pass the keyboard to Bo.")[2].partition("Bo, your turn.")[0]


def test_a_question_tells_nothing_of_the_turn_that_follows_it(home: Home) -> None:
    told = [_told_when_asked(home, "75", f"25 25 25 {card}") for card in ("100", "accident", "roll")]
    assert told[0] == told[1] == told[2]
    assert "There's no decision to make here; press Enter to continue." in told[0]
    assert "A hint" not in told[0]
    # Nor does it tell whether somebody holds the safety: then the turn, with its draw, has not begun.
    counted = re.compile(r"Cards that you haven't seen: (\d+), with (\d+) in the draw pile")
    answering = _told_when_asked(home, "right_of_way", "25 25 25 100")
    assert "Hint: " in answering
    assert counted.findall(told[0]) == counted.findall(answering) != []
