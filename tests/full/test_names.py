"""Cards are called by names that can be read, at every size, in every theme and language."""

import dataclasses
import functools
import itertools
import random
import re
from collections.abc import Iterator, Sequence
from types import SimpleNamespace

import pytest
from rich.cells import cell_len
from rich.style import Style

from millebornes.cards import Card, Group
from millebornes.editions import make_rules
from millebornes.game import Hand, Match
from millebornes.i18n import LANGUAGES, translator
from millebornes.session.game_session import GameSession
from millebornes.storage import Preferences, SavedGame
from millebornes.themes import THEMES, Theme, theme, theme_for
from millebornes.tui.full.screens.sheet import SheetView
from millebornes.tui.full.terminal.keys import KEYMAP
from millebornes.tui.full.widgets.board import ROLES, Part, TableScene
from millebornes.tui.full.widgets.canvas import Canvas
from millebornes.tui.full.widgets.card_art import FRAMED, Look, draw_card
from millebornes.tui.full.widgets.hand import CardView, DiscardPile, DrawPile
from millebornes.tui.full.widgets.layout import arrange
from millebornes.tui.full.widgets.side import SideView
from millebornes.tui.full.widgets.text_widgets import TitleLine
from millebornes.tui.full.widgets.window import ScoreWindow

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it

LOOK: Look = dict.fromkeys(ROLES, Style())
SIZES = [(30, 8), (36, 9), (40, 12), (50, 16), (60, 20), (72, 22), (80, 24), (90, 24), (100, 30), (120, 40), (160, 50)]
SIZES += [(200, 60), (110, 20), (44, 60)]


class Sheet(Canvas):
    """A canvas that remembers every text, and which were cut off."""

    def __init__(self, width: int, height: int, *, symbols: bool) -> None:
        super().__init__(width, height, symbols=symbols)
        self.texts: list[str] = []
        self.cut: list[str] = []
        self.hidden: list[tuple[str, str]] = []
        """Each text that was drawn over another one, except lines, bars and blanks."""
        self._drawn: dict[tuple[int, int], str] = {}

    def put(self, x: int, y: int, text: str, style: Style = Style(), width: int | None = None) -> int:  # noqa: B008
        end = super().put(x, y, text, style, width)
        for at in range(x, end):
            if self.cells[y][at][0].isalnum() or self.cells[y][at][0] == "…":
                if (at, y) in self._drawn:
                    self.hidden.append((text, self._drawn[at, y]))
                self._drawn[at, y] = text
        self.texts.append(text)
        if end - x < cell_len(text) or x < 0 or not 0 <= y < self.height:
            self.cut.append(text)
        return end


class Side(SideView):
    look = LOOK


class Place(CardView):
    look = LOOK


class Draw(DrawPile):
    look = LOOK


class Discard(DiscardPile):
    look = LOOK


def forms_of(words: Theme, card: Card) -> set[str]:
    """All that a card may be called; a distance with its unit too."""
    more = {f"{card.value} {words.unit_short}"} if card.group is Group.DISTANCE else set()
    return {*words.forms_of(card), *more}


def joined(lines: list[str]) -> str:
    """Lines as the name that was broken into them."""
    text = ""
    for line in lines:
        text += line if not text or text[-1] in "-'’" else f" {line}"
    return text


@pytest.mark.parametrize("symbols", [True, False])
@pytest.mark.parametrize("name", THEMES)
def test_every_card_has_a_readable_name_in_every_frame(name: str, symbols: bool) -> None:
    words = theme(name)
    pictures = {line for card in Card for line in _picture_lines(card, words)}
    for card, width, height in itertools.product(Card, range(4, 30), range(3, 14)):
        sheet = Sheet(width, height, symbols=symbols)
        draw_card(sheet, sheet.area, card, words, LOOK)
        assert not sheet.cut, (card, width, height, sheet.cut)
        inner = width - (2 if width >= FRAMED else 1)
        rows = ["".join(char for char, _style in row[width > 4 : width - (width > 4)]) for row in sheet.cells[1:-1]]
        lines = [line.strip() for line in rows if line.strip() and line.strip() not in pictures]
        shown = joined(lines).removeprefix(words.symbol_of(card)).strip() if symbols else joined(lines)
        big = symbols and card.group is Group.DISTANCE and inner >= 6 and height >= 5
        assert shown in forms_of(words, card) or (big and shown in {"", words.unit_short}), (card, width, height, shown)


