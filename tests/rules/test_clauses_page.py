"""Every clause of the rulebook has a function that holds it and a test, and docs/clauses.md tells which."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "clauses-page"


def test_the_page_is_complete_and_up_to_date() -> None:
    done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
