"""A cache for the results of rollouts on disk, keyed by position and settings, with a limited size.

Each result is a file with a checksum in the platform's cache folder. The name of the file is a hash of everything that
affects the result. A damaged file counts as missing. If the files together are larger than `MAX_CACHE`, those that
haven't been used for the longest time are deleted.
"""

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import Any, Final

from millebornes._version import __version__
from millebornes.analysis.rollouts import RolledMove, Rollout, RolloutRun, Stop
from millebornes.errors import MALFORMED, SaveError
from millebornes.game import Move
from millebornes.kernels import store
from millebornes.storage.files import cache_folder, make_room, write_atomically

__all__ = ["MAX_CACHE", "RolloutCache"]

FORMAT: Final = "millebornes-rollout/1"
MAX_CACHE: Final = 64 << 20
"""The maximum total size of all results, in bytes."""
MIN_SIZE: Final = 4096
"""Each file counts for at least this many bytes."""
MAX_ENTRY: Final = 1 << 20
"""A larger file, in bytes, isn't a valid result."""
SUFFIX: Final = ".json"


class RolloutCache:
    """The cached results in a folder, which take up to ``room`` bytes. The default is the platform's cache folder.

    The methods raise no errors, because a program works without a cache.
    """

    def __init__(self, folder: Path | None = None, room: int = MAX_CACHE) -> None:
        self.folder: Final = cache_folder() / "rollouts" if folder is None else folder
        self._room: Final = room

    def find(self, run: RolloutRun) -> Rollout | None:
        """Return the saved result of the same rollout, or None."""
        path = self._path(run)
        if path is None:
            return None
        try:
            with path.open("rb") as stream:
                data = stream.read(MAX_ENTRY)
            checksum, _, body = data.partition(b"\n")
            if hashlib.sha256(body).hexdigest().encode() != checksum:
                return None
            found = _read(json.loads(body), run)
        except (OSError, *MALFORMED):
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return found

    def keep(self, run: RolloutRun) -> None:
        """Save the result of a rollout.

        If it was interrupted or stopped by the clock, it can't be repeated and isn't saved.
        """
        path = self._path(run)
        if path is None or run.stopped in (None, Stop.TIME):
            return
        body = json.dumps(_plain(run.found()), separators=(",", ":")).encode()
        with contextlib.suppress(OSError, SaveError):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_atomically(path, hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
            make_room(self.folder, self._room, smallest=MIN_SIZE)

    def _path(self, run: RolloutRun) -> Path | None:
        """Return the file for the result of a rollout, or None if it depends on a player from the user's own file."""
        if run.player is not None and ":" in run.player:
            return None
        stop: dict[str, Any] = run.stop._replace(worlds=run.stop.most, seconds=None)._asdict()
        decisive = {
            "program": [FORMAT, __version__, store.cache_folder.name if store.cache_folder else ""],
            "position": [type(run.position).__name__, str(run.position)],
            "objective": run.objective.value,
            "player": run.player,
            "seed": run.seed,
            "variance_reduction": run.variance_reduction,
            "stop": stop,
        }
        digest = hashlib.sha256(json.dumps(decisive, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()
        return self.folder / f"{digest[:40]}{SUFFIX}"


def _plain(found: Rollout) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "moves": [[move.move.text, *move[1:]] for move in found.moves],
        "worlds": found.worlds,
        "variance_ratio": found.variance_ratio,
        "stopped": None if found.stopped is None else found.stopped.value,
        "seconds": found.seconds,
    }


def _read(data: dict[str, Any], run: RolloutRun) -> Rollout:
    """Read the result of a rollout. Damaged data can raise any exception."""
    if data["format"] != FORMAT:
        raise ValueError
    moves = tuple(RolledMove(Move.parse(row[0]), *row[1:]) for row in data["moves"])
    if {move.move for move in moves} != set(run.moves):
        raise ValueError
    return Rollout(
        position=run.position,
        objective=run.objective,
        player=run.player,
        seed=run.seed,
        moves=moves,
        worlds=int(data["worlds"]),
        variance_ratio=data["variance_ratio"],
        stopped=Stop(data["stopped"]),
        seconds=float(data["seconds"]),
    )
