"""How likely moves are in each style, and how soon it shows in which style somebody plays."""

import math
import random

import numpy as np
import numpy.typing as npt
import pytest

from millebornes.editions import make_rules
from millebornes.game import LegalMoves, Match, Move, View
from millebornes.players import Table, player
from millebornes.players.champion import Champion
from millebornes.players.instant import Instant
from millebornes.policies.dispatch import workspace_for
from millebornes.search.beliefs import TURN
from millebornes.search.memory import Memory
from millebornes.search.opponents import OpponentModel
from millebornes.search.settings import SearchSettings
from millebornes.search.styles import CACHED, MIN_PROBABILITY, TEMPERATURES, Model, weigh_move
from tests.search.rememberer import Rememberer

pytestmark = pytest.mark.slow  # the kernels of the search take long to compile


class Watcher(Rememberer):
    """Plays as the maxims do, and watches the other seat."""

    name = "watcher"

    def __init__(self) -> None:
        self.maxims = player("maxims")

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        return self.maxims.choose(view, legal, rng)


class Telling(Instant):
    """Keeps what the net made of its moves, in points by text, by the hand and what was left to draw."""

    def __init__(self) -> None:
        super().__init__()
        self.told: dict[object, dict[str, float]] = {}

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        move = super().choose(view, legal, rng)
        points = self.explain().get("points")
        if isinstance(points, dict) and view.phase.name == "PLAY":
            self.told[view.hand, view.draw_pile] = points
        return move


@pytest.mark.parametrize("target", [None, 5000])
def test_chances_are_those_of_the_scores_of_the_net(target: int | None) -> None:
    rules = make_rules()
    others = OpponentModel(rules, SearchSettings(model="net"))
    watcher, telling = Watcher(), Telling()
    table = Table(Match.start(rules, seed=3, match_target=target), [watcher, telling], 3).play_hand()
    shares = np.zeros((8, 4))
    shares[:] = 0.2, 0.2, 0.5, 0.1
    model = Model(others.model(Memory(rules)).policies, shares)
    work = workspace_for(rules, 1, "search").work[0]
    past = watcher.memory.past([1])
    past.deals["target"] = target or 0
    turns = [e for e in range(past.counts[0]) if past.events[0, e]["what"] == TURN]
    plies = [ply for ply, move in enumerate(table.hand.moves) if table.hand.at(ply).seat == 1 and move.card]
    checked = 0
    for e, ply in zip(turns[::-1], plies[::-1], strict=False):
        before, text = table.hand.at(ply), table.hand.moves[ply].text
        told = telling.told.get((before.view(1).hand, before.draw_pile))
        if told is None or max(told.values()) > 1000:  # no choice, or one that goes without saying
            continue
        past.states[0, e]["hand"][1] = sum(1 << 3 * card.index for card in before.cards(1))
        cached = np.zeros(1, CACHED)[0]
        code = int(past.events[0, e]["code"])
        likely = weigh_move(code, past.states[0, e], past.deals[0, e], model, 0.0, cached, work)
        chances = cached["chances"][:4]
        for degree, chance in zip(TEMPERATURES[1:], chances[1:3], strict=True):  # what is told is rounded to points
            often = {move: math.exp((points - max(told.values())) / degree) for move, points in told.items()}
            assert chance == pytest.approx(often[text] / sum(often.values()), rel=1.5 / degree)
        assert chances[3] == pytest.approx(1 / len(told))
        assert likely == pytest.approx((1 - MIN_PROBABILITY) * (shares[1] @ chances) + MIN_PROBABILITY / len(told))
        checked += 1
    assert checked >= 5


def shares_after_a_hand_against(name: str) -> npt.NDArray[np.float64]:
    champion = Champion("rollouts=300")
    champion.match_started(0, make_rules(), (), None)
    Table(Match.start(make_rules(), seed=2), [champion, player(name)], 2).play_hand()
    shares = champion.memory_for(make_rules()).shares
    assert shares is not None
    assert shares.sum(1) == pytest.approx(1)
    found: npt.NDArray[np.float64] = shares[1]
    return found


@pytest.mark.parametrize(("name", "policy"), [("maxims", 0), ("instant", 2)])
def test_it_shows_in_a_hand_how_somebody_plays(name: str, policy: int) -> None:
    assert shares_after_a_hand_against(name)[3 * policy : 3 * policy + 3].sum() > 0.7


def test_who_plays_at_random_is_taken_for_nobody_in_particular() -> None:
    narrow, anything = slice(0, 9, 3), 9
    before = OpponentModel(make_rules(), SearchSettings()).model(Memory(make_rules())).shares[1]
    after = shares_after_a_hand_against("random")
    assert after[narrow].sum() < 0.05 < before[narrow].sum()
    assert after[anything] > 5 * before[anything]


def test_worlds_have_the_policies_that_a_seat_seems_to_play_by() -> None:
    rules = make_rules("classic", 3, 3)
    others, memory = OpponentModel(rules, SearchSettings()), Memory(rules)
    said = np.full((1, 10), -50.0)
    said[0, 8] = 0.0  # the net at the highest temperature
    others.learn(memory, [1], said)
    others.learn(memory, [2], np.roll(said, 2, axis=1))  # the maxims at the narrowest
    seating = others.seating(0, memory, np.random.default_rng(1))
    maxims, net = 0, 2
    assert (seating.near[:, 0] == net).all()
    assert (seating.far[:, 0] == maxims).all()
    assert (seating.near[:, 1] == net).mean() > 0.95
    assert (seating.near[:, 2] == maxims).mean() > 0.95
    assert not (seating.far == net).any()


@pytest.mark.parametrize(("model", "policies"), [("mixture", {0, 1, 2}), ("net", {2}), ("maxims", {0})])
def test_before_a_move_worlds_are_shared_out_by_the_model(model: str, policies: set[int]) -> None:
    rules = make_rules()
    others = OpponentModel(rules, SearchSettings(model=model))
    seating = others.seating(0, Memory(rules), np.random.default_rng(1))
    assert set(seating.near[:, 1].tolist()) == policies


def test_at_tables_without_a_net_all_play_as_maxims() -> None:
    rules = make_rules("mille2")
    others = OpponentModel(rules, SearchSettings(model="net", net=None))
    assert not others.has_net
    assert others.seating(0, Memory(rules), np.random.default_rng(1)).net_plies == 0
