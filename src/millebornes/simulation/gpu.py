"""Batches of kernel players on a CUDA device: the same games as on a processor, a game a thread.

Needs the extra ``gpu``. With ``NUMBA_ENABLE_CUDASIM=1`` in the environment Numba simulates a device, slowly.
"""

import contextlib
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from millebornes.editions import Rules
from millebornes.errors import DeviceError, PlayerError
from millebornes.policies.batch import Batch, KernelPlayer, checked_lineups, plays_ranked, seats_of
from millebornes.policies.choosing import NET
from millebornes.policies.features import LOOKUPS, lookups_for
from millebornes.policies.random_play import ranks_for
from millebornes.rules.device import is_simulated
from millebornes.rules.engine import engine_for
from millebornes.rules.state import TABLES
from millebornes.rules.tables import tables_for

__all__ = ["device_name", "play_batch_gpu"]

WORD: Final = (1 << 64) - 1
THREADS: Final = 128
"""Threads in a block."""
TASKS: Final = 1 << 20
"""Games that are started at once: enough for every device, and their points for few hundred megabytes at most."""
SIMULATED: Final = 1, 2
"""Blocks and threads of a simulated device, which plays no faster by more."""


def device_name() -> str:
    """What the CUDA device in use is called. Raises `DeviceError` where there is none, or nothing to use it with."""
    cuda = _cuda()
    if is_simulated():
        return "Numba's simulator"
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def play_batch_gpu(
    rules: Rules,
    players: Sequence[KernelPlayer],
    lineups: Sequence[Sequence[int]] | None = None,
    games: int = 1,
    *,
    seed: int = 0,
    begin: int = 0,
    match_target: int | None = None,
    streams: bool = True,
) -> Batch:
    """What `millebornes.policies.batch.play_batch` plays for the same arguments, on a CUDA device.

    All players that it takes but nets. The first batch of a process compiles kernels for some ten seconds, or a minute
    for others than random players. Raises `DeviceError` where a device is missing or fails, `PlayerError` for nets and
    wrong line-ups, and `ArgumentError` for arguments of another kind.
    """
    lines = np.array(checked_lineups(rules, players, lineups), np.int64).reshape(-1, rules.seats)
    if any(player.who == NET for player in players):
        raise PlayerError("nets do not play on a device; random, basic, maxims and the levels do")
    cuda = _cuda()
    points = np.zeros((games, len(lines), rules.sides), np.int64)
    counts = np.zeros(2, np.int64)
    is_random = plays_ranked(rules, players, match_target)
    repeated = len(lines) if is_random else 1  # whoever sits where, random players play on in the same way
    if not points.size:
        return Batch(points, 0, 0)
    with _failures("the CUDA device failed"), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Grid size .*")  # of small batches
        if is_random:
            found = np.zeros((games, rules.sides), np.int64) if len(lines) > 1 else points[:, 0]
            _Launch(cuda, rules, streams, seed, 0).ranked(begin, found, counts)
            if len(lines) > 1:
                points[:] = found[:, None]
        else:
            launch = _Launch(cuda, rules, streams, seed, match_target or 0)
            launch.any(begin, seats_of(players), lines, points.reshape(-1, rules.sides), counts)
    return Batch(points, int(counts[0]) * repeated, int(counts[1]) * repeated)


class _Launch:
    """Starts kernels for a table, on as many games at once as there is room for."""

    def __init__(self, cuda: Any, rules: Rules, streams: bool, seed: int, target: int) -> None:
        from millebornes.simulation.gpu_kernels import BATCH, kernels_for

        self._cuda: Final = cuda
        self._rules: Final = rules
        self._kernels: Final = kernels_for(engine_for(rules).dtype, bool(streams))
        self._batch: Final = np.zeros(1, BATCH)
        self._batch["seed"], self._batch["target"] = seed & WORD, target
        self._tables: Final = cuda.to_device(_one(tables_for(rules), TABLES))

    def ranked(self, begin: int, out: Any, counts: Any) -> None:
        """`DeviceKernels.play_ranked` for games from ``begin`` on."""
        ranks = self._cuda.to_device(ranks_for(self._rules).copy())
        self._run(self._kernels.play_ranked, (self._tables, ranks), begin, 1, out, counts)

    def any(self, begin: int, seated: Any, lines: Any, out: Any, counts: Any) -> None:
        """`DeviceKernels.play_any` for games from ``begin`` on."""
        parts = (_one(lookups_for(self._rules), LOOKUPS), seated, lines)
        arrays = (self._tables, *map(self._cuda.to_device, parts))
        self._run(self._kernels.play_any, arrays, begin, len(lines), out, counts)

    def _run(self, kernel: Any, arrays: tuple[Any, ...], begin: int, lines: int, out: Any, counts: Any) -> None:
        cuda = self._cuda
        at_once = max(1, TASKS // lines) * lines
        added = cuda.to_device(counts)
        room = cuda.device_array((min(at_once, len(out)), out.shape[1]), np.int64)
        for first in range(0, len(out), at_once):
            part = out[first : first + at_once]
            self._batch["begin"] = begin + first // lines
            here = room[: len(part)]
            kernel[self._grid(len(part))](cuda.to_device(self._batch), *arrays, here, added)
            here.copy_to_host(part)
        added.copy_to_host(counts)

    def _grid(self, tasks: int) -> tuple[int, int]:
        """How many blocks, of how many threads."""
        return SIMULATED if is_simulated() else (-(-tasks // THREADS), THREADS)


def _one(record: Any, dtype: np.dtype[Any]) -> Any:
    """An array of one record."""
    array = np.zeros(1, dtype)
    array[0] = record
    return array


def _cuda() -> Any:
    """`numba.cuda`, with a device that it can use. Raises `DeviceError` with what is missing."""
    try:
        from numba import cuda
    except ImportError:  # Numba's own target is to go
        cuda = None
    if cuda is not None and is_simulated():
        return cuda
    if getattr(cuda, "implementation", "") != "NVIDIA":  # Numba's own, where it is there, is no longer kept up
        raise DeviceError("to play on a CUDA device, numba-cuda must be installed: pip install 'millebornes[gpu]'")
    if not cuda.is_available():
        reason = " ".join(str(cuda.cuda_error() or "the driver finds none").split())
        raise DeviceError(f"there is no CUDA device to play on: {reason}")
    with _failures("to compile for a CUDA device, libNVVM is needed, which pip install 'millebornes[gpu]' brings"):
        from numba.cuda.cudadrv import nvvm

        nvvm.NVVM()
    return cuda


@contextlib.contextmanager
def _failures(what: str) -> Iterator[None]:
    """Raise what Numba and NVIDIA's libraries raise, which have no base of their own, as a `DeviceError`."""
    try:
        yield
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in {"cuda", "numba"}:
            raise
        raise DeviceError(f"{what}: {' '.join(str(error).split())}") from error
