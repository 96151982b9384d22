"""The champion, which tries each move in simulations that fit everything it has seen."""

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from millebornes.editions import Rules, make_rules
from millebornes.game import DEFAULT_TARGET
from millebornes.game.legal import LegalMoves
from millebornes.game.move import Move
from millebornes.game.view import View
from millebornes.kernels.python_fallback import compiles_in_background
from millebornes.players.history_player import HistoryPlayer
from millebornes.players.instant import Instant
from millebornes.players.maxims import Maxims
from millebornes.policies.net_choice import net_sentence
from millebornes.roster import ROSTER
from millebornes.rules.state import Phase
from millebornes.search.settings import parse_settings

if TYPE_CHECKING:  # the kernels of these modules are loaded when they are needed
    from millebornes.search.searcher import Searcher, SearchResult


class Champion(HistoryPlayer):
    """Plays out every promising move in thousands of simulations, in which the opponents' hands fit their moves.

    While the search is being compiled in the background (`prepare_behind`), the champion uses only its net, or the
    maxims if it has no net, and `explain` says so. With a fixed number of rollouts, it always waits for the search.

    ``options`` are described in `millebornes.search.settings.parse_settings`. If the options set a number of rollouts
    instead of a time limit, the same seed leads to the same game on every machine.
    """

    name = "champion"
    summary: ClassVar[str] = ROSTER[name].summary

    def __init__(self, options: str = "") -> None:
        """Raises `PlayerError` for an unknown option, or for a file that isn't a net."""
        self.options = options
        self.settings = parse_settings(options)
        if self.settings.net:
            from millebornes.policies.shipped_nets import net_named

            net_named(self.settings.net)  # raise any error now instead of in the middle of a game
        self._searcher: Searcher | None = None
        self._found: tuple[tuple[Move, ...], SearchResult] | None = None
        self._simply: Move | None = None
        """The latest move, if it was made without a search, or None."""
        self._rules = make_rules()
        self._quick: Maxims | Instant | None = None
        """The player that chooses moves without a search."""

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_searcher": None}  # each copy creates its own searcher

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """Return the move with the best results in the rollouts."""
        self._found = self._simply = None
        self._rules = view.rules
        moves = tuple(legal)
        if len(moves) == 1:
            return moves[0]
        limit = self.settings.milliseconds
        # If the search only has to be loaded, wait for it, but no longer than the time for a move.
        if limit is None or self.is_prepared_behind(view.rules, view.match_target, limit / 1000):
            return self._search(view, legal, rng)
        self._simply = self._choose_simply(view, legal, rng)
        return self._simply

    def _choose_simply(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """Return the move of the net, or of the maxims if there is no net. Neither has to wait for compilation."""
        if self._quick is None:
            self._quick = Maxims() if self.settings.net is None else Instant(self.settings.net)
        if isinstance(self._quick, Instant):
            self._quick.share(self.memory_for(view.rules))
        return self._quick.choose(view, legal, rng)

    def _ensure(self, rules: Rules, match_target: int | None) -> None:
        from millebornes.players.search_preparation import ensure

        ensure(rules, match_target or 0 if self.settings.match else 0)

    def match_started(self, seat: int, rules: Rules, players: Sequence[str], match_target: int | None) -> None:
        """Start to remember events.

        Unless this is done in the background, get the search ready now, so that no move has to wait for it.
        """
        super().match_started(seat, rules, players, match_target)
        if not compiles_in_background():
            self._ensure(rules, match_target)

    def _search(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        from millebornes.players.information_set import information_set_of
        from millebornes.search.searcher import Searcher

        self._ensure(view.rules, view.match_target)
        if self._searcher is None or self._searcher.rules != view.rules:
            self._searcher = Searcher(view.rules, self.settings)
        memory = self.memory_for(view.rules)
        if view.phase is Phase.PLAY:
            memory.record_no_coup()
        moves = tuple(legal)
        result = self._searcher.search(information_set_of(view), [legal.code(move) or 0 for move in moves], memory, rng)
        self._found = moves, result
        return moves[result.best]

    def prepare(self) -> None:
        """Load the kernels, or have them compiled, which takes up to a minute."""
        self._ensure(make_rules(), DEFAULT_TARGET)

    def prepare_behind(self, rules: Rules, match_target: int | None) -> bool:
        """Load the kernels, or compile them in another process, and return whether this is possible.

        This is never possible with a fixed number of rollouts, because these games must be reproducible.
        """
        from millebornes.players.kernel_parts import SEARCH
        from millebornes.players.search_preparation import begin

        target = match_target if self.settings.match else 0
        return self.settings.milliseconds is not None and begin(SEARCH, rules, target)

    def is_prepared_behind(self, rules: Rules, match_target: int | None, seconds: float) -> bool:
        """Return whether the kernels are ready. If they only have to be loaded, wait at most ``seconds``."""
        from millebornes.players.search_preparation import is_running

        return not is_running(rules, match_target if self.settings.match else 0, seconds)

    def explain(self) -> Mapping[str, object]:
        """Return the results of the latest search: each move's lead over the first choice, its error, and a forecast.

        ``net`` is a sentence that names the net behind the first choice. ``proven`` is true if no cards are hidden any
        more and every line of play was searched to the end of the hand. ``compiling`` is true if the search wasn't
        ready yet. In this case, ``by`` names the player that made the move, ``net`` or ``maxims``.
        """
        if self._simply is not None:
            if not isinstance(self._quick, Instant):
                return {"first": self._simply.text, "compiling": True, "by": "maxims"}
            net = net_sentence(f"{self.name}:{self.options}", self._rules)
            return {"first": self._simply.text, "compiling": True, "by": "net", "net": net}
        if self._found is None:
            return {}
        legal, result = self._found
        moves = {
            move.text: {
                "lead": round(float(result.estimate.lead[i]), 4),
                "error": round(float(result.estimate.error[i]), 4),
                "expected": round(float(result.estimate.expected[i]), 4),
                "worlds": int(result.estimate.worlds[i]),
            }
            for i, move in enumerate(legal)
        }
        explained: dict[str, object] = {
            "moves": moves,
            "value": round(result.estimate.value, 4),
            "first": legal[result.start].text,
            "net": net_sentence(f"{self.name}:{self.options}", self._rules),
        }
        return {**explained, "proven": True} if result.is_proven else explained

    def close(self) -> None:
        """Release all threads and caches. The champion keeps its memory of the match and can choose moves again."""
        if self._searcher is not None:
            self._searcher.close()
            self._searcher = None
