"""Reviews: every decision is judged, luck is told from skill, and the same seed tells the same."""

import dataclasses
import random
from functools import cache

import pytest

from millebornes.analysis.grades import thresholds
from millebornes.analysis.match_review import Review
from millebornes.analysis.reviews import Effort, review
from millebornes.editions import make_rules
from millebornes.errors import MilleBornesError
from millebornes.game import Action, Match, Move
from millebornes.players import player
from millebornes.players.table import Table
from millebornes.schema.exercises import Grade, Objective

pytestmark = pytest.mark.slow  # the kernels of the search take long to compile

CLASSIC = make_rules("classic")
LITTLE = Effort(64, 12)


@cache
def played(names: str, seed: int, hands: int, target: int | None = 5000, edition: str = "classic") -> Match:
    """Some hands of a match."""
    seats = names.split()
    match = Match.start(make_rules(edition, len(seats)), seed, match_target=target)
    table = Table(match, [player(name) for name in seats], seed)
    for number in range(hands):
        if number:
            table.next_hand()
        table.play_hand()
    return table.match


@cache
def reviewed(names: str, seed: int, hands: int, target: int | None = 5000, edition: str = "classic") -> Review:
    """The same, reviewed in little time."""
    return review(played(names, seed, hands, target, edition), names.split(), effort=LITTLE)


CASES = [
    ("maxims regular", 1, 2, 5000, "classic"),
    ("maxims regular", 2, 1, None, "classic"),
    pytest.param(("maxims regular basic novice", 4, 1, 5000, "house"), marks=pytest.mark.once),
]


def test_one_hand_of_a_match() -> None:
    """Judged alone, it is judged as within the match; only what is told of the whole differs."""
    match, whole = played("maxims regular", 1, 2), reviewed("maxims regular", 1, 2)
    alone = review(match, effort=LITTLE, hand=2)
    for one, other in zip(alone.decisions, [each for each in whole.decisions if each.hand == 2], strict=True):
        assert one.loss == other.loss, one.ply
        assert one.luck == pytest.approx(other.luck)
        assert (one.best, one.grade, one.open_loss) == (other.best, other.grade, other.open_loss)
    assert [side.points for side in alone.sides] == [sheet.total for sheet in match.hands[1].scores]
    assert sum(side.luck for side in alone.sides) == pytest.approx(0, abs=1e-9)
    with pytest.raises(MilleBornesError, match="no finished hand"):
        review(match, effort=LITTLE, hand=3)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_decision_is_there_and_sums_are_those_of_the_decisions(
    case: tuple[str, int, int, int | None, str],
) -> None:
    match, told = played(*case), reviewed(*case)
    made = [
        (number, ply, str(move)) for number, hand in enumerate(match.hands, 1) for ply, move in enumerate(hand.moves)
    ]
    assert [(decision.hand, decision.ply, str(decision.move)) for decision in told.decisions] == made
    for decision in told.decisions:
        then = match.at(decision.hand, decision.ply).hand
        assert decision.seat == then.seat
        assert decision.forced == (len(then.legal_moves) == 1)
        assert decision.best in then.legal_moves
        assert decision.loss >= 0
        assert decision.forced <= (decision.loss == 0 and decision.analysis is None)
        assert decision.luck is not None
        assert sum(decision.luck) == pytest.approx(0, abs=1e-6)
        if told.objective is Objective.MATCH:
            assert decision.win_match is not None
            assert sum(decision.win_match) == pytest.approx(1)
    for seat in told.seats:
        own = [decision for decision in told.decisions if decision.seat == seat.seat and not decision.forced]
        assert seat.decisions == len(own) == sum(seat.grades.values())
        assert seat.loss_total == pytest.approx(sum(decision.loss for decision in own))
    # Luck and skill make up the result.
    assert sum(side.luck for side in told.sides) == pytest.approx(0, abs=1e-6)
    for side in told.sides:
        assert side.points == match.totals[side.side]
        luck = [decision.luck[side.side] for decision in told.decisions]
        assert sum(luck) == pytest.approx(side.luck, abs=1e-6)
    if told.objective is Objective.POINTS:
        lead = match.totals[0] - match.totals[1]
        assert told.sides[0].luck + told.sides[0].adjusted == pytest.approx(lead, abs=1e-6)


