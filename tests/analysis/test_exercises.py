"""Exercises: what is asked, which answers are right, their text, and what is taken from a review."""

import dataclasses
import io
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from millebornes.analysis.analyst import legal_codes, new_searcher, seen_in
from millebornes.analysis.exercises.exercise import Exercise, ExerciseKind, exercise_of, exercises_of
from millebornes.analysis.exercises.exercise_sets import (
    exercise_line,
    is_exercise_set,
    read_exercise,
    read_exercise_set,
    read_exercises,
    shipped_exercises,
    write_exercise_set,
)
from millebornes.analysis.match_review import Review
from millebornes.analysis.records import Decision
from millebornes.errors import NotationError
from millebornes.game import Match, Phase
from millebornes.schema.exercises import Grade, Objective, OriginObject
from tests.analysis.asked import PLAYERS, analysis_of, asked_for_coup, decision_of, exercises, states


def review_of(decisions: list[Decision]) -> Review:
    return Review(
        match=Match.start(next(states()).rules, "5"),
        players=PLAYERS,
        objective=Objective.POINTS,
        decisions=tuple(decisions),
        seats=(),
        sides=(),
        turning_points=(),
        rollouts=0,
        seconds=0.0,
    )


def all_kinds() -> tuple[Exercise, ...]:
    return (*exercises(), *exercises(2, 4), asked_for_coup())


# ---------------------------------------------------------------- what is right


def test_right_are_the_best_and_what_is_as_good_within_the_error_or_next_to_it() -> None:
    exercise = exercises()[0]
    best, second, third = (found.move for found in exercise.moves[:3])
    assert exercise.is_right(best)
    loss = {second: (9.0, 0.5), third: (40.0, 21.0)}
    moves = tuple(
        found._replace(loss=loss[found.move][0], loss_stderr=loss[found.move][1]) if found.move in loss else found
        for found in exercise.moves
    )
    exercise = dataclasses.replace(exercise, moves=moves)
    assert exercise.right[:3] == (best, second, third)
    moves = tuple(found._replace(loss=40.0, loss_stderr=15.0) if found.move == third else found for found in moves)
    assert third not in dataclasses.replace(exercise, moves=moves).right
    with pytest.raises(KeyError):
        exercise.is_right(asked_for_coup().best)


def test_kinds_go_by_the_phase_and_the_moves() -> None:
    assert asked_for_coup().kind is ExerciseKind.COUP
    for exercise in exercises():
        move = exercise.best
        if exercise.kind is ExerciseKind.DISCARD:
            assert move.text.startswith("-")
        elif exercise.kind is ExerciseKind.HAZARD:
            assert move.target is not None


# ---------------------------------------------------------------- from a review


def test_takes_the_mistakes_of_some_seats_each_once() -> None:
    decisions, wanted = [], []
    for ply, state in enumerate(states()):
        if state.view.phase is not Phase.PLAY or len(state.view.legal_moves) < 3:
            continue
        analysis = analysis_of(state)
        grade = (Grade.MISTAKE, Grade.BEST, Grade.BLUNDER, Grade.FINE)[ply % 4]
        decision = decision_of(analysis, analysis.moves[-1 if ply % 2 == 0 else 0].move, grade, ply)
        decisions += [decision, dataclasses.replace(decision, ply=decision.ply + 1000)]
        if ply % 2 == 0 and state.seat == 1:
            wanted.append((ply, str(state)))
    found = exercises_of(review_of(decisions), {1}, "game.jsonl")
    assert [(exercise.origin and exercise.origin.ply, str(exercise.state)) for exercise in found] == wanted
    assert all(exercise.seat == 1 and not exercise.is_right(exercise.moves[-1].move) for exercise in found)
    first = found[0]
    assert first.origin == OriginObject(file="game.jsonl", hand=1, ply=wanted[0][0], players=PLAYERS)
    assert (first.played, first.against) == (first.moves[-1].move, first.moves[-1].move)
    assert len(exercises_of(review_of(decisions))) > len(found)


def test_forced_decisions_and_those_that_were_right_within_their_error_are_no_exercises() -> None:
    state = next(states())
    analysis = analysis_of(state)
    wrong = decision_of(analysis, analysis.moves[-1].move)
    unsure = tuple(found._replace(loss_stderr=100.0) for found in analysis.moves)
    doubtful = dataclasses.replace(wrong, analysis=dataclasses.replace(analysis, moves=unsure))
    forced = dataclasses.replace(wrong, forced=True, analysis=None)
    assert exercises_of(review_of([doubtful, forced])) == ()
    with pytest.raises(ValueError, match="an InformationState, not just a View"):
        exercise_of(dataclasses.replace(analysis, state=None))


# ---------------------------------------------------------------- text


def test_text_and_back(tmp_path: Path) -> None:
    for exercise in all_kinds():
        assert read_exercise(exercise_line(exercise)) == exercise
    path = tmp_path / "set.jsonl"
    write_exercise_set(path, all_kinds())
    assert is_exercise_set(path)
    assert read_exercise_set(path) == all_kinds()
    assert path.read_text().endswith("}\n")
    spaced = path.read_text().replace("\n", "\r\n\n")
    assert tuple(read_exercises(io.BytesIO(spaced.encode()))) == all_kinds()


def test_the_id_is_that_of_the_situation() -> None:
    exercise = exercises()[0]
    other = dataclasses.replace(exercise, played=None, why=(), moves=exercise.moves[::-1])
    assert other.id == exercise.id
    assert len({found.id for found in all_kinds()}) == len(all_kinds())


