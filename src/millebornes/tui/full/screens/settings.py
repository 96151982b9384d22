"""The preferences. Each change is saved at once."""

import dataclasses
import os
from collections.abc import Callable
from typing import Any, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import HorizontalGroup, Vertical
from textual.widgets import Button, Static

from millebornes.errors import SaveError
from millebornes.i18n import Translator, choose_language, translator
from millebornes.session.troubles import not_kept
from millebornes.storage import Preferences, save_preferences
from millebornes.storage.preferences import MAX_PACE
from millebornes.tui.full.keys import ACTIONS, KEYMAP
from millebornes.tui.full.keys_config import keys_file, load_keys, write_default_keys
from millebornes.tui.full.screens.dialogs import Reader
from millebornes.tui.full.screens.start_popups import AskScreen, PickScreen, Popup
from millebornes.tui.full.screens.start_rows import ROWS, ChoiceRow, Form, StartOption
from millebornes.tui.full.screens.start_texts import OTHER, SYSTEM, Texts

__all__ = ["SettingsScreen"]

PACES: Final = (0.0, 0.5, 1.0, 2.0, 3.0, 5.0)
YES: Final = "yes"
NO: Final = "no"


class SettingsScreen(Popup[Preferences]):
    """Shows and changes the preferences, and returns them when it closes.

    ``changed`` is called after each change, so that the screens below can adapt at once. ``language`` is the language
    to show if the preferences don't name one. ``playing`` is true during a game, whose language doesn't change. The id
    of a row is ``pref-`` and the name of the preference.
    """

    KEYS: ClassVar[str] = "#pref-pace"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "close", show=False),
        *ROWS,
    ]

    def __init__(
        self,
        preferences: Preferences,
        *,
        language: str | None = None,
        changed: Callable[[Preferences], None] | None = None,
        playing: bool = False,
    ) -> None:
        super().__init__()
        self.preferences = preferences
        self._playing = playing
        self._language = language or choose_language(preferences.language)
        self._changed = changed

    @property
    def _(self) -> Translator:
        return translator(self._language)

    # ------------------------------------------------------------------ what is shown

    def compose(self) -> ComposeResult:
        """Lay out the rows, the most important first, and a description of the current row."""
        _ = self._
        labels = {
            "pace": _("Pace"),
            "one_key": _("One-key play"),
            "sort": _("Sort the hand"),
            "manual_pick": _("Draw by hand"),
            "window": _("Window"),
            "colours": _("Colours"),
            "symbols": _("Symbols"),
            "bell": _("Bell"),
            "keep_matches": _("Keep matches"),
            "theme": _("Cards"),
            "language": _("Language"),
        }
        with Vertical(id="settings-window", classes="window") as window:
            window.border_title = _("Preferences")
            window.border_subtitle = _("◀ ▶: change · Enter: list · Esc: back")
            with Form(id="settings-form"):
                for name, label in labels.items():
                    yield ChoiceRow(label, id=f"pref-{name}")
            yield Static("", id="settings-about", markup=False)
            with HorizontalGroup(classes="buttons"):
                yield Button(_("Custom keys"), id="settings-keys", compact=True)
                yield Button(_("Back (Esc)"), id="settings-back", classes="back", compact=True)

    async def prepare(self) -> None:
        """Fill the rows, and focus the first row."""
        self._fill()
        await super().prepare()

    def _fill(self) -> None:
        for row in self.query(ChoiceRow):
            name = (row.id or "").removeprefix("pref-")
            shown = self._seconds(self.preferences.pace) if name == "pace" else None
            row.show(self._choices(name), self._value(name), shown)
        self._tell()

    def _value(self, name: str) -> str:
        value = getattr(self.preferences, name)
        if isinstance(value, bool):
            return YES if value else NO
        return f"{value:g}" if isinstance(value, float) else value or SYSTEM

    def _seconds(self, pace: float) -> str:
        _ = self._
        if pace == 0:
            return _("at once")
        return _.plural("{n} second", "{n} seconds", 1 if pace == 1 else 2).format(n=f"{pace:g}")

    def _choices(self, name: str) -> list[StartOption]:
        _ = self._
        if name == "theme":
            return Texts(self._language).themes()
        if name == "language":
            return Texts(self._language).languages()
        if name == "pace":
            about = _("How long another player's move stays on screen. Press any key to continue at once.")
            choices = [StartOption(f"{pace:g}", self._seconds(pace), about) for pace in PACES]
            return [*choices, StartOption(OTHER, _("another number…"), about, special=True)]
        if name == "window":
            return [
                StartOption(
                    "commands", _("commands"), _("Show the commands in the window. W switches during the game.")
                ),
                StartOption("scores", _("scores"), _("Show the score in the window. W switches during the game.")),
            ]
        if name == "colours":
            return [
                StartOption("auto", _("automatic"), _("Match the terminal's colours.")),
                StartOption("dark", _("dark"), _("For a dark screen; suitable for colour-blind people.")),
                StartOption("light", _("light"), _("For a light screen; suitable for colour-blind people.")),
                StartOption("none", _("none"), _("Only the terminal's own colours, as with NO_COLOR.")),
            ]
        if name == "symbols":
            return [
                StartOption("auto", _("automatic"), _("Symbols and frames if the terminal can show them.")),
                StartOption(
                    "yes", _("yes"), _("Symbols and frames, even if the terminal doesn't seem to support them.")
                ),
                StartOption("no", _("no"), _("Plain characters (ASCII) only, for every terminal and every font.")),
            ]
        on_text, off_text = {
            "one_key": (
                _("A card's number plays it at once; Shift and the number discards it."),
                _("U or D, the number of a card, then Enter, as in the classic game."),
            ),
            "sort": (_("Your hand is kept sorted."), _("A drawn card takes the place of the one played.")),
            "manual_pick": (_("P draws your card, as in the classic game."), _("Your card is drawn for you.")),
            "bell": (_("Errors and coups fourrés ring the bell."), _("No sound.")),
            "keep_matches": (
                _("Finished matches are kept, for reviews and for practice."),
                _("A finished match is forgotten once its statistics are counted."),
            ),
        }[name]
        return [StartOption(NO, _("no"), off_text), StartOption(YES, _("yes"), on_text)]

    def _tell(self) -> None:
        row = self.focused
        choice = row.choice if isinstance(row, ChoiceRow) else None
        text = choice.details if choice else ""
        if isinstance(row, ChoiceRow) and row.id == "pref-pace" and not text:
            text = row.choices[0].details
        if isinstance(row, ChoiceRow) and row.id == "pref-language" and self._playing:
            text = self._("The new language takes effect next time you start the game.")
        if isinstance(row, Button) and row.id == "settings-keys":
            text = self._("Remap any key in {path}.").format(path=keys_file())
        self.query_one("#settings-about", Static).update(text)

    def on_descendant_focus(self) -> None:
        """Describe the row that has just received the focus."""
        if self.query("#settings-about"):
            self._tell()

    # ------------------------------------------------------------------ changing it

    @on(ChoiceRow.Picked)
    async def picked(self, event: ChoiceRow.Picked) -> None:
        """Use a value that was chosen with the arrow keys."""
        event.stop()
        await self._take((event.row.id or "").removeprefix("pref-"), event.value)

    @on(ChoiceRow.Opened)
    def opened(self, event: ChoiceRow.Opened) -> None:
        """Open the list of values for a row."""
        event.stop()
        row = event.row

        async def chosen(value: str | None) -> None:
            if value is not None:
                await self._take((row.id or "").removeprefix("pref-"), value)

        self.app.push_screen(PickScreen(row.label, row.choices, row.value, self._), chosen)

    async def _take(self, name: str, value: str) -> None:
        if value == OTHER:
            self._ask_pace()
            return
        changes: dict[str, Any]
        if name == "pace":
            changes = {name: float(value.replace(",", "."))}
        elif name in {"theme", "language"}:
            changes = {name: None if value == SYSTEM else value}
        elif name == "symbols":
            changes = {name: value}
        else:
            changes = {name: {YES: True, NO: False}.get(value, value)}
        self.preferences = dataclasses.replace(self.preferences, **changes)
        try:
            save_preferences(self.preferences)
        except SaveError as error:  # the change applies for now, although it couldn't be saved
            self.app.notify(not_kept(error, self._), severity="warning", markup=False)
        if name == "language":
            self._language = choose_language(self.preferences.language)
            await self.recompose()
            self.query_one("#pref-language").focus()
        self._fill()
        if self._changed is not None:
            self._changed(self.preferences)

    def _ask_pace(self) -> None:
        _ = self._
        wrong = _("Please type a number of seconds from {low} to {high}.").format(low=0, high=f"{MAX_PACE:g}")

        def check(text: str) -> str:
            try:
                return "" if 0 <= float(text.replace(",", ".")) <= MAX_PACE else wrong
            except ValueError:
                return wrong

        async def answered(text: str | None) -> None:
            if text is not None:
                await self._take("pace", text)

        what = _("Seconds that another player's move stays on screen:")
        self.app.push_screen(AskScreen(_("Pace"), what, _, check=check, example="1.5"), answered)

    # ------------------------------------------------------------------ custom keys

    @on(Button.Pressed, "#settings-keys")
    def write_keys(self) -> None:
        """Write the keys file if it doesn't exist. Otherwise, show its path and whether it contains errors."""
        _ = self._
        path = keys_file()
        try:
            if os.path.exists(path):  # noqa: PTH110 # raises nothing
                faults = load_keys(KEYMAP).faults
                if faults:
                    self.app.push_screen(Reader(_("Custom keys"), faults, _))
                text = _("Your keys are in {path}. They take effect next time you start the game.").format(path=path)
            else:
                write_default_keys(KEYMAP, ACTIONS, _)
                text = _("All the keys are now in {path}, ready for you to change.").format(path=path)
        except SaveError as error:
            self.app.bell()
            text = f"✗ {error}"
        self.query_one("#settings-about", Static).update(text)

    def action_close(self) -> None:
        """Close the screen. All changes have been saved already."""
        self.dismiss(self.preferences)
