"""Changed rules are noticed, and everything that was made by playing by the old ones is named."""

import importlib.resources
import json
from typing import Any

import pytest

from millebornes.editions import make_rules
from millebornes.policies import match_equity
from millebornes.policies.array_files import read_arrays
from millebornes.policies.match_equity import equity_for, file_name, is_stored
from millebornes.rules import version
from millebornes.rules.version import RULES_VERSION, made_for
from tests.reference.randoms import KNOWN_TABLES
from tests.rules import fingerprint
from tests.rules.fingerprint import PATH, answers_of, points, settings

STORED: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))

ADVICE = """
If this is a mistake, take it back. Otherwise raise RULES_VERSION in millebornes/rules/version.py, run
`python -m tests.rules.fingerprint --write`, and renew what "What must rise with the rules" in docs/contributing.md
lists. If you have added an edition or a clause function, or a function only says the same in another form, then the
version needn't rise: change the line in tests/data/rules.json by hand.
"""


def differences(stored: dict[str, Any], found: dict[str, Any]) -> list[str]:
    return [
        f"{name}: {stored.get(name)} was stored, but it is {found.get(name)}"
        for name in sorted({*stored, *found})
        if stored.get(name) != found.get(name)
    ]


def test_the_points_are_those_of_this_version_of_the_rules() -> None:
    changed = differences(STORED["points"], points())
    assert not changed, f"The points of the score sheet have changed: {changed}{ADVICE}"


def test_the_editions_are_those_of_this_version_of_the_rules() -> None:
    changed = differences(STORED["settings"], settings())
    assert not changed, f"The settings of editions have changed: {changed}{ADVICE}"


@pytest.mark.parametrize("name", sorted({*fingerprint.FUNCTIONS, *STORED["clauses"]}))
def test_each_clause_answers_as_in_this_version_of_the_rules(name: str) -> None:
    function = fingerprint.FUNCTIONS.get(name)
    found = function and answers_of(function)
    assert found == STORED["clauses"].get(name), f"The clause function {name} gives other answers than before.{ADVICE}"


def test_the_stored_answers_are_of_this_version() -> None:
    assert STORED["rules_version"] == RULES_VERSION, f"RULES_VERSION has changed.{ADVICE}"


@pytest.mark.parametrize("table", KNOWN_TABLES, ids=lambda table: f"{table[0]} {table[1]}x{table[2]}")
def test_equity_tables_were_made_for_these_rules(table: tuple[str, int, int]) -> None:
    rules = make_rules(*table)
    data = importlib.resources.files("millebornes.policies").joinpath("equities", file_name(rules)).read_bytes()
    mark = tuple(read_arrays(data, file_name(rules), "a table")["made_for"].tolist())
    assert mark == made_for(rules), (
        f"{file_name(rules)} was made for {mark} (RULES_VERSION, then the points of each line), but now it must be "
        f"{made_for(rules)}. Make it anew: `millebornes lab equity --edition {table[0]} --out "
        "src/millebornes/policies/equities`. Until then, players compute their own table at each start."
    )


def test_nets_and_exercises_were_made_for_these_rules() -> None:
    nets = importlib.resources.files("millebornes.policies") / "nets"
    names = {"exercises.jsonl", *(net.name for net in nets.iterdir() if net.name.endswith(".npz"))}
    assert set(STORED["made_for"]) == names
    old = [name for name, made in STORED["made_for"].items() if made != RULES_VERSION]
    assert not old, (
        f"{', '.join(old)} come from an earlier version of the rules. Train the nets again, and make the exercises "
        "again. Or measure that the nets still play as well as they should. Then write the new version into "
        "tests/data/rules.json."
    )


@pytest.mark.parametrize("what", ["points", "version"])
def test_stored_equity_is_left_aside_if_the_rules_have_changed(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    rules = make_rules("classic", 6, 2)
    assert is_stored(rules)
    if what == "version":
        monkeypatch.setattr(version, "RULES_VERSION", RULES_VERSION + 1)
    else:
        monkeypatch.setattr(version, "points_of", lambda _rules: (1, 100, 300, 300, 400, 300, 200, 200, 500))
    assert not is_stored(rules)
    asked = []
    monkeypatch.setattr(match_equity, "sample_scores", lambda *words: asked.append(words))
    with pytest.raises(AttributeError):  # there is nothing in place of the scores
        equity_for.__wrapped__(rules, 5000)
    assert asked, "hands are played instead"
