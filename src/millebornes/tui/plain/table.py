"""The table and a person's hand, in short lines of words."""

from millebornes.cards import REMEDY_OF, Card, Group
from millebornes.game import Tableau, View
from millebornes.i18n import Translator
from millebornes.themes import Theme
from millebornes.tui.plain.console import Console
from millebornes.tui.sitting.cast import Cast
from millebornes.tui.sitting.slots import Slots

__all__ = ["card_name", "hand_lines", "side_line", "table_lines"]

_COLOURS = {Group.HAZARD: "red", Group.REMEDY: "green", Group.SAFETY: "cyan"}


def card_name(card: Card, theme: Theme, console: Console) -> str:
    """A card's name, in the colour of its group where there are colours."""
    colour = _COLOURS.get(card.group)
    return console.paint(theme.name_of(card), fg=colour) if colour else theme.name_of(card)


def side_line(name: str, tableau: Tableau, goal: int, theme: Theme, _: Translator) -> list[str]:
    """What lies before one side: where it is and how it stands, then its piles."""
    parts = [_("{name}: {miles} of {goal}").format(name=name, miles=tableau.distance, goal=theme.miles(goal))]
    under = tableau.under
    if under is not None:
        needs = theme.name_of(REMEDY_OF[under])
        parts.append(_("held up by {hazard}, needs {remedy}").format(hazard=theme.name_of(under), remedy=needs))
    elif tableau.is_moving:
        parts.append(_("moving"))
    else:
        parts.append(_("not moving, needs {remedy}").format(remedy=theme.name_of(Card.ROLL)))
    if tableau.is_limited:
        parts.append(_("under a speed limit: 50 at most"))
    lines = [", ".join(parts) + "."]
    piles = []
    for pile, card in (("battle", tableau.battle), ("speed", tableau.speed)):
        if card is not None:
            piles.append(f"{theme.pile(pile)}: {theme.name_of(card)}.")
    if tableau.safeties:
        coups = tableau.coups_fourres
        names = [
            f"{theme.name_of(card)} ({theme.coup})" if card in coups else theme.name_of(card)
            for card in tableau.safeties
        ]
        piles.append(f"{theme.pile('safety')}: {', '.join(names)}.")
    if piles:
        lines.append("   " + " ".join(piles))
    return lines


def table_lines(view: View, cast: Cast, viewer: int | None, draw_pile: int, theme: Theme, _: Translator) -> list[str]:
    """The whole table: every side, the viewer's first, then the draw pile and the latest discard.

    ``draw_pile`` is the count to show.
    """
    own = None if viewer is None else cast.rules.side_of(viewer)
    lines: list[str] = []
    for side in sorted(range(cast.rules.sides), key=lambda side: side != own):
        name = _("Side {number}").format(number=side + 1) + f", {cast.side(side, viewer)}"
        lines += side_line(name, view.tableaux[side], view.goal, theme, _)
    top = _("nothing") if view.discard_top is None else theme.name_of(view.discard_top)
    lines.append(f"{theme.pile('draw')}: {draw_pile}. {theme.pile('discard')}: {top}.")
    return lines


def hand_lines(slots: Slots, picked: bool, theme: Theme, console: Console, _: Translator) -> list[str]:
    """A person's hand, a card a line; P is the place of the card just drawn."""
    lines = [_("Your hand:")]
    for place, card in enumerate(slots.cards, 1):
        if card is None:
            continue
        key = "P" if place > slots.size else str(place)
        lines.append(f"  {key}  {card_name(card, theme, console)}")
    if not picked:
        lines.append(_("  P picks a card."))
    return lines
