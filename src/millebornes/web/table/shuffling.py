"""The shuffle of a table's next hand, and the game loop that plays with the resulting deck."""

import dataclasses
import random
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from millebornes.cards import CODES, Card
from millebornes.editions import Rules
from millebornes.game import FairShuffle, LegalMoves, Match, Move, View
from millebornes.game.fair_shuffle import NO_SEAT_SEED, commitment_of
from millebornes.i18n import translator
from millebornes.players import Player
from millebornes.session.game_loop import GameLoop
from millebornes.session.game_session import GameSession
from millebornes.session.new_game import new_game
from millebornes.session.setup import HUMAN
from millebornes.storage import Preferences
from millebornes.themes import theme
from millebornes.web.table.events import Created, Shuffled
from millebornes.web.table.seats import ME, OPEN

__all__ = ["OpenShuffle", "cards_of", "first_loop"]

_CARD_OF: Final = {code: card for card, code in CODES.items()}


class OpenShuffle(NamedTuple):
    """The next hand that the server has committed itself to: the commitment, and the contributions received so far."""

    event: Shuffled
    seeds: dict[int, bytes]

    def fair(self, table: str, seats: int) -> FairShuffle:
        """Return the shuffle with the contributions received so far. Missing contributions are zeros."""
        seed = bytes.fromhex(self.event.server_seed)
        return FairShuffle(
            table=table,
            hand=self.event.hand,
            commitment=commitment_of(seed),
            server_seed=seed,
            seat_seeds=tuple(self.seeds.get(seat, NO_SEAT_SEED) for seat in range(seats)),
        )


def cards_of(deck: str) -> tuple[Card, ...]:
    """Return the cards in a deck that a `millebornes.web.table.events.HandDealt` contains."""
    return tuple(_CARD_OF[code] for code in deck.split())


class _Seated(Player):
    """A placeholder for a computer player in the game loop. The log provides its moves."""

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        raise AssertionError("moves of computer players come from the log")


def first_loop(
    created: Created,
    rules: Rules,
    places: Sequence[str],
    names: Sequence[str],
    deck: Callable[[], tuple[Card, ...]],
    number: int = 1,
) -> GameLoop:
    """Return the game loop of a table from match ``number`` on. ``deck`` returns the deck of the next hand.

    The first hand has been dealt. The game is a practice game, so that people can take back moves.
    """
    kinds = [HUMAN if place in {ME, OPEN} else place for place in places]
    game = new_game(rules, kinds, names, created.match_target, created.secret, Preferences(), practice=True)
    first = (number - 1) % rules.seats
    match = Match.start(rules, deck=deck(), first=first, players=names, match_target=created.match_target)
    session = GameSession(
        dataclasses.replace(game, match=match, number=number),
        None,
        theme("english"),
        translator("en"),
        players=[None if kind == HUMAN else _Seated() for kind in kinds],
        decks=lambda _match, _hand: deck(),
    )
    return GameLoop(session, screens=[(seat,) for seat in session.participants.people], watched=True)
