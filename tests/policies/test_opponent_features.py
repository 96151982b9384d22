"""What a seat's past opponents is what everybody saw, and nothing of its hand."""

import random
from collections import Counter

import numpy as np
import numpy.typing as npt
import pytest

from millebornes.cards import Card
from millebornes.editions import EDITIONS, edition, make_rules
from millebornes.game import Hand, LegalMoves, Match, Move, View
from millebornes.players import Table
from millebornes.policies.opponent_features import MAX_TURNS_AGO, OPPONENT_FEATURES, write_opponent_features
from millebornes.rules.tables import tables_for
from millebornes.search.memory import Memory
from tests.search.rememberer import Rememberer

TABLES = [(name, seats, sides) for name in EDITIONS for seats, sides in edition(name).tables]
ROADS = {Card.ROLL, Card.RIGHT_OF_WAY}


class Onlooker(Rememberer):
    """Plays at random, and has a look at the opponents at each decision."""

    name = "onlooker"

    def __init__(self) -> None:
        self.seen: list[bytes] = []

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        self.seen.append(self.memory.opponents.tobytes())
        plays = [move for move in legal if not move.text.startswith("-")]
        return rng.choice(plays if plays and rng.random() < 0.7 else list(legal))


def after(moves: str, mine: str, theirs: str, drawn: str = "") -> npt.NDArray[np.void]:
    """The opponents after some moves of the classic game for two; the hands as dealt, and what is drawn, by name."""
    rules = make_rules()
    dealt = [card for pair in zip(mine.split(), theirs.split(), strict=True) for card in pair] + drawn.split()
    rest = Counter({str(card): rules.deck[card.index] for card in Card}) - Counter(dealt)
    onlooker = Onlooker()
    table = Table(Match(rules, Hand.from_deck(rules, [*dealt, *rest.elements()])), [onlooker, None])
    for move in moves.split():
        table.play(move)
    return onlooker.memory.opponents


def passed(tell: np.void, turns: int = 0) -> set[Card]:
    return {card for card in Card if tell["passed"][card.index] == turns}


HAND = "25 100 stop stop roll roll"
OTHER = "25 50 roll roll repairs end_of_limit"


def test_who_discards_has_nothing_to_play() -> None:
    opponents = after("-25", HAND, OTHER)
    assert passed(opponents[0]) == {*ROADS, Card.SPEED_LIMIT}  # nobody moves yet, so nothing else could be played
    assert opponents["gave"][0].tolist()[: len(Card)] == [0] + [MAX_TURNS_AGO] * 18
    assert opponents["acts"][0].tolist()[:2] == [1, 0]
    assert passed(opponents[1]) == set()
    opponents = after("roll roll -stop", HAND, OTHER)
    assert passed(opponents[0]) == {card for card in Card if card.index < 10}  # any distance, any hazard


def test_who_drives_has_no_hazard_and_nothing_longer() -> None:
    opponents = after("roll roll 100", HAND, OTHER)
    assert passed(opponents[0]) == {Card.D200, *(card for card in Card if 5 <= card.index < 10)}
    assert opponents["acts"][0].tolist()[:2] == [1 + 2 * Card.D100.index + 1, 1 + 2 * Card.ROLL.index + 1]


def test_who_does_not_call_has_no_safety() -> None:
    opponents = after("roll roll stop>1", HAND, OTHER)
    assert passed(opponents[1]) == {Card.RIGHT_OF_WAY}
    opponents = after("roll roll stop>1 -25", HAND, OTHER)
    assert passed(opponents[1]) >= ROADS


def test_turns_are_counted() -> None:
    opponents = after("roll roll stop>1 -25 100 roll stop>1 -50", HAND, OTHER)
    assert opponents["passed"][1][Card.SPEED_LIMIT.index] == 0
    assert opponents["gave"][1][Card.D25.index] == 2
    assert opponents["gave"][1][Card.D50.index] == 0
    assert passed(opponents[0], MAX_TURNS_AGO) > {Card.REPAIRS}


@pytest.mark.parametrize(("name", "seats", "sides"), TABLES[::3])
def test_all_seats_see_the_same(name: str, seats: int, sides: int) -> None:
    rules = edition(name).rules(seats, sides)
    onlookers = [Onlooker() for _seat in range(seats)]
    table = Table(Match.start(rules, seed=5), list(onlookers), 5)
    while not table.match.hand.is_over:
        table.step()
        assert len({onlooker.memory.opponents.tobytes() for onlooker in onlookers}) == 1
    opponents = onlookers[0].memory.opponents
    assert (opponents["passed"] <= MAX_TURNS_AGO).all()
    assert (opponents["acts"][:seats, :2] > 0).all()
    assert (opponents["passed"][:seats] < MAX_TURNS_AGO).any()


def test_the_next_hand_begins_with_nothing() -> None:
    onlookers = [Onlooker(), Onlooker()]
    table = Table(Match.start(make_rules(), seed=5), list(onlookers), 5)
    table.play_hand()
    assert (onlookers[0].memory.opponents["acts"][:, 0] > 0).any()
    table.next_hand()
    for onlooker in onlookers:
        assert onlooker.memory.opponents.tobytes() == Memory(make_rules()).opponents.tobytes()


def test_what_a_side_of_several_seats_tells() -> None:
    opponents = np.zeros(8, OPPONENT_FEATURES)
    opponents["passed"] = opponents["gave"] = MAX_TURNS_AGO
    opponents["passed"][1, 3], opponents["passed"][3, 3], opponents["passed"][1, 4] = 2, 5, 1
    opponents["gave"][1, 0], opponents["gave"][3, 0], opponents["acts"][3, 0] = 4, 1, 9
    out = np.zeros(8, OPPONENT_FEATURES)
    write_opponent_features(0, tables_for(make_rules("classic", 4, 2)), opponents, out)
    assert out["passed"][1, :5].tolist() == [MAX_TURNS_AGO, MAX_TURNS_AGO, MAX_TURNS_AGO, 5, MAX_TURNS_AGO]
    assert out["gave"][1, 0] == 1
    assert out["acts"][1, 0] == 0  # of the seat that is next
    write_opponent_features(2, tables_for(make_rules("classic", 4, 2)), opponents, out)
    assert out["acts"][1, 0] == 9
