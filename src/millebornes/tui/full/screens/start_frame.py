"""What stands above and below the rows of the start screen."""

from textual.app import ComposeResult
from textual.containers import HorizontalGroup, VerticalGroup
from textual.content import Content
from textual.widgets import Button, Static

from millebornes.i18n import Translator

__all__ = ["Foot", "Head"]


class Head(HorizontalGroup):
    """The name of the game, beside a milestone. Its id is ``head``."""

    def __init__(self, _: Translator) -> None:
        super().__init__(id="head")
        self._ = _

    def compose(self) -> ComposeResult:
        """The stone and the title."""
        with VerticalGroup(id="stone"):  # as they stand along French roads
            yield Static("▟████▙", classes="stone-top")
            yield Static("1000\nkm", classes="stone-foot")
        yield Static(self._title(), id="title", markup=False)

    def _title(self) -> Content:
        _ = self._
        return Content.assemble(
            Content.styled("M I L L E   B O R N E S", "bold"),
            "\n",
            Content.styled("━━  " * 6, "dim"),
            "\n",
            _("The motoring card game"),
        )


class Foot(HorizontalGroup):
    """Buttons for everything that is not a game; the screen above says what they do. Its id is ``foot``."""

    def __init__(self, _: Translator) -> None:
        super().__init__(id="foot")
        self._ = _

    def compose(self) -> ComposeResult:
        """The buttons, by their ids."""
        _ = self._
        for name, label in {
            "tutorial": _("Tutorial (T)"),
            "statistics": _("Statistics (S)"),
            "settings": _("Preferences (P)"),
            "quit": _("Quit (Q)"),
        }.items():
            button = Button(label, id=name, compact=True)
            button.styles.line_pad = 0  # two of them fit beside each other on the narrowest screen
            yield button
