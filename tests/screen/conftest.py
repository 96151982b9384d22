import sys

import pytest

if sys.platform == "win32":
    collect_ignore_glob = ["test_*.py"]  # no pseudo-terminals there


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the tests themselves read lies in their own folder too."""
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path))
