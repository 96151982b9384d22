import itertools
import json
import os
import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from millebornes.arena.arena import Arena
from millebornes.arena.duplicate import play_rounds
from millebornes.arena.executors import open_workers
from millebornes.arena.outcome import GameForfeit, GameOutcome
from millebornes.arena.results import Tally
from millebornes.arena.schedule import Plan, shown_names
from millebornes.arena.sprt import Sprt
from millebornes.cards import Card
from millebornes.editions import Rules, make_rules
from millebornes.errors import MilleBornesError, SaveError
from millebornes.game import LegalMoves, Move, View
from millebornes.notation import read_match
from millebornes.players import PLAYERS, RandomPlayer
from tests.arena.reporting import run_arena, timeless
from tests.damage import complaint, damaged
from tests.players.test_table import Listener


def plan(*players: str, seats: int = 2, sides: int | None = None, **settings: Any) -> Plan:
    settings = {"games": 6, "match_target": None, "seed": "arena"} | settings
    return Plan(rules=make_rules("classic", seats, sides), players=players or ("basic", "random"), **settings)


# ---------------------------------------------------------------- who meets whom


@pytest.mark.parametrize(("seats", "count"), [(2, 2), (2, 4), (3, 3), (4, 2), (6, 3)])
def test_every_player_sits_everywhere_equally_often(seats: int, count: int) -> None:
    sides = {2: 2, 3: 3, 4: 2, 6: 3}[seats]
    found = plan(*["basic"] * count, seats=seats, sides=sides)
    for deal in range(4):
        games = list(found.games_of(deal))
        assert [game.turn for game in games] == list(range(found.games_a_round))
        places = Counter((side, who) for game in games for side, who in enumerate(game.order))
        assert len(places) == sides * count
        assert len(set(places.values())) == 1
        met = Counter(frozenset(game.order) for game in games)
        assert set(met) == {frozenset(who) for who in itertools.combinations(range(count), sides)}


def test_every_player_sits_to_the_left_of_every_other() -> None:
    found = plan("basic", "random", "random", seats=3)
    left = Counter(
        (game.order[side], game.order[(side + 1) % 3])
        for deal in range(2)
        for game in found.games_of(deal)
        for side in range(3)
    )
    assert len(left) == 6
    assert len(set(left.values())) == 1


def test_games_are_rounded_up_to_whole_rounds_and_second_players_of_a_name_numbered() -> None:
    assert plan(games=5).deals == 3
    assert plan("basic", "random", "random", games=7).deals == 2
    assert shown_names(("A", "B", "A", "A", "A#2")) == ("A", "B", "A#2", "A#3", "A#2#2")


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"players": ("basic",)}, "1 players for 2 sides"), ({"games": 0}, "0 games"), ({"match_target": 0}, "match_t")],
)
def test_plans_that_cannot_be_are_refused(settings: dict[str, Any], message: str) -> None:
    usual: dict[str, Any] = {"rules": make_rules(), "players": ("basic", "random"), "games": 2}
    with pytest.raises(MilleBornesError, match=message):
        Plan(**(usual | settings))


# ---------------------------------------------------------------- what comes out


class Watcher(Listener):
    """Plays at random, and keeps track of its cards by what it is told."""

    name = "watcher"
    dealt: ClassVar[list[tuple[int, tuple[Card, ...]]]] = []
    told: ClassVar[list[str]] = []

    def hand_started(self, number: int, first: int, totals: Sequence[int], hand: Sequence[Card]) -> None:
        super().hand_started(number, first, totals, hand)
        self.dealt.append((self.seat, tuple(hand)))

    def match_over(self, totals: Sequence[int], winner: int | None, reason: str) -> None:
        self.told.append(reason)


