"""Every command of the classic game, and what people type instead."""

import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from millebornes.cards import Card
from millebornes.commands.table import BY_LETTER, Command
from millebornes.editions import make_rules
from millebornes.game import Action, Match
from millebornes.i18n import translator
from millebornes.table.setup import GameSetup
from millebornes.tui.common import hints
from millebornes.tui.common.moves import Wish
from millebornes.tui.plain import PlayOptions, seat
from millebornes.tui.plain.commands import LineKind, TypedLine, parse
from millebornes.words.participants import Participants
from millebornes.words.words import Words
from tests.plain.inside import Home, Played, deck_of

ENGLISH = translator("en")
CLASSIC = make_rules("classic")
HAND = re.compile(r"^  ([1-6P])  (.+)$", re.MULTILINE)


def understood(
    text: str, *, seats: int = 2, sides: int = 2, answering: bool = False, language: str = "en"
) -> TypedLine:
    names = ["Ann", "basic", "random", "Bo"][:seats]
    participants = Participants(make_rules("classic", seats, sides), names, [True] * seats, translator(language))
    return parse(text, 6, Words.of(language).at(participants), answering=answering)


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("use gas", Wish(Action.PLAY, Card.GASOLINE)),
        ("play GAS", Wish(Action.PLAY, Card.GASOLINE)),
        ("gas", Wish(Action.PLAY, Card.GASOLINE)),
        ("utiliser essence", Wish(Action.PLAY, Card.GASOLINE)),
        ("jouer Véhicule prioritaire", Wish(Action.PLAY, Card.RIGHT_OF_WAY)),
        ("-75", Wish(Action.DISCARD, Card.D75)),
        ("- 75", Wish(Action.DISCARD, Card.D75)),
        ("discard roll", Wish(Action.DISCARD, Card.ROLL)),
        ("défausser roulez", Wish(Action.DISCARD, Card.ROLL)),
        ("défausser vert", Wish(Action.DISCARD, Card.ROLL)),
        ("d roll", Wish(Action.DISCARD, Card.ROLL)),
        ("75", Wish(Action.PLAY, Card.D75)),
        ("u 75", Wish(Action.PLAY, Card.D75)),
        ("use 75 km", Wish(Action.PLAY, Card.D75)),
        ("200", Wish(Action.PLAY, Card.D200)),
        ("200 km", Wish(Action.PLAY, Card.D200)),
        ("200=roll", Wish(Action.AS_ROLL, Card.D200)),
        ("200 = Roll", Wish(Action.AS_ROLL, Card.D200)),
        ("use 200 as a roll", Wish(Action.AS_ROLL, Card.D200)),
        ("jouer 200 comme roulez", Wish(Action.AS_ROLL, Card.D200)),
        ("jouer 200 comme feu vert", Wish(Action.AS_ROLL, Card.D200)),
        ("200=vert", Wish(Action.AS_ROLL, Card.D200)),
        ("extra tank!", Wish(Action.COUP, Card.EXTRA_TANK)),
        ("extra_tank!", Wish(Action.COUP, Card.EXTRA_TANK)),
        ("stop", Wish(Action.PLAY, Card.STOP)),
        ("stop>1", Wish(Action.PLAY, Card.STOP, side=1)),
        ("stop 2", Wish(Action.PLAY, Card.STOP, side=1)),
        ("use stop on 2", Wish(Action.PLAY, Card.STOP, side=1)),
        ("use stop on side 2", Wish(Action.PLAY, Card.STOP, side=1)),
        ("stop on basic", Wish(Action.PLAY, Card.STOP, side=1)),
        ("stop basic", Wish(Action.PLAY, Card.STOP, side=1)),
        ("out of gas > 1", Wish(Action.PLAY, Card.OUT_OF_GAS, side=1)),
        ("jouer feu rouge sur basic", Wish(Action.PLAY, Card.STOP, side=1)),
        ("u 3", Wish(Action.PLAY, place=3)),
        ("U3", Wish(Action.PLAY, place=3)),
        ("use p", Wish(Action.PLAY, place=7)),
        ("u7", Wish(Action.PLAY, place=7)),
        ("u 3 2", Wish(Action.PLAY, place=3, side=1)),
        ("u 3>1", Wish(Action.PLAY, place=3, side=1)),
        ("use 3 on basic", Wish(Action.PLAY, place=3, side=1)),
        ("d 5", Wish(Action.DISCARD, place=5)),
        ("dp", Wish(Action.DISCARD, place=7)),
        ("discard P", Wish(Action.DISCARD, place=7)),
        ("-3", Wish(Action.DISCARD, place=3)),
        ("pass", Wish(Action.PASS)),
        ("extend", Wish(Action.EXTEND)),
        ("terminer", Wish(Action.FINISH)),
    ],
)
def test_moves_in_words(text: str, wish: Wish) -> None:
    assert understood(text) == TypedLine(LineKind.MOVE, wish)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("p", Command.PICK),
        ("D", Command.DISCARD),
        ("u", Command.USE),
        ("O", Command.ORDER),
        ("q", Command.QUIT),
        ("\x7f", Command.QUIT),
        ("S", Command.SAVE),
        ("r", Command.REDRAW),
        ("\x0c", Command.REDRAW),
        ("W", Command.WINDOW),
        ("?", Command.HELP),
        ("l", Command.LEGAL),
        ("quitter", Command.QUIT),
        ("aide", Command.HELP),
        ("", LineKind.NOTHING),
    ],
)
def test_commands_of_one_letter_or_word(text: str, kind: Command | LineKind) -> None:
    assert understood(text).kind is kind


