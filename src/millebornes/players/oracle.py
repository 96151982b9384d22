"""A player that sees all cards.

This player shows how well you could play the same cards if you knew where all of them are.
"""

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from millebornes.cards import Card
from millebornes.errors import PlayerError
from millebornes.game.legal import LegalMoves
from millebornes.game.move import Move
from millebornes.game.view import View
from millebornes.players.base import FullInformationPlayer
from millebornes.roster import FULL_INFORMATION

if TYPE_CHECKING:
    from millebornes.game.hand import Hand
    from millebornes.search.lookahead import LookAhead

DEPTHS: Final = (1, 2)


class Oracle(FullInformationPlayer):
    """Plays every legal move out to the end of the hand with the real cards, and makes the best move.

    The player assumes that all seats play like `maxims`, which uses no random numbers. If they do, its forecast is
    exactly right. With ``depth=2``, it assumes that it will play later moves as with ``depth=1``. This finds better
    moves and takes about a hundred times as long. The options, separated by commas, are ``match`` (aim for the chance
    to win the match, if there is one) or ``points`` (aim for the lead in the hand), and ``depth=1`` or ``depth=2``. The
    player uses no random numbers either.
    """

    name = "oracle"
    summary: ClassVar[str] = FULL_INFORMATION[name].summary

    def __init__(self, options: str = "") -> None:
        """Raises `PlayerError` for an unknown option."""
        self.objective = "match"
        self.depth = 1
        for option in filter(None, (part.strip() for part in options.split(","))):
            name, equals, number = (part.strip() for part in option.partition("="))
            if option in {"match", "points"}:
                self.objective = option
            elif equals and name == "depth":
                if number not in {str(depth) for depth in DEPTHS}:
                    raise PlayerError(f"oracle: depth={number!r} is not allowed; it must be 1 or 2")
                self.depth = int(number)
            else:
                raise PlayerError(
                    f"oracle: there is no option {option!r}; the options are match, points, depth=1 and depth=2"
                )
        self._look_ahead: LookAhead | None = None
        self._shown: tuple[Hand, Sequence[Sequence[Card]] | None] | None = None
        self._explanation: dict[str, object] = {}

    def reveal(self, hand: "Hand", draws: Sequence[Sequence[Card]] | None) -> None:
        """Store the real state of the hand for the next choice."""
        self._shown = hand, draws

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """Return the move with the best outcome. ``rng`` isn't used.

        Raises `PlayerError` if the cards for this decision haven't been revealed.
        """
        shown, self._shown, self._explanation = self._shown, None, {}
        if shown is None or shown[0].seat != view.seat or shown[0].cards(view.seat) != view.hand:
            raise PlayerError("the oracle has not been shown the cards; only a table that knows all of them can use it")
        if len(legal) == 1:
            return legal[0]
        if self._look_ahead is None or self._look_ahead.rules != view.rules:
            from millebornes.search.lookahead import LookAhead  # loading its kernels takes a while

            self._look_ahead = LookAhead(view.rules)
        target = view.match_target or 0
        planned = self._look_ahead.best_move(
            shown[0].state,
            shown[1],
            totals=view.totals or (0,) * view.rules.sides,
            match_target=target,
            chances=self.objective == "match" and target > 0,
            depth=self.depth,
        )
        self._explanation = {"expects": list(planned.points)}
        by_code: dict[Any, Move] = {legal.code(move): move for move in legal}
        return by_code[planned.code]

    def explain(self) -> Mapping[str, object]:
        """Return ``expects``: the points of each side that the player expects at the end of the hand.

        The dictionary is empty if there was only one legal move.
        """
        return self._explanation
