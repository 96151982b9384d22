"""A person's hand and the score sheet, in short lines and, for screen readers, in sentences."""

from typing import Final

from millebornes.cards import Card, Group
from millebornes.i18n import Translator
from millebornes.session.game_session import GameSession
from millebornes.session.slots import Slots
from millebornes.tui.plain.console import Console
from millebornes.words.score_sheet import score_rows
from millebornes.words.words import Words

COLUMN: Final = 8
WIDEST: Final = 18

_COLOURS = {Group.HAZARD: "red", Group.REMEDY: "green", Group.SAFETY: "cyan"}


def hand_lines(slots: Slots, picked: bool, console: Console, words: Words) -> list[str]:
    """Return a person's hand with a line for each card. P is the place of the card that was just drawn."""
    _ = words.translate
    lines = [_("Your hand:")]
    for place, card in _places(slots):
        name, colour = words.theme.name_of(card), _COLOURS.get(card.group)
        lines.append(f"  {place}  {console.paint(name, fg=colour) if colour else name}")
    if not picked:
        lines.append(_("  P picks a card."))
    return lines


def hand_sentence(slots: Slots, picked: bool, words: Words) -> str:
    """Return a person's hand on a single line, for screen readers."""
    _ = words.translate
    cards = _.join(f"{place}, {words.theme.name_of(card)}" for place, card in _places(slots))
    text = _("Your hand: {cards}.").format(cards=cards or _("no cards"))
    return text if picked else text + " " + _("P picks a card.")


def _places(slots: Slots) -> list[tuple[str, Card]]:
    places = enumerate(slots.cards, 1)
    return [("P" if place > slots.size else str(place), card) for place, card in places if card is not None]


def sheet_lines(session: GameSession, viewer: int | None, _: Translator) -> list[str]:
    """Return the score sheet with a column for each side, headed by its name or, if names are long, by its number."""
    names = [session.participants.side(side, viewer) for side in range(session.rules.sides)]
    lines = []
    if max(map(len, names)) > WIDEST or sum(max(len(name), COLUMN) for name in names) > 50:
        heads = [_("Side {number}").format(number=side + 1) for side in range(len(names))]
        lines += [_("{head}: {text}").format(head=head, text=name) for head, name in zip(heads, names, strict=True)]
        names = heads
    widths = [max(len(name), COLUMN) for name in names]
    rows = score_rows(session.hand.scores, session.overall, session.games, _)
    first = max(len(row.label) for row in rows)
    lines.append(" " * first + "".join(f"  {name:>{width}}" for name, width in zip(names, widths, strict=True)))
    for row in rows:
        cells = "".join(f"  {value:>{width}}" for value, width in zip(row.values, widths, strict=True))
        lines.append(f"{row.label:<{first}}{cells}")
    return lines


def sheet_sentences(session: GameSession, viewer: int | None, _: Translator) -> list[str]:
    """Return the score sheet with a sentence for each side, the viewer's first. Rows without points are left out."""
    lines = []
    rows = score_rows(session.hand.scores, session.overall, session.games, _)
    for side in session.participants.own_first(viewer):
        parts = ", ".join(f"{row.label} {row.values[side]}" for row in rows if row.is_total or row.values[side])
        lines.append(_("{head}: {text}").format(head=session.participants.side(side, viewer), text=parts) + ".")
    return lines