def test_players_are_told_what_they_really_drew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "watcher", Watcher)
    Watcher.dealt.clear()
    Watcher.told.clear()
    report = run_arena(plan("watcher", "random", games=4, match_target=1000))
    assert [row["forfeits"] for row in report["results"]] == [0, 0]
    assert len(Watcher.dealt) == report["hands"] > 4
    assert Watcher.told == ["finished"] * 4


def test_all_games_of_a_deal_are_dealt_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "watcher", Watcher)
    for duplicate in (True, False):
        Watcher.dealt.clear()
        run_arena(plan("watcher", "watcher", games=8, duplicate=duplicate))
        distinct = Counter(Watcher.dealt)
        assert len(Watcher.dealt) == 16
        assert len(distinct) == (8 if duplicate else 16)


def test_the_better_player_is_found_better_and_luck_is_shared() -> None:
    report = run_arena(plan(games=60))
    one, other = report["results"]
    (pair,) = report["pairs"]
    assert one["match_share"] + other["match_share"] == pytest.approx(1)
    assert one["match_share"] > 0.9
    assert pair["mean_difference"] == pytest.approx(one["mean_score"] - other["mean_score"], abs=0.01)
    assert pair["ci95"][0] < pair["mean_difference"] < pair["ci95"][1]
    assert pair["ci95"][0] > 1000
    assert pair["elo_ci95"][0] > 200
    assert pair["duplicate_gain"] > 0.5
    assert report["hands"] == report["matches"] == 60


def test_a_player_against_itself_is_exactly_even_on_duplicate_deals() -> None:
    report = run_arena(plan("basic", "basic", games=20, match_target=2000))
    assert report["players"] == ["basic", "basic#2"]
    assert [row["match_share"] for row in report["results"]] == [0.5, 0.5]
    assert report["pairs"][0]["mean_difference"] == 0
    low, high = report["pairs"][0]["elo_ci95"]
    assert low < 0 < high


def outcome(deal: int, turn: int, order: tuple[int, ...], totals: tuple[int, ...], **more: Any) -> GameOutcome:
    best = max(totals)
    shares = tuple(1 / totals.count(best) if total == best else 0.0 for total in totals)
    sides = len(order)
    shown: dict[str, Any] = {"hands": 1, "shares": shares, "moves": (10,) * sides, "seconds": (0.02,) * sides}
    return GameOutcome(deal, turn, order, totals, **(shown | more))


def test_numbers_are_those_of_the_games() -> None:
    tally = Tally(plan())
    tally.add([outcome(0, 0, (0, 1), (500, 100)), outcome(0, 1, (1, 0), (300, 200))])
    assert tally.players()[0].mean_score == 350  # a single deal has an interval too
    assert tally.players()[0].mean_score_ci95 == pytest.approx((350 - 12.706 * 150, 350 + 12.706 * 150), abs=0.5)
    tally.add([outcome(1, 0, (0, 1), (600, 0)), outcome(1, 1, (1, 0), (50, 50))])
    one, other = tally.players()
    assert (one.matches_won, one.matches_drawn, one.match_share) == (2, 1, 0.625)
    assert (other.matches_won, other.matches_drawn, other.match_share) == (1, 1, 0.375)
    assert one.mean_score == (500 + 200 + 600 + 50) / 4
    assert one.ms_per_move == 2
    (pair,) = tally.pairs()
    assert pair.mean_difference == (400 - 100 + 600 + 0) / 4
    # Deals differ by 150 and 300 points a hand: 225 ± 12.706 * 75.
    assert pair.ci95 == pytest.approx((225 - 952.97, 225 + 952.97), abs=0.5)
    # Single games: the variances are 20000 (400, 600) and 5000 (-100, 0), of the deals' means 11250.
    assert pair.duplicate_gain == pytest.approx(12500 / (2 * 11250), abs=1e-3)


