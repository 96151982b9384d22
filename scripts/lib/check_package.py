"""Builds both distributions' source archives and, from them, the wheels; checks that these are whole and start.

    python check_package.py FOLDER

Run in an environment that has the packages' requirements, `build` and `hatchling`. A data file that was forgotten, in
an archive or in a wheel, works in a checkout and fails at everybody else's: this is where it is noticed. So is a part
of the research in the product's wheel.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STARTS = (["--version"], ["--help"], ["editions"])


def sources(folder: Path) -> set[str]:
    """The files of a package in the checkout, as paths inside a wheel."""
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and path.parent.name != "__pycache__" and path.suffix != ".pyc"
    }


def built(project: Path, folder: Path) -> tuple[str, set[str]]:
    """A project's wheel, built and unpacked into `folder`: its name, and the files in it."""
    dist = folder / "dist" / project.name
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", dist, project],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (wheel,) = dist.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "unpacked")
        return wheel.name, set(archive.namelist())


def started(arguments: list[str], folder: Path) -> str:
    """What the program prints; ends this one where it fails."""
    # From an empty folder, with the unpacked wheels only: the checkout cannot lend them anything.
    environment = os.environ | {"PYTHONPATH": str(folder / "unpacked")}
    command = [sys.executable, "-m", "millebornes", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not done.stdout:
        sys.exit(f"millebornes {' '.join(arguments)} failed from the wheel:\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> int:
    """Runs the command; the exit status."""
    folder = Path(sys.argv[1])
    name, files = built(ROOT, folder)
    missing = sources(ROOT / "src") - files
    if not any(file.endswith("/licenses/NOTICE") for file in files):
        missing.add("NOTICE")
    if missing:
        print(f"{name} lacks: {', '.join(sorted(missing))}")
        return 1
    foreign = sorted(file for file in files if not file.startswith(("millebornes/", "millebornes-")))
    if foreign:
        print(f"{name} holds what is no part of the product: {', '.join(foreign)}")
        return 1
    for arguments in STARTS:
        started(arguments, folder)
    research, parts = built(ROOT / "research", folder)
    missing = sources(ROOT / "research" / "src") - parts
    if missing:
        print(f"{research} lacks: {', '.join(sorted(missing))}")
        return 1
    started(["lab", "--help"], folder)
    print(f"{name}: {len(files)} files, {research}: {len(parts)} files; nothing missing, starts")
    return 0


if __name__ == "__main__":
    sys.exit(main())
