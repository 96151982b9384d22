"""Kernels in the arena: the same games as without them."""

import dataclasses
import random
from typing import Any

import pytest

from millebornes.arena import duplicate
from millebornes.arena.duplicate import play_rounds
from millebornes.arena.kernel_games import kernel_games_of
from millebornes.arena.outcome import Columns, GameOutcome
from millebornes.arena.results import Tally
from millebornes.arena.schedule import Plan
from millebornes.editions import EDITIONS, edition, make_rules
from millebornes.game import LegalMoves, Move, View
from millebornes.players import PLAYERS, RandomPlayer
from millebornes.policies.maxim_catalogue import MAXIMS
from tests.arena.reporting import run_arena

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it

NAMES = ("maxims", "random", "basic", f"maxims:points,no-{min(MAXIMS)}", "beginner", "regular")
TABLES = [(name, *table, n % 2 == 0) for name in EDITIONS for n, table in enumerate(edition(name).tables)]


def compared(plan: Plan, deals: range, monkeypatch: pytest.MonkeyPatch, records: bool = True) -> list[GameOutcome]:
    """The outcomes of some deals, played by kernels and found to be those of the Python players."""
    monkeypatch.setattr(duplicate, "KERNELS_FROM", 1)
    assert any(kernel_games_of(plan).can_play(game) for game in plan.games_of(0))
    quick = play_rounds(plan, deals, records).outcomes
    monkeypatch.setattr(duplicate, "KERNELS_FROM", plan.games + 1)
    slow = play_rounds(plan, deals, records).outcomes
    games = [game for deal in deals for game in plan.games_of(deal)]
    for game, one, other in zip(games, quick, slow, strict=True):
        assert one.lines == other.lines
        assert one._replace(moves=(), seconds=()) == other._replace(moves=(), seconds=())
        # The first decision of each side is not counted where each is clocked.
        more = int(kernel_games_of(plan).can_play(game))
        assert [a - b for a, b in zip(one.moves, other.moves, strict=True)] == [more] * len(one.moves)
    return quick


@pytest.mark.parametrize(("name", "seats", "sides", "is_duplicate"), TABLES)
def test_kernels_play_the_same_games(
    name: str, seats: int, sides: int, is_duplicate: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(f"{name} {seats} {sides} {is_duplicate}")
    players = tuple(chance.choice(NAMES) for _ in range(sides))
    plan = Plan(
        rules=make_rules(name, seats, sides),
        players=players,
        games=1,
        match_target=500 if is_duplicate else None,
        seed=f"native {seats}",
        duplicate=is_duplicate,
    )
    found = compared(plan, range(2), monkeypatch)
    assert all(outcome.lines for outcome in found)
    monkeypatch.setattr(duplicate, "KERNELS_FROM", 1)
    for one, other in zip(found, play_rounds(plan, range(2), False).outcomes, strict=True):
        assert one._replace(lines=(), seconds=()) == other._replace(seconds=())


@pytest.mark.parametrize(
    "settings",
    [
        {"hand_size": 3, "deck": "full"},
        {"hand_end": "points"},
        {"opening_right_of_way": True, "coup_by": "anyone"},
        {"tie": "play_on"},
        {"deck": {"25": 40, "roll": 30, "stop": 15, "100": 15, "gasoline": 10}, "hand_size": 4},
    ],
    ids=str,
)
def test_kernels_play_the_same_games_with_other_settings(
    settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Among them some in which a seat uses up its own stream."""
    for seats in (2, 3, 6):
        rules = make_rules("classic", seats, settings=settings)
        plan = Plan(rules=rules, players=NAMES[: rules.sides], games=1, match_target=300, seed="other")
        compared(plan, range(2), monkeypatch)


def test_long_matches_and_partners(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(rules=make_rules(), players=("random", "random"), games=1, match_target=5000, seed="long")
    assert max(outcome.hands for outcome in compared(plan, range(1), monkeypatch)) > 16
    plan = Plan(rules=make_rules("house", 4), players=("maxims+random", "basic"), games=1, match_target=1500)
    compared(plan, range(2), monkeypatch, records=False)


class Other(RandomPlayer):
    name = "other"

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        return legal[0]


def test_players_without_a_kernel_play_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "other", Other)
    monkeypatch.setitem(PLAYERS, "basic", Other)
    plan = Plan(rules=make_rules(), players=("basic", "other", "random", "maxims"), games=1, match_target=None)
    kernel_games_of.cache_clear()
    games = kernel_games_of(plan)
    assert [games.can_play(game) for game in plan.games_of(0)] == [False] * 10 + [True] * 2
    compared(plan, range(3), monkeypatch)
    kernel_games_of.cache_clear()


@pytest.mark.parametrize(
    ("seats", "sides", "count", "is_duplicate"), [(2, 2, 2, True), (3, 3, 5, False), (4, 2, 3, True)]
)
def test_counting_in_columns_is_counting_one_by_one(seats: int, sides: int, count: int, is_duplicate: bool) -> None:
    players = ("random", "basic", "random", "maxims", "random")[:count]
    rules = make_rules("classic", seats, sides)
    plan = Plan(rules=rules, players=players, games=1000, match_target=300, seed="columns", duplicate=is_duplicate)
    columns, mixed, plain = Tally(plan), Tally(plan), Tally(plan)
    for deals in (range(1), range(1, 4), range(4, 9)):
        batch = play_rounds(plan, deals, False)
        assert isinstance(batch.played, Columns)
        columns.add(batch.played)
        for deal in deals:
            plain.add([outcome for outcome in batch.outcomes if outcome.deal == deal])
        if deals.start == 1:
            for deal in deals:
                mixed.add([outcome for outcome in batch.outcomes if outcome.deal == deal])
        else:
            mixed.add(batch.played)
        for tally in (columns, mixed):
            for found, expected in zip(tally.players(), plain.players(), strict=True):
                assert found.ms_per_move == pytest.approx(expected.ms_per_move, abs=2e-6)
                assert dataclasses.replace(found, ms_per_move=expected.ms_per_move) == expected
            assert tally.pairs() == plain.pairs()
            assert tally.rated() == plain.rated()
            assert (tally.games, tally.hands, tally.rounds) == (plain.games, plain.hands, plain.rounds)
            assert tally.line() == plain.line()


def test_many_matches_take_a_moment_and_processes_change_nothing() -> None:
    plan = Plan(rules=make_rules(), players=("maxims", "basic"), games=1000, match_target=1000, seed="many")
    one, two = run_arena(plan), run_arena(plan, jobs=2)
    for report in (one, two):
        report["wall_s"] = 0
        for row in report["results"]:
            assert 0 < row.pop("ms_per_move") < 1
    assert one == two
    assert one["matches"] == 1000
