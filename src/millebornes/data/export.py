"""Write a data set: Parquet files with a fixed number of games in each, and a manifest."""

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
"""The suffix of a manifest's name.

The manifest is beside the folder, because some readers accept only Parquet files in it.
"""
INSIDE: Final = "_manifest.json"
"""The name of the manifest in data sets from earlier versions, which put it inside the folder."""
QUICK_GAMES, SLOW_GAMES, MATCH_HANDS = 2000, 50, 10
"""The default number of games per file if all players have kernels, and if not.

A match counts as about ``MATCH_HANDS`` games.
"""


class File(NamedTuple):
    """A file of the data set: its first and last game, and its numbers of hands, decisions and bytes."""

    first: int
    last: int
    hands: int
    decisions: int
    bytes: int


class _Written(NamedTuple):
    """The result of a worker: the files that it has written, and the seconds it took."""

    files: list[tuple[File, bytes]]
    seconds: float


@dataclasses.dataclass(frozen=True, kw_only=True)
class ExportResults(Record):
    """A summary of an export."""

    folder: str
    """The folder that contains the files."""
    players: tuple[str, ...]
    """The names of the players, as shown to people."""
    edition: str | None
    """The name of the edition, or None if it has no name."""
    seats: int
    """The number of seats at the table."""
    sides: int
    """The number of sides."""
    set: dict[str, Any]
    """The settings that differ from the edition's, or all settings for a custom edition."""
    match_target: int | None
    """The number of points that end a match, or None for single hands."""
    seed: int | str
    """The seed from which all games follow."""
    games: int
    """The number of games in all files. Games are matches or single hands."""
    hands: int
    """The number of hands in all files."""
    decisions: int
    """The number of rows in all files."""
    files: int
    """The number of files."""
    bytes: int
    """The total size of the files in bytes."""
    bytes_a_decision: float | None
    """The average size of a row in bytes, or None if there are no rows."""
    complete: bool
    """Whether all requested games have been written."""
    wall_s: float
    """The total time of all runs, in seconds."""


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
            found = [path.name for path in sorted(folder.glob("*.parquet"))]
        except OSError as error:
            raise SaveError(f"{folder}: cannot be created ({error.strerror or error})") from None
        manifest, inside = manifest_of(folder), folder / INSIDE
        kept = manifest.exists() or inside.exists()
        if kept and not resume:
            raise SaveError(f"{folder}: this folder already contains a data set; --resume continues it")
        if found and not kept:
            raise SaveError(
                f"{folder}: this contains {found[0]}, but there is no {manifest.name} beside the folder to describe "
                "it; use another folder"
            )
        if inside.exists() and not manifest.exists():
            _move(inside, manifest)
        self.load()
        self.resumed: Final = sum(file.last - file.first + 1 for file in self.files.values())
        """The number of games that were in the folder already."""

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
                for file, data in written.files:
                    number = (file.first - 1) // self.file_games
                    write_atomically(self.path(number), data)
                    self.files[number] = file
                    yield

    # ------------------------------------------------------------------ the manifest

    def key(self) -> dict[str, Any]:
        """Return the plan without the number of games, but with the version of the program.

        Another version might play differently.
        """
        return self.plan.key() | {"file_games": self.file_games, "program": __version__}

    def difference(self, kept: Any, wanted: Any) -> str | None:
        """Return the first difference between two keys in words, with both values, or None if they are the same."""
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
        """Return the list of written files as plain data."""
        files = [{"file": self.path(number).name, **file._asdict()} for number, file in sorted(self.files.items())]
        return {"games": self.games, "complete": self.complete, "files": files}

    def restore(self, data: dict[str, Any]) -> None:
        """Keep the existing files that are complete and belong to this plan. All other files are written again."""
        super().restore(data)
        files = [File(*(int(row[name]) for name in File._fields)) for row in data["files"]]
        kept = max((file.last for file in files), default=0)
        if kept > self.games:
            raise SaveError(f"{self.resume}: this data set already has {kept} games; ask for at least that many")
        for file in files:
            number = (file.first - 1) // self.file_games
            wanted = _games_of(number, self.file_games, self.games)
            if (file.first, file.last) == (wanted.start, wanted.stop - 1) and _size_of(self.path(number)) == file.bytes:
                self.files[number] = file

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
        """Return a summary of the files written so far as plain data."""
        return self.results().to_dict()

    @property
    def _missing(self) -> list[int]:
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
    """Write the games of a plan to a folder and return a summary.

    Raises the same errors as `Export` and `open_workers`.
    """
    export = Export(plan, folder, file_games=file_games, resume=resume)
    with open_workers(jobs, cluster) as workers:
        export.run(workers)
    return export.results()


def manifest_of(folder: Path) -> Path:
    """Return the path of the manifest that belongs to a data set's folder.

    The manifest is beside the folder: ``FOLDER.manifest.json``.
    """
    whole = folder.absolute()
    whole = whole if whole.name not in ("", "..") else whole.resolve()
    return folder / INSIDE if not whole.name else whole.with_name(whole.name + MANIFEST)


def seed_of(folder: Path) -> str | None:
    """Return the seed of the data set in a folder, or None if the folder has no readable data set."""
    for manifest in (manifest_of(folder), folder / INSIDE):
        try:
            found = json.loads(manifest.read_bytes())[Export.kind.key]["seed"]
        except (OSError, *MALFORMED):
            continue
        return found if isinstance(found, str) else None
    return None


def _move(inside: Path, manifest: Path) -> None:
    """Move a manifest that an earlier version wrote inside the folder to its place beside the folder."""
    try:
        write_atomically(manifest, inside.read_bytes())
        inside.unlink()
    except OSError as error:
        raise SaveError(f"{inside}: cannot be moved to {manifest} ({error.strerror or error})") from None


def _usual(plan: Plan) -> int:
    """Return the default number of games per file."""
    is_quick = all(kernel_player(name, plan) is not None for team in plan.teams for name in team)
    games = QUICK_GAMES if is_quick else SLOW_GAMES
    return games if plan.match_target is None else games // MATCH_HANDS


def _games_of(number: int, file_games: int, games: int) -> range:
    """Return the numbers of the games in a file. ``games`` is the total number of games in the data set."""
    return range(number * file_games + 1, min((number + 1) * file_games, games) + 1)


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _ranges(numbers: list[int]) -> list[range]:
    """Return sorted numbers as a list of ranges without gaps."""
    found: list[range] = []
    for number in numbers:
        if found and found[-1].stop == number:
            found[-1] = range(found[-1].start, number + 1)
        else:
            found.append(range(number, number + 1))
    return found


def _write_files(plan: Plan, file_games: int, games: int, numbers: range) -> _Written:
    """Play the games for some of the files, and return the written files. Workers call this function."""
    start = time.perf_counter()
    files = []
    for number in numbers:
        recording = record_games(plan, wanted := _games_of(number, file_games, games))
        table = decision_table(recording, follow(plan.rules, recording.hands, recording.firsts))
        data = file_bytes(table, describe(plan, wanted, recording.lost)).to_pybytes()
        files.append((File(wanted[0], wanted[-1], recording.hands.size, len(table), len(data)), data))
    return _Written(files, time.perf_counter() - start)
