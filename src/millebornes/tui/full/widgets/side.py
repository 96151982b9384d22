"""One side of the table: battle, speed, distance and safeties, as large as the space allows."""

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from millebornes.cards import DISTANCES, REMEDY_OF, SAFETIES, Card
from millebornes.game import Tableau
from millebornes.themes import Theme
from millebornes.tui.full.widgets.board import Part, TableScene
from millebornes.tui.full.widgets.canvas import BOXES, PLAIN_BOXES, Area, Canvas
from millebornes.tui.full.widgets.card_art import Look, Marks, draw_card, draw_place, symbol
from millebornes.tui.full.widgets.names import fitting_line, fitting_names, purpose, short_enough

Words = list[tuple[str, Style]]  # a list of texts with their styles
NARROW: Final = 36  # if a title has fewer columns than this, optional spaces are left out
SHORTEST_BAR: Final = 6
"""The minimum number of columns for the bar in a title. The names are shortened to leave room for it."""

LEAST_PARTNER: Final = 6  # the minimum number of columns for each partner's name, if there is any room for names
SAFETY_CARD: Final = 13  # a safety is drawn as a card if at least this many columns are available
CARD_WIDTHS: Final = ((130, 11, 22), (100, 9, 18), (70, 7, 14), (0, 0, 11))
"""The width of the cards on the battle and speed piles, depending on the available columns and rows."""

UPRIGHT: Final = "▮"
SIDEWAYS: Final = "▬"
COUP: Final = "!!"  # the mark on a safety that was played as a coup fourré, as in the classic game


