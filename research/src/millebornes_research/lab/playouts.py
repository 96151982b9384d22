"""Play out every legal move in decisions of the maxims, to compare the result of each move with its value.

The player `maxims` plays a hand in all seats. At some of its decisions, every legal move is made in a copy of the hand,
and the copy is played to its end over the same cards. The results of two moves therefore differ only because of the
moves themselves. `worths` computes the value that these weights, or other weights, give to the moves.
"""

import functools
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.kernels.decorator import kernel
from millebornes.policies.batch import KernelPlayer, seats_of
from millebornes.policies.compiled import arrives, greatest_threat, worth_by_maxims
from millebornes.policies.deal import make_move
from millebornes.policies.dispatch import MAXIMS, workspace_for
from millebornes.policies.features import FEATURES, write_codes
from millebornes.policies.games import deal_hand, decision_word, game_key, hand_word, lead, next_code, play_hand
from millebornes.policies.maxim_weights import Advice
from millebornes.rules.replay import MOST_MOVES
from millebornes.rules.shuffling import random_word
from millebornes.rules.state import Phase, Word

PLAYED_OUT: Final = 64
"""The maximum number of legal moves in a decision (`FEATURES`)."""

DECISION: Final = np.dtype(
    [
        ("game", "i8"),  # number of the hand among the hands of its seed
        ("side", "i8"),  # the side to decide
        ("question", "i8"),  # 1 for the question whether to extend (R6.2), 0 for a turn
        ("count", "i8"),  # number of legal moves
        ("chosen", "i8"),  # place of the move that was made
        ("codes", "i8", PLAYED_OUT),  # the moves, as codes in ascending order
        ("values", "i8", PLAYED_OUT),  # their results: points minus the average of the others' points, rounded down
    ],
    align=True,
)
"""A decision in which all moves were played out.

Points are for the whole hand, from the viewpoint of the deciding side.
"""

U = np.uint64
WORD: Final = (1 << 64) - 1
ZERO = U(0)
PLAY_PHASE, EXTEND_PHASE, OVER = np.uint8(Phase.PLAY), np.uint8(Phase.EXTEND), np.uint8(Phase.OVER)


class Playouts(NamedTuple):
    """Decisions (`DECISION`), and the information that the deciding seat had in each of them (`FEATURES`)."""

    decisions: npt.NDArray[np.void]
    features: npt.NDArray[np.void]


@kernel
def sample_hand(
    workspace: Any, players: Any, seed: Word, game: Word, every: Word, decisions: Any, features: Any
) -> Word:
    """Play hand ``game`` of a seed, playing out one turn in ``every`` and each question whether to extend.

    The hand is the same as in `millebornes.policies.games.play_games` with streams and the first of ``players`` in all
    seats. Returns the number of decisions written. Copies of the hand use the second element of each part of the
    `Workspace`.
    """
    works, states, deals = workspace
    work, state, deal = works[0], states[0], deals[0]
    tables, f, generator = work["tables"], work["features"], work["generator"]
    line = np.zeros(np.int64(tables["seats"]), np.int64)
    key = game_key(seed, game)
    deal["streams"] = 1
    deal_hand(state, deal, work, key, 1, game % np.int64(tables["seats"]))
    sides = np.int64(tables["sides"])
    found = 0
    ply = 0
    while state["phase"] != OVER:
        code = next_code(state, deal, players, line, work, decision_word(deal["chance"], U(ply)))
        wanted = state["phase"] == EXTEND_PHASE
        if state["phase"] == PLAY_PHASE:
            generator["word"] = decision_word(hand_word(key, 0), U(ply))  # no real hand has the number 0
            wanted = random_word(generator) % U(every) == ZERO
        if wanted and found < len(decisions):
            write_codes(state, tables, f)
            if f["count"] > 1:
                own = np.int64(state["own"])
                into = decisions[found]
                into["game"] = game
                into["side"] = own
                into["question"] = 1 if state["phase"] == EXTEND_PHASE else 0
                into["count"] = f["count"]
                features[found] = f
                for i in range(f["count"]):
                    into["codes"][i] = f["codes"][i]
                    if f["codes"][i] == code:
                        into["chosen"] = i
                    states[1], deals[1] = state, deal
                    make_move(states[1], tables, U(f["codes"][i]), deals[1])
                    play_hand(states[1], deals[1], players, line, works[1])
                    into["values"][i] = lead(states[1], tables, own) // (sides - 1)
                found += 1
        make_move(state, tables, U(code), deal)
        ply += 1
    return found


def sample_playouts(rules: Rules, advice: Advice, games: range, *, seed: int, every: int = 15) -> Playouts:
    """Play these hands of a seed with the same weights in all seats, and play out some of their decisions.

    About one turn in ``every`` is chosen at random. This choice depends only on the seed, the hand and the turn. Every
    question whether to extend is played out. The decisions from a hand don't depend on the range in which it is played.
    """
    work, players = workspace_for(rules, 2), seats_of([KernelPlayer(MAXIMS, advice=advice)])
    decisions, features = np.zeros(MOST_MOVES, DECISION), np.zeros(MOST_MOVES, FEATURES)
    taken = [(decisions[:0].copy(), features[:0].copy())]
    for game in games:
        decisions[:] = 0
        count = sample_hand(work, players, U(seed & WORD), game, every, decisions, features)
        taken.append((decisions[:count].copy(), features[:count].copy()))
    return Playouts(np.concatenate([part[0] for part in taken]), np.concatenate([part[1] for part in taken]))


@kernel
def weigh(decisions: Any, features: Any, rows: Any, places: Any, players: Any, out: Any) -> None:
    """Write the value in points that each of ``players`` (`SEATED`) gives to a move to ``out[row, player]``."""
    for row in range(len(rows)):
        f = features[rows[row]]
        decision = decisions[rows[row]]
        danger = greatest_threat(f)
        finishing = arrives(decision["codes"][: decision["count"]], f)
        for k in range(len(players)):
            code = decision["codes"][places[row]]
            out[row, k] = worth_by_maxims(code, danger, finishing, f, players[k]["advice"])


def worths(
    samples: Playouts, rows: npt.NDArray[np.int64], places: npt.NDArray[np.int64], advices: tuple[Advice, ...]
) -> npt.NDArray[np.int64]:
    """Return the value in points that each set of weights gives to moves, as an array of shape (moves, advices).

    The moves are those at ``places`` in the decisions ``rows``.
    """
    out = np.zeros((len(rows), len(advices)), np.int64)
    weigh(samples.decisions, samples.features, rows, places, _seated(advices), out)
    return out


@functools.lru_cache(maxsize=2)
def _seated(advices: tuple[Advice, ...]) -> npt.NDArray[np.void]:
    return seats_of([KernelPlayer(MAXIMS, advice=advice) for advice in advices])