def test_a_forfeit_counts_in_shares_and_not_in_points() -> None:
    tally = Tally(plan("basic", "random", "random", seats=3))
    lost = outcome(0, 0, (0, 1, 2), (900, 0, 0), shares=(0.0, 0.5, 0.5), forfeit=GameForfeit(0, "fell asleep"))
    tally.add([lost, outcome(0, 1, (2, 0, 1), (100, 200, 300))])
    rows = tally.players()
    assert [row.match_share for row in rows] == [0, 0.75, 0.25]
    assert [row.mean_score for row in rows] == [200, 300, 100]
    assert rows[0].forfeits == 1
    assert rows[0].forfeit_reasons == {"fell asleep": 1}
    assert [pair.share for pair in tally.pairs()] == [0, 0.5, 0.75]


class Cheat(RandomPlayer):
    name = "cheat"

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        return Move.parse("extend")


class Broken(RandomPlayer):
    name = "broken"

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        if view.draw_pile < 60:
            raise ZeroDivisionError("lost\nits way")
        return super().choose(view, legal, rng)


class Unhearing(RandomPlayer):
    """Fails at its first match, and at what it is told in the others."""

    name = "unhearing"
    matches = 0

    def match_started(self, seat: int, rules: Rules, players: Sequence[str], match_target: int | None) -> None:
        Unhearing.matches += 1
        if Unhearing.matches == 1:
            raise LookupError("who is there?")

    def moved(self, seat: int, move: Move) -> None:
        raise LookupError("pardon?")


def test_players_that_fail_at_what_they_are_told_forfeit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "unhearing", Unhearing)
    Unhearing.matches = 0
    report = run_arena(plan("unhearing", "random", games=4))
    assert [row["forfeits"] for row in report["results"]] == [4, 0]
    assert report["results"][0]["forfeit_reasons"] == {
        "raised LookupError: pardon? (moved)": 3,
        "raised LookupError: who is there? (match_started)": 1,
    }
    assert report["results"][1]["match_share"] == 1


def test_bad_players_forfeit_and_the_rest_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(PLAYERS, "cheat", Cheat)
    monkeypatch.setitem(PLAYERS, "broken", Broken)
    report = run_arena(plan("basic", "cheat", "broken", games=6, match_target=5000), record=tmp_path)
    basic, cheat, broken = report["results"]
    assert basic["forfeits"] == 0
    assert basic["match_share"] == 1
    assert cheat["forfeits"] + broken["forfeits"] == 6
    assert any("extend" in reason for reason in cheat["forfeit_reasons"])
    assert set(broken["forfeit_reasons"]) == {"raised ZeroDivisionError: lost its way"}
    heads = [json.loads(path.read_text().splitlines()[0]) for path in sorted(tmp_path.iterdir())]
    assert len(heads) == 6
    assert all("forfeit" in head["arena"] for head in heads)
    for path in tmp_path.iterdir():
        assert not read_match(path.read_bytes().splitlines(True)).is_over


# ---------------------------------------------------------------- records, checkpoints, the sequential test


def test_records_are_the_games_that_were_played(tmp_path: Path) -> None:
    found = plan("random", "basic", seats=4, games=4, match_target=1500)
    folder = tmp_path / "folder"
    folder.mkdir()
    one = run_arena(found, record=tmp_path / "kept.games.jsonl")
    assert timeless(run_arena(found, record=folder)) == timeless(one)
    files = [folder / f"game-00000{number}.jsonl" for number in range(1, 5)]
    assert sorted(folder.iterdir()) == files
    assert sorted(tmp_path.glob("kept*")) == [tmp_path / f"kept.games-00000{number}.jsonl" for number in range(1, 5)]
    texts = [path.read_bytes() for path in files]
    assert texts == [path.read_bytes() for path in sorted(tmp_path.glob("kept*"))]
    totals = Counter[str]()
    for text in texts:
        match = read_match(text.splitlines(True))
        assert match.is_over
        for side in range(2):
            totals[match.players[side]] += match.totals[side]
    for row in one["results"]:
        assert totals[row["player"]] / one["hands"] == pytest.approx(row["mean_score"], abs=1e-3)


