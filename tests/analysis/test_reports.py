"""Reports of a review as text, JSON, rows, and in a notebook."""

import io
import json
import math
import re

import pytest
from rich.console import Console

from millebornes.analysis.match_review import Review, rows
from millebornes.analysis.records import MISTAKES
from millebornes.editions import make_rules
from millebornes.i18n import LANGUAGES, translator
from millebornes.schema.exercises import Grade, Objective
from millebornes.themes import theme_for
from millebornes.tui.common.review_text import review_text
from millebornes.tui.common.text_plot import plot_rows
from millebornes.words.report_json import hint_json, review_json
from millebornes.words.words import Words
from tests.analysis import made_up

EVIL = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def review() -> Review:
    return made_up.review()


def printed(review: Review, width: int = 80, language: str = "en", encoding: str = "utf-8") -> str:
    """What a console that isn't a terminal gets."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    review_text(review, Console(file=stream, width=width), Words(translator(language), theme_for(language)))
    stream.flush()
    return raw.getvalue().decode(encoding)


# ---------------------------------------------------------------- text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [80, 200])
def test_the_text_fits_and_is_plain(review: Review, width: int, language: str) -> None:
    text = printed(review, width, language)
    assert max(map(len, text.splitlines())) <= width
    assert "\x1b" not in text
    assert all(line == line.rstrip() for line in text.splitlines())
    for seat in review.seats:
        assert f"{seat.decisions}" in text


def test_the_text_tells_all_of_it(review: Review) -> None:
    text = printed(review, 200)
    for seat in review.seats:
        assert f"{seat.name}'s worst decisions" in text
        for decision in review.worst(seat.seat):
            assert f"hand {decision.hand}, move {decision.ply + 1}: {decision.grade.value}" in text
    for side in review.sides:
        assert f"{side.points}" in text
    assert "1510 (1420 to 1600)" in text
    assert re.search("[\u2801-\u28ff]", text)  # the plot
    for point in review.turning_points:
        assert f"hand {point.hand}, move {point.ply + 1}: " in text


def test_a_terminal_without_unicode_gets_ascii(review: Review) -> None:
    text = printed(review, 80, "en", "latin-1")  # an accent stays, everything drawn is ASCII
    text.replace("é", "e").encode("ascii")
    assert "*" in text


def test_colours_only_on_a_terminal(review: Review) -> None:
    stream = io.StringIO()
    review_text(review, Console(file=stream, width=100, force_terminal=True), Words(translator("en"), theme_for("en")))
    assert "\x1b[" in stream.getvalue()


def test_names_are_no_markup() -> None:
    text = printed(made_up.review(players=("[red]Ann[/red]", "[/nonsense]")))
    assert "[red]Ann[/red]" in text
    assert "[/nonsense]" in text


@pytest.mark.parametrize("objective", Objective)
def test_every_table_can_be_reported(objective: Objective) -> None:
    six = made_up.review("6", objective, make_rules("classic", 6, 3), tuple("ABCDEF"), hands=1)
    text = printed(six)
    assert "A and D" in text
    assert max(map(len, text.splitlines())) <= 80
    assert len(review_json(six)["sides"]) == 3


def test_the_plot_goes_through_its_values() -> None:
    assert plot_rows([0, 1, 1, 0], 4, 2, 0, 1, ascii_only=True) == [" ** ", "*  *"]
    assert plot_rows([0, 1], 2, 4, 0, 1, ascii_only=True) == [" *", " |", " |", "* "]
    flat = plot_rows([0.5] * 9, 10, 3, 0, 1)
    assert flat[0].strip() == flat[2].strip() == ""
    assert len(set(flat[1])) == 1
    assert plot_rows([5.0, -5.0], 2, 2, 0, 1, ascii_only=True) == ["* ", " *"]  # what lies outside is cut off
    assert plot_rows([], 3, 1, 0, 1) == ["   "]


# ---------------------------------------------------------------- JSON and rows


def test_review_json_has_exactly_these_fields(review: Review) -> None:
    told = review_json(review)
    fields = "objective players decisions seats sides turning_points rollouts seconds"
    assert list(told) == fields.split()
    played = "hand ply seat phase move best loss stderr grade forced win_match luck open_loss"
    seat = "seat name decisions loss_total loss_per_decision loss_stderr grades rating rating_ci95"
    for part, names in (("decisions", played), ("seats", seat), ("turning_points", "hand ply swing")):
        assert {tuple(one) for one in told[part]} == {tuple(names.split())}
    assert {tuple(side) for side in told["sides"]} == {("side", "points", "luck", "luck_stderr", "adjusted")}
    assert {tuple(one["grades"]) for one in told["seats"]} == {tuple(grade.value for grade in Grade)}
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    for plain, decision in zip(told["decisions"], review.decisions, strict=True):
        assert plain["move"] == str(decision.move)
        assert sum(plain["luck"]) == pytest.approx(0, abs=1e-5)
        assert plain["loss"] == pytest.approx(decision.loss, abs=1e-6)


def test_points_have_no_chances() -> None:
    told = review_json(made_up.review(objective=Objective.POINTS, hands=1, match_target=None))
    assert told["objective"] == "points"
    assert {type(decision["win_match"]) for decision in told["decisions"]} == {type(None)}


def test_hint_json_has_exactly_these_fields(review: Review) -> None:
    reasons = 0
    for decision in review.decisions:
        if decision.analysis is None:
            continue
        told = hint_json(decision.analysis)
        fields = "player objective moves best against why maxim proven history rollouts seconds"
        move = "move value stderr win_hand win_match loss loss_stderr worlds"
        assert list(told) == fields.split()
        assert {tuple(one) for one in told["moves"]} == {tuple(move.split())}
        assert {tuple(one) for one in told["why"]} <= {("text", "points", "stderr", "topic", "own")}
        assert json.loads(json.dumps(told, allow_nan=False)) == told
        assert told["best"] == told["moves"][0]["move"] == str(decision.best)
        reasons += len(told["why"])
    assert reasons > 20


def test_what_is_no_number_is_null(review: Review) -> None:
    first = next(decision.analysis for decision in review.decisions if decision.analysis is not None)
    moves = (first.moves[0]._replace(value=math.nan, stderr=math.inf), *first.moves[1:])
    told = hint_json(type(first)(state=None, objective=first.objective, moves=moves))
    json.dumps(told, allow_nan=False)
    assert told["moves"][0]["value"] is None


def test_rows_are_flat_and_alike(review: Review) -> None:
    found = rows(review)
    assert len(found) == len(review.decisions)
    assert len({tuple(row) for row in found}) == 1
    assert all(value is None or isinstance(value, str | int | float | bool) for row in found for value in row.values())
    mistakes = [row for row in found if row["grade"] in {grade.value for grade in MISTAKES}]
    assert mistakes
    assert all(row["value"] <= row["best_value"] for row in mistakes)
