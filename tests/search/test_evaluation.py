"""Decisions weighed by rollouts: the same hands as the champion's, what comes of them, and how surely it is told."""

import random
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest

from millebornes.cards import Card
from millebornes.editions import Rules, make_rules
from millebornes.game import InformationState, Match
from millebornes.players import player
from millebornes.players.history_player import remember_state
from millebornes.players.information_set import information_set_of
from millebornes.players.table import Table
from millebornes.rules.clauses import SCORE_LINES
from millebornes.search import evaluation
from millebornes.search.evaluation import Evaluation
from millebornes.search.memory import Memory
from millebornes.search.outcomes import OUTCOME, follow_up
from millebornes.search.rollouts import roll_out
from millebornes.search.searcher import RolloutQuestion, Searcher
from millebornes.search.settings import SearchSettings

pytestmark = pytest.mark.slow  # the kernels of the search take long to compile

TABLES = [make_rules("classic"), make_rules("classic", 3, 3), make_rules("classic", 4, 2), make_rules("bsd", 2, 2)]
ROUNDS = (32, 64, 128, 256, 512, 512)
IDS = ["classic 2x2", "classic 3x3", "classic 4x2", "bsd 2x2"]


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
    out = np.zeros((worlds, len(question.codes)), OUTCOME)
    searcher.share_out(
        lambda workspace, places, first, part: follow_up(
            workspace, question.known, question.seating, question.stakes, first, question.seed, question.codes, part
        ),
        np.arange(len(question.codes)),
        0,
        out,
    )
    return out


@pytest.mark.parametrize("rules", TABLES, ids=IDS)
@pytest.mark.parametrize("match", [True, False], ids=["match", "points"])
def test_the_same_hands_are_played_as_by_the_champion(rules: Rules, match: bool) -> None:
    for moment in decisions(rules, 3, 2):
        searcher, question = asked(moment, match=match)
        worths = np.zeros((24, len(question.codes)))
        searcher.share_out(
            lambda workspace, places, first, part, q=question: roll_out(  # type: ignore[misc]
                workspace, q.known, q.seating, q.stakes, first, q.seed, q.codes, part
            ),
            np.arange(len(question.codes)),
            0,
            worths,
        )
        out = outcomes_of(searcher, question, 24)
        assert np.allclose(out["chance" if match else "lead"], worths, rtol=0, atol=1e-9)
        assert match or not out["chance"].any()


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


@pytest.mark.parametrize("rules", TABLES[:2], ids=IDS[:2])
def test_taking_the_luck_off_changes_no_estimate_but_its_error(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    gaps, gained = [], []
    for seed in (6, 7):
        for moment in decisions(rules, seed, 2):
            searcher, question = asked(moment)
            tried = Evaluation(searcher, question, always=tuple(range(len(question.codes))))
            tried.add(400)
            for place in range(len(question.codes)):
                told = tried.mean(place, "lead")
                with monkeypatch.context() as with_luck:
                    with_luck.setattr(evaluation, "MIN_FITTED", 401)
                    plain = tried.mean(place, "lead")
                gaps.append((plain.value - told.value) / plain.stderr)
                gained.append(told.stderr / plain.stderr)
    assert max(map(abs, gaps)) < 2  # they differ by what is taken off only
    assert np.mean(gained) < 0.92


def test_worse_moves_are_given_up_and_those_asked_for_are_not() -> None:
    moment = decisions(TABLES[0], 8, 1)[0]
    searcher, question = asked(moment)
    worst_first = Evaluation(searcher, question)
    for worlds in ROUNDS:
        worst_first.add(worlds)
    expected, _ = worst_first.expected()
    worst = int(np.argmin(expected))
    assert worst not in worst_first.left
    assert len(worst_first.left) <= 4
    kept = Evaluation(searcher, question, always=(worst,))
    for worlds in ROUNDS:
        kept.add(worlds)
    assert worst in kept.left
    assert len(kept.outcomes(worst)) == kept.worlds


def test_hands_can_be_sampled_anew_on_the_way() -> None:
    moment = decisions(TABLES[0], 11, 1)[0]
    memory = memory_at(moment)
    begun = memory.fork()
    searcher = Searcher(moment.rules, SearchSettings(milliseconds=None, rollouts=200))
    first = question_at(searcher, moment, begun.fork(), 1)
    again = question_at(searcher, moment, begun.fork(), 1)
    other = question_at(searcher, moment, begun.fork(), 2)
    assert (first.known.hands == again.known.hands).all()  # nothing was learned where it was asked
    assert begun.shares is None
    assert (first.known.hands != other.known.hands).any()

    places = tuple(range(len(first.codes)))
    whole = {}
    for question in (first, other):
        whole[question.seed] = Evaluation(searcher, question, always=places)
        whole[question.seed].add(100)
    renewed = Evaluation(searcher, first, always=places)
    renewed.add(60)
    renewed.renew(other)
    renewed.add(40)
    for place in places:
        found = renewed.outcomes(place)
        assert (found[:60] == whole[first.seed].outcomes(place)[:60]).all()
        assert (found[60:] == whole[other.seed].outcomes(place)[60:]).all()
        # what hands are worth is told by those that each world really has
        assert renewed.mean(place, "lead").stderr < 1.2 * found["lead"].std() / 10


def test_throwing_the_only_roll_away_under_a_stop_is_seen() -> None:
    from tests.plain.inside import deck_of

    rules = TABLES[0]
    hands = {0: "stop roll 100 100 100 100", 1: "roll 25 50 75 100 100"}
    match = Match.start(rules, deck=deck_of(rules, hands, "25 25 75 25 25"), match_target=5000)
    for move in ("roll", "roll", "stop>1"):
        match = match.play(move)
    while match.hand.seat != 1:
        match = match.play("pass")
    assert Card.ROLL not in match.view(1).hand
    searcher, question = asked(match.at(1, 1))
    evaluation = Evaluation(searcher, question)
    for worlds in ROUNDS[:4]:
        evaluation.add(worlds)
    legal = list(match.at(1, 1).hand.legal_moves)
    best = legal[int(np.argmax(evaluation.expected()[0]))]
    assert str(best) == "roll"
