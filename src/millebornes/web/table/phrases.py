"""Phrases that are said by a click, and shown to everybody in their own language."""

from typing import Final

from millebornes.i18n import N_

__all__ = ["PHRASES"]

PHRASES: Final = {
    "hello": N_("Hello!"),
    "good_luck": N_("Good luck!"),
    "well_played": N_("Well played!"),
    "good_game": N_("Good game!"),
    "thanks": N_("Thank you!"),
    "sorry": N_("Sorry!"),
    "ouch": N_("Ouch!"),
    "one_moment": N_("One moment, please."),
    "back": N_("I am back."),
    "your_turn": N_("It is your turn."),
    "rematch": N_("Another match?"),
    "bye": N_("I have to go. Goodbye!"),
}
"""The phrases by their names, in English; `millebornes.i18n` translates them."""
