"""Hints: what the rollouts say, by what the seat can know, and nothing that they do not say."""

import random

import pytest

from millebornes.analysis.analyst import Stop, StopRules
from millebornes.analysis.hints import HintRun, hint, refined_hints
from millebornes.cli.analyse.hint_text import hint_rows
from millebornes.editions import make_rules
from millebornes.errors import MilleBornesError, PlayerError
from millebornes.game import Action, InformationState, Match, Move, Phase
from millebornes.i18n import translator
from millebornes.players import player
from millebornes.rules.clauses import SCORE_LINES
from millebornes.schema.exercises import Objective
from millebornes.themes import theme_for
from millebornes.words.figures import signed_points
from millebornes.words.participants import SideNames
from millebornes.words.reasons import explain
from millebornes.words.report_json import hint_json
from millebornes.words.words import Words
from tests.plain.inside import deck_of

pytestmark = pytest.mark.slow  # the kernels of the search take long to compile

CLASSIC = make_rules("classic")
EN = translator("en")
WORDS = Words(EN, theme_for("en")).at(SideNames(CLASSIC, 0, EN))


def moment(seed: int, plies: int, *, target: int | None = 5000, edition: str = "classic", seats: int = 2) -> Match:
    """A match after some moves of the maxims, at a decision."""
    rules = make_rules(edition, seats)
    match, chance, maxims = Match.start(rules, seed, match_target=target), random.Random(seed), player("maxims")
    while match.hand.ply < plies or len(match.hand.legal_moves) < 2:
        seat = match.hand.seat
        assert seat is not None
        match = match.play(maxims.choose(match.view(seat), match.hand.legal_moves, chance))
    return match


def seen(match: Match) -> InformationState:
    """What the seat that decides has seen."""
    assert match.hand.seat is not None
    return InformationState.of_match(match, match.hand.seat)


@pytest.mark.parametrize(("edition", "seats"), [("classic", 2), ("house", 4), ("wikibooks", 3)])
def test_all_legal_moves_are_told_best_first(edition: str, seats: int) -> None:
    match = moment(3, 14, edition=edition, seats=seats)
    found = hint(seen(match), worlds=300)
    assert sorted(str(known.move) for known in found.moves) == sorted(map(str, match.hand.legal_moves))
    losses = [known.loss for known in found.moves]
    assert losses[0] == 0
    assert losses == sorted(losses)
    assert found.objective is Objective.MATCH
    for known in found.moves:
        assert 0 <= known.win_hand <= 1
        assert known.win_match is not None
        assert 0 <= known.win_match <= 1
        assert known.stderr > 0
    assert found.history
    assert found.rollouts >= 300
    view = match.view(match.hand.seat)
    assert not hint(view, worlds=64).history
    with pytest.raises(PlayerError, match="nothing to decide"):
        hint(InformationState.of_match(match, (view.seat + 1) % seats), worlds=64)


def test_without_a_match_points_count_and_no_chance_of_one_is_told() -> None:
    found = hint(seen(moment(4, 10, target=None)), worlds=100)
    assert found.objective is Objective.POINTS
    assert {known.win_match for known in found.moves} == {None}
    with pytest.raises(PlayerError, match="without a match target"):
        hint(seen(moment(4, 10, target=None)), worlds=100, objective=Objective.MATCH)


def test_the_same_seed_gives_the_same_hint() -> None:
    state = seen(moment(5, 12))
    first, again = (hint(state, worlds=200) for _ in range(2))
    assert first.moves == again.moves
    assert hint(state, worlds=200, seed=1).moves != first.moves


def test_hints_get_better_while_one_looks() -> None:
    told = list(refined_hints(seen(moment(6, 12)), worlds=600))
    assert len(told) > 2
    assert [one.rollouts for one in told] == sorted(one.rollouts for one in told)
    assert told[-1].moves[0].stderr < told[0].moves[0].stderr


def test_the_best_move_is_held_against_the_next_best() -> None:
    run = HintRun(seen(moment(7, 20)), seed="1", kept=2)
    for _ in range(3):
        run.refine()
    best, next_best = (run.moves[place] for place in run.order()[:2])
    assert run.loss(best)[:2] == (0, 0)
    ahead, behind = run.behind(best), run.behind(next_best)
    assert ahead[0] <= 0 < ahead[1]
    assert behind == run.loss(next_best)[:2]
    assert behind[0] == pytest.approx(-ahead[0])


