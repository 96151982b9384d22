"""The cards that players can click: the seven places of a hand, and the two piles."""

from collections.abc import Sequence
from typing import NamedTuple

from millebornes.cards import Card
from millebornes.game import Action
from millebornes.tui.full.widgets.board import Part, TableScene
from millebornes.tui.full.widgets.canvas import Canvas
from millebornes.tui.full.widgets.card_art import FRAMED, Look, Marks, draw_back, draw_card, draw_place
from millebornes.tui.full.widgets.names import purpose, short_enough


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
        self.seen: Face | None = None  # what the place showed when the table was last painted
        self._pressed: Face | None = None  # what it showed when the mouse was pressed on it

    @property
    def card(self) -> Card | None:
        """The card in this place, or None if the viewer may not see one."""
        cards = () if self.scene is None else self.scene.cards
        return cards[self.number - 1] if self.number <= len(cards) else None

    @property
    def face(self) -> Face:
        """What the place shows now or will show in the next frame."""
        return Face(None if self.scene is None else self.scene.viewer, self.card)

    @property
    def is_as_pressed(self) -> bool:
        """Whether the place still contains the card on which the mouse was pressed."""
        return self._pressed == self.face

    def on_mouse_down(self) -> None:
        """Remember the card that the player sees and presses."""
        self._pressed = self.seen

    def _draw(self, canvas: Canvas, scene: TableScene) -> None:
        """Draw the card, in brackets if it can be used now, between arrows if it is chosen, and with a hint's star."""
        look, card = self.look, self.card
        label = "P" if self.number == 7 else str(self.number)
        if scene.viewer is None:
            draw_back(canvas, look)
            return
        if card is None:
            ready = self.number == 7 and scene.must_pick
            _ = scene.translate
            draw_place(canvas, canvas.area, look, [_("P: pick")] if ready else [])
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
                note=purpose(card, scene.words),
            ),
        )

    def _label(self, canvas: Canvas, *, usable: bool) -> str:
        label = "P" if self.number == 7 else str(self.number)
        if self.selected:
            return f"▶{label}◀"
        if usable:
            return f"[{label}]"
        return label if canvas.width < FRAMED else f" {label} "


def _label(canvas: Canvas, names: Sequence[str], look: Look) -> None:
    if canvas.height < 4:
        return
    room = canvas.width - 2
    shown = short_enough(names, room)
    if shown:
        canvas.centre(1, canvas.height - 1, room, shown if len(shown) > room - 2 else f" {shown} ", look["dim"])


class DrawPile(Part):
    """The draw pile, face down, with the number of its cards. The widget has the id ``draw-pile``."""

    def __init__(self) -> None:
        super().__init__(id="draw-pile")

    def _draw(self, canvas: Canvas, scene: TableScene) -> None:
        count, look = scene.session.shown_pile, self.look
        if count:
            draw_back(canvas, look, str(count))
            _label(canvas, scene.theme.pile_forms("draw"), look)
        else:
            draw_place(canvas, canvas.area, look, scene.theme.pile_forms("draw"))


class DiscardPile(Part):
    """The discard pile with the latest discard. The widget has the id ``discard-pile``."""

    def __init__(self) -> None:
        super().__init__(id="discard-pile")

    def _draw(self, canvas: Canvas, scene: TableScene) -> None:
        top, look = scene.view.discard_top, self.look
        if top is None:
            draw_place(canvas, canvas.area, look, scene.theme.pile_forms("discard"))
        else:
            draw_card(canvas, canvas.area, top, scene.theme, look, Marks(fresh=scene.latest == (-1, top)))
            _label(canvas, scene.theme.pile_forms("discard"), look)
