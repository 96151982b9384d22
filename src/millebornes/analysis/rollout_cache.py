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
from typing import Final

from millebornes._version import __version__
from millebornes.analysis.rollouts import RolledMove, Rollout, RolloutRun, Stop
from millebornes.errors import MALFORMED, SaveError
from millebornes.game import Move
from millebornes.kernels import store
from millebornes.storage.files import cache_folder, make_room, write_atomically

__all__ = ["RolloutCache"]

FORMAT: Final = "millebornes-rollout/2"
MAX_CACHE: Final = 64 << 20
"""The maximum total size of all results, in bytes."""
MIN_SIZE: Final = 4096
"""Each file counts for at least this many bytes."""


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
            checksum, _, body = path.read_bytes().partition(b"\n")
            if hashlib.sha256(body).hexdigest().encode() != checksum:
                return None
            data = json.loads(body)
            moves = tuple(RolledMove(Move.parse(row[0]), *row[1:]) for row in data["moves"])
            found = run.result(**{**data, "moves": moves, "stopped": Stop(data["stopped"])})
        except (OSError, *MALFORMED):
            return None
        with contextlib.suppress(OSError):  # the folder may be read-only, or another program may have removed the file
            os.utime(path)
        return found

    def keep(self, run: RolloutRun) -> None:
        """Save the result of a rollout.

        If it was interrupted or stopped by the clock, it can't be repeated and isn't saved.
        """
        path = self._path(run)
        if path is None or run.stopped in (None, Stop.TIME):
            return
        found = run.found()
        data = {
            "moves": [[move.move.text, *move[1:]] for move in found.moves],
            "worlds": found.worlds,
            "variance_ratio": found.variance_ratio,
            "stopped": run.stopped.value,
            "seconds": found.seconds,
        }
        body = json.dumps(data).encode()
        with contextlib.suppress(OSError, SaveError):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_atomically(path, hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
            make_room(self.folder, self._room, smallest=MIN_SIZE)

    def _path(self, run: RolloutRun) -> Path | None:
        """Return the file for the result of a rollout, or None if it depends on a player from the user's own file."""
        if run.player is not None and ":" in run.player:
            return None
        decisive = [
            [FORMAT, __version__, store.cache_folder.name if store.cache_folder else ""],
            [type(run.position).__name__, str(run.position)],
            run.objective.value,
            run.player,
            run.seed,
            run.variance_reduction,
            run.stop._replace(worlds=run.stop.most, seconds=None),
        ]
        digest = hashlib.sha256(json.dumps(decisive).encode("utf-8", "surrogatepass")).hexdigest()
        return self.folder / f"{digest[:40]}.json"
