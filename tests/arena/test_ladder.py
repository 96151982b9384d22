import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from millebornes.arena.arena import Arena
from millebornes.arena.executors import open_workers
from millebornes.arena.ladder import Ladder
from millebornes.arena.schedule import Plan, members_of, team_of
from millebornes.editions import make_rules
from millebornes.errors import PlayerError, SaveError
from tests.arena.reporting import run_arena, timeless

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it


def plan(*players: str, seats: int = 2, sides: int | None = None, **settings: Any) -> Plan:
    settings = {"games": 6, "match_target": None, "seed": "ladder", "ladder": True} | settings
    return Plan(rules=make_rules("classic", seats, sides), players=players, **settings)


def played(found: Plan, resume: Path | None = None) -> Arena:
    arena = Arena(found, resume=resume)
    with open_workers() as workers:
        arena.run(workers)
    return arena


def meetings(ladder: Ladder) -> tuple[tuple[int, ...], ...]:
    return ladder.meetings


# ---------------------------------------------------------------- ladders


def test_neighbours_meet_and_change_places_after_each_stage() -> None:
    ladder = Ladder(plan(*["basic"] * 4), [(0, 4)])
    assert meetings(ladder) == ((0, 1), (1, 2), (2, 3))
    assert ladder.end == 8
    ladder.advance(8, [0, 50, float("nan"), -20], [16, 32, 32, 16])
    assert ladder.order == (1, 0, 3, 2)
    assert ladder.end == 20
    ladder.advance(20, [0, 0.0001, 0, 0.0002], [40, 80, 64, 32])
    assert ladder.order == (1, 0, 3, 2)  # as good as equal: all stay
    assert ladder.end == 38
    assert Ladder(plan(*["basic"] * 5, seats=3), [(0, 5)]).meetings == ((0, 1, 2), (1, 2, 3), (2, 3, 4))


def test_a_challenger_starts_at_the_bottom_and_only_its_neighbours_play_until_it_is_known() -> None:
    ladder = Ladder(plan(*["basic"] * 5), [(0, 4), (10, 5)])
    ladder.advance(8, [9, 8, 7, 6, float("nan")], [16, 32, 32, 16, 0])
    assert ladder.end == 10
    ladder.advance(10, [9, 8, 7, 6, float("nan")], [20, 40, 40, 20, 0])
    assert meetings(ladder) == ((3, 4),)
    assert ladder.end == 18
    ladder.advance(18, [9, 8, 7, 6, 8.5], [20, 40, 40, 28, 8])
    assert meetings(ladder) == ((0, 4), (4, 1))
    ladder.advance(ladder.end, [9, 8, 7, 6, 8.5], [30, 60, 40, 28, 32])
    assert meetings(ladder) == ((0, 4), (4, 1), (1, 2), (2, 3))


def test_the_strongest_climbs_to_the_top_whatever_the_jobs() -> None:
    found = plan("random", "random", "random", "basic", games=300)
    arena = played(found)
    report = arena.report()
    assert report["ladder"]
    assert report["complete"]
    assert 300 <= report["matches"] < 320
    assert report["ratings"][0]["player"] == "basic"
    assert report["anchor"] == "random"
    low, high = report["ratings"][0]["elo_ci95"]
    assert low > 150
    assert high is None or high > low
    assert timeless(report) == timeless(run_arena(found, jobs=2))
    games = {(pair["a"], pair["b"]): pair["matches"] for pair in report["pairs"]}
    assert games["random#3", "basic"] >= 16  # its neighbours in the first stage
    assert sum(games.values()) == report["matches"]
    assert min(games.values()) < max(games.values()) / 2


