"""The documents that are made from the Structs."""

import subprocess
import sys
from pathlib import Path

from millebornes.schema.documents import MODULES, field_notes, kinds

ROOT = Path(__file__).parents[2]
UNDOCUMENTED = {"__init__", "documents", "fields", "reading", "strict"}
"""Modules without Structs."""


def test_the_documents_follow_the_structs() -> None:
    script = ROOT / "scripts" / "formats-page"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_struct_is_documented() -> None:
    modules = {file.stem for file in (ROOT / "src" / "millebornes" / "schema").glob("*.py")}
    assert modules - UNDOCUMENTED == set(MODULES)
    assert [name for name, kind in kinds().items() if not kind.__doc__] == []


def test_every_field_is_documented() -> None:
    silent = [f"{name}.{key}" for name, kind in kinds().items() for key, note in field_notes(kind).items() if not note]
    assert silent == []
