"""All experiments of the strategy lab, by name."""

from typing import Final

from millebornes_research.lab.contrast import MaximWorth, Objective, WeightWorth
from millebornes_research.lab.coups import CoupsFourres
from millebornes_research.lab.deal import CardWorth, GoingFirst
from millebornes_research.lab.experiment import Experiment
from millebornes_research.lab.extension import Extension
from millebornes_research.lab.goal import Goal

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: Final[dict[str, type[Experiment]]] = {
    entry.name: entry
    for entry in (MaximWorth, WeightWorth, Objective, GoingFirst, CardWorth, CoupsFourres, Extension, Goal)
}
"""The experiments in the order in which they are listed."""
