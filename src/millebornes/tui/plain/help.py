"""What the commands are, in words."""

from millebornes.commands.table import Command, in_classic_order
from millebornes.i18n import Translator
from millebornes.rulebook import clause

__all__ = ["clause_lines", "help_lines", "question_help", "reminder"]


def reminder(_: Translator) -> str:
    """The commands in one line."""
    return _("P pick, U use, D discard, O order, L legal, H hint, R redraw, W score, B brief, S save, Q quit, ? help")


def help_lines(_: Translator, *, practice: bool = False) -> list[str]:
    """All commands, a line each, then what else can be typed; in ``practice`` there are more."""
    entries = [command.value for command in in_classic_order(Command) if practice or not command.value.practice_only]
    commands = {entry.usage: _(entry.help) for entry in entries if entry.usage}
    questions = {_(entry.asked_by): _(entry.help) for entry in entries if entry.asked_by}
    first, second = max(map(len, commands)), max(map(len, questions))
    return [
        _("Commands (followed by Enter):"),
        *(f"  {key:<{first}} {text}" for key, text in commands.items()),
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
