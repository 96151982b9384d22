"""Brief mode, which reports only how the table has changed since a player last heard about it."""

from typing import Final, NamedTuple

from millebornes.cards import Card
from millebornes.game import Tableau, View
from millebornes.i18n import Translator
from millebornes.session.game_session import GameSession
from millebornes.texts.participants import Participants
from millebornes.themes import Theme
from millebornes.tui.common.settings import switched
from millebornes.tui.plain.table import side_sentence, standing

__all__ = ["ToldTable", "changes", "known_of", "switch_brief"]

LAST_CARDS: Final = 10
"""If the draw pile has fewer cards than this, brief mode warns that the cards are running out."""


class _Side(NamedTuple):
    """What is said about a side in addition to its moves: whether it is moving, its hazard and its speed limit."""

    is_moving: bool
    under: Card | None
    is_limited: bool


class ToldTable(NamedTuple):
    """The table as a player has last heard it described, with each side and the size of the draw pile."""

    sides: tuple[_Side, ...]
    draw_pile: int


def known_of(view: View, draw_pile: int) -> ToldTable:
    """Return what a player knows after a full description. ``draw_pile`` is the size of the pile that was shown."""
    return ToldTable(tuple(_side_of(tableau) for tableau in view.tableaux), draw_pile)


def _side_of(tableau: Tableau) -> _Side:
    return _Side(tableau.is_moving, tableau.under, tableau.is_limited)


def changes(
    known: ToldTable | None, view: View, draw_pile: int, participants: Participants, theme: Theme, _: Translator
) -> list[str]:
    """Return the sentences that describe all changes since ``known``, starting with the viewer's side.

    The sentences don't repeat the moves and their miles, which are described as they happen. If ``known`` is None,
    every side is described in full, unless the hand has only just begun.
    """
    viewer = view.seat
    sides = participants.own_first(viewer)
    if known is None:
        begun = any(
            tableau.distance or tableau.safeties or tableau.battle or tableau.speed for tableau in view.tableaux
        )
        told = sides if begun else []
        return [
            side_sentence(participants.side(side, viewer), view.tableaux[side], view.goal, theme, _) for side in told
        ]
    lines = []
    for side in sides:
        before, tableau = known.sides[side], view.tableaux[side]
        now, parts = _side_of(tableau), []
        if (now.is_moving, now.under) != (before.is_moving, before.under):
            parts.append(standing(tableau, theme, _))
        if now.is_limited != before.is_limited:
            parts.append(_("under a speed limit: 50 at most") if now.is_limited else _("no speed limit any more"))
        if parts:
            lines.append(_("{head}: {text}").format(head=participants.side(side, viewer), text=", ".join(parts)) + ".")
    if draw_pile == 0 < known.draw_pile:
        lines.append(_("The draw pile is empty."))
    elif draw_pile <= LAST_CARDS < known.draw_pile:
        lines.append(
            _.plural("{n} card is left to draw.", "{n} cards are left to draw.", draw_pile).format(n=draw_pile)
        )
    return lines


def switch_brief(session: GameSession, _: Translator) -> str:
    """Switch brief mode on or off, and return the message to print."""
    session.preferences = switched(session.preferences, "brief")
    if session.preferences.brief:
        return _(
            "Brief mode on: you'll hear only what has changed. Type “hand” for your cards or R for the whole table."
        )
    return _("Brief mode off: you'll hear the whole table at every turn.")