@pytest.mark.once
def test_the_same_seed_tells_the_same_whoever_works() -> None:
    match = played("maxims regular", 1, 2)
    first, again = (review(match, effort=Effort(32, 4), jobs=jobs) for jobs in (1, 2))
    plain = [dataclasses.replace(decision, analysis=None) for decision in first.decisions]
    assert plain == [dataclasses.replace(decision, analysis=None) for decision in again.decisions]
    assert first.sides == again.sides
    assert first.seats == again.seats


@pytest.mark.once
def test_another_seed_tells_what_hands_were_worth_by_other_worlds() -> None:
    match = played("maxims regular", 1, 2)
    first, other = (review(match, effort=Effort(32, 4), seed=seed) for seed in (10, 11))
    chances = [[decision.win_match for decision in told.decisions if decision.hand == 2] for told in (first, other)]
    assert chances[0] != chances[1]


def test_a_hand_that_is_not_finished_is_left_out() -> None:
    match = played("maxims regular", 1, 2)
    told = review(match.at(2, 5), effort=Effort(32, 4))
    assert {decision.hand for decision in told.decisions} == {1}
    with pytest.raises(MilleBornesError, match="no finished hand"):
        review(match.at(1, 5))


def planted(kind: str) -> tuple[Match, int]:
    """A hand of the maxims in which one decision is a blunder; the number of its ply."""
    for seed in range(200):
        match, chance, maxims = Match.start(CLASSIC, seed, match_target=None), random.Random(seed), player("maxims")
        found = -1
        while not match.hand.is_over:
            seat = match.hand.seat
            assert seat is not None
            legal, view = match.hand.legal_moves, match.view(seat)
            move = maxims.choose(view, legal, chance)
            if found < 0:
                bad = blunder(kind, match, move)
                if bad is not None:
                    found, move = match.hand.ply, bad
            match = match.play(move)
        if found >= 0:
            return match, found
    raise AssertionError(f"no hand has room for a blunder of the kind {kind!r}")


def blunder(kind: str, match: Match, move: Move) -> Move | None:
    """The blunder of a kind, where there is room for it."""
    hand = match.hand
    seat = hand.seat
    assert seat is not None
    legal = {str(other): other for other in hand.legal_moves}
    tableau = hand.tableaux[match.rules.side_of(seat)]
    if kind == "coup" and move.action is Action.COUP:
        return legal["pass"]
    if kind == "safety" and hand.ply < 30:
        return next((other for text, other in legal.items() if text in {"-right_of_way", "-driving_ace"}), None)
    if kind == "roll" and str(move) == "roll" and hand.ply < 20 and not tableau.safeties:
        return legal.get("-roll") if hand.hands[seat].count(move.card) == 1 else None
    return None


@pytest.mark.parametrize("kind", ["coup", *(pytest.param(kind, marks=pytest.mark.once) for kind in ("safety", "roll"))])
def test_planted_blunders_are_found(kind: str) -> None:
    match, ply = planted(kind)
    told = review(match.at(1, match.hand.ply), effort=Effort(256, 4))
    decision = told.decisions[ply]
    assert decision.grade in {Grade.MISTAKE, Grade.BLUNDER}
    assert decision in told.worst(decision.seat)
    assert decision.analysis is not None
    assert decision.analysis.why


def test_a_loss_that_is_not_beyond_doubt_is_never_a_mistake() -> None:
    limits = thresholds(CLASSIC, Objective.POINTS, None)
    assert limits.grade(0.0, 0.0) is Grade.BEST
    assert limits.grade(300.0, 160.0) is Grade.FINE
    assert limits.grade(300.0, 10.0) is Grade.BLUNDER
    assert limits.grade(9.0, 1.0) is Grade.BEST
    assert [limits.grade(loss, 1.0) for loss in (15, 30, 100, 175)] == [
        Grade.FINE,
        Grade.INACCURACY,
        Grade.MISTAKE,
        Grade.BLUNDER,
    ]
    in_a_match = thresholds(CLASSIC, Objective.MATCH, 5000)
    assert 0.01 < 175 * in_a_match.unit < 0.05
