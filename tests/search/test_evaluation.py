"""Decisions weighed by rollouts: the same hands as the champion's, what comes of them, and how surely it is told."""

import random
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest

from millebornes.editions import Rules, make_rules
from millebornes.game import InformationState, Match
from millebornes.players import player
from millebornes.players.history_player import remember_state
from millebornes.players.information_set import information_set_of
from millebornes.players.table import Table
from millebornes.rules.clauses import SCORE_LINES
from millebornes.search import evaluation
from millebornes.search.evaluation import DETAILS, Evaluation, sums_of
from millebornes.search.memory import Memory
from millebornes.search.searcher import RolloutQuestion, Searcher
from millebornes.search.settings import SearchSettings

pytestmark = pytest.mark.slow  # the kernels of the search take long to compile

TABLES = [make_rules("classic"), make_rules("classic", 3, 3), make_rules("house", 4, 2)]
IDS = ["classic 2x2", "classic 3x3", "house 4x2"]


@cache
def played(rules: Rules, seed: int) -> Match:
    """A hand of a match that the maxims have played."""
    table = Table(Match.start(rules, seed, match_target=5000), [player("maxims") for _ in range(rules.seats)], seed)
    table.play_hand()
    return table.match


def decisions(rules: Rules, seed: int, count: int) -> list[Match]:
    """Some moments of a hand at which there is something to decide."""
    match = played(rules, seed)
    moments = [match.at(1, ply) for ply in range(match.hand.ply)]
    free = [moment for moment in moments if len(moment.hand.legal_moves) > 2]
    return random.Random(seed).sample(free, count)


def memory_at(moment: Match) -> Memory:
    """What the seat that decides remembers."""
    assert moment.hand.seat is not None
    return remember_state(InformationState.of_match(moment, moment.hand.seat))


def question_at(searcher: Searcher, moment: Match, memory: Memory, seed: int = 1) -> RolloutQuestion:
    """The question that a decision is."""
    assert moment.hand.seat is not None
    view = moment.view(moment.hand.seat)
    codes = [view.legal_moves.code(move) or 0 for move in view.legal_moves]
    return searcher.ask(information_set_of(view), codes, memory, random.Random(seed))


def asked(moment: Match, *, match: bool = True) -> tuple[Searcher, RolloutQuestion]:
    """A searcher, and the question that a decision is."""
    searcher = Searcher(moment.rules, SearchSettings(milliseconds=None, rollouts=200, match=match))
    return searcher, question_at(searcher, moment, memory_at(moment))


def outcomes_of(searcher: Searcher, question: RolloutQuestion, worlds: int) -> npt.NDArray[np.void]:
    """What comes of all moves in some worlds."""
    return searcher.roll_out(question, np.arange(len(question.codes)), 0, worlds, is_counted=True)


def evaluate(searcher: Searcher, *parts: tuple[RolloutQuestion, int]) -> Evaluation:
    """All moves, tried in numbers of worlds with one sample of hands after the other."""
    first = parts[0][0]
    evaluation = Evaluation(len(first.codes), width=DETAILS, hands=len(first.simulations.known.hands))
    for chain, (question, worlds) in enumerate(parts):
        begin = evaluation.worlds
        out = searcher.roll_out(question, np.arange(len(question.codes)), begin, worlds, is_counted=True)
        evaluation.add(sums_of(out, question.simulations.known, searcher.rules, begin, DETAILS), chain)
    return evaluation


@pytest.mark.parametrize("rules", TABLES, ids=IDS)
@pytest.mark.parametrize("match", [True, False], ids=["match", "points"])
def test_the_same_hands_are_played_as_by_the_champion(rules: Rules, match: bool) -> None:
    for moment in decisions(rules, 3, 2):
        searcher, question = asked(moment, match=match)
        quick = searcher.roll_out(question, np.arange(len(question.codes)), 0, 24, is_counted=False)
        out = outcomes_of(searcher, question, 24)
        field = "chance" if match else "lead"
        assert out[field].any()
        assert np.allclose(out[field], quick[field], rtol=0, atol=1e-9)
        assert match or not out["chance"].any()
        assert not quick["lines"].any()


@pytest.mark.parametrize("rules", TABLES, ids=IDS)
def test_what_comes_of_moves_adds_up(rules: Rules) -> None:
    for moment in decisions(rules, 4, 2):
        out = outcomes_of(*asked(moment), 40)
        lines = out["lines"]
        assert np.allclose((lines[..., 0, :] - lines[..., 1, :]).sum(-1), out["lead"])
        distance = SCORE_LINES.index("distance")
        assert (lines[..., 0, distance] % 25 == 0).all()
        assert ((out["won"] >= 0) & (out["won"] <= 1)).all()
        if rules.sides == 2:
            assert (out["won"] == np.where(out["lead"] > 0, 1.0, np.where(out["lead"] < 0, 0.0, 0.5))).all()
        assert (out["held_up"] >= 0).all()
        assert (out["suffered"] >= -1).all()


