"""Random moves in kernels: each takes the place among the legal moves that its random word says."""

import numpy as np
import pytest

from millebornes.editions import make_rules
from millebornes.rules.masks import legal_word
from millebornes.rules.shuffling import GENERATOR, random_word, write_shuffled
from millebornes.rules.state import STATE, Phase
from millebornes.rules.tables import tables_for
from millebornes.rules.turns import apply_move, start_hand
from millebornes_research.bench.random_hands import random_code

U = np.uint64


@pytest.mark.parametrize(("seats", "sides"), [(3, 3), (6, 3), (8, 8)])
def test_a_random_move_at_a_table_of_several_sides_is_that_of_its_random_word(seats: int, sides: int) -> None:
    tables = tables_for(make_rules(None, seats, sides, {**make_rules().settings(), "hand_size": 5, "targets": "all"}))
    assert tables["targets"] == sides - 1
    state, generator, other = np.zeros(1, STATE)[0], np.zeros(1, GENERATOR)[0], np.zeros(1, GENERATOR)[0]
    generator["word"] = seats
    hit = set()
    for _ in range(8):
        write_shuffled(state, tables, generator)
        start_hand(state, tables, U(0))
        while state["phase"] != Phase.OVER:
            words = [int(legal_word(state, tables, U(n))) for n in range(sides - 1)]
            codes = [64 * n + place for n, word in enumerate(words) for place in range(64) if word >> place & 1]
            other["word"] = generator["word"]
            expected = codes[int(random_word(other)) * len(codes) >> 64]
            code = int(random_code(state, tables, generator))
            assert code == expected
            assert other["word"] == generator["word"]
            hit.add(code // 64)
            apply_move(state, tables, U(code))
    assert hit == set(range(sides - 1))