def test_records_need_a_folder(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match=r"there is no folder .*nowhere"):
        Arena(plan(), record=tmp_path / "nowhere" / "games")
    blocked = tmp_path / "games-000001"
    blocked.mkdir()
    with pytest.raises(SaveError, match="games-000001: cannot be written"):
        run_arena(plan(), record=tmp_path / "games")


@pytest.mark.parametrize(("kept", "ladder"), [(1, False), (3, True)])
def test_an_interrupted_run_goes_on_to_the_same_result(tmp_path: Path, kept: int, ladder: bool) -> None:
    players = ("random", "random", "basic") if ladder else ("random", "basic")
    found = plan(*players, games=80 if ladder else 10, match_target=None if ladder else 800, ladder=ladder)
    whole_folder, folder = tmp_path / "whole", tmp_path / "parts"
    whole_folder.mkdir()
    folder.mkdir()
    whole = run_arena(found, record=whole_folder)

    def stop(arena: Arena) -> None:
        if arena.tally.rounds >= kept:
            raise KeyboardInterrupt

    file = tmp_path / "checkpoint"
    with open_workers() as workers:
        arena = Arena(found, record=folder, resume=file)
        with pytest.raises(KeyboardInterrupt):
            arena.run(workers, stop)
        first = arena.report()
        assert not first["complete"] or first["deals"] == 5
        torn = folder / f"game-{first['matches'] + 1:06}.jsonl"
        torn.write_bytes(b"half a line that a killed process left")
        arena = Arena(found, record=folder, resume=file)
        assert arena.tally.rounds == first["deals"] >= kept
        arena.run(workers)
    assert timeless(arena.report()) == timeless(whole)
    files, others = sorted(folder.iterdir()), sorted(whole_folder.iterdir())
    assert [path.name for path in files[: whole["matches"]]] == [path.name for path in others]
    for one, other in zip(files, others, strict=False):
        assert one.read_bytes() == other.read_bytes()
    again = Arena(found, resume=file)  # nothing is left to do
    assert timeless(again.report()) == timeless(whole)


def test_checkpoints_of_other_runs_and_damaged_ones_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint"
    with open_workers() as workers:
        Arena(plan(games=4), resume=file).run(workers)
    assert Arena(plan(games=8), resume=file).tally.games == 4
    for other, message in (
        (plan(games=4, seed="other"), 'its seed is "arena", not "other"'),
        (plan("random", "basic", games=4), "its players is"),
        (plan(games=4, seats=4), "its seats is 2, not 4"),
        (plan(games=4, duplicate=False), "its duplicate is true, not false"),
        (plan(games=2), "already contains 4 games"),
    ):
        with pytest.raises(SaveError, match=message):
            Arena(other, resume=file)
    kept = json.loads(file.read_bytes())
    for rules, message in (
        (kept["plan"]["rules"] | {"goal": 500}, "its goal is 500, not 700"),
        (kept["plan"]["rules"] | {"former_field": 1}, "its former_field is 1, not null"),
    ):
        former = tmp_path / "former"
        former.write_text(json.dumps(kept | {"plan": kept["plan"] | {"rules": rules}}))
        with pytest.raises(SaveError, match=message):
            Arena(plan(games=8), resume=former)
    with pytest.raises(SaveError, match="kept no record"):
        Arena(plan(games=4), resume=file, record=tmp_path / "record")
    pipe = tmp_path / "pipe"
    if hasattr(os, "mkfifo"):
        os.mkfifo(pipe)
        with pytest.raises(SaveError, match="isn't a regular file; it cannot be a checkpoint"):
            Arena(plan(games=4), resume=pipe)
    text = file.read_text()
    large = re.sub(r"^(.*?\[\[0,0,\[0,1\],\[)\d+", rf"\g<1>{10**20}", text)
    for changed, message in (
        (text[:-20], "a checkpoint"),
        ("[]", "a checkpoint"),
        (text.replace("arena/1", "arena/9"), "format"),
        (text.replace("[[0,0,", "[[0,1,"), "don't match those of this run"),
        (text.replace("[[0,0,[0,1]", "[[0,0,[0]"), "damaged"),
        (text.replace("[[0,0,", "[[1e999,0,"), "damaged"),
        (large, "damaged"),
        (text.replace("null]]", '[2,"left"]]]'), "damaged"),
        (text.replace("[[0,0,", f"[[{'9' * 5000},0,"), "a checkpoint"),
        (text.replace("[[0,0,", f"[[{'[' * 90000}{']' * 90000},0,"), "a checkpoint"),
    ):
        file.write_text(changed)
        with pytest.raises(SaveError, match=message):
            Arena(plan(games=4), resume=file)


