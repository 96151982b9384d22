"""Counting cards: which ones a seat has not seen yet. What people may do in their heads, shown in practice."""

from typing import Final, NamedTuple

from millebornes.cards import Card, Group
from millebornes.game import View
from millebornes.i18n import N_, Translator
from millebornes.themes import Theme

__all__ = ["GROUPS", "UnseenGroup", "unseen_groups", "unseen_lines"]

GROUPS: Final = {
    Group.DISTANCE: N_("Distances"),
    Group.HAZARD: N_("Hazards"),
    Group.REMEDY: N_("Remedies"),
    Group.SAFETY: N_("Safeties"),
}
"""What the groups of cards are called, in the order in which they are shown."""


class UnseenGroup(NamedTuple):
    """The kinds of a group that the deck holds, with how many of each have not been seen."""

    group: Group
    counts: tuple[tuple[Card, int], ...]

    @property
    def total(self) -> int:
        """Cards of the whole group."""
        return sum(count for _card, count in self.counts)


def unseen_groups(view: View) -> tuple[UnseenGroup, ...]:
    """What lies in the draw pile or in other hands, by group; from the view alone."""
    unseen, deck = view.unseen, view.rules.deck
    return tuple(
        UnseenGroup(group, tuple((card, unseen[card]) for card in Card if card.group is group and deck[card.index] > 0))
        for group in GROUPS
    )


def unseen_lines(view: View, theme: Theme, _: Translator) -> list[str]:
    """The same in words, a line a group."""
    groups = unseen_groups(view)
    total = sum(group.total for group in groups)
    others = total - view.draw_pile
    lines = [
        _("Cards you have not seen: {n}, of which {pile} in the draw pile and {hands} in other hands.").format(
            n=total, pile=view.draw_pile, hands=others
        )
    ]
    for group in groups:
        cards = ", ".join(f"{theme.name_of(card)} {count}" for card, count in group.counts)
        lines.append(
            "  " + _("{group} ({n}): {cards}.").format(group=_(GROUPS[group.group]), n=group.total, cards=cards)
        )
    return lines
