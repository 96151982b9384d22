"""A table with arranged cards, played either by the reference game (``cards``) or by the kernels."""

from collections.abc import Sequence
from typing import Any

from millebornes.cards import Card
from millebornes.editions import Rules, make_rules
from tests.reference.game import ReferenceGame
from tests.reference.packed import PackedGame, summary_of, view_of

IDLE = tuple(
    Card(name)
    for name in (
        "end_of_limit spare_tire gasoline repairs 25 50 75 100 200 roll accident out_of_gas flat_tire speed_limit stop "
        "puncture_proof extra_tank driving_ace right_of_way"
    ).split()
)
"""Cards that fill hands and the draw pile, those that disturb least first; `--` discards in the same order."""


def arranged_deck(rules: Rules, hands: Sequence[str], draws: str, first: int) -> list[Card]:
    """A deck that deals these hands and goes on with these draws; idle cards fill hands up and come last."""
    left = {card: rules.deck[card.index] for card in IDLE}

    def take(names: str) -> list[Card]:
        cards = [Card(name) for name in names.split()]
        for card in cards:
            left[card] -= 1
        return cards

    dealt = [take(names) for names in hands]
    dealt += [[] for _ in range(rules.seats - len(hands))]
    pile = take(draws)
    assert min(left.values()) >= 0, "the deck does not hold so many of a card"
    idle = [card for card in IDLE for _ in range(left[card])]
    for cards in dealt:
        assert len(cards) <= rules.hand_size
        while len(cards) < rules.hand_size:
            cards.append(idle.pop(0))
    order = [dealt[(first + k) % rules.seats] for k in range(rules.seats * rules.hand_size)]
    return [cards.pop(0) for cards in order] + pile + idle


class Table:
    """A hand in play. Moves are canonical texts; ``--`` discards an idle card, ``1:roll`` asserts whose turn it is."""

    def __init__(self, game: ReferenceGame | PackedGame) -> None:
        self.game = game
        self.rules = game.rules

    @property
    def phase(self) -> str:
        return self.game.phase

    @property
    def seat(self) -> int:
        return self.game.seat

    @property
    def legal(self) -> list[str]:
        return self.game.legal()

    @property
    def plays(self) -> list[str]:
        """Legal moves that are no discards."""
        return [move for move in self.legal if not move.startswith("-")]

    @property
    def completed_by(self) -> int | None:
        return self.game.completed_by

    @property
    def extended(self) -> bool:
        return self.game.extended

    @property
    def state(self) -> dict[str, Any]:
        """Everything, as `PackedGame.summary` puts it."""
        return self.game.summary() if isinstance(self.game, PackedGame) else summary_of(self.game)

    @property
    def draw_pile(self) -> int:
        return len(self.state["draw_pile"])

    @property
    def discard_top(self) -> str | None:
        top: str | None = self.state["discard_top"]
        return top

    @property
    def discards(self) -> dict[str, int]:
        found: dict[str, int] = self.state["discards"]
        return found

    def hand(self, seat: int) -> list[str]:
        cards: list[str] = self.state["hands"][seat]
        return cards

    def shown(self, side: int) -> dict[str, Any]:
        found: dict[str, Any] = self.state["sides"][side]
        return found

    def is_moving(self, side: int) -> bool:
        moving: bool = self.shown(side)["moving"]
        return moving

    def view(self, seat: int) -> dict[str, Any]:
        return self.game.view(seat) if isinstance(self.game, PackedGame) else view_of(self.game, seat)

    def scores(self, side: int) -> dict[str, int]:
        return self.game.scores()[side]

    def points(self, side: int) -> dict[str, int]:
        """The lines of a side's score that are not zero, without the total."""
        return {line: points for line, points in self.scores(side).items() if points and line != "total"}

    def play(self, moves: str) -> "Table":
        for move in moves.split():
            seat, colon, text = move.rpartition(":")
            if colon:
                assert self.seat == int(seat), f"it is seat {self.seat}'s turn, not {seat}'s"
            if text == "--":
                held = self.hand(self.seat)
                text = next(f"-{card.value}" for card in IDLE if card.value in held)
            self.game.play(text)
        return self


class Tables:
    """Lays tables; which of the two games plays there is the test's parameter."""

    def __init__(self, driver: str) -> None:
        self.driver = driver

    def lay(
        self,
        *hands: str,
        draws: str = "",
        first: int = 0,
        edition: str = "classic",
        seats: int = 2,
        sides: int | None = None,
        **settings: Any,
    ) -> Table:
        """A table of an edition with some settings changed."""
        rules = make_rules(edition, seats, sides, settings)
        return self.of(rules, arranged_deck(rules, hands, draws, first), first)

    def small(self, *hands: str, draws: str = "", first: int = 0, **settings: Any) -> Table:
        """A table whose deck is exactly the cards named, with hands of three unless said otherwise."""
        names = " ".join([*hands, draws]).split()
        deck = {card.value: names.count(card.value) for card in Card}
        settings = {"seats": len(hands), "hand_size": 3, **settings}
        return self.lay(*hands, draws=draws, first=first, deck=deck, **settings)

    def of(self, rules: Rules, deck: Sequence[Card | str], first: int = 0) -> Table:
        """A table with a given deck."""
        return Table((ReferenceGame if self.driver == "cards" else PackedGame)(rules, deck, first))


__all__ = ["IDLE", "Table", "Tables", "arranged_deck"]
