"""The draw pile and the discard pile."""

from millebornes.tui.full.widgets.board import Part, TableScene
from millebornes.tui.full.widgets.canvas import Canvas
from millebornes.tui.full.widgets.card_art import Look, Marks, draw_back, draw_card, draw_place
from millebornes.tui.full.widgets.names import short_enough

__all__ = ["DiscardPile", "DrawPile"]


def _label(canvas: Canvas, name: str, look: Look) -> None:
    """Write the name of a pile on the lower edge of its card, or as much of it as fits."""
    if canvas.height < 4:
        return
    room = canvas.width - 2
    shown = short_enough([name, name.split()[0]], room)
    if shown:
        canvas.centre(1, canvas.height - 1, room, shown if len(shown) > room - 2 else f" {shown} ", look["dim"])


class DrawPile(Part):
    """The draw pile, face down, with the number of its cards. The widget has the id ``draw-pile``."""

    def __init__(self) -> None:
        super().__init__(id="draw-pile")

    def draw(self, canvas: Canvas, scene: TableScene) -> None:
        """Draw the pile with the size that people see now."""
        count, look = scene.session.shown_pile, self.look
        if count:
            draw_back(canvas, 0, 0, canvas.width, canvas.height, look, str(count))
            _label(canvas, scene.theme.pile("draw"), look)
        else:
            draw_place(canvas, 0, 0, canvas.width, canvas.height, look, scene.theme.pile("draw"))


class DiscardPile(Part):
    """The discard pile with the latest discard. The widget has the id ``discard-pile``."""

    def __init__(self) -> None:
        super().__init__(id="discard-pile")

    def draw(self, canvas: Canvas, scene: TableScene) -> None:
        """Draw the latest discard."""
        top, look = scene.view.discard_top, self.look
        if top is None:
            draw_place(canvas, 0, 0, canvas.width, canvas.height, look, scene.theme.pile("discard"))
        else:
            draw_card(canvas, canvas.area, top, scene.theme, look, Marks(fresh=scene.latest == (-1, top)))
            _label(canvas, scene.theme.pile("discard"), look)
