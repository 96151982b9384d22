"""Results are records whose fields all say what they mean, and plain data both ways."""

import dataclasses
import json

import pytest

from millebornes.arena import report
from millebornes.arena.arena import Arena
from millebornes.arena.executors import open_workers
from millebornes.arena.report import ArenaResults
from millebornes.arena.schedule import Plan
from millebornes.editions import make_rules
from tests.arena.reporting import undocumented_fields


def test_every_field_says_what_it_means() -> None:
    assert undocumented_fields(report) == []


def test_results_are_plain_data_both_ways_by_a_schema() -> None:
    plan = Plan(rules=make_rules(), players=("basic", "random", "random"), games=6, match_target=None)
    arena = Arena(plan)
    with open_workers() as workers:
        arena.run(workers)
    results = arena.results()
    data = json.loads(json.dumps(arena.report()))
    assert results.to_dict() == data
    assert ArenaResults.from_dict(data) == results
    assert [row["match_share_ci95_low"] for row in results.rows()] == [
        row.match_share_ci95[0] for row in results.results
    ]
    schema = ArenaResults.schema()["$defs"]
    assert set(schema["ArenaResults"]["properties"]) == {field.name for field in dataclasses.fields(ArenaResults)}
    assert set(data) <= set(schema["ArenaResults"]["properties"])
    assert set(data["results"][0]) <= set(schema["PlayerResult"]["properties"])
    with pytest.raises(TypeError, match="these are not ArenaResults: "):
        ArenaResults.from_dict({"players": 7})
