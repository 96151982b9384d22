"""Compiled code is kept in files; whatever becomes of them, the game goes on."""

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from millebornes.kernels import store as store_module
from millebornes.kernels.store import (
    KERNEL_PACKAGES,
    MAX_UNUSED_SECONDS,
    PACKAGE,
    KernelStore,
    open_folder,
    remove_unused,
    sources_beside,
)
from tests.kernels.caches import play_in

DATA = bytes(range(256)) * 8
posix = pytest.mark.skipif(os.name == "nt", reason="permissions and links are other things there")


def test_what_was_written_is_read(tmp_path: Path) -> None:
    store = KernelStore(tmp_path)
    assert store.read("x") is None
    assert store.write("x", DATA)
    assert store.read("x") == DATA
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_without_a_folder_nothing_is_kept() -> None:
    store = KernelStore(None)
    assert not store.write("x", DATA)
    assert store.read("x") is None


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[random.Random(str(len(data))).randrange(len(data))] ^= 4
    path.write_bytes(data)


def _link(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def _shut(path: Path) -> None:
    path.chmod(0)


DAMAGES = {
    "empty": lambda path: path.write_bytes(b""),
    "cut": _cut,
    "flipped": _flip,
    "random": lambda path: path.write_bytes(random.Random(1).randbytes(5000)),
    "link": pytest.param(_link, marks=posix),
    "shut": pytest.param(_shut, marks=posix),
    "removed": Path.unlink,
    "folder removed": lambda path: shutil.rmtree(path.parent),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=list(DAMAGES))
def test_what_is_damaged_is_not_read_and_is_mended(tmp_path: Path, damage: Callable[[Path], object]) -> None:
    folder = tmp_path / "kernels"
    folder.mkdir()
    store = KernelStore(folder)
    store.write("x", DATA)
    damage(folder / "x")
    assert store.read("x") in (None, DATA)  # root may read what is shut
    assert store.write("x", DATA)
    assert store.read("x") == DATA
    assert [path.name for path in folder.iterdir()] == ["x"]


@posix
def test_a_full_disk_keeps_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    import resource
    import signal

    before, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    store = KernelStore(tmp_path)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
        assert not store.write("x", DATA)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, hard))
        signal.signal(signal.SIGXFSZ, handler)
    assert list(tmp_path.iterdir()) == []


def test_a_new_folder_is_for_this_user_alone(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "a" / "kernels")
    assert folder == tmp_path / "a" / "kernels"
    assert os.name == "nt" or folder.stat().st_mode & 0o777 == 0o700


@posix
@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_a_folder_that_others_may_write_to_is_not_used(tmp_path: Path, mode: int) -> None:
    tmp_path.chmod(mode)
    assert open_folder(tmp_path) is None


@posix
def test_a_folder_of_somebody_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user = os.geteuid()
    if user == 0:
        os.chown(tmp_path, 12345, -1)
    else:
        monkeypatch.setattr("os.geteuid", lambda: user + 1)
    assert open_folder(tmp_path) is None


def test_where_no_folder_can_be_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert open_folder(tmp_path / "file" / "kernels") is None


@pytest.mark.slow  # a whole process, which compiles the rules
def test_a_game_goes_on_whatever_lies_in_the_cache(warm: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    shutil.copytree(warm, cache)
    (folder,) = cache.iterdir()
    for path in [path for path in folder.rglob("*") if path.is_file() and path.stat().st_size]:
        (_flip if path.parent == folder else _cut)(path)  # Numba's own files have no checksums
    played = play_in(cache)
    assert played.stderr == ""
    assert played.returncode == 0
    assert "Hand 1" in played.stdout
    store = KernelStore(next(cache.iterdir()))
    assert store.folder is not None
    kept = [path.name for path in store.folder.iterdir() if path.is_file() and path.stat().st_size]
    assert kept
    assert all(store.read(name) is not None for name in kept)


def aged(folder: Path, seconds: float) -> Path:
    """A folder with a file that was last opened so many seconds ago."""
    folder.mkdir()
    (folder / "x").write_bytes(DATA)
    os.utime(folder, (time.time() - seconds,) * 2)
    return folder


def test_folders_that_no_version_opens_any_more_are_removed(tmp_path: Path) -> None:
    old = aged(tmp_path / "kernels-old", MAX_UNUSED_SECONDS + 3600)
    recent = aged(tmp_path / "kernels-recent", MAX_UNUSED_SECONDS - 3600)
    opened = aged(tmp_path / "kernels-opened", MAX_UNUSED_SECONDS + 3600)
    other = aged(tmp_path / "other", MAX_UNUSED_SECONDS + 3600)
    (tmp_path / "kernels-file").write_bytes(DATA)
    os.utime(tmp_path / "kernels-file", (0, 0))
    assert open_folder(opened) == opened
    remove_unused(tmp_path)
    assert not old.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "kernels-file",
        "kernels-opened",
        "kernels-recent",
        "other",
    ]
    assert (recent / "x").read_bytes() == (other / "x").read_bytes() == DATA
    remove_unused(tmp_path / "nowhere")


