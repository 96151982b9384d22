"""The commands that this distribution adds to ``millebornes``. Its entry points refer to this package."""

from typing import Final

from millebornes.cli import LazyCommand

__all__ = ["BENCH", "LAB", "POOL", "STRANGERS", "TRAIN"]

LAB: Final = LazyCommand(
    "millebornes_research.cli.lab:lab", "Measure what each piece of advice is worth; tune weights."
)
POOL: Final = LazyCommand("millebornes_research.cli.pool:pool", "Measure a player against a range of opponents.")
STRANGERS: Final = LazyCommand(
    "millebornes_research.cli.strangers:strangers", "Measure a player against random players, or at random tables."
)
TRAIN: Final = LazyCommand("millebornes_research.cli.train:train", "Train a net that plays; needs torch.")
BENCH: Final = LazyCommand("millebornes_research.cli.bench:bench", "Measure the speed of the rules and the screen.")
