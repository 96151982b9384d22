"""Every text of a game names the cards as in the chosen theme, in every language."""

import random
import re
from collections.abc import Iterator

import pytest

from millebornes.cards import Card
from millebornes.commands.table import Command
from millebornes.editions import EDITIONS, FIELDS, Rules, edition, make_rules
from millebornes.game import Match, Reason
from millebornes.i18n import LANGUAGES, Translator, translator
from millebornes.policies.maxim_catalogue import MAXIMS
from millebornes.rulebook import clauses
from millebornes.table.setup import GameSetup
from millebornes.themes import THEMES, Theme, theme, theme_for
from millebornes.tui.full.screens import start_texts
from millebornes.tui.plain import PlayOptions
from millebornes.tui.plain.commands import clause_lines, help_lines
from millebornes.words.card_help import card_help
from millebornes.words.moves import legal_lines
from millebornes.words.participants import Participants
from millebornes.words.rules import describe
from millebornes.words.table import changes, table_lines
from millebornes.words.words import Words
from tests.editions.values import VALUES
from tests.plain.inside import Home

PAIRS = [(language, name) for language in LANGUAGES for name in THEMES if name != theme_for(language).name]
VERBS = {"Stop", "Roll", "Accident", "Repairs", "Tanken", "Essence"}
"""Names that are also everyday words. They are names only if they begin with a capital."""

pytestmark = pytest.mark.parametrize(("language", "name"), PAIRS, ids="-".join)


def foreign(text: str, language: str, name: str) -> list[str]:
    """Return the names of the language's default theme in a text that aren't names in the chosen theme."""
    usual, chosen = theme_for(language), theme(name)
    for shown in sorted({form for card in Card for form in chosen.forms_of(card)}, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(shown)}(?!\w)", "…", text)  # parts of other names, such as Stop
    found = []
    for card in Card:
        if not card.miles and usual.name_of(card) != chosen.name_of(card):
            flags = re.NOFLAG if usual.name_of(card) in VERBS else re.IGNORECASE
            found += re.findall(rf"(?<!\w){re.escape(usual.name_of(card))}(?!\w)", text, flags)
    return found


def check(lines: Iterator[str], language: str, name: str) -> None:
    """No line has a foreign name, and there are lines."""
    count = 0
    for count, line in enumerate(lines, 1):  # noqa: B007
        assert not foreign(line, language, name), line
    assert count


def fixed(chosen: Theme, _: Translator) -> Iterator[str]:
    """The texts that don't depend on a game."""
    for practice in (False, True):
        yield from help_lines(Words(_, chosen), practice=practice)[:-3]  # codes of transcripts are the same everywhere
    yield from (chosen.worded(_(field.summary)) for field in FIELDS.values())
    yield from (chosen.worded(_(reason.text)) for reason in Reason)
    yield from (chosen.worded(_(maxim.says)) for maxim in MAXIMS.values())
    words = Words(_, chosen)
    for field, values in VALUES.items():
        for value in values:
            settings = {"right_of_way_clears": False} if field == "hazard_on" else {}
            yield from (said.text for said in describe(Rules(**{**settings, field: value}), words))
    for known in EDITIONS:
        yield _(edition(known).summary)
        yield from (card_help(card, make_rules(known), words) for card in Card)
        setup = GameSetup(edition=known).with_settings({"roll_200": True, "targets": "left"})
        for choices in (start_texts.editions, start_texts.tables, start_texts.settings):
            yield from (choice.details for choice in choices(setup, words))


def test_help_rules_and_settings(language: str, name: str) -> None:
    check(fixed(theme(name), translator(language)), language, name)


def test_clauses(language: str, name: str) -> None:
    """R1 is left out, because it lists the codes of the cards."""
    usual, chosen = theme_for(language), theme(name)
    words = Words(translator(language), chosen)
    check((line for part in clauses(language)[1:] for line in clause_lines(part.number, words)), language, name)
    needs = {card for card in (Card.STOP, Card.ROLL) if usual.name_of(card) != chosen.name_of(card)}
    told = "\n".join(clause_lines("R4.4", words) + clause_lines("R3.3", words))
    assert all(chosen.name_of(card) in told for card in needs)


def test_what_is_said_of_a_table(language: str, name: str) -> None:
    _, chosen, rng = translator(language), theme(name), random.Random(5)
    rules = make_rules("house", 4, 2)
    words = Words(_, chosen).at(Participants(rules, ("Ann", "Bo", "Cy", "Di"), (True,) * 4, _))

    def told() -> Iterator[str]:
        match, before = Match.start(rules, seed=5), None
        while not match.hand.is_over:
            seat = match.hand.seat
            assert seat is not None
            view = match.view(seat)
            yield from legal_lines(view, words)
            yield from table_lines(view, words)
            yield from changes(before, view, words)
            before = view
            match = match.play(rng.choice(match.hand.legal_moves))

    check(told(), language, name)


def test_a_game_in_lines(home: Home, language: str, name: str) -> None:
    _ = translator(language)
    asked = [_(command.value.asked_by) for command in Command if command.value.asked_by]
    lines = ["l", "h", "r", "c", "t", "200=25", "u 1", "u 2", "u 3", "u 4", "u 5", *asked, "d 1", "l", *asked, "q", "n"]
    options = PlayOptions(
        setup=GameSetup(places=("human", "basic"), rules=make_rules("house"), seed="4", practice=True),
        language=language,
        theme=name,
    )
    text = home.play(options, lines).text
    assert theme(name).name_of(Card.ROLL) in text
    check(iter(text.splitlines()), language, name)