def test_worse_moves_are_given_up_and_those_asked_for_are_not() -> None:
    state = seen(moment(8, 20))
    run = HintRun(state, worlds=1500)
    for _ in run.run(StopRules(1500)):
        pass
    assert (run.worlds, run.stopped) == (1500, Stop.WORLDS)
    worst = run.order()[-1]
    assert worst not in run.evaluation.left
    assert len(run.evaluation.left) <= 4
    kept = HintRun(state, worlds=1500, always=[run.moves[worst]])
    for _ in kept.run(StopRules(1500)):
        pass
    assert worst in kept.evaluation.left
    assert kept.evaluation.worlds_of(worst) == kept.worlds


def test_a_hint_obeys_the_same_stop_rules_as_a_rollout() -> None:
    state = seen(moment(6, 12))
    for stop, why in ((StopRules(error=1e3), Stop.ERROR), (StopRules(seconds=1e-9), Stop.TIME)):
        run = HintRun(state)
        rounds = list(run.run(stop))
        assert (run.stopped, len(rounds)) == (why, 1)
    run = HintRun(state, kept=2)
    rounds = list(run.run(StopRules(worlds=3000, sigmas=2.0)))
    best, losses = run.losses()
    if run.stopped is Stop.SIGMAS:
        assert all(loss.value >= 2 * loss.stderr for loss in losses.values())
    else:
        assert (run.stopped, run.worlds) == (Stop.WORLDS, 3000)
    assert run.analysis().best == run.moves[best]


def test_limits_that_are_none_are_refused() -> None:
    with pytest.raises(MilleBornesError, match="worlds: 0 is not allowed; it must be a whole number from 1"):
        hint(seen(moment(6, 12)), worlds=0)
    with pytest.raises(MilleBornesError, match=r"seconds: -1\.0 is not allowed; it must be a number above 0"):
        hint(seen(moment(6, 12)), milliseconds=-1000)


def test_hidden_cards_change_nothing() -> None:
    """Whatever the others hold: the hint is that of what the seat has seen."""
    match = moment(7, 16)
    state = seen(match)
    other = state.consistent_hand(random.Random(1))
    assert other != match.hand
    assert other.seat is not None
    same = InformationState.of(other, other.seat, state.totals, state.hand_number, state.match_target)
    assert hint(same, worlds=64).moves == hint(state, worlds=64).moves
    assert (
        hint(match.with_hand(other).view(state.seat), worlds=64).moves == hint(match.view(state.seat), worlds=64).moves
    )


def test_the_points_of_all_differences_make_up_the_lead() -> None:
    """Over the same worlds the lines of the sheet add up to the lead, so nothing is told twice or left out."""
    run = HintRun(seen(moment(10, 12, target=None)), worlds=400, kept=2)
    run.refine(400)
    best, other = run.order()[:2]
    mean = run.evaluation.plain_mean
    lines = [
        sign * (mean(best, other, "lines", who, line) - mean(other, best, "lines", who, line))
        for who, sign in ((0, 1), (1, -1))
        for line in range(len(SCORE_LINES))
    ]
    assert any(lines)
    assert sum(lines) == pytest.approx(mean(best, other, "lead") - mean(other, best, "lead"))


def test_an_end_of_a_hand_is_proven() -> None:
    rules = CLASSIC
    chance, maxims = random.Random(2), player("maxims")
    for seed in range(40):
        match = Match.start(rules, seed, match_target=None)
        while not match.hand.is_over:
            seat = match.hand.seat
            assert seat is not None
            if match.hand.draw_pile == 0 and match.hand.phase is Phase.PLAY and len(match.hand.legal_moves) > 1:
                found = hint(seen(match), worlds=32)
                assert found.is_proven
                assert {known.loss_stderr for known in found.moves} == {0.0}
                assert {known.stderr for known in found.moves} == {0.0}
                for known in found.moves:  # the lead is the proven one, and so are the chances
                    assert found.moves[0].value - known.value == known.loss
                    assert known.win_hand == (known.value > 0) + 0.5 * (known.value == 0)
                in_match = hint(seen(match_with_totals(match)), worlds=32)
                assert in_match.is_proven
                assert all(known.stderr == 0 and known.value % 25 == 0 for known in in_match.moves)
                best = in_match.moves[0]
                for known in in_match.moves:
                    assert best.win_match is not None
                    assert known.win_match == pytest.approx(best.win_match - known.loss)
                return
            match = match.play(maxims.choose(match.view(seat), match.hand.legal_moves, chance))
    raise AssertionError("no hand got that far")


