import itertools
import re
from typing import Any

import pytest

from millebornes.editions import EDITIONS, FIELDS, Rules, edition
from millebornes.i18n import LANGUAGES, translator
from millebornes.words.rules import SENTENCES, compare, describe, value_of
from millebornes.words.words import Words
from tests.editions.values import VALUES
from tests.untranslated import COMPLETE


def with_value(field: str, value: Any) -> Rules:
    settings = {"right_of_way_clears": False} if field == "hazard_on" else {}
    return Rules(**{**settings, field: value})


def test_every_setting_and_value_is_covered() -> None:
    assert set(VALUES) == set(FIELDS), "tests/editions/values.py: say in VALUES which values mean something different"
    assert set(SENTENCES) == {"table", *FIELDS}, "words/rules.py: say in SENTENCES what it means"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("field", FIELDS)
def test_every_value_has_a_sentence_of_its_own(field: str, language: str) -> None:
    texts = []
    for value in VALUES[field]:
        (sentence,) = (s for s in describe(with_value(field, value), Words.of(language)) if s.field == field)
        assert re.fullmatch(r"[A-ZÀ-Ý„«].*\.", sentence.text), sentence
        assert not re.search(r"[{}]", sentence.text)
        assert sentence.clause == FIELDS[field].clause
        texts.append(sentence.text)
    assert len(set(texts)) == len(VALUES[field])


def test_one_sentence_a_setting_in_order() -> None:
    assert [s.field for s in describe(Rules())] == ["table", *FIELDS]


def test_numbers_are_in_the_sentences() -> None:
    texts = {
        s.field: s.text for s in describe(Rules(goal=575, extension_goal=1225, hand_size=4, all_safeties_bonus=250))
    }
    assert "575" in texts["goal"]
    assert "1225" in texts["extension_goal"]
    assert "4 cards" in texts["hand_size"]
    assert "holds 5" in texts["hand_size"]
    assert "250" in texts["all_safeties_bonus"]


def test_tables() -> None:
    def text(seats: int, sides: int) -> str:
        return describe(Rules(seats=seats, sides=sides))[0].text

    assert text(3, 3) == "3 seats, each playing for itself."
    assert text(6, 2).startswith("6 seats in 2 sides of 3;")


@pytest.mark.parametrize(("left", "right"), [*itertools.product(EDITIONS, EDITIONS)])
def test_differences_are_exactly_the_settings_that_differ(left: str, right: str) -> None:
    a, b = edition(left).rules(), edition(right).rules()
    found = compare(a, b)
    assert [d.field for d in found] == [name for name in FIELDS if getattr(a, name) != getattr(b, name)]
    for difference in found:
        assert difference.left != difference.right
        assert value_of(a, difference.field) != value_of(b, difference.field)


def test_the_table_can_differ() -> None:
    assert [d.field for d in compare(Rules(seats=4, sides=2), Rules(seats=4, sides=4))] == ["table"]


@pytest.mark.parametrize("language", COMPLETE)
def test_every_language_says_the_same_in_its_words(language: str) -> None:
    for english, other in zip(describe(Rules()), describe(Rules(), Words.of(language)), strict=True):
        assert english.field == other.field
        assert english.text != other.text
        assert re.findall(r"\d+", english.text) == re.findall(r"\d+", other.text)


@pytest.mark.parametrize("language", COMPLETE)
def test_every_sentence_is_translated(language: str) -> None:
    _ = translator(language)
    for text in (text for values in SENTENCES.values() for text in values.values()):
        assert _(text) != text
