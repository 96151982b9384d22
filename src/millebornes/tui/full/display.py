"""What the input needs of the screen on which it asks."""

from collections.abc import Sequence
from typing import Protocol

__all__ = ["Choice", "Display"]

Choice = tuple[str, str, str]
"""A key as it is shown, what it does in words, and the action it stands for."""


class Display(Protocol):
    """The screen, as the input speaks to it."""

    def ask_anew(self) -> None:
        """Another question stands: what comes before it can be seen is no answer to it."""

    def say(self, text: str, kind: str = "") -> None:
        """Put a text on the message line."""

    def offer(self, choices: Sequence[Choice]) -> None:
        """Show what can be chosen now."""

    def select(self, place: int | None) -> None:
        """Mark the card at a place (from 1)."""

    def ring(self) -> None:
        """Beep, where errors ring."""

    def redraw(self, deciding: bool) -> None:
        """Show the table again; ``deciding``: the viewer is to move."""

    def key_for(self, action: str) -> str:
        """The first key of an action, as people know it; empty where it has none."""
