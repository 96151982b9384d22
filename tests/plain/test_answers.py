"""Questions for one thing, in English and French, about one side or all."""

import pytest

from millebornes.commands.table import Command
from millebornes.editions import make_rules
from millebornes.game import Match
from millebornes.i18n import LANGUAGES, translator
from millebornes.tui.plain import PlayOptions
from millebornes.tui.plain.commands import LineKind, TypedLine, parse
from millebornes.words.participants import Participants
from millebornes.words.words import Words
from tests.plain.inside import Home, Played, deck_of

ENGLISH = translator("en")
PARTNERS = make_rules("classic", 4, 2)


def understood(text: str, seat: int | None = 2) -> TypedLine:
    participants = Participants(PARTNERS, ("Ann", "Boris", "Cy", "Bella"), (True,) * 4, ENGLISH)
    return parse(text, 6, Words.of().at(participants), seat=seat)


def asked(home: Home, *lines: str, language: str = "en") -> Played:
    """Questions of Ann, who is stopped and limited; her partner is Cy, and Boris and Bella have a safety."""
    hands = {0: "roll 100 25 25 25 25", 1: "roll stop speed_limit extra_tank 75 75", 2: "50 " * 6, 3: "100 " * 6}
    deck = deck_of(PARTNERS, hands, "25 75 75 75 75 25 75 75 75 25 75 200 200 25")
    match = Match.start(PARTNERS, deck=deck, players=("Ann", "Boris", "Cy", "Bella"))
    for move in ("roll", "extra_tank", "roll", "50", "-100", "-25", "stop>0", "-50", "-100", "-25", "speed_limit>0"):
        match = match.play(move)
    match = match.play("-50").play("-100")
    path = home.save(match, ["human", "random", "random", "random"])
    return home.play(PlayOptions(save=path, language=language), lines)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("hand", "Your hand: 1, "),
        (
            "status",
            "You and Cy: 50 of 1000 miles, held up by Stop, needs Roll, at most 50 a turn because of Speed Limit. ",
        ),
        ("status b 2", "'b 2' isn't the name of exactly one side; the sides are 1 Ann and Cy; 2 Boris and Bella."),
        ("status boris", "Boris and Bella: 0 of 1000 miles, moving. Safeties: Extra Tank."),
        ("miles", "You and Cy: 50 miles, 950 to go. Boris and Bella: 0 miles, 1000 to go."),
        ("miles me", "You and Cy: 50 miles, 950 to go."),
        ("hazard", "You and Cy: Stop, needs Roll. Boris and Bella: no hazard; on the battle pile: Roll."),
        ("hazard 2", "Boris and Bella: no hazard; on the battle pile: Roll."),
        ("hazard seat 3", "You and Cy: Stop, needs Roll."),
        ("limit", "You and Cy: at most 50 a turn because of Speed Limit. Boris and Bella: no Speed Limit."),
        ("limit be", "Boris and Bella: no Speed Limit."),
        ("safeties", "You and Cy: no safeties. Boris and Bella: Extra Tank."),
        ("pile", "Draw pile: 68. Discard pile: 100 miles."),
        (
            "score",
            "You and Cy: 50 in this hand, 50 in the match; Boris and Bella: 100 in this hand, 100 in the match. The",
        ),
        ("score 2", "Boris and Bella: 100 in this hand, 100 in the match. The match goes to 5000 points."),
        ("goal", "The trip: 1000 miles."),
        ("players", "Side 1: You and Cy; side 2: Boris and Bella."),
        ("log 3", "There is no hand 3; this is hand 1."),
        ("log x", "After “log”, type the number of a hand, such as: log 2"),
        ("pile 2", "Type pile on its own, with nothing after it."),
        ("miles seat 9", "There is no such seat; seats are numbered 1 to 4."),
        ("miles 3", "There is no such side; sides are numbered 1 to 2, as the table shows."),
        ("miles ፩", "'፩' isn't the name of exactly one side; the sides are 1 Ann and Cy; 2 Boris and Bella."),
    ],
)
def test_each_question_has_its_answer(home: Home, text: str, answer: str) -> None:
    line = asked(home, text).text.split("Your move: \n")[1].split("\n")[0]
    assert line.startswith(answer)
    assert line == answer or not answer.endswith(".")


