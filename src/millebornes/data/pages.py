"""The sizes that the pages of a Parquet file declare. Arrow reserves this memory before it unpacks them.

The sizes in the footer can differ from those of the pages, and Arrow doesn't compare them. Each page begins with a
header in the compact protocol of Thrift.
"""

import mmap
from pathlib import Path
from typing import Any, Final

STOP, TRUE, FALSE, BYTE, INTEGERS, DOUBLE, BINARY, LISTS, STRUCT = 0, 1, 2, 3, (4, 5, 6), 7, 8, (9, 10), 12
UNPACKED, PACKED = 2, 3
"""The fields of a page's header with its size in bytes, without its header."""
DEEPEST: Final = 8
MAX_DIGITS: Final = 10
"""The maximum length of a number in bytes."""


def unpacked_bytes(path: Path, about: Any) -> int:
    """Return the size of all pages of a file once they are unpacked. Raises `ValueError` or `IndexError` if damaged.

    ``about`` is the file's `pyarrow.parquet.FileMetaData`.
    """
    total = 0
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for group in range(about.num_row_groups):
            for column in range(about.num_columns):
                chunk = about.row_group(group).column(column)
                if not chunk.num_values:
                    continue  # Arrow reads none of its pages, and their places can be missing
                place, first = chunk.data_page_offset, chunk.dictionary_page_offset
                if first is not None and 0 < first < place:
                    place = first
                end = place + chunk.total_compressed_size
                if not 0 < place <= end <= len(data):
                    raise ValueError("a column is outside the file")
                while place < end:
                    header = _Header(data, place)
                    header.struct(0)
                    packed, unpacked = header.sizes.get(PACKED, -1), header.sizes.get(UNPACKED, -1)
                    if packed < 0 or unpacked < 0:
                        raise ValueError("a page has no size")
                    total += unpacked
                    place = header.place + packed
    return total


class _Header:
    """The header of a page. After `struct`, ``place`` is its end."""

    def __init__(self, data: mmap.mmap, place: int) -> None:
        self._data: Final = data
        self.place = place
        self.sizes: Final[dict[int, int]] = {}

    def struct(self, depth: int) -> None:
        field = 0
        while (byte := self._byte()) & 15 != STOP:
            field = field + (byte >> 4) if byte >> 4 else self._signed()
            if depth == 0 and byte & 15 in INTEGERS:
                self.sizes[field] = self._signed()
            elif byte & 15 not in (TRUE, FALSE):  # the type of a field contains its truth
                self._skip(byte & 15, depth)

    def _skip(self, kind: int, depth: int) -> None:
        if depth > DEEPEST:
            raise ValueError("a page's header is nested too deeply")
        if kind in (TRUE, FALSE, BYTE):
            self.place += 1
        elif kind in INTEGERS:
            self._number()
        elif kind == DOUBLE:
            self.place += 8
        elif kind == BINARY:
            length = self._number()  # this moves the place, too
            self.place += length
        elif kind in LISTS:
            byte = self._byte()
            for _ in range(byte >> 4 if byte >> 4 < 15 else self._number()):
                self._skip(byte & 15, depth + 1)
        elif kind == STRUCT:
            self.struct(depth + 1)
        else:
            raise ValueError("a page's header is damaged")

    def _byte(self) -> int:
        self.place += 1
        return self._data[self.place - 1]

    def _number(self) -> int:
        number = 0
        for digit in range(MAX_DIGITS):
            byte = self._byte()
            number |= (byte & 127) << 7 * digit
            if byte < 128:
                return number
        raise ValueError("a number in a page's header is too long")

    def _signed(self) -> int:
        number = self._number()
        return number >> 1 ^ -(number & 1)
