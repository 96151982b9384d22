"""Matches that are kept, what reviews of them say, and how that goes over time."""

import datetime
import os
import re
from pathlib import Path

import pytest

from millebornes.errors import SaveError
from millebornes.i18n import translator
from millebornes.storage import (
    MatchResult,
    Results,
    ReviewedSeat,
    ReviewedSide,
    ReviewResult,
    keep_match,
    keep_review,
    load_reviews,
    past_match,
)
from millebornes.storage.career import CareerMatch, career_of, mean_loss, mean_rating
from millebornes.storage.past_matches import matches_folder, reviews_file
from millebornes.storage.summary import Z_95
from millebornes.tui.common.career import career_lines


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path))


def name(number: int) -> str:
    return f"{number:032x}"


def review(number: int, loss: float = 5.0, rating: float | None = 100.0) -> ReviewResult:
    seat = ReviewedSeat(
        decisions=40,
        loss=loss,
        loss_error=1.0,
        grades={"best": 30, "fine": 5, "inaccuracy": 3, "mistake": 1, "blunder": 1},
        rating=rating,
        rating_ci95=None if rating is None else (rating - 98, rating + 98),
    )
    sides = tuple(ReviewedSide(luck=sign * 0.1, luck_error=0.01, adjusted=0.5 - sign * 0.1) for sign in (1, -1))
    return ReviewResult(id=name(number), objective="match", seats=(seat, seat), sides=sides)


def match(number: int, players: tuple[str, str] = ("human", "basic")) -> MatchResult:
    return MatchResult(
        id=name(number),
        date=datetime.datetime(2026, 5, 1 + number, 12, tzinfo=datetime.UTC),
        edition="classic",
        seats=2,
        sides=2,
        players=players,
        names=("Ann", "Bo"),
        match_target=1000,
        totals=(1200, 300),
        hands=((1200, 300),),
        winner=0,
    )


def test_matches_are_kept_in_little_room() -> None:
    for number in range(5):
        keep_match(name(number), ["x" * 99], room=250)
        path = past_match(name(number))
        assert path is not None
        os.utime(path, (number, number))
    assert [past_match(name(number)) is not None for number in range(5)] == [False, False, False, True, True]
    keep_match(name(9), ["x" * 999], room=250)  # the latest stays, however large it is
    assert [path.name for path in matches_folder().iterdir()] == [f"{name(9)}.jsonl"]


def test_names_of_other_files_are_no_matches(tmp_path: Path) -> None:
    keep_match(name(1), ["{}"])
    (tmp_path / "data" / "other.jsonl").write_text("{}")
    assert past_match("../other") is None
    assert past_match(name(2)) is None


def test_a_folder_that_cannot_be_made_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(SaveError, match=r"matches: cannot be written"):
        keep_match(name(1), ["{}"])


def test_reviews_come_back_as_they_were_kept() -> None:
    assert load_reviews() == {}
    for number in range(3):
        keep_review(review(number))
    keep_review(review(1, loss=7.0))
    with reviews_file().open("ab") as stream:
        stream.write(b'nonsense\n{"format":"millebornes-reviews/1"}\n[]\n{"cut')
    keep_review(review(4, rating=None))
    found = load_reviews()
    assert found == {
        name(0): review(0),
        name(1): review(1, loss=7.0),
        name(2): review(2),
        name(4): review(4, rating=None),
    }


def test_a_career_is_that_of_one_person() -> None:
    results = Results(matches=(match(0), match(1), match(2, ("human", "human")), match(3, ("basic", "basic"))))
    reviews = {name(number): review(number, loss=number + 1.0) for number in (0, 2, 3)}
    assert [one.loss for one in career_of(results, reviews)] == [1.0]
    assert [one.loss for one in career_of(results, reviews, "Bo")] == [3.0]
    assert career_of(results, reviews, "Cy") == ()
    (own,) = career_of(results, reviews)
    assert (own.luck, own.adjusted, own.rating) == (0.1, 0.4, (100.0, 2.0, 198.0))


def test_means_weigh_what_is_surer() -> None:
    results = Results(matches=tuple(match(number) for number in range(4)))
    found = career_of(results, {name(n): review(n, loss=2.0 * n, rating=100.0 * n) for n in range(4)})
    loss, rating = mean_loss(found), mean_rating(found)
    assert loss is not None
    assert rating is not None
    assert loss == pytest.approx((3.0, 0.5))
    assert rating == pytest.approx((150.0, 101.0, 199.0))
    assert mean_loss(()) is None
    assert mean_rating(()) is None


def test_the_interval_of_a_rating_keeps_its_two_halves() -> None:
    match = CareerMatch(datetime.datetime(2026, 5, 1), 40, 3.0, 0.5, {}, None, None, (-682.0, -700.0, -131.0))
    assert mean_rating((match,)) == (-682.0, -700.0, -131.0)
    several = mean_rating((match,) * 4)
    assert several == pytest.approx((-682.0, -682.0 - Z_95 * 20, -682.0 + 551.0 / 2))


@pytest.mark.parametrize("ascii_only", [False, True])
def test_a_career_is_told_with_its_plots(ascii_only: bool) -> None:
    results = Results(matches=tuple(match(number) for number in range(7)))
    reviews = {name(n): review(n, loss=10.0 - n) for n in range(7)}
    lines = career_lines(results, reviews, translator("en"), ascii_only=ascii_only)
    text = "\n".join(lines)
    assert lines[0] == "Your reviewed matches:"
    assert "Error rate: 7.0 ± 0.4 points per decision in 7 matches. In the latest 5: 6.0 ± 0.4." in text
    assert "Inaccuracies: 21, mistakes: 7, blunders: 7, of 280 decisions." in text
    assert "Luck was worth +0.10 wins per match on average. With average luck you would have won 2.8 of 7." in text
    assert "Rating: 100 (61 to 139), on the scale of the computer players." in text
    assert any(line.startswith("    10 ") for line in lines)
    assert text.isascii() or not ascii_only or set(text) - set(map(chr, range(128))) == {"±"}
    assert career_lines(results, {}, translator("en")) == []
    french = "\n".join(career_lines(results, reviews, translator("fr"), ascii_only=ascii_only))
    assert "Taux d’erreur\N{NO-BREAK SPACE}: 7,0 ± 0,4" in french
    assert not re.search(r"[0-9]\.[0-9]", french)
