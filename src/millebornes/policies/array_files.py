"""Read files with arrays of numbers (``.npz``) that may come from anyone.

The sizes in such a file can be wrong, and a few megabytes can unpack to gigabytes. So nothing here trusts a size before
the bytes are there, and nothing but numbers and text is ever read: no objects, and therefore no pickles.
"""

import io
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from millebornes.errors import MALFORMED, MilleBornesError, message_of, printable

Arrays = dict[str, npt.NDArray[Any]]
"""Arrays by name."""

MAX_BYTES: Final = 1 << 22
"""The usual maximum size of a file, and of its contents once they are unpacked."""
MAX_MEMBERS: Final = 1000
PREFIX: Final = b"\x93NUMPY"
LENGTHS: Final[Mapping[bytes, str]] = {b"\x01\x00": "<H", b"\x02\x00": "<I"}
"""How each version of the array format stores the length of an array's header."""
TYPE: Final = re.compile(rb"""['"]descr['"]\s*:\s*['"]([<>=|]?(?:[biuf]\d{1,2}|U\d{1,9}))['"]""")
ORDER: Final = re.compile(rb"""['"]fortran_order['"]\s*:\s*(True|False)\b""")
SHAPE: Final = re.compile(rb"""['"]shape['"]\s*:\s*\(((?:\s*\d{1,18}\s*,?){0,8})\s*\)""")
LAST_CHARACTER: Final = 0x10FFFF
DAMAGE: Final = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, struct.error, *MALFORMED)
"""The errors of the library that unpacks files. Unknown methods of compression and passwords are a `RuntimeError`."""


def load_arrays(path: Path, what: str, most: int = MAX_BYTES) -> Arrays:
    """Return all arrays in a file. Raises `MilleBornesError` with the name of the file and the problem.

    ``what`` says in words what the file should be. ``most`` is the maximum size of the file, and of its contents once
    they are unpacked, in bytes.
    """
    try:
        if not path.is_file() and path.exists():  # reading a pipe or a device might never end
            raise MilleBornesError(printable(f"{path}: this isn't a file"))
        with path.open("rb") as stream:
            data = stream.read(most + 1)
    except OSError as error:
        raise MilleBornesError(printable(f"{path}: cannot be read ({error.strerror or error})")) from error
    except ValueError as error:  # a name that no file can have
        raise MilleBornesError(printable(f"{path}: cannot be read ({error})")) from None
    return read_arrays(data, str(path), what, most)


def read_arrays(data: bytes, name: str, what: str, most: int = MAX_BYTES) -> Arrays:
    """Return all arrays in the contents of a file called ``name``, as `load_arrays` does."""
    try:
        if len(data) > most:
            raise ValueError(f"it is larger than {most >> 20} MiB")
        return _read(data, most)
    except DAMAGE as error:
        problem = message_of(error)
    raise MilleBornesError(printable(f"{name}: this file isn't {what}, or it is damaged ({problem})"))


def _read(data: bytes, most: int) -> Arrays:
    arrays: Arrays = {}
    left = most
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        if len(members) > MAX_MEMBERS:
            raise ValueError(f"it contains {len(members)} arrays, and at most {MAX_MEMBERS} are allowed")
        for member in members:
            name = member.filename.removesuffix(".npy")
            if name == member.filename or name in arrays:
                raise ValueError(f"{member.filename[:60]!r} isn't an array, or is there twice")
            if member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
                raise ValueError("it is compressed in an unusual way")  # and perhaps in one that can't be limited
            with archive.open(member) as stream:
                packed = stream.read(left + 1)
            if len(packed) > left:
                raise ValueError(f"it would be larger than {most >> 20} MiB when unpacked")
            left -= len(packed)
            arrays[name] = _array(packed)
    return arrays


def _array(packed: bytes) -> npt.NDArray[Any]:
    start = len(PREFIX) + 2
    form = LENGTHS.get(packed[len(PREFIX) : start])
    if not packed.startswith(PREFIX) or form is None:
        raise ValueError("an array has an unknown format")
    (length,) = struct.unpack_from(form, packed, start)
    start += struct.calcsize(form)
    header = packed[start : start + length]
    kind, order, shape = (pattern.search(header) for pattern in (TYPE, ORDER, SHAPE))
    if kind is None or order is None or shape is None:
        raise ValueError("an array must contain numbers or text, and say how many")
    dtype = np.dtype(kind[1].decode())
    sizes = [int(size) for size in shape[1].replace(b",", b" ").split()]
    count = math.prod(sizes)
    if start + length + count * dtype.itemsize != len(packed):
        raise ValueError("an array has another size than it says")
    flat = np.frombuffer(packed, np.uint8, offset=start + length) if count * dtype.itemsize else np.zeros(0, np.uint8)
    array = flat.copy().view(dtype) if len(flat) else np.zeros(count, dtype)
    if dtype.kind == "U" and len(flat) and array.view(dtype.str.replace("U", "u")[:2] + "4").max() > LAST_CHARACTER:
        raise ValueError("a text contains what isn't a character")
    return array.reshape(sizes, order="F" if order[1] == b"True" else "C")