def test_in_french(home: Home) -> None:
    said = asked(home, "bornes", "attaque bor", "limite", "bottes moi", "arrivée", "joueurs", language="fr").text
    for answer in (
        "Vous et Cy : 50 kilomètres, encore 950. Boris et Bella : 0 kilomètres, encore 1000.",
        "Boris et Bella : pas d’attaque ; sur la pile de bataille : Feu vert.",
        "Vous et Cy : 50 au plus par tour à cause de « Limite de vitesse ».",
        "Vous et Cy : pas de botte.",
        "Le parcours : 1000 kilomètres.",
        "Équipe 1 : Vous et Cy ; équipe 2 : Boris et Bella.",
    ):
        assert f"\n{answer}" in said


def test_what_has_happened(home: Home) -> None:
    said = asked(home, "last", "log", "D 1", "last").text.split("Your move: \n")
    assert said[1].splitlines() == said[2].splitlines()[-len(said[1].splitlines()) :]
    assert said[2].startswith("Hand 1. You begin.\nYou play Roll.\nBoris draws a card, plays Extra Tank.\n")
    assert "Boris draws a card, plays Stop on your side.\n" in said[2]
    assert said[4].startswith("You discard 100 miles.\nBoris draws a card, ")
    assert len(said[4].splitlines()) <= 8


def test_the_log_holds_every_hand_of_a_match_that_is_taken_up(home: Home) -> None:
    rules = make_rules("classic")
    match = Match.start(rules, "seed", players=("random", "random"), match_target=None)
    path = home.save(match, ["random", "random"])
    home.resume(path, "", "")
    told = home.resume(path, "log", "log 1").text
    assert told.count("\nHand 1. ") == 2
    assert told.count("\nHand 3. ") == 1
    assert "There is no hand" not in told


def test_hands_are_not_told_when_everybody_may_look(home: Home) -> None:
    match = Match.start(make_rules("classic"), "seed", players=("random", "random"), match_target=None)
    assert "You can only see your own hand." in home.resume(home.save(match, ["random"] * 2), "hand").text


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("Miles?", TypedLine(Command.MILES)),
        ("hazard of bel", TypedLine(Command.HAZARD, side=1)),
        ("attaque de Boris", TypedLine(Command.HAZARD, side=1)),
        ("bottes us", TypedLine(Command.SAFETIES, side=0)),
        ("sheet", TypedLine(Command.SCORES)),
        ("feuille mots", TypedLine(Command.SCORES, topic="mots")),
        ("log 2", TypedLine(Command.LOG, number=2)),
    ],
)
def test_how_they_are_typed(text: str, command: TypedLine) -> None:
    assert understood(text) == command


@pytest.mark.parametrize("text", ["use limit", "limite de vitesse", "limit on bella", "speed limit", "limit > 1"])
def test_a_card_is_a_card(text: str) -> None:
    assert understood(text).kind is LineKind.MOVE


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_of_the_help_is_understood(language: str) -> None:
    _ = translator(language)
    words = Words.of(language).at(Participants(PARTNERS, ("Ann", "Bo", "Cy", "Di"), (True,) * 4, _))
    asked = [command for command in Command if command.value.asked_by]
    assert [parse(_.command(command.value.asked_by), 6, words).kind for command in asked] == asked
    assert {command for command in Command if command.value.is_question} == set(asked) - {Command.STATISTICS}


def test_the_letters_are_those_of_the_whole_screen() -> None:
    from millebornes.tui.full.terminal.keys import KEYMAP

    lettered = {command.action: command.value.letter for command in Command if command.value.letter}
    assert {action: keys[0] for action, keys in KEYMAP.items() if keys[0].isalpha() and len(keys[0]) == 1} == lettered
    words = Words.of().at(Participants(PARTNERS, ("A", "B", "C", "D"), (True,) * 4, ENGLISH))
    for action, letter in lettered.items():
        for typed in (letter, letter.upper()):
            assert parse(typed, 6, words, answering=action in {"yes", "no"}).kind is Command[action.upper()]
