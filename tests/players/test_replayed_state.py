"""A player to whom all is replayed that its seat has seen knows as much as one that has sat there."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from millebornes.editions import make_rules
from millebornes.errors import NotationError
from millebornes.game import InformationState, LegalMoves, Match, Move, View
from millebornes.notation import read_view
from millebornes.players import Table, player
from millebornes.players.base import replay_state
from millebornes.players.external.messages import read_information_state
from tests.search.rememberer import Rememberer

SESSION = Path(__file__).parents[2] / "tests" / "data" / "bots" / "bot-session.jsonl"


class Sitter(Rememberer):
    """Plays as the maxims do, and compares what it remembers with what one remembers who was told afterwards."""

    name = "sitter"

    def __init__(self) -> None:
        self.maxims = player("maxims")
        self.match: Match | None = None
        self.compared = 0

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        assert self.match is not None
        told = Sitter()
        replay_state(told, InformationState.of_match(self.match, view.seat))
        seats = range(view.rules.seats)
        pasts = self.memory.past(seats), told.memory.past(seats)
        for past in pasts:
            past.events["number"] = 0  # no event has that of another
        for mine, theirs in zip(*(past[:-1] for past in pasts), strict=True):
            assert np.array_equal(mine, theirs)  # the last tells what has not been asked for before
        assert np.array_equal(self.memory.opponents, told.memory.opponents)
        assert self.memory.hazard == told.memory.hazard
        self.compared += 1
        return self.maxims.choose(view, legal, rng)


@pytest.mark.parametrize(("name", "seats", "sides"), [("classic", 2, 2), ("classic", 3, 3), ("house", 4, 2)])
def test_who_is_told_afterwards_remembers_the_same(name: str, seats: int, sides: int) -> None:
    rules = make_rules(name, seats, sides)
    sitter = Sitter()
    table = Table(Match.start(rules, seed=4), [sitter, *(player("maxims") for _ in range(1, seats))], 4)
    for _hand in range(2):
        while not table.match.hand.is_over:
            sitter.match = table.match
            table.step()
        table.next_hand()
    assert sitter.compared > 20


def messages() -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in SESSION.read_text(encoding="utf-8").splitlines()]
    return [line["to_bot"] for line in lines if "to_bot" in line]


def test_the_messages_of_a_host_tell_what_a_seat_has_seen() -> None:
    told = messages()
    decisions = 0
    for number, message in enumerate(told, 1):
        if message["type"] == "choose":
            state = read_information_state(told[:number])
            view = read_view(message["view"], state.rules)
            assert state.view.to_dict() == view.to_dict()  # what lies buried is not in a message
            instant = player("instant")
            replay_state(instant, state)
            assert instant.choose(state.view, view.legal_moves, random.Random(1)) in view.legal_moves
            decisions += 1
    assert decisions > 10


def test_messages_that_tell_no_hand_are_refused() -> None:
    told = messages()
    with pytest.raises(NotationError, match="no hand has been dealt yet"):
        read_information_state(told[:1])
    spoiled = [dict(message) for message in told]
    place = next(n for n, message in enumerate(spoiled) if message["type"] == "moved")
    spoiled[place]["move"] = "fly"
    with pytest.raises(NotationError, match=f"message {place + 1}, moved: 'fly' isn't a move"):
        read_information_state(spoiled)
