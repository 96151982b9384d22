"""One's own mistakes: whose they are, found once, and collected."""

import random
from pathlib import Path

import pytest

from millebornes.analysis.exercises.collection import (
    MAX_COLLECTED,
    collect,
    collected,
    mistakes_in,
    people_of,
    read_played,
    seat_named,
)
from millebornes.analysis.exercises.exercise_sets import is_exercise_set, write_exercise_set
from millebornes.analysis.match_review import Review
from millebornes.analysis.records import Decision
from millebornes.editions import make_rules
from millebornes.errors import NotationError
from millebornes.game import InformationState, Match, Phase
from millebornes.notation import Transcript, transcript_lines
from millebornes.schema.exercises import Grade
from tests.analysis.asked import analysis_of, decision_of, exercises
from tests.analysis.test_exercises import review_of


def played_hand(players: tuple[str, ...] = ("Ann", "basic")) -> Match:
    match, rng = Match.start(make_rules(), "7", players=players), random.Random(1)
    while not match.hand.is_over:
        match = match.play(rng.choice(list(match.hand.legal_moves)))
    return match


def written(match: Match, path: Path, extra: dict[str, object] | None = None) -> Path:
    path.write_text("".join(f"{line}\n" for line in transcript_lines(match, extra)))
    return path


class Judge:
    """Finds every fifth decision wrong, and counts how often it is asked."""

    asked = 0

    def __call__(self, match: Match) -> Review:
        self.asked += 1
        decisions: list[Decision] = []
        for ply in range(0, match.hand.ply, 5):
            then = match.at(1, ply)
            if then.hand.phase is Phase.PLAY and len(then.hand.legal_moves) > 2 and then.hand.seat is not None:
                analysis = analysis_of(InformationState.of_match(then, then.hand.seat))
                decisions.append(decision_of(analysis, analysis.moves[-1].move, Grade.MISTAKE, ply))
        return review_of(decisions)


def test_a_match_is_judged_once(tmp_path: Path) -> None:
    path, judge = written(played_hand(), tmp_path / "game.jsonl"), Judge()
    first = mistakes_in(read_played(path), judge, tmp_path)
    assert {exercise.seat for exercise in first} == {0, 1}
    assert first[0].origin is not None
    assert first[0].origin.file == "game.jsonl"
    assert mistakes_in(read_played(path), judge, tmp_path) == first
    assert judge.asked == 1
    (kept,) = (tmp_path / "reviews").iterdir()
    kept.write_bytes(kept.read_bytes()[:-20])
    assert mistakes_in(read_played(path), judge, tmp_path) == first
    assert judge.asked == 2
    other = written(played_hand(("Ann", "Bo")), tmp_path / "game.jsonl")
    mistakes_in(read_played(other), judge, tmp_path)
    assert judge.asked == 3


def test_whose_mistakes_they_are(tmp_path: Path) -> None:
    def seats(*names: str, **extra: object) -> tuple[int, ...]:
        return people_of(Transcript(played_hand(names), extra))

    assert seats("Ann", "basic") == (0,)
    assert seats("basic#2", "Bo") == (1,)
    assert seats("maxims", "basic") == seats() == (0, 1)
    assert seats("Ann", "Bo", save={"seats": ["champion", "human"]}) == (1,)
    assert seats("Ann", "Bo", save={"seats": "human"}) == (0, 1)
    played = read_played(written(played_hand(("Ann", "Bo")), tmp_path / "game.jsonl"))
    assert [seat_named(played, name) for name in ("1", "2", "ann", "BO")] == [0, 1, 0, 1]
    for wrong in ("0", "3", "Cleo", "²", ""):
        with pytest.raises(NotationError, match=r"game.jsonl: there is no seat .* numbered 1 to 2, .* Ann, Bo"):
            seat_named(played, wrong)


def test_mistakes_are_collected_each_once_the_latest_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b, c, d = exercises()[:4]
    assert collected(tmp_path) == ((), "")
    known = collect((), [a, b, a], tmp_path)
    assert collect(known, [b, c], tmp_path) == collected(tmp_path)[0] == (a, b, c)
    assert MAX_COLLECTED == 1000
    monkeypatch.setattr("millebornes.analysis.exercises.collection.MAX_COLLECTED", 3)
    assert collect((a, b, c), [d], tmp_path) == collected(tmp_path)[0] == (b, c, d)


def test_a_damaged_collection_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "mistakes.jsonl"
    write_exercise_set(path, exercises()[:2])
    data = path.read_bytes()[:-9]
    path.write_bytes(data)
    found, trouble = collected(tmp_path)
    assert found == ()
    assert "line 2" in trouble
    assert "mistakes-damaged-1.jsonl" in trouble
    assert (tmp_path / "mistakes-damaged-1.jsonl").read_bytes() == data
    assert collected(tmp_path) == ((), "")


def test_sets_are_told_from_matches(tmp_path: Path) -> None:
    write_exercise_set(tmp_path / "set.jsonl", exercises()[:1])
    assert is_exercise_set(tmp_path / "set.jsonl")
    assert not is_exercise_set(written(played_hand(), tmp_path / "game.jsonl"))
