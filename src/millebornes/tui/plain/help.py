"""What the commands are, in words."""

from typing import Final

from millebornes.i18n import N_, Translator
from millebornes.rulebook import clause

__all__ = ["COMMANDS", "clause_lines", "help_lines", "question_help", "reminder"]

COMMANDS: Final = {
    "P": N_("pick a card (done for you, unless you type the word manual)"),
    "U n": N_("use card n of your hand, such as U 3; U P uses the card just drawn"),
    "D n": N_("discard card n, such as D 5"),
    "O": N_("keep your hand in order, or stop doing so"),
    "L": N_("list what you can do, and why the rest is not possible"),
    "H": N_("a hint: the best move and why; Enter plays it; H again thinks longer, hint 5 for 5 seconds"),
    "R": N_("redraw: show the table and your hand again"),
    "W": N_("switch the window below the table between commands and score"),
    "T": N_("the score sheet; sheet words reads it in sentences"),
    "B": N_("brief: announce only what has changed since your last turn, or everything again"),
    "K": N_("one-key play: the number of a card alone uses it, or no longer"),
    "S": N_("save the game in a file"),
    "Q": N_("quit; the game is kept unless you delete it"),
    "?": N_("this help; ? R4.1 shows a clause of the rules"),
}
"""The commands of the classic game, in the order of the help."""


PRACTICE: Final = {
    "Z": N_("undo: take your latest move back (in practice only)"),
    "C": N_("count the cards you have not seen (in practice only)"),
}
"""What practice games have besides."""

QUESTIONS: Final = {
    N_("hand"): N_("your cards"),
    N_("status"): N_("where everyone is"),
    N_("miles"): N_("how far everyone has driven"),
    N_("hazard"): N_("the cards on the battle piles"),
    N_("limit"): N_("who is under a speed limit"),
    N_("safeties"): N_("the safeties that have been played"),
    N_("pile"): N_("the draw pile and the discard pile"),
    N_("score"): N_("the points of the hand and of the match"),
    N_("goal"): N_("how long the trip is"),
    N_("players"): N_("who plays, and on which side"),
    N_("last"): N_("what has happened since your last move"),
    N_("log"): N_("what has happened in the match; log 2: in hand 2"),
    N_("stats"): N_("the statistics of your past games"),
}
"""What can be asked for, by the word that asks for it."""


def reminder(_: Translator) -> str:
    """The commands in one line."""
    return _("P pick, U use, D discard, O order, L legal, H hint, R redraw, W score, B brief, S save, Q quit, ? help")


def help_lines(_: Translator, *, practice: bool = False) -> list[str]:
    """All commands, a line each, then what else can be typed; in ``practice`` there are more."""
    commands = {**COMMANDS, **PRACTICE} if practice else COMMANDS
    first = max(map(len, commands))
    lines = [f"  {key:<{first}} {_(text)}" for key, text in commands.items()]
    questions = {_(word): _(text) for word, text in QUESTIONS.items()}
    second = max(map(len, questions))
    return [
        _("Commands (followed by Enter):"),
        *lines,
        _("Questions, answered in a sentence; after some a name, the number of a side, seat 3 or me (miles Bo):"),
        *(f"  {word:<{second}} {text}" for word, text in questions.items()),
        _("Names of cards do too, in any language, in full or abbreviated:"),
        _("  use gas, discard roll, stop 2 (on side 2), 200=roll, or as in transcripts:"),
        _("  100, -75, stop>1 (sides from 0), extra_tank!, pass, extend, finish"),
        _("The word set lists what you can set, such as: set one_key yes"),
        _("Mistyped or forbidden commands cost nothing."),
    ]


def question_help(what: str, _: Translator) -> list[str]:
    """The help for a question before the game: ``what`` can be answered, and how to leave."""
    return [what, _("Ctrl-C leaves without playing. In the game itself, ? shows its commands.")]


def clause_lines(number: str, _: Translator) -> list[str]:
    """A clause of the rules. Raises `NotationError` for a number that there is not."""
    found = clause(number.upper().removeprefix("R"), _.language)
    return [f"{found.number} {found.title}", *found.text.replace("`", "").splitlines()]
