"""The cards in a hand: seven places that players can click or drag from."""

from typing import NamedTuple

from millebornes.cards import Card
from millebornes.game import Action
from millebornes.tui.full.widgets.board import Part, TableScene
from millebornes.tui.full.widgets.canvas import Canvas
from millebornes.tui.full.widgets.card_art import FRAMED, Marks, draw_back, draw_card, draw_place
from millebornes.tui.full.widgets.names import purpose

__all__ = ["CardView", "Face", "Ghost"]


class Face(NamedTuple):
    """What a place shows: the seat that owns the hand, and the card, or None if no card is visible."""

    viewer: int | None
    card: Card | None


class CardView(Part):
    """A place in the hand. The widget has the id ``card-`` with the number of the place. The place P is ``card-7``."""

    def __init__(self, place: int) -> None:
        super().__init__(id=f"card-{place}")
        self.number = place
        self.selected = False
        self.seen: Face | None = None
        """What the place showed when the table was last painted."""

    @property
    def card(self) -> Card | None:
        """The card in this place, or None if the viewer may not see one."""
        cards = () if self.scene is None else self.scene.cards
        return cards[self.number - 1] if self.number <= len(cards) else None

    @property
    def face(self) -> Face:
        """What the place shows now or will show in the next frame."""
        return Face(None if self.scene is None else self.scene.viewer, self.card)

    def draw(self, canvas: Canvas, scene: TableScene) -> None:
        """Draw the card, which is bright if it can be used now and dim otherwise.

        The place of a usable card is in brackets, and that of the chosen card between arrows. A hint's card has a star.
        """
        look, card = self.look, self.card
        label = "P" if self.number == 7 else str(self.number)
        if scene.viewer is None:
            draw_back(canvas, 0, 0, canvas.width, canvas.height, look)
            return
        if card is None:
            ready = self.number == 7 and scene.must_pick
            _ = scene.translate
            draw_place(canvas, 0, 0, canvas.width, canvas.height, look, _("P: pick") if ready else "")
            if not ready:
                canvas.put(1, 0, label, look["dim"])
            return
        suggested = card is scene.suggested and self.number == scene.session.slots[scene.viewer].place_of(card)
        usable = any(move.card is card and move.action is not Action.DISCARD for move in scene.legal)
        draw_card(
            canvas,
            canvas.area,
            card,
            scene.theme,
            look,
            Marks(
                label=self._label(canvas, usable=usable),
                marked="★" if suggested else "▲" if usable and canvas.height > 3 else "",
                dim=bool(scene.legal) and not usable,
                selected=self.selected,
                note=purpose(card, scene.theme, scene.translate),
            ),
        )

    def _label(self, canvas: Canvas, *, usable: bool) -> str:
        label = "P" if self.number == 7 else str(self.number)
        if self.selected:
            return f"▶{label}◀"
        if usable:
            return f"[{label}]"
        return label if canvas.width < FRAMED else f" {label} "


class Ghost(Part):
    """The card that the player is dragging. The widget has the id ``ghost``."""

    def __init__(self) -> None:
        super().__init__(id="ghost")
        self.card: Card | None = None

    def draw(self, canvas: Canvas, scene: TableScene) -> None:
        """Draw the card in a small size."""
        if self.card is not None:
            draw_card(canvas, canvas.area, self.card, scene.theme, self.look, Marks(selected=True))
