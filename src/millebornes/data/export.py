"""Write a data set: Parquet files with a fixed number of games in each, and a manifest."""

import dataclasses
import functools
import json
from collections.abc import Generator
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

from millebornes._version import __version__
from millebornes.arena.executors import Workers, in_order
from millebornes.arena.kernel_games import kernel_player
from millebornes.arena.report import Record
from millebornes.arena.run import FileKind, Run
from millebornes.arena.schedule import Plan, seed_value
from millebornes.data.description import FORMAT, describe
from millebornes.data.recording import record_games, replay_hands
from millebornes.data.table import decision_table, file_bytes
from millebornes.errors import MALFORMED, MilleBornesError, SaveError
from millebornes.storage.files import sweep, write_atomically

MANIFEST: Final = ".manifest.json"
"""The suffix of a manifest's name. It is beside the folder, because some readers accept only Parquet files in it."""
QUICK_GAMES, SLOW_GAMES, MATCH_HANDS = 2000, 50, 10
"""The default number of games per file if all players have kernels, and if not. A match counts as several games."""


class File(NamedTuple):
    """A file of the data set: its first and last game, and its numbers of hands, decisions and bytes."""

    first: int
    last: int
    hands: int
    decisions: int
    bytes: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class ExportResults(Record):
    """A summary of an export, in which numbers are totals over all files.

    ``set`` contains the settings that differ from the edition's, or all settings for a custom edition, which has None
    as its ``edition``. The ``match_target`` is None for single hands, and ``bytes_a_decision`` if there are no rows.
    ``complete`` is whether all requested games have been written, and ``wall_s`` the time of all runs in seconds.
    """

    folder: str
    players: tuple[str, ...]
    edition: str | None
    seats: int
    sides: int
    set: dict[str, Any]
    match_target: int | None
    seed: int | str
    games: int
    hands: int
    decisions: int
    files: int
    bytes: int
    bytes_a_decision: float | None
    complete: bool
    wall_s: float


