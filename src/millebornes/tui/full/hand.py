"""The cards of a hand: seven places that can be clicked, and dragged from."""

from textual import events
from textual.message import Message

from millebornes.cards import Card
from millebornes.game import Action
from millebornes.tui.full.board import Part, Scene
from millebornes.tui.full.canvas import Canvas
from millebornes.tui.full.card_art import FRAMED, draw_back, draw_card, draw_place
from millebornes.tui.full.names import purpose

__all__ = ["CardView", "Ghost"]


class CardView(Part):
    """A place of the hand. Its id is ``card-`` and its number, ``card-7`` for the place P."""

    class Clicked(Message):
        """The card was clicked; ``right`` tells with which button."""

        def __init__(self, place: int, right: bool) -> None:
            super().__init__()
            self.place = place
            self.right = right

    class Dragged(Message):
        """The card is being dragged, or was dropped (``done``); coordinates are those of the screen."""

        def __init__(self, place: int, x: int, y: int, done: bool) -> None:
            super().__init__()
            self.place = place
            self.x = x
            self.y = y
            self.done = done

    def __init__(self, place: int) -> None:
        super().__init__(id=f"card-{place}")
        self.number = place
        self.selected = False
        self._pressed: tuple[int, int] | None = None
        self._dragging = False

    @property
    def card(self) -> Card | None:
        """The card that lies here, if the viewer may see one."""
        cards = () if self.scene is None else self.scene.cards
        return cards[self.number - 1] if self.number <= len(cards) else None

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        """Draw the card: bright where it can be used now, dim where it cannot."""
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
        usable = any(move.card is card and move.action is not Action.DISCARD for move in scene.legal)
        draw_card(
            canvas,
            0,
            0,
            canvas.width,
            canvas.height,
            card,
            scene.theme,
            look,
            dim=bool(scene.legal) and not usable,
            label=label if canvas.width < FRAMED and not usable else f"[{label}]" if usable else f" {label} ",
            selected=self.selected,
            marked="▲" if usable and canvas.height > 3 else "",
            note=purpose(card, scene.theme, scene.translate),
        )

    # ------------------------------------------------------------------ the mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A button goes down: a click or a drag begins."""
        if self.card is None:
            self.post_message(self.Clicked(self.number, event.button == 3))
            return
        self._pressed = (event.screen_x, event.screen_y)
        self._dragging = False
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """With the button down the card goes along."""
        if self._pressed is None:
            return
        if not self._dragging:
            self._dragging = _is_far(*self._pressed, event)
        if self._dragging:
            self.post_message(self.Dragged(self.number, event.screen_x, event.screen_y, False))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """The button goes up: clicked, or dropped."""
        self.let_go(event)

    def let_go(self, event: events.MouseUp) -> None:
        """The button has gone up, here or elsewhere: a press that began here ends where that was."""
        if self._pressed is None:
            return
        x, y = self._pressed
        self._pressed = None
        self.release_mouse()
        if self._dragging or _is_far(x, y, event):
            self._dragging = False
            self.post_message(self.Dragged(self.number, event.screen_x, event.screen_y, True))
        else:
            self.post_message(self.Clicked(self.number, event.button == 3))


def _is_far(x: int, y: int, event: events.MouseEvent) -> bool:
    """Whether the mouse has been moved on purpose since it was at ``x``, ``y``."""
    return abs(event.screen_x - x) + abs(event.screen_y - y) >= 2


class Ghost(Part):
    """The card that is being dragged. Its id is ``ghost``."""

    def __init__(self) -> None:
        super().__init__(id="ghost")
        self.card: Card | None = None

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        """Draw it small."""
        if self.card is not None:
            draw_card(canvas, 0, 0, canvas.width, canvas.height, self.card, scene.theme, self.look, selected=True)
