"""Runs in one call, as plain data; and what records leave unsaid."""

import ast
import inspect
from types import ModuleType
from typing import Any

from millebornes.arena import arena
from millebornes.arena.schedule import Plan

__all__ = ["run_arena", "timeless", "undocumented_fields"]


def run_arena(plan: Plan, **options: Any) -> dict[str, Any]:
    """What `millebornes.arena.arena.run_arena` finds, as the command prints it."""
    return arena.run_arena(plan, **options).to_dict()


def timeless(report: dict[str, Any]) -> dict[str, Any]:
    """A report without what differs from run to run."""
    rows = [{**row, "ms_per_move": None, "forfeit_list": None} for row in report["results"]]
    return {**report, "results": rows, "wall_s": None}


def undocumented_fields(module: ModuleType) -> list[str]:
    """The fields of a module's records that no docstring follows."""
    found = []
    for node in ast.parse(inspect.getsource(module)).body:
        if not isinstance(node, ast.ClassDef) or node.name == "Record":
            continue
        for field, said in zip(node.body, [*node.body[1:], None], strict=True):
            documented = isinstance(said, ast.Expr) and isinstance(said.value, ast.Constant)
            if isinstance(field, ast.AnnAssign) and not documented:
                found.append(f"{node.name}: {ast.unparse(field)}")
    return found
