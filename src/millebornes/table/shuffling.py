"""The shuffle of a table's next hand."""

from typing import Final, NamedTuple

from millebornes.cards import CODES, Card
from millebornes.game import FairShuffle
from millebornes.game.fair_shuffle import NO_SEAT_SEED, commitment_of
from millebornes.table.facts import Shuffled

_CARD_OF: Final = {code: card for card, code in CODES.items()}


class OpenShuffle(NamedTuple):
    """The next hand that the server has committed itself to: the commitment, and the contributions received so far."""

    fact: Shuffled
    seeds: dict[int, bytes]

    def fair(self, table: str, seats: int) -> FairShuffle:
        """Return the shuffle with the contributions received so far. Missing contributions are zeros."""
        seed = bytes.fromhex(self.fact.server_seed)
        return FairShuffle(
            table=table,
            hand=self.fact.hand,
            commitment=commitment_of(seed),
            server_seed=seed,
            seat_seeds=tuple(self.seeds.get(seat, NO_SEAT_SEED) for seat in range(seats)),
        )


def cards_of(deck: str) -> tuple[Card, ...]:
    """Return the cards in a deck that a `millebornes.table.facts.HandDealt` contains."""
    return tuple(_CARD_OF[code] for code in deck.split())
