"""The score sheet as a table and, for screen readers, as sentences."""

from collections.abc import Sequence
from typing import Final

from millebornes.i18n import Translator
from millebornes.session.game_session import GameSession
from millebornes.texts.score_sheet import Row, score_rows

__all__ = ["sheet_lines", "sheet_sentences"]

COLUMN: Final = 8
WIDEST: Final = 18


def sheet_lines(session: GameSession, viewer: int | None, _: Translator) -> list[str]:
    """Return the score sheet with a column for each side, headed by its name or, if names are long, by its number."""
    names = [session.participants.side(side, viewer) for side in range(session.rules.sides)]
    lines = []
    if max(map(len, names)) > WIDEST or sum(max(len(name), COLUMN) for name in names) > 50:
        heads = [_("Side {number}").format(number=side + 1) for side in range(len(names))]
        lines += [_("{head}: {text}").format(head=head, text=name) for head, name in zip(heads, names, strict=True)]
        names = heads
    widths = [max(len(name), COLUMN) for name in names]
    rows = _rows(session, range(session.rules.sides), _)
    first = max(len(row.label) for row in rows)
    lines.append(" " * first + "".join(f"  {name:>{width}}" for name, width in zip(names, widths, strict=True)))
    for row in rows:
        cells = "".join(f"  {value:>{width}}" for value, width in zip(row.values, widths, strict=True))
        lines.append(f"{row.label:<{first}}{cells}")
    return lines


def sheet_sentences(session: GameSession, viewer: int | None, _: Translator) -> list[str]:
    """Return the score sheet with a sentence for each side, the viewer's first. Rows without points are left out."""
    lines = []
    for side in session.participants.own_first(viewer):
        rows = _rows(session, [side], _)
        parts = [f"{row.label} {row.values[0]}" for row in rows if row.is_total or row.values[0]]
        lines.append(
            _("{head}: {text}").format(head=session.participants.side(side, viewer), text=", ".join(parts)) + "."
        )
    return lines


def _rows(session: GameSession, order: Sequence[int], _: Translator) -> list[Row]:
    return score_rows(session.hand.scores, session.overall, session.games, _, order)
