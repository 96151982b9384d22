"""Every clause of the rulebook has a function that holds it and a test, and docs/clauses.md tells which."""

import importlib.machinery
import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from millebornes.rulebook import clauses

SCRIPT = Path(__file__).parents[2] / "scripts" / "clauses-page"
NUMBERS = [clause.number for clause in clauses()]


@pytest.fixture(scope="module")
def script() -> Any:
    """The script, as a module."""
    loader = importlib.machinery.SourceFileLoader("clauses_page", str(SCRIPT))
    spec = importlib.util.spec_from_loader("clauses_page", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_the_page_is_complete_and_up_to_date() -> None:
    done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_clauses_that_docstrings_begin_with(script: Any, tmp_path: Path) -> None:
    (tmp_path / "editions").mkdir()
    (tmp_path / "rules").mkdir()
    (tmp_path / "cards.py").write_text('"""R1: cards."""\n')
    (tmp_path / "rules" / "plays.py").write_text(
        'def several() -> None:\n    """R4.1-R4.3, R4.6: a play."""\n\n\n'
        'class Held:\n    """R6.4."""\n\n    def told(self) -> None:\n        """What R5.1 says (R5.2)."""\n\n\n'
        'def wrong() -> None:\n    """R4.99: no such clause."""\n'
    )
    several = {number: ["rules.plays.several"] for number in ("R4.1", "R4.2", "R4.3", "R4.6")}
    held = script.holders(tmp_path, NUMBERS)
    assert held == {"R1": ["cards"], **several, "R6.4": ["rules.plays.Held"], "R4.99": ["rules.plays.wrong"]}
    faults = script.faults(script.rows(clauses()), held, {}, NUMBERS)
    assert "R4.99: there is no such clause" in faults
    assert "R4.4: no function holds it" in faults
    assert "R4.1: no test holds it" in faults
    assert "R4.1: no function holds it" not in faults
    assert not any(fault.startswith(("R4:", "R5:")) for fault in faults)  # chapters that are divided into clauses


def test_clauses_in_the_names_of_tests(script: Any, tmp_path: Path) -> None:
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "test_some.py").write_text("def test_r5_1_asked(): ...\ndef test_r7(): ...\ndef test_rolls(): ...\n")
    assert script.tests(folder) == {"R5.1": ["tests/test_some.py"], "R7": ["tests/test_some.py"]}
