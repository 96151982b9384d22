"""The commands for playing in a terminal, with their letters, keys, arguments and help.

To add a command, write an entry here, and in `millebornes.tui.controller.Controller.do` what it leads to. Both screens
show text and refusals by themselves. Add the words that people may type, under the command's name, to the
``language.toml`` of each language (`millebornes.i18n.words`). The parser, key map, palette, command window, key sheet,
help and ``docs/keys.md`` then include the new command.
"""

import dataclasses
import enum
from collections.abc import Iterable
from typing import Final

from millebornes.i18n import N_


class Argument(enum.Enum):
    """The kind of argument that a player may type after a command in the line game."""

    NOTHING = "nothing"
    CARD = "card"
    """The place or name of a card. For a hazard, the side to play it on may follow."""
    SIDE = "side"
    """A side, given by its number, one of its seats or a name."""
    HAND = "hand"
    """The number of a hand in the current match."""
    SECONDS = "seconds"
    TOPIC = "topic"
    """Any words. The command itself works out what they mean."""
    IN_WORDS = "in words"
    """The word that asks for sentences instead of a table."""


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Entry:
    """The description of a command. A field stays empty if the line game or the full screen doesn't use it.

    ``letter`` runs the command in both. ``characters`` are additional letters for the line game, and ``keys`` are
    additional keys for the full screen, under Textual's names. ``usage`` and ``help`` make up the command's line in the
    line game's help. A command with ``asked_by`` instead of ``usage`` is listed there among the questions, under the
    word that people type in their language (`Translator.command`). ``key_help``
    is its line on the key sheet, and ``label`` is its name in the window beside the table.
    """

    letter: str = ""
    characters: str = ""
    keys: tuple[str, ...] = ()
    argument: Argument = Argument.NOTHING
    usage: str = ""
    asked_by: str = ""
    help: str = ""
    key_help: str = ""
    label: str = ""
    is_question: bool = False
    """Whether the command asks a question that the game answers in a sentence."""
    practice_only: bool = False
    is_answer: bool = False
    """Whether the command answers a question from the game, so that it is useless at other times."""
    in_palette: bool = True
    """Whether the command palette lists this command."""


def _question(asked_by: str, help: str, argument: Argument = Argument.NOTHING) -> Entry:
    return Entry(asked_by=asked_by, help=help, argument=argument, is_question=True)


