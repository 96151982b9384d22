"""The window beside the table: the commands, or the score as it stands, in the words of the classic game."""

from typing import Final

from millebornes.i18n import N_
from millebornes.tui.full.board import Part, Scene
from millebornes.tui.full.canvas import Canvas
from millebornes.tui.full.card_art import Look
from millebornes.tui.plain.sheet import TERMS
from millebornes.tui.sitting.counts import unseen_groups

__all__ = ["Window"]

COMMANDS: Final = {
    "P": N_("Pick"),
    "U": N_("Use a card"),
    "D": N_("Discard a card"),
    "O": N_("Order the hand"),
    "L": N_("Legal moves"),
    "H": N_("Hint"),
    "R": N_("Redraw"),
    "W": N_("Switch window"),
    "T": N_("Score sheet"),
    "S": N_("Save"),
    "Q": N_("Quit"),
    "?": N_("All keys"),
}
"""The commands of the window, as on the classic screen."""


class Window(Part):
    """The score window. Its id is ``window``; it shows what the preference ``window`` says."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        """Draw the frame, and in it the commands or the score."""
        _, look = scene.translate, self.look
        canvas.box(0, 0, canvas.width, canvas.height, "round", look["dim"])
        scores = scene.sitting.preferences.window == "scores"
        counts = scene.counts and scene.viewer is not None
        title = _("Unseen cards") if counts else _("Score") if scores else _("Commands")
        canvas.put(2, 0, f" {title} ", look["strong"], canvas.width - 4)
        if counts:
            self._counts(canvas, scene, look)
        elif scores:
            self._scores(canvas, scene, look)
        else:
            self._commands(canvas, scene, look)

    def _commands(self, canvas: Canvas, scene: Scene, look: Look) -> None:
        _, rows = scene.translate, canvas.height - 2
        for row, (key, text) in enumerate(COMMANDS.items()):
            if row >= rows:
                break
            canvas.put(2, 1 + row, key, look["key"])
            canvas.put(4, 1 + row, _(text), width=canvas.width - 6)
        left = rows - len(COMMANDS) - 1
        if left >= scene.sitting.rules.sides + 1:
            self._standing(canvas, len(COMMANDS) + 2, scene, look)

    def _counts(self, canvas: Canvas, scene: Scene, look: Look) -> None:
        """How many of each kind the viewer has not seen, in draw pile and other hands together."""
        if scene.must_pick:
            return
        rows, half = canvas.height - 2, (canvas.width - 4) // 2
        for column, groups in enumerate((unseen_groups(scene.view)[:2], unseen_groups(scene.view)[2:])):
            row, x = 1, 2 + column * half
            for group in groups:
                for card, count in group.counts:
                    if row > rows:
                        break
                    style = look[card.group.value] if count else look["dim"]
                    canvas.put(x, row, f"{scene.theme.short_of(card)}", style, half - 4)
                    canvas.right(x + half - 4, row, 3, str(count), style)
                    row += 1
                row += 1

    def _scores(self, canvas: Canvas, scene: Scene, look: Look) -> None:
        sides = scene.sitting.rules.sides
        if sides == 2 and canvas.height >= 12:
            self._sheet(canvas, scene, look)
            return
        self._standing(canvas, 1, scene, look)
        own = scene.own_side
        if own is not None and canvas.height >= sides + 14:
            self._own(canvas, sides + 3, own, scene, look)

    def _sheet(self, canvas: Canvas, scene: Scene, look: Look) -> None:
        """Both sides beside each other, line by line."""
        _, sitting = scene.translate, scene.sitting
        match = sitting.match
        sheets = match.hand.scores
        sides = scene.order()[::-1]
        width = 6
        first = canvas.width - 3 - width * len(sides)
        for n, side in enumerate(sides):
            name = sitting.cast.side(side, scene.viewer)
            canvas.right(first + 2 + n * width, 1, width - 1, name[: width - 1], look["strong"])
        rows = [(_(term), [getattr(sheets[side], line) for side in sides], line) for line, term in TERMS.items()]
        rows.append((_("Hand Total"), [sheets[side].total for side in sides], ""))
        rows.append((_("Overall Total"), [match.totals[side] for side in sides], ""))
        rows.append((_("Games"), [sitting.games[side] for side in sides], ""))
        tableaux = match.hand.tableaux
        for row, (head, values, line) in enumerate(rows, 2):
            strong = look["strong"] if not line else look["distance"]
            canvas.put(2, row, head, strong, first)
            for n, (side, value) in enumerate(zip(sides, values, strict=True)):
                x = first + 2 + n * width
                zero = line and not value
                canvas.right(x, row, width - 1, "·" if zero else str(value), look["dim"] if zero else strong)
                if line == "coups_fourres" and tableaux[side].coups_fourres:
                    canvas.put(x + width - 1 - len(str(value)) - 2, row, "!!", look["mark"])

    def _standing(self, canvas: Canvas, top: int, scene: Scene, look: Look) -> None:
        """A line for each side: the hand so far, the match, the games."""
        _, sitting = scene.translate, scene.sitting
        match = sitting.match
        heads = (_("Hand"), _("Match"), _("Games"))
        right = canvas.width - 2
        for n, head in enumerate(heads):
            canvas.right(right - 6 * (3 - n), top, 6, head[:5], look["dim"])
        for row, side in enumerate(scene.order()[::-1], top + 1):
            values = (match.hand.scores[side].total, match.totals[side], sitting.games[side])
            own = side == scene.own_side
            name = f"{side + 1} {sitting.cast.side(side, scene.viewer)}"
            canvas.put(2, row, name, look["strong"] if own else look["distance"], right - 18 - 2)
            for n, value in enumerate(values):
                canvas.right(right - 6 * (3 - n), row, 6, str(value), look["strong"] if own else look["distance"])

    def _own(self, canvas: Canvas, top: int, side: int, scene: Scene, look: Look) -> None:
        """One's own score sheet of this hand."""
        _, sheet = scene.translate, scene.sitting.match.hand.scores[side]
        for row, (line, term) in enumerate(TERMS.items(), top):
            value = getattr(sheet, line)
            canvas.put(2, row, _(term), look["distance"] if value else look["dim"], canvas.width - 10)
            canvas.right(
                canvas.width - 8, row, 6, str(value) if value else "·", look["distance"] if value else look["dim"]
            )
