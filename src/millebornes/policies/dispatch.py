"""Choose moves for kernel players, using only the parts of a state and its deal that their seats can see.

The maxims, nets and levels that choose moves are a lot of code. If kernels called this code directly, each kernel would
be compiled with a copy of it, and the champion would take much longer to start for the first time. It is therefore
compiled only once as a C function, for each kind of state and each set of players. The address of this function is
stored in a `Workspace`, and `choose_code` calls it by that address. This also lets two processes compile at the same
time: one compiles the function, and the other its callers (`millebornes.players.search_preparation`). An address is
only valid in one process, so a workspace that is copied or pickled looks it up again.
"""

import functools
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy import uint64

from millebornes.editions import Rules
from millebornes.kernels.decorator import callback, inner_kernel, kernel
from millebornes.kernels.memory import call_at
from millebornes.policies import handicaps
from millebornes.policies.compiled import (
    ADVICE_RECORD,
    best_by_heuristic,
    best_by_maxims,
    decide_by_level,
    is_won,
    threat,
    weigh_codes,
)
from millebornes.policies.deal import DEAL
from millebornes.policies.features import WORKSPACE, lookups_for, write_codes, write_features, write_words
from millebornes.policies.handicaps import Handicap
from millebornes.policies.heuristic import Weights
from millebornes.policies.net import best_by_net, weights_at
from millebornes.policies.opponent_features import write_opponent_features
from millebornes.rules.engine import engine_for
from millebornes.rules.scoring import side_score
from millebornes.rules.shuffling import random_word
from millebornes.rules.state import Phase, Record, Records, Word
from millebornes.rules.tables import tables_for

RANDOM: Final = 0
BASIC: Final = 1
MAXIMS: Final = 2
NET: Final = 3
LEVEL: Final = 4
WEIGHING: Final = 5
"""Plays like `MAXIMS`, but records the value of every move, which takes longer. Only searches use this player."""

WEIGHTS_RECORD: Final = np.dtype([(name, "i8") for name in Weights._fields], align=True)

HANDICAP_RECORD: Final = np.dtype([(name, "i8") for name in Handicap._fields], align=True)

SEATED: Final = np.dtype(
    [
        ("who", "i8"),  # one of `RANDOM`, `BASIC`, `MAXIMS`, `NET`, `LEVEL` and `WEIGHING`
        ("weights", WEIGHTS_RECORD),
        ("advice", ADVICE_RECORD),
        ("net", "u8"),  # the address of the net's numbers
        ("handicap", HANDICAP_RECORD),
    ],
    align=True,
)
"""A kernel player with its weights and its weaknesses."""

U = np.uint64
ZERO, ONE, TWO, THREE, FULL = U(0), U(1), U(2), U(3), U(64)
HALF = U(31)
EXTEND_PHASE = np.uint8(Phase.EXTEND)
ZERO_WEIGHT = np.float32(0)


@kernel
def is_watching(players: Records) -> Word:
    """Return 1 if any of the players uses the past of its opponents (`millebornes.policies.deal.DEAL`), else 0."""
    uses_past = np.int64(0)
    for i in range(len(players)):
        uses_past |= np.int64(players[i]["who"] == NET)
    return uses_past


@inner_kernel
def is_won_by_finishing(state: Record, tables: Record, deal: Record) -> bool:
    """Return whether the deciding side wins the match if it now completes the trip and the hand ends (R7, R8)."""
    own = state["own"]
    before = state["completed"]
    state["completed"] = np.uint8(own)
    mine = deal["totals"][own] + side_score(state, tables, uint64(own))
    best = -1
    for n in range(1, tables["sides"]):
        side = tables["opponent"][own, n]
        best = max(best, deal["totals"][side] + side_score(state, tables, uint64(side)))
    state["completed"] = before
    return bool(deal["target"] > 0 and is_won(mine, best, deal["target"]))


@inner_kernel
def random_place(f: Record, lookups: Record, own: Word, generator: Record) -> Word:
    """Return a random legal move: the same one that `RandomPlayer` would choose with these random numbers."""
    count = f["count"]
    bits = ZERO
    while count >> np.int64(bits):
        bits += ONE
    pick = np.int64(random_word(generator) >> (FULL - bits))
    while pick >= count:
        pick = np.int64(random_word(generator) >> (FULL - bits))
    chosen = f["codes"][0]
    for i in range(count):
        code = f["codes"][i]
        before = 0
        for j in range(count):
            if lookups["rank"][own, f["codes"][j]] < lookups["rank"][own, code]:
                before += 1
        if before == pick:
            chosen = code
    return chosen


