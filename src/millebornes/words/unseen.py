"""Counts of the cards that a player hasn't seen yet.

People may count in their heads, and practice games show the counts.
"""

from typing import Final, NamedTuple

from millebornes.cards import Card, Group
from millebornes.game import View
from millebornes.i18n import N_
from millebornes.words.words import Words

GROUPS: Final = {
    Group.DISTANCE: N_("Distances"),
    Group.HAZARD: N_("Hazards"),
    Group.REMEDY: N_("Remedies"),
    Group.SAFETY: N_("Safeties"),
}
"""The names of the groups of cards, in display order."""


class UnseenGroup(NamedTuple):
    """A group of cards in the deck, with the number of unseen cards of each kind."""

    group: Group
    counts: tuple[tuple[Card, int], ...]

    @property
    def total(self) -> int:
        """The number of unseen cards in the group."""
        return sum(count for _card, count in self.counts)


def unseen_groups(view: View) -> tuple[UnseenGroup, ...]:
    """Return the cards in the draw pile or in other hands, group by group, using only what the view contains."""
    unseen, deck = view.unseen, view.rules.deck
    return tuple(
        UnseenGroup(group, tuple((card, unseen[card]) for card in Card if card.group is group and deck[card.index] > 0))
        for group in GROUPS
    )


def unseen_lines(view: View, words: Words) -> list[str]:
    """Return the unseen cards in words, with one line per group."""
    _, groups = words.translate, unseen_groups(view)
    total = sum(group.total for group in groups)
    others = total - view.draw_pile
    lines = [
        _("Cards that you haven't seen: {n}, with {pile} in the draw pile and {hands} in other players' hands.").format(
            n=total, pile=view.draw_pile, hands=others
        )
    ]
    for group in groups:
        cards = ", ".join(f"{words.theme.name_of(card)} {count}" for card, count in group.counts)
        lines.append(
            "  " + _("{group} ({n}): {cards}.").format(group=_(GROUPS[group.group]), n=group.total, cards=cards)
        )
    return lines
