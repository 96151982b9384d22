"""One side of the table: its battle, speed, distance and safety areas, as large as there is room."""

from typing import Final

from rich.style import Style

from millebornes.cards import DISTANCES, REMEDY_OF, Card
from millebornes.game import Tableau
from millebornes.tui.full.board import Part, Scene
from millebornes.tui.full.canvas import Canvas
from millebornes.tui.full.card_art import Look, draw_card, draw_place

__all__ = ["SideView"]

UPRIGHT: Final = "▮"
SIDEWAYS: Final = "▬"
COUP: Final = "!!"
"""The mark of a safety that was played as a coup fourré, as in the classic game."""


class SideView(Part):
    """A side's tableau. Its id is ``side-`` and its number from 1, as the table counts sides."""

    def __init__(self, number: int) -> None:
        super().__init__(id=f"side-{number + 1}")
        self.number = number

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        """Draw the side in as much detail as there is room for."""
        tableau = scene.view.tableaux[self.number]
        look = self.look
        self._title(canvas, scene, tableau, look)
        if canvas.height >= 6 and canvas.width >= 46:
            self._cards(canvas, scene, tableau, look)
        else:
            self._words(canvas, scene, tableau, look)

    # ------------------------------------------------------------------ the title

    def _title(self, canvas: Canvas, scene: Scene, tableau: Tableau, look: Look) -> None:
        sitting, _ = scene.sitting, scene.translate
        seats = sitting.rules.seats_of(self.number)
        moving = scene.turn is not None and scene.turn in seats
        own = scene.own_side == self.number
        style = look["own"] if own else look["title"]
        canvas.fill(0, 0, canvas.width, 1, " ", style)
        x = canvas.put(0, 0, "▶ " if moving else "  ", style + look["accent"])
        name = sitting.cast.side(self.number, scene.viewer)
        if sitting.rules.sides > 2:
            name = f"{self.number + 1} {name}"
        state, state_look = self._state(scene, tableau, look)
        goal = scene.view.goal
        miles = f"{tableau.distance}/{goal} {scene.theme.unit_short}"
        room = canvas.width - x - len(miles) - len(state) - 6
        x = canvas.put(x, 0, name, style + look["strong"], max(room, 8)) + 1
        right = canvas.width - len(state) - 1
        canvas.put(right, 0, state, style + state_look)
        right -= len(miles) + 2
        canvas.put(max(x, right), 0, miles, style + look["strong"])
        bar = right - x - 1
        if bar >= 6:
            done = min(bar, round(bar * tableau.distance / goal))
            canvas.put(x, 0, "━" * done, style + look["accent"])
            canvas.put(x + done, 0, "╌" * (bar - done), style + look["dim"])

    def _state(self, scene: Scene, tableau: Tableau, look: Look) -> tuple[str, Style]:
        _, theme = scene.translate, scene.theme
        limit = f" {theme.symbol_of(Card.SPEED_LIMIT)}50" if tableau.is_limited else ""
        under = tableau.under
        if under is not None:
            needs = theme.short_of(REMEDY_OF[under])
            return f"{theme.symbol_of(under)} " + _("needs {remedy}").format(remedy=needs) + limit, look["hazard"]
        if tableau.is_moving:
            return f"{theme.symbol_of(Card.ROLL)} " + _("rolling") + limit, look["remedy"]
        needs = theme.short_of(Card.ROLL)
        return "■ " + _("needs {remedy}").format(remedy=needs) + limit, look["hazard"]

    # ------------------------------------------------------------------ as cards

    def _cards(self, canvas: Canvas, scene: Scene, tableau: Tableau, look: Look) -> None:
        theme = scene.theme
        rows = canvas.height - 1
        width = 11 if rows < 7 or canvas.width < 70 else 14
        tall = min(rows, 5 if width == 11 and rows < 7 else 9)
        for x, card, pile in ((1, tableau.battle, "battle"), (1 + width, tableau.speed, "speed")):
            if card is None:
                draw_place(canvas, x, 1, width, tall, look, theme.pile(pile))
            else:
                draw_card(canvas, x, 1, width, tall, card, theme, look, fresh=scene.latest == (self.number, card))
        x = 2 + 2 * width
        left = canvas.width - x
        if rows >= 7 and left >= 44:
            self._fans(canvas, x, 1, rows, tableau, scene, look)
            self._safety_cards(canvas, x + 27, 1, left - 27, rows, tableau, scene, look)
        else:
            self._distance_rows(canvas, x, 1, 12, rows, tableau, scene, look)
            self._safety_rows(canvas, x + 13, 1, left - 13, rows, tableau, scene, look)

    def _distance_rows(
        self, canvas: Canvas, x: int, y: int, width: int, rows: int, tableau: Tableau, scene: Scene, look: Look
    ) -> None:
        counts = tableau.distance_cards
        for row, card in enumerate(reversed(DISTANCES)):
            if row >= rows:
                break
            n = counts[card]
            style = look["distance"] if n else look["dim"]
            fresh = scene.latest == (self.number, card) and n
            canvas.right(x, y + row, 3, card.value, style + look["mark"] if fresh else style)
            shown = UPRIGHT * n if n <= width - 4 else f"{UPRIGHT}×{n}"
            canvas.put(x + 4, y + row, shown or "·", style)

    def _safety_rows(
        self, canvas: Canvas, x: int, y: int, width: int, rows: int, tableau: Tableau, scene: Scene, look: Look
    ) -> None:
        theme = scene.theme
        canvas.put(x, y, theme.pile("safety"), look["dim"], width)
        for row, card in enumerate(tableau.safeties, 1):
            coup = card in tableau.coups_fourres
            shape = SIDEWAYS if coup else UPRIGHT
            at = canvas.put(
                x, y + row, f"{shape} {theme.symbol_of(card)} {theme.short_of(card)}", look["safety"], width - 2
            )
            if coup:
                canvas.put(min(at, x + width - 2), y + row, COUP, look["mark"])

    def _fans(self, canvas: Canvas, x: int, y: int, rows: int, tableau: Tableau, scene: Scene, look: Look) -> None:
        """Distance cards in fans, one for each kind, the latest in front."""
        counts = tableau.distance_cards
        for column, card in enumerate(DISTANCES):
            left, n = x + 5 * column, counts[card]
            if not n:
                canvas.centre(left, y + 1, 5, card.value, look["dim"])
                continue
            shown = min(n, rows - 2)
            for behind in range(shown - 1):
                canvas.put(left, y + behind, "┌───┐", look["distance"])
            top = y + shown - 1
            fresh = scene.latest == (self.number, card)
            canvas.box(left, top, 5, 3, "thin", look["mark"] if fresh else look["distance"])
            canvas.centre(left + 1, top + 1, 3, card.value, look["distance"] + look["strong"])
            if n > 1:
                canvas.centre(left, top + 2, 5, f"×{n}", look["distance"])

    def _safety_cards(
        self, canvas: Canvas, x: int, y: int, width: int, rows: int, tableau: Tableau, scene: Scene, look: Look
    ) -> None:
        """Safeties upright, those of a coup fourré lying sideways, two of these above each other."""
        theme = scene.theme
        if not tableau.safeties:
            draw_place(canvas, x, y, min(width, 18), min(rows, 6), look, theme.pile("safety"))
            return
        upright = [card for card in tableau.safeties if card not in tableau.coups_fourres]
        for card in upright:
            canvas.box(x, y, 5, min(rows, 6), "double", look["safety"])
            canvas.centre(x + 1, y + 1, 3, theme.symbol_of(card), look["safety"] + look["strong"])
            for row, char in enumerate(theme.short_of(card)[: min(rows, 6) - 3]):
                canvas.put(x + 2, y + 2 + row, char, look["safety"])
            x += 5
        wide = 9
        for n, card in enumerate(tableau.coups_fourres):
            left, top = x + wide * (n // 2), y + 3 * (n % 2)
            canvas.box(left, top, wide, 3, "double", look["safety"])
            name = f"{theme.symbol_of(card)}{theme.short_of(card)}"
            canvas.put(left + 1, top + 1, name, look["safety"], wide - 4)
            canvas.put(left + wide - 3, top + 1, COUP, look["mark"])

    # ------------------------------------------------------------------ in words

    def _words(self, canvas: Canvas, scene: Scene, tableau: Tableau, look: Look) -> None:
        """All areas in the rows below the title: battle and speed, safeties, distances."""
        theme, rows = scene.theme, canvas.height - 1
        if rows < 1:
            return
        y, x = 1, 2
        for card in (tableau.battle, tableau.speed):
            if card is not None:
                x = canvas.put(x, y, f"{theme.symbol_of(card)} {theme.short_of(card)}", look[card.group.value]) + 2
        if rows > 2:
            y, x = y + 1, 2
        for card in tableau.safeties:
            coup = card in tableau.coups_fourres
            name = f" {theme.short_of(card)}" if rows > 1 else ""
            shape = SIDEWAYS if coup else UPRIGHT
            x = canvas.put(x, y, f"{shape}{theme.symbol_of(card)}{name}", look["safety"])
            x = canvas.put(x, y, COUP if coup else "", look["mark"]) + 1
        if rows > 1:
            y, x = y + 1, 2
        else:
            x = max(x + 1, canvas.width - 24)
        for card, n in tableau.distance_cards.items():
            if n:
                x = canvas.put(x, y, f"{card.value}×{n}" if n > 1 else card.value, look["distance"]) + 1
