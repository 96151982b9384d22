"""Builds the source archive and, from it, the wheel; checks that the wheel is whole and starts.

    python check_package.py FOLDER

Run in an environment that has the package's requirements, `build` and `hatchling`. A data file that was forgotten, in
the archive or in the wheel, works in a checkout and fails at everybody else's: this is where it is noticed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STARTS = (["--version"], ["--help"], ["editions"])


def sources() -> set[str]:
    """The files of the package in the checkout, as paths inside a wheel."""
    folder = ROOT / "src"
    return {
        path.relative_to(folder).as_posix()
        for path in (folder / "millebornes").rglob("*")
        if path.is_file() and path.parent.name != "__pycache__" and path.suffix != ".pyc"
    }


def main() -> int:
    """Runs the command; the exit status."""
    folder = Path(sys.argv[1])
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(folder / "unpacked")
    missing = sources() - names
    if not any(name.endswith("/licenses/NOTICE") for name in names):
        missing.add("NOTICE")
    if missing:
        print(f"{wheel.name} lacks: {', '.join(sorted(missing))}")
        return 1
    # From an empty folder and with the unpacked wheel first: the checkout cannot lend it anything.
    environment = os.environ | {"PYTHONPATH": str(folder / "unpacked")}
    for arguments in STARTS:
        command = [sys.executable, "-m", "millebornes", *arguments]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0 or not done.stdout:
            print(f"millebornes {' '.join(arguments)} failed from {wheel.name}:\n{done.stdout}{done.stderr}")
            return 1
    print(f"{wheel.name}: {len(names)} files, nothing missing, starts")
    return 0


if __name__ == "__main__":
    sys.exit(main())