class SideView(Part):
    """The cards in front of a side. The id is ``side-`` and the number of the side from 1."""

    def __init__(self, number: int) -> None:
        super().__init__(id=f"side-{number + 1}")
        self.number = number

    def _draw(self, canvas: Canvas, scene: TableScene) -> None:
        tableau = scene.view.tableaux[self.number]
        look = self.look
        self._title(canvas, scene, tableau, look)
        if canvas.height >= 6 and canvas.width >= 46:
            self._cards(canvas, scene, tableau, look)
        else:
            self._words(canvas, scene, tableau, look)

    def _title(self, canvas: Canvas, scene: TableScene, tableau: Tableau, look: Look) -> None:
        session, _ = scene.session, scene.translate
        seats = session.rules.seats_of(self.number)
        moving = scene.turn is not None and scene.turn in seats
        own = scene.own_side == self.number
        style = look["own"] if own else look["title"]
        canvas.fill(0, 0, canvas.width, 1, " ", style)
        x = canvas.put(0, 0, "▶ " if moving else "  ", style + look["accent"])
        names = session.participants.partners(self.number, scene.viewer)
        head = f"{self.number + 1} " if session.rules.sides > 2 else ""
        name = head + session.participants.side(self.number, scene.viewer)
        least = min(len(name), 8 if len(names) == 1 else len(head) + (LEAST_PARTNER + 1) * len(names) - 1)
        goal = scene.view.goal
        whole, miles = f"{tableau.distance}/{goal} {scene.theme.unit_short}", str(tableau.distance)
        states, state_look = self._states(canvas, scene, tableau, look)
        room = canvas.width - x - len(whole) - 6
        state = short_enough(states, room - len(name) - SHORTEST_BAR) or short_enough(states, room - least)
        if state:
            miles = whole
        else:
            state = short_enough(states, canvas.width - x - len(miles) - 4 - min(len(name), 4))
        right = canvas.width - cell_len(state) - 1
        room = right - x - len(miles) - 3
        shown = head + fitting_names(names, _, room - len(head))
        x = canvas.put(x, 0, shown, style + look["strong"], room) + 1
        levels = session.participants.side_levels(self.number, scene.viewer)
        if levels and cell_len(shown) + cell_len(levels) + 3 + SHORTEST_BAR < room:
            x = canvas.put(x, 0, f"· {levels}", style + look["dim"]) + 1
        canvas.put(right, 0, state, style + state_look)
        right -= len(miles) + 2 - (canvas.width < NARROW)
        canvas.put(max(x, right), 0, miles, style + look["strong"])
        bar = right - x - 1
        if bar >= SHORTEST_BAR:
            done = max(0, min(bar, round(bar * tableau.distance / goal)))
            canvas.put(x, 0, "━" * done, style + look["accent"])
            canvas.put(x + done, 0, "╌" * (bar - done), style + look["dim"])

    def _states(self, canvas: Canvas, scene: TableScene, tableau: Tableau, look: Look) -> tuple[tuple[str, ...], Style]:
        """Return descriptions of the side's state or of the card it needs, the longest first."""
        _, theme = scene.translate, scene.theme

        def before(sign: str) -> str:
            return f"{sign} " if canvas.symbols else ""

        limit = ""
        if tableau.is_limited:
            limit = f" {theme.symbol_of(Card.SPEED_LIMIT)}50" if canvas.symbols else " " + _("limit 50")
        under = tableau.under
        if under is None and tableau.is_moving:
            sign = before(theme.symbol_of(Card.ROLL))
            texts = (sign + _("rolling") + limit, sign + _("rolling"), theme.forms_of(Card.ROLL)[-1])
            return texts, look["remedy"]
        needed = Card.ROLL if under is None else REMEDY_OF[under]
        sign = before("■" if under is None else theme.symbol_of(under))
        needs = [_("needs {remedy}").format(remedy=name) for name in theme.forms_of(needed)]
        lines = [sign + text + limit for text in needs] + [sign + text for text in needs]
        return (*lines, *(sign + name for name in theme.forms_of(needed)), theme.forms_of(needed)[-1]), look["hazard"]

    def _cards(self, canvas: Canvas, scene: TableScene, tableau: Tableau, look: Look) -> None:
        theme, rows = scene.theme, canvas.height - 1
        width = next(wide for columns, least, wide in CARD_WIDTHS if canvas.width >= columns and rows >= least)
        tall = min(rows, 5 if rows < 7 else 13)
        for x, card, pile in ((1, tableau.battle, "battle"), (1 + width, tableau.speed, "speed")):
            if card is None:
                draw_place(canvas, Area(x, 1, width, tall), look, theme.pile_forms(pile))
                continue
            fresh, note = scene.latest == (self.number, card), purpose(card, scene.words)
            draw_card(canvas, Area(x, 1, width, tall), card, theme, look, Marks(fresh=fresh, note=note))
        x = 2 + 2 * width
        left = canvas.width - x
        if rows >= 7 and left >= 44:
            column = min(9, max(5, (left - 4 * SAFETY_CARD) // len(DISTANCES)))
            self._fans(canvas, Area(x, 1, column, rows), tableau, scene, look)
            x, left = x + 2 + column * len(DISTANCES), left - 2 - column * len(DISTANCES)
            if left >= 4 * SAFETY_CARD and rows >= 8:
                self._safety_cards(canvas, Area(x, 1, left, tall), tableau, scene, look)
                return
        else:
            self._distance_rows(canvas, Area(x, 1, 12, rows), tableau, scene, look)
            x, left = x + 13, left - 13
        self._safety_rows(canvas, Area(x, 1, left, rows), tableau, scene, look)

    def _distance_rows(self, canvas: Canvas, area: Area, tableau: Tableau, scene: TableScene, look: Look) -> None:
        x, y, width, rows = area
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

    def _safety_rows(self, canvas: Canvas, area: Area, tableau: Tableau, scene: TableScene, look: Look) -> None:
        x, y, width, rows = area
        theme = scene.theme
        canvas.put(x, y, short_enough(theme.pile_forms("safety"), width), look["dim"])
        each = 2 if rows > 2 * len(SAFETIES) else 1
        for row, card in enumerate(tableau.safeties):
            line = y + 1 + each * row
            shape, mark = (SIDEWAYS, COUP) if card in tableau.coups_fourres else (UPRIGHT, "")
            room = width - 2 - bool(mark) * (len(COUP) + 1)
            name = fitting_line(theme, card, room, f"{symbol(canvas, card, theme)} " if canvas.symbols else "")
            at = canvas.put(x, line, f"{shape} {name}", look["safety"])
            canvas.put(at + (at + len(mark) < x + width), line, mark, look["mark"])

    def _fans(self, canvas: Canvas, area: Area, tableau: Tableau, scene: TableScene, look: Look) -> None:
        """Draw the distance cards of each kind as a fan, the latest in front. ``area`` is that of the first fan."""
        x, y, wide, rows = area
        counts = tableau.distance_cards
        edge = (BOXES if canvas.symbols else PLAIN_BOXES)["thin"]
        for column, card in enumerate(DISTANCES):
            left, n = x + wide * column, counts[card]
            if not n:
                canvas.centre(left, y + 1, wide, card.value, look["dim"])
                continue
            shown = min(n, rows - 2)
            for behind in range(shown - 1):
                canvas.put(left, y + behind, edge[0] + edge[1] * (wide - 2) + edge[2], look["distance"])
            top = y + shown - 1
            fresh = scene.latest == (self.number, card)
            canvas.box(left, top, wide, 3, "thin", look["mark"] if fresh else look["distance"])
            canvas.centre(left + 1, top + 1, wide - 2, card.value, look["distance"] + look["strong"])
            if n > 1:
                canvas.centre(left, top + 2, wide, f"×{n}", look["distance"])

    def _safety_cards(self, canvas: Canvas, area: Area, tableau: Tableau, scene: TableScene, look: Look) -> None:
        """Draw a card for each safety. After a coup fourré, the card is sideways, so it is lower, and has a mark."""
        x, y, width, rows = area
        theme = scene.theme
        if not tableau.safeties:
            draw_place(canvas, Area(x, y, min(width, 18), min(rows, 7)), look, theme.pile_forms("safety"))
            return
        wide = min(20, width // len(SAFETIES))
        for n, card in enumerate(tableau.safeties):
            coup = card in tableau.coups_fourres
            height = min(rows, 5 if coup else 11)
            note = "" if coup else purpose(card, scene.words)
            fresh = scene.latest == (self.number, card)
            mark = COUP if coup else ""
            marks = Marks(fresh=fresh, marked=mark, note=note)
            draw_card(canvas, Area(x + n * wide, y, wide, height), card, theme, look, marks)

    def _words(self, canvas: Canvas, scene: TableScene, tableau: Tableau, look: Look) -> None:
        theme, rows = scene.theme, canvas.height - 1
        if rows < 1:
            return
        piles = [
            [(f"{symbol(canvas, card, theme)} {name}".strip(), look[card.group.value]) for name in theme.forms_of(card)]
            for card in (tableau.battle, tableau.speed)
            if card is not None
        ]
        safeties = [
            self._safety_words(canvas, card, card in tableau.coups_fourres, theme, look) for card in tableau.safeties
        ]
        shown = [(card, n) for card, n in tableau.distance_cards.items() if n]
        distances = [[(f"{card.value}×{n}" if n > 1 else card.value, look["distance"])] for card, n in shown]
        if rows == 1:
            lines = [[*piles, *safeties, *distances]]
        elif rows == 2:
            lines = [[*piles, *safeties], distances]
        else:
            lines = [piles, safeties, distances]
        for row, words in enumerate(lines, 1):
            x = 2
            for text, style in _fitted(words, canvas.width - x):
                x = canvas.put(x, row, text, style) + 1

    def _safety_words(self, canvas: Canvas, card: Card, coup: bool, theme: Theme, look: Look) -> Words:
        shape, mark = (SIDEWAYS, COUP) if coup else (UPRIGHT, "")
        forms = theme.forms_of(card)
        sign = symbol(canvas, card, theme)
        texts = [f"{shape}{sign} {name}{mark}" if sign else f"{shape}{name}{mark}" for name in forms]
        return [(text, look["safety"]) for text in (*texts, f"{shape}{forms[-1]}{mark}", f"{shape}{forms[-1]}")]


def _fitted(words: Sequence[Words], width: int) -> Words:
    """Choose one version of each text. The longest texts are shortened, step by step, until all of them fit."""
    chosen = [0] * len(words)

    def size() -> int:
        return sum(cell_len(texts[n][0]) + 1 for texts, n in zip(words, chosen, strict=True)) - 1

    while size() > width:
        longest = [
            (cell_len(texts[n][0]), at)
            for at, (texts, n) in enumerate(zip(words, chosen, strict=True))
            if n + 1 < len(texts)
        ]
        if not longest:
            break
        chosen[max(longest)[1]] += 1
    found = [texts[n] for texts, n in zip(words, chosen, strict=True)]
    while found and sum(cell_len(text) + 1 for text, _style in found) - 1 > width:
        found.pop()
    return found
