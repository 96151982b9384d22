"""The heuristic, the maxims, the handicaps and R8 as kernels, compiled from the same functions that run in Python."""

import types
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy import uint64

from millebornes.kernels.bits import lowest_bit
from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.kernels.memory import load_word
from millebornes.policies import (
    codes,
    handicaps,
    heuristic,
    maxim_extension,
    maxim_keeping,
    maxim_values,
    maxim_waiting,
)
from millebornes.policies.maxim_weights import Advice
from millebornes.rules import clauses
from millebornes.rules.state import Integers, Record, Word

ADVICE_RECORD: Final = np.dtype(
    [
        *((name, "i8") for name in Advice._fields),
        ("distance_cases", "i4", maxim_keeping.DISTANCE_CASES),  # case -> the value of a card by this advice
        ("hazard_cases", "i4", maxim_keeping.HAZARD_CASES),
        ("remedy_cases", "i4", maxim_keeping.REMEDY_CASES),
        ("cheapest_distance", "i8"),  # the lowest value for up to three of a kind, or of a safety if that is lower
        ("cheapest_hazard", "i8"),
        ("cheapest_remedy", "i8"),
    ],
    align=True,
)
"""`Advice` in the form that kernels read, with the values of all cases of `millebornes.policies.maxim_keeping`."""


def compile_rules(module: types.ModuleType, known: dict[Callable[..., Any], Any]) -> None:
    """Compile the functions of a module, and add its kernels to ``known``, which maps plain functions to kernels.

    The new kernels call each other and the kernels in ``known`` instead of the plain functions. Existing entries are
    kept.
    """
    names = dict(vars(module))
    for name, function in vars(module).items():
        if isinstance(function, types.FunctionType):
            if function not in known and function.__module__ == module.__name__:
                plain = types.FunctionType(function.__code__, names, name, function.__defaults__)
                known[function] = inner_kernel(plain)
            names[name] = known.get(function, function)


@inner_kernel
def lowest_place(word: Word) -> Word:
    """Return the position of the lowest set bit with a single instruction."""
    return np.int64(lowest_bit(uint64(word)))


FOUR_OF_A_KIND: Final = np.uint64(0x0404040404040404)
_kernels: dict[Callable[..., Any], Any] = {codes.lowest: lowest_place}
compile_rules(codes, _kernels)
compile_rules(heuristic, _kernels)
compile_rules(maxim_waiting, _kernels)
compile_rules(maxim_keeping, _kernels)
weigh_distance: Final = _kernels[maxim_keeping.keeping_distance]
weigh_hazard: Final = _kernels[maxim_keeping.keeping_hazard]
weigh_remedy: Final = _kernels[maxim_keeping.keeping_remedy]
least_distance: Final = _kernels[maxim_waiting.least_distance_to_come]
least_hazard: Final = _kernels[maxim_waiting.least_hits_to_come]
least_remedy: Final = _kernels[maxim_waiting.least_remedies_to_come]


@kernel
def write_cases(advice: Record) -> None:
    """Compute the values of cards in hand for all cases, using the weights in ``advice``."""
    advice["cheapest_distance"] = advice["cheapest_hazard"] = advice["cheapest_remedy"] = advice["keep_safety"]
    for case in range(maxim_keeping.DISTANCE_CASES):
        worth = weigh_distance(case, advice)
        advice["distance_cases"][case] = worth
        if 0 < case & 7 < 4:
            advice["cheapest_distance"] = min(advice["cheapest_distance"], worth)
    for case in range(maxim_keeping.HAZARD_CASES):
        worth = weigh_hazard(case, advice)
        advice["hazard_cases"][case] = worth
        if 0 < case & 7 < 4:
            advice["cheapest_hazard"] = min(advice["cheapest_hazard"], worth)
    for case in range(maxim_keeping.REMEDY_CASES):
        worth = weigh_remedy(case, advice)
        advice["remedy_cases"][case] = worth
        if 0 < case & 7 < 4:
            advice["cheapest_remedy"] = min(advice["cheapest_remedy"], worth)


@inner_kernel
def weighed_distance(case: Word, advice: Record) -> Word:
    return np.int64(advice["distance_cases"][case])


@inner_kernel
def weighed_hazard(case: Word, advice: Record) -> Word:
    return np.int64(advice["hazard_cases"][case])


@inner_kernel
def weighed_remedy(case: Word, advice: Record) -> Word:
    return np.int64(advice["remedy_cases"][case])


@inner_kernel
def most_for_a_discard(f: Record, advice: Record) -> Word:
    """Return the result of `maxim_keeping.worth_discarding` for a hand with at most three cards of each kind."""
    many = load_word(f["hand"], 0) | load_word(f["hand"], 1)
    distance = advice["cheapest_distance"] + min(0, least_distance(f, advice))
    hazard = advice["cheapest_hazard"] + min(0, least_hazard(f, advice))
    remedy = advice["cheapest_remedy"] + least_remedy(f, advice)
    return heuristic.CALL if many & FOUR_OF_A_KIND else -min(distance, hazard, remedy)


_kernels |= {
    maxim_keeping.worth_discarding: most_for_a_discard,
    maxim_keeping.keeping_distance: weighed_distance,
    maxim_keeping.keeping_hazard: weighed_hazard,
    maxim_keeping.keeping_remedy: weighed_remedy,
}
compile_rules(maxim_extension, _kernels)
compile_rules(maxim_values, _kernels)
best_by_heuristic: Final = _kernels[heuristic.best_code]
best_by_maxims: Final = _kernels[maxim_values.best_move]
worth_by_maxims: Final = _kernels[maxim_values.move_value]
greatest_threat: Final = _kernels[heuristic.greatest_threat]
arrives: Final = _kernels[heuristic.arrives]
compile_rules(handicaps, _kernels)
decide_by_level: Final = _kernels[handicaps.decide]
threat: Final = _kernels[heuristic.threat]
highest_total: Final[Any] = inner_kernel(clauses.highest_total)
is_match_over: Final = inner_kernel(clauses.is_match_over)
is_won: Final = inner_kernel(clauses.is_won)


@kernel
def weigh_codes(codes: Integers, f: Record, advice: Record, worths: Integers) -> None:
    """Write what the maxims think each legal move is worth, in points.

    `choose_code` must have filled in the features.
    """
    danger = greatest_threat(f)
    finishing = arrives(codes, f)
    for i in range(len(codes)):
        worths[i] = worth_by_maxims(codes[i], danger, finishing, f, advice)