def _picture_lines(card: Card, words: Theme) -> Iterator[str]:
    from millebornes.tui.full.widgets import card_art

    sheet = Canvas(60, 20)
    for rows, inner in itertools.product(range(2, 12), (5, 6, 8, 9, 12, 20, 40)):
        for picture in card_art._pictures(sheet, card, words, inner, rows):
            yield from (line.strip() for line in picture)


def some_hands(seats: int, sides: int) -> Iterator[Hand]:
    """Moments at which much lies on the table: safeties, coups fourrés, limits."""
    for seed in range(6):
        rng = random.Random(seed)
        hand = Hand.deal(make_rules("classic", seats, sides), seed)
        while not hand.is_over:
            hand = hand.play(
                rng.choice([move for move in hand.legal_moves if move.action.name != "DISCARD"] or [*hand.legal_moves])
            )
            if hand.ply in {40, 80} or sum(len(tableau.safeties) for tableau in hand.tableaux) == 4:
                yield hand


def scene_of(
    hand: Hand, words: Theme, language: str, names: Sequence[str] = (), window: str = "commands"
) -> TableScene:
    rules = hand.rules
    names = names or [f"n{seat}" for seat in range(rules.seats)]
    game = SavedGame(
        match=dataclasses.replace(Match.start(rules, 1, players=names, match_target=5000), hand=hand),
        seats=("human", *["random"] * (rules.seats - 1)),
        seed="1",
        games=(0,) * rules.sides,
        preferences=Preferences(window=window),
        slots=tuple(tuple(card.value for card in cards) for cards in hand.hands),
    )
    return TableScene(GameSession(game, None, words, translator(language)), 0, turn=0)


LONG = [
    ("Maximiliane-Theodora", "Bartholomew Longname", "Wilhelmina Underwood", "Christopher Robinson"),
    ("Ann", "Bartholomew Longname", "Wilhelmina Underwood", "Bo"),
    ("日本太郎日本太郎日本太郎日本太郎日本太郎", "Ann", "山田花子山田花子山田花子", "Éléonore-Françoise"),
    ("Ann", "Bo", "Cy", "Di"),
]


MORE = ("Guinevere Lancaster", "Konstantin Alexander", "Friederike-Ottilie", "Ludwig van Beethoven")


class Window(ScoreWindow):
    look = LOOK
    mille = SimpleNamespace(keymap=KEYMAP, has_symbols=True)


class Title(TitleLine):
    look = LOOK


class Score(SheetView):
    look = LOOK


def drawn(widget: Part, scene: TableScene, width: int, height: int, *, symbols: bool) -> Sheet:
    sheet = Sheet(width, height, symbols=symbols)
    widget._draw(sheet, scene)
    return sheet


@functools.cache
def hands_of_partners(seats: int, sides: int) -> list[Hand]:
    return list(itertools.islice(some_hands(seats, sides), 3))


