"""The window beside the table. The window shows the commands or the score so far, in the words of the classic game."""

from typing import Final

from rich.cells import cell_len

from millebornes.commands.table import Command, in_order_of_need
from millebornes.tui.full.terminal.keys import key_name
from millebornes.tui.full.widgets.board import Part, TableScene
from millebornes.tui.full.widgets.canvas import Canvas
from millebornes.tui.full.widgets.card_art import Look, draw_bar
from millebornes.tui.full.widgets.names import fitting_line, fitting_names
from millebornes.words.score_sheet import score_rows
from millebornes.words.unseen import unseen_groups

COMMANDS: Final = [command for command in Command if command.value.label]  # the commands in the window
NAMES: Final = 9  # the minimum number of columns for the names beside a bar
LEAST_BAR: Final = 12  # the minimum number of columns for a bar, if the names could use more than their minimum
ROOMY: Final = 24  # if there are at least this many rows, the score, the match and the commands all fit


class ScoreWindow(Part):
    """The window beside the table, with the id ``window``. The preference ``window`` determines what it shows."""

    def _draw(self, canvas: Canvas, scene: TableScene) -> None:
        _, look = scene.translate, self.look
        canvas.box(0, 0, canvas.width, canvas.height, "round", look["dim"])
        scores = scene.session.preferences.window == "scores"
        counts = scene.counts and scene.viewer is not None
        title = _("Unseen cards") if counts else _("Score") if scores or canvas.height >= ROOMY else _("Commands")
        canvas.put(2, 0, f" {title} ", look["strong"], canvas.width - 4)
        if counts:
            self._counts(canvas, scene, look)
        elif scores or canvas.height >= ROOMY:
            row = self._scores(canvas, scene, look)
            row = self._match(canvas, row, scene, look)
            if not scores and canvas.height - row > len(COMMANDS) + 1:
                canvas.put(1, row, "╶─ " + _("Commands") + " " + "─" * canvas.width, look["dim"], canvas.width - 2)
                self._commands(canvas, row + 1, scene, look)
        else:
            self._commands(canvas, 1, scene, look)

    def _commands(self, canvas: Canvas, top: int, scene: TableScene, look: Look) -> None:
        _, rows = scene.translate, canvas.height - 1 - top
        keymap = self.mille.keymap
        picking = scene.session.preferences.manual_pick
        commands = in_order_of_need(COMMANDS, picking=picking)
        if not picking:
            commands.remove(Command.PICK)  # cards are drawn by themselves
        for row, command in enumerate(commands[:rows]):
            keys = keymap[command.action]
            canvas.put(2, top + row, key_name(keys[0], _) if keys else "", look["key"], 4)
            canvas.put(6, top + row, _(command.value.label), look["distance"], canvas.width - 7)
        left = rows - len(commands) - 1
        if canvas.height < ROOMY and left >= scene.session.rules.sides + 1:
            self._standing(canvas, top + len(commands) + 1, scene, look)

    def _match(self, canvas: Canvas, top: int, scene: TableScene, look: Look) -> int:
        _, match = scene.translate, scene.session.match
        order = scene.own_first()
        goal = match.match_target
        if goal is None or canvas.height - 1 - top < len(order) + 2:
            return top
        canvas.put(1, top, "╶─ " + _("Match") + " " + "─" * canvas.width, look["dim"], canvas.width - 2)
        participants = scene.session.participants
        longest = max(cell_len(participants.side(side, scene.viewer)) for side in order)
        names = max(NAMES, min(longest, canvas.width - 10 - LEAST_BAR))
        bar = canvas.width - 10 - names
        now = scene.session.overall
        for row, side in enumerate(order, top + 1):
            own = side == scene.own_side
            name = fitting_names(participants.partners(side, scene.viewer), _, names)
            canvas.put(2, row, name, look["strong"] if own else look["distance"])
            draw_bar(canvas, 3 + names, row, bar, (match.totals[side], now[side]), (goal, max(now)), look)
            canvas.right(canvas.width - 7, row, 5, str(now[side]), look["distance"])
        return top + len(order) + 1

    def _counts(self, canvas: Canvas, scene: TableScene, look: Look) -> None:
        if scene.must_pick:
            return
        rows, half, unseen = canvas.height - 2, (canvas.width - 4) // 2, unseen_groups(scene.view)
        for column, groups in enumerate((unseen[:2], unseen[2:])):
            row, x = 1, 2 + column * half
            for group in groups:
                for card, count in group.counts:
                    if row > rows:
                        break
                    style = look[card.group.value] if count else look["dim"]
                    canvas.put(x, row, fitting_line(scene.theme, card, half - 5), style)
                    canvas.right(x + half - 4, row, 3, str(count), style)
                    row += 1
                row += 1

    def _scores(self, canvas: Canvas, scene: TableScene, look: Look) -> int:
        sides = scene.session.rules.sides
        if sides == 2 and canvas.height >= 12:
            return self._sheet(canvas, scene, look)
        row = self._standing(canvas, 1, scene, look)
        own = scene.own_side
        if own is not None and canvas.height >= sides + 14:
            row = self._own(canvas, row + 1, own, scene, look)
        return row

    def _sheet(self, canvas: Canvas, scene: TableScene, look: Look) -> int:
        _, session = scene.translate, scene.session
        sides = scene.own_first()
        width = 5 if canvas.width < 36 else 7
        first = canvas.width - 1 - width * len(sides) - (canvas.width >= 36)
        end = canvas.width
        for n, side in reversed(list(enumerate(sides))):  # the row has room on its left for names that are too wide
            name = fitting_names(session.participants.partners(side, scene.viewer), _, 10)
            end = min(first + (n + 1) * width, end) - cell_len(name)
            canvas.put(end, 1, name, look["strong"])
            end -= 1
        rows = score_rows(session.hand.scores, session.overall, session.games, _, sides)
        for y, row in enumerate(rows, 2):
            style = look["strong"] if row.is_total else look["distance"]
            canvas.put(1, y, row.label, style, first - 1)
            for n, (side, value) in enumerate(zip(sides, row.values, strict=True)):
                x, shown = first + n * width, value or row.is_total
                canvas.right(x, y, width, str(value) if shown else "·", style if shown else look["dim"])
                if row.name == "coups_fourres" and session.hand.tableaux[side].coups_fourres:
                    canvas.put(x + width - len(str(value)) - 2, y, "!!", look["mark"])
        return len(rows) + 2

    def _standing(self, canvas: Canvas, top: int, scene: TableScene, look: Look) -> int:
        _, session = scene.translate, scene.session
        match = session.match
        if canvas.height - 2 - top < session.rules.sides:
            return self._points(canvas, top, scene, look)
        heads = (_("hand"), _("total"), _("won"))
        right = canvas.width - 2
        for n, head in enumerate(heads):
            canvas.right(right - 6 * (3 - n), top, 6, head[:6], look["dim"])
        for row, side in enumerate(scene.own_first(), top + 1):
            values = (match.hand.scores[side].total, session.overall[side], session.games[side])
            own = side == scene.own_side
            head, names = f"{side + 1} ", session.participants.partners(side, scene.viewer)
            name = head + fitting_names(names, _, right - 18 - 2 - len(head) - 1)
            canvas.put(2, row, name, look["strong"] if own else look["distance"])
            for n, value in enumerate(values):
                canvas.right(right - 6 * (3 - n), row, 6, str(value), look["strong"] if own else look["distance"])
        return top + 1 + session.rules.sides

    def _points(self, canvas: Canvas, top: int, scene: TableScene, look: Look) -> int:
        session, width = scene.session, (canvas.width - 3) // 2
        order = scene.own_first()
        for n, side in enumerate(order):
            x, row = 2 + n % 2 * width, top + n // 2
            style = look["strong"] if side == scene.own_side else look["distance"]
            points = str(session.overall[side])
            room = width - 2 - len(points)
            head = f"{side + 1} " if room > 8 else ""
            names = session.participants.partners(side, scene.viewer)
            canvas.put(x, row, head + fitting_names(names, scene.translate, room - len(head) - 1), style)
            canvas.right(x + room, row, len(points), points, style)
        return top + (len(order) + 1) // 2

    def _own(self, canvas: Canvas, top: int, side: int, scene: TableScene, look: Look) -> int:
        session = scene.session
        rows = score_rows(session.hand.scores, session.overall, None, scene.translate, [side])
        lines = [(row.label, row.values[0]) for row in rows if not row.is_total]
        for y, (label, value) in enumerate(lines, top):
            style = look["distance"] if value else look["dim"]
            canvas.put(2, y, label, style, canvas.width - 10)
            canvas.right(canvas.width - 8, y, 6, str(value) if value else "·", style)
        return top + len(lines)
