"""The champion: searches each move among worlds that fit what it has seen."""

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from millebornes.editions import make_rules
from millebornes.game.legal import LegalMoves
from millebornes.game.move import Move
from millebornes.game.view import View
from millebornes.players.remembering import Remembering
from millebornes.players.search.settings import Settings, parse_settings
from millebornes.rules.state import Phase

if TYPE_CHECKING:  # their kernels are loaded when they are needed
    from millebornes.players.search.searcher import Found, Searcher

__all__ = ["Champion"]

ENOUGH: Final = 100
"""Rollouts that are more than there are moves at the start of a hand."""


class Champion(Remembering):
    """Plays every promising move out in thousands of worlds, with hands for the others that fit what they did.

    ``options`` are those of `millebornes.players.search.settings.parse_settings`. With a number of rollouts instead of
    a time the same seed gives the same game on every machine.
    """

    name: ClassVar[str] = "champion"
    summary: ClassVar[str] = "plays the moves out in worlds that fit what the others have done"
    takes_options: ClassVar[bool] = True

    def __init__(self, options: str = "") -> None:
        """Raises `PlayerError` for options that there are not, and for a file that holds no net."""
        self.options = options
        self.settings = parse_settings(options)
        if self.settings.net:
            from millebornes.players.instant import net_named

            net_named(self.settings.net)  # now, not in the middle of a game
        self._searcher: Searcher | None = None
        self._found: Found | None = None

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """The move that brings most in rollouts."""
        from millebornes.players.search.searcher import Searcher

        self._found = None
        moves = tuple(legal)
        if len(moves) == 1:
            return moves[0]
        if self._searcher is None or self._searcher.rules != view.rules:
            self._searcher = Searcher(view.rules, self.settings)
        memory = self.memory_for(view.rules)
        if view.phase is Phase.PLAY:
            memory.settle()
        self._found = found = self._searcher.search(view, moves, memory, rng)
        return moves[found.best]

    def prepare(self) -> None:
        """Load its kernels, or compile them, which takes up to a minute: by a search as short as can be."""
        from millebornes.game.match import Match
        from millebornes.players.search.memory import Memory
        from millebornes.players.search.searcher import Searcher

        view = Match.start(make_rules(), 0).view(0)
        searcher = Searcher(view.rules, Settings(milliseconds=None, rollouts=ENOUGH))
        searcher.search(view, tuple(view.legal_moves), Memory(view.rules), random.Random(0))

    def explain(self) -> Mapping[str, object]:
        """What the latest search found: each move's lead on the first choice, its error, and what is expected."""
        found = self._found
        if found is None:
            return {}
        moves = {
            move.text: {
                "lead": round(float(found.estimate.lead[i]), 4),
                "error": round(float(found.estimate.error[i]), 4),
                "expected": round(float(found.estimate.expected[i]), 4),
                "worlds": int(found.estimate.worlds[i]),
            }
            for i, move in enumerate(found.moves)
        }
        return {"moves": moves, "value": round(found.estimate.value, 4), "first": found.moves[found.start].text}

    def close(self) -> None:
        """Let go of its threads."""
        if self._searcher is not None:
            self._searcher.close()
