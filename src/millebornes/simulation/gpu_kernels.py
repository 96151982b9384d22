"""What a CUDA device runs: a hand, or a match, a thread, over the same functions as the kernels of a processor.

Each thread keeps its state in local memory, and plays task after task until there is none left. All of them read the
same tables. Importing this module imports `numba.cuda`.
"""

import functools
from typing import Any, Final, NamedTuple

import numpy as np
from numba import cuda
from numpy import uint64

from millebornes.policies import choosing, deal, games, random_play
from millebornes.policies.deal import DEAL
from millebornes.policies.features import FEATURES
from millebornes.rules import kernels, scoring
from millebornes.rules.device import is_simulated, on_device
from millebornes.rules.playout import GENERATOR
from millebornes.rules.state import Phase, Record

__all__ = ["BATCH", "DeviceKernels", "kernels_for"]

U = np.uint64
ONE = U(1)
NONE = np.int64(0)
OVER = np.uint8(Phase.OVER)

apply_move: Final = on_device(kernels.apply_move)
choose_ranked: Final = on_device(random_play.choose_ranked)
choose_without_net: Final = on_device(choosing.choose_without_net)
deck_word: Final = on_device(games.deck_word)
decision_word: Final = on_device(games.decision_word)
game_key: Final = on_device(games.game_key)
hand_word: Final = on_device(games.hand_word)
is_decided: Final = on_device(games.is_decided)
make_move: Final = on_device(deal.make_move)
side_score: Final = on_device(scoring.side_score)
start_deal: Final = on_device(deal.start_deal)
start_hand: Final = on_device(kernels.start_hand)
write_shuffled: Final = on_device(kernels.write_shuffled)


class DeviceKernels(NamedTuple):
    """``play_ranked`` is for what `millebornes.policies.batch.plays_ranked`, ``play_any`` for everything but nets."""

    play_ranked: Any
    play_any: Any


def _attributes(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """As a simulated thread needs what it writes features to.

    In Python, a number of one byte cannot be multiplied as it can in kernels, and fields are attributes of records of
    one class only.
    """
    wide = {"i1": "i8"}
    fields = []
    for name, (field, *_) in (dtype.fields or {}).items():
        base, shape = field.subdtype or (field, ())
        fields.append((name, wide.get(base.str[1:], base), shape))
    return np.dtype((np.record, np.dtype(fields, align=True)))


BATCH: Final = np.dtype(
    [
        ("seed", "u8"),
        ("begin", "i8"),  # the first game
        ("target", "i8"),  # points that matches are played to, 0 for single hands
    ],
    align=True,
)
"""What is to be played."""


@functools.cache
def kernels_for(state_dtype: np.dtype[Any], streams: bool) -> DeviceKernels:
    """The kernels for states of this kind, each seat drawing from its own stream or not.

    They are compiled for the device that is there when they are first called.
    """
    features_dtype = _in_python(FEATURES) if is_simulated() else FEATURES
    with_streams = np.int64(streams)

    def play_ranked(batch: Any, tables: Any, ranks: Any, out: Any, counts: Any) -> None:
        """Single hands of random players, ``out[game, side]`` in points; ``counts`` takes hands and moves."""
        state = cuda.local.array(1, state_dtype)[0]
        generator = cuda.local.array(1, GENERATOR)[0]
        beside = cuda.local.array(1, DEAL)[0]
        table = tables[0]
        seats = np.int64(table["seats"])
        sides = np.int64(table["sides"])
        clear(state)
        beside["watched"] = NONE
        beside["streams"] = with_streams
        hands = NONE
        moves = NONE
        for place in range(cuda.grid(1), len(out), cuda.gridsize(1)):
            game = batch[0]["begin"] + place
            key = game_key(batch[0]["seed"], game)
            generator["word"] = deck_word(key, ONE)
            write_shuffled(state, table, generator)
            if streams:
                start_deal(state, table, game % seats, beside)
            else:
                start_hand(state, table, uint64(game % seats))
            chance = hand_word(key, ONE)
            ply = NONE
            while state["phase"] != OVER:
                generator["word"] = decision_word(chance, uint64(ply))
                code = choose_ranked(state, table, ranks[0], generator)
                if streams:
                    make_move(state, table, code, beside)
                else:
                    apply_move(state, table, code)
                ply += 1
            hands += 1
            moves += ply
            for side in range(sides):
                out[place, side] = side_score(state, table, uint64(side))
        cuda.atomic.add(counts, 0, hands)
        cuda.atomic.add(counts, 1, moves)

    def play_any(batch: Any, tables: Any, lookups: Any, players: Any, lineups: Any, out: Any, counts: Any) -> None:
        """Hands or matches, each line-up over the same decks: ``out[game * line-ups + line-up, side]`` in points."""
        state = cuda.local.array(1, state_dtype)[0]
        generator = cuda.local.array(1, GENERATOR)[0]
        beside = cuda.local.array(1, DEAL)[0]
        f = cuda.local.array(1, features_dtype)[0]
        table = tables[0]
        seats = np.int64(table["seats"])
        sides = np.int64(table["sides"])
        target = batch[0]["target"]
        totals = beside["totals"]
        clear(state)
        beside["watched"] = NONE  # what the past tells is for nets alone
        beside["streams"] = with_streams
        beside["target"] = target
        hands = NONE
        moves = NONE
        for place in range(cuda.grid(1), len(out), cuda.gridsize(1)):
            game = batch[0]["begin"] + place // len(lineups)
            lineup = lineups[place % len(lineups)]
            key = game_key(batch[0]["seed"], game)
            for side in range(len(totals)):
                totals[side] = NONE
            number = NONE
            decided = False
            while not decided:
                number += 1
                generator["word"] = deck_word(key, uint64(number))
                write_shuffled(state, table, generator)
                start_deal(state, table, (game + number - 1) % seats, beside)
                chance = hand_word(key, uint64(number))
                ply = NONE
                while state["phase"] != OVER:
                    generator["word"] = decision_word(chance, uint64(ply))
                    player = players[lineup[np.int64(state["seat"])]]
                    code = choose_without_net(state, beside, player, table, lookups[0], generator, f)
                    make_move(state, table, uint64(code), beside)
                    ply += 1
                hands += 1
                moves += ply
                for side in range(sides):
                    totals[side] += side_score(state, table, uint64(side))
                decided = is_decided(totals, sides, target, lookups[0])
            for side in range(sides):
                out[place, side] = totals[side]
        cuda.atomic.add(counts, 0, hands)
        cuda.atomic.add(counts, 1, moves)

    return DeviceKernels(cuda.jit(play_ranked), cuda.jit(play_any))


def _in_python(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Records as simulated threads need them, which run in Python.

    There numbers of one byte overflow, and fields are attributes of one class of records only.
    """
    fields = []
    for name, (field, *_) in (dtype.fields or {}).items():
        base, shape = field.subdtype or (field, ())
        fields.append((name, np.dtype("i8") if base == np.int8 else base, shape))
    return np.dtype((np.record, np.dtype(fields, align=True)))


def _clear(state: Record) -> None:
    """Local memory holds anything at first; a deck is read to the place after its last card."""
    for place in range(len(state["deck"])):
        state["deck"][place] = np.uint8(0)


clear: Final = cuda.jit(device=True)(_clear)
