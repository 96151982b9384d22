"""Files with arrays of numbers from anyone: what is wrong with them is told, and none takes more memory than it may."""

import io
import os
import struct
import sys
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from millebornes.errors import MilleBornesError, PlayerError
from millebornes.policies.array_files import load_arrays, read_arrays
from millebornes.policies.net_files import FORMAT, Net, load_net
from tests.damage import complaint, damaged, read_in_little_memory

NET = Net.random(3)
WHOLE = NET.to_bytes()


def member(header: str, data: bytes = b"", version: bytes = b"\x01\x00") -> bytes:
    text = header.encode("latin-1").ljust(117) + b"\n"
    length = struct.pack("<H" if version == b"\x01\x00" else "<I", len(text))
    return b"\x93NUMPY" + version + length + text + data


def header_of(descr: str, shape: str, order: str = "False") -> str:
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"


def archive(method: int = zipfile.ZIP_DEFLATED, /, **members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as made:
        for name, data in members.items():
            made.writestr(f"{name}.npy", data)
    return buffer.getvalue()


def refused(data: bytes) -> str:
    with pytest.raises(MilleBornesError) as caught:
        read_arrays(data, "mine.npz", "a net")
    told = str(caught.value)
    assert told.startswith("mine.npz: this file isn't a net, or it is damaged (")
    assert told.isprintable()
    return told


def test_all_kinds_of_arrays_are_read_as_numpy_reads_them() -> None:
    arrays: dict[str, npt.NDArray[Any]] = {
        "text": np.array(["é", "abc"]),
        "empty": np.zeros((0, 3)),
        "one": np.array(2.5, np.float16),
        "other_order": np.asfortranarray(np.arange(6).reshape(2, 3)),
        "other_ends": np.arange(3, dtype=">u2"),
        "yes": np.array([True, False]),
    }
    for write in (np.savez, np.savez_compressed):
        buffer = io.BytesIO()
        write(buffer, **arrays)  # type: ignore[arg-type]
        found = read_arrays(buffer.getvalue(), "", "")
        assert list(found) == list(arrays)
        for name, array in arrays.items():
            assert np.array_equal(found[name], array), name
            assert found[name].dtype == array.dtype, name
            assert found[name].flags.writeable


@pytest.mark.parametrize(
    ("packed", "told"),
    [
        (member(header_of("'|O'", "(1,)"), b"\x80\x04]\x94."), "must contain numbers or text"),  # a pickle
        (member(header_of("[('a', '<f4')]", "(1,)"), bytes(4)), "must contain numbers or text"),
        (member(header_of("'<f2'", "(1000000000000, 1000000)"), bytes(8)), "another size than it says"),
        (member(header_of("'<f2'", f"({2**62}, 4)"), b""), "another size than it says"),  # 0 if it were to wrap
        (member(header_of("'<U100000000'", "()"), b""), "another size than it says"),
        (member(header_of("'<f2'", "(-1,)"), bytes(2)), "must contain numbers or text"),
        (member(header_of("'<f3'", "(1,)"), bytes(3)), "'<f3'"),
        (member(header_of("'<U1'", "(1,)"), b"\xff\xff\xff\xff"), "what isn't a character"),
        (member("(" * 100, bytes(2)), "must contain numbers or text"),
        (member(header_of("'<f2'", "(1,)"), bytes(2), version=b"\x09\x00"), "unknown format"),
        (b"\x93NUMPY\x01\x00", "unpack_from"),
        (b"", "unknown format"),
        (b"not an array", "unknown format"),
    ],
)
def test_arrays_that_are_none(packed: bytes, told: str) -> None:
    assert told in refused(archive(a=packed))


def test_archives_that_are_none() -> None:
    good = member(header_of("'<f2'", "(1,)"), bytes(2))
    assert "unusual way" in refused(archive(zipfile.ZIP_LZMA, a=good))
    assert "unusual way" in refused(archive(zipfile.ZIP_BZIP2, a=good))
    odd = archive(a=good).replace(struct.pack("<HH", 20, 0) + b"\x08\x00", struct.pack("<HH", 20, 0) + b"\x63\x00")
    assert "unusual way" in refused(odd)
    locked = archive(a=good).replace(struct.pack("<HH", 20, 0) + b"\x08\x00", struct.pack("<HH", 20, 1) + b"\x08\x00")
    assert "encrypted" in refused(locked)
    assert "isn't an array" in refused(archive(**{"../a.txt": good}).replace(b".npy", b".txt"))
    assert "is there twice" in refused(archive(a=good, b=good).replace(b"b.npy", b"a.npy"))
    assert "at most 1000" in refused(archive(**{f"a{n}": b"" for n in range(1001)}))
    assert "not a zip file" in refused(b"")


def test_no_pickle_is_ever_loaded(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "trapped"),)

    path = tmp_path / "trap.npz"
    np.savez(path, rows=np.array([Trap()], object), format=np.array(FORMAT))
    with pytest.raises(PlayerError, match="must contain numbers or text"):
        load_net(path)
    assert not (tmp_path / "trapped").exists()


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    wrong = [(tmp_path, "this isn't a file"), (tmp_path / "none.npz", "No such file"), (Path("a\0"), "null")]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.npz")
        wrong.append((tmp_path / "pipe.npz", "this isn't a file"))
    for path, told in wrong:
        with pytest.raises(MilleBornesError, match=told):
            load_arrays(path, "a net")
    (tmp_path / "large.npz").write_bytes(bytes(100))
    with pytest.raises(MilleBornesError, match="it is larger than 0 MiB"):
        load_arrays(tmp_path / "large.npz", "a net", 99)


