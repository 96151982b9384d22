"""Writing a data set: games of a plan into Parquet files, so many games in each, and a manifest of them."""

import dataclasses
import functools
import json
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

from millebornes._version import __version__
from millebornes.arena.executors import Workers, in_order, open_workers
from millebornes.arena.kernel_games import kernel_player
from millebornes.arena.report import Record
from millebornes.arena.run import FileKind, Run
from millebornes.arena.schedule import Plan, seed_value
from millebornes.data.description import FORMAT, describe
from millebornes.data.games import record_games
from millebornes.data.recording import follow
from millebornes.data.table import decision_table, file_bytes
from millebornes.editions import EDITIONS, edition
from millebornes.errors import MALFORMED, MilleBornesError, SaveError
from millebornes.storage.files import sweep, write_atomically

__all__ = ["Export", "ExportResults", "export_games", "manifest_of", "seed_of"]

MANIFEST: Final = ".manifest.json"
"""Ends the name of a manifest, which stands beside the folder: some readers want nothing in there but Parquet files."""
INSIDE: Final = "_manifest.json"
"""Where earlier versions kept it."""
QUICK_GAMES, SLOW_GAMES, MATCH_HANDS = 2000, 50, 10
"""Games in a file, of players with kernels and others; fewer where they are matches, of so many hands or so."""


class File(NamedTuple):
    """A file of the data set: its games from the first to the last, and what it holds."""

    first: int
    last: int
    hands: int
    decisions: int
    bytes: int


class _Written(NamedTuple):
    """What a worker returns: whole files, and the seconds that they took."""

    files: list[tuple[File, bytes]]
    seconds: float


@dataclasses.dataclass(frozen=True, kw_only=True)
class ExportResults(Record):
    """What an export has written."""

    folder: str
    """Where the files are."""
    players: tuple[str, ...]
    """The players as they are shown."""
    edition: str | None
    """The edition that was played, None for one without a name."""
    seats: int
    """Seats at the table."""
    sides: int
    """Sides that they form."""
    set: dict[str, Any]
    """The settings that differ from the edition; all of them for an edition of one's own."""
    match_target: int | None
    """The points that end a match; None for single hands."""
    seed: int | str
    """What the games follow from."""
    games: int
    """Games in all files: matches, or single hands."""
    hands: int
    """Hands in all files."""
    decisions: int
    """Rows in all files."""
    files: int
    """How many files there are."""
    bytes: int
    """How large they are together."""
    bytes_a_decision: float | None
    """The same by row; None without a row."""
    complete: bool
    """Whether all has been written that was asked for."""
    wall_s: float
    """What it took in all runs, in seconds."""


