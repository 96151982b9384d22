import re
import tomllib
import unicodedata
from pathlib import Path
from typing import Any

import pytest

import millebornes
from millebornes import themes
from millebornes.cards import Card
from millebornes.errors import NotationError
from millebornes.i18n import translator
from millebornes.policies.maxim_catalogue import MAXIMS
from millebornes.rules.clauses import Reason
from millebornes.themes import PILES, THEMES, theme, theme_for

PACKAGE = Path(millebornes.__file__).parent
FILES = {path.stem: path for path in (*PACKAGE.glob("locale/*.toml"), *PACKAGE.glob("locale/*/cards/*.toml"))}


def test_every_file_is_a_theme() -> None:
    assert sorted(FILES) == sorted(THEMES)
    assert THEMES[0] == "english"
    for name in THEMES:
        folder = FILES[name].parent
        assert theme(name).language == (folder.parent.name if folder.name == "cards" else "")


@pytest.mark.parametrize("name", THEMES)
def test_the_accent_is_two_colours(name: str) -> None:
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in theme(name).accent)


@pytest.mark.parametrize("name", THEMES)
def test_a_theme_is_complete(name: str) -> None:
    found = theme(name)
    assert set(found.names) == set(found.shorts) == set(found.symbols) == set(Card)
    assert set(found.piles) == set(PILES)
    for table in (found.names, found.shorts, found.symbols):
        assert len(set(table.values())) == len(Card), "two cards look the same"
    for card in Card:
        assert found.name_of(card).strip()
        assert 1 <= len(found.short_of(card)) <= 9
    assert all(found.pile(pile).strip() for pile in PILES)
    assert all([found.title, found.unit, found.units, found.unit_short, found.coup])


def test_a_card_that_a_theme_leaves_out_is_called_as_in_the_first_theme(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_roll(name: str) -> dict[str, Any]:
        data = read(name)
        if name == "french":
            del data["cards"]["roll"]
        return data

    read = themes._read
    monkeypatch.setattr(themes, "_read", without_roll)
    found = theme.__wrapped__("french")
    assert found.name_of(Card.ROLL) == theme("english").name_of(Card.ROLL)
    assert found.name_of(Card.STOP) == theme("french").name_of(Card.STOP)


@pytest.mark.parametrize("name", THEMES)
def test_symbols_take_one_column(name: str) -> None:
    for symbol in theme(name).symbols.values():
        assert len(symbol) == 1
        assert unicodedata.east_asian_width(symbol) in {"N", "Na"}, symbol
        assert not unicodedata.combining(symbol)


@pytest.mark.parametrize("name", THEMES)
def test_names_come_from_the_longest_to_a_code_of_three_columns(name: str) -> None:
    found = theme(name)
    codes = [found.forms_of(card)[-1] for card in Card]
    assert len(set(codes)) == len(codes)
    assert all(len(code) <= 3 for code in codes)
    for card in Card:
        forms = found.forms_of(card)
        assert forms[0] == found.name_of(card)
        assert found.short_of(card) in forms
        assert len(set(forms)) == len(forms)


KEYS = {"name", "also", "short", "code", "symbol", "aliases"}


@pytest.mark.parametrize("name", THEMES)
def test_a_file_has_no_card_or_key_that_nobody_reads(name: str) -> None:
    data = tomllib.loads(FILES[name].read_text(encoding="utf-8"))
    said = {"title", "note", "unit", "units", "unit_short", "coup", "accent", "piles", "cards"}
    assert set(data) - {"cars", "short_piles"} == said
    assert list(data["cards"]) == [card.value for card in Card]
    assert {key for card in data["cards"].values() for key in card} <= KEYS


@pytest.mark.parametrize("name", THEMES)
def test_every_pile_has_a_name_for_nine_columns(name: str) -> None:
    for pile in PILES:
        forms = theme(name).pile_forms(pile)
        assert forms[0] == theme(name).pile(pile)
        assert len(forms[-1]) <= 9


def test_texts_name_the_cards_as_their_theme_does() -> None:
    texts = [reason.text for reason in Reason] + [maxim.says for maxim in MAXIMS.values()]
    told = " ".join(theme("french-1960").worded(translator("fr")(text)) for text in texts).lower()
    assert "roulez" in told
    for other in ("feu vert", "feux verts", "feu rouge", "crevaison", "{"):
        assert other not in told


def test_names_in_english_and_french() -> None:
    english, french = theme("english"), theme("french")
    pairs = [(english.name_of(card), french.name_of(card)) for card in Card if not card.miles]
    assert pairs == [
        ("Accident", "Accident"),
        ("Out of Gas", "Panne d’essence"),
        ("Flat Tire", "Crevaison"),
        ("Stop", "Feu rouge"),
        ("Speed Limit", "Limite de vitesse"),
        ("Repairs", "Réparations"),
        ("Gasoline", "Essence"),
        ("Spare Tire", "Roue de secours"),
        ("Roll", "Feu vert"),
        ("End of Limit", "Fin de limite de vitesse"),
        ("Driving Ace", "As du volant"),
        ("Extra Tank", "Citerne d’essence"),
        ("Puncture-proof", "Increvable"),
        ("Right of Way", "Véhicule prioritaire"),
    ]


def test_the_french_names_of_the_1960s_are_a_theme_of_their_own() -> None:
    modern, old = theme("french"), theme("french-1960")
    different = {card: old.name_of(card) for card in Card if old.name_of(card) != modern.name_of(card)}
    assert different == {Card.FLAT_TIRE: "Crevé", Card.STOP: "Stop", Card.ROLL: "Roulez"}


def test_miles_in_words() -> None:
    assert theme("english").miles(1) == "1 mile"
    assert theme("english").miles(700) == "700 miles"
    assert theme("french").miles(75) == "75 kilomètres"


def test_the_cycling_theme_says_that_its_words_are_our_own() -> None:
    assert "own words" in theme("rijwielspel").note


def test_the_theme_of_a_language() -> None:
    assert theme_for("fr").name == "french"
    assert theme_for("en").name == "english"
    assert theme_for("xx").name == THEMES[0]


def test_unknown_theme() -> None:
    with pytest.raises(
        NotationError, match=r"no theme 'dutch'; the themes are english, .*french, french-1960, rijwiel"
    ):
        theme("dutch")
