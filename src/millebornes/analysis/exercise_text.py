"""Sets of exercises as text: one JSON object a line (docs/formats.md)."""

import functools
import importlib.resources
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

from millebornes.analysis.exercise_fields import Fields, ListFields
from millebornes.analysis.exercises import Exercise, Origin, id_of
from millebornes.analysis.records import Difference, Grade, MoveEstimate, Objective, Topic
from millebornes.errors import MilleBornesError, NotationError, SaveError
from millebornes.game import InformationState, Move
from millebornes.policies.maxims.catalogue import MAXIMS
from millebornes.schema.strict import NotStrictError, read_object, show
from millebornes.storage import write_atomically

__all__ = [
    "FORMAT",
    "exercise_line",
    "is_exercise_set",
    "read_exercise",
    "read_exercise_set",
    "read_exercises",
    "shipped_exercises",
    "write_exercise_set",
]

FORMAT: Final = "millebornes-exercise/1"
SHIPPED: Final = "exercises.jsonl"

MAX_LINE: Final = 1 << 20
"""Bytes that a line may have at most."""
MAX_COUNT: Final = 100_000
"""Exercises that a set may hold."""

MOST: Final = 1e9
"""Beyond all points, in either direction."""
LONGEST: Final = 1000
"""Characters of a name."""
MOST_SEATS: Final = 12


# ---------------------------------------------------------------- writing


