"""The base class for all parts of the table, with the scene to show, the styles and a canvas to draw on."""

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, Protocol, Self, cast

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from millebornes.cards import Card
from millebornes.game import Action, Move, View
from millebornes.i18n import Translator
from millebornes.session.game_session import GameSession
from millebornes.themes import Theme
from millebornes.tui.full.widgets.canvas import Canvas
from millebornes.tui.full.widgets.card_art import Look
from millebornes.words.words import Words

ROLES = ("distance", "hazard", "remedy", "safety", "dim", "strong", "key", "mark", "back", "accent", "title", "own")


class _TableApp(Protocol):
    """What the parts of a table ask of the app around them."""

    keymap: Mapping[str, Sequence[str]]

    @property
    def has_symbols(self) -> bool: ...


@dataclasses.dataclass(frozen=True)
class TableScene:
    """The scene to show: a session as ``viewer`` may see it. If it is None, everyone is looking and no hand is shown.

    ``deciding`` is true if it is the viewer's turn to decide. ``turn`` is the seat that the table appears to be waiting
    for, based on what everyone may know. ``counts`` is true if the window shows the numbers of cards that the viewer
    hasn't seen. ``coup`` is true during a question about a coup fourré, no matter which player moves next (R5.5).
    ``suggested`` is the card that a hint has suggested, if any.
    """

    session: GameSession
    viewer: int | None
    deciding: bool = False
    turn: int | None = None
    counts: bool = False
    coup: bool = False
    suggested: Card | None = None

    @functools.cached_property
    def view(self) -> View:
        """The table as the viewer sees it."""
        return self.session.view(self.viewer)

    @property
    def theme(self) -> Theme:
        """The theme, with the names of the cards."""
        return self.session.theme

    @property
    def translate(self) -> Translator:
        """The translator for the screen's language."""
        return self.session.translate

    @property
    def words(self) -> Words:
        """The language and the names of the cards."""
        return self.session.words

    @property
    def own_side(self) -> int | None:
        """The viewer's side."""
        return None if self.viewer is None else self.session.rules.side_of(self.viewer)

    @functools.cached_property
    def cards(self) -> tuple[Card | None, ...]:
        """The viewer's cards by place, including empty places. There are none if everyone is looking."""
        return () if self.viewer is None else tuple(self.session.slots[self.viewer].cards)

    @functools.cached_property
    def legal(self) -> tuple[Move, ...]:
        """The viewer's legal moves now."""
        if not self.deciding or self.must_pick:
            return ()
        answers = {Action.COUP, Action.PASS}
        return tuple(move for move in self.view.legal_moves if not self.coup or move.action in answers)

    @property
    def must_pick(self) -> bool:
        """Whether the viewer has to pick cards before moving."""
        return self.session.must_pick(self.viewer)

    @functools.cached_property
    def latest(self) -> tuple[int, Card] | None:
        """The card that was played last, and its place: the number of a side, or -1 for the discard pile."""
        hand = self.session.hand
        while hand.parent is not None and (hand.move is None or hand.move.card is None):
            hand = hand.parent
        move, before = hand.move, hand.parent
        if move is None or move.card is None or before is None or before.seat is None:
            return None
        if move.action is Action.DISCARD:
            return -1, move.card
        return (self.session.rules.side_of(before.seat) if move.target is None else move.target), move.card

    def order(self) -> list[int]:
        """Return the sides in screen order, from the side to the left of the bottom side to the bottom side itself."""
        sides = self.session.rules.sides
        bottom = self.own_side if self.own_side is not None else self.bottom
        return [(bottom + 1 + n) % sides for n in range(sides)]

    def own_first(self) -> list[int]:
        """Return the sides in list order: the bottom side first, then the side to its left, and so on."""
        order = self.order()
        return [order[-1], *order[:-1]]

    @property
    def bottom(self) -> int:
        """The side at the bottom of the screen. If everyone is looking, it is the first side with a person."""
        people = self.session.participants.people
        return self.session.rules.side_of(people[0]) if people else 0


class Part(Widget):
    """A part of the table. The part uses `draw` to draw itself whenever the scene or its size changes."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"look--{role}" for role in ROLES}
    ALLOW_SELECT = False
    can_focus = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.scene: TableScene | None = None
        self._canvas: Canvas | None = None

    @property
    def mille(self) -> _TableApp:
        """The app, which says how to draw."""
        return cast("_TableApp", self.app)

    @property
    def look(self) -> Look:
        """The styles by name."""
        found = _LOOKS.get(self.app.theme)
        if found is None:
            found = {role: self.get_component_rich_style(f"look--{role}", partial=True) for role in ROLES}
            _LOOKS[self.app.theme] = found
        return found

    def show(self, scene: TableScene) -> None:
        """Show another scene. The terminal is updated only if the part looks different."""
        self.scene = scene
        canvas = self._drawn()
        if canvas is None or self._canvas is None or canvas.cells != self._canvas.cells:
            self.refresh()
            self._canvas = canvas

    def _draw(self, canvas: Canvas, scene: TableScene) -> None:
        """Draw the scene."""
        raise NotImplementedError

    def _drawn(self) -> Canvas | None:
        width, height = self.size
        if not width or not height:
            return None
        canvas = Canvas(width, height, symbols=self.mille.has_symbols)
        if self.scene is not None:
            self._draw(canvas, self.scene)
        return canvas

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Draw the part again after a change, for example of its size or the colours."""
        self._canvas = None
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def render_line(self, y: int) -> Strip:
        """Return one line of the drawing."""
        canvas, (width, height) = self._canvas, self.size
        if canvas is None or (canvas.width, canvas.height) != (width, height):
            canvas = self._canvas = self._drawn()
        style = self.rich_style
        return Strip.blank(width, style) if canvas is None or y >= canvas.height else canvas.strip(y, style)


_LOOKS: Final[dict[str, Look]] = {}
"""The styles for each set of colours. They are cached, because computing them takes longer than drawing."""


def put_at(widget: Widget, region: Region) -> None:
    """Move a widget to another region of the screen. If the region has no rows or columns, the widget is hidden."""
    widget.display = region.width > 0 and region.height > 0
    if widget.display:
        widget.styles.offset = (region.x, region.y)
        widget.styles.width = region.width
        widget.styles.height = region.height
