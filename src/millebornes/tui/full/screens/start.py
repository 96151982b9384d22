"""The start screen: what to play and with whom, and everything else that you can do before a game."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, HorizontalGroup, Vertical, VerticalGroup, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button, Input, Static

from millebornes.errors import MilleBornesError, SaveError
from millebornes.i18n import Translator, choose_language, translator
from millebornes.player_names import COMMAND_PREFIX, FILE_PREFIX, ONNX_PREFIX
from millebornes.session.new_game_options import MOST_PEOPLE, NewGameOptions
from millebornes.session.setup import HUMAN, GameSetup, target_text
from millebornes.session.troubles import not_kept
from millebornes.session.unfinished import UnfinishedGame, describe_unfinished, unfinished_games
from millebornes.storage import Preferences, save_preferences
from millebornes.tui.full.screens.base_screen import AnsweredOnce
from millebornes.tui.full.screens.start_popups import AskScreen, PickScreen
from millebornes.tui.full.screens.start_resume import ResumeScreen
from millebornes.tui.full.screens.start_rows import ROWS, BigButton, ChoiceRow, Form, TextField
from millebornes.tui.full.screens.start_texts import (
    OTHER,
    OWN_FILE,
    PROGRAM,
    SETTINGS,
    SYSTEM,
    Texts,
)

__all__ = ["Foot", "Head", "StartChoice", "StartScreen"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class StartChoice:
    """The choice that the player has made on the start screen.

    ``kind`` is ``"new"`` (a new game, which is in ``setup``), ``"resume"`` (an unfinished game, whose path for
    `storage.slot_of` is in ``save``) or ``"tutorial"``. ``practice`` allows players to take back moves and to see
    counts of unseen cards. ``language`` and ``theme`` come from the preferences, in which they have been saved already.
    """

    kind: Literal["new", "resume", "tutorial"]
    setup: GameSetup | None = None
    save: Path | None = None
    practice: bool = False
    language: str = "en"
    theme: str | None = None


SEAT: Final = "row-seat-"


class StartScreen(AnsweredOnce, Screen[StartChoice | None]):
    """The start screen. Its result is a `StartChoice`, or None if the player leaves.

    Enter or Space resumes the unfinished game, if there is one, or starts the same game as last time. Language and
    theme are saved in the preferences as soon as they change, and the options of the game when it starts. ``language``
    is the language to show. ``names``, ``seed`` and ``practice`` come from the command line. ``message`` is shown below
    the rows, for example to explain why the last choice couldn't be started. ``changed`` is called with the preferences
    whenever they change, so that the app can adapt its colours. When the screen has closed, `preferences` are up to
    date.

    These ids are for tests and recordings: ``#play``, ``#resume``, ``#row-edition``, ``#row-settings``, ``#row-table``,
    ``#row-seat-0`` …, ``#name-0`` …, ``#row-target``, ``#row-practice``, ``#row-theme``, ``#row-language``,
    ``#tutorial``, ``#statistics``, ``#settings``, ``#quit``.
    """

    CSS_PATH = "start.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-medium"), (104, "-wide")]  # noqa: RUF012 # Textual says so
    VERTICAL_BREAKPOINTS = [(0, "-low"), (22, "-high")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "play", show=False),
        Binding("g", "resume", show=False),
        Binding("t", "tutorial", show=False),
        Binding("s", "statistics", show=False),
        Binding("p", "settings", show=False),
        Binding("q", "leave", show=False),
        Binding("escape", "ask_leave", show=False),
        Binding("question_mark,f1", "help", show=False),
        *ROWS,
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]

    def __init__(
        self,
        preferences: Preferences,
        *,
        language: str | None = None,
        names: Sequence[str] = (),
        seed: str | None = None,
        practice: bool = False,
        message: str = "",
        changed: Callable[[Preferences], None] | None = None,
    ) -> None:
        super().__init__()
        self._changed = changed
        self.preferences = preferences
        self._language = language or choose_language(preferences.language)
        self._seed = seed
        self._message = message
        self.game_options = NewGameOptions.from_dict(preferences.last_game)
        if practice:
            self.game_options = dataclasses.replace(self.game_options, practice=True)
        people = [seat for seat, kind in enumerate(self.game_options.players) if kind == HUMAN]
        for seat, name in zip(people, names, strict=False):
            self.game_options = self.game_options.with_name(seat, name)
        self.games: list[UnfinishedGame] = unfinished_games()

    @property
    def _(self) -> Translator:
        return translator(self._language)

    @property
    def _texts(self) -> Texts:
        return Texts(self._language)

    # ------------------------------------------------------------------ what is shown

    def compose(self) -> ComposeResult:
        """Lay out the heading, the form, the description of the current row, and the buttons for everything else."""
        _ = self._
        yield Head(_)
        with Horizontal(id="body"):
            with Form(id="form"):
                with VerticalGroup(id="starts"):
                    yield BigButton("", id="resume", classes="start")
                    yield BigButton("", id="play", classes="start")
                yield Static("", id="message", classes="error", markup=False)
                yield ChoiceRow(_("Rules"), id="row-edition")
                yield ChoiceRow(_("Changes"), id="row-settings")
                yield ChoiceRow(_("Table"), id="row-table")
                yield VerticalGroup(id="seats")
                yield ChoiceRow(_("Match"), id="row-target")
                yield ChoiceRow(_("Practice"), id="row-practice")
                yield ChoiceRow(_("Cards"), id="row-theme")
                yield ChoiceRow(_("Language"), id="row-language")
                yield Static("", id="below", markup=False)
            with Vertical(id="beside"), VerticalScroll(id="details", can_focus=False):
                yield Static("", id="details-text", markup=False)
        yield Foot(_)

    async def prepare(self) -> None:
        """Fill the rows, and focus the button that starts the game."""
        await self._fill()
        self.query_one("#resume" if self.games else "#play", Button).focus()

    async def _fill(self) -> None:
        texts, game_options = self._texts, self.game_options
        resume = self.query_one("#resume", Button)
        resume.display = bool(self.games)
        if self.games:
            resume.label = texts.resume_label(self.games)
            resume.tooltip = describe_unfinished(self.games[0], self._)[1]
        self.query_one("#play", Button).label = texts.play_label(
            game_options, is_first=self.preferences.last_game is None
        )
        self._row("edition").show(texts.editions(game_options), game_options.edition)
        self._row("settings").show(texts.settings(game_options), SETTINGS if game_options.settings else SYSTEM)
        self._row("table").show(texts.tables(game_options), f"{game_options.seats}x{game_options.sides}")
        target = str(game_options.match_target or 0)
        self._row("target").show(texts.targets(game_options), target, target_text(game_options.match_target, self._))
        self._row("practice").show(texts.practice(), "yes" if game_options.practice else "no")
        self._row("theme").show(texts.themes(), self.preferences.theme or SYSTEM)
        self._row("language").show(texts.languages(), self.preferences.language or SYSTEM)
        await self._fill_seats()
        self._show_message()
        self._tell()

    async def _fill_seats(self) -> None:
        box, game_options = self.query_one("#seats", VerticalGroup), self.game_options
        if len(box.children) != game_options.seats:
            await box.remove_children()
            await box.mount_all(
                HorizontalGroup(
                    ChoiceRow("", id=f"{SEAT}{seat}", classes="seat"),
                    TextField(game_options.names[seat], id=f"name-{seat}", classes="name", compact=True, max_length=20),
                )
                for seat in range(game_options.seats)
            )
        for seat, kind in enumerate(game_options.players):
            row, name = self._row(f"seat-{seat}"), self.query_one(f"#name-{seat}", Input)
            row.label = self._texts.seat_label(game_options, seat)
            row.show(self._texts.players(game_options, seat, every=False), kind)
            name.placeholder = self._texts.name_hint(game_options)
            name.visible = kind == HUMAN
            name.disabled = kind != HUMAN

    def _row(self, name: str) -> ChoiceRow:
        return self.query_one(f"#row-{name}", ChoiceRow)

    def _tell(self) -> None:
        text = self._about(self.focused.id or "" if self.focused else "")
        self.query_one("#details-text", Static).update(text)
        self.query_one("#below", Static).update(text)
        self.query_one("#details", VerticalScroll).scroll_home(animate=False)

    def _about(self, focused: str) -> str:
        row = next((row for row in self.query(ChoiceRow) if row.id == focused), None)
        if row is not None:
            return row.choice.details if row.choice else ""
        return self._texts.overview(self.game_options, is_first=self.preferences.last_game is None)

    def on_descendant_focus(self) -> None:
        """Describe the row that has just received the focus."""
        if self.query("#below"):
            self._tell()

    # ------------------------------------------------------------------ changing it

    @on(ChoiceRow.Picked)
    async def picked(self, event: ChoiceRow.Picked) -> None:
        """Use a value that was chosen with the arrow keys."""
        await self._take(event.row.id or "", event.value)

    @on(ChoiceRow.Opened)
    def opened(self, event: ChoiceRow.Opened) -> None:
        """Open the list of values for a row."""
        row = event.row
        if row.id == "row-settings":
            self._ask_settings()
            return

        seat = (row.id or "").removeprefix(SEAT)
        if seat.isdigit():
            row.show(self._texts.players(self.game_options, int(seat)), row.value)

        async def chosen(value: str | None) -> None:
            if value is not None:
                await self._take(row.id or "", value)

        self.app.push_screen(PickScreen(row.label.strip(), row.choices, row.value, self._), chosen)

    @on(Input.Changed, ".name")
    def named(self, event: Input.Changed) -> None:
        """Save a name while it is typed."""
        self.game_options = self.game_options.with_name(int((event.input.id or "-0").partition("-")[2]), event.value)

    async def _take(self, row: str, value: str) -> None:
        """Make a choice, or ask the question that belongs to it."""
        texts = self._texts
        if value == OWN_FILE:
            self._ask(row, texts.own_file_question(), texts.check_file)
        elif value == OTHER:
            self._ask(row, texts.target_question(), texts.check_target)
        elif value == PROGRAM:
            self._ask(row, texts.program_question(), texts.check_program)
        else:
            await self._apply(row, value)

    def _ask_settings(self) -> None:
        from millebornes.tui.full.screens.start_rules import RulesScreen

        async def answered(settings: Mapping[str, Any] | None) -> None:
            if settings is not None:
                self.game_options = self.game_options.with_settings(settings)
                await self._fill()

        self.app.push_screen(RulesScreen(self.game_options, self._), answered)

    def _ask(self, row: str, question: tuple[str, str, str], check: Callable[[str], str]) -> None:
        title, what, example = question

        async def answered(text: str | None) -> None:
            if text is not None:
                is_command = row.startswith(SEAT) and not text.startswith((FILE_PREFIX, ONNX_PREFIX))
                await self._apply(row, f"{COMMAND_PREFIX}{text}" if is_command else text)

        self.app.push_screen(AskScreen(title, what, self._, check=check, example=example), answered)

    async def _apply(self, row: str, value: str) -> None:
        game_options = self.game_options
        try:
            match row:
                case "row-edition":
                    self.game_options = game_options.with_edition(value)
                case "row-settings":
                    self.game_options = game_options.with_settings({})
                case "row-table":
                    seats, _x, sides = value.partition("x")
                    self.game_options = game_options.with_table(int(seats), int(sides))
                case "row-target":
                    self.game_options = dataclasses.replace(game_options, match_target=int(value) or None)
                case "row-practice":
                    self.game_options = dataclasses.replace(game_options, practice=value == "yes")
                case "row-theme":
                    self._keep(theme=None if value == SYSTEM else value)
                case "row-language":
                    self._keep(language=None if value == SYSTEM else value)
                    await self._speak(choose_language(self.preferences.language))
                    self._row("language").focus()
                    return
                case _seat:
                    changed = game_options.with_player(int(row.removeprefix(SEAT)), value)
                    if changed.players.count(HUMAN) > MOST_PEOPLE:
                        self._complain(self._texts.too_many())
                        return
                    self.game_options = changed
        except MilleBornesError as error:
            self._complain(str(error))
            return
        self._message = ""
        await self._fill()

    def _keep(self, **changes: str | None) -> None:
        """Save preferences at once. The choice applies even if the file can't be written."""
        self.preferences = dataclasses.replace(self.preferences, **changes)  # type: ignore[arg-type]
        self._save()
        if self._changed is not None:
            self._changed(self.preferences)

    def _save(self) -> None:
        try:
            save_preferences(self.preferences)
        except SaveError as error:
            self.app.notify(not_kept(error, self._), severity="warning", markup=False)

    async def _speak(self, language: str) -> None:
        """Show the whole screen again in another language."""
        focused = self.focused.id if self.focused else None
        self._language = language
        await self.recompose()
        await self._fill()
        if focused is not None:
            for widget in self.query(f"#{focused}"):
                widget.focus()

    def _complain(self, text: str) -> None:
        self._message = text
        self._show_message()
        self.app.bell()

    def _show_message(self) -> None:
        message = self.query_one("#message", Static)
        message.display = bool(self._message)
        message.update(f"✗ {self._message}")

    # ------------------------------------------------------------------ leaving it

    @on(Button.Pressed, "#play")
    def action_play(self) -> None:
        """Start the chosen game, and remember its options."""
        try:
            setup = self.game_options.setup(self._, self._seed)
        except MilleBornesError as error:
            self._complain(str(error))
            return
        self.preferences = dataclasses.replace(self.preferences, last_game=self.game_options.to_dict())
        self._save()
        self.dismiss(
            StartChoice(
                kind="new",
                setup=setup,
                practice=self.game_options.practice,
                language=self._language,
                theme=self.preferences.theme,
            )
        )

    @on(Button.Pressed, "#resume")
    def action_resume(self) -> None:
        """Resume the unfinished game. If there are several, let the player choose one."""
        if len(self.games) == 1:
            self._resume(self.games[0])
        elif self.games:
            self.app.push_screen(ResumeScreen(self.games, self._), self._resume_path)

    async def _resume_path(self, path: object) -> None:
        game = next((game for game in self.games if game.path == path), None)
        if game is not None:
            self._resume(game)
            return
        self.games = unfinished_games()
        await self._fill()
        if not self.games:
            self.query_one("#play", Button).focus()

    def _resume(self, game: UnfinishedGame) -> None:
        self.dismiss(StartChoice(kind="resume", save=game.path, language=self._language, theme=self.preferences.theme))

    @on(Button.Pressed, "#tutorial")
    def action_tutorial(self) -> None:
        """Start the tutorial."""
        self.dismiss(StartChoice(kind="tutorial", language=self._language, theme=self.preferences.theme))

    @on(Button.Pressed, "#statistics")
    def action_statistics(self) -> None:
        """Show the statistics of past games."""
        from millebornes.tui.full.screens.statistics import StatisticsScreen

        self.app.push_screen(StatisticsScreen(self._))

    @on(Button.Pressed, "#settings")
    def action_settings(self) -> None:
        """Open the screen that changes how the game is played and shown."""
        from millebornes.tui.full.screens.settings import SettingsScreen

        self.app.push_screen(
            SettingsScreen(self.preferences, language=self._language, changed=self._changed), self._set
        )

    async def _set(self, preferences: Preferences | None) -> None:
        if preferences is not None:
            before, self.preferences = self.preferences, preferences
            same = preferences.language == before.language  # in that case, the language from the command line stays
            await self._speak(self._language if same else choose_language(preferences.language))

    def on_screen_suspend(self) -> None:
        """Hide the buttons, because their keys do nothing while another screen is on top."""
        for foot in self.query(Foot):
            foot.visible = False

    def on_screen_resume(self) -> None:
        """Show the buttons again."""
        super().on_screen_resume()
        for foot in self.query(Foot):
            foot.visible = True

    def action_page(self, pages: int) -> None:
        """Scroll the description if it is longer than the screen."""
        scroll = self.query_one("#details" if self.query_one("#beside").display else "#form", VerticalScroll)
        scroll.scroll_relative(y=pages * max(1, scroll.size.height - 1), animate=False)

    def action_help(self) -> None:
        """Show every key of this screen."""
        from millebornes.tui.full.screens.dialogs import Reader

        self.app.push_screen(Reader(self._("Keys"), self._texts.keys(), self._))

    def action_ask_leave(self) -> None:
        """Ask before leaving. On other screens, Escape goes back, so the player may not have meant to leave."""
        from millebornes.tui.full.screens.dialogs import Confirm

        def answered(yes: bool | None) -> None:
            if yes:
                self.action_leave()

        self.app.push_screen(Confirm(self._("Leave the game?"), self._), answered)

    @on(Button.Pressed, "#quit")
    def action_leave(self) -> None:
        """Leave without playing."""
        self.dismiss(None)


class Head(HorizontalGroup):
    """The name of the game beside a milestone. The widget has the id ``head``."""

    def __init__(self, _: Translator) -> None:
        super().__init__(id="head")
        self._ = _

    def compose(self) -> ComposeResult:
        """Lay out the milestone and the title."""
        with VerticalGroup(id="stone"):  # a milestone as seen along French roads
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
    """Buttons for everything other than games. The screen above describes them. The id is ``foot``."""

    def __init__(self, _: Translator) -> None:
        super().__init__(id="foot")
        self._ = _

    def compose(self) -> ComposeResult:
        """Lay out the buttons with their ids."""
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