@inner_kernel
def write_stake(state: Record, tables: Record, deal: Record, f: Record) -> None:
    """Write the situation in the match to the features: whether finishing wins it, and the totals."""
    f["wins"] = 0
    if state["phase"] == EXTEND_PHASE and is_won_by_finishing(state, tables, deal):
        f["wins"] = 1
    own = state["own"]
    f["own_total"] = deal["totals"][own]
    best = deal["totals"][tables["opponent"][own, 1]]
    for n in range(2, tables["sides"]):
        best = max(best, deal["totals"][tables["opponent"][own, n]])
    f["other_total"] = best
    f["match_target"] = deal["target"]


@inner_kernel
def write_decision(state: Record, deal: Record, work: Record) -> None:
    """Write everything that the deciding seat can see to the features, except for its legal moves and the threats."""
    write_features(state, work["tables"], work["lookups"], deal, work["features"])
    write_stake(state, work["tables"], deal, work["features"])


@inner_kernel
def write_threats(work: Record) -> None:
    for n in range(1, work["tables"]["sides"]):
        work["features"]["threats"][n] = threat(n, work["features"])


@inner_kernel
def write_needs(state: Record, tables: Record, deal: Record, f: Record) -> None:
    """Write the points that each side would need to win the match if the hand ended now to the features."""
    own = state["own"]
    best: Word = np.int64(-1)
    for n in range(1, tables["sides"]):
        side = tables["opponent"][own, n]
        best = max(best, deal["totals"][side] + np.int64(side_score(state, tables, uint64(side))))
    f["own_need"] = deal["target"] - deal["totals"][own] - np.int64(side_score(state, tables, uint64(own)))
    f["other_need"] = deal["target"] - best


@kernel
def write_net_features(state: Record, deal: Record, seated: Record, work: Record) -> None:
    """Write the inputs of nets to the features, except for the move codes (`write_codes`)."""
    tables, f = work["tables"], work["features"]
    write_decision(state, deal, work)
    write_threats(work)
    write_opponent_features(np.int64(state["seat"]), tables, deal["opponents"], f["opponents"])
    f["top"] = np.int64(state["deck"][state["discarded"] - ONE]) if state["discarded"] else np.int64(-1)
    if deal["target"] > 0:
        write_needs(state, tables, deal, f)
    if weights_at(seated["net"])[0] != ZERO_WEIGHT:
        weigh_codes(f["codes"][: f["count"]], f, seated["advice"], f["worths"])


@inner_kernel
def salt_of_deal(state: Record, tables: Record, deal: Record) -> Word:
    """Return a number derived from the cards dealt to a seat, on which its memory during the hand depends."""
    seats = np.int64(tables["seats"])
    dealt = ZERO
    place = (np.int64(state["seat"]) - np.int64(state["first"]) + seats) % seats
    for _ in range(tables["hand_size"]):
        dealt += ONE << THREE * uint64(deal["pile"][place])
        place += seats
    return np.int64((dealt ^ dealt >> HALF) & U(handicaps.MASK))


@kernel
def choose_at_level(state: Record, deal: Record, seated: Record, work: Record) -> Word:
    """Return the move of a `LEVEL` player. This also uses the cards dealt to the seat, which are in ``deal``."""
    tables, lookups, f = work["tables"], work["lookups"], work["features"]
    write_codes(state, tables, f)
    if f["count"] == 1:
        return f["codes"][0]
    write_decision(state, deal, work)
    luck = np.int64(random_word(work["generator"]) >> TWO)
    codes = f["codes"][: f["count"]]
    salt = salt_of_deal(state, tables, deal)
    return decide_by_level(codes, lookups["count"], salt, luck, f, seated["advice"], seated["handicap"])


@inner_kernel
def choose_by_maxims(state: Record, deal: Record, seated: Record, work: Record) -> Word:
    f = work["features"]
    write_words(state, work["tables"], f)
    write_decision(state, deal, work)
    write_threats(work)
    return best_by_maxims(f["words"], f, seated["advice"])


@inner_kernel
def choose_by_net(state: Record, deal: Record, seated: Record, work: Record) -> Word:
    f = work["features"]
    write_codes(state, work["tables"], f)
    if f["count"] == 1:
        return f["codes"][0]
    write_net_features(state, deal, seated, work)
    return best_by_net(f, weights_at(seated["net"]))


