"""A player's own mistakes, collected from the matches that they have played."""

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from millebornes._version import __version__
from millebornes.analysis.exercises.exercise import Exercise, exercises_of
from millebornes.analysis.exercises.exercise_sets import FORMAT, read_exercise_set, write_exercise_set
from millebornes.analysis.match_review import Review
from millebornes.errors import NotationError, SaveError
from millebornes.game import Match
from millebornes.notation import Transcript, hand_line, header_line, read_transcript
from millebornes.player_names import HUMAN, OWN_PREFIXES
from millebornes.players import PLAYERS
from millebornes.storage.practise import practise_folder, set_aside

MAX_COLLECTED: Final = 1000
"""The maximum number of mistakes to keep. The oldest mistakes are dropped first."""

MAX_REVIEWS: Final = 200
"""The maximum number of matches whose reviews are kept, so that no match is reviewed twice.

The reviews that haven't been used for the longest time are dropped first.
"""

COLLECTED: Final = "mistakes.jsonl"
REVIEWS: Final = "reviews"


class CollectedMatch(NamedTuple):
    """A match from a file: its ``name``, and the seats of its people.

    If the file doesn't name them, all seats count.
    """

    name: str
    match: Match
    people: tuple[int, ...]


def read_played(path: Path) -> CollectedMatch:
    """Return the match from a transcript or a saved game.

    Raises `TranscriptError`, or `OSError` if it can't be read.
    """
    with path.open("rb") as stream:
        transcript = read_transcript(stream, str(path))
    return CollectedMatch(path.name, transcript.match, people_of(transcript))


def people_of(transcript: Transcript) -> tuple[int, ...]:
    """Return the seats in which people played.

    A saved game lists these seats. In other files, they are the seats whose names don't belong to a computer player. If
    there are no such seats, all seats are returned.
    """
    match, seats = transcript.match, range(transcript.match.rules.seats)
    save = transcript.extra.get("save")
    kinds = save.get("seats") if isinstance(save, dict) else None
    if isinstance(kinds, list) and len(kinds) == len(seats) and HUMAN in kinds:
        return tuple(seat for seat in seats if kinds[seat] == HUMAN)
    named = [seat for seat in seats if match.players and not _is_player(match.players[seat])]
    return tuple(named or seats)


def _is_player(name: str) -> bool:
    """Return whether a name belongs to a computer player. The name may end with a number, as in ``basic#2``."""
    return name.partition("#")[0] in PLAYERS or name.startswith(OWN_PREFIXES)


def seat_named(played: CollectedMatch, wanted: str) -> int:
    """Return the seat that has this number (counted from 1) or this name.

    If there is no such seat, raises `NotationError`, which lists the seats.
    """
    seats, names = played.match.rules.seats, played.match.players
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 4 and 1 <= int(wanted) <= seats:
        return int(wanted) - 1
    matching = [seat for seat, name in enumerate(names) if name.casefold() == wanted.casefold()]
    if len(matching) == 1:
        return matching[0]
    who = f"the names are {', '.join(names)}" if names else "none of them has a name"
    raise NotationError(f"{played.name}: there is no seat {wanted!r}; seats are numbered 1 to {seats}, and {who}")


# ---------------------------------------------------------------- reviews


def mistakes_in(
    played: CollectedMatch, judge: Callable[[Match], Review], folder: Path | None = None
) -> tuple[Exercise, ...]:
    """Return the mistakes that all seats made in a match. Call ``judge`` only if the match hasn't been reviewed before.

    The results are saved in ``folder``, by default the folder with the player's practice progress. Raises any exception
    that ``judge`` raises.
    """
    folder = (practise_folder() if folder is None else folder) / REVIEWS
    path = folder / f"{_digest(played)}.jsonl"
    with contextlib.suppress(OSError, NotationError):  # the result is missing or damaged: review the match again
        stored = read_exercise_set(path)
        path.touch()
        return stored
    exercises = exercises_of(judge(played.match), file=played.name)
    with contextlib.suppress(SaveError, OSError):  # if the result can't be saved, only time is lost
        folder.mkdir(parents=True, exist_ok=True)
        write_exercise_set(path, exercises)
        _forget_oldest(folder)
    return exercises


def _digest(played: CollectedMatch) -> str:
    """Return a key made from the cards, the moves and the version of the program, ignoring an unfinished hand."""
    match = played.match
    over = [hand for hand in match.hands if hand.is_over]
    lines = [header_line(match.rules, match.players, match.match_target)]
    lines += [hand_line(hand, number) for number, hand in enumerate(over, 1)]
    text = "\n".join([FORMAT, __version__, played.name, *lines])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _forget_oldest(folder: Path) -> None:
    oldest_first = sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
    for path in oldest_first[:-MAX_REVIEWS]:
        path.unlink(missing_ok=True)


# ---------------------------------------------------------------- the collection


def collected(folder: Path | None = None) -> tuple[tuple[Exercise, ...], str]:
    """Return all collected mistakes, oldest first, and a message if their file was damaged (otherwise "").

    A damaged file is renamed. Raises `SaveError` if the file can't be read.
    """
    path = (practise_folder() if folder is None else folder) / COLLECTED
    try:
        return read_exercise_set(path), ""
    except FileNotFoundError:
        return (), ""
    except OSError as error:
        raise SaveError(f"{path}: cannot be read ({error.strerror or error})") from None
    except NotationError as error:
        return (), f"{error}; a new collection has been started, and the old file is kept as {set_aside(path)}"


def collect(known: Sequence[Exercise], new: Iterable[Exercise], folder: Path | None = None) -> tuple[Exercise, ...]:
    """Add new mistakes to the ``known`` mistakes, save all of them, and return them. Raises `SaveError`."""
    folder = practise_folder() if folder is None else folder
    by_id = {exercise.id: exercise for exercise in known}
    added = [exercise for exercise in new if exercise.id not in by_id]
    if not added:
        return tuple(known)
    latest = tuple({**by_id, **{exercise.id: exercise for exercise in added}}.values())[-MAX_COLLECTED:]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SaveError(f"{folder}: cannot be created ({error.strerror or error})") from None
    write_exercise_set(folder / COLLECTED, latest)
    return latest
