"""The start screen: what to play and with whom, and everything else that you can do before a game."""

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, HorizontalGroup, Vertical, VerticalGroup, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from millebornes.errors import MilleBornesError, SaveError
from millebornes.i18n import Translator, choose_language, translator
from millebornes.player_names import COMMAND_PREFIX, FILE_PREFIX, HUMAN, ONNX_PREFIX
from millebornes.session.unfinished import UnfinishedGame, delete_unfinished, describe_unfinished, unfinished_games
from millebornes.table.setup import MOST_PEOPLE, GameSetup
from millebornes.themes import theme
from millebornes.tui.full.screens import start_texts as texts
from millebornes.tui.full.screens.base_screen import SingleAnswerScreen
from millebornes.tui.full.screens.dialogs import Confirm, Reader
from millebornes.tui.full.screens.popups import AskScreen, FormScreen, Popup
from millebornes.tui.full.widgets.form import ROWS, BigButton, ChoiceRow, Form, StartOptions, TextField
from millebornes.words.setup import target_text
from millebornes.words.words import Words


class ResumeScreen(Popup[Path]):
    """A list of unfinished games. The result is the save to resume, or None.

    Delete asks once, and then deletes the marked games or, if none is marked, the game under the cursor.
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
        games = self.query_one("#resume-list", OptionList)
        at = games.highlighted or 0
        games.clear_options()
        games.add_options(self._options())
        if self._games:
            games.highlighted = min(at, len(self._games) - 1)

    @on(OptionList.OptionSelected, "#resume-list")
    def _choose(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._games[event.option_index].path)

    def _action_mark(self) -> None:
        games = self.query_one("#resume-list", OptionList)
        if games.highlighted is not None:
            self._marked ^= {self._games[games.highlighted].path}
            self._refresh()
            games.highlighted = min(games.highlighted + 1, len(self._games) - 1)

    @on(Button.Pressed, "#resume-all")
    def _action_mark_all(self) -> None:
        every = {game.path for game in self._games}
        self._marked = set() if self._marked == every else every
        self._refresh()

    @on(Button.Pressed, "#resume-delete")
    def _action_delete(self) -> None:
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


SEAT: Final = "row-seat-"
StartChoice = GameSetup | Path | Literal["tutorial"]
"""The choice on the start screen: a new game, an unfinished game in a file, or the tutorial."""


class StartScreen(FormScreen, SingleAnswerScreen, Screen[StartChoice | None]):
    """The start screen. Its result is a `StartChoice`, or None if the player leaves.

    ``setup`` is the game that it offers first. ``message`` is shown below the rows, for example to explain why the last
    choice couldn't be started. ``language`` is the language that the player has chosen.

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

    def __init__(self, setup: GameSetup, _: Translator, *, message: str = "") -> None:
        super().__init__()
        self.setup = setup
        self._ = _
        self._message = message
        self.games: list[UnfinishedGame] = unfinished_games()

    def compose(self) -> ComposeResult:
        """Lay out the heading, the form, the description of the current row, and the buttons for everything else."""
        _ = self._
        with HorizontalGroup(id="head"):
            with VerticalGroup(id="stone"):  # a milestone as seen along French roads
                yield Static("▟████▙", classes="stone-top")
                yield Static("1000\nkm", classes="stone-foot")
            title, line = Content.styled("M I L L E   B O R N E S", "bold"), Content.styled("━━  " * 6, "dim")
            yield Static(Content("\n").join([title, line, Content(_("The motoring card game"))]), id="title")
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
                yield Static("", id="below", classes="about", markup=False)
            with Vertical(id="beside"), VerticalScroll(id="details", can_focus=False):
                yield Static("", id="details-text", classes="about", markup=False)
        labels = {
            "tutorial": _("Tutorial (T)"),
            "statistics": _("Statistics (S)"),
            "settings": _("Preferences (P)"),
            "quit": _("Quit (Q)"),
        }
        with HorizontalGroup(id="foot"):
            for name, label in labels.items():
                button = Button(label, id=name, compact=True)
                button.styles.line_pad = 0  # two of them fit beside each other on the narrowest screen
                yield button

    @property
    def language(self) -> str:
        """The language of the screen."""
        return self._.language

    async def _prepare(self) -> None:
        await self._fill()
        self.query_one("#resume" if self.games else "#play", Button).focus()

    async def _fill(self) -> None:
        _, setup, preferences = self._, self.setup, self.mille.preferences
        words = Words(_, theme(self.mille.card_theme))
        resume = self.query_one("#resume", Button)
        resume.display = bool(self.games)
        if self.games:
            resume.label = texts.resume_label(self.games, _)
            resume.tooltip = describe_unfinished(self.games[0], _)[1]
        self.query_one("#play", Button).label = texts.play_label(setup, _, is_first=preferences.last_game is None)
        self._row("edition").show(texts.editions(setup, words), setup.edition)
        changes = texts.SETTINGS if setup.settings else None
        self._row("settings").show(texts.settings(setup, words), changes)
        self._row("table").show(texts.tables(setup, words), (setup.rules.seats, setup.rules.sides))
        target = setup.match_target
        self._row("target").show(texts.targets(setup, _), target, target_text(target, _))
        self._row("practice").show(texts.practice(_), setup.practice)
        self._row("theme").show(texts.themes(_), preferences.theme)
        self._row("language").show(texts.languages(_), preferences.language)
        await self._fill_seats()
        self._show_message()
        self._tell()

    async def _fill_seats(self) -> None:
        box, setup = self.query_one("#seats", VerticalGroup), self.setup
        if len(box.children) != setup.rules.seats:
            await box.remove_children()
            await box.mount_all(
                HorizontalGroup(
                    ChoiceRow("", id=f"{SEAT}{seat}", classes="seat"),
                    TextField(setup.names[seat], id=f"name-{seat}", classes="name", compact=True, max_length=20),
                )
                for seat in range(setup.rules.seats)
            )
        for seat, kind in enumerate(setup.places):
            row, name = self._row(f"seat-{seat}"), self.query_one(f"#name-{seat}", Input)
            row.label = texts.seat_label(setup, seat, self._)
            row.show(texts.players(setup, seat, self._, every=False), kind)
            name.placeholder = texts.name_hint(setup, self._)
            name.visible = kind == HUMAN
            name.disabled = kind != HUMAN

    def _row(self, name: str) -> ChoiceRow:
        return self.query_one(f"#row-{name}", ChoiceRow)

    def _tell(self) -> None:
        super()._tell()
        for details in self.query("#details"):
            details.scroll_home(animate=False)

    def _about(self) -> str:
        if isinstance(self.focused, ChoiceRow):
            return self.focused.choice.details if self.focused.choice else ""
        return texts.overview(self.setup, self._, is_first=self.mille.preferences.last_game is None)

    def _open_row(self, row: ChoiceRow) -> None:
        if row.id == "row-settings":
            self._ask_settings()
            return
        seat = (row.id or "").removeprefix(SEAT)
        if seat.isdigit():
            row.show(texts.players(self.setup, int(seat), self._), row.value)
        super()._open_row(row)

    @on(Input.Changed, ".name")
    def _named(self, event: Input.Changed) -> None:
        self.setup = self.setup.with_name(int((event.input.id or "-0").partition("-")[2]), event.value)

    async def _take(self, row: str, value: Any) -> None:
        if value not in {texts.OWN_FILE, texts.OTHER, texts.PROGRAM}:
            await self._apply(row, value)
            return
        title, what, example, check = texts.question(value, self._)

        async def answered(text: str | None) -> None:
            if text is None:
                return
            given: Any = text
            if value == texts.OTHER:
                given = int(text) or None
            elif value == texts.PROGRAM and not text.startswith((FILE_PREFIX, ONNX_PREFIX)):
                given = f"{COMMAND_PREFIX}{text}"
            await self._apply(row, given)

        self.app.push_screen(AskScreen(title, what, self._, check=check, example=example), answered)

    def _ask_settings(self) -> None:
        from millebornes.tui.full.screens.start_rules import RulesScreen

        async def answered(settings: Mapping[str, Any] | None) -> None:
            if settings is not None:
                self.setup = self.setup.with_settings(settings)
                await self._fill()

        self.app.push_screen(RulesScreen(self.setup, Words(self._, theme(self.mille.card_theme))), answered)

    async def _apply(self, row: str, value: Any) -> None:
        setup = self.setup
        try:
            match row:
                case "row-edition":
                    self.setup = setup.with_edition(value)
                case "row-settings":
                    self.setup = setup.with_settings({})
                case "row-table":
                    self.setup = setup.with_table(*value)
                case "row-target":
                    self.setup = dataclasses.replace(setup, match_target=value)
                case "row-practice":
                    self.setup = dataclasses.replace(setup, practice=value)
                case "row-theme":
                    self.mille.prefer(self._, theme=value)
                case "row-language":
                    self.mille.prefer(self._, language=value)
                    await self._change_language(choose_language(value))
                    self._row("language").focus()
                    return
                case _seat:
                    changed = setup.with_place(int(row.removeprefix(SEAT)), value)
                    if len(changed.people) > MOST_PEOPLE:
                        self._show_error(texts.too_many(self._))
                        return
                    self.setup = changed
        except MilleBornesError as error:
            self._show_error(str(error))
            return
        self._message = ""
        await self._fill()

    async def _change_language(self, language: str) -> None:
        focused = self.focused.id if self.focused else None
        self._ = translator(language)
        await self.recompose()
        await self._fill()
        if focused is not None:
            for widget in self.query(f"#{focused}"):
                widget.focus()

    def _show_error(self, text: str) -> None:
        self._message = text
        self._show_message()
        self.app.bell()

    def _show_message(self) -> None:
        message = self.query_one("#message", Static)
        message.display = bool(self._message)
        message.update(f"✗ {self._message}")

    @on(Button.Pressed, "#play")
    def _action_play(self) -> None:
        try:
            last_game = self.setup.to_dict()
        except MilleBornesError as error:  # the file of the edition has disappeared
            self._show_error(str(error))
            return
        self.mille.prefer(self._, last_game=last_game)
        self.dismiss(self.setup)

    @on(Button.Pressed, "#resume")
    def _action_resume(self) -> None:
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
        self.dismiss(game.path)

    @on(Button.Pressed, "#tutorial")
    def _action_tutorial(self) -> None:
        self.dismiss("tutorial")

    @on(Button.Pressed, "#statistics")
    def _action_statistics(self) -> None:
        from millebornes.tui.full.screens.statistics import StatisticsScreen

        self.app.push_screen(StatisticsScreen(self._))

    @on(Button.Pressed, "#settings")
    def _action_settings(self) -> None:
        from millebornes.tui.full.screens.settings import SettingsScreen

        before = self.mille.preferences.language

        async def closed(_result: None) -> None:
            now = self.mille.preferences.language  # if it hasn't changed, the language from the command line stays
            await self._change_language(self._.language if now == before else choose_language(now))

        self.app.push_screen(SettingsScreen(self._), closed)

    def on_screen_suspend(self) -> None:
        """Hide the buttons, because their keys do nothing while another screen is on top."""
        self.query("#foot").set(visible=False)

    def on_screen_resume(self) -> None:
        """Show the buttons again."""
        super().on_screen_resume()
        self.query("#foot").set(visible=True)

    def _action_page(self, pages: int) -> None:
        scroll = self.query_one("#details" if self.query_one("#beside").display else "#form", VerticalScroll)
        scroll.scroll_relative(y=pages * max(1, scroll.size.height - 1), animate=False)

    def _action_help(self) -> None:
        self.app.push_screen(Reader(self._("Keys"), texts.keys(self._), self._))

    def _action_ask_leave(self) -> None:
        def answered(yes: bool | None) -> None:
            if yes:
                self._action_leave()

        self.app.push_screen(Confirm(self._("Leave the game?"), self._), answered)

    @on(Button.Pressed, "#quit")
    def _action_leave(self) -> None:
        self.dismiss(None)
