"""Sentences hold to the figures that they cite: the numbers are read back out of them and compared."""

import dataclasses
import random
import re

import pytest

from millebornes.analysis.reasons import are_distinguishable, main_differences
from millebornes.analysis.records import Analysis, MoveDifference, MoveEstimate, Trip, Trips
from millebornes.editions import make_rules
from millebornes.game import InformationState, Match, Move
from millebornes.i18n import LANGUAGES, translator
from millebornes.policies.maxim_catalogue import MAXIMS
from millebornes.schema.exercises import Grade, Objective
from millebornes.score_lines import Topic
from millebornes.themes import theme_for
from millebornes.words.figures import loss_text, luck_text, number, result_text, signed, with_error
from millebornes.words.participants import SideNames
from millebornes.words.reasons import explain, grade_name, lead_line, sentence, standing_line, trip_lines
from millebornes.words.words import Words
from tests.analysis import made_up

EN = translator("en")
ENGLISH = theme_for("en")
WORDS = Words(EN, ENGLISH).at(SideNames(make_rules(), 0, EN))
COUNTS = {Topic.DISTANCE, Topic.SAFETIES, Topic.COUPS_FOURRES}
WITHOUT_200S = "complete the trip without 200s in {best} of simulations rather than {other}"
CARDS = "|".join(re.findall(r"\w+ 200\w*", "\n".join(translator(language)(WITHOUT_200S) for language in LANGUAGES)))
"""The 200s as sentences name them, in every language."""


def figures(text: str) -> list[float]:
    """All numbers of a sentence in order; "200s", a card, is none."""
    text = re.sub(CARDS, "", text)
    found = re.findall(r"[+−]?\d+(?:[.,]\d+)?", text)
    return [float(number.replace("−", "-").replace(",", ".")) for number in found]


def matches(shown: float, true: float, text: str) -> bool:
    """Whether a number as shown is the true one, rounded as the sentence rounds."""
    return any(round(true, decimals) == pytest.approx(shown) for decimals in (0, 1, 2)) and str(text) != ""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("is_own", [True, False], ids=["own", "others"])
@pytest.mark.parametrize("topic", Topic)
def test_sentences_cite_their_figures(topic: Topic, is_own: bool, language: str) -> None:
    rng = random.Random(f"{topic} {is_own}")
    _ = translator(language)
    for _n in range(12):
        difference = made_up.difference(rng, topic, is_own)
        text = sentence(difference, _)
        unit = 1 if topic in COUNTS else 100
        expected = [unit * difference.best, unit * difference.other]
        fewer = (difference.best - difference.other) > 0
        for counts in (difference.held_up, difference.suffered):
            if counts is not None and (counts[0] < counts[1]) == fewer:
                expected += counts
        if topic is not Topic.LATER:
            expected.append(difference.points)
        shown = figures(text)
        assert len(shown) == len(expected), text
        assert all(matches(a, b, text) for a, b in zip(shown, expected, strict=True)), (text, expected)
        assert text.startswith(_("the others")) is not is_own
        assert ("%" in text) is (topic not in COUNTS)
        if topic is not Topic.LATER:
            sign = "+" if difference.points > 0 else "−"
            points = abs(round(difference.points))
            assert _.plural("{n} point", "{n} points", points).format(n=f"{sign}{points}") in text


def test_all_sentences_differ() -> None:
    for language in LANGUAGES:
        told = {
            re.sub(r"[\d.,+−]", "", sentence(MoveDifference(topic, own, 20.0, 1.0, 0.4, 0.35), translator(language)))
            for topic in Topic
            for own in (True, False)
        }
        assert len(told) == 2 * len(Topic)


def test_the_examples_of_the_documentation() -> None:
    trip = MoveDifference(Topic.TRIP_COMPLETED, True, 64.2, 5.0, 0.412, 0.331)
    assert sentence(trip, EN) == "complete the trip in 41% of simulations rather than 33% (+64 points)"
    theirs = trip._replace(is_own=False, best=0.3, other=0.38, points=40)
    assert sentence(theirs, EN) == "the others complete the trip in 30% of simulations rather than 38% (+40 points)"
    miles = MoveDifference(Topic.DISTANCE, True, 55, 4, 612, 557, held_up=(3.1, 4.0))
    assert sentence(miles, EN) == (
        "drive 612 miles on average, not 557, because you're held up for 3.1 turns rather than 4.0 (+55 points)"
    )
    later = MoveDifference(Topic.LATER, True, -12, 4, 0.61, 0.58)
    assert sentence(later, EN) == "win the match in 61% of simulations rather than 58%"
    assert sentence(later, translator("fr")) == "gagnez la partie dans 61 % des simulations, contre 58 %"


