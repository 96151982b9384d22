"""The reference in the documentation has every public name."""

import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import millebornes

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "reference"
DIRECT = [
    f"millebornes.{module.name}" for module in pkgutil.iter_modules(millebornes.__path__) if module.name[0] != "_"
]


def names_of(module: str) -> set[str]:
    """The names in the `__all__` of a module."""
    return set(getattr(importlib.import_module(module), "__all__", ()))


def listed_in(text: str) -> set[str]:
    """The names that a page lists in a summary or as other names."""
    summaries = re.findall(r"^   (\w+)$", text, re.MULTILINE)
    constants = re.findall(r"`(\w+)`", "".join(re.findall(r"^Other names: (.*)\.$", text, re.MULTILINE)))
    return {*summaries, *constants}


@pytest.mark.parametrize("module", [module for module in DIRECT if names_of(module)])
def test_a_page_lists_every_name_of_its_package(module: str) -> None:
    page = REFERENCE / f"{module.removeprefix('millebornes.')}.md"
    assert names_of(module) <= listed_in(page.read_text(encoding="utf-8"))


def test_the_index_lists_every_name_of_the_package_and_says_where_it_is_described() -> None:
    rows = re.findall(
        r"^\| {py:obj}`~(millebornes\.[\w.]+)`", (REFERENCE / "index.md").read_text("utf-8"), re.MULTILINE
    )
    homes = {row.rpartition(".")[2]: row.rpartition(".")[0] for row in rows}
    assert homes.keys() == names_of("millebornes") - {"__version__"}
    for name, module in homes.items():
        page = REFERENCE / f"{module.split('.')[1]}.md"
        assert f".. automodule:: {module}\n" in page.read_text(encoding="utf-8"), name
        assert getattr(millebornes, name) is getattr(importlib.import_module(module), name)


def test_the_pages_are_up_to_date() -> None:
    script = ROOT / "scripts" / "reference-pages"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