def exercise_line(exercise: Exercise) -> str:
    """An exercise as a line, without its end."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "id": exercise.id,
        "state": str(exercise.state),
        "objective": exercise.objective.value,
        "moves": [_without_none({**found._asdict(), "move": str(found.move)}) for found in exercise.moves],
    }
    if exercise.why:
        data["why"] = [_difference(found) for found in exercise.why]
    if exercise.against is not None:
        data["against"] = str(exercise.against)
    if exercise.maxim is not None:
        data["maxim"] = exercise.maxim
    if exercise.is_proven:
        data["proven"] = True
    data["rollouts"] = exercise.rollouts
    if exercise.played is not None:
        data["played"] = str(exercise.played)
    if exercise.grade is not None:
        data["grade"] = exercise.grade.value
    if exercise.origin is not None:
        data["from"] = exercise.origin._asdict()
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _difference(found: Difference) -> dict[str, Any]:
    data = {"topic": found.topic.value, "own": found.is_own, "points": found.points, "stderr": found.stderr}
    return _without_none(
        {**data, "best": found.best, "other": found.other, "held_up": found.held_up, "suffered": found.suffered}
    )


def _without_none(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value is not None}


def write_exercise_set(path: Path, exercises: Iterable[Exercise]) -> None:
    """Write a set in one step. Raises `SaveError`."""
    try:
        data = "".join(f"{exercise_line(exercise)}\n" for exercise in exercises).encode()
    except UnicodeEncodeError as error:
        raise SaveError(f"{path}: a name of a player or a file is no text ({error.reason})") from None
    write_atomically(path, data)


# ---------------------------------------------------------------- reading


def is_exercise_set(data: bytes) -> bool:
    """Whether the bytes of a file are to be a set of exercises: what their first line says, whole or not."""
    first = data.lstrip()[:200].partition(b"\n")[0]
    return b'"millebornes-exercise/' in first


def read_exercise_set(path: Path) -> tuple[Exercise, ...]:
    """All exercises of a file. Raises `NotationError` as `read_exercises` does, and `OSError`."""
    with path.open("rb") as stream:
        return tuple(read_exercises(stream, str(path)))


def read_exercises(lines: BinaryIO | Iterable[bytes], where: str = "exercises") -> Iterator[Exercise]:
    """The exercises of a set, line by line; blank lines mean nothing.

    Raises `NotationError` that names the file, the line and the field for whatever is no exercise, and for one that
    stands there twice.
    """
    seen: dict[str, int] = {}
    for number, line in enumerate(_lines(lines), 1):
        if not line.strip():
            continue
        place = f"{where}: line {number}"
        if number > MAX_COUNT:
            raise NotationError(f"{place}: a set holds at most {MAX_COUNT} exercises")
        exercise = read_exercise(line, place)
        before = seen.setdefault(exercise.id, number)
        if before != number:
            raise NotationError(f"{place}: id: {show(exercise.id)} is the exercise of line {before} already")
        yield exercise


def _lines(lines: BinaryIO | Iterable[bytes]) -> Iterator[bytes]:
    readline = getattr(lines, "readline", None)
    if readline is None:
        yield from lines
        return
    while line := readline(MAX_LINE + 1):
        yield line


def read_exercise(line: bytes | str, place: str = "exercise") -> Exercise:
    """The exercise of a line. Raises `NotationError`: ``place``, the field, what is wrong and what would be right."""
    data = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
    if len(data) > MAX_LINE:
        raise NotationError(f"{place}: longer than {MAX_LINE >> 10} KiB; an exercise is not")
    try:
        fields = Fields(place, "", read_object(data))
    except NotStrictError as error:
        raise NotationError(f"{place}: {_in_words(error)}") from None
    return _read(fields)


def _in_words(error: NotStrictError) -> str:
    match error.kind:
        case "syntax":
            said, at, _text = error.value
            return f"not JSON: {said} at column {at + 1}"
        case "twice":
            return f"the key {show(error.value)} stands twice in one object"
        case "kind":
            return f"{show(error.value)} is no JSON object; each line of a set of exercises is one"
        case "encoding":
            return f"not UTF-8: byte {error.value + 1} of the line"
    return "not JSON that every program would read alike (NaN, a number or nesting beyond measure, half a character)"


def _read(fields: Fields) -> Exercise:
    version = fields.text("format", 100)
    if version != FORMAT:
        raise fields.wrong("format", version, f"{FORMAT!r}, which is the one that this program reads")
    text = fields.text("state", 20_000)
    try:
        state = InformationState.parse(text)
        legal = {str(move): move for move in state.view.legal_moves}
    except MilleBornesError as error:
        raise fields.fault("state", str(error)) from None
    if len(legal) < 2:
        raise fields.fault("state", f"seat {state.seat} has nothing to decide there; an exercise is a decision")
    known = id_of(str(state))
    if fields.text("id", 100) != known:
        raise fields.wrong("id", fields.data["id"], f"{known!r}, as its information state makes it")
    maxim = fields.optional("maxim", lambda: fields.word("maxim", MAXIMS))
    found = Exercise(
        state=state,
        objective=Objective(fields.word("objective", [kind.value for kind in Objective])),
        moves=_read_moves(fields, legal),
        why=tuple(_read_difference(part) for part in fields.optional("why", lambda: fields.objects("why", 100)) or ()),
        against=fields.optional("against", lambda: legal[fields.word("against", legal)]),
        maxim=maxim,
        is_proven=fields.optional("proven", lambda: fields.flag("proven")) or False,
        rollouts=fields.optional("rollouts", lambda: fields.whole("rollouts", 0, 10**12)) or 0,
        played=fields.optional("played", lambda: legal[fields.word("played", legal)]),
        grade=fields.optional("grade", lambda: Grade(fields.word("grade", [grade.value for grade in Grade]))),
        origin=fields.optional("from", lambda: _read_origin(fields.object("from"))),
    )
    fields.finish()
    return found


def _read_moves(fields: Fields, legal: dict[str, Move]) -> tuple[MoveEstimate, ...]:
    moves: dict[str, MoveEstimate] = {}
    for part in fields.objects("moves", 1000):
        text = part.word("move", legal)
        if text in moves:
            raise part.fault("move", f"{show(text)} stands there twice")
        moves[text] = MoveEstimate(
            move=legal[text],
            value=part.number("value", -MOST, MOST),
            stderr=part.number("stderr", 0, MOST),
            win_hand=part.number("win_hand", 0, 1),
            win_match=part.optional("win_match", functools.partial(part.number, "win_match", 0, 1)),
            loss=part.number("loss", 0, MOST),
            loss_stderr=part.number("loss_stderr", 0, MOST),
            worlds=part.whole("worlds", 0, 10**12),
        )
        part.finish()
    missing = sorted(set(legal) - set(moves))
    if missing:
        raise fields.fault("moves", f"the legal move {missing[0]} is missing; all {len(legal)} have to be there")
    found = tuple(moves.values())
    if found[0].loss:
        raise fields.fault("moves", f"the first one loses {found[0].loss}; it has to be the best, which loses 0")
    return found


def _read_difference(part: Fields) -> Difference:
    found = Difference(
        topic=Topic(part.word("topic", [topic.value for topic in Topic])),
        is_own=part.flag("own"),
        points=part.number("points", -MOST, MOST),
        stderr=part.number("stderr", 0, MOST),
        best=part.number("best", -MOST, MOST),
        other=part.number("other", -MOST, MOST),
        held_up=part.optional("held_up", lambda: _read_pair(part.list("held_up", 2))),
        suffered=part.optional("suffered", lambda: _read_pair(part.list("suffered", 2))),
    )
    part.finish()
    return found


def _read_pair(pair: ListFields) -> tuple[float, float]:
    if len(pair.values) != 2:
        raise pair.fault(f"{len(pair.values)} numbers; it must be two, after the best and after the other move")
    return pair.number(0, 0, MOST), pair.number(1, 0, MOST)


def _read_origin(part: Fields) -> Origin:
    players = part.list("players", MOST_SEATS)
    found = Origin(
        file=part.text("file", LONGEST),
        hand=part.whole("hand", 1, 10**6),
        ply=part.whole("ply", 0, 10**6),
        players=tuple(players.text(n, LONGEST) for n in range(len(players.values))),
    )
    part.finish()
    return found


# ---------------------------------------------------------------- the shipped set


@functools.cache
def shipped_exercises() -> tuple[Exercise, ...]:
    """The set that comes with this package: instructive decisions of self-play (docs/practise.md)."""
    file = importlib.resources.files("millebornes.analysis").joinpath(SHIPPED)
    with file.open("rb") as stream:
        return tuple(read_exercises(stream, SHIPPED))
