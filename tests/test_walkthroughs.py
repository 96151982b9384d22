"""The walkthroughs in the documentation run as they are printed: files are written, commands run in a shell.

A fenced block whose first line is a comment with the name of a file is that file. In a `console` block, a line after
``$`` is a command; it has to succeed, and to print what follows it (`...` stands for anything). Blocks of one section
build on each other.
"""

import doctest
import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"# ([\w.]+\.\w+)\n")
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SECONDS = 600

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the commands are those of a POSIX shell")


def blocks(page: str, heading: str) -> list[tuple[str, str]]:
    """The fenced blocks in one section of a page: language and text."""
    sections = re.split(r"^## ", (DOCS / page).read_text(encoding="utf-8"), flags=re.MULTILINE)
    (section,) = [section for section in sections if section.partition("\n")[0] == heading]
    return BLOCK.findall(section)


def commands(block: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with what it should print."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


@pytest.mark.slow
@pytest.mark.parametrize(("page", "heading"), [("contributing.md", "Add an edition"), ("library.md", "Write a player")])
def test_walkthrough(page: str, heading: str, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    environment = os.environ | {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "MILLEBORNES_HOME": str(tmp_path / "home"),
        "LANGUAGE": "en",
        "COLUMNS": "120",
        # What `pip install` installs goes to a folder of this test, and comes from this machine alone.
        "PIP_TARGET": str(tmp_path / "packages"),
        "PYTHONPATH": os.pathsep.join([str(tmp_path / "packages"), str(ROOT / "src")]),
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip takes "0" for: no isolation
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    checked = 0
    for language, text in blocks(page, heading):
        if name := FILE_NAME.match(text):
            (work / name[1]).write_text(text, encoding="utf-8")
        elif language == "console":
            for command, expected in commands(text):
                if command.startswith("pip ") and importlib.util.find_spec("hatchling") is None:
                    pytest.skip("the rest needs hatchling, which builds the package")
                done = subprocess.run(
                    ["sh", "-c", command],
                    cwd=work,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    text=True,
                    encoding="utf-8",
                    timeout=SECONDS,
                    check=False,
                )
                printed = f"$ {command}\n{done.stdout}{done.stderr}"
                assert done.returncode == 0, printed
                assert doctest.OutputChecker().check_output(expected, done.stdout, OPTIONS), printed
                checked += 1
    assert checked >= 2