def test_figures_that_round_alike_get_decimals() -> None:
    close = MoveDifference(Topic.SAFE_TRIP, True, 3, 1, 0.0312, 0.0274)
    assert "3.1% of simulations rather than 2.7%" in sentence(close, EN)
    one = MoveDifference(Topic.DISTANCE, True, 1, 0.2, 500.2, 499.6)
    assert sentence(one, EN) == "drive 500.2 miles on average, not 499.6 (+1 point)"


def test_no_reason_is_claimed_that_goes_the_other_way() -> None:
    # More miles although it is held up for longer: the turns are not the reason.
    odd = MoveDifference(Topic.DISTANCE, True, 55, 4, 612, 557, held_up=(4.0, 3.1), suffered=(2.0, 1.0))
    assert sentence(odd, EN) == "drive 612 miles on average, not 557 (+55 points)"


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_figure_is_a_dash(value: float) -> None:
    assert number(value, 1, EN) == "–"


def test_figures_have_signs_and_marks_of_the_language() -> None:
    fr = translator("fr")
    assert signed(-0.04, 1, EN) == "0.0"
    assert signed(0.0, 0, EN) == "0"
    assert signed(12.34, 1, fr) == "+12,3"
    assert loss_text(0.0321, "match", EN) == "3.2%"
    assert loss_text(41.23, "points", fr) == "41,2 points"
    assert (loss_text(1.6, "points", fr), loss_text(1.6, "points", EN)) == ("1,6 point", "1.6 points")
    assert with_error(0.0321, 0.004, "match", EN) == "3.2% ± 0.4"
    assert with_error(0.00061, 0.0003, "match", EN) == "0.06% ± 0.03"
    assert with_error(0.0003, 0.00007, "match", EN) == "0.030% ± 0.007"
    assert with_error(0.0003, 0.0, "match", EN) == "0.0%"  # what is certain has no error
    assert with_error(-12, 3, "points", EN, is_signed=True) == "−12.0 points ± 3.0"


# ---------------------------------------------------------------- what is said of a decision

PLAY, DISCARD, STOP = Move.parse("100"), Move.parse("-roll"), Move.parse("stop>1")


def known(move: Move, value: float, loss: float, error: float, win_match: float | None = None) -> MoveEstimate:
    return MoveEstimate(move, value, 3.0, 0.6, win_match, loss, error, 100)


def decision(lead: float, error: float, *why: MoveDifference) -> Analysis:
    """Two moves that differ by so many points."""
    state = InformationState.of_match(Match.start(make_rules(), seed=7), 0)
    moves = (known(PLAY, 50, 0, 0), known(DISCARD, 50 - lead, lead, error))
    return Analysis(state=state, objective=Objective.POINTS, moves=moves, why=why)


def own(topic: Topic, points: float, stderr: float = 1.0) -> MoveDifference:
    return MoveDifference(topic, True, points, stderr, 0.5, 0.4)


def test_luck_is_counted_in_wins() -> None:
    assert luck_text(1.088, "match", EN, 0.07) == "+1.09 wins ± 0.07"
    assert result_text(-0.088, "match", EN) == "−0.09 wins"
    assert luck_text(-41.23, "points", EN, 6.0) == "−41.2 points ± 6.0"


def test_one_or_two_differences_that_make_up_most_of_the_lead() -> None:
    trip, safe, fourth = own(Topic.TRIP_COMPLETED, 70), own(Topic.SAFE_TRIP, 20), own(Topic.SAFETIES, 5)
    assert main_differences(decision(100, 2, fourth, safe, trip)) == (trip,)
    half = own(Topic.TRIP_COMPLETED, 50)
    assert main_differences(decision(100, 2, safe, half, fourth)) == (half, safe)
    assert main_differences(decision(100, 2, half, fourth)) == (half,)  # a twelfth of it isn't a reason beside it


