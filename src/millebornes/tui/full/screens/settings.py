"""The preferences. Each change is saved at once."""

import os
from typing import Any, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import HorizontalGroup, Vertical
from textual.widgets import Button, Static

from millebornes.errors import SaveError
from millebornes.i18n import Translator, choose_language, translator
from millebornes.storage.preferences import MAX_PACE
from millebornes.tui.full.screens.dialogs import Reader
from millebornes.tui.full.screens.popups import AskScreen, FormScreen, Popup
from millebornes.tui.full.screens.start_texts import OTHER, languages, themes
from millebornes.tui.full.terminal.keys import keys_file, load_keys, write_default_keys
from millebornes.tui.full.widgets.form import ROWS, ChoiceRow, Form, StartOption

PACES: Final = (0.0, 0.5, 1.0, 2.0, 3.0, 5.0)


class SettingsScreen(FormScreen, Popup[None]):
    """Shows and changes the preferences of the app.

    ``playing`` is true during a game, whose language doesn't change. The id of a row is ``pref-`` and the name of the
    preference.
    """

    KEYS: ClassVar[str] = "#pref-pace"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "close", show=False),
        *ROWS,
    ]

    def __init__(self, _: Translator, *, playing: bool = False) -> None:
        super().__init__()
        self._ = _
        self._playing = playing

    def compose(self) -> ComposeResult:
        """Lay out the rows, the most important first, and a description of the current row."""
        _ = self._
        with Vertical(id="settings-window", classes="window") as window:
            window.border_title = _("Preferences")
            window.border_subtitle = _("◀ ▶: change · Enter: list · Esc: back")
            with Form(id="settings-form"):
                for name, (label, _choices) in self._rows().items():
                    yield ChoiceRow(label, id=f"pref-{name}")
            yield Static("", id="settings-about", classes="about", markup=False)
            with HorizontalGroup(classes="buttons"):
                yield Button(_("Custom keys"), id="settings-keys", compact=True)
                yield Button(_("Back (Esc)"), id="settings-back", classes="back", compact=True)

    async def _prepare(self) -> None:
        self._fill()
        await super()._prepare()

    def _fill(self) -> None:
        preferences = self.mille.preferences
        for name, (_label, choices) in self._rows().items():
            shown = self._seconds(preferences.pace) if name == "pace" else None
            self.query_one(f"#pref-{name}", ChoiceRow).show(choices, getattr(preferences, name), shown)
        self._tell()

    def _seconds(self, pace: float) -> str:
        if pace == 0:
            return self._("at once")
        return self._.plural("{n} second", "{n} seconds", pace).format(n=self._.number(f"{pace:g}"))

    def _rows(self) -> dict[str, tuple[str, list[StartOption]]]:
        """Return the label and the choices of each preference."""
        _ = self._
        about = _("How long another player's move stays on screen. Press any key to continue at once.")
        paces = [StartOption(pace, self._seconds(pace), about) for pace in PACES]

        def switch(off: str, on: str) -> list[StartOption]:
            return [StartOption(False, _("no"), off), StartOption(True, _("yes"), on)]

        one_key = switch(
            _("U or D, the number of a card, then Enter, as in the classic game."),
            _("A card's number plays it at once; Shift and the number discards it."),
        )
        sort = switch(_("A drawn card takes the place of the one played."), _("Your hand is kept sorted."))
        manual_pick = switch(_("Your card is drawn for you."), _("P draws your card, as in the classic game."))
        window = [
            StartOption("commands", _("commands"), _("Show the commands in the window. W switches during the game.")),
            StartOption("scores", _("scores"), _("Show the score in the window. W switches during the game.")),
        ]
        colours = [
            StartOption("auto", _("automatic"), _("Match the terminal's colours.")),
            StartOption("dark", _("dark"), _("For a dark screen; suitable for colour-blind people.")),
            StartOption("light", _("light"), _("For a light screen; suitable for colour-blind people.")),
            StartOption("none", _("none"), _("Only the terminal's own colours, as with NO_COLOR.")),
        ]
        symbols = [
            StartOption("auto", _("automatic"), _("Symbols and frames if the terminal can show them.")),
            StartOption("yes", _("yes"), _("Symbols and frames, even if the terminal doesn't seem to support them.")),
            StartOption("no", _("no"), _("Plain characters (ASCII) only, for every terminal and every font.")),
        ]
        keep_matches = switch(
            _("A finished match is forgotten once its statistics are counted."),
            _("Finished matches are kept, for reviews and for practice."),
        )
        return {
            "pace": (_("Pace"), [*paces, StartOption(OTHER, _("another number…"), about, special=True)]),
            "one_key": (_("One-key play"), one_key),
            "sort": (_("Sort the hand"), sort),
            "manual_pick": (_("Draw by hand"), manual_pick),
            "window": (_("Window"), window),
            "colours": (_("Colours"), colours),
            "symbols": (_("Symbols"), symbols),
            "bell": (_("Bell"), switch(_("No sound."), _("Errors and coups fourrés ring the bell."))),
            "keep_matches": (_("Keep matches"), keep_matches),
            "theme": (_("Cards"), themes(_)),
            "language": (_("Language"), languages(_)),
        }

    def _about(self) -> str:
        row = self.focused
        if isinstance(row, ChoiceRow):
            if row.id == "pref-language" and self._playing:
                return self._("The new language takes effect next time you start the game.")
            choice = row.choice or (row.choices[0] if row.id == "pref-pace" else None)
            return choice.details if choice else ""
        if row is not None and row.id == "settings-keys":
            return self._("Remap any key in {path}.").format(path=keys_file())
        return ""

    async def _take(self, row: str, value: Any) -> None:
        if value == OTHER:
            self._ask_pace()
            return
        name = row.removeprefix("pref-")
        self.mille.prefer(self._, **{name: value})
        if name == "language":
            self._ = translator(choose_language(value))
            await self.recompose()
            self.query_one("#pref-language").focus()
        self._fill()

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
                await self._take("pref-pace", float(text.replace(",", ".")))

        what = _("Seconds that another player's move stays on screen:")
        self.app.push_screen(AskScreen(_("Pace"), what, _, check=check, example=_.number("1.5")), answered)

    @on(Button.Pressed, "#settings-keys")
    def _write_keys(self) -> None:
        _ = self._
        path = keys_file()
        try:
            if os.path.exists(path):  # noqa: PTH110 # raises nothing
                faults = load_keys().faults
                if faults:
                    self.app.push_screen(Reader(_("Custom keys"), faults, _))
                text = _("Your keys are in {path}. They take effect next time you start the game.").format(path=path)
            else:
                write_default_keys(_)
                text = _("All the keys are now in {path}, ready for you to change.").format(path=path)
        except SaveError as error:
            self.app.bell()
            text = f"✗ {error}"
        self.query_one("#settings-about", Static).update(text)
