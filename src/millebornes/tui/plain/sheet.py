"""The score sheet in the terms of the classic game: as a table, and as sentences for people who listen."""

from collections.abc import Sequence
from typing import Final

from millebornes.i18n import N_, Translator
from millebornes.session.sitting import Sitting

__all__ = ["TERMS", "sheet_lines", "sheet_sentences"]

TERMS: Final = {
    "distance": N_("Milestones Played"),
    "safeties": N_("Each Safety"),
    "all_safeties": N_("All 4 Safeties"),
    "coups_fourres": N_("Each Coup Fourré"),
    "trip_completed": N_("Trip Completed"),
    "safe_trip": N_("Safe Trip"),
    "delayed_action": N_("Delayed Action"),
    "extension": N_("Extension"),
    "shut_out": N_("Shut-Out"),
}
"""The lines of R7 in the order and words of the classic score window."""

COLUMN: Final = 8
WIDEST: Final = 18


def sheet_lines(sitting: Sitting, viewer: int | None, _: Translator) -> list[str]:
    """The score sheet with a column for each side, headed by its name or, where names are long, its number."""
    cast, match = sitting.cast, sitting.match
    sheets = match.hand.scores
    names = [cast.side(side, viewer) for side in range(cast.rules.sides)]
    lines = []
    if max(map(len, names)) > WIDEST or sum(max(len(name), COLUMN) for name in names) > 50:
        heads = [_("Side {number}").format(number=side + 1) for side in range(len(names))]
        lines += [_("{head}: {text}").format(head=head, text=name) for head, name in zip(heads, names, strict=True)]
        names = heads
    widths = [max(len(name), COLUMN) for name in names]
    rows: list[tuple[str, Sequence[int]]] = [
        (_(term), [getattr(sheet, line) for sheet in sheets]) for line, term in TERMS.items()
    ]
    rows.append((_("Hand Total"), [sheet.total for sheet in sheets]))
    rows.append((_("Overall Total"), sitting.overall))
    rows.append((_("Games"), sitting.games))
    first = max(len(head) for head, _values in rows)
    lines.append(" " * first + "".join(f"  {name:>{width}}" for name, width in zip(names, widths, strict=True)))
    for head, values in rows:
        cells = "".join(f"  {value:>{width}}" for value, width in zip(values, widths, strict=True))
        lines.append(f"{head:<{first}}{cells}")
    return lines


def sheet_sentences(sitting: Sitting, viewer: int | None, _: Translator) -> list[str]:
    """The same, a sentence a side, the viewer's own first: what there are no points for is left out."""
    cast, match = sitting.cast, sitting.match
    own = None if viewer is None else cast.rules.side_of(viewer)
    lines = []
    for side in sorted(range(cast.rules.sides), key=lambda side: side != own):
        sheet = match.hand.scores[side]
        scored = [(_(term), getattr(sheet, line)) for line, term in TERMS.items()]
        told = ", ".join(f"{term} {points}" for term, points in scored if points)
        parts = [told] if told else []
        parts.append(_("Hand Total") + f" {sheet.total}")
        parts.append(_("Overall Total") + f" {sitting.overall[side]}")
        parts.append(_("Games") + f" {sitting.games[side]}")
        lines.append(_("{head}: {text}").format(head=cast.side(side, viewer), text=", ".join(parts)) + ".")
    return lines
