"""Digits typed without Shift on a French keyboard, or in full width, are digits wherever a number is meant."""

import pytest

from millebornes.cards import Card
from millebornes.game import Action
from millebornes.i18n import translator
from millebornes.tui.common.moves import Wish
from millebornes.tui.plain import PlayOptions
from millebornes.tui.plain.commands import LineKind
from tests.plain.inside import Home
from tests.plain.test_commands import understood


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("u é", Wish(Action.PLAY, place=2)),
        ("ué", Wish(Action.PLAY, place=2)),
        ("U-", Wish(Action.PLAY, place=6)),
        ("u §", Wish(Action.PLAY, place=6)),
        ("utiliser (", Wish(Action.PLAY, place=5)),
        ("d'", Wish(Action.DISCARD, place=4)),
        ("d &", Wish(Action.DISCARD, place=1)),
        ('-"', Wish(Action.DISCARD, place=3)),
        ("u è", Wish(Action.PLAY, place=7)),
        ("rouge é", Wish(Action.PLAY, Card.STOP, side=1)),
        ("rouge sur é", Wish(Action.PLAY, Card.STOP, side=1)),
        ("rouge>&", Wish(Action.PLAY, Card.STOP, side=1)),
        ("-75", Wish(Action.DISCARD, Card.D75)),
        ("- 75", Wish(Action.DISCARD, Card.D75)),
        ("-essence", Wish(Action.DISCARD, Card.GASOLINE)),
        ("panne d'essence sur basic", Wish(Action.PLAY, Card.OUT_OF_GAS, side=1)),
    ],
)
def test_a_french_keyboard_at_the_table(text: str, wish: Wish) -> None:
    assert understood(text, language="fr").wish == wish


def test_elsewhere_they_mean_nothing() -> None:
    assert understood("u &").kind is LineKind.UNKNOWN
    assert understood("&", language="de").kind is LineKind.UNKNOWN


def test_full_width_digits_count_in_every_language() -> None:
    for language in ("en", "de", "fr"):
        assert understood("u ４", language=language).wish == Wish(Action.PLAY, place=4)
        assert translator(language).digits("１２") == "12"


def test_a_question_about_a_hand_takes_them() -> None:
    assert understood("journal é", language="fr").number == 2
    assert understood("indice (", language="fr").number == 5


def test_numbers_of_several_digits() -> None:
    assert translator("fr").digits("(ààà") == "5000"
    assert translator("fr").digits("-75") == "-75"
    assert translator("en").digits("(ààà") == "(ààà"


@pytest.mark.parametrize("typed", ["é", "２"])
def test_menus_before_the_game_take_them(home: Home, typed: str) -> None:
    played = home.play(PlayOptions(language="fr"), [typed])
    assert "Il n’y a pas" not in played.text
    assert played.text.count("Édition") == home.play(PlayOptions(language="fr"), ["2"]).text.count("Édition")
    assert played.text.count("Édition") < home.play(PlayOptions(language="fr"), ["z"]).text.count("Édition")
