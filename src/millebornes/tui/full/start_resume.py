"""Games that broke off: which there are, and the list to go on with one of them."""

import contextlib
import dataclasses
import datetime
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import HorizontalGroup, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, OptionList
from textual.widgets.option_list import Option

from millebornes.editions import EDITIONS, edition
from millebornes.errors import SaveError
from millebornes.i18n import Translator
from millebornes.storage import Sealed, saves_folder, slot_of
from millebornes.storage.saves import peek
from millebornes.tui.full.front import Front
from millebornes.tui.full.start_popups import ConfirmScreen
from millebornes.tui.full.start_rows import Options
from millebornes.tui.sitting.cast import clean_name

__all__ = ["ResumeScreen", "UnfinishedGame", "describe_unfinished", "unfinished_games"]

MOST: Final = 100


@dataclasses.dataclass(frozen=True, kw_only=True)
class UnfinishedGame:
    """A game that waits to be gone on with: its save, when it was last played (local time), and how it stood.

    ``totals`` go by side and count the finished hands; ``hand`` is the number of the hand being played.
    """

    path: Path
    date: datetime.datetime
    names: tuple[str, ...]
    totals: tuple[int, ...]
    hand: int
    edition: str | None
    match_target: int | None
    practice: bool = False


def unfinished_games() -> list[UnfinishedGame]:
    """The unfinished games in the saves folder that no running program plays, the latest first.

    Damaged saves and those of newer programs are passed over, and left alone.
    """
    found: list[UnfinishedGame] = []
    folder = saves_folder().absolute()
    for path in [*folder.glob("autosave-*.jsonl"), *folder.glob("game-*.jsonl")]:
        with contextlib.suppress(SaveError, OSError, ValueError, TypeError, LookupError, AttributeError):
            slot = slot_of(path)
            try:
                date = datetime.datetime.fromtimestamp(path.stat().st_mtime)
                sealed = peek(path)
            finally:
                if slot is not None:
                    slot.release()
            if not sealed.save.get("finished"):
                found.append(_game(path, date, sealed))
    return sorted(found, key=lambda game: game.date, reverse=True)[:MOST]


def _game(path: Path, date: datetime.datetime, sealed: Sealed) -> UnfinishedGame:
    header = sealed.header
    totals = [0] * int(header["sides"])
    hands = 0
    for line in sealed.data.splitlines()[1:]:
        hand: Mapping[str, Any] = json.loads(line)
        hands += "hand" in hand
        for side, score in enumerate(hand.get("scores", ())):
            totals[side] += int(score["total"])
    names = header.get("players") or sealed.save.get("seats") or ()
    return UnfinishedGame(
        path=path,
        date=date,
        names=tuple(clean_name(str(name)) for name in names),
        totals=tuple(totals),
        hand=hands,
        edition=header.get("edition"),
        match_target=header.get("match_target"),
        practice=sealed.save.get("practice") is True,
    )


def describe_unfinished(game: UnfinishedGame, _: Translator) -> tuple[str, str]:
    """A game in words: who plays and how it stands, then the rules, the hand and the date."""
    names = ", ".join(game.names)
    title = _(edition(game.edition).title) if game.edition in EDITIONS and game.edition else _("Own rules")
    if game.match_target is None:
        length = _("single hands")
    else:
        length = _("to {target} points").format(target=game.match_target)
    parts = [title, length, _("hand {number}").format(number=game.hand), game.date.strftime("%Y-%m-%d %H:%M")]
    if game.practice:
        parts.append(_("practice"))
    standing = " : ".join(str(total) for total in game.totals)
    return f"{names}   {standing}", " · ".join(parts)


class ResumeScreen(Front, ModalScreen[Path | None]):
    """The unfinished games; the result is the save to go on with, or None.

    Enter or a click goes on with a game, Delete forgets one after asking.
    """

    CSS_PATH = "start.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", show=False),
        Binding("delete,backspace,x", "forget", show=False),
    ]

    def __init__(self, games: Sequence[UnfinishedGame], _: Translator) -> None:
        super().__init__()
        self._games = list(games)
        self._ = _

    def compose(self) -> ComposeResult:
        """The window."""
        _ = self._
        with Vertical(id="resume", classes="window") as window:
            window.border_title = _("Unfinished games")
            window.border_subtitle = _("Enter: go on · Delete: forget · Esc: back")
            yield Options(*self._options(), id="resume-list", markup=False)
            with HorizontalGroup(classes="buttons"):
                yield Button(_("Forget this game (Delete)"), id="resume-forget", compact=True)
                yield Button(_("Back (Esc)"), id="resume-back", compact=True)

    async def prepare(self) -> None:
        """The list has the keys."""
        self.query_one("#resume-list", OptionList).focus()

    def _options(self) -> list[Option]:
        return [Option("\n  ".join(describe_unfinished(game, self._))) for game in self._games]

    @on(OptionList.OptionSelected, "#resume-list")
    def choose(self, event: OptionList.OptionSelected) -> None:
        """Go on with it."""
        event.stop()
        self.dismiss(self._games[event.option_index].path)

    @on(Button.Pressed, "#resume-forget")
    def action_forget(self) -> None:
        """Forget the game under the cursor, after asking."""
        index = self.query_one("#resume-list", OptionList).highlighted
        if index is None:
            return
        game, _ = self._games[index], self._
        question = "\n".join([_("Forget this game for good?"), "", *describe_unfinished(game, _)])

        def answered(yes: bool | None) -> None:
            if yes:
                self._remove(game)

        self.app.push_screen(ConfirmScreen(_("Unfinished games"), question, _), answered)

    def _remove(self, game: UnfinishedGame) -> None:
        try:
            slot = slot_of(game.path)
            try:
                game.path.unlink(missing_ok=True)
            finally:
                if slot is not None:
                    slot.release()
        except (SaveError, OSError) as error:
            self.app.notify(str(error), severity="error", markup=False)
            return
        self._games.remove(game)
        games = self.query_one("#resume-list", OptionList)
        games.clear_options()
        games.add_options(self._options())
        if self._games:
            games.highlighted = 0
        else:
            self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        """A click beside the window closes it."""
        if event.widget is self:
            self.dismiss(None)

    @on(Button.Pressed, "#resume-back")
    def action_close(self) -> None:
        """Go on with none."""
        self.dismiss(None)
