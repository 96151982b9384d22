"""Sampled hands fit what is known, and are as likely as enumeration says."""

import itertools
import math
import random

import numpy as np
import numpy.typing as npt
import pytest

from millebornes.cards import Card
from millebornes.editions import Rules, edition
from millebornes.game import LegalMoves, Match, Move, View
from millebornes.players import Table, player
from millebornes.policies.dispatch import workspace_for
from millebornes.search.beliefs import CALLED, EVENTS, TRAIL, Chain, likelihood, new_cache, sample_hands
from millebornes.search.memory import Memory, Past
from millebornes.search.opponents import OpponentModel
from millebornes.search.settings import SearchSettings
from tests.search.rememberer import Rememberer

pytestmark = pytest.mark.slow  # the kernels of the search take long to compile

Hands = npt.NDArray[np.uint64]


class Witness(Rememberer):
    """Plays as the maxims do, and keeps what it saw at each turn."""

    name = "witness"

    def __init__(self) -> None:
        self.maxims = player("maxims")
        self.turns: list[tuple[View, Past]] = []

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        if view.phase.name == "PLAY":
            self.memory.record_no_coup()
        others = [seat for seat in range(view.rules.seats) if seat != view.seat]
        self.turns.append((view, self.memory.past(others)))
        return self.maxims.choose(view, legal, rng)


def turns(rules: Rules, seed: int) -> list[tuple[View, Past]]:
    witness = Witness()
    Table(
        Match.start(rules, seed=seed), [witness, *(player("maxims") for _s in range(1, rules.seats))], seed
    ).play_hand()
    return witness.turns


class Sampler:
    """What the kernels need, for one table."""

    def __init__(self, rules: Rules, model: str = "maxims") -> None:
        self.work = workspace_for(rules, 1, "search").work[0]
        self.model = OpponentModel(rules, SearchSettings(model=model)).model(Memory(rules))
        self.cache = new_cache()

    def sample(self, view: View, past: Past, count: int, *, every: int = 20, seed: int = 1) -> Hands:
        others = np.array([seat for seat in range(view.rules.seats) if seat != view.seat])
        pool = np.repeat(np.arange(len(Card)), list(view.unseen.values()))
        self.work["generator"]["word"] = seed
        out = np.zeros((count, len(others)), np.uint64)
        trails = np.zeros(len(others), TRAIL)
        trails["seat"], trails["count"] = others, past.counts
        trails["cards"] = [view.hand_sizes[seat] for seat in others]
        chain = Chain(past.events, past.states, past.deals, trails, pool, self.cache)
        ways = np.zeros((10, len(others), EVENTS), np.uint64)
        sample_hands(self.work, chain, self.model, 2000, every, out, ways)
        return out

    def likely(self, past: Past, e: int, hand: int, seat: int) -> float:
        trails = np.zeros(1, TRAIL)
        trails["seat"] = seat
        chain = Chain(past.events, past.states, past.deals, trails, np.zeros(0, np.int64), self.cache)
        return float(likelihood(chain, 0, e, np.uint64(hand), self.model, self.work))


def counts_of(hands: Hands) -> npt.NDArray[np.int64]:
    """Cards by kind, shape (samples, kinds)."""
    return np.stack([(hands >> np.uint64(3 * card.index)).astype(np.int64) & 7 for card in Card], axis=1)


@pytest.mark.parametrize(("name", "seats", "sides"), [("bsd", 2, 2), ("classic", 3, 3), ("house", 4, 2)])
def test_hands_are_made_of_unseen_cards(name: str, seats: int, sides: int) -> None:
    rules = edition(name).rules(seats, sides)
    chain = Sampler(rules)
    for view, past in turns(rules, 5)[::3]:
        hands = chain.sample(view, past, 50)
        others = [seat for seat in range(seats) if seat != view.seat]
        total = np.zeros((50, len(Card)), np.int64)
        for n, seat in enumerate(others):
            counts = counts_of(hands[:, n])
            assert (counts.sum(1) == view.hand_sizes[seat]).all()
            total += counts
        assert (total <= np.array(list(view.unseen.values()))).all()


def test_what_is_remembered_changes_no_hand() -> None:
    """Neither of other moments of the hand, nor after the seat has come to be taken for somebody else."""
    rules = edition("classic").rules(2, 2)
    shares = np.full((8, 10), 0.1), np.tile([0.02, 0.005, 0, 0, 0, 0, 0.9, 0.05, 0.02, 0.005], (8, 1))
    busy = Sampler(rules, "mixture")
    for view, past in turns(rules, 5)[3::8]:
        for model in shares:
            fresh = Sampler(rules, "mixture")
            for chain in (busy, fresh):
                chain.model.shares[:] = model
            assert (busy.sample(view, past, 200) == fresh.sample(view, past, 200)).all()
    assert (busy.cache["event"] > 0).sum() > (fresh.cache["event"] > 0).sum() > 50


