"""Kernels and reference game, move for move: what is legal, everything that lies somewhere, views, scores."""

import inspect
import os
import random
import re
from collections import Counter

import pytest

from millebornes.cards import Card
from millebornes.editions import Rules, edition
from tests.reference import game
from tests.reference.game import ReferenceGame
from tests.reference.packed import PackedGame, summary_of, view_of
from tests.reference.randoms import KNOWN_TABLES, Style, random_rules, shuffled_deck

CHUNKS = 10
SETTINGS_A_CHUNK = 7
HANDS_A_SETTING = 3
CAMPAIGN_CHUNKS = int(os.environ.get("MILLEBORNES_CAMPAIGN_CHUNKS", "16"))


def compare_hand(rules: Rules, rng: random.Random) -> Counter[str]:
    """Play one hand on both; counts what happened in it."""
    deck = shuffled_deck(rng, rules)
    first = rng.randrange(rules.seats)
    slow, fast = ReferenceGame(rules, deck, first), PackedGame(rules, deck, first)
    whole = Counter(deck)
    style = Style(rng)
    seen: Counter[str] = Counter()
    while True:
        assert fast.summary() == summary_of(slow), told(rules, deck, slow)
        assert fast.legal() == slow.legal(), told(rules, deck, slow)
        viewer = rng.randrange(rules.seats)
        assert fast.view(viewer) == view_of(slow, viewer), told(rules, deck, slow)
        assert slow.all_cards() == whole, told(rules, deck, slow)
        seen[slow.phase] += 1
        if slow.over:
            break
        if rng.random() < 0.05:
            assert fast.scores() == slow.scores(), told(rules, deck, slow)
        legal = slow.legal()
        assert legal, told(rules, deck, slow)
        move = style.pick(legal)
        seen[move.partition(">")[0]] += 1
        slow.play(move)
        fast.play(move)
    assert fast.scores() == slow.scores(), told(rules, deck, slow)
    seen["completed" if slow.completed_by is not None else "ran out"] += 1
    seen["completed extension"] += slow.extended and slow.completed_by is not None
    seen["all safeties"] += any(sheet["all_safeties"] for sheet in slow.scores())
    seen["ended with cards in hand"] += slow.completed_by is None and any(slow.hands)
    return seen


def told(rules: Rules, deck: list[Card], game: ReferenceGame) -> str:
    """Enough to play a differing hand again."""
    return f"{rules}\nfirst {game.first}, deck {[card.value for card in deck]}\nmoves {game.moves}"


def test_the_reference_game_takes_nothing_from_the_rules() -> None:
    """Otherwise, a mistake there would be in both games, and they would still agree."""
    source = inspect.getsource(game)
    assert "Nothing here comes from `millebornes.rules`" in source
    assert "import millebornes" not in source
    imported = set(re.findall(r"^from (millebornes\S*) import", source, re.MULTILINE))
    assert imported == {"millebornes.cards", "millebornes.editions"}


@pytest.mark.parametrize(("name", "seats", "sides"), KNOWN_TABLES)
def test_editions_agree(name: str, seats: int, sides: int) -> None:
    rng = random.Random(f"{name} {seats} {sides}")
    rules = edition(name).rules(seats, sides)
    for _ in range(3):
        compare_hand(rules, rng)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", [*range(4), *(pytest.param(n, marks=pytest.mark.once) for n in range(4, CHUNKS))])
def test_random_settings_agree(chunk: int) -> None:
    rng = random.Random(chunk)
    for _ in range(SETTINGS_A_CHUNK):
        rules = random_rules(rng)  # (most of the time goes into a new setting's tables)
        for _ in range(HANDS_A_SETTING):
            compare_hand(rules, rng)


@pytest.mark.campaign
@pytest.mark.parametrize("chunk", range(CHUNKS, CHUNKS + CAMPAIGN_CHUNKS))
def test_campaign_agrees(chunk: int) -> None:
    rng = random.Random(chunk)
    for _ in range(60):
        rules = random_rules(rng)
        for _ in range(HANDS_A_SETTING):
            compare_hand(rules, rng)
    for name, seats, sides in KNOWN_TABLES:
        compare_hand(edition(name).rules(seats, sides), rng)


def test_comparisons_meet_everything() -> None:
    """The random hands above would prove little if they never got to coups, extensions or the end of the cards."""
    rng = random.Random(2026)
    seen: Counter[str] = Counter()
    for _ in range(15):
        rules = random_rules(rng)
        for _ in range(HANDS_A_SETTING):
            seen += compare_hand(rules, rng)
    for card in Card:
        assert seen[card.value], card
        assert seen[f"-{card.value}"], card
    wanted = ["coup", "opening", "extend", "pass", "finish", "200=roll", "completed", "ran out", "completed extension"]
    wanted += ["right_of_way!", "extra_tank!", "all safeties", "ended with cards in hand"]
    assert [event for event in wanted if not seen[event]] == []
