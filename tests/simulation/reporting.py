"""Runs in one call, as plain data."""

from typing import Any

from millebornes.simulation import arena
from millebornes.simulation.schedule import Plan

__all__ = ["run_arena"]


def run_arena(plan: Plan, **options: Any) -> dict[str, Any]:
    """What `millebornes.simulation.arena.run_arena` finds, as the command prints it."""
    return arena.run_arena(plan, **options).to_dict()