class Export(Run):
    """The games of a plan on their way into a folder.

    The manifest beside it (`manifest_of`) says what has been written; with ``resume`` the work goes on from it, also
    with more games than before. Which games a file holds, and what it says of them, depends on the plan and on
    ``file_games`` alone: not on how many workers there are, nor on interruptions.
    """

    kind: ClassVar[FileKind] = FileKind(FORMAT, "manifest of a data set", "manifest", "made_from")

    def __init__(self, plan: Plan, folder: Path, *, file_games: int | None = None, resume: bool = False) -> None:
        """Raises `SaveError` where the folder holds another data set, or this one without ``resume``."""
        super().__init__(manifest_of(folder))
        self.plan: Final = plan
        self.folder: Final = folder
        self.games: Final = plan.deals * plan.games_a_round
        """The games that are asked for, in whole rounds."""
        self.file_games: Final = file_games if file_games is not None else _usual(plan)
        self.files: Final[dict[int, File]] = {}
        """The files that have been written, by number from 0 on."""
        if type(self.file_games) is not int or self.file_games < 1:
            raise MilleBornesError(f"file_games: {file_games!r} must be a whole number from 1 on")
        try:
            folder.mkdir(exist_ok=True)
            found = [path.name for path in sorted(folder.glob("*.parquet"))]
        except OSError as error:
            raise SaveError(f"{folder}: cannot be made ({error.strerror or error})") from None
        manifest, inside = manifest_of(folder), folder / INSIDE
        kept = manifest.exists() or inside.exists()
        if kept and not resume:
            raise SaveError(f"{folder}: there is a data set already; --resume goes on with it")
        if found and not kept:
            raise SaveError(
                f"{folder}: holds {found[0]}, but there is no {manifest.name} beside the folder that says what it is; "
                "take another folder"
            )
        if inside.exists() and not manifest.exists():
            _move(inside, manifest)
        self.load()
        self.resumed: Final = sum(file.last - file.first + 1 for file in self.files.values())
        """How many games were there already."""

    @property
    def complete(self) -> bool:
        """Whether all has been written that was asked for."""
        return not self._missing

    @property
    def done(self) -> int:
        """How many games have been written."""
        return sum(file.last - file.first + 1 for file in self.files.values())

    def path(self, number: int) -> Path:
        """A file, by its number."""
        return self.folder / f"part-{number:06}.parquet"

    def work(self, workers: Workers) -> Generator[None, None, None]:
        """Write one file after the other."""
        sweep(self.folder)
        sweep(self.folder.parent, manifest_of(self.folder).name)
        self.save()
        task = functools.partial(_write_files, self.plan, self.file_games, self.games)
        for missing in _ranges(self._missing):
            for _, written in in_order(workers, task, missing.start, missing.stop):
                for file, data in written.files:
                    number = (file.first - 1) // self.file_games
                    write_atomically(self.path(number), data)
                    self.files[number] = file
                    yield

    # ------------------------------------------------------------------ the manifest

    def key(self) -> dict[str, Any]:
        """What the plan says, but for the number of games; also the program's version, which might play otherwise."""
        return self.plan.key() | {"file_games": self.file_games, "program": __version__}

    def difference(self, kept: Any, wanted: Any) -> str | None:
        """The first thing that differs, as it is there and here."""
        for name, value in wanted.items():
            was = kept[name]
            if was != value:
                if name == "rules":
                    name = next(field for field in value if was.get(field) != value[field])
                    was, value = was.get(name), value[name]
                return (
                    f"its {name} is {json.dumps(was, ensure_ascii=False)}, not {json.dumps(value, ensure_ascii=False)}"
                )
        return None

    def state(self) -> dict[str, Any]:
        """The files that have been written."""
        files = [{"file": self.path(number).name, **file._asdict()} for number, file in sorted(self.files.items())]
        return {"games": self.games, "complete": self.complete, "files": files}

    def restore(self, data: dict[str, Any]) -> None:
        """Take over the files that are there, whole, and of this plan's games; others are written again."""
        super().restore(data)
        files = [File(*(int(row[name]) for name in File._fields)) for row in data["files"]]
        kept = max((file.last for file in files), default=0)
        if kept > self.games:
            raise SaveError(f"{self.resume}: this data set has {kept} games already; ask for at least as many")
        for file in files:
            number = (file.first - 1) // self.file_games
            wanted = _games_of(number, self.file_games, self.games)
            if (file.first, file.last) == (wanted.start, wanted.stop - 1) and _size_of(self.path(number)) == file.bytes:
                self.files[number] = file

    def results(self) -> ExportResults:
        """What has been written."""
        rules = self.plan.rules
        files = self.files.values()
        decisions, size = sum(file.decisions for file in files), sum(file.bytes for file in files)
        return ExportResults(
            folder=str(self.folder),
            players=self.plan.names,
            edition=rules.edition,
            seats=rules.seats,
            sides=rules.sides,
            set=edition(rules.edition).differences(rules) if rules.edition in EDITIONS else rules.settings(),
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

    def report(self) -> dict[str, Any]:
        """The same as plain data."""
        return self.results().to_dict()

    @property
    def _missing(self) -> list[int]:
        """The numbers of files that are yet to be written."""
        return [number for number in range(-(-self.games // self.file_games)) if number not in self.files]


def export_games(
    plan: Plan,
    folder: Path,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    file_games: int | None = None,
    resume: bool = False,
) -> ExportResults:
    """Write the games of a plan into a folder, in one call. Raises as `Export` and `open_workers` do."""
    export = Export(plan, folder, file_games=file_games, resume=resume)
    with open_workers(jobs, cluster) as workers:
        export.run(workers)
    return export.results()


def manifest_of(folder: Path) -> Path:
    """Return where the manifest of a folder's data set is: beside the folder, as ``FOLDER.manifest.json``."""
    whole = folder.absolute()
    whole = whole if whole.name not in ("", "..") else whole.resolve()
    return folder / INSIDE if not whole.name else whole.with_name(whole.name + MANIFEST)


def seed_of(folder: Path) -> str | None:
    """The seed of the data set in a folder; None where there is none, or none that can be read."""
    for manifest in (manifest_of(folder), folder / INSIDE):
        try:
            found = json.loads(manifest.read_bytes())[Export.kind.key]["seed"]
        except (OSError, *MALFORMED):
            continue
        return found if isinstance(found, str) else None
    return None


def _move(inside: Path, manifest: Path) -> None:
    """Take a manifest of an earlier version out of its folder."""
    try:
        write_atomically(manifest, inside.read_bytes())
        inside.unlink()
    except OSError as error:
        raise SaveError(f"{inside}: cannot be moved to {manifest} ({error.strerror or error})") from None


def _usual(plan: Plan) -> int:
    """How many games a file has where nobody says."""
    is_quick = all(kernel_player(name, plan) is not None for team in plan.teams for name in team)
    games = QUICK_GAMES if is_quick else SLOW_GAMES
    return games if plan.match_target is None else games // MATCH_HANDS


def _games_of(number: int, file_games: int, games: int) -> range:
    """The games of a file, of so many in all."""
    return range(number * file_games + 1, min((number + 1) * file_games, games) + 1)


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _ranges(numbers: list[int]) -> list[range]:
    """Sorted numbers as ranges without gaps."""
    found: list[range] = []
    for number in numbers:
        if found and found[-1].stop == number:
            found[-1] = range(found[-1].start, number + 1)
        else:
            found.append(range(number, number + 1))
    return found


def _write_files(plan: Plan, file_games: int, games: int, numbers: range) -> _Written:
    """What a worker does: play the games of some files, and make the files of them."""
    start = time.perf_counter()
    files = []
    for number in numbers:
        recording = record_games(plan, wanted := _games_of(number, file_games, games))
        table = decision_table(recording, follow(plan.rules, recording.hands, recording.firsts))
        data = file_bytes(table, describe(plan, wanted, recording.lost)).to_pybytes()
        files.append((File(wanted[0], wanted[-1], recording.hands.size, len(table), len(data)), data))
    return _Written(files, time.perf_counter() - start)
