"""What stands for the commands, questions and answers: letters, and words in every language (`i18n.words`)."""

import enum
from typing import Final

from millebornes.game import Action
from millebornes.i18n import words
from millebornes.session.letters import LETTERS as COMMON

__all__ = ["ANSWERS", "LETTERS", "QUESTIONS", "WORDS", "Kind", "Question"]


class Kind(enum.Enum):
    """What is asked for; commands that the whole screen has too bear the names that they have there."""

    MOVE = "move"
    PICK = "pick"
    DISCARD = "discard"
    USE = "use"
    ORDER = "order"
    QUIT = "quit"
    SAVE = "save"
    REDRAW = "redraw"
    WINDOW = "window"
    SHEET = "scores"
    HELP = "help"
    HINT = "hint"
    LEGAL = "legal"
    MANUAL = "manual"
    ONE_KEY = "one_key"
    BRIEF = "brief"
    YES = "yes"
    NO = "no"
    NOTHING = "nothing"
    STATISTICS = "statistics"
    REVIEW = "review"
    SETTINGS = "settings"
    UNDO = "undo"
    COUNT = "counts"
    QUESTION = "question"
    UNKNOWN = "unknown"


class Question(enum.Enum):
    """A question for one thing, answered in a sentence (`millebornes.tui.plain.answers`)."""

    HAND = "hand"
    STATUS = "status"
    MILES = "miles"
    HAZARD = "hazard"
    LIMIT = "limit"
    SAFETIES = "safeties"
    PILE = "pile"
    SCORE = "score"
    GOAL = "goal"
    PLAYERS = "players"
    LAST = "last"
    LOG = "log"


LETTERS: Final = {
    **{letter: Kind(action) for action, letter in COMMON.items()},
    "b": Kind.BRIEF,
    "?": Kind.HELP,
    "\x0c": Kind.REDRAW,
    "\x7f": Kind.QUIT,
}
"""The commands of a single character; control-L and DELETE are those of the classic game."""

WORDS: Final = {word: kind for kind in Kind for word in words(kind.value)} | dict.fromkeys(words("call"), Kind.YES)
"""The commands by their words."""

QUESTIONS: Final = {word: question for question in Question for word in words(question.value)}
"""The questions by their words."""

ANSWERS: Final = {
    word.replace(" ", ""): action
    for action in (Action.PASS, Action.EXTEND, Action.FINISH)
    for word in words(action.value)
}
"""The answers to the questions of the game that are moves, without blanks."""