def test_a_single_letter_is_never_a_card() -> None:
    known = {letter for letter, command in BY_LETTER.items() if not command.value.is_answer}
    for letter in string.printable:
        if letter.strip():
            kind = understood(letter).kind
            assert kind is not LineKind.MOVE
            assert (kind is LineKind.UNKNOWN) is (letter.lower() not in known), letter


def test_yes_and_no_mean_something_only_at_questions() -> None:
    assert understood("y").kind is LineKind.UNKNOWN
    assert understood("y", answering=True).kind is Command.YES
    assert understood("n", answering=True).kind is Command.NO
    assert understood("o", answering=True).kind is Command.ORDER
    assert understood("o", answering=True, language="fr").kind is Command.YES
    assert understood("o", language="fr").kind is Command.ORDER
    assert "n’est ni une commande" in understood("esence", language="fr").message


def test_a_french_side_is_named_as_the_help_does() -> None:
    for side in ("équipe 2", "l’équipe 2", "camp 2"):
        assert understood(f"rouge sur {side}", language="fr").wish == Wish(Action.PLAY, Card.STOP, side=1)
        assert understood(f"bornes {side}", language="fr").side == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("3", "U 3 uses that card"),
        ("x", "X isn't a command"),
        ("gsoline", "did you mean"),
        ("q of", "isn't a card"),
        ("s 2", "could be"),
        ("roll on basic", "Only hazards can be played"),
        ("stop 9", "1 to 2"),
        ("stop on nobody", "isn't the name of exactly one side"),
        ("200=gas", "200=roll"),
        ("25!", "Only a safety can be called"),
        ("\x1b[2J", "isn't a card"),
    ],
)
def test_what_is_wrong_is_said(text: str, says: str) -> None:
    command = understood(text)
    assert command.kind is LineKind.UNKNOWN
    assert says in command.message
    assert "\x1b" not in command.message


@settings(max_examples=400)
@given(st.text(max_size=60), st.booleans())
def test_nothing_typed_can_break_the_reading(text: str, answering: bool) -> None:
    understood(text, answering=answering)


# ------------------------------------------------------------------ in the game

START = {0: "roll stop 25 200 right_of_way 50", 1: "roll 25 25 50 50 75"}


def begin(home: Home, *lines: str, moves: tuple[str, ...] = (), **settings: object) -> Played:
    """Play on from a hand of known cards: roll, stop, 25, 200, right of way, 50, and 100 just drawn."""
    rules = CLASSIC.replace(settings)
    match = Match.start(rules, deck=deck_of(rules, START, "100 75 gasoline repairs 75"), players=("You", "Bo"))
    for move in moves:
        match = match.play(move)
    return home.resume(home.save(match, ["human", "human" if moves else "random"]), *lines)


def hand_after(text: str) -> dict[str, str]:
    """The hand as it was last shown."""
    return dict(HAND.findall(text.rpartition("Your hand:")[2].partition("Your move")[0]))


def test_the_drawn_card_lies_at_p_and_takes_the_place_of_the_played_one(home: Home) -> None:
    first = begin(home)
    assert hand_after(first.text) == {
        "1": "Roll", "2": "Stop", "3": "25 miles", "4": "200 miles", "5": "Right of Way", "6": "50 miles",
        "P": "100 miles",
    }  # fmt: skip
    played = begin(home, "U 1")
    assert "You play Roll." in played.text
    shown = hand_after(played.text)
    assert shown["1"] == "100 miles"
    assert list(shown) == ["1", "2", "3", "4", "5", "6", "P"]
    assert hand_after(begin(home, "D P").text)["1"] == "Roll"


