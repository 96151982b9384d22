"""Create tables that differ slightly from a known table: in a single setting, or in several settings at random."""

import random
from collections.abc import Iterator, Mapping
from typing import Any, Final

from millebornes.cards import DECKS, DISTANCES, FULL_DECK, HAZARDS, REMEDIES, SAFETIES, Card
from millebornes.editions import EDITIONS, Rules, edition
from millebornes.editions.fields import FIELDS, write_setting
from millebornes.errors import EditionError

SHAPES: Final = tuple((seats, sides) for seats in range(2, 9) for sides in range(2, seats + 1) if seats % sides == 0)
"""All combinations of numbers of seats and sides that a table can have (R2.2)."""

BONUSES: Final = (0, 700, 2000, 10_000)
HAND_SIZES: Final = (3, 4, 5, 6)
GOALS: Final = ((300, None), (500, 700), (700, None), (700, 1000), (1000, None), (1000, 1500), (2000, None))
"""Pairs of a goal and the goal after an extension (None if there is no extension)."""
YES_NO: Final = ("roll_200", "opening_right_of_way", "right_of_way_clears", "safety_gives_roll", "discard_safeties")
WORDS: Final = ("hazard_on", "targets", "coup_by", "hand_end", "tie")
MIXED: Final = (*WORDS[:-1], *YES_NO, "all_safeties_bonus", "hand_size", "goal", "deck")
"""The settings that `changed_by_chance` can change."""
MAX_CARDS: Final = 192
MIN_CHANGES, MAX_CHANGES = 2, 6
MAX_RANDOM_SEATS: Final = 6
"""The maximum number of seats at the tables that `random_tables` returns."""


def _multiplied(cards: tuple[Card, ...], factor: float) -> dict[Card, int]:
    return {card: round(count * factor) if card in cards else count for card, count in FULL_DECK.items()}


ODD_DECKS: Final[Mapping[str, Mapping[Card, int]]] = {
    "half the distances": _multiplied(DISTANCES, 0.5),
    "twice the distances": _multiplied(DISTANCES, 2),
    "no hazards": _multiplied(HAZARDS, 0),
    "twice the hazards": _multiplied(HAZARDS, 2),
    "half the remedies": _multiplied(REMEDIES, 0.5),
    "no safeties": _multiplied(SAFETIES, 0),
}
"""Unusual decks, with the names that tables of results use for them."""


def single_changes(rules: Rules) -> Iterator[tuple[str, Rules]]:
    """Yield each table that differs from this one in a single setting, with a description of the change.

    If a setting can't change alone, other settings that must change with it change too.
    """
    found: list[dict[str, Any]] = [{name: word} for name in WORDS for word in FIELDS[name].choices]
    found += [{name: not getattr(rules, name)} for name in YES_NO]
    found += [{"all_safeties_bonus": bonus} for bonus in BONUSES]
    found += [{"hand_size": size} for size in HAND_SIZES]
    found += [{"goal": goal, "extension_goal": further} for goal, further in GOALS]
    decks: dict[str, Mapping[Card, int]] = {**DECKS, **ODD_DECKS}
    found += [{"deck": {card.value: count for card, count in deck.items()}} for deck in decks.values()]
    for settings in found:
        changed = _changed(rules, settings)
        if changed is not None and changed != rules:
            yield describe_changes(changed, rules), changed


def _changed(rules: Rules, settings: Mapping[str, Any]) -> Rules | None:
    """Return the rules with these settings and all others that they require, or None if such rules aren't valid."""
    wanted = dict(settings)
    if wanted.get("hazard_on", rules.hazard_on) != "rolling":
        if wanted.get("right_of_way_clears") and "hazard_on" not in wanted:
            wanted["hazard_on"] = "rolling"
        else:
            wanted["right_of_way_clears"] = False
    try:
        return rules.replace(wanted)
    except EditionError:
        return None


def changed_by_chance(seats: int, sides: int, chance: random.Random) -> tuple[str, Rules]:
    """Return a table of a random edition with random changes, and a description of these changes."""
    while True:
        rules = edition(chance.choice(EDITIONS)).rules(seats, sides)
        names = chance.sample(MIXED, k=chance.randint(MIN_CHANGES, MAX_CHANGES))
        settings: dict[str, Any] = {}
        for name in names:
            settings |= _value(name, chance)
        changed = _changed(rules, settings)
        if changed is not None and changed != rules:
            return f"{rules.edition}: {describe_changes(changed, rules)}", changed


def _value(name: str, chance: random.Random) -> dict[str, Any]:
    """Return a random value for a setting."""
    if name in YES_NO:
        return {name: chance.random() < 0.5}
    if name in WORDS:
        return {name: chance.choice(FIELDS[name].choices)}
    if name == "all_safeties_bonus":
        return {name: chance.choice(BONUSES)}
    if name == "hand_size":
        return {name: chance.choice(HAND_SIZES)}
    if name == "deck":
        return {name: _deck(chance)}
    goal = chance.randrange(4, 61)
    further = None if chance.random() < 0.4 else 25 * chance.randrange(goal + 1, 81)
    return {"goal": 25 * goal, "extension_goal": further}


def _deck(chance: random.Random) -> dict[str, int]:
    """Return a deck in which a few kinds or most kinds have a different number of cards, chosen at random."""
    odd = chance.choice((0.2, 0.4, 0.8))
    deck = {card: chance.randint(0, 2 * n + 1) if chance.random() < odd else n for card, n in FULL_DECK.items()}
    deck |= {card: int(chance.random() >= odd / 4) for card in SAFETIES}
    while sum(deck.values()) > MAX_CARDS:
        most = max(deck, key=lambda card: deck[card])
        deck[most] //= 2
    return {card.value: count for card, count in deck.items()}


def describe_changes(rules: Rules, plain: Rules) -> str:
    """Return the settings in which ``rules`` differs from ``plain`` as one line."""
    found = [
        f"{name}={write_setting(getattr(rules, name))}"
        for name in FIELDS
        if name != "deck" and getattr(rules, name) != getattr(plain, name)
    ]
    if rules.deck != plain.deck:
        found.insert(0, _deck_told(dict(zip(Card, rules.deck, strict=True))))
    return ", ".join(found)


def _deck_told(deck: Mapping[Card, int]) -> str:
    for name, known in {**DECKS, **ODD_DECKS}.items():
        if deck == known:
            return f"deck={name}"
    differing = "+".join(f"{card.code}*{count}" for card, count in deck.items() if count != FULL_DECK[card])
    return f"deck={differing}"


def random_tables(count: int, seed: str) -> tuple[Rules, ...]:
    """Return tables for two to six seats with several settings changed at random. Smaller tables are more frequent."""
    chance = random.Random(f"tables {seed}")
    shapes = [shape for shape in SHAPES if shape[0] <= MAX_RANDOM_SEATS]
    weights = [1 / seats for seats, _ in shapes]
    return tuple(changed_by_chance(*chance.choices(shapes, weights)[0], chance)[1] for _ in range(count))
