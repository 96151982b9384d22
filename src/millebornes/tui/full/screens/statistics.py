"""Past games: wins and losses, averages with their errors, the best hand, luck, and a list of the latest matches."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import HorizontalGroup, ItemGrid, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button, Static

from millebornes.errors import SaveError
from millebornes.i18n import Translator
from millebornes.player_names import HUMAN
from millebornes.schema.statistics import MatchResult
from millebornes.storage import Results, ReviewResult, Summary, load_results, load_reviews, summarize
from millebornes.storage.career import career_of, mean_loss, mean_rating
from millebornes.storage.statistics import statistics_file
from millebornes.storage.summary import WinsAndLosses, games_of, outcome_of, people
from millebornes.tui.full.screens.base_screen import SingleAnswerScreen
from millebornes.tui.full.screens.popups import FormScreen
from millebornes.tui.full.widgets.form import ChoiceRow, StartOption
from millebornes.words.editions import edition_title, seats_and_sides
from millebornes.words.figures import chance, rating_text
from millebornes.words.participants import names_with_levels
from millebornes.words.statistics import ABOUT_ERRORS, NONE_YET, dropped_text, mean_text, record_text

ALONE: Final = ""  # the value that represents games against computer players, in which the person needs no name
LATEST: Final = 30  # the number of matches in the list
BAR: Final = 24
NAME: Final = 16  # the maximum number of columns for the name of a group
CURVE: Final = "▁▂▃▄▅▆▇█"


def _curve(values: Sequence[float]) -> str:
    values = values[-(BAR + 6) :]
    if len(values) < 3:
        return ""
    low, high = min(values), max(values)
    top = len(CURVE) - 1
    return "".join(CURVE[round((value - low) * top / ((high - low) or 1))] for value in values)


def _figure(figure: str, words: str) -> Content:
    return Content.assemble(Content.styled(figure, "bold"), " ", words)


class StatisticsScreen(FormScreen, SingleAnswerScreen, Screen[None]):
    """Shows the given or the saved results. If several people have played, left and right switch between them."""

    CSS_PATH = "start.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,s,enter", "close", show=False),
        Binding("left", "step(-1)", show=False),
        Binding("right", "step(1)", show=False),
    ]

    def __init__(self, _: Translator, results: Results | None = None) -> None:
        super().__init__()
        self._ = _
        self.trouble = ""
        if results is None:
            try:
                results = load_results()
            except SaveError as error:
                results, self.trouble = Results(), str(error)
        self.results = results
        self.reviews: dict[str, ReviewResult] = {}
        try:
            self.reviews = load_reviews()
        except SaveError as error:
            self.trouble = self.trouble or str(error)
        own = summarize(self.results)
        self.names = [*([ALONE] if own.hands or own.matches.played else []), *people(self.results)]
        self.person = self.names[0] if self.names else ALONE

    def compose(self) -> ComposeResult:
        """Lay out the name of the person, the figures in boxes, and the latest matches."""
        with HorizontalGroup(id="stats-head"):
            yield Static(self._("Statistics"), id="stats-title")
            yield ChoiceRow(self._("Whose games"), id="stats-who")
        with VerticalScroll(id="stats-body"):
            yield ItemGrid(id="stats-boxes", min_column_width=36)
            yield Static(id="stats-latest", classes="box", markup=False)
            yield Static(id="stats-note", markup=False)
        with HorizontalGroup(id="foot"):
            yield Button(self._("Back (Esc)"), id="stats-back", compact=True)

    async def _prepare(self) -> None:
        await self._fill()
        self.query_one("#stats-body").focus()

    async def _fill(self) -> None:
        row = self.query_one("#stats-who", ChoiceRow)
        row.display = len(self.names) > 1
        row.show([StartOption(name, name or self._("yours, against the computer")) for name in self.names], self.person)
        found = summarize(self.results, self.person or None)
        boxes = self.query_one("#stats-boxes", ItemGrid)
        await boxes.remove_children()
        await boxes.mount_all(self._box(title, lines) for title, lines in self._boxes(found) if lines)
        latest = self.query_one("#stats-latest", Static)
        lines = self._latest()
        latest.display = bool(lines)
        latest.border_title = self._("Latest matches")
        latest.update(Content("\n").join(lines))
        self.query_one("#stats-note", Static).update(self._note(found))

    def _box(self, title: str, lines: Iterable[Content]) -> Static:
        box = Static(Content("\n").join(lines), classes="box", markup=False)
        box.border_title = title
        return box

    def _boxes(self, found: Summary) -> list[tuple[str, list[Content]]]:
        _ = self._
        by_edition = {edition_title(name, self._): record for name, record in found.by_edition.items()}
        by_table = {seats_and_sides(seats, sides, _): record for (seats, sides), record in found.by_table.items()}
        return [
            (_("Matches"), self._matches(found)),
            (_("Hands"), self._hands(found)),
            (_("Luck"), self._luck(found)),
            (_("Reviews"), self._reviewed()),
            (_("By edition"), self._group(by_edition)),
            (_("By table"), self._group(by_table)),
            (_("Against"), self._group(found.by_opponents)),
        ]

    def _matches(self, found: Summary) -> list[Content]:
        _, record = self._, found.matches
        lines = []
        if record.played:
            percent = 100 * (record.won + record.drawn / 2) / record.played
            bar = Content.assemble(self._share(record), Content.styled(f" {chance(percent / 100, _)}", "bold"))
            lines = [bar, Content(record_text(record, _))]
        if found.hinted.played:
            lines.append(Content(_("of these, with hints: {record}").format(record=record_text(found.hinted, _))))
        streak = found.streak
        if streak is not None and record.played > 1:
            text = {
                "won": _("{n} won in a row; longest winning streak: {longest}"),
                "lost": _("{n} lost in a row; longest winning streak: {longest}"),
                "drawn": _("{n} drawn in a row; longest winning streak: {longest}"),
            }[streak.outcome]
            lines.append(Content(text.format(n=streak.length, longest=streak.longest_won)))
        if found.single_hands.played:
            text = _("Single hands: {record}").format(record=record_text(found.single_hands, _))
            lines.append(Content(text))
        return lines

    def _share(self, record: WinsAndLosses, width: int = BAR) -> Content:
        """Return wins, draws and losses as parts of a bar, in different characters, so that no one needs colours."""
        won = round(width * record.won / max(record.played, 1))
        drawn = round(width * (record.won + record.drawn) / max(record.played, 1)) - won
        return Content.assemble(
            Content.styled("█" * won, "$success"),
            Content.styled("▒" * drawn, "$warning"),
            Content.styled("░" * (width - won - drawn), "$error"),
        )

    def _hands(self, found: Summary) -> list[Content]:
        _ = self._
        if found.points is None:
            return []
        lines = [
            Content(_.plural("{n} hand", "{n} hands", found.hands).format(n=found.hands)),
            _figure(mean_text(found.points), _("points a hand")),
        ]
        if found.ahead is not None:
            lines.append(_figure(mean_text(found.ahead, sign=True), _("against the others")))
        if found.best is not None:
            date = found.best.hand.date.date().isoformat()
            text = _("best hand: {points}, {date}").format(points=found.best.points, date=date)
            lines.append(Content(text))
        games = games_of(self.results.hands, self.person or None)
        curve = _curve([hand.points[hand.side_of(seat)] for hand, seat in games])
        return [*lines, Content.styled(curve, "$secondary")] if curve else lines

    def _luck(self, found: Summary) -> list[Content]:
        _, luck = self._, found.luck
        if luck is None:
            return []
        text = _("The cards have favoured you.") if luck.mean > 0 else _("The cards have been against you.")
        if luck.error is None or abs(luck.mean) <= 2 * luck.error:
            text = _("The cards have been fair to you.")
        about = Content.styled(_("How much more your draws were worth than the others'."), "dim")
        return [_figure(mean_text(luck, sign=True), _("points a hand")), Content(text), about]

    def _reviewed(self) -> list[Content]:
        found = career_of(self.results, self.reviews, self.person or None)
        loss, rating = mean_loss(found), mean_rating(found)
        if loss is None:
            return []
        text = self._.plural("points per decision, {n} match", "points per decision, {n} matches", len(found))
        lines = [
            _figure(self._.number(f"-{loss.mean:.1f} ± {loss.error:.1f}"), text.format(n=len(found))),
            Content.styled(_curve([-match.loss for match in found]), "$secondary"),
        ]
        lucks = [match.luck for match in found if match.luck is not None]
        if lucks:
            luck = self._.number(f"{sum(lucks) / len(lucks):+.2f}")
            lines.append(_figure(luck, self._("wins per match from luck")))
            lines.append(Content.styled(_curve(lucks), "$secondary"))
        if rating is not None:
            lines.append(_figure(rating_text(rating[0], rating[1:], self._), self._("rating (95%)")))
            lines.append(Content.styled(_curve([match.rating[0] for match in found if match.rating]), "$secondary"))
        return [line for line in lines if line.plain]

    def _group(self, groups: Mapping[str, WinsAndLosses]) -> list[Content]:
        """Return a line for each group, unless there is only one, which would repeat the total."""
        if len(groups) < 2:
            return []
        lines = []
        for name, record in sorted(groups.items(), key=lambda item: -item[1].played):
            shown = name if len(name) <= NAME else f"{name[: NAME - 1]}…"
            text = Content.styled(f" {record.won}:{record.lost}" + (f" ={record.drawn}" if record.drawn else ""), "dim")
            lines.append(Content.assemble(f"{shown:<{NAME}} ", self._share(record, 6), text))
        return lines

    def _latest(self) -> list[Content]:
        games = games_of(self.results.matches, self.person or None)
        return [self._match(match, match.side_of(seat)) for match, seat in reversed(games[-LATEST:])]

    def _match(self, match: MatchResult, side: int) -> Content:
        _ = self._
        sign, style, what = {
            "won": ("✓", "$success", _("won")),
            "lost": ("✗", "$error", _("lost")),
            "drawn": ("=", "$warning", _("drawn")),
        }[outcome_of(match, side)]
        totals = "\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}".join(map(str, match.totals))
        table = zip(match.players, match.names, names_with_levels(match.names, match.players, _), strict=True)
        others = ", ".join(
            shown for kind, name, shown in table if kind != HUMAN or (self.person and name != self.person)
        )
        hands = _.plural("{n} hand", "{n} hands", len(match.hands)).format(n=len(match.hands))
        date = match.date.astimezone().strftime("%Y-%m-%d %H:%M")
        return Content.assemble(
            Content.styled(f"{sign} {what:<7}", style),
            f"{date}  {edition_title(match.edition, self._)}, {hands}  {others}  ",
            Content.styled(totals, "bold"),
            "  " + _("with hints") if match.hints_of(side) else "",
        )

    def _note(self, found: Summary) -> str:
        _ = self._
        lines = []
        if self.trouble:
            lines.append(f"✗ {self.trouble}")
        elif not self.names:
            lines.append(_(NONE_YET))
        if found.points is not None and found.points.error is not None:
            lines.append(_(ABOUT_ERRORS))
        if self.results.dropped:
            lines.append(dropped_text(self.results.dropped, _))
        lines.append(_("Saved in {path}. Practice doesn't count.").format(path=statistics_file()))
        return "\n".join(lines)

    async def _action_step(self, step: int) -> None:
        if len(self.names) > 1:
            self.person = self.names[(self.names.index(self.person) + step) % len(self.names)]
            await self._fill()

    async def _take(self, row: str, value: Any) -> None:
        self.person = value
        await self._fill()

    @on(Button.Pressed, "#stats-back")
    def _action_close(self) -> None:
        self.dismiss(None)
