"""The words that a setting may be stand once, in its `Literal`; what is offered and told is made of them."""

from typing import get_type_hints

import pytest

from millebornes.cards import DECKS
from millebornes.editions import FIELDS, Rules, make_rules
from millebornes.words.rules import SENTENCES

CHOICES = {name: field.choices for name, field in FIELDS.items() if field.choices}


def test_which_settings_are_words() -> None:
    words = {name for name, kind in get_type_hints(Rules).items() if getattr(kind, "__args__", ()) and name in FIELDS}
    assert set(CHOICES) == {*words, "deck"} - {"extension_goal"}
    assert CHOICES["deck"] == tuple(DECKS)


@pytest.mark.parametrize("name", CHOICES)
def test_each_word_is_read_and_described(name: str) -> None:
    for word in CHOICES[name]:
        rules = make_rules("mille2" if name == "hazard_on" else "classic", settings={name: word})
        assert rules.settings(short_deck=True)[name] == word
        assert word in SENTENCES[name]
