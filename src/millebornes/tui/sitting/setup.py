"""What is to be played: the table, who sits where, and under which names. Knows editions but not the game."""

import dataclasses
import secrets

from millebornes.editions import Rules
from millebornes.i18n import N_, Translator
from millebornes.tui.sitting.cast import clean_name, distinct

__all__ = ["DEFAULT_TARGET", "HUMAN", "LEVELS", "MAX_TARGET", "Setup", "new_seed", "seat_names"]

HUMAN = "human"
DEFAULT_TARGET = 5000
MAX_TARGET = 1_000_000

LEVELS = {
    "basic": N_("counts cards, keeps remedies, waits for coups fourrés"),
    "maxims": N_("the strongest: weighs every move by all the old advice"),
    "random": N_("plays anything that is allowed"),
}
"""Computer players that the questions offer, the usual one first (a fair match for beginners), and how they play."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Setup:
    """What is to be played: rules, the players (`HUMAN` or a computer player's name) and the names by seat.

    ``practice``: moves may be taken back and unseen cards are counted; never in a match that counts.
    """

    rules: Rules
    seats: tuple[str, ...]
    names: tuple[str, ...]
    match_target: int | None
    seed: str
    practice: bool = False


def new_seed() -> str:
    """A seed that nobody has seen; short enough to tell a friend."""
    return str(secrets.randbelow(10**9))


def seat_names(seats: tuple[str, ...], people: list[str], _: Translator) -> tuple[str, ...]:
    """Names by seat: those given for people in order, then ``Player 1`` and so on; computer players have their own."""
    given = iter(people)
    alone = seats.count(HUMAN) == 1
    names, number = [], 0
    for kind in seats:
        if kind != HUMAN:
            names.append(kind)
            continue
        number += 1
        name = clean_name(next(given, ""))
        names.append(name or (_("You") if alone else _("Player {number}").format(number=number)))
    return distinct(names)