def test_without_a_past_all_hands_are_as_likely() -> None:
    rules = edition("classic").rules(2, 2)
    view, past = turns(rules, 3)[10]
    nothing = past._replace(counts=np.zeros(1, np.int64))
    counts = counts_of(Sampler(rules).sample(view, nothing, 20_000, every=40)[:, 0])
    unseen = np.array(list(view.unseen.values()))
    share = unseen / unseen.sum()
    size = view.hand_sizes[1]
    expected = size * share
    spread = np.sqrt(size * share * (1 - share) * (unseen.sum() - size) / (unseen.sum() - 1) / 20_000)
    assert (np.abs(counts.mean(0) - expected) <= 5 * spread + 1e-9).all()


def test_what_has_left_the_hand_is_no_likelier_to_be_there_still() -> None:
    """Three cards, two of them alike; a hand of two shows one of those: the other one is alike in a third of cases."""
    rules = edition("classic").rules(2, 2)
    chain = Sampler(rules)
    nothing = Memory(rules).past([1])
    nothing.events[0, 0]["what"], nothing.events[0, 0]["cards"] = CALLED, 2
    nothing.events[0, 0]["card"] = Card.D25.index
    trails = np.zeros(1, TRAIL)
    trails["seat"], trails["cards"], trails["count"] = 1, 1, 1
    pool = np.array([Card.D25.index, Card.D50.index])
    out, ways = np.zeros((20_000, 1), np.uint64), np.zeros((1, 1, EVENTS), np.uint64)
    chain.work["generator"]["word"] = 1
    walk = Chain(nothing.events, nothing.states, nothing.deals, trails, pool, chain.cache)
    sample_hands(chain.work, walk, chain.model, 100, 10, out, ways)
    assert counts_of(out[:, 0])[:, Card.D25.index].mean() == pytest.approx(1 / 3, abs=0.02)


def exact(chain: Sampler, view: View, past: Past, seat: int) -> npt.NDArray[np.float64]:
    """Mean cards by kind in the other hand, by going through every way in which it may have come about.

    ``likely`` tells how likely a move was with one card of several that are alike.
    """
    pool = [card.index for card, count in view.unseen.items() for _ in range(count)]
    events = past.events[0, : past.counts[0]]
    size = view.hand_sizes[seat]

    def weight(hand: tuple[int, ...], e: int) -> float:
        """Mean over what was drawn since event e of how likely it and all before it were; ``hand`` is that after it."""
        if e < 0:
            return 1.0
        event = events[e]
        after = int(event["cards"]) - (event["card"] >= 0)
        drawn = len(hand) - after
        total, ways = 0.0, 0
        for kept in itertools.combinations(range(len(hand)), len(hand) - drawn):
            before = tuple(hand[i] for i in kept) + ((int(event["card"]),) if event["card"] >= 0 else ())
            word = sum(1 << 3 * kind for kind in before)
            total += math.exp(chain.likely(past, e, word, seat)) * weight(before, e - 1)
            ways += 1
        return total / ways

    found, whole = np.zeros(len(Card)), 0.0
    seen: dict[tuple[int, ...], float] = {}
    for places in itertools.combinations(range(len(pool)), size):
        hand = tuple(sorted(pool[i] for i in places))
        if hand not in seen:
            seen[hand] = weight(hand, len(events) - 1)
        whole += seen[hand]
        for kind in hand:
            found[kind] += seen[hand]
    return found / whole


def test_the_chain_meets_what_enumeration_finds() -> None:
    rules = edition("classic").rules(2, 2)
    chain = Sampler(rules)
    checked = 0
    for seed in range(40):
        for view, past in turns(rules, seed):
            if sum(view.unseen.values()) > 10 or view.hand_sizes[1] not in (5, 6) or view.draw_pile < 1:
                continue
            few = int(min(2, past.counts[0]))  # the latest two events
            start = int(past.counts[0]) - few
            events, states, deals = (part[:, start:].copy() for part in (past.events, past.states, past.deals))
            short = Past(events, states, deals, np.array([few]), np.array([few]))
            want = exact(chain, view, short, 1)
            got = counts_of(chain.sample(view, short, 20_000, every=20)[:, 0]).mean(0)
            assert np.abs(got - want).max() < 0.05, (view, want, got)
            checked += 1
            break
        if checked == 3:
            return
    pytest.fail("too few positions to check")


def test_who_did_not_roll_has_hardly_a_roll() -> None:
    rules = edition("classic").rules(2, 2)
    chain = Sampler(rules)
    found = []
    for seed in range(12):
        for view, past in turns(rules, seed)[2:10]:
            other = view.tableaux[1]
            latest = past.events[0, past.counts[0] - 1] if past.counts[0] else None
            if latest is None or other.is_moving or other.under is not None or latest["code"] % 3:
                continue  # it waits for a roll, and has discarded
            hands = chain.sample(view, past, 500)[:, 0]
            rolls = (counts_of(hands)[:, Card.ROLL.index] > 0).mean()
            nothing = past._replace(counts=np.zeros(1, np.int64))
            before = (counts_of(chain.sample(view, nothing, 500)[:, 0])[:, Card.ROLL.index] > 0).mean()
            found.append((rolls, before))
    assert len(found) >= 5
    assert np.mean([rolls for rolls, _ in found]) < 0.25 * np.mean([before for _, before in found])
