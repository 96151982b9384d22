"""Statistics: every finished hand and match once, no line spoils another, and the sums are right."""

import datetime
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from millebornes.errors import SaveError
from millebornes.storage import HandResult, MatchResult, Results, keep_result, load_results, statistics_file, summarize
from millebornes.storage.summary import Mean, Streak, WinsAndLosses, people

DAY = datetime.datetime(2024, 2, 29, 12, 0, tzinfo=datetime.UTC)


def hand(number: int, *points: int, luck: tuple[float, ...] | None = None, target: int | None = 5000) -> HandResult:
    sides = len(points)
    return HandResult(
        id=f"hand {number}",
        date=DAY + datetime.timedelta(hours=number),
        edition="classic",
        seats=sides,
        sides=sides,
        players=("human", *["basic"] * (sides - 1)),
        names=("Ünn", *["basic"] * (sides - 1)),
        match_target=target,
        number=number,
        points=points,
        luck=luck,
    )


def match(
    number: int, *totals: int, winner: int | None, edition: str | None = "classic", **changes: object
) -> MatchResult:
    made = MatchResult(
        id=f"match {number}",
        date=DAY + datetime.timedelta(days=number),
        edition=edition,
        seats=len(totals),
        sides=len(totals),
        players=("human", *["basic"] * (len(totals) - 1)),
        names=("Ann", *["basic"] * (len(totals) - 1)),
        match_target=5000,
        totals=totals,
        hands=(totals,),
        winner=winner,
    )
    return msgspec.structs.replace(made, **changes)


ALL: tuple[HandResult, MatchResult, HandResult, MatchResult] = (
    hand(1, 700, 300, luck=(12.5, -3.0)),
    match(1, 5100, 300, winner=0),
    hand(2, 0, 900),
    match(2, 0, 5000, winner=1),
)


def kept(path: Path) -> Path:
    for result in ALL:
        keep_result(result, path)
    return path


def test_what_is_kept_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path))
    assert load_results() == Results()
    for result in ALL:
        keep_result(result)
    assert statistics_file() == tmp_path / "data" / "statistics.jsonl"
    assert load_results() == Results((ALL[0], ALL[2]), (ALL[1], ALL[3]), 0)


def test_nothing_counts_twice(tmp_path: Path) -> None:
    path = kept(tmp_path / "s")
    kept(path)
    assert load_results(path) == Results((ALL[0], ALL[2]), (ALL[1], ALL[3]), 0)


def test_a_torn_line_is_dropped_and_spoils_no_other(tmp_path: Path) -> None:
    whole = kept(tmp_path / "s").read_bytes()
    starts = [0, *(i + 1 for i, byte in enumerate(whole) if byte == 10)]
    path = tmp_path / "torn"
    for cut in range(0, len(whole), 13):
        path.write_bytes(whole[:cut])
        intact = sum(cut >= end - 1 for end in starts[1:])  # a line that lacks only its end is whole
        results = load_results(path)
        assert len(results.hands) + len(results.matches) == intact
        assert results.dropped == (cut not in starts and cut + 1 not in starts)
        keep_result(hand(99, 1, 2), path)
        after = load_results(path)
        assert hand(99, 1, 2) in after.hands
        assert (*after.hands[:-1], *after.matches) == (*results.hands, *results.matches)
        assert after.dropped == results.dropped


@pytest.mark.parametrize(
    "change",
    [
        {"points": [1]},
        {"points": [1, "2"]},
        {"points": [1, 2.5]},
        {"points": [1, 10**4000]},
        {"luck": [1, 10**4000]},
        {"luck": [1, float("inf")]},
        {"date": "0001-01-01T00:00:00+00:00"},
        {"date": "9999-12-31T23:59:59-12:00"},
        {"sides": 0},
        {"seats": 3},
        {"seats": 2.0},
        {"names": ["Ann"]},
        {"date": "yesterday"},
        {"date": 5},
        {"luck": [1]},
        {"luck": [1, float("nan")]},
        {"players": "human"},
        {"edition": 3},
        {"id": None},
        {"format": "something"},
    ],
)
def test_lines_that_make_no_sense_are_dropped(tmp_path: Path, change: dict[str, object]) -> None:
    path = kept(tmp_path / "s")
    first, *rest = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([json.dumps({**json.loads(first), **change}), "5", "[]", "{}", *rest]), encoding="utf-8")
    assert load_results(path) == Results((ALL[2],), (ALL[1], ALL[3]), 4)


