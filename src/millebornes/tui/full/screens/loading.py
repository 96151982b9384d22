"""The first screen, which is visible while the rules are loaded."""

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from millebornes.i18n import Translator
from millebornes.tui.full.screens.base_screen import Steady

__all__ = ["LoadingScreen"]

LOGO = r"""
╭─────╮      ┏━━━━━━━━━━━━━━━━━┓
│1000 │      ┃   MILLE BORNES  ┃
│     │      ┗━━━━━━━━┳━━━━━━━━┛
└──┬──┘               ┃
━━━┷━━━━━━━━━━━━━━━━━━┻━━━━━━━━━
"""


class LoadingScreen(Steady, Screen[None]):
    """Shows the name of the game and what the program is doing."""

    def __init__(self, _: Translator) -> None:
        super().__init__(id="loading")
        self._ = _

    def compose(self) -> ComposeResult:
        """Lay out a picture and a line of text."""
        yield Static(LOGO.strip("\n"), id="logo", markup=False)
        yield Static(self._("Shuffling…"), id="loading-text", markup=False)

    def tell_compiling(self) -> None:
        """Say that the rules are being prepared, which takes a while the first time."""
        self._tell(self._("Preparing the rules (first time only)…"))

    def tell_preparing(self) -> None:
        """Say that a computer player is being prepared, which can take a while the first time."""
        self._tell(self._("Preparing the computer player (first time only)…"))

    def _tell(self, text: str) -> None:
        self.query_one("#loading-text", Static).update(text)
