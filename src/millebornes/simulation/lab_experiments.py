"""All experiments of the strategy lab by name."""

from typing import Final

from millebornes.simulation.lab import Experiment
from millebornes.simulation.lab_contrast import MaximWorth, Objective, WeightWorth
from millebornes.simulation.lab_coups import CoupsFourres
from millebornes.simulation.lab_extension import Extension
from millebornes.simulation.lab_goal import Goal
from millebornes.simulation.lab_hands import CardWorth, GoingFirst

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: Final[dict[str, type[Experiment]]] = {
    entry.name: entry
    for entry in (MaximWorth, WeightWorth, Objective, GoingFirst, CardWorth, CoupsFourres, Extension, Goal)
}
"""Experiments in the order in which they are told."""
