"""Strangers: the same seed gives the same player, the parts differ, and every one of them plays a hand."""

import pytest

from millebornes.editions import make_rules
from millebornes.policies.batch import play_batch
from millebornes.policies.heuristic import Weights
from millebornes.policies.maxim_weights import Advice
from millebornes_research.pool.strangers import PARTS, STYLES, Stranger, StrangerPlayer
from tests.policies.replays import replayed

NUMBERS = range(60)


def test_same_seed_same_player() -> None:
    rules = make_rules("classic")
    assert Stranger("learn", 3).player(rules) == Stranger("learn", 3).player(rules)


def test_parts_never_mix() -> None:
    rules = make_rules("classic")
    players = [Stranger(part, number).player(rules) for part in PARTS for number in NUMBERS]
    assert all(one != other for place, one in enumerate(players) for other in players[:place])


def test_styles_name_weights() -> None:
    known = {*Weights._fields, *Advice._fields}
    assert all(known.issuperset(style) for style in STYLES.values())


def test_every_kind_and_style_comes_up() -> None:
    traits = [Stranger("report", number).traits() for number in range(1000)]
    assert len({kind for kind, _ in traits}) == 3
    assert {style for _, style in traits} == {"", *STYLES}


def test_strangers_play_to_the_end_of_a_hand() -> None:
    rules = make_rules("classic", 4, 2)
    players = [Stranger("choose", number).player(rules) for number in NUMBERS]
    lineups = [[number, (number + 1) % len(players)] * 2 for number in NUMBERS]
    batch = play_batch(rules, players, lineups, games=2, seed=1)
    assert batch.hands == 2 * len(lineups)


@pytest.mark.parametrize("table", [(2, 2), (4, 2)])
def test_at_a_table_they_make_the_same_moves_as_in_kernels(table: tuple[int, int]) -> None:
    rules = make_rules("classic", *table)
    for number in range(0, 24, rules.seats):
        strangers = [Stranger("choose", number + seat) for seat in range(rules.seats)]
        kernels = [each.player(rules) for each in strangers]
        assert replayed(rules, kernels, [StrangerPlayer(each) for each in strangers], number) > 20
