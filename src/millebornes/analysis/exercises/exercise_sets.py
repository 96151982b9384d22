"""Read and write sets of exercises as text files with one JSON object per line (docs/formats.md)."""

import functools
import importlib.resources
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from millebornes.analysis.exercises.exercise import Exercise, id_of
from millebornes.analysis.records import MoveDifference, MoveEstimate, rivals_of
from millebornes.errors import MilleBornesError, NotationError, SaveError, printable
from millebornes.game import InformationState, Move
from millebornes.policies.maxim_catalogue import MAXIMS
from millebornes.schema.exercises import DifferenceObject, ExerciseLine, ExerciseMoveObject
from millebornes.schema.reading import MakeError, check_word, read, refusal
from millebornes.schema.strict import read_object, show
from millebornes.storage import write_atomically

FORMAT: Final = "millebornes-exercise/1"
SHIPPED: Final = "exercises.jsonl"
HEAD_BYTES: Final = 1000
"""The program recognises a set of exercises by this many bytes at the start of a file."""
MAX_LINE: Final = 1 << 20
"""The maximum length of a line, in bytes."""
MAX_COUNT: Final = 100_000
"""The maximum number of exercises in a set."""


# ---------------------------------------------------------------- writing


def exercise_line(exercise: Exercise) -> str:
    """Return an exercise as a line of text, without a line break."""
    line = ExerciseLine(
        format=FORMAT,
        id=exercise.id,
        state=str(exercise.state),
        objective=exercise.objective,
        moves=tuple(_move_object(estimate) for estimate in exercise.moves),
        why=tuple(DifferenceObject(**difference._asdict()) for difference in exercise.why),
        against=None if exercise.against is None else str(exercise.against),
        maxim=exercise.maxim,
        proven=exercise.is_proven,
        rollouts=exercise.rollouts,
        played=None if exercise.played is None else str(exercise.played),
        grade=exercise.grade,
        origin=exercise.origin,
    )
    return json.dumps(msgspec.to_builtins(line), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _move_object(known: MoveEstimate) -> ExerciseMoveObject:
    figures = {name: getattr(known, name) for name in ExerciseMoveObject.__struct_fields__}
    return ExerciseMoveObject(**{**figures, "move": str(known.move)})


def write_exercise_set(path: Path, exercises: Iterable[Exercise]) -> None:
    """Write a set of exercises to a file in one step. Raises `SaveError` if the file can't be written."""
    try:
        data = "".join(f"{exercise_line(exercise)}\n" for exercise in exercises).encode()
    except UnicodeEncodeError as error:
        raise SaveError(f"{path}: the name of a player or a file isn't valid text ({error.reason})") from None
    write_atomically(path, data)


# ---------------------------------------------------------------- reading


def is_exercise_set(path: Path) -> bool:
    """Return whether a file claims to be a set of exercises rather than a match. Raises `OSError`."""
    with path.open("rb") as stream:
        first = stream.read(HEAD_BYTES).lstrip()[:200].partition(b"\n")[0]
    return b'"millebornes-exercise/' in first


def read_exercise_set(path: Path) -> tuple[Exercise, ...]:
    """Return all exercises in a file. Raises `OSError`, or `NotationError` in the same cases as `read_exercises`."""
    with path.open("rb") as stream:
        return tuple(read_exercises(iter(lambda: stream.readline(MAX_LINE + 1), b""), str(path)))


def read_exercises(lines: Iterable[bytes], where: str = "exercises") -> Iterator[Exercise]:
    """Yield the exercises in a set, line by line, ignoring blank lines.

    Raises `NotationError`, which names the file, the line and the field, if a line isn't a valid exercise or repeats an
    earlier exercise.
    """
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        place = f"{where}: line {number}"
        if number > MAX_COUNT:
            raise NotationError(f"{place}: a set contains at most {MAX_COUNT} exercises")
        exercise = read_exercise(line, place)
        before = seen.setdefault(exercise.id, number)
        if before != number:
            raise NotationError(f"{place}: id: {show(exercise.id)} is already the exercise on line {before}")
        yield exercise


def read_exercise(line: bytes | str, place: str = "exercise") -> Exercise:
    """Return the exercise in a line of text.

    If the line is invalid, raises `NotationError` with ``place``, the field, the problem and the allowed values.
    """
    data = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
    if len(data) > MAX_LINE:
        raise NotationError(f"{place}: longer than {MAX_LINE >> 10} KiB, the limit for an exercise")

    def fault(text: str) -> NotationError:
        return NotationError(printable(f"{place}: {text}"))

    try:
        fields = read_object(data)
    except NotationError as error:
        raise fault(str(error)) from None
    return _read(fields, fault)


def _read(data: dict[str, Any], fault: MakeError) -> Exercise:
    version = data.get("format", FORMAT)
    if version != FORMAT:
        raise fault(refusal("format", version, f"{FORMAT!r}, the format that this program reads"))
    line = read(ExerciseLine, data, fault=fault)
    try:
        state = InformationState.parse(line.state)
        legal = {str(move): move for move in state.view.legal_moves}
    except MilleBornesError as error:
        raise fault(f"state: {error}") from None
    if len(legal) < 2:
        raise fault(f"state: seat {state.seat} has nothing to decide; an exercise needs a decision")
    right_id = id_of(str(state))
    if line.id != right_id:
        raise fault(refusal("id", line.id, f"{right_id!r}, which follows from the state"))
    if line.maxim is not None:
        check_word("maxim", line.maxim, MAXIMS, fault)
    return Exercise(
        state=state,
        objective=line.objective,
        moves=_read_moves(line, legal, fault),
        why=tuple(MoveDifference(**msgspec.structs.asdict(difference)) for difference in line.why),
        against=_read_move("against", line.against, legal, fault),
        maxim=line.maxim,
        is_proven=line.proven,
        rollouts=line.rollouts,
        rivals=rivals_of(state.rules),
        played=_read_move("played", line.played, legal, fault),
        grade=line.grade,
        origin=line.origin,
    )


def _read_move(place: str, text: str | None, legal: dict[str, Move], fault: MakeError) -> Move | None:
    return None if text is None else legal[check_word(place, text, legal, fault)]


def _read_moves(line: ExerciseLine, legal: dict[str, Move], fault: MakeError) -> tuple[MoveEstimate, ...]:
    moves: dict[str, MoveEstimate] = {}
    for n, data in enumerate(line.moves):
        text = check_word(f"moves[{n}], move", data.move, legal, fault)
        if text in moves:
            raise fault(f"moves[{n}], move: {show(text)} occurs twice")
        moves[text] = MoveEstimate(**{**msgspec.structs.asdict(data), "move": legal[text]})
    missing = sorted(set(legal) - set(moves))
    if missing:
        raise fault(f"moves: the legal move {missing[0]} is missing; all {len(legal)} must be listed")
    estimates = tuple(moves.values())
    if estimates[0].loss:
        raise fault(f"moves: the first one loses {estimates[0].loss}, but it must be the best move, which loses 0")
    return estimates


# ---------------------------------------------------------------- the shipped set


@functools.cache
def shipped_exercises() -> tuple[Exercise, ...]:
    """Return the set of exercises in this package, which are instructive decisions from self-play (docs/improve.md)."""
    file = importlib.resources.files("millebornes.analysis.exercises").joinpath(SHIPPED)
    with file.open("rb") as stream:
        return tuple(read_exercises(stream, SHIPPED))
