import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millebornes.cards import Card
from millebornes.errors import NotationError
from millebornes.themes import THEMES, theme
from millebornes.words.card_names import _plain, _vocabularies, parse_card


def words_of(card: Card) -> list[str]:
    """Every word for a card."""
    return [shown for vocabulary in _vocabularies("en") for shown, known in vocabulary.values() if known is card]


@pytest.mark.parametrize("card", list(Card))
def test_every_name_of_every_theme_is_understood(card: Card) -> None:
    written = [card.value, card.code, card.code.lower(), card.value.replace("_", " ").title()]
    for found in map(theme, THEMES):
        written += [found.name_of(card), found.name_of(card).upper(), found.short_of(card), *found.aliases[card]]
    for text in written:
        assert parse_card(text) is card, text


def test_no_word_means_two_cards() -> None:
    meanings: dict[str, Card] = {}
    for found, card in itertools.product(map(theme, THEMES), Card):
        for shown in (card.value, card.code, found.name_of(card), found.short_of(card), *found.aliases[card]):
            assert meanings.setdefault(_plain(shown), card) is card, shown


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("gas", "gasoline"),
        ("GAS", "gasoline"),
        ("ga", "gasoline"),
        ("acc", "accident"),
        ("essence", "gasoline"),
        ("panne d’essence", "out_of_gas"),
        ("panne d'essence", "out_of_gas"),
        ("crevaison", "flat_tire"),
        ("pneu-crevé", "flat_tire"),
        ("roulez", "roll"),
        ("stop", "stop"),
        ("camion-citerne", "extra_tank"),
        ("citerne d’essence", "extra_tank"),
        ("priorité", "right_of_way"),
        ("Panne dEssence", "out_of_gas"),
        ("creve", "flat_tire"),
        ("CREVÉ", "flat_tire"),
        ("crev", "flat_tire"),
        ("feu vert", "roll"),
        ("Feu-Vert", "roll"),
        ("feu rouge", "stop"),
        ("feu-rouge", "stop"),
        ("go", "roll"),
        ("green light", "roll"),
        ("spare tyre", "spare_tire"),
        ("tire", "spare_tire"),
        ("flat-tyre", "flat_tire"),
        ("limit", "speed_limit"),
        ("eol", "end_of_limit"),
        ("end", "end_of_limit"),
        ("right of way", "right_of_way"),
        ("right-of-way", "right_of_way"),
        ("row", "right_of_way"),
        ("vehicule prioritaire", "right_of_way"),
        ("punc", "puncture_proof"),
        ("as", "driving_ace"),
        ("hongerk", "out_of_gas"),
        (" 25 ", "25"),
        ("100 km", "100"),
        ("200miles", "200"),
    ],
)
def test_what_people_type(text: str, card: str) -> None:
    assert parse_card(text).value == card


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("cr", {"en": "accident", "fr": "flat_tire"}),  # crash, crevaison
        ("rou", {"en": "spare_tire", "fr": "spare_tire"}),
    ],
)
def test_a_beginning_is_of_ones_own_language_first(text: str, cards: dict[str, str]) -> None:
    assert {language: parse_card(text, language).value for language in cards} == cards


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("r", "'r' could be repairs, roll or right_of_way"),
        ("ro", "'ro' could be roll or right_of_way"),
        ("2", "'2' isn't a card"),
        ("2 km", "'2 km' isn't a card"),
        ("", "a card is missing"),
        ("  ", "a card is missing"),
        ("?!", "'?!' isn't a card"),
        ("accidnt", "'accidnt' isn't a card; did you mean 'accident'?"),
        ("x" * 500, "isn't a card"),
    ],
)
def test_what_cannot_be_understood(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_card(text)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 200


@given(st.text())
def test_any_text_gives_a_card_or_a_clear_error(text: str) -> None:
    try:
        card = parse_card(text)
    except NotationError:
        return
    assert any(_plain(word).startswith(_plain(text)) for word in words_of(card))


@pytest.mark.parametrize("card", list(Card))
def test_a_beginning_never_means_a_card_without_such_a_word(card: Card) -> None:
    for word in words_of(card):
        plain = _plain(word)
        for length in range(1, len(plain)):
            try:
                found = parse_card(plain[:length])
            except NotationError:
                continue
            assert any(_plain(known).startswith(plain[:length]) for known in words_of(found))