@posix
def test_links_and_folders_of_others_are_not_removed(tmp_path: Path) -> None:
    linked = aged(tmp_path / "linked", MAX_UNUSED_SECONDS + 3600)
    link = tmp_path / "kernels-link"
    link.symlink_to(linked)
    os.utime(link, (0, 0), follow_symlinks=False)
    shared = aged(tmp_path / "kernels-shared", MAX_UNUSED_SECONDS + 3600)
    shared.chmod(0o777)
    remove_unused(tmp_path)
    assert link.is_symlink()
    assert (linked / "x").exists()
    assert (shared / "x").exists()


def test_a_store_whose_folder_was_removed_goes_on(tmp_path: Path) -> None:
    folder = aged(tmp_path / "kernels-long", 0)
    store = KernelStore(open_folder(folder))
    assert store.write("y", DATA)
    os.utime(folder, (0, 0))
    remove_unused(tmp_path)
    assert store.read("y") is None
    assert store.write("y", DATA)
    assert store.read("y") == DATA


def test_the_first_start_of_a_version_removes_unused_folders(tmp_path: Path) -> None:
    old = aged(tmp_path / "kernels-0123456789abcdef", MAX_UNUSED_SECONDS + 3600)
    environment = os.environ | {"MILLEBORNES_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", "import millebornes.kernels.store as store; print(store.cache_folder)"]
    for _ in range(2):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert not old.exists()
        assert [str(path) for path in tmp_path.iterdir()] == [done.stdout.strip()]


def test_what_is_prepared_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mark alone tells nothing: files may be gone, and those of another processor are of no use."""
    store = KernelStore(tmp_path)
    for name, value in (("cache_folder", tmp_path), ("store", store)):
        monkeypatch.setattr(store_module, name, value)
    store.write("kernel", DATA)
    store_module.mark_prepared("search")
    assert store_module.is_prepared("search")
    assert not store_module.is_prepared("net")
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(store_module, "processor", lambda: "another")
        assert not store_module.is_prepared("search")
    store_module.mark_prepared("review")
    (tmp_path / "kernel").unlink()
    assert not store_module.is_prepared("review")
    store.refuses = True  # the disk is full
    store_module.mark_prepared("net")
    assert not store_module.is_prepared("net")


def test_the_folder_is_searched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A transcript needs its own engine, so whoever checks many would search the folder for each of them."""
    folder = tmp_path / "kernels" / "numba"
    folder.mkdir(parents=True)
    (folder / "kernel.nbc").write_bytes(DATA)
    monkeypatch.setattr(store_module, "cache_folder", tmp_path / "kernels")
    searches = []
    walk = os.walk

    def watched(top: Path) -> Iterator[tuple[str, list[str], list[str]]]:
        searches.append(top)
        return walk(top)

    monkeypatch.setattr(os, "walk", watched)
    assert not store_module.is_prepared("engine")
    store_module.mark_prepared("engine")
    searches.clear()
    assert [store_module.is_prepared("engine") for _ in range(3)] == [True] * 3
    assert searches == [tmp_path / "kernels"]


def test_the_name_of_the_folder_depends_on_all_kernels() -> None:
    holders = {
        path.parent.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if "from millebornes.kernels.decorator import" in path.read_text(encoding="utf-8")
    }
    assert holders - {"players"} <= set(KERNEL_PACKAGES)  # players call kernels of others


def test_the_name_of_the_folder_depends_on_all_that_is_compiled() -> None:
    from millebornes.policies.compiled import _kernels

    modules = {function.__module__ for function in _kernels}
    assert {"millebornes.policies.codes", "millebornes.policies.maxim_waiting"} <= modules
    for name in {*modules, "millebornes.cards"}:
        path = PACKAGE.parent / f"{name.replace('.', '/')}.py"
        files = [path, *(PACKAGE / "rules").glob("*.py")]
        assert store_module._hash_of(files, "") != store_module._hash_of(files[1:], ""), name


def test_kernels_of_others_are_named_after_their_own_sources(tmp_path: Path) -> None:
    inner = tmp_path / "mine" / "inner"
    inner.mkdir(parents=True)
    for folder in (inner.parent, inner):
        (folder / "__init__.py").touch()
    (inner / "one.py").write_text("@kernel")
    (inner.parent / "two.py").write_text("@kernel")
    (tmp_path / "alone.py").write_text("@kernel")
    assert sources_beside(PACKAGE / "rules" / "turns.py") == ""
    found = [sources_beside(inner / "one.py"), sources_beside(tmp_path / "alone.py"), sources_beside(Path("<stdin>"))]
    sources_beside.cache_clear()
    (inner.parent / "two.py").write_text("@kernel\n")
    changed = [sources_beside(inner / "one.py"), sources_beside(tmp_path / "alone.py"), sources_beside(Path("<stdin>"))]
    assert len(set(found)) == 3
    assert found[0] != changed[0]
    assert found[1:] == changed[1:]
    sources_beside.cache_clear()
