"""The name of an environment variable, for modules that must load quickly."""

from typing import Final

__all__ = ["SCRIPT"]

SCRIPT: Final = "MILLEBORNES_SCRIPT"
"""The variable in which ``scripts/play`` passes on the command that ran it. That command needs no ``play``."""
