"""The main interface to the game: immutable hands and matches, moves, views and score sheets.

Most methods have an example. In the examples, ``match`` is ``Match.start(make_rules("classic"), seed=1958)``, and
``hand`` is ``match.hand``.
"""

from millebornes.game.decks import check_deck, shuffled_deck
from millebornes.game.events import Drew, Event, Moved
from millebornes.game.fair_shuffle import FairShuffle
from millebornes.game.frames import to_frame
from millebornes.game.hand import Hand, prepare
from millebornes.game.information_state import InformationState
from millebornes.game.legal import LegalMoves
from millebornes.game.match import Match, Standing, check_target
from millebornes.game.move import Move, code_of_move, move_of_code, number_of_codes
from millebornes.game.scoresheet import LINES, Scoresheet
from millebornes.game.tableau import Pending, Tableau
from millebornes.game.view import View
from millebornes.rules.clauses import Reason
from millebornes.rules.moves import Action
from millebornes.rules.state import Phase
from millebornes.rules.version import RULES_VERSION
from millebornes.schema.fields import DEFAULT_TARGET

__all__ = [
    "DEFAULT_TARGET",
    "LINES",
    "RULES_VERSION",
    "Action",
    "Drew",
    "Event",
    "FairShuffle",
    "Hand",
    "InformationState",
    "LegalMoves",
    "Match",
    "Move",
    "Moved",
    "Pending",
    "Phase",
    "Reason",
    "Scoresheet",
    "Standing",
    "Tableau",
    "View",
    "check_deck",
    "check_target",
    "code_of_move",
    "move_of_code",
    "number_of_codes",
    "prepare",
    "shuffled_deck",
    "to_frame",
]
