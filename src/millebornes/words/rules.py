"""Describe the rules of a table in sentences made from its settings, and the differences between two tables.

Each sentence belongs to a setting from R9 and names the clause that uses the setting. An additional setting,
``"table"``, is the number of seats and sides (R2.2).
"""

from typing import Any, Final, NamedTuple

from millebornes.cards import DECKS, Card
from millebornes.editions import FIELDS, Rules
from millebornes.i18n import N_
from millebornes.words.words import Words

SENTENCES: Final[dict[str, dict[Any, str]]] = {
    "table": {
        "alone": N_("{seats} seats, each playing for itself."),
        "sides": N_("{seats} seats in {sides} sides of {partners}; partners never sit next to each other."),
    },
    "deck": {
        "full": N_("The full deck of {cards} cards."),
        "reduced": N_("The reduced deck of {cards} cards: one of each hazard is left out."),
        "own": N_("A deck of {cards} cards: {counts}."),
    },
    "hand_size": {
        "any": N_("Every seat is dealt {value} cards, and on its turn draws until it holds {more} before it plays.")
    },
    "goal": {"any": N_("The trip is {value} miles long, and must be completed exactly.")},
    "extension_goal": {
        None: N_("There is no extension: whoever reaches the goal ends the hand."),
        "any": N_("Whoever first reaches the goal may extend the trip for everyone, to {value} miles."),
    },
    "hazard_on": {
        "rolling": N_("Hazards can only be played on a side that is moving; {speed_limit} at any time."),
        "stack": N_(
            "Hazards can be played on a side whose battle pile is not empty, even on top of another hazard; "
            "{speed_limit} at any time."
        ),
        "stack_different": N_(
            "Hazards can be played on a side whose battle pile is not empty, even on top of another hazard "
            "if it is a different one; {speed_limit} at any time."
        ),
    },
    "targets": {
        "all": N_("Hazards may be played on any opposing side."),
        "left": N_("Hazards may only be played on the side of the seat to the left."),
    },
    "coup_by": {
        "victim": N_("Only the side that was hit may answer a hazard with a coup fourré."),
        "anyone": N_("Anyone may answer a hazard with a coup fourré, whoever was hit, even the one who played it."),
    },
    "roll_200": {
        False: N_("A 200 only counts as distance."),
        True: N_("A 200 may be played in place of {roll}."),
    },
    "opening_right_of_way": {
        False: N_("If {right_of_way} was dealt, it is held like any other safety."),
        True: N_(
            "If {right_of_way} was dealt, it may be called before the first draw: it counts as a coup fourré, "
            "and its owner has the first turn."
        ),
    },
    "right_of_way_clears": {
        False: N_(
            "Playing {right_of_way} leaves the side's own {stop} and {speed_limit} on their piles, without effect."
        ),
        True: N_("Playing {right_of_way} sends the side's own {stop} and {speed_limit} to the discard pile."),
    },
    "safety_gives_roll": {
        False: N_("After a safety that ends a hazard, {roll} is still needed to move (except after {right_of_way})."),
        True: N_("A safety that ends a hazard sends it to the discard pile and also counts as {roll}."),
    },
    "discard_safeties": {
        False: N_("Safeties may not be discarded."),
        True: N_("Any card may be discarded, even a safety."),
    },
    "all_safeties_bonus": {
        0: N_("Owning all four safeties is worth nothing besides 100 points each."),
        "any": N_("Owning all four safeties is worth {value} points, besides 100 each."),
    },
    "hand_end": {
        "cards": N_("Once the draw pile is empty, the hand ends when nobody has any cards left."),
        "plays": N_("Once the draw pile is empty, the hand ends when nobody can do anything but discard."),
        "points": N_("Once the draw pile is empty, the hand ends when no side can score any more."),
    },
    "tie": {
        "draw": N_("If the highest totals are equal at the end of a match, it is a draw."),
        "play_on": N_("If the highest totals are equal at the end of a match, further hands decide it."),
    },
}
"""The sentences in English by setting and value, to be translated, with placeholders for the names of cards.

``"any"`` stands for all other values.
"""


ENGLISH: Final = Words.of()


class Sentence(NamedTuple):
    """The meaning of a setting: its name, the clause that uses it, and a sentence for players."""

    field: str
    clause: str
    text: str


class SettingDifference(NamedTuple):
    """A setting in which two tables differ: its name, the clause that uses it, and a sentence for each table."""

    field: str
    clause: str
    left: str
    right: str


def value_of(rules: Rules, field: str) -> Any:
    """Return the value of a setting as plain data. That of ``"table"`` looks like ``"4x2"``."""
    return rules.table if field == "table" else rules.settings(short_deck=True)[field]


def describe(rules: Rules, words: Words = ENGLISH) -> list[Sentence]:
    """Return a sentence for each setting of a table, beginning with the table and followed by the order of `FIELDS`."""
    return [Sentence("table", "R2.2", _sentence(rules, "table", words))] + [
        Sentence(field.name, field.clause, _sentence(rules, field.name, words)) for field in FIELDS.values()
    ]


def compare(left: Rules, right: Rules, words: Words = ENGLISH) -> list[SettingDifference]:
    """Return the settings in which two tables differ, with a sentence for each table. See `describe`."""
    pairs = zip(describe(left, words), describe(right, words), strict=True)
    return [
        SettingDifference(mine.field, mine.clause, mine.text, other.text)
        for mine, other in pairs
        if value_of(left, mine.field) != value_of(right, mine.field)
    ]


def _sentence(rules: Rules, field: str, words: Words) -> str:
    _, cards = words.translate, words.theme
    texts = SENTENCES[field]
    if field == "table":
        text = texts["alone" if rules.seats == rules.sides else "sides"]
        return _(text).format(seats=rules.seats, sides=rules.sides, partners=rules.seats // rules.sides)
    if field == "deck":
        kind = next((name for name, deck in DECKS.items() if tuple(deck.values()) == rules.deck), "own")
        counts = ", ".join(f"{cards.name_of(card)} × {n}" for card, n in zip(Card, rules.deck, strict=True) if n)
        return _(texts[kind]).format(cards=rules.cards, counts=counts)
    value = getattr(rules, field)
    return cards.worded(_(texts.get(value, texts.get("any", ""))), value=value, more=rules.hand_size + 1)
