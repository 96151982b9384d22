"""Read and write nets as files with a few arrays of numbers, and make them ready for a table."""

import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.editions.fields import shown
from millebornes.errors import MilleBornesError, PlayerError, printable
from millebornes.policies.array_files import load_arrays
from millebornes.policies.net import (
    AT_FIRST,
    AT_OUT,
    AT_OUT_ROWS,
    AT_ROWS,
    AT_SECOND,
    AT_SECOND_ROWS,
    FIRST,
    FLOATS,
    IN_NEEDS,
    INPUTS,
    OUTPUTS,
    RULES_INPUTS,
    SECOND,
    WIDTH,
    NetNumbers,
    rules_inputs,
)

FORMAT: Final = "millebornes-net/3"
EARLIER: Final = "millebornes-net/2"
"""An earlier format of nets, which have no inputs for the match and therefore lack the last rows."""
SHAPES: Final[Mapping[str, tuple[int, ...]]] = {
    "rows": (INPUTS, WIDTH),
    "rules": (RULES_INPUTS, WIDTH),
    "first": (FIRST,),
    "second_rows": (FIRST, SECOND),
    "second": (SECOND,),
    "out_rows": (SECOND, OUTPUTS),
    "out": (OUTPUTS,),
    "base": (),
}
"""The shapes of the arrays in a net. ``base`` is the weight of the maxims' values, or 0 if the net doesn't use them."""


class ReadyNet:
    """The numbers of a net for one table. Their address lasts as long as this object. Raises `PlayerError`."""

    def __init__(self, numbers: Any) -> None:
        is_array = isinstance(numbers, np.ndarray) and numbers.dtype == np.float32 and numbers.flags.c_contiguous
        if not is_array or numbers.shape != (FLOATS,):
            raise PlayerError(f"a ready net needs a contiguous array of {FLOATS} float32 numbers")
        self.numbers: Final[NetNumbers] = numbers

    @property
    def address(self) -> int:
        """The memory address of the numbers in this process."""
        return int(self.numbers.ctypes.data)

    def __deepcopy__(self, _memo: object) -> "ReadyNet":
        return self  # it never changes

    def __reduce__(self) -> tuple[type["ReadyNet"], tuple[NetNumbers]]:
        return ReadyNet, (self.numbers,)


class Net:
    """A net, with its arrays by name (`SHAPES`) in single precision. Raises `PlayerError` if they don't form a net."""

    def __init__(self, arrays: Mapping[str, npt.NDArray[np.float32]]) -> None:
        self.arrays: Final[dict[str, NetNumbers]] = {}
        for name, shape in SHAPES.items():
            array = arrays.get(name)
            if array is None or array.shape != shape or array.dtype.kind != "f":
                problem = "is missing" if array is None else f"is {array.dtype} {array.shape}"
                raise PlayerError(f"a net's array {name!r} must hold floats of the shape {shape}; it {problem}")
            with np.errstate(over="ignore"):
                self.arrays[name] = np.array(array, np.float32, order="C")
            if not np.isfinite(self.arrays[name]).all():
                raise PlayerError(f"a net's array {name!r} holds infinities or NaN")
        self._ready: dict[Rules, ReadyNet] = {}

    @classmethod
    def random(cls, seed: int, *, base: float = 0.0) -> "Net":
        """Return an untrained net, with small random weights and outputs of zero."""
        chance = np.random.default_rng(seed)
        arrays: dict[str, NetNumbers] = {name: np.zeros(shape, np.float32) for name, shape in SHAPES.items()}
        for name, scale in (("rows", 0.15), ("rules", 0.1), ("second_rows", (2 / FIRST) ** 0.5)):
            arrays[name] = (scale * chance.standard_normal(SHAPES[name])).astype(np.float32)
        for name in ("rows", "rules"):
            arrays[name][:, FIRST:] = 0
        arrays["base"] = np.array(base, np.float32)
        return cls(arrays)

    def __deepcopy__(self, _memo: object) -> "Net":
        return self  # it never changes

    def __reduce__(self) -> tuple[Callable[..., "Net"], tuple[Any, ...]]:
        return Net, (self.arrays,)

    def ready(self, rules: Rules) -> ReadyNet:
        """Return the net for one table, with everything computed that depends only on the rules."""
        ready = self._ready.get(rules)
        if ready is None:
            a = self.arrays
            numbers = np.zeros(FLOATS, np.float32)
            numbers[0] = a["base"]
            numbers[AT_FIRST:AT_ROWS] = rules_inputs(rules) @ a["rules"]
            numbers[AT_FIRST : AT_FIRST + FIRST] += a["first"]
            numbers[AT_ROWS:AT_SECOND] = a["rows"].ravel()
            numbers[AT_SECOND:AT_SECOND_ROWS] = a["second"]
            numbers[AT_SECOND_ROWS:AT_OUT] = a["second_rows"].ravel()
            numbers[AT_OUT:AT_OUT_ROWS] = a["out"]
            numbers[AT_OUT_ROWS:] = a["out_rows"].ravel()
            ready = self._ready[rules] = ReadyNet(numbers)
        return ready

    def to_bytes(self) -> bytes:
        """Return the contents of a ``.npz`` file with the net in half precision. Equal nets have equal contents."""
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name, array in {"format": np.array(FORMAT), **self.arrays}.items():
                member = io.BytesIO()
                half = array if array.dtype.kind == "U" else np.asarray(array.astype(np.float16))
                np.lib.format.write_array(member, half, allow_pickle=False)
                archive.writestr(zipfile.ZipInfo(f"{name}.npy"), member.getvalue(), zipfile.ZIP_DEFLATED)
        return buffer.getvalue()


def load_net(path: Path) -> Net:
    """Return the net that is stored in a file. Raises a `PlayerError` with the name of the file and the problem."""
    try:
        arrays = load_arrays(path, "a net")
    except MilleBornesError as error:
        raise PlayerError(str(error)) from None
    version = str(arrays.pop("format", ""))
    if version == EARLIER and arrays.get("rows", np.zeros(0)).shape == (IN_NEEDS, WIDTH):
        arrays["rows"] = np.concatenate([arrays["rows"], np.zeros((INPUTS - IN_NEEDS, WIDTH), arrays["rows"].dtype)])
        version = FORMAT
    if version != FORMAT:
        raise PlayerError(printable(f'{path}: the format of a net must be "{FORMAT}", not {shown(version)}'))
    try:
        return Net(arrays)
    except PlayerError as error:
        raise PlayerError(printable(f"{path}: {error}")) from None