def test_order_sorts_the_hand_and_is_remembered(home: Home) -> None:
    played = begin(home, "O")
    assert list(hand_after(played.text).values()) == [
        "25 miles", "50 miles", "200 miles", "Stop", "Roll", "Right of Way", "100 miles"
    ]  # fmt: skip
    assert '"sort": true' in (home.folder / "config" / "preferences.json").read_text()
    again = begin(home, "O", "O")
    assert "Your hand is no longer sorted." in again.text


def test_use_asks_which_card_and_goes_back(home: Home) -> None:
    played = begin(home, "U", "", "U", "3", "D", "4")
    assert played.text.count("Use which card?") == 2
    assert "You can't do that: you aren't moving; play Roll first (R4.1)." in played.text
    assert "You discard 200 miles." in played.text


def test_illegal_and_mistyped_commands_cost_nothing(home: Home) -> None:
    nonsense = "25,use gas,stop,3,x,,U 9,pass,extend,gasolin,-,right of way!,25!,stop 1,y,L".split(",")
    played = begin(home, *nonsense)
    assert played.text.count("Your move:") == len(nonsense) + 1
    for clause in ("R2.5", "R4.1", "R4.4", "R5.1", "R6.2"):
        assert f"({clause})" in played.text
    assert "You play" not in played.text
    assert "You discard" not in played.text
    assert "play Right of Way  [right_of_way]" in played.after("You can:")


def test_a_hint_names_a_move_and_says_why(home: Home) -> None:
    for command in ("H", "hint", "indice"):
        told = begin(home, command).text
        best = re.search(r"\nYour move \(Enter: (.+)\):", told)
        assert best is not None
        first = best[1][:1].upper() + best[1][1:]
        assert re.search(rf"\nHint: ({first}: .+|Too close to call: {best[1]} or .+)\.\n", told)
        compared = rf"(Best: {best[1]}\. Compared with .+|{first} or .+: the difference .+) ± .+\.\n"
        assert re.search(compared, told)
        assert re.search(r"\n  The other moves, and what they lose: .+, \d+\.\d+%.*\.\n", told)
        assert re.search(r"\n  Based on \d+ simulations\. Press H again to think longer\.\n", told)
    french = home.resume(home.folder / "game.jsonl", "H", language="fr").text
    assert re.search(r"\nConseil : .*(jouer|défausser|Jouer|Défausser) .+\.\n", french)


def test_a_hint_is_thought_further(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat, "FURTHER", 0.0)
    told = begin(home, "H", "H", "hint 1", "", "H").text
    worlds = [int(found) for found in re.findall(r"Based on (\d+) simulations", told)]
    assert len(worlds) == 4
    assert worlds[0] < worlds[1] < worlds[2]
    assert worlds[3] == worlds[0]  # another decision
    for wrong in ("hint 0", "hint 61", "H now"):
        refused = begin(home, wrong).text
        assert "After “hint”, type how many seconds to think, from 1 to 60, such as: hint 5" in refused


def test_while_hints_are_prepared_the_maxims_advise(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_args: object) -> Iterator[None]:
        while True:
            yield None

    monkeypatch.setattr(hints, "thoughts", never)
    monkeypatch.setattr(seat, "PATIENCE", (0.0, 0.0))
    told = begin(home, "H", "").text
    assert "Getting hints ready. This takes a minute or two the first time." in told
    assert "Until then, the strategy advice is: play Roll." in told
    assert "You play Roll." in told


def test_window_toggles_between_commands_and_score(home: Home) -> None:
    played = begin(home, "W", "R", "W")
    assert played.text.count("Distance Driven") == 2
    assert played.text.count("\nU use, D discard") == 2


def test_help_lists_all_commands_and_shows_clauses(home: Home) -> None:
    told = begin(home, "?").after("Commands (followed by Enter):")
    for key in ("P", "U n", "D n", "O", "L", "H", "R", "W", "T", "S", "Q", "?"):
        assert re.search(rf"^  {re.escape(key)} ", told, re.MULTILINE), key
    assert "R4.8" in begin(home, "? 4.8").text
    assert "there is no clause" in begin(home, "? R77").text