class Export(Run):
    """An export of the games of a plan into a folder.

    The manifest beside the folder (`manifest_of`) lists the files that have been written. With ``resume``, the export
    continues after these files, even if you ask for more games than before. The contents of a file depend only on the
    plan and ``file_games``, not on the number of workers or on interruptions.
    """

    kind: ClassVar[FileKind] = FileKind(FORMAT, "manifest of a data set", "manifest", "made_from")

    def __init__(self, plan: Plan, folder: Path, *, file_games: int | None = None, resume: bool = False) -> None:
        """Raises `SaveError` if the folder contains another data set, or this one and ``resume`` is false."""
        super().__init__(manifest_of(folder))
        self.plan: Final = plan
        self.folder: Final = folder
        self.games: Final = plan.deals * plan.games_a_round
        """The number of requested games, rounded up to complete rounds."""
        self.file_games: Final = file_games if file_games is not None else _usual(plan)
        self.files: Final[dict[int, File]] = {}
        """The files that have been written, by their number from 0."""
        if type(self.file_games) is not int or self.file_games < 1:
            raise MilleBornesError(
                f"file_games: {file_games!r} is not allowed; it must be a whole number of at least 1"
            )
        try:
            folder.mkdir(exist_ok=True)
            names = [path.name for path in sorted(folder.glob("*.parquet"))]
        except OSError as error:
            raise SaveError(f"{folder}: cannot be created ({error.strerror or error})") from None
        manifest = manifest_of(folder)
        if manifest.exists() and not resume:
            raise SaveError(f"{folder}: this folder already contains a data set; --resume continues it")
        if names and not manifest.exists():
            raise SaveError(
                f"{folder}: this contains {names[0]}, but there is no {manifest.name} beside the folder to describe "
                "it; use another folder"
            )
        self.load()

    @property
    def complete(self) -> bool:
        """Whether all requested games have been written."""
        return not self._missing

    @property
    def done(self) -> int:
        """The number of games that have been written so far."""
        return sum(file.last - file.first + 1 for file in self.files.values())

    def path(self, number: int) -> Path:
        """Return the path of a file, given its number."""
        return self.folder / f"part-{number:06}.parquet"

    def work(self, workers: Workers) -> Generator[None, None, None]:
        """Write the missing files one by one."""
        sweep(self.folder)
        sweep(self.folder.parent, manifest_of(self.folder).name)
        self.save()
        task = functools.partial(_write_files, self.plan, self.file_games, self.games)
        for missing in _ranges(self._missing):
            for _, written in in_order(workers, task, missing.start, missing.stop):
                for file, data in written:
                    number = (file.first - 1) // self.file_games
                    write_atomically(self.path(number), data)
                    self.files[number] = file
                    yield

    def key(self) -> dict[str, Any]:
        """Return the plan without the number of games, but with the program's version, which might play differently."""
        return self.plan.key() | {"file_games": self.file_games, "program": __version__}

    def difference(self, kept: Any, wanted: Any) -> str | None:
        """Return the first difference between two keys in words, with both values, or None if they are the same."""
        return self.first_difference(kept, wanted)

    def state(self) -> dict[str, Any]:
        """Return the list of written files as plain data."""
        files = [{"file": self.path(number).name, **file._asdict()} for number, file in sorted(self.files.items())]
        return {"games": self.games, "complete": self.complete, "files": files}

    def restore(self, data: dict[str, Any]) -> None:
        """Keep the existing files that are complete and belong to this plan. All other files are written again."""
        super().restore(data)
        files = [File(*(int(row[name]) for name in File._fields)) for row in data["files"]]
        last = max((file.last for file in files), default=0)
        if last > self.games:
            raise SaveError(f"{self.resume}: this data set already has {last} games; ask for at least that many")
        for file in files:
            number = (file.first - 1) // self.file_games
            wanted = _games_of(number, self.file_games, self.games)
            if (file.first, file.last) == (wanted.start, wanted.stop - 1) and _size_of(self.path(number)) == file.bytes:
                self.files[number] = file

    def report(self) -> dict[str, Any]:
        """Return the results as plain data."""
        return self.results().to_dict()

    def results(self) -> ExportResults:
        """Return a summary of the files written so far."""
        rules = self.plan.rules
        files = self.files.values()
        decisions, size = sum(file.decisions for file in files), sum(file.bytes for file in files)
        return ExportResults(
            folder=str(self.folder),
            players=self.plan.names,
            edition=rules.edition,
            seats=rules.seats,
            sides=rules.sides,
            set=self.plan.changed_settings,
            match_target=self.plan.match_target,
            seed=seed_value(self.plan.seed),
            games=self.done,
            hands=sum(file.hands for file in files),
            decisions=decisions,
            files=len(files),
            bytes=size,
            bytes_a_decision=round(size / decisions, 2) if decisions else None,
            complete=self.complete,
            wall_s=round(self.seconds, 3),
        )

    @property
    def _missing(self) -> list[int]:
        return [number for number in range(-(-self.games // self.file_games)) if number not in self.files]


def manifest_of(folder: Path) -> Path:
    """Return the path of the manifest that belongs to a data set's folder: ``FOLDER.manifest.json``, beside it."""
    whole = folder.absolute()
    whole = whole if whole.name not in ("", "..") else whole.resolve()
    return whole.with_name(whole.name + MANIFEST) if whole.name else whole / MANIFEST


def seed_of(folder: Path) -> str | None:
    """Return the seed of the data set in a folder, or None if the folder has no readable data set."""
    try:
        seed = json.loads(manifest_of(folder).read_bytes())[Export.kind.key]["seed"]
    except (OSError, *MALFORMED):
        return None
    return seed if isinstance(seed, str) else None


def _usual(plan: Plan) -> int:
    is_quick = all(kernel_player(name, plan) is not None for team in plan.teams for name in team)
    games = QUICK_GAMES if is_quick else SLOW_GAMES
    return games if plan.match_target is None else games // MATCH_HANDS


def _games_of(number: int, file_games: int, games: int) -> range:
    return range(number * file_games + 1, min((number + 1) * file_games, games) + 1)


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _ranges(numbers: list[int]) -> list[range]:
    ranges: list[range] = []
    for number in numbers:
        if ranges and ranges[-1].stop == number:
            ranges[-1] = range(ranges[-1].start, number + 1)
        else:
            ranges.append(range(number, number + 1))
    return ranges


def _write_files(plan: Plan, file_games: int, games: int, numbers: range) -> list[tuple[File, bytes]]:
    files = []
    for number in numbers:
        recording = record_games(plan, wanted := _games_of(number, file_games, games))
        table = decision_table(recording, replay_hands(plan.rules, recording.hands))
        data = file_bytes(table, describe(plan, wanted, recording.lost)).to_pybytes()
        files.append((File(wanted[0], wanted[-1], recording.hands.size, len(table), len(data)), data))
    return files