def test_a_challenger_joins_a_ladder_that_was_kept(tmp_path: Path) -> None:
    file = tmp_path / "ladder"
    first = played(plan("basic", "random", "random", games=60), file)
    arena = played(plan("basic", "random", "random", "maxims", games=140), file)
    report = arena.report()
    assert report["deals"] > first.tally.rounds > 0
    assert {row["player"] for row in report["ratings"][:2]} == {"basic", "maxims"}
    met = Counter(frozenset((pair["a"], pair["b"])) for pair in report["pairs"] for _ in range(pair["matches"]))
    assert met[frozenset(("basic", "maxims"))] > 10
    again = Arena(plan("basic", "random", "random", "maxims", games=140), resume=file)
    assert again.complete
    assert again.report()["ratings"] == report["ratings"]
    with pytest.raises(SaveError, match="its players is"):
        Arena(plan("basic", "maxims", "random", "random", games=200), resume=file)
    with pytest.raises(SaveError, match="its players is"):
        Arena(plan("basic", "random", "random", games=200), resume=file)
    with pytest.raises(SaveError, match="its ladder is true, not false"):
        Arena(plan("basic", "random", "random", "maxims", games=200, ladder=False), resume=file)


# ---------------------------------------------------------------- partners


@pytest.mark.parametrize(
    ("name", "members"),
    [
        ("basic", ("basic",)),
        ("basic+random", ("basic", "random")),
        ("maxims:points,no-danger+basic+maxims:x=+3", ("maxims:points,no-danger", "basic", "maxims:x=+3")),
        ("cmd:python3 my+bot.py", ("cmd:python3 my+bot.py",)),
        ("cmd:./bot+basic", ("cmd:./bot", "basic")),
        ("cmd:./a+b+cmd:./c+maxims:points", ("cmd:./a+b", "cmd:./c", "maxims:points")),
        ("basic+nobody", ("basic", "nobody")),
    ],
)
def test_names_are_joined_by_plus(name: str, members: tuple[str, ...]) -> None:
    assert members_of(name) == members


def test_a_side_has_one_player_or_one_for_each_seat() -> None:
    assert team_of("basic", 3) == ("basic",) * 3
    assert team_of("basic+random", 2) == ("basic", "random")
    assert team_of("cmd:a +basic", 1) == ("cmd:a +basic",)
    with pytest.raises(PlayerError, match="names 2 players, but each side has 3 seats; name one or 3"):
        team_of("basic+random", 3)
    with pytest.raises(PlayerError, match="partners need a table such as --seats 4"):
        team_of("basic+random", 1)
    with pytest.raises(PlayerError, match="names 2"):
        plan("basic+random", "basic", seats=6, sides=2)


@pytest.mark.parametrize(("seats", "sides"), [(4, 2), (6, 3), (6, 2)])
def test_partners_sit_everywhere_equally_often(seats: int, sides: int) -> None:
    size = seats // sides
    teams = ["+".join(["maxims", "basic", "random"][:size]), *["random"] * (sides - 1), "basic"]
    found = plan(*teams, seats=seats, sides=sides, ladder=False)
    for deal in range(5):
        games = list(found.games_of(deal))
        assert len(games) == found.games_a_round
        places: Counter[tuple[int, int, int]] = Counter()
        for game in games:
            seated = found.seated(game)
            assert [number for number, _ in seated] == [game.order[seat % sides] for seat in range(seats)]
            for side in range(sides):
                assert sorted(member for _, member in seated[side::sides]) == list(range(size))
            places.update((seat, *who) for seat, who in enumerate(seated))
        assert len(places) == seats * (sides + 1) * size
        assert len(set(places.values())) == 1


def test_every_partner_is_followed_by_every_opponent() -> None:
    found = plan("maxims+random", "basic+random", seats=4, sides=2, ladder=False)
    follows: Counter[tuple[tuple[int, int], tuple[int, int]]] = Counter()
    for deal in range(4):
        for game in found.games_of(deal):
            seated = found.seated(game)
            follows.update(itertools.pairwise([*seated, seated[0]]))
    assert len(follows) == 8
    assert len(set(follows.values())) == 1


def test_partners_play_together_and_are_named_by_seat(tmp_path: Path) -> None:
    report = run_arena(plan("basic+random", "random", seats=4, games=8, ladder=False), record=tmp_path)
    assert report["players"] == ["basic+random", "random"]
    assert report["results"][0]["match_share"] > 0.5
    heads = [path.read_text().splitlines()[0] for path in sorted(tmp_path.iterdir())]
    for seat in range(4):
        names = ["random"] * 4
        names[seat] = "basic"
        assert any(f'"players":{names}'.replace("'", '"').replace(" ", "") in head.replace(" ", "") for head in heads)
