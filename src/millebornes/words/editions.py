"""The titles of editions, the settings that differ from them, and the terms of a match."""

from collections.abc import Mapping
from typing import Any, Final

from millebornes.editions import EDITIONS, Rules, edition
from millebornes.editions.fields import write_setting
from millebornes.i18n import N_, Translator

TARGET_QUESTION: Final = N_("Points that end the match (0: single hands):")


def edition_title(name: str | None, _: Translator) -> str:
    """Return the title of an edition, given its name. A custom edition's title is its name, which may be empty."""
    if name is None:
        return _("Custom rules")
    return _(edition(name).title) if name in EDITIONS else name


def changed_settings(rules: Rules) -> dict[str, Any]:
    """Return the settings in which rules differ from their edition, as data. Custom rules differ from none."""
    return rules.changes() if rules.edition in EDITIONS else {}


def settings_texts(changed: Mapping[str, object]) -> list[str]:
    """Return each setting with its value, such as ``targets = left``."""
    return [f"{field} = {_setting(value)}" for field, value in changed.items()]


def _setting(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{card}:{count}" for card, count in value.items() if count)
    return write_setting(value)


def rules_title(rules: Rules, _: Translator, name: str | None = None) -> str:
    """Return the title of the rules' edition, or another ``name`` for it, with the settings that differ from it."""
    return title_with(edition_title(rules.edition_name, _) if name is None else name, changed_settings(rules), _)


def title_with(name: str, changed: Mapping[str, object], _: Translator) -> str:
    """Return the ``name`` of an edition, followed by the settings that differ from it, if any."""
    if not changed:
        return name
    return _("{edition}, with {settings}").format(edition=name, settings=", ".join(settings_texts(changed)))


def seats_and_sides(seats: int, sides: int, _: Translator) -> str:
    """Return the size of a table."""
    return _("{seats} seats, {sides} sides").format(seats=seats, sides=sides)


def partners_text(rules: Rules, _: Translator) -> str:
    """Return a sentence that lists the seats of each side, numbered from 1."""
    sides = [" + ".join(str(seat + 1) for seat in rules.seats_of(side)) for side in range(rules.sides)]
    return _("Seats of each side: {sides}.").format(sides=_.join(sides))


def table_text(seats: int, sides: int, _: Translator) -> str:
    """Return a description of a table: the number of seats and how they form sides."""
    if seats == sides:
        return _("{seats} seats, each for itself").format(seats=seats)
    return _("{seats} seats in {sides} sides of {partners}").format(seats=seats, sides=sides, partners=seats // sides)


def target_text(target: int | None, _: Translator) -> str:
    """Return a short description of the length of a match."""
    if target is None:
        return _("single hands")
    return _.plural("to {target} point", "to {target} points", target).format(target=target)


def number_wanted(low: int, high: int, _: Translator) -> str:
    """Return the request for a whole number."""
    return _("Please type a whole number from {low} to {high}.").format(low=low, high=high)


def length_text(target: int | None, _: Translator) -> str:
    """Return a description of how long a match lasts."""
    if target is None:
        return _("single hands, no overall winner")
    return _("a match to {points} points").format(points=target)


def terms_text(rules: Rules, target: int | None, _: Translator) -> str:
    """Return a short description of a match: its edition, the settings that differ from it, and how long it lasts."""
    return f"{rules_title(rules, _)}, {length_text(target, _)}"


def with_swap(terms: str, pair: str, _: Translator) -> str:
    """Return the settings of a match in words, with the names of the ``pair`` that swaps seats if there is one."""
    return _("{terms}; seats swapped: {names}").format(terms=terms, names=pair) if pair else terms