def test_what_weighs_against_the_best_move_is_told() -> None:
    trip, coups = own(Topic.TRIP_COMPLETED, 90), own(Topic.COUPS_FOURRES, -60)
    assert main_differences(decision(30, 2, trip, coups)) == (trip, coups)
    assert main_differences(decision(80, 2, trip, own(Topic.SAFETIES, -10))) == (trip,)
    lines = explain(decision(30, 2, trip, coups), WORDS)
    assert "In favour: you complete the trip in 50% of simulations rather than 40% (+90 points)." in lines
    assert "Against: you call 0.50 coups fourrés on average, not 0.40 (−60 points)." in lines


def test_nothing_uncertain_is_told() -> None:
    assert main_differences(decision(100, 2, own(Topic.TRIP_COMPLETED, 70, stderr=50))) == ()


def test_moves_that_cannot_be_told_apart() -> None:
    close = decision(3, 2, own(Topic.TRIP_COMPLETED, 70))
    assert not are_distinguishable(close)
    assert main_differences(close) == ()
    assert lead_line(close, WORDS) == (
        "Play 100 miles or discard Roll: the difference (3.0 points ± 2.0) is within the margin of error."
    )
    told = dataclasses.replace(close, trips=Trips(Trip(0.41, 350.0, -300.0), Trip(0.4, 340.0, -290.0), 3.0, 2.0))
    assert explain(told, WORDS)[1:3] == [
        "The first move completes the trip in 41% of simulations, the second in 40%.",
        "The average lead is +350 points if you complete it, and −300 points if you don't.",
    ]
    sure = dataclasses.replace(decision(30, 2), trips=told.trips)
    assert trip_lines(sure, EN) == []


def test_what_is_proven_is_said() -> None:
    proven = dataclasses.replace(decision(3, 0), is_proven=True)
    said = lead_line(proven, WORDS)
    assert said == "Proven best: play 100 miles. It is 3.0 points better than: discard Roll."
    assert "No cards are hidden, so this hand has been solved exactly." in explain(proven, WORDS)
    level = dataclasses.replace(decision(0, 0), is_proven=True)
    assert lead_line(level, WORDS) == "Proven to be equally good: play 100 miles; discard Roll."


def test_the_reason_is_about_the_move_that_is_named() -> None:
    first = decision(3, 2)
    moves = (*first.moves, known(STOP, 0, 50, 2))
    played = dataclasses.replace(first, moves=moves, against=STOP)
    assert lead_line(played, WORDS) == (
        "Best: play 100 miles. It is 50.0 points ± 2.0 better than: play Stop on the others."
    )


def test_for_the_match_chances_decide() -> None:
    moves = (known(PLAY, 20, 0, 0, 0.61), known(DISCARD, 40, 0.03, 0.004, 0.58))
    later = MoveDifference(Topic.LATER, True, -20, 3, 0.61, 0.58)
    found = dataclasses.replace(decision(3, 2), objective=Objective.MATCH, moves=moves, why=(later,))
    assert main_differences(found) == (later,)
    assert lead_line(found, WORDS) == (
        "Best: play 100 miles. Compared with discard Roll, it raises your chance of winning the match by 3.0 ± 0.4 "
        "percentage points."
    )
    assert "In favour: you win the match in 61% of simulations rather than 58%." in explain(found, WORDS)
    assert figures(standing_line(moves[0], EN)) == [20, 3, 60, 61]
    behind = standing_line(moves[0]._replace(value=-20), EN)
    assert behind.startswith("Expected result: 20 (± 3) points behind at the end of the hand; 60% chance of winning")


def test_a_maxim_is_named_where_it_agrees() -> None:
    name = next(iter(MAXIMS))
    found = dataclasses.replace(decision(50, 2), maxim=name)
    assert f"A maxim agrees: {ENGLISH.worded(MAXIMS[name].says)}" in explain(found, WORDS)
    assert not any("maxim" in line for line in explain(decision(50, 2), WORDS))


def test_an_unknown_past_and_a_single_move_are_said() -> None:
    first = decision(3, 2)
    unknown = dataclasses.replace(first, history=False, state=None)
    assert "The earlier moves of this hand were not known" in explain(unknown, WORDS)[-1]
    single = dataclasses.replace(first, moves=first.moves[:1])
    assert lead_line(single, WORDS) == "This is the only move: play 100 miles."


def test_grades_have_words() -> None:
    for language in LANGUAGES:
        assert len({grade_name(grade, translator(language)) for grade in Grade}) == len(Grade)