@pytest.mark.parametrize("seed", range(4))
def test_damaged_nets_are_told(tmp_path: Path, seed: int) -> None:
    """The zip archive is damaged, or the arrays in it are, so that what unpacks them finds nothing wrong."""
    path = tmp_path / "net.npz"
    if seed < 2:
        files = damaged(WHOLE, f"net {seed}", 150)
    else:
        with zipfile.ZipFile(io.BytesIO(WHOLE)) as whole:
            parts = {name.removesuffix(".npy"): whole.read(name) for name in whole.namelist()}
        names = [name for name in parts if len(parts[name]) < 1000] if seed == 2 else [*parts]
        turns = 12 if seed == 2 else 3
        files = (archive(zipfile.ZIP_STORED, **parts | {name: bad}) for name in names
                 for bad in damaged(parts[name], name, turns))  # fmt: skip
    loaded = 0
    for data in files:
        path.write_bytes(data)
        told = complaint(lambda: load_net(path))
        loaded += told is None
        assert told is None or told.startswith(str(path))
    assert loaded < 60  # a changed weight isn't seen


def test_numbers_that_no_net_may_have(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    for number in (np.nan, np.inf, -np.inf, 1e300):
        arrays: dict[str, Any] = {**NET.arrays, "out": np.full(NET.arrays["out"].shape, number, np.float64)}
        np.savez(path, format=np.array(FORMAT), **arrays)
        with pytest.raises(PlayerError, match="'out' holds infinities or NaN"):
            load_net(path)
    for kind in (np.int64, np.bool_, "<U3"):
        arrays = {**NET.arrays, "out": np.zeros(NET.arrays["out"].shape, kind)}
        np.savez(path, format=np.array(FORMAT), **arrays)
        with pytest.raises(PlayerError, match="a net's array 'out' must hold floats"):
            load_net(path)


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process can be limited on Linux")
@pytest.mark.parametrize("is_hidden", [False, True])
def test_a_bomb_takes_no_memory(tmp_path: Path, is_hidden: bool) -> None:
    """A file of 4 MB or less unpacks to gigabytes, and its directory may say that it is small."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    size, zeros = 3 << 30, bytes(1 << 24)
    packed = packer.compress(member(header_of("'<f2'", f"({size // 2},)"))) + packer.flush(zlib.Z_FULL_FLUSH)
    packed += (packer.compress(zeros) + packer.flush(zlib.Z_FULL_FLUSH)) * (size // len(zeros)) + packer.flush()
    said = 100 if is_hidden else size + 128
    local = b"PK\3\4" + struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, 0, len(packed), said, 8, 0) + b"rows.npy"
    entry = b"PK\1\2" + struct.pack("<HHHHHHIIIHHHHHII", 20, 20, 0, 8, 0, 33, 0, len(packed), said, 8, 0, 0, 0, 0, 0, 0)
    entry += b"rows.npy"
    end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(entry), len(local) + len(packed), 0)
    path = tmp_path / "bomb.npz"
    path.write_bytes(local + packed + entry + end)
    assert path.stat().st_size < 1 << 22
    told = read_in_little_memory(
        "import sys\nfrom pathlib import Path\nfrom millebornes.errors import PlayerError\n"
        "from millebornes.policies.net_files import load_net\n"
        "try:\n    load_net(Path(sys.argv[1]))\nexcept PlayerError as error:\n    print(error)\n",
        str(path),
    )
    assert "this file isn't a net, or it is damaged" in told
    assert is_hidden or "larger than 4 MiB when unpacked" in told
