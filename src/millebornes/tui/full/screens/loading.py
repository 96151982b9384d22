"""What is there at once, while the rules are loaded."""

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
    """The name of the game, and what it is doing."""

    def __init__(self, _: Translator) -> None:
        super().__init__(id="loading")
        self._ = _

    def compose(self) -> ComposeResult:
        """A picture and a line."""
        yield Static(LOGO.strip("\n"), id="logo", markup=False)
        yield Static(self._("Shuffling …"), id="loading-text", markup=False)

    def tell_compiling(self) -> None:
        """The first time takes long."""
        self._tell(self._("Preparing the rules (first time only) …"))

    def tell_preparing(self) -> None:
        """The first game with a computer player that has much to compile takes long."""
        self._tell(self._("Preparing the computer player (first time only) …"))

    def _tell(self, text: str) -> None:
        self.query_one("#loading-text", Static).update(text)
