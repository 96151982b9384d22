"""All experiments of the strategy lab, by name."""

from typing import Final

from millebornes_research.lab.contrast import MaximWorth, Objective
from millebornes_research.lab.experiment import Experiment

EXPERIMENTS: Final[dict[str, type[Experiment]]] = {entry.name: entry for entry in (MaximWorth, Objective)}
"""The experiments in the order in which they are listed."""
