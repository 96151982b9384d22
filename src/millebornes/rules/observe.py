"""Write the views of seats. A view is copied field by field, so hidden parts never enter it (R2.3, R5.5)."""

import numpy as np
from numpy import uint64

from millebornes.kernels.decorator import kernel
from millebornes.rules.state import KINDS, NOBODY, Record, Word
from millebornes.rules.words import COUP, ONE, OPENING, PLAY, SEVEN, THREE, count_cards

__all__ = ["write_view"]


@kernel
def write_view(state: Record, tables: Record, seat: Word, view: Record) -> None:
    """R2.3, R5.5: fill a `VIEW` record with everything that ``seat`` may know.

    While another seat is asked about a coup or the opening call, the view shows no seat to decide. The cards played are
    all cards that are not in hands, in the draw pile or among the discards. They include the cards buried in piles.
    """
    phase = state["phase"]
    asked = phase == COUP or phase == OPENING
    hidden = asked and state["seat"] != uint64(seat)
    view["hand"] = state["hand"][seat]
    for side in range(8):
        view["side"][side] = state["side"][side]
        view["hand_sizes"][side] = count_cards(state["hand"][side])
    view["seat"] = seat
    view["mover"] = NOBODY if hidden else state["seat"]
    view["phase"] = PLAY if hidden else phase
    view["first"] = state["first"]
    view["extended"] = state["extended"]
    view["completed"] = state["completed"]
    tells = asked and not hidden
    view["attacker"] = state["attacker"] if tells else NOBODY
    view["target"] = state["target"] if tells else NOBODY
    view["hazard"] = state["hazard"] if tells else NOBODY
    discarded = state["discarded"]
    view["discard_top"] = state["deck"][discarded - ONE] if discarded else NOBODY
    view["draw_pile"] = tables["size"] - state["drawn"]
    played = view["played"]
    for kind in range(KINDS):
        held = np.uint64(0)
        for other in range(tables["seats"]):
            held += state["hand"][other] >> (THREE * uint64(kind)) & SEVEN
        view["discards"][kind] = 0
        played[kind] = uint64(tables["count"][kind]) - held
    for i in range(discarded):
        view["discards"][state["deck"][i]] += np.uint8(1)
        played[state["deck"][i]] -= np.uint8(1)
    for i in range(state["drawn"], tables["size"]):
        played[state["deck"][i]] -= np.uint8(1)
