"""Convert a view into the information set that policies and searches use."""

import numpy as np
import numpy.typing as npt

from millebornes.cards import Card
from millebornes.game.decks import word_of_cards
from millebornes.game.view import View
from millebornes.policies.opponent_features import COUNTS
from millebornes.search.information_set import InformationSet, PendingHazard


def seen_by_all(view: View) -> npt.NDArray[np.int8]:
    """Return the number of cards of each kind that all players have seen."""
    public = np.zeros(COUNTS, np.int8)
    for card in Card:
        public[card.index] = view.discards[card] + view.played[card]
    return public


def information_set_of(view: View) -> InformationSet:
    """Return the information set of the seat to which a view belongs."""
    pending = view.pending
    return InformationSet(
        seat=view.seat,
        phase=view.phase,
        hand=word_of_cards(view.hand),
        sizes=view.hand_sizes,
        sides=tuple(tableau.word for tableau in view.tableaux),
        drawn=view.rules.cards - view.draw_pile,
        discarded=sum(view.discards.values()),
        unseen=np.array(list(view.unseen.values()), np.int64),
        public=seen_by_all(view),
        top=-1 if view.discard_top is None else view.discard_top.index,
        first=view.first,
        extended=view.extended,
        pending=None if pending is None else PendingHazard(pending.hazard.index, pending.side, pending.by),
        totals=view.totals,
        target=view.match_target or 0,
    )
