"""The setup of a game in words."""

from typing import Final

from millebornes.editions import Rules
from millebornes.i18n import N_, Translator
from millebornes.policies.net_choice import net_sentence
from millebornes.table.setup import MAX_TARGET, GameSetup

TARGET_QUESTION: Final = N_("Points that end the match (0: single hands):")


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


def partners_text(rules: Rules, _: Translator) -> str:
    """Return a sentence that lists the seats of each side, numbered from 1."""
    sides = [" + ".join(str(seat + 1) for seat in rules.seats_of(side)) for side in range(rules.sides)]
    return _("Seats of each side: {sides}.").format(sides=_.join(sides))


def target_problem(text: str, _: Translator) -> str:
    """Return what is wrong with a typed match target, or "" if it is valid. A target of 0 means single hands."""
    if text.isascii() and text.isdigit() and len(text) < 9 and int(text) <= MAX_TARGET:
        return ""
    return number_wanted(0, MAX_TARGET, _)


def net_texts(setup: GameSetup, _: Translator) -> list[str]:
    """Return a sentence about the net of each computer player that uses one."""
    said = {name: net_sentence(name, setup.rules, _) for name in setup.places}
    return [_("{head}: {text}").format(head=name, text=text) for name, text in said.items() if text]


def simply_text(players: tuple[str, ...], _: Translator) -> str:
    """Return a sentence saying that these computer players can't play at full strength yet."""
    text = _("Until it is fully compiled (first time only), this computer player plays a simpler game: {players}.")
    return text.format(players=", ".join(players))
