"""What the commands are, in words."""

from typing import Final

from millebornes.i18n import N_, Translator
from millebornes.rulebook import clause

__all__ = ["COMMANDS", "clause_lines", "help_lines", "reminder"]

COMMANDS: Final = {
    "P": N_("pick a card (done for you, unless you type the word manual)"),
    "U n": N_("use card n of your hand, such as U 3; U P uses the card just drawn"),
    "D n": N_("discard card n, such as D 5"),
    "O": N_("keep your hand in order, or stop doing so"),
    "L": N_("list what you can do, and why the rest is not possible"),
    "H": N_("a hint: what the best computer player would do in your place, and why"),
    "R": N_("redraw: show the table and your hand again"),
    "W": N_("switch the window below the table between commands and score"),
    "T": N_("the statistics of your past games"),
    "S": N_("save the game in a file"),
    "Q": N_("quit the game"),
    "?": N_("this help; ? R4.1 shows a clause of the rules"),
}
"""The commands of the classic game, in the order of the help."""


PRACTICE: Final = {
    "undo": N_("take your latest move back (in practice only)"),
    "count": N_("count the cards you have not seen (in practice only)"),
}
"""What practice games have besides."""


def reminder(_: Translator) -> str:
    """The commands in one line."""
    return _("P pick, U use, D discard, O order, L legal, H hint, R redraw, W score, S save, Q quit, ? help")


def help_lines(_: Translator, *, practice: bool = False) -> list[str]:
    """All commands, a line each, then what else can be typed; in ``practice`` there are more."""
    commands = {**COMMANDS, **PRACTICE} if practice else COMMANDS
    first = max(4, *map(len, commands))
    lines = [f"  {key:<{first}} {_(text)}" for key, text in commands.items()]
    return [
        _("Commands (followed by Enter):"),
        *lines,
        _("Names of cards do too, in English or French, in full or abbreviated:"),
        _("  use gas, discard roll, stop 2 (on side 2), 200=roll, or as in transcripts:"),
        _("  100, -75, stop>1 (sides from 0), extra_tank!, pass, extend, finish"),
        _("The word set lists what you can set, such as: set one_key yes"),
        _("What you mistype, or may not do, costs nothing."),
    ]


def clause_lines(number: str, _: Translator) -> list[str]:
    """A clause of the rules. Raises `NotationError` for a number that there is not."""
    found = clause(number.upper().removeprefix("R"), _.language)
    return [f"{found.number} {found.title}", *found.text.replace("`", "").splitlines()]
