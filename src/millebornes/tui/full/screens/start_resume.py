"""The list of unfinished games, from which the player can resume one or delete some."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import HorizontalGroup, Vertical
from textual.widgets import Button, OptionList
from textual.widgets.option_list import Option

from millebornes.errors import SaveError
from millebornes.i18n import Translator
from millebornes.session.unfinished import UnfinishedGame, delete_unfinished, describe_unfinished
from millebornes.tui.full.screens.dialogs import Confirm
from millebornes.tui.full.screens.start_popups import Popup
from millebornes.tui.full.screens.start_rows import StartOptions

__all__ = ["ResumeScreen"]


class ResumeScreen(Popup[Path]):
    """A list of unfinished games. The result is the save to resume, or None.

    Enter or a click resumes a game. Space marks a game, and A marks all games. Delete asks once, and then deletes the
    marked games or, if none is marked, the game under the cursor.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "close", show=False),
        Binding("space", "mark", show=False),
        Binding("a", "mark_all", show=False),
        Binding("delete,backspace,x", "delete", show=False),
    ]

    KEYS: ClassVar[str] = "#resume-list"

    def __init__(self, games: Sequence[UnfinishedGame], _: Translator) -> None:
        super().__init__()
        self._games = list(games)
        self._marked: set[Path] = set()
        self._ = _

    def compose(self) -> ComposeResult:
        """Lay out the window."""
        _ = self._
        with Vertical(id="resume", classes="window") as window:
            window.border_title = _("Unfinished games")
            window.border_subtitle = _("Enter: resume · Space: mark · Esc: back")
            yield StartOptions(*self._options(), id="resume-list", markup=False)
            with HorizontalGroup(classes="buttons"):
                yield Button(_("Mark all (A)"), id="resume-all", compact=True)
                yield Button(_("Delete (Del)"), id="resume-delete", compact=True)
                yield Button(_("Back (Esc)"), id="resume-back", classes="back", compact=True)

    def _options(self) -> list[Option]:
        return [
            Option(f"{'✗' if game.path in self._marked else ' '} " + "\n    ".join(describe_unfinished(game, self._)))
            for game in self._games
        ]

    def _refresh(self) -> None:
        """Show the list again, with the cursor where it was."""
        games = self.query_one("#resume-list", OptionList)
        at = games.highlighted or 0
        games.clear_options()
        games.add_options(self._options())
        if self._games:
            games.highlighted = min(at, len(self._games) - 1)

    @on(OptionList.OptionSelected, "#resume-list")
    def choose(self, event: OptionList.OptionSelected) -> None:
        """Close the window with the chosen game."""
        event.stop()
        self.dismiss(self._games[event.option_index].path)

    def action_mark(self) -> None:
        """Mark or unmark the game under the cursor, and move to the next game."""
        games = self.query_one("#resume-list", OptionList)
        if games.highlighted is not None:
            self._marked ^= {self._games[games.highlighted].path}
            self._refresh()
            games.highlighted = min(games.highlighted + 1, len(self._games) - 1)

    @on(Button.Pressed, "#resume-all")
    def action_mark_all(self) -> None:
        """Mark all games or, if all are marked, unmark them."""
        every = {game.path for game in self._games}
        self._marked = set() if self._marked == every else every
        self._refresh()

    @on(Button.Pressed, "#resume-delete")
    def action_delete(self) -> None:
        """Ask once, and then delete the marked games or the game under the cursor."""
        index, _ = self.query_one("#resume-list", OptionList).highlighted, self._
        games = [game for game in self._games if game.path in self._marked]
        if not games and index is not None:
            games = [self._games[index]]
        if not games:
            return
        if len(games) == 1:
            question = "\n".join([_("Delete this game? You can't get it back."), "", *describe_unfinished(games[0], _)])
        else:
            question = _.plural(
                "Delete {n} game? You can't get it back.", "Delete {n} games? You can't get them back.", len(games)
            )
            question = question.format(n=len(games))

        def answered(yes: bool | None) -> None:
            if yes:
                self._delete(games)

        self.app.push_screen(Confirm(question, _, title=_("Unfinished games")), answered)

    def _delete(self, games: Sequence[UnfinishedGame]) -> None:
        for game in games:
            try:
                delete_unfinished(game.path)
            except SaveError as error:
                self.app.notify(str(error), severity="error", markup=False)
                continue
            self._games.remove(game)
            self._marked.discard(game.path)
        self._refresh()
        if not self._games:
            self.dismiss(None)