def decide_by_any_player(state: Record, deal: Record, seated: Record, work: Record) -> Word:
    """Return the move of the player ``seated`` (see `millebornes.policies.dispatch.choose_code`)."""
    if seated["who"] == NET:
        return choose_by_net(state, deal, seated, work)
    if seated["who"] == LEVEL:
        return choose_at_level(state, deal, seated, work)
    if seated["who"] == MAXIMS:
        return choose_by_maxims(state, deal, seated, work)
    f = work["features"]
    write_codes(state, work["tables"], f)
    if f["count"] == 1:
        return f["codes"][0]
    if seated["who"] == RANDOM:
        return random_place(f, work["lookups"], state["own"], work["generator"])
    write_decision(state, deal, work)
    write_threats(work)
    return best_by_heuristic(f["codes"][: f["count"]], f, seated["weights"])


def decide_in_search(state: Record, deal: Record, seated: Record, work: Record) -> Word:
    """Return the move of a `MAXIMS`, `WEIGHING` or `NET` player.

    Leaving out all other players halves the code to compile. After a choice between several moves,
    ``work["features"]["scores"]`` contains their values, except for `MAXIMS`.
    """
    if seated["who"] == MAXIMS:
        return choose_by_maxims(state, deal, seated, work)
    if seated["who"] == NET:
        return choose_by_net(state, deal, seated, work)
    f = work["features"]
    write_codes(state, work["tables"], f)
    if f["count"] == 1:
        return f["codes"][0]
    write_decision(state, deal, work)
    write_threats(work)
    weigh_codes(f["codes"][: f["count"]], f, seated["advice"], f["worths"])
    best: Word = 0
    for i in range(f["count"]):
        f["scores"][i] = np.float32(f["worths"][i])
        if f["worths"][i] > f["worths"][best]:
            best = i
    return f["codes"][best]


def decide_any(state: Record, deal: Record, seated: Record, work: Record) -> Word:
    """Return any legal move. This is for code that is compiled while the players are compiled elsewhere."""
    write_codes(state, work["tables"], work["features"])
    return work["features"]["codes"][0]


# ---------------------------------------------------------------- addresses of machine code

DECIDERS: Final = {"all": decide_by_any_player, "search": decide_in_search, "none": decide_any}
"""The functions that choose moves, by the set of players that they support."""


@functools.lru_cache(maxsize=6)
def chooser_address(state: np.dtype[np.void], players: str = "all") -> int:
    """Return the address in this process of the machine code for one of `DECIDERS` and one of the kinds of state."""
    address = callback(DECIDERS[players], state, DEAL, SEATED, WORKSPACE)
    _decider_names[address] = players
    return address


_decider_names: Final[dict[int, str]] = {}
"""The names in `DECIDERS` of the addresses that `chooser_address` has returned in this process."""


@inner_kernel
def choose_code(state: Record, deal: Record, seated: Record, work: Record) -> Word:
    """Return the move that the player ``seated`` (a `SEATED` record) makes for the seat to decide.

    This only reads "public", "opponents", "totals" and "target" in ``deal`` and, for a `LEVEL` player, the cards dealt
    to the seat. The random numbers for the decision are derived from the generator's word in ``work`` (a `WORKSPACE`
    record). Afterwards, the features in ``work`` contain the information that the player used.
    """
    return call_at(work["chooser"], state, deal, seated, work)


# ---------------------------------------------------------------- data that kernels need at a table


class Workspace(NamedTuple):
    """Arrays of `WORKSPACE` records, states and deals: one hand, and copies of it that can be played out.

    Only one thread of one process can use a workspace. A copy in this or another process looks up the code that chooses
    moves again. Kernels that Python calls take a whole workspace. They pass single records to other kernels, because
    records are plain pointers, while arrays are reference-counted.
    """

    work: Records
    states: Records
    deals: Records

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _restored, (_decider_names[int(self.work["chooser"][0])], *self)


def _restored(players: str, work: Records, states: Records, deals: Records) -> Workspace:
    work["chooser"] = chooser_address(states.dtype, players)
    return Workspace(work, states, deals)


def workspace_for(rules: Rules, copies: int = 1, players: str = "all") -> Workspace:
    """Return a workspace for a table with ``copies`` of each record, for one of the sets of players in `DECIDERS`."""
    dtype = engine_for(rules).dtype
    work = np.zeros(copies, WORKSPACE)
    work["tables"], work["lookups"] = tables_for(rules), lookups_for(rules)
    work["chooser"] = chooser_address(dtype, players)
    return Workspace(work, np.zeros(copies, dtype), np.zeros(copies, DEAL))
