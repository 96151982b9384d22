import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

from millebornes.editions import Rules, make_rules
from millebornes.errors import PlayerError
from millebornes.players import player
from millebornes.policies.batch import KernelPlayer, play_batch
from millebornes.policies.dispatch import MAXIMS as MAXIMS_KERNEL
from millebornes.policies.maxim_catalogue import BASE, MAXIMS, parse_advice, without
from millebornes.policies.maxim_weights import MATCH, Advice

BASIC = KernelPlayer.named("basic", make_rules())
STANDARD = KernelPlayer.named("maxims", make_rules())


def kernel(advice: Advice) -> KernelPlayer:
    return KernelPlayer(MAXIMS_KERNEL, advice=advice)


def one_against_the_rest(
    rules: Rules, one: KernelPlayer, rest: KernelPlayer, games: int, **options: Any
) -> tuple[float, float, float]:
    """Mean difference in points with its standard error, and the share won (ties as parts); ``one`` has each side."""
    lineups = [[int(rules.side_of(seat) != side) for seat in range(rules.seats)] for side in range(rules.sides)]
    points = play_batch(rules, [one, rest], lineups, games, **options).points
    differences, shares = np.zeros(games), np.zeros(games)
    for side in range(rules.sides):
        own, others = points[:, side, side], np.delete(points[:, side], side, axis=1)
        differences += (own - others.mean(axis=1)) / rules.sides
        level = (others == own[:, None]).sum(axis=1)
        shares += np.where(own >= others.max(axis=1), 1 / (1 + level), 0) / rules.sides
    return float(differences.mean()), float(differences.std() / games**0.5), float(shares.mean())


# ---------------------------------------------------------------- advice and options


def test_every_weight_belongs_to_one_maxim_or_is_a_base() -> None:
    used = Counter(weight for maxim in MAXIMS.values() for weight in maxim.weights) + Counter(BASE)
    assert used == Counter(Advice._fields)


def test_every_maxim_says_something_of_its_own() -> None:
    assert len({maxim.says for maxim in MAXIMS.values()}) == len(MAXIMS)
    for maxim in MAXIMS.values():
        assert maxim.says.endswith(".")


@pytest.mark.parametrize("name", MAXIMS)
def test_a_maxim_can_be_switched_off(name: str) -> None:
    off = without(MATCH, name)
    changed = {field for field in Advice._fields if getattr(off, field) != getattr(MATCH, field)}
    assert changed <= set(MAXIMS[name].weights)
    assert without(off, name) == off == parse_advice(f"no-{name}")


def test_options() -> None:
    assert parse_advice("") == parse_advice("match") == MATCH
    assert parse_advice("points") == MATCH._replace(match=0)
    assert parse_advice("points,match").match == 1
    assert parse_advice(" mile=90 , stop=-5 ") == MATCH._replace(mile=90, stop=-5)
    assert player("maxims:points,mile=90").name == "maxims"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("point", "did you mean 'points'"),
        ("no-safe_tripp", "did you mean 'no-safe_trip'"),
        ("no-", "there is no option 'no-'"),
        ("milee=4", "did you mean 'mile'"),
        ("mile=x", "mile='x' isn't a whole number"),
        ("mile=", "mile='' isn't a whole number"),
        ("mile=20000", "outside the range -10000 to 10000"),
        ("=3", "there is no weight ''"),
    ],
)
def test_wrong_options_are_refused(options: str, told: str) -> None:
    with pytest.raises(PlayerError, match=told):
        player(f"maxims:{options}")


def test_every_weight_counts() -> None:
    """A weight made very large changes the play somewhere."""
    tables = [make_rules(), make_rules("house"), make_rules("classic", 3)]
    idle = set(Advice._fields)
    for games, rules, target in itertools.product((4, 40), tables, (None, 5000)):  # a few do for most weights
        lineup = [0] * rules.seats
        usual = play_batch(rules, [STANDARD], [lineup], games, seed=1, match_target=target).points
        for name, far in itertools.product(sorted(idle), (-1500, 1500)):
            value = 0 if name == "match" else far
            changed = kernel(MATCH._replace(**{name: value}))
            if (play_batch(rules, [changed], [lineup], games, seed=1, match_target=target).points != usual).any():
                idle.discard(name)
    assert idle == set()


# ---------------------------------------------------------------- strength


def test_it_wins_matches_against_basic() -> None:
    points, error, share = one_against_the_rest(make_rules(), STANDARD, BASIC, 1500, seed=20, match_target=5000)
    assert share > 0.51
    assert points > 3 * error


@pytest.mark.parametrize(
    ("name", "seats", "sides"),
    [("classic", 3, 3), ("classic", 4, 2), ("classic", 6, 3), ("bsd", 2, 2), ("mille2", 2, 2), ("house", 2, 2)],
)
def test_it_is_above_basic_elsewhere_and_basic_far_above_random(name: str, seats: int, sides: int) -> None:
    rules = make_rules(name, seats, sides)
    points, error, _ = one_against_the_rest(rules, KernelPlayer.named("maxims", rules), BASIC, 1000, seed=8)
    assert points > 3 * error
    assert one_against_the_rest(rules, BASIC, KernelPlayer.named("random", rules), 200, seed=8)[0] > 900
