"""The words of the commands and questions: letters, English and French words, all in small letters without accents."""

import enum
from typing import Final

from millebornes.game import Action
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


_WORDS: Final = {
    Kind.PICK: "pick draw take piocher pioche prendre",
    Kind.DISCARD: "discard drop throw defausser defausse jeter jette",
    Kind.USE: "use play put utiliser utilise jouer joue poser pose",
    Kind.ORDER: "order sort ordre ordonner trier tri",
    Kind.QUIT: "quit exit bye quitter sortir",
    Kind.SAVE: "save sauver sauvegarder enregistrer",
    Kind.REDRAW: "redraw look table show reafficher regarder montrer",
    Kind.WINDOW: "window fenetre",
    Kind.SHEET: "sheet scoresheet feuille",
    Kind.HELP: "help aide commands commandes",
    Kind.HINT: "hint tip advice indice conseil astuce",
    Kind.LEGAL: "legal moves possible coups legaux permis",
    Kind.MANUAL: "manual manuel",
    Kind.ONE_KEY: "onekey",
    Kind.BRIEF: "brief bref breve",
    Kind.STATISTICS: "statistics statistic stats statistiques",
    Kind.REVIEW: "review analysis analyse analyser revue",
    Kind.SETTINGS: "set settings preferences options reglages regler",
    Kind.UNDO: "undo annuler reprendre",
    Kind.COUNT: "count counts unseen compter compte",
    Kind.YES: "yes yeah oui call appeler annoncer coup",
    Kind.NO: "no nope non",
}
WORDS: Final = {word: kind for kind, known in _WORDS.items() for word in known.split()}
"""The commands by their words."""

_QUESTIONS: Final = {
    Question.HAND: "hand cards main cartes jeu",
    Question.STATUS: "status state situation etat",
    Question.MILES: "miles distance bornes km kilometres kilometers",
    Question.HAZARD: "hazard hazards battle attaque attaques bataille",
    Question.LIMIT: "limit limite",
    Question.SAFETIES: "safeties safety bottes botte",
    Question.PILE: "pile piles",
    Question.SCORE: "score scores points",
    Question.GOAL: "goal trip arrivee parcours trajet etape",
    Question.PLAYERS: "players who seats sides joueurs qui places equipes camps",
    Question.LAST: "last news dernier derniers",
    Question.LOG: "log history journal historique",
}
QUESTIONS: Final = {word: question for question, known in _QUESTIONS.items() for word in known.split()}
"""The questions by their words."""

ANSWERS: Final = {
    "pass": Action.PASS,
    "passer": Action.PASS,
    "passe": Action.PASS,
    "goon": Action.PASS,
    "continuer": Action.PASS,
    "extend": Action.EXTEND,
    "allonger": Action.EXTEND,
    "prolonger": Action.EXTEND,
    "allonge": Action.EXTEND,
    "finish": Action.FINISH,
    "finir": Action.FINISH,
    "terminer": Action.FINISH,
}
"""The answers to the questions of the game that are moves."""
