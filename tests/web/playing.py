"""Tables without a server: whole games as their logs."""

import random
from collections.abc import Sequence
from typing import Any

from millebornes.cards import CODES, Card
from millebornes.editions import make_rules
from millebornes.game import RULES_VERSION, Phase
from millebornes.schema.api import Wish
from millebornes.table.commands import reply, request
from millebornes.table.facts import (
    Away,
    Back,
    ChatSent,
    Closed,
    Created,
    Fact,
    HandDealt,
    Joined,
    Left,
    MoveMade,
    Rekeyed,
    Returned,
    SeatForfeited,
    SeedContributed,
    Shuffled,
    Waited,
)
from millebornes.table.log import fold
from millebornes.table.refusal import CommandError
from millebornes.table.state import TableState


def created(*places: str, edition: str = "classic", **more: Any) -> Created:
    """A new table; ``more`` are ``sides``, ``settings`` and what a `Created` holds."""
    rules = make_rules(edition, len(places), more.pop("sides", None), more.pop("settings", None))
    usual = {"at": 0, "table": "T", "name": "Ann", "match_target": 1500, "spectators": True, "coup_window": 7000}
    fixed = {"rules": str(rules), "rules_version": RULES_VERSION, "places": places, "secret": "x"}
    return Created(**{**usual, **fixed, **more})


def codes(deck: Sequence[Card]) -> str:
    return " ".join(CODES[card] for card in deck)


class Game:
    """A table that is played by chance; ``log`` is what happens. Computer players forfeit by a chance of their own.

    ``comings`` is how often a seat is away, is waited for, sent a computer player, or is back. ``names`` are those of
    the people, by seat. ``wishes`` is how often somebody asks for what others have to agree to, or replies.
    """

    def __init__(
        self,
        begun: Created,
        seed: int,
        forfeits: float = 0.002,
        comings: float = 0.0,
        names: Sequence[str] = (),
        wishes: float = 0.0,
    ) -> None:
        self.log: list[Fact] = [begun]
        self.state: TableState = fold(self.log)
        self.rng = random.Random(seed)
        self._chance = random.Random(seed + 400)
        self.forfeits, self.comings, self.wishes = forfeits, comings, wishes
        for seat, place in enumerate(begun.places):
            if place == "open":
                self.do(Joined(at=1, seat=seat, name=names[seat] if names else f"p{seat}"))

    def do(self, event: Fact) -> None:
        """Something happens."""
        self.log.append(event)
        self.state.apply(event)

    def step(self) -> None:
        """Whatever comes next."""
        state, rng, at = self.state, self.rng, len(self.log)
        if self._chance.random() < self.comings:
            self._come_or_go(at)
            return
        if self.wishes and self._chance.random() < self.wishes and self._ask_or_reply(at):
            return
        number, hand = state.next_hand
        if state.present and rng.random() < 0.03:
            self.do(ChatSent(at=at, seat=rng.choice(state.present), text="hm"))
        elif state.open is not None:
            if rng.random() < 0.5 and state.present and state.present[0] not in state.open.seeds:
                self.do(SeedContributed(at=at, seat=state.present[0], seed=rng.randbytes(16).hex()))
            else:
                self.do(HandDealt(at=at, match=number, hand=hand, deck=codes(state.deck())))
        elif state.status != "playing":
            self.do(Shuffled(at=at, match=number, hand=hand, server_seed=rng.randbytes(32).hex()))
        elif state.window is not None:
            self._answer(at)
        else:
            self._move(at)

    def _come_or_go(self, at: int) -> None:
        state, chance = self.state, self._chance
        seat, other = (chance.choice([n for n, human in enumerate(state.humans) if human]) for _ in range(2))
        if seat in state.away:
            self.do(Returned(at=at, seat=seat))
        elif seat not in state.absent:
            away: list[Fact] = [Away(at=at, seat=seat, until=at + 9), Rekeyed(at=at, seat=seat)]
            self.do(chance.choice(away))
        else:
            waited: list[Fact] = [Waited(at=at, seat=seat, by=other, until=at + 9), Back(at=at, seat=seat)]
            self.do(chance.choice([*waited, Left(at=at, seat=seat, by=other)]))

    def _ask_or_reply(self, at: int) -> bool:
        state, chance = self.state, self._chance
        waited = sorted(state.concerned)
        if waited:
            agree = chance.random() < 0.8
            self.do(reply(state, chance.choice(waited), agree, state.version, at))
            return True
        people = [n for n, human in enumerate(state.humans) if human]
        wishes: tuple[Wish, ...] = ("undo", "undo", "undo", "undo", "undo", "undo", "undo", "end", "resign")
        what = chance.choice(wishes)
        try:
            event = request(state, chance.choice(people), what, at)
        except CommandError:
            return False
        if event is not None:
            self.do(event)
        return event is not None

    def _answer(self, at: int) -> None:
        state = self.state
        seat = state.deciding()
        assert seat is not None
        assert state.match is not None
        if state.match.hand.phase in {Phase.COUP, Phase.OPENING} and self.rng.random() < 0.5:
            call = next(text for text in state.match.hand.legal_moves.texts if text != "pass")
            self.do(MoveMade(at=at, seat=seat, move=call))
        else:
            self.do(Closed(at=at))

    def _move(self, at: int) -> None:
        state, seat = self.state, self.state.deciding()
        assert seat is not None
        assert state.match is not None
        if not state.humans[seat] and self.rng.random() < self.forfeits:
            self.do(SeatForfeited(at=at, seat=seat, reason="failed"))
            return
        legal = state.match.hand.legal_moves.texts
        uses = [text for text in legal if not text.startswith("-")]
        move = self.rng.choice(uses if uses and self.rng.random() < 0.8 else legal)
        self.do(MoveMade(at=at, seat=seat, move=move))