def test_hidden_cards_are_in_no_exercise() -> None:
    """The line of an exercise is made of the information state, which `tests/game` holds to have none."""
    data = json.loads(exercise_line(exercises()[0]))
    assert set(data) <= set(
        "format id state objective moves why against maxim proven rollouts played grade from".split()
    )


GOOD: dict[str, Any] = json.loads(exercise_line(exercises()[0]))


def changed(path: str, value: Any) -> bytes:
    """The line of a good exercise, something in it replaced (None: taken away)."""
    data = json.loads(json.dumps(GOOD))
    *keys, last = [int(key) if key.isdigit() else key for key in path.split("/")]
    place = data
    for key in keys:
        place = place[key]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return json.dumps(data).encode()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"{", "line 1: invalid JSON"),
        (b"{}", "line 1: format is missing"),
        (changed("format", "millebornes-exercise/2"), "format: .* must be 'millebornes-exercise/1'"),
        (changed("id", "0123"), "id: .* which follows from the state"),
        (changed("state", "classic/2x2"), "state: an information state has 7 fields"),
        (changed("objective", "luck"), "objective: .* one of points, match"),
        (changed("moves", None), "moves is missing"),
        (changed("moves/0/move", "fly"), r'moves\[0\], move: "fly" is not allowed; it must be one of'),
        (changed("moves/1/move", GOOD["moves"][0]["move"]), r"moves\[1\], move: .* occurs twice"),
        (changed("moves/1", None), "moves: the legal move .* is missing"),
        (changed("moves/0/loss", 5), "moves: the first one loses 5"),
        (changed("moves/0/win_hand", 1.5), "win_hand: 1.5 .* of at most 1"),
        (changed("moves/0/luck", 1), r'moves\[0\]: there is no field "luck"; the fields are'),
        (changed("why/0/topic", "rain"), r"why\[0\], topic: .* one of"),
        (changed("why/1/held_up", [1]), r"why\[1\], held_up: a list of 1 is not allowed; it must be a list of 2"),
        (changed("maxim", "haste"), "maxim: .* one of"),
        (changed("played", "pass"), "played: .* one of"),
        (changed("grade", "good"), "grade: .* one of best, fine"),
        (changed("from/players", "Ann"), "from, players: .* a list"),
        (changed("from/players", ["\u202e" * 2000]), r"from, players\[0\]: .* at most 1000 characters"),
        (changed("colour", "red"), 'there is no field "colour"'),
        (b" " * (1 << 20) + b"{}", "longer than 1024 KiB"),
    ],
)
def test_what_is_refused_names_the_line_and_the_field(line: bytes, says: str) -> None:
    with pytest.raises(NotationError, match=says) as caught:
        list(read_exercises([line], "set.jsonl"))
    text = str(caught.value)
    assert text.startswith("set.jsonl: line 1: ")
    assert text.isprintable()
    assert len(text) < 1000


def test_an_exercise_stands_in_a_set_once() -> None:
    line = exercise_line(exercises()[0]).encode()
    with pytest.raises(NotationError, match=r"line 3: id: .* is already the exercise on line 1"):
        list(read_exercises([line, b"\n", line]))


def test_a_situation_without_a_choice_is_no_exercise() -> None:
    with pytest.raises(NotationError, match="state: seat 1 has nothing to decide"):
        read_exercise(changed("state", "classic/2x2 1 1/none 0|0 0 50,75*2,LIM,SPR,EOL -"))


# ---------------------------------------------------------------- the shipped set


def test_the_shipped_set_is_varied_and_certain() -> None:
    found = shipped_exercises()
    kinds = Counter(exercise.kind for exercise in found)
    assert len(found) >= 80
    assert all(kinds[kind] >= 3 for kind in ExerciseKind), kinds
    for exercise in found:
        assert len(exercise.right) <= max(1, 0.4 * len(exercise.moves))
        against = exercise.against
        assert against is not None
        lost = exercise.estimate(against)
        assert lost.loss >= max(60, 4 * lost.loss_stderr)
    assert len({(exercise.state.rules.edition, exercise.state.rules.seats) for exercise in found}) >= 4


def test_the_shipped_set_begins_with_the_classic_game_for_two() -> None:
    tables = [(exercise.state.rules.edition, exercise.state.rules.seats) for exercise in shipped_exercises()]
    met = list(dict.fromkeys(tables))
    assert met == [("classic", 2), ("classic", 3), ("classic", 4), ("classic", 6), *met[4:]]
    assert tables == sorted(tables, key=met.index)  # one table after the other
    first = shipped_exercises()[: len(ExerciseKind)]
    assert {exercise.kind for exercise in first} == set(ExerciseKind)  # the topics take turns
    by_kind = [exercise for exercise in shipped_exercises()[: tables.count(met[0])] if exercise.kind is first[0].kind]
    wrong = [min(found.loss for found in one.moves if not one.is_right(found.move)) for one in by_kind]
    assert wrong == sorted(wrong, reverse=True)  # clear answers before close ones


@pytest.mark.slow
def test_the_hazard_that_is_asked_about_is_counted() -> None:
    """No side suffers less than no hazard, whatever is answered; who lets the coup fourré go suffers this one."""
    state = asked_for_coup().state
    searcher = new_searcher(state.rules, is_match=False, worlds=64)
    seen, memory = seen_in(state, state.view)
    question = searcher.ask(seen, legal_codes(state.view), memory, random.Random(0))
    moves = state.view.legal_moves
    outcomes = searcher.roll_out(question, np.arange(len(moves)), 0, 64, is_counted=True)
    suffered = {move.text: outcomes["suffered"][:, n] for n, move in enumerate(moves)}
    assert min(counts.min() for counts in suffered.values()) >= 0
    assert suffered["pass"][:, 0].min() >= 1