def test_pick_by_hand(home: Home) -> None:
    auto = begin(home, "P")
    assert "You've already picked a card: P is 100 miles." in auto.text
    assert "P pick" not in auto.text
    manual = begin(home, "manual", "roll", "U 2", "P", "P", "L")
    told = manual.after("You play Roll.")
    assert "  P picks a card." in told
    assert "Pick a card first: P (R2.5)." in told
    assert told.index("Pick a card first") < told.index("You draw ")
    assert "You've already picked" in told
    own = begin(home, "?").text  # the setting is kept, and P comes first where it's needed
    assert "\nP pick, U use" in own
    assert "Commands (followed by Enter):\n  P   pick a card" in own


def test_a_game_taken_up_unpicked_is_still_unpicked(home: Home) -> None:
    begin(home, "manual")
    path = home.folder / "game.jsonl"
    first = home.resume(path, "roll")
    assert "You draw" not in first.text  # what had been drawn already is in the hand
    second = home.resume(path, "R", "P")
    assert second.text.count("  P picks a card.") == 2
    assert second.text.count("You draw") == 1


def test_a_hazard_with_several_targets_asks_for_the_side(home: Home) -> None:
    rules = make_rules("classic", 3, 3)
    hands = {0: "stop 25 25 25 25 25", 1: "roll 50 50 50 50 50", 2: "roll 75 75 75 75 75"}
    deck = deck_of(rules, hands, "25 50 75 25")
    match = Match.start(rules, deck=deck, players=("You", "Bo", "Cy"))
    for move in ("-25", "roll", "roll"):
        match = match.play(move)
    path = home.save(match, ["human", "basic", "basic"])
    played = home.resume(path, "stop", "", "stop", "1", "stop", "²", "stop", "3")
    assert played.text.count("On which side?") == 4
    assert "You can play hazards on these sides now: 2, 3." in played.text
    assert "You play Stop on Cy." in played.text


def test_extension_question(home: Home) -> None:
    rules = CLASSIC.replace({"goal": 100, "extension_goal": 1000})
    deck = deck_of(rules, {0: "roll 100 25 25 25 25", 1: "stop 75 75 75 75 75"}, "25 75 25 75 25 75")
    match = Match.start(rules, deck=deck, players=("You", "Bo"))
    for move in ("roll", "-75"):
        match = match.play(move)
    path = home.save(match, ["human", "random"])
    played = home.resume(path, "100", "", "U 1", "L", "finish")
    assert played.text.count("Decide about the extension first: y extends the trip, n finishes the hand (R6.2).") == 2
    assert "You finish the hand." in played.text
    assert re.search(r"^Trip Completed +400 +0$", played.text, re.MULTILINE)
    assert "Another hand? (Y/n)" in played.text


def test_the_score_sheet_has_the_classic_terms_in_order(home: Home) -> None:
    told = begin(home, "W").after("You ")
    terms = [line[:20].strip() for line in told.splitlines()[1:13]]
    assert [re.sub(r"  .*", "", term) for term in terms] == [
        "Distance Driven", "Each Safety", "All 4 Safeties", "Each Coup Fourré", "Trip Completed", "Delayed Action",
        "Safe Trip", "Extension", "Shut-Out", "Hand Total", "Overall Total", "Matches Won",
    ]  # fmt: skip


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\r\n"), max_size=30), max_size=12)
)
def test_nonsense_never_breaks_the_game(home: Home, lines: list[str]) -> None:
    played = begin(home, *lines)
    assert played.status == 0
    assert "Your game is saved in" in played.text or "quit" in played.text


def test_french(home: Home) -> None:
    played = home.play(
        PlayOptions(language="fr", seed="3"),
        ["", "", "?", "L", "O", "jouer feu vert", "x", "quitter", "s", "-", "d", "o"],
    )
    said = "Quelles règles ?|Votre main :|Commandes (suivies d’Entrée)|Vous ne pouvez pas :|Vous jouez : Feu vert."
    said += "|X n’est pas une commande|Votre partie est enregistrée.|un tiret pour revenir) :"
    said += "|Supprimer cette partie ? C’est définitif. (o/N)"
    for text in said.split("|"):
        assert text in played.text
    asked = played.text.partition("Quelles règles ?")[2].partition("Édition")[2]
    for english in ("Your", "You ", "hand", "discard"):
        assert english not in asked, english


def test_a_name_cannot_bring_control_characters(home: Home, tmp_path: Path) -> None:
    options = PlayOptions(
        setup=GameSetup(places=("human", "human"), seed="1").with_names(("\x1b[31mAnn\x07", "  Bo\n "))
    )
    played = home.play(options, [""])
    assert "\x1b" not in played.text
    assert "\x07" not in played.text
    assert "Side 2: Bo." in played.text
