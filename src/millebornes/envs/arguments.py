"""Check the arguments of environments, which can be of any type, and show them in messages."""

import operator
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from millebornes.errors import MilleBornesError, printable

MAX_SEED: Final = (1 << 64) - 1
LONGEST: Final = 60
"""The maximum length of a value in a message."""


def brief(value: object) -> str:
    """Return a value of any type as a single line for a message, shortened if necessary."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**LONGEST:
        return "a number with many digits"
    text = printable(" ".join(repr(value).split()))
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def whole(value: Any) -> int | None:
    """Return a whole number of any integer type, including NumPy's, as a plain integer, or None for anything else."""
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def checked_seed(seed: Any) -> int:
    """Return a seed as a plain integer. NumPy integers are accepted. Raises `MilleBornesError` for any other type."""
    number = whole(seed)
    if number is None or not 0 <= number <= MAX_SEED:
        raise MilleBornesError(f"seed: {brief(seed)} is not allowed; it must be a whole number from 0 to {MAX_SEED}")
    return number


def checked_seeds(seeds: Any, games: int) -> list[int | None] | None:
    """Return a list with one seed per game as plain integers, or None if ``seeds`` isn't a list but a single seed.

    Single seeds can be None. Raises `MilleBornesError` for a list with an invalid seed or of the wrong length.
    """
    if not isinstance(seeds, Sequence | np.ndarray) or isinstance(seeds, str | bytes):
        return None
    if isinstance(seeds, np.ndarray) and not seeds.ndim:
        return None
    row = [None if seed is None else checked_seed(seed) for seed in seeds]
    if len(row) != games:
        raise MilleBornesError(f"seed: {len(row)} seeds for {games} games; give one for each")
    return row


def checked_index(what: str, index: Any, count: int) -> int:
    """Return the number of a seat or game (``what``) as a plain integer. Raises `MilleBornesError` if it is invalid."""
    number = whole(index)
    if number is None or not 0 <= number < count:
        raise MilleBornesError(f"{what}: there is no {what} {brief(index)}; the {what}s are 0 to {count - 1}")
    return number


def checked_mask(mask: Any, games: int) -> npt.NDArray[np.bool_]:
    """Return a mask of games as an array of booleans. Raises `MilleBornesError` for another shape or type."""
    try:
        flags = np.asarray(mask)
    except ValueError:  # rows of different lengths
        flags = np.zeros(0, object)
    if flags.dtype.kind not in "biu" or flags.shape != (games,):
        raise MilleBornesError(
            f"a mask of games must contain true or false for each of the {games} games, so {brief(mask)} is not allowed"
        )
    return np.ascontiguousarray(flags, np.bool_)
