"""The text widgets: the header, the log of moves, the message line, and the line of choices below it."""

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from millebornes.tui.full.widgets.board import Part, TableScene
from millebornes.tui.full.widgets.canvas import Canvas
from millebornes.tui.full.widgets.names import fitting_names
from millebornes.words.editions import rules_title, target_text

MOST_LINES = 300

GAPS = (3, 2, 1)  # the numbers of spaces between two choices to try, from much room to little


class TitleLine(Part):
    """The first line, with the name of the game and the progress of the match. The id is ``header``."""

    def _draw(self, canvas: Canvas, scene: TableScene) -> None:
        _, session, look = scene.translate, scene.session, self.look
        match = session.match
        name = session.rules.edition_name or _("custom rules")
        full = rules_title(session.rules, _, name)
        short = name if full == name else _("{edition}, changed").format(edition=name)
        hand = _("hand {number}").format(number=match.hand_number)
        target = [] if match.match_target is None else [target_text(match.match_target, _)]
        parts, score = _fitted(
            [
                *(["Mille Bornes", edition, hand, *target] for edition in dict.fromkeys((full, short))),
                ["Mille Bornes", hand, *target],
                ["Mille Bornes", hand],
                [hand],
            ],
            self._scores(scene),
            canvas.width,
        )
        x = 1
        if len(parts) > 1:
            x = canvas.put(x, 0, parts.pop(0), look["accent"] + look["strong"])
            x = canvas.put(x, 0, " · ", look["dim"])
        canvas.put(x, 0, " · ".join(parts), look["dim"])
        canvas.right(0, 0, canvas.width - 1, score, look["strong"])

    def _scores(self, scene: TableScene) -> list[str]:
        """Return the points of each side with its name, then with shorter names, then with the numbers of the sides."""
        session, order = scene.session, scene.own_first()
        participants, points = session.participants, session.overall
        found = ["   ".join(f"{participants.side(side, scene.viewer)} {points[side]}" for side in order)]
        for most in (12, 8, 5):
            names = [fitting_names(participants.partners(side, scene.viewer), scene.translate, most) for side in order]
            found.append("  ".join(f"{name} {points[side]}" for name, side in zip(names, order, strict=True)))
        if session.rules.sides > 2:
            found.append("  ".join(f"{side + 1}: {points[side]}" for side in order))
        return found


def _fitted(lefts: list[list[str]], rights: list[str], width: int) -> tuple[list[str], str]:
    """Return the parts of a line that fit. The score is more important, and words are better than numbers."""
    for right in rights:
        for left in lefts:
            if cell_len(" · ".join(left)) + cell_len(right) + 5 <= width:
                return list(left), right
    return list(lefts[-1]), ""


class _LogText(Static):
    def on_resize(self) -> None:
        if isinstance(self.parent, VerticalScroll):  # only now does it know how far it can scroll
            self.parent.scroll_end(animate=False, immediate=True)


class LogView(VerticalScroll):
    """The log of events, with the latest at the end. The widget has the id ``log``. The mouse wheel scrolls it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"log--latest"}
    can_focus = False

    def __init__(self) -> None:
        super().__init__(id="log")
        self._text = _LogText(id="log-text")
        self.lines: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        """Yield the widget with the text."""
        yield self._text

    def tell(self, lines: Sequence[str]) -> None:
        """Show the last `MOST_LINES` of the given lines."""
        shown = tuple(lines[-MOST_LINES:])
        if shown == self.lines:
            return
        self.lines = shown
        latest = self.get_component_rich_style("log--latest", partial=True)
        text = Text("\n").join(Text(line, style=latest if n == len(shown) - 1 else "") for n, line in enumerate(shown))
        self._text.update(text)
        self.scroll_end(animate=False)


class MessageLine(Static):
    """One or two lines that tell the player what to do or what is wrong. The id is ``message``."""

    def __init__(self) -> None:
        super().__init__(id="message", markup=False)
        self.text = ""

    def say(self, text: str, kind: str = "") -> None:
        """Take a text, which the table shows. ``kind`` is ``""``, ``"error"``, ``"question"`` or ``"coup"``."""
        self.text = text
        self.set_classes(f"-{kind}" if kind else "")


class Choices(Static):
    """The current choices, which players can read and click. The id is ``choices``."""

    def __init__(self) -> None:
        super().__init__(id="choices")
        self.choices: tuple[tuple[str, str, str], ...] = ()

    def offer(self, choices: Sequence[tuple[str, str, str]]) -> None:
        """Show the choices, each with its key, its meaning, and the action that a click runs."""
        if tuple(choices) == self.choices:
            return
        self.choices = tuple(choices)
        self.refresh()

    def render(self) -> Content:
        """Return the choices on one line. If there is little room, the last ones show only keys."""
        width = self.content_size.width
        for gap in GAPS:
            shown = self._joined(gap, len(self.choices))
            if shown.cell_length <= width:
                return shown
        for worded in reversed(range(len(self.choices))):
            shown = self._joined(GAPS[-1], worded)
            if shown.cell_length <= width:
                break
        return shown

    def _joined(self, gap: int, worded: int) -> Content:
        parts = []
        for n, (key, words, action) in enumerate(self.choices):
            link = f"@click=screen.table({action!r})"
            text = f"[{link}][reverse] $key [/] $words[/]" if n < worded else f"[{link}][reverse] $key [/][/]"
            parts.append(Content.from_markup(text, key=key, words=words))
        return Content(" " * gap).join(parts)
