"""Data sets: games as Parquet files, a row a decision, written and read back.

What reads and writes them needs pyarrow, which the extra `data` brings.
"""

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
    """Raises `MilleBornesError` where pyarrow is missing."""
    if importlib.util.find_spec("pyarrow") is None:
        raise MilleBornesError("Parquet files need the extra 'data': pip install 'millebornes[data]'")


def data_schema(rules: Rules) -> Any:
    """The `pyarrow.Schema` of a table's data sets; `data_columns` says what its columns mean."""
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
    """Play the games of a plan and write them into a folder, so many in a file; with ``resume``, what is missing.

    ``jobs`` processes work at a time, or the workers of a Dask scheduler at ``cluster``. Raises `MilleBornesError`
    without pyarrow, `SaveError` for a folder that cannot be written or holds another data set, `PlayerError`.
    """
    check_pyarrow()
    from millebornes.data import export

    return export.export_games(plan, Path(folder), jobs=jobs, cluster=cluster, file_games=file_games, resume=resume)


def read_games(path: str | Path, game: int | None = None) -> Iterator["RecordedGame"]:
    """The games of a file or a folder as transcripts, or only the one with a number; every row is checked.

    Raises `MilleBornesError` without pyarrow, `TranscriptError` for files that are damaged or of another kind.
    """
    check_pyarrow()
    from millebornes.data import reading

    return reading.read_games(Path(path), game)


def read_trajectories(path: str | Path) -> "Trajectories":
    """All decisions of finished hands of a file or a folder, from which observations and masks are made.

    Hands are numbered from 0 as they are read. Raises as `read_games` does.
    """
    check_pyarrow()
    from millebornes.data import reading

    return reading.read_trajectories(Path(path))
