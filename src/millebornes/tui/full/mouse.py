"""The mouse at the table. Presses, moves and releases become clicks and drags, in the order in which they occurred."""

import dataclasses
from typing import Final

from textual import events
from textual.geometry import Region
from textual.widget import Widget

from millebornes.game import Action
from millebornes.tui.full.input import Mode
from millebornes.tui.full.screens.table_view import TableView
from millebornes.tui.full.widgets.board import put_at
from millebornes.tui.full.widgets.hand import CardView, DiscardPile, DrawPile, Face
from millebornes.tui.full.widgets.side import SideView

__all__ = ["Mouse"]

LEFT, RIGHT = 1, 3

MIN_MOVED: Final = 2
"""The number of columns and rows of an intentional move. A shorter one may be accidental."""


@dataclasses.dataclass
class _Grip:
    """What the player is holding down: a button, the position and part where it was pressed, and the card there."""

    part: Widget | None
    face: Face | None
    x: int
    y: int
    button: int
    time: float
    dragged: bool = False
    left: bool = False
    """Whether the mouse has left the part. Releasing it there means that the player changed their mind."""


class Mouse:
    """Interprets what the mouse does at the table.

    Events are handled as they arrive, because Textual empties the queues of the widgets in no fixed order: a widget
    could learn that a button was released before it learns that it was pressed. The resulting action is added to the
    queue of the table, after the keys that were typed before it. A press refers to the card that was visible at that
    position.
    """

    def __init__(self, table: TableView) -> None:
        self._table = table
        self._grip: _Grip | None = None

    def take(self, event: events.MouseEvent) -> None:
        """Handle a press, a release or a move."""
        match event:
            case events.MouseDown():
                self._press(event)
            case events.MouseMove():
                self._move(event)
            case events.MouseUp():
                self._release(event)

    def forget(self) -> None:
        """Forget any button being held, because something else is under the mouse now."""
        self._grip = None
        self._table.ghost.display = False

    def _press(self, event: events.MouseDown) -> None:
        held = self._grip
        self.forget()
        if held is not None and held.button != event.button:  # pressing two buttons at once has no meaning
            return
        part = self._part_at(event)
        face = part.seen if isinstance(part, CardView) else None
        self._grip = _Grip(part, face, event.screen_x, event.screen_y, event.button, event.time)

    def _move(self, event: events.MouseMove) -> None:
        grip = self._grip
        if grip is None or grip.face is None or grip.face.card is None or grip.part is None:
            return
        x, y = event.screen_x, event.screen_y
        grip.dragged = grip.dragged or _is_far(grip, event)
        grip.left = grip.left or not grip.part.region.contains(x, y)
        if grip.dragged:
            ghost = self._table.ghost
            ghost.card = grip.face.card
            put_at(ghost, Region(x - 5, y - 1, 11, 3))
            ghost.refresh()

    def _release(self, event: events.MouseUp) -> None:
        grip = self._grip
        self.forget()
        if grip is None or grip.button != event.button:
            return
        part = self._part_at(event)
        holds = grip.face is not None and grip.face.card is not None
        if holds and (grip.dragged or _is_far(grip, event)) and (grip.left or part is not grip.part):
            if isinstance(part, SideView | DiscardPile):
                self._table.call_later(self._dropped, grip, part)
        elif holds or part is grip.part:
            self._table.call_later(self._clicked, grip)

    def _part_at(self, event: events.MouseEvent) -> Widget | None:
        """Return the part of the table at a position, ignoring anything that only covers it for a moment."""
        table = self._table
        found = table.get_widgets_at(event.screen_x, event.screen_y)
        return next((widget for widget, _region in found if widget not in {table.ghost, table.banner}), None)

    def _clicked(self, grip: _Grip) -> None:
        table, asked, part = self._table, self._table.input, grip.part
        if table.is_busy or grip.time < table.open_since:
            return
        if asked.mode is Mode.WATCH:
            asked.command("confirm")
        elif isinstance(part, CardView):
            if self._is_there(part, grip):
                self._card_clicked(part, grip.button)
        elif asked.mode is Mode.TARGET and isinstance(part, SideView):
            asked.aim(part.number)
        elif asked.mode is Mode.TURN and isinstance(part, DrawPile):
            asked.pick()
        elif asked.mode is Mode.TURN and asked.place is not None and isinstance(part, SideView | DiscardPile):
            self._drop(part, asked.place)

    def _card_clicked(self, view: CardView, button: int) -> None:
        asked, place = self._table.input, view.number
        if asked.mode is Mode.TARGET:  # this card isn't a side, so the player means another card
            asked.command("back")
        if asked.mode is not Mode.TURN:
            asked.command(f"card_{place}")
        elif view.card is None and place == asked.slots.size + 1 and self._table.scene.must_pick:
            asked.pick()
        elif button == RIGHT:
            asked.decide(Action.DISCARD, place)
        elif button == LEFT and asked.place == place:
            asked.decide(asked.verb or Action.PLAY, place)
        elif button == LEFT:
            asked.mark(place)

    def _dropped(self, grip: _Grip, part: Widget) -> None:
        table = self._table
        if table.is_busy or grip.time < table.open_since:
            return
        if isinstance(grip.part, CardView) and self._is_there(grip.part, grip):
            self._drop(part, grip.part.number)

    def _drop(self, part: Widget, place: int) -> None:
        if isinstance(part, DiscardPile):
            self._table.input.decide(Action.DISCARD, place)
        elif isinstance(part, SideView):
            self._table.input.decide(Action.PLAY, place, part.number)

    def _is_there(self, view: CardView, grip: _Grip) -> bool:
        """Return whether the pressed card is still in its place. If it isn't, show a message."""
        if grip.face == view.face:
            return True
        self._table.say(self._table._("The cards have changed in the meantime. Look at them again."), "error")
        return False


def _is_far(grip: _Grip, event: events.MouseEvent) -> bool:
    return abs(event.screen_x - grip.x) + abs(event.screen_y - grip.y) >= MIN_MOVED