def test_luck_is_zero_in_the_mean_whatever_is_played() -> None:
    told = []
    for moment in decisions(TABLES[0], 5, 3):
        luck = outcomes_of(*asked(moment), 600)["luck"]
        told += [(column.mean(), column.std() / np.sqrt(len(column))) for column in luck.T]
    assert all(abs(mean) < 4 * error for mean, error in told)
    assert max(error for _, error in told) > 1  # there is luck


def test_turns_without_driving_are_counted() -> None:
    """A side that never rolls is held up at each of its turns, and drives nowhere."""
    moment = played(TABLES[0], 3).at(1, 0)
    searcher, question = asked(moment)
    out = outcomes_of(searcher, question, 60)
    stood = out["lines"][..., 0, SCORE_LINES.index("distance")] == 0
    driven = out["lines"][..., 0, SCORE_LINES.index("distance")] >= 700
    assert out["held_up"][..., 0][stood].mean() > out["held_up"][..., 0][driven].mean() + 5


@pytest.mark.parametrize("rules", TABLES, ids=IDS)
def test_sums_say_what_all_outcomes_say(rules: Rules) -> None:
    moment = decisions(rules, 9, 1)[0]
    searcher, question = asked(moment)
    tried = evaluate(searcher, (question, 40))  # too few to take off any luck
    out = outcomes_of(searcher, question, 40)
    for place in range(len(question.codes)):
        for field in ("lead", "won", "chance"):
            told = tried.mean(place, field)
            assert told.value == pytest.approx(out[field][:, place].mean())
            assert told.stderr >= out[field][:, place].std(ddof=1) / np.sqrt(40) - 1e-9
        for line in range(len(SCORE_LINES)):
            for who in (0, 1):
                lines = out["lines"][:, :, who, line]
                assert tried.plain_mean(place, 0, "lines", who, line) == pytest.approx(lines[:, place].mean())
                told = tried.difference(place, 0, "lines", who, line)
                assert told.value == pytest.approx((lines[:, place] - lines[:, 0]).mean())
                product = (out["lead"][:, place] * lines[:, place]).mean()
                assert tried.product_mean(place, "lead", "lines", who, line) == pytest.approx(product)
        for field in ("held_up", "suffered"):
            assert tried.plain_mean(place, 0, field, 1) == pytest.approx(out[field][:, place, 1].mean())


def test_moves_that_are_dropped_keep_their_worlds() -> None:
    moment = decisions(TABLES[0], 10, 1)[0]
    searcher, question = asked(moment)
    tried = evaluate(searcher, (question, 25))
    before = [tried.mean(place, "lead") for place in range(len(question.codes))]
    tried.narrow([0, 2])
    out = searcher.roll_out(question, np.array([0, 2]), 25, 15, is_counted=True)
    tried.add(sums_of(out, question.simulations.known, TABLES[0], 25, DETAILS), 1)
    assert (tried.left, tried.worlds, tried.rollouts) == ((0, 2), 40, 25 * len(question.codes) + 30)
    assert [tried.worlds_of(place) for place in range(3)] == [40, 25, 40]
    assert tried.mean(1, "lead") == before[1]
    assert tried.difference(0, 1, "lead").value == pytest.approx(before[0].value - before[1].value)
    whole = outcomes_of(searcher, question, 40)["lead"]
    assert tried.mean(2, "lead").value == pytest.approx(whole[:, 2].mean())


@pytest.mark.parametrize("rules", TABLES[:2], ids=IDS[:2])
def test_taking_the_luck_off_changes_no_estimate_but_its_error(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    gaps, gained = [], []
    for moment in decisions(rules, 6, 2):
        searcher, question = asked(moment)
        tried = evaluate(searcher, (question, 400))
        for place in range(len(question.codes)):
            told = tried.mean(place, "lead")
            with monkeypatch.context() as with_luck:
                with_luck.setattr(evaluation, "MIN_FITTED", 401)
                plain = tried.mean(place, "lead")
            gaps.append((plain.value - told.value) / plain.stderr)
            gained.append(told.stderr / plain.stderr)
    assert max(map(abs, gaps)) < 2  # they differ by what is taken off only
    assert np.mean(gained) < 0.92


def test_hands_can_be_sampled_anew_on_the_way() -> None:
    moment = decisions(TABLES[0], 11, 1)[0]
    memory = memory_at(moment)
    begun = memory.fork()
    searcher = Searcher(moment.rules, SearchSettings(milliseconds=None, rollouts=200))
    first = question_at(searcher, moment, begun.fork(), 1)
    again = question_at(searcher, moment, begun.fork(), 1)
    other = question_at(searcher, moment, begun.fork(), 2)
    assert (
        first.simulations.known.hands == again.simulations.known.hands
    ).all()  # nothing was learned where it was asked
    assert begun.shares is None
    assert (first.simulations.known.hands != other.simulations.known.hands).any()

    found = np.concatenate([outcomes_of(searcher, first, 100)[:60], outcomes_of(searcher, other, 100)[60:]])["lead"]
    renewed = evaluate(searcher, (first, 60), (other, 40))
    for place in range(len(first.codes)):
        # what hands are worth is told by those that each world really has
        told = renewed.mean(place, "lead")
        assert abs(told.value - found[:, place].mean()) < 2 * told.stderr
        assert told.stderr < 1.2 * found[:, place].std() / 10
