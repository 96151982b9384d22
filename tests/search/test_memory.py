"""What a seat remembers is what happened, at every table, and nothing that it was not told."""

import random

import pytest

from millebornes.cards import SAFETY_OF, Card
from millebornes.editions import EDITIONS, edition
from millebornes.game import LegalMoves, Match, Move, View
from millebornes.players import Table, player
from millebornes.rules.state import Phase
from millebornes.search.beliefs import CALLED, NO_COUP, TURN
from tests.search.rememberer import Rememberer

TABLES = [(name, seats, sides) for name in EDITIONS for seats, sides in edition(name).tables]


class Listener(Rememberer):
    """Remembers, and plays at random; now and then it calls no coup."""

    name = "listener"

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        self.check(view)
        plays = [move for move in legal if not move.text.startswith("-")]
        return rng.choice(plays or list(legal))

    def check(self, view: View) -> None:
        memory = self.memory
        assert tuple(memory._cards) == view.hand_sizes
        assert memory._public[: len(Card)].tolist() == [view.discards[card] + view.played[card] for card in Card]
        assert memory._state["side"][0, : view.rules.sides].tolist() == [tableau.word for tableau in view.tableaux]
        if view.pending is not None:
            assert memory.hazard is not None
            assert memory.hazard[:3] == view.pending


@pytest.mark.parametrize(("name", "seats", "sides"), TABLES)
def test_what_is_remembered_is_what_the_view_tells(name: str, seats: int, sides: int) -> None:
    rules = edition(name).rules(seats, sides)
    for seed in range(2):
        table = Table(Match.start(rules, seed=seed), [Listener() for _seat in range(seats)], seed)
        table.play_hand()


@pytest.mark.parametrize(("name", "seats", "sides"), TABLES[::2])
def test_deeds_stand_with_the_table_as_it_was(name: str, seats: int, sides: int) -> None:
    rules = edition(name).rules(seats, sides)
    listener = Listener()
    table = Table(Match.start(rules, seed=1), [listener, *(player("maxims") for _seat in range(1, seats))], 1)
    table.play_hand()
    hand, memory = table.match.hand, listener.memory
    memory.record_no_coup()
    for n, seat in enumerate(range(1, seats)):
        past = memory.past(range(1, seats))
        events = [event for event in past.events[n, : past.counts[n]] if event["what"] != NO_COUP]
        states = [
            s for s, e in zip(past.states[n], past.events[n, : past.counts[n]], strict=False) if e["what"] != NO_COUP
        ]
        plies = [ply for ply in range(len(hand.moves)) if hand.at(ply).seat == seat and str(hand.moves[ply]) != "pass"]
        for event, state, ply in zip(events[::-1], states[::-1], plies[::-1], strict=False):
            before, move = hand.at(ply), hand.moves[ply]
            assert event["what"] == (CALLED if str(move).endswith("!") else TURN)
            assert event["cards"] == len(before.cards(seat))
            assert event["card"] == (-1 if move.card is None else move.card.index)
            assert state["side"].tolist()[:sides] == [tableau.word for tableau in before.tableaux]
            assert int(state["drawn"]) == rules.cards - before.draw_pile
            assert Phase(int(state["phase"])) is before.phase


def test_whoever_calls_no_coup_is_remembered() -> None:
    rules = edition("classic").rules(2, 2)
    found = 0
    for seed in range(10):
        listener = Listener()
        table = Table(Match.start(rules, seed=seed), [listener, player("maxims")], seed)
        table.play_hand()
        memory, hand = listener.memory, table.match.hand
        memory.record_no_coup()
        past = memory.past([1])
        noted = [e["code"] for e in past.events[0, : past.counts[0]] if e["what"] == NO_COUP]
        moves = hand.moves
        hits = [
            SAFETY_OF[move.card].index
            for ply, move in enumerate(moves)
            if move.target == 1 and move.card and not (ply + 1 < len(moves) and str(moves[ply + 1]).endswith("!"))
        ]
        assert noted == hits[len(hits) - len(noted) :]
        found += len(noted)
    assert found > 4
