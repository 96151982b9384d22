"""The table and a person's hand, described in short lines."""

from millebornes.cards import REMEDY_OF, Card, Group
from millebornes.game import Tableau, View
from millebornes.i18n import Translator
from millebornes.session.slots import Slots
from millebornes.texts.participants import Participants
from millebornes.themes import Theme
from millebornes.tui.plain.console import Console

__all__ = [
    "card_name",
    "hand_lines",
    "hand_sentence",
    "piles_sentence",
    "safeties_text",
    "side_sentence",
    "standing",
    "table_lines",
]

_COLOURS = {Group.HAZARD: "red", Group.REMEDY: "green", Group.SAFETY: "cyan"}


def card_name(card: Card, theme: Theme, console: Console) -> str:
    """Return the name of a card, in the colour of its group if colours are used."""
    colour = _COLOURS.get(card.group)
    return console.paint(theme.name_of(card), fg=colour) if colour else theme.name_of(card)


def standing(tableau: Tableau, theme: Theme, _: Translator) -> str:
    """Return a short description of whether a side is moving, what stops it and what it needs, without a full stop."""
    under = tableau.under
    if under is not None:
        needs = theme.name_of(REMEDY_OF[under])
        return _("held up by {hazard}, needs {remedy}").format(hazard=theme.name_of(under), remedy=needs)
    if tableau.is_moving:
        return _("moving")
    return _("not moving, needs {remedy}").format(remedy=theme.name_of(Card.ROLL))


def side_sentence(name: str, tableau: Tableau, goal: int, theme: Theme, _: Translator) -> str:
    """Return a sentence about how far a side has driven, and its state."""
    parts = [_("{name}: {miles} of {goal}").format(name=name, miles=tableau.distance, goal=theme.miles(goal))]
    parts.append(standing(tableau, theme, _))
    if tableau.is_limited:
        parts.append(_("under a speed limit: 50 at most"))
    return ", ".join(parts) + "."


def safeties_text(tableau: Tableau, theme: Theme) -> str:
    """Return the names of a side's safeties, with coups fourrés marked, or "" if there are none."""
    coups = tableau.coups_fourres
    return ", ".join(
        f"{theme.name_of(card)} ({theme.coup})" if card in coups else theme.name_of(card) for card in tableau.safeties
    )


def side_lines(name: str, tableau: Tableau, goal: int, theme: Theme, _: Translator) -> list[str]:
    """Return the lines that describe a side: its distance and state, and then its piles."""
    lines = [side_sentence(name, tableau, goal, theme, _)]
    piles = [("battle", tableau.battle), ("speed", tableau.speed)]
    shown = [(pile, theme.name_of(card)) for pile, card in piles if card is not None]
    if tableau.safeties:
        shown.append(("safety", safeties_text(tableau, theme)))
    if shown:
        lines.append(
            "   "
            + " ".join(_("{head}: {text}").format(head=theme.pile(pile), text=cards) + "." for pile, cards in shown)
        )
    return lines


def table_lines(
    view: View, participants: Participants, viewer: int | None, draw_pile: int, theme: Theme, _: Translator
) -> list[str]:
    """Return the lines that describe the whole table: each side, starting with the viewer's, and then the piles.

    ``draw_pile`` is the number of cards to show for the draw pile.
    """
    lines: list[str] = []
    for side in participants.own_first(viewer):
        name = _("Side {number}").format(number=side + 1) + f", {participants.side(side, viewer)}"
        lines += side_lines(name, view.tableaux[side], view.goal, theme, _)
    lines.append(piles_sentence(view, draw_pile, theme, _))
    return lines


def piles_sentence(view: View, draw_pile: int, theme: Theme, _: Translator) -> str:
    """Return a sentence about the two piles that all players share.

    ``draw_pile`` is the size to show for the draw pile.
    """
    top = _("nothing") if view.discard_top is None else theme.name_of(view.discard_top)
    piles = ((theme.pile("draw"), draw_pile), (theme.pile("discard"), top))
    return " ".join(_("{head}: {text}").format(head=pile, text=cards) + "." for pile, cards in piles)


def hand_lines(slots: Slots, picked: bool, theme: Theme, console: Console, _: Translator) -> list[str]:
    """Return a person's hand with a line for each card. P is the place of the card that was just drawn."""
    lines = [_("Your hand:")]
    lines += [f"  {place}  {card_name(card, theme, console)}" for place, card in _places(slots)]
    if not picked:
        lines.append(_("  P picks a card."))
    return lines


def hand_sentence(slots: Slots, picked: bool, theme: Theme, _: Translator) -> str:
    """Return a person's hand on a single line, for screen readers."""
    cards = _.join(f"{place}, {theme.name_of(card)}" for place, card in _places(slots))
    text = _("Your hand: {cards}.").format(cards=cards or _("no cards"))
    return text if picked else text + " " + _("P picks a card.")


def _places(slots: Slots) -> list[tuple[str, Card]]:
    places = enumerate(slots.cards, 1)
    return [("P" if place > slots.size else str(place), card) for place, card in places if card is not None]
