"""Files that runs go on from are a format: those in tests/data/runs were written before the runs shared one loop.

They belong to the shipped weights; where these change, such files are refused, and must be written anew.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from millebornes.arena.arena import Arena
from millebornes.arena.executors import open_workers
from millebornes.arena.run import Run
from millebornes.arena.schedule import Plan
from millebornes.editions import make_rules
from millebornes_research.lab.contrast import MaximWorth
from millebornes_research.lab.fit import Fitter, Fitting
from millebornes_research.lab.lab import Lab

KEPT = Path(__file__).parents[1] / "data" / "runs"
RULES = make_rules()


def lab(file: Path) -> Lab:
    worth = MaximWorth(RULES, "maxims", maxims=["safe_trip"], hands=20, matches=3, target=700)
    return Lab([worth], "a", resume=file)


def fit(file: Path) -> Fitter:
    numbers: dict[str, Any] = {"deals": 20, "trials": 20, "final": 30, "rounds": 2}
    plan = Fitting(rules=RULES, player="maxims:mile=-60", weights=["mile", "roll"], seed="1", **numbers)
    return Fitter(plan, resume=file)


def arena(file: Path) -> Arena:
    plan = Plan(rules=RULES, players=("basic", "random"), games=20, match_target=None, seed="a")
    return Arena(plan, resume=file)


def ladder(file: Path) -> Arena:
    players = ("basic", "random", "random")
    return Arena(Plan(rules=RULES, players=players, games=100, match_target=None, seed="a", ladder=True), resume=file)


@pytest.mark.parametrize("make", [lab, fit, arena, ladder], ids=lambda make: make.__name__)
def test_a_file_of_an_earlier_version_is_gone_on_with(make: Callable[[Path], Run], tmp_path: Path) -> None:
    """An interrupted run's file, and what the whole run came to."""
    file = tmp_path / "kept"
    shutil.copy(KEPT / f"{make.__name__}.json", file)
    run = make(file)
    assert run.seconds > 0
    assert not run.report()["complete"]
    told: list[Run] = []
    with open_workers() as workers:
        run.run(workers, told.append)
    assert told
    assert run.complete
    expected: dict[str, Any] = json.loads((KEPT / f"{make.__name__}-report.json").read_bytes())
    found = json.loads(json.dumps(run.report()))
    for row in found.get("results", []):
        row["ms_per_move"] = None
        assert not row.pop("name", None)  # of programs, and of players that forfeit, nothing was told then
        assert not row.pop("forfeit_list", None)
    assert {name: value for name, value in found.items() if name != "wall_s"} == expected
    again = make(file)  # and what was written now is read again
    assert again.complete
    assert again.report() == run.report()
