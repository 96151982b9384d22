"""All experiments of the strategy lab by name."""

from typing import Final

from millebornes.lab.contrast import MaximWorth, Objective, WeightWorth
from millebornes.lab.coups import CoupsFourres
from millebornes.lab.deal import CardWorth, GoingFirst
from millebornes.lab.experiment import Experiment
from millebornes.lab.extension import Extension
from millebornes.lab.goal import Goal

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: Final[dict[str, type[Experiment]]] = {
    entry.name: entry
    for entry in (MaximWorth, WeightWorth, Objective, GoingFirst, CardWorth, CoupsFourres, Extension, Goal)
}
"""Experiments in the order in which they are told."""