ODD_VALUES: list[Any] = [None, "x", "", 0, -1, 0.0, 2.5, 10**30, float("nan"), float("inf"), True, [], {}, [1]]


def changed_somewhere(data: Any, rng: random.Random) -> Any:
    """A copy of plain data with an odd value somewhere, or something missing."""
    data = json.loads(json.dumps(data))
    node = data
    while True:
        key = rng.choice(list(node) if isinstance(node, dict) else range(len(node)))
        if not node[key] or not isinstance(node[key], dict | list) or rng.random() < 0.2:
            break
        node = node[key]
    if rng.random() < 0.2:
        del node[key]
    else:
        node[key] = rng.choice(ODD_VALUES)
    return data


@pytest.mark.parametrize("kind", ["usual", "ladder", "test"])
def test_a_run_resumes_from_any_file_or_refuses_it(kind: str, tmp_path: Path) -> None:
    file, rng = tmp_path / "checkpoint", random.Random(kind)
    found = plan("random", "random", games=8, ladder=kind == "ladder")

    def arena() -> Arena:
        return Arena(found, resume=file, sprt=Sprt(0, 50) if kind == "test" else None)

    with open_workers() as workers:
        arena().run(workers)
        whole = file.read_bytes()
        files = [json.dumps(changed_somewhere(json.loads(whole), rng)).encode() for _ in range(30)]
        for data in [*files, *damaged(whole, kind, 20)]:
            file.write_bytes(data)

            def resume() -> None:
                again = arena()
                again.run(workers)
                json.dumps(again.report())

            complaint(resume)


def test_a_ladder_that_no_one_joined_is_damaged(tmp_path: Path) -> None:
    file, found = tmp_path / "checkpoint", plan("random", "random", games=8, ladder=True)
    with open_workers() as workers:
        Arena(found, resume=file).run(workers)
    kept = json.loads(file.read_bytes())
    for joined in ([], [[0, 1]], [[0, 1], [2, 2]]):
        file.write_text(json.dumps(kept | {"joined": joined}))
        with pytest.raises(SaveError, match="this checkpoint is damaged"):
            Arena(found, resume=file)


def test_a_sequential_test_stops_once_it_is_decided() -> None:
    found = plan(games=2000)
    with open_workers() as workers:
        arena = Arena(found, sprt=Sprt(0, 200))
        arena.run(workers)
    report = arena.report()
    assert report["sprt"]["decision"] == "elo1"
    assert report["complete"]
    assert report["matches"] < 200
    assert sum(report["sprt"]["pairs"]) == report["deals"]
    with pytest.raises(MilleBornesError, match="two players"):
        Arena(plan("basic", "random", "random"), sprt=Sprt(0, 5))


def test_the_result_does_not_depend_on_how_the_work_is_cut() -> None:
    found = plan(games=8)
    whole = play_rounds(found, range(4), True).outcomes
    parts = [game for deal in (2, 0, 3, 1) for game in play_rounds(found, [deal], True).outcomes]
    strip = [game._replace(seconds=()) for game in sorted(parts)]
    assert [game._replace(seconds=()) for game in whole] == strip
