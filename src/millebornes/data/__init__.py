"""Data sets: games as Parquet files with one row per decision. They need pyarrow, from the extra `data`."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from millebornes.arena.schedule import Plan
from millebornes.data.columns import Column, data_columns
from millebornes.editions import Rules
from millebornes.errors import MilleBornesError

if TYPE_CHECKING:
    from millebornes.data.export import ExportResults
    from millebornes.data.reading import RecordedGame
    from millebornes.envs.trajectories import Trajectories

__all__ = [
    "Column",
    "check_pyarrow",
    "data_columns",
    "data_schema",
    "export_games",
    "read_games",
    "read_trajectories",
]


def check_pyarrow() -> None:
    """Raise `MilleBornesError` if pyarrow isn't installed."""
    if importlib.util.find_spec("pyarrow") is None:
        raise MilleBornesError("Parquet files need the extra 'data': pip install 'millebornes[data]'")


def data_schema(rules: Rules) -> Any:
    """Return the `pyarrow.Schema` of a data set with these rules. `data_columns` describes the columns."""
    check_pyarrow()
    from millebornes.data.table import schema_of

    return schema_of(rules)


def export_games(
    plan: Plan,
    folder: str | Path,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    file_games: int | None = None,
    resume: bool = False,
) -> "ExportResults":
    """Play the games of a plan and write them into a folder, with ``file_games`` games in each file.

    With ``resume``, only the missing files are written. The work is shared by ``jobs`` processes, or by the workers of
    a Dask scheduler at ``cluster``. Raises `MilleBornesError` if pyarrow is missing, `SaveError` if the folder can't be
    written or contains another data set, and `PlayerError` if a player doesn't exist.
    """
    check_pyarrow()
    from millebornes.arena.executors import open_workers
    from millebornes.data.export import Export

    export = Export(plan, Path(folder), file_games=file_games, resume=resume)
    with open_workers(jobs, cluster) as workers:
        export.run(workers)
    return export.results()


def read_games(path: str | Path, game: int | None = None) -> Iterator["RecordedGame"]:
    """Yield the games in a file or a folder as transcripts. With ``game``, yield only the game with that number.

    Every row is checked. Raises `MilleBornesError` if pyarrow is missing, and `TranscriptError` if a file is damaged or
    isn't a data set.
    """
    check_pyarrow()
    from millebornes.data import reading

    return reading.read_games(Path(path), game)


def read_trajectories(path: str | Path) -> "Trajectories":
    """Return all decisions of finished hands in a file or a folder, from which you can make observations and masks.

    The hands are numbered from 0 in the order in which they are read. Raises the same errors as `read_games`.
    """
    check_pyarrow()
    from millebornes.data import reading

    return reading.read_trajectories(Path(path))
