"""The draw pile and the discard pile."""

from millebornes.tui.full.board import Part, Scene
from millebornes.tui.full.canvas import Canvas
from millebornes.tui.full.card_art import draw_back, draw_card, draw_place

__all__ = ["DiscardPile", "DrawPile"]


class DrawPile(Part):
    """The draw pile, face down, with the count of its cards. Its id is ``draw-pile``."""

    def __init__(self) -> None:
        super().__init__(id="draw-pile")

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        """Draw the pile as people see it now."""
        count, look = scene.sitting.shown_pile, self.look
        if count:
            draw_back(canvas, 0, 0, canvas.width, canvas.height, look, str(count))
        else:
            draw_place(canvas, 0, 0, canvas.width, canvas.height, look, scene.theme.pile("draw"))
        if canvas.height > 3:
            canvas.centre(0, canvas.height - 1, canvas.width, f" {scene.theme.pile('draw')} ", look["dim"])


class DiscardPile(Part):
    """The discard pile with its latest card. Its id is ``discard-pile``."""

    def __init__(self) -> None:
        super().__init__(id="discard-pile")

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        """Draw the latest discard."""
        top, look = scene.view.discard_top, self.look
        if top is None:
            draw_place(canvas, 0, 0, canvas.width, canvas.height, look, scene.theme.pile("discard"))
        else:
            draw_card(canvas, 0, 0, canvas.width, canvas.height, top, scene.theme, look)
            if canvas.height > 3:
                canvas.centre(0, canvas.height - 1, canvas.width, f" {scene.theme.pile('discard')} ", look["dim"])