def match_with_totals(match: Match) -> Match:
    """The same first hand in a match to 2000 points."""
    found = Match.start(CLASSIC, match.seed, match_target=2000)
    for move in match.hand.moves:
        found = found.play(move)
    return found


def extending() -> Match:
    """A match at the decision whether to extend."""
    chance, maxims = random.Random(2), player("maxims")
    for number in range(40):
        match = Match.start(CLASSIC, number)
        while not match.hand.is_over:
            seat = match.hand.seat
            assert seat is not None
            if match.hand.phase is Phase.EXTEND:
                return match
            match = match.play(maxims.choose(match.view(seat), match.hand.legal_moves, chance))
    raise AssertionError("nobody could extend")


def test_to_finish_brings_something_certain_and_extending_a_chance_a_bonus_and_a_risk() -> None:
    found = hint(seen(extending()), worlds=256)
    (finish,) = (known for known in found.moves if known.move.action is Action.FINISH)
    (extend,) = (known for known in found.moves if known.move.action is Action.EXTEND)
    assert finish.stderr == 0
    assert extend.stderr > 0
    assert finish.value % 25 == 0
    (row,) = (row for row in hint_rows(found, WORDS) if "finish" in row[0])
    assert row[1] == f"{finish.value:+.0f}".replace("-", "\N{MINUS SIGN}")
    assert found.trips is not None
    rank = [known.move.action for known in (found.moves[0], found.rival) if known is not None].index(Action.EXTEND)
    trip = (found.trips.best, found.trips.other)[rank]
    assert trip.then is not None
    assert trip.else_ is not None
    text = " ".join(explain(found, WORDS))
    assert f"If you extend, you complete the longer trip in {100 * trip.completes:.0f}% of simulations." in text
    gain, risk = (signed_points(lead - finish.value, EN) for lead in (trip.then, trip.else_))
    assert f"completing it is worth {gain} on average, and failing {risk}." in text
    assert "Extending wins the match in " in text
    assert hint_json(found)["why"][0]["topic"] == "trip"


@pytest.mark.once
def test_standard_errors_of_leads_are_by_how_much_seeds_differ() -> None:
    """Also where the hands of the others are sampled by chains that are slow to forget where they began."""
    spread = told = 0.0
    for number, plies in ((3, 20), (5, 9), (8, 40)):
        state = seen(moment(number, plies))
        found = [{known.move: known for known in hint(state, worlds=1024, seed=seed).moves} for seed in range(16)]
        for move in found[0]:
            values = [one[move].value for one in found]
            mean = sum(values) / len(values)
            errors = [one[move].stderr ** 2 for one in found]
            spread += sum((value - mean) ** 2 for value in values) / (len(values) - 1) / (sum(errors) / len(errors))
            told += 1
    assert 0.6 < spread / told < 1.5  # without what the chains add it was 2.4


@pytest.mark.parametrize(
    ("hands", "pile", "moves", "right"),
    [
        ({0: "roll 25 100 100 75 75", 1: "25 25 25 25 50 50"}, "50 50 75", (), "roll"),
        ({0: "stop roll 100 100 100 100", 1: "roll 25 50 75 100 100"}, "25 25 75 25 25", ("roll",), "roll"),
        (
            {0: "stop roll 100 100 100 100", 1: "roll right_of_way 25 25 50 50"},
            "25 25 75 25 25",
            ("roll", "roll", "stop>1"),
            "right_of_way!",
        ),
    ],
    ids=["the first roll is played", "the only roll isn't thrown away", "a coup fourré is called"],
)
def test_what_every_player_knows(hands: dict[int, str], pile: str, moves: tuple[str, ...], right: str) -> None:
    match = Match.start(CLASSIC, deck=deck_of(CLASSIC, hands, pile), match_target=None)
    for move in moves:
        match = match.play(move)
    assert Move.parse(right) in match.hand.legal_moves
    assert str(hint(seen(match), worlds=300).best) == right
