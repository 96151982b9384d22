"""Results are records whose fields all say what they mean, and plain data both ways."""

import ast
import dataclasses
import inspect
import json
from types import ModuleType

import pytest

from millebornes.editions import make_rules
from millebornes.lab import results as lab_results
from millebornes.simulation import pool_report, report
from millebornes.simulation.arena import Arena
from millebornes.simulation.executors import open_workers
from millebornes.simulation.report import ArenaResults
from millebornes.simulation.schedule import Plan


@pytest.mark.parametrize("module", [report, pool_report, lab_results])
def test_every_field_says_what_it_means(module: ModuleType) -> None:
    tree = ast.parse(inspect.getsource(module))
    for node in tree.body:
        if not isinstance(node, ast.ClassDef) or node.name == "Record":
            continue
        for field, said in zip(node.body, [*node.body[1:], None], strict=True):
            if isinstance(field, ast.AnnAssign):
                assert isinstance(said, ast.Expr), f"{node.name}: {ast.unparse(field)}"
                assert isinstance(said.value, ast.Constant)
                assert isinstance(said.value.value, str)


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
    with pytest.raises(TypeError, match="no ArenaResults: "):
        ArenaResults.from_dict({"players": 7})