@pytest.mark.parametrize(("seats", "sides"), [(4, 2), (8, 4)])
@pytest.mark.parametrize(("width", "height"), [(80, 24), (100, 30), (120, 40)])
@pytest.mark.parametrize(("names", "language"), list(zip(LONG, itertools.cycle(LANGUAGES), strict=False)))
def test_partners_names_are_shortened_with_an_ellipsis(
    names: Sequence[str], width: int, height: int, language: str, seats: int, sides: int
) -> None:
    """Wherever there is a gauge beside them: on the board, in the window with the score, and on the score sheet."""
    words, names = theme_for(language), (*names, *MORE)[:seats]
    for hand in hands_of_partners(seats, sides):
        for viewer, symbols in ((0, True), (None, True), (0, False)):
            scene = dataclasses.replace(scene_of(hand, words, language, names, window="scores"), viewer=viewer)
            plan = arrange(width, height, sides, seats)
            placed = [(Side(side), region) for side, region in zip(scene.order(), plan.sides, strict=True)]
            sheets = [
                drawn(widget, scene, region.width, region.height, symbols=symbols)
                for widget, region in [*placed, (Window(), plan.window), (Title(), plan.header)]
                if region.area
            ]
            for size in (width, 40):
                score = Score(scene, size, height)
                across, rows = score.styles.width, score.styles.height
                assert across is not None
                assert rows is not None
                assert across.cells is not None
                assert rows.cells is not None
                sheets.append(drawn(score, scene, across.cells, rows.cells, symbols=symbols))
            for sheet in sheets:
                shown = "\n".join("".join(char for char, _style in row) for row in sheet.cells)
                assert not sheet.hidden, (sheet.hidden, shown)
                assert not [text for text in sheet.cut if not text.endswith("─")], shown
                for name in names:
                    for found in re.finditer(rf"(?<!\w){re.escape(name[:3])}", shown):
                        rest = shown[found.start() :]
                        at = next((n for n, letter in enumerate(name) if letter != rest[n]), None)
                        assert at is None or rest[at] == "…", (rest[:30], shown)


@pytest.mark.parametrize("symbols", [True, False])
@pytest.mark.parametrize(
    ("name", "language"),
    sorted(
        {(theme_for(code).name, code) for code in LANGUAGES} | {*zip(THEMES, itertools.cycle(LANGUAGES), strict=False)}
    ),
)
@pytest.mark.parametrize(
    ("seats", "sides"), [(2, 2), *(pytest.param(n, n, marks=pytest.mark.once) for n in (3, 4, 6)), (8, 8)]
)
def test_no_name_of_a_card_is_cut_at_any_size(seats: int, sides: int, language: str, name: str, symbols: bool) -> None:
    words = theme(name)
    names = {form for card in Card for form in words.forms_of(card) if card.group is not Group.DISTANCE}
    parts = {name[:length] for name in names for length in range(3, len(name)) if name[:length].isalpha()} - names
    parts -= {word for name in names for word in name.replace("-", " ").replace("'", "' ").split()}
    for hand in itertools.islice(some_hands(seats, sides), 4):
        scene = scene_of(hand, words, language)
        for width, height in SIZES:
            plan = arrange(width, height, sides, seats)
            drawn = [(Side(side), region) for side, region in zip(scene.order(), plan.sides, strict=True)]
            widgets = [*drawn, *((Place(n), region) for n, region in enumerate(plan.cards, 1))]
            for widget, region in [*widgets, (Draw(), plan.draw), (Discard(), plan.discard)]:
                if not region.area:
                    continue
                sheet = Sheet(region.width, region.height, symbols=symbols)
                widget.scene = scene
                widget._draw(sheet, scene)
                where = (width, height, widget, region)
                assert not [text for text in sheet.cut if any(form in text for form in names)], (where, sheet.cut)
                said = {word for text in sheet.texts for word in text.split()}
                assert not said & parts, (where, said & parts)


def test_the_counts_of_unseen_cards_are_not_cut() -> None:
    class Counting(ScoreWindow):
        look = LOOK
        app = None  # type: ignore[assignment]

    for name in THEMES:
        words = theme(name)
        scene = dataclasses.replace(scene_of(next(some_hands(2, 2)), words, "en"), counts=True)
        for width in (30, 38, 44):
            sheet = Sheet(width, 22, symbols=True)
            Counting()._draw(sheet, scene)
            assert not [text for text in sheet.cut if any(words.short_of(card) in text for card in Card)]
            assert all(any(form in sheet.texts for form in words.forms_of(card)) for card in Card)
