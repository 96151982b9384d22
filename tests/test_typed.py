"""The types reach those who install the package: a sample project is checked against the wheel, not the checkout."""

import importlib.util
import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "examples" / "library" / "measure.py"
SECONDS = 1800

pytestmark = pytest.mark.skipif(not SAMPLE.exists(), reason="the examples are not here")


def said(*command: object, folder: Path, status: int = 0) -> str:
    """What a command prints; it must end as told."""
    environment = {key: value for key, value in os.environ.items() if key not in {"PYTHONPATH", "MYPYPATH"}}
    done = subprocess.run(
        [*map(str, command)], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=SECONDS
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


@pytest.mark.once
def test_a_project_that_uses_the_wheel_is_checked_by_mypy_and_pyright(tmp_path: Path) -> None:
    for needed in ("build", "hatchling", "mypy"):
        pytest.importorskip(needed)
    said(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, ROOT, folder=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    home = tmp_path / "environment"
    venv.create(home, with_pip=False)
    python = home / ("Scripts" if os.name == "nt" else "bin") / "python"
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(said(python, "-c", asked, folder=tmp_path).strip())
    with zipfile.ZipFile(wheel) as archive:
        assert "millebornes/py.typed" in archive.namelist()
        archive.extractall(packages)
    numpy = importlib.util.find_spec("numpy")
    assert numpy is not None
    assert numpy.origin is not None
    (packages / "needed.pth").write_text(f"{Path(numpy.origin).parents[1]}\n", encoding="utf-8")
    project = tmp_path / "project"
    project.mkdir()
    (project / "measure.py").write_bytes(SAMPLE.read_bytes())
    wrong = 'from millebornes import Hand, make_rules\n\nhand: int = Hand.deal(make_rules(), seed="x").play(3)\n'
    (project / "wrong.py").write_text(wrong, encoding="utf-8")

    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-executable", python, "--cache-dir", tmp_path / "cache"]
    assert "Success: no issues found" in said(*mypy, "measure.py", folder=project)
    assert said(*mypy, "wrong.py", folder=project, status=1).count(": error: ") == 2

    if importlib.util.find_spec("pyright") is None:
        pytest.skip("pyright is not installed")
    settings = {"typeCheckingMode": "strict", "include": ["measure.py"], "pythonVersion": "3.11"}
    (project / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    pyright = [sys.executable, "-m", "pyright", "--pythonpath", python]
    assert "0 errors" in said(*pyright, folder=project)
    assert "2 errors" in said(*pyright, "wrong.py", folder=project, status=1)