def test_lines_of_newer_programs_are_passed_over(tmp_path: Path) -> None:
    path = kept(tmp_path / "s")
    with path.open("a") as stream:
        stream.write('{"format":"millebornes-statistics/2","kind":"hand"}\n')
        stream.write('{"format":"millebornes-statistics/1","kind":"tournament"}\n')
    assert load_results(path).dropped == 0
    assert len(load_results(path).hands) == 2


def test_what_cannot_be_read_or_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="the statistics cannot be read"):
        load_results(tmp_path)
    with pytest.raises(SaveError, match="the statistics cannot be written"):
        keep_result(ALL[0], tmp_path)


def test_a_summary() -> None:
    results = Results(
        hands=(
            hand(1, 700, 300, luck=(50.0, -50.0)),
            hand(2, 100, 300, luck=(-20.0, 40.0)),
            hand(3, 900, 300),
            hand(4, 500, 500, target=None),
        ),
        matches=(
            match(1, 5000, 100, winner=0),
            match(2, 5100, 100, winner=0, edition="house"),
            match(3, 100, 5000, winner=1, edition=None),
            match(4, 200, 100, winner=0, loser=1),
            match(5, 5000, 5000, winner=None),
            match(6, 100, 5000, 5000, winner=None),
        ),
    )
    found = summarize(results)
    assert found.matches == WinsAndLosses(won=3, lost=2, drawn=1)
    assert found.single_hands == WinsAndLosses(drawn=1)
    assert found.hands == 4
    assert found.points is not None
    assert found.points.mean == 550
    assert found.ahead is not None
    assert found.ahead.mean == (400 - 200 + 600) / 4
    assert found.luck == Mean(20.0, 80.0, 2)
    assert found.best is not None
    assert (found.best.points, found.best.hand) == (900, results.hands[2])
    assert found.streak == Streak("lost", 1, 2)
    assert found.by_edition == {"classic": WinsAndLosses(2, 1, 1), "house": WinsAndLosses(1), None: WinsAndLosses(0, 1)}
    assert found.by_table == {(2, 2): WinsAndLosses(3, 1, 1), (3, 3): WinsAndLosses(0, 1)}
    assert found.by_opponents == {"basic": WinsAndLosses(3, 2, 1)}


def test_matches_with_hints_are_counted_apart() -> None:
    helped = match(1, 5100, 300, winner=0, hints=(3, 0))
    others = match(2, 0, 5000, winner=1, hints=(0, 2))
    found = summarize(Results(matches=(helped, others, match(3, 5000, 0, winner=0))))
    assert found.matches == WinsAndLosses(2, 1, 0)
    assert found.hinted == WinsAndLosses(1, 0, 0)


def test_records_of_older_versions_have_no_hints(tmp_path: Path) -> None:
    path = kept(tmp_path / "kept.jsonl")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        del line["hints"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = load_results(path)
    assert found.dropped == 0
    assert {result.hints for result in (*found.hands, *found.matches)} == {()}


def test_a_summary_of_nothing() -> None:
    found = summarize(Results())
    assert found.matches == found.single_hands == WinsAndLosses()
    assert (found.points, found.ahead, found.luck, found.best, found.streak) == (None, None, None, None, None)


def test_people_at_one_keyboard_have_statistics_of_their_own() -> None:
    both: dict[str, Any] = {"players": ("human", "human"), "names": ("Ann", "Bo")}
    results = Results(matches=(match(1, 5000, 100, winner=0, **both), match(2, 5000, 100, winner=0)))
    assert people(results) == ("Ann", "Bo")
    assert summarize(results).matches == WinsAndLosses(won=1)
    assert summarize(results, "Ann").matches == WinsAndLosses(won=1)
    assert summarize(results, "Bo").matches == WinsAndLosses(lost=1)
    assert summarize(results, "Bo").by_opponents == {"Ann": WinsAndLosses(lost=1)}
    assert summarize(results, "Cy").matches == WinsAndLosses()


def test_the_mean_of_one_value_has_no_error() -> None:
    assert Mean.of([3.0]) == Mean(3.0, None, 1)
    assert Mean.of([1.0, 3.0]) == Mean(2.0, 1.0, 2)