class Command(enum.Enum):
    """All commands, in the order of the key sheet. A few exist only in the line game."""

    USE = Entry(
        letter="u",
        argument=Argument.CARD,
        usage="U n",
        help=N_("use card n of your hand, such as U 3; U P uses the card just drawn"),
        key_help=N_("Use a card: type its number, then Enter"),
        label=N_("Use a card"),
    )
    DISCARD = Entry(
        letter="d",
        argument=Argument.CARD,
        usage="D n",
        help=N_("discard card n, such as D 5"),
        key_help=N_("Discard a card: type its number, then Enter"),
        label=N_("Discard a card"),
    )
    CONFIRM = Entry(keys=("enter", "space"), key_help=N_("Carry out what you typed; continue"), in_palette=False)
    BACK = Entry(keys=("escape", "backspace"), key_help=N_("Undo what you typed"), in_palette=False)
    PREVIOUS_CARD = Entry(keys=("left",), key_help=N_("Select the card to the left"), in_palette=False)
    NEXT_CARD = Entry(keys=("right",), key_help=N_("Select the card to the right"), in_palette=False)
    PICK = Entry(
        letter="p",
        usage="P",
        help=N_("pick a card (done for you, unless you type “manual”)"),
        key_help=N_("Pick a card"),
        label=N_("Pick"),
    )
    ORDER = Entry(
        letter="o",
        usage="O",
        help=N_("keep your hand sorted, or stop sorting it"),
        key_help=N_("Keep your hand sorted, or stop sorting it"),
        label=N_("Sort the hand"),
    )
    LEGAL = Entry(
        letter="l",
        usage="L",
        help=N_("list what you can do, and why you can't do the rest"),
        key_help=N_("List what you can do, and why you can't do the rest"),
        label=N_("Legal moves"),
    )
    HINT = Entry(
        letter="h",
        argument=Argument.SECONDS,
        usage="H",
        help=N_("a hint: the best move and why; Enter plays it, H again thinks longer, “hint 5” thinks for 5 seconds"),
        key_help=N_("Ask for a hint"),
        label=N_("Hint"),
    )
    UNDO = Entry(
        letter="z",
        usage="Z",
        help=N_("undo: take your latest move back (in practice only)"),
        key_help=N_("Take a move back (in practice)"),
        practice_only=True,
    )
    COUNTS = Entry(
        letter="c",
        usage="C",
        help=N_("count the cards you haven't seen (in practice only)"),
        key_help=N_("Show or hide the counts of unseen cards (in practice)"),
        practice_only=True,
    )
    WINDOW = Entry(
        letter="w",
        usage="W",
        help=N_("switch the window below the table between commands and score"),
        key_help=N_("Switch the window between commands and score"),
        label=N_("Switch window"),
    )
    ONE_KEY = Entry(
        letter="k",
        usage="K",
        help=N_("turn one-key play on or off: a card's number alone uses the card"),
        key_help=N_("One-key play: a card's number plays it at once"),
    )
    SCORES = Entry(
        letter="t",
        argument=Argument.IN_WORDS,
        usage="T",
        help=N_("the score sheet; type “sheet words” for full sentences"),
        key_help=N_("Show the score sheet"),
        label=N_("Score sheet"),
    )
    HAND = _question("hand", N_("your cards"))
    STATUS = _question("status", N_("where everyone is"), Argument.SIDE)
    MILES = _question("miles", N_("how far everyone has driven"), Argument.SIDE)
    HAZARD = _question("hazard", N_("the cards on the battle piles"), Argument.SIDE)
    LIMIT = _question("limit", N_("whose speed is limited"), Argument.SIDE)
    SAFETIES = _question("safeties", N_("the safeties that have been played"), Argument.SIDE)
    PILE = _question("pile", N_("the draw pile and the discard pile"))
    SCORE = _question("score", N_("the points in this hand and in the match"), Argument.SIDE)
    GOAL = _question("goal", N_("how long the trip is"))
    PLAYERS = _question("players", N_("who plays, and on which side"))
    LAST = _question("last", N_("what has happened since your last move"))
    LOG = Entry(
        keys=("f4", "pageup"),
        argument=Argument.HAND,
        asked_by="log",
        help=N_("what has happened in the match; log 2: in hand 2"),
        key_help=N_("Show the log of the whole match"),
        is_question=True,
    )
    STATISTICS = Entry(
        keys=("f3",),
        asked_by="stats",
        help=N_("the statistics of your past games"),
        key_help=N_("Show the statistics of past games"),
    )
    SETTINGS = Entry(keys=("f2",), argument=Argument.TOPIC, key_help=N_("Change the preferences"))
    REVIEW = Entry()
    MANUAL = Entry()  # noqa: PIE796 # entries differ by identity
    BRIEF = Entry(
        characters="b",
        usage="B",
        help=N_("brief: announce only what has changed since your last turn, or everything again"),
    )
    REDRAW = Entry(
        letter="r",
        characters="\x0c",
        keys=("ctrl+l",),
        usage="R",
        help=N_("redraw: show the table and your hand again"),
        key_help=N_("Redraw the screen"),
        label=N_("Redraw"),
    )
    SAVE = Entry(
        letter="s",
        usage="S",
        help=N_("save the game in a file"),
        key_help=N_("Save the game in a file"),
        label=N_("Save"),
    )
    QUIT = Entry(
        letter="q",
        characters="\x7f",
        keys=("delete", "ctrl+c"),
        usage="Q",
        help=N_("quit; the game is kept unless you delete it"),
        key_help=N_("Quit the game"),
        label=N_("Quit"),
        in_palette=False,
    )
    HELP = Entry(
        characters="?",
        keys=("question_mark", "f1"),
        argument=Argument.TOPIC,
        usage="?",
        help=N_("this help; ? R4.1 shows a clause of the rules"),
        key_help=N_("Show the keys"),
        label=N_("All keys"),
    )
    PALETTE = Entry(keys=("ctrl+p", "colon"), key_help=N_("Open the list of commands"), in_palette=False)
    SUSPEND = Entry(
        keys=("ctrl+z",), key_help=N_("Put the game in the background (fg brings it back)"), in_palette=False
    )
    YES = Entry(letter="y", key_help=N_("Answer yes"), is_answer=True, in_palette=False)
    NO = Entry(letter="n", key_help=N_("Answer no"), is_answer=True, in_palette=False)

    @property
    def action(self) -> str:
        """The name of the command's action on the full screen and in the file of custom keys."""
        return self.name.lower()

    @property
    def all_keys(self) -> tuple[str, ...]:
        """The default keys of the command on the full screen, starting with its letter."""
        entry = self.value
        return (entry.letter, *entry.keys) if entry.letter else entry.keys


_NEEDED: Final = "UDHLTWOBKRSQ?PZC"
"""The first letters of the usages, starting with the commands that players need most often."""


def in_order_of_need(commands: Iterable[Command], *, picking: bool = False) -> list[Command]:
    """Return the commands, the most useful first (with ``picking``, P), and those without a usage last."""

    def place(command: Command) -> int:
        found = _NEEDED.find(command.value.usage[:1] or " ")
        return -1 if picking and command is Command.PICK else len(_NEEDED) if found < 0 else found

    return sorted(commands, key=place)


BY_LETTER: Final = {
    letter: command for command in Command for letter in command.value.letter + command.value.characters
}
"""The command for each single character. The characters Control-L and DELETE come from the classic game."""
