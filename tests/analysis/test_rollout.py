import importlib.util
import json
import math
import os
import random
from pathlib import Path

import pytest

from millebornes import Hand, InformationState, Match, View, make_rules
from millebornes.analysis.analyst import Stop, StopRules
from millebornes.analysis.reading import read_position
from millebornes.analysis.records import MoveEstimate
from millebornes.analysis.rollouts import RolloutCache, RolloutRun, rollout
from millebornes.arena.executors import open_workers
from millebornes.errors import MilleBornesError, NotationError, PlayerError
from millebornes.players import Table, player
from millebornes.schema.exercises import Objective

pytestmark = pytest.mark.slow  # real browsers, servers and compiling take long


@pytest.fixture(scope="module")
def hand() -> Hand:
    """A hand in its middle."""
    table = Table(Match.start(make_rules(), "rollout"), [player("maxims"), player("maxims")])
    played = table.play_hand().hands[0]
    return next(played.at(ply) for ply in range(31, played.ply) if len(played.at(ply).legal_moves) > 3)


def seat_of(hand: Hand) -> int:
    assert hand.seat is not None
    return hand.seat


def late_hand(pile: int) -> Hand:
    """A hand in which so many cards are left to draw, and something is to be decided."""
    for seed in range(20):
        table = Table(Match.start(make_rules(), f"late {seed}"), [player("random"), player("random")])
        played = table.play_hand().hands[0]
        for then in map(played.at, range(played.ply)):
            if len(then.legal_moves) > 2 and then.view(seat_of(then)).draw_pile == pile:
                return then
    raise AssertionError(pile)


def figures(moves: tuple[MoveEstimate, ...]) -> dict[str, MoveEstimate]:
    return {move.move.text: move for move in moves}


# ---------------------------------------------------------------- what it says is true


def test_a_rollout_is_the_mean_over_all_draw_piles_where_these_can_be_counted() -> None:
    """Two kinds of pile, each as likely, and what follows from either played by the same player."""
    late = late_hand(2)
    first, second = str(late).split(" ")[3].replace("*2", "," + str(late).split(" ")[3].partition("*")[0]).split(",")
    means = dict.fromkeys((move.text for move in late.legal_moves), 0.0)
    for draw in (f"{first},{second}", f"{second},{first}"):
        parts = str(late).split(" ")
        parts[3] = draw if first != second else f"{first}*2"
        start = Hand.parse(" ".join(parts))
        for move in start.legal_moves:
            means[move.text] += played_on(start.play(move), seat_of(start)) / 2
    found = figures(rollout(late, StopRules(worlds=2048), player="maxims").moves)
    assert set(found) == set(means)
    for text, mean in means.items():
        assert abs(found[text].value - mean) <= 4 * found[text].stderr + 1e-6, text


def played_on(hand: Hand, seat: int) -> float:
    """By how much a side leads when the maxims play a hand to its end."""
    maxims = player("maxims")
    while hand.seat is not None:
        view = hand.view(hand.seat)
        hand = hand.play(maxims.choose(view, view.legal_moves, random.Random(0)))
    side = hand.rules.side_of(seat)
    return float(hand.scores[side].total - hand.scores[1 - side].total)


def test_estimates_are_the_same_with_luck_taken_off_and_without(hand: Hand) -> None:
    state = InformationState.of(hand, seat_of(hand))
    for position in (hand, state):
        less = rollout(position, StopRules(worlds=2048), player="maxims")
        plain = rollout(position, StopRules(worlds=2048), player="maxims", variance_reduction=False, seed=2)
        others = figures(plain.moves)
        best = less.moves[0]
        other = others[best.move.text]
        assert abs(best.value - other.value) < 4 * math.hypot(best.stderr, other.stderr)
        assert abs(best.win_hand - other.win_hand) < 4 * math.hypot(
            best.win_hand_stderr or 0, other.win_hand_stderr or 0
        )
        for move in less.moves[1:]:
            found = others[best.move.text].value - others[move.move.text].value
            error = math.hypot(move.loss_stderr, other.stderr, others[move.move.text].stderr)
            assert abs(move.loss - found) < 4 * error
        if position is hand:  # what hands sampled by chains add to the error is the same without
            assert best.stderr < other.stderr
        assert less.variance_ratio is not None
        assert plain.variance_ratio is not None
        assert less.variance_ratio > 5
        assert 0.7 < plain.variance_ratio < 1.2


@pytest.mark.once
def test_standard_errors_are_by_how_much_seeds_differ(hand: Hand) -> None:
    state = InformationState.of(hand, seat_of(hand))
    found = [figures(rollout(state, StopRules(worlds=128), seed=seed, player="maxims").moves) for seed in range(12)]
    text = max(found[0], key=lambda name: found[0][name].worlds)
    values = [one[text].value for one in found]
    mean = sum(values) / len(values)
    spread = math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
    told = sum(one[text].stderr for one in found) / len(found)
    assert 0.5 * told < spread < 2 * told


def test_open_cards_are_taken_as_they_lie(hand: Hand) -> None:
    """Of two hands that look the same to the seat, one that makes it worse is told from the other."""
    seat = seat_of(hand)
    state = InformationState.of(hand, seat)
    hands = [state.consistent_hand(random.Random(seed)) for seed in range(4)]
    values = {round(rollout(one, StopRules(worlds=512), player="maxims").moves[0].value, 6) for one in hands}
    assert len(values) > 1
    seen = {rollout(one.view(seat), StopRules(worlds=64)).moves for one in hands}
    assert len(seen) == 1


def test_the_end_of_a_hand_is_proven() -> None:
    found = rollout(late_hand(0), StopRules(worlds=64))
    proven = [move.proven or 0.0 for move in found.moves]
    assert all(move.proven is not None for move in found.moves)
    assert proven == sorted(proven, reverse=True)
    for move in found.moves:
        assert (move.value, move.stderr, move.win_hand_stderr) == (move.proven, 0.0, 0.0)
        assert move.loss == proven[0] - move.value
        assert move.win_hand == (move.value > 0) + 0.5 * (move.value == 0)
    told = json.loads(json.dumps(found.to_dict()))
    assert {"moves", "worlds", "variance_ratio"} <= set(told)
    assert {"move", "value", "stderr", "win_hand", "n"} <= set(told["moves"][0])


# ---------------------------------------------------------------- the same seed, the same figures


@pytest.mark.once
def test_processes_find_the_same(hand: Hand) -> None:
    state = InformationState.of(hand, seat_of(hand))
    stop = StopRules(worlds=512 * 5 + 100)
    alone = rollout(state, stop, seed="jobs")
    two = rollout(state, stop, seed="jobs", jobs=2)
    assert alone.moves == two.moves
    assert alone.variance_ratio == two.variance_ratio
    assert alone.worlds == two.worlds == 512 * 5 + 100
    assert rollout(state, stop, seed="other").moves != alone.moves


@pytest.mark.once
@pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="Dask is not installed")
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_cluster_finds_the_same(hand: Hand) -> None:
    from distributed import LocalCluster

    stop = StopRules(worlds=1536)
    alone = rollout(hand, stop)
    run = RolloutRun(hand, stop)
    with (
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
        ) as cluster,
        open_workers(cluster=cluster.scheduler_address) as workers,
    ):
        run.run(workers)
    assert run.current_result().moves == alone.moves


# ---------------------------------------------------------------- when it ends


def test_it_ends_by_the_first_rule_that_is_met(hand: Hand) -> None:
    by_worlds = rollout(hand, StopRules(worlds=700, error=1e-3, sigmas=1e9, seconds=1e9))
    assert (by_worlds.stopped, by_worlds.worlds) == (Stop.WORLDS, 700)
    by_error = rollout(hand, StopRules(error=25.0, sigmas=1e9))
    assert by_error.stopped is Stop.ERROR
    assert 0 <= by_error.moves[1].loss_stderr <= 25.0
    by_time = rollout(hand, StopRules(seconds=1e-6))
    assert (by_time.stopped, by_time.worlds) == (Stop.TIME, 512)


def test_limits_that_are_none_are_refused(hand: Hand) -> None:
    for wrong, said in (
        (StopRules(worlds=0), "worlds: 0 is not allowed; it must be a whole number from 1"),
        (StopRules(error=0.0), "error: 0.0 is not allowed; it must be a number above 0"),
        (StopRules(sigmas=math.nan), "sigmas"),
        (StopRules(seconds=math.inf), "seconds"),
    ):
        with pytest.raises(MilleBornesError, match=said):
            rollout(hand, wrong)
    with pytest.raises(PlayerError, match="cannot play inside kernels"):
        rollout(hand, player="champion")
    with pytest.raises(PlayerError, match="without a match target"):
        rollout(hand, objective=Objective.MATCH)


def test_a_match_is_weighed_by_chances() -> None:
    match = Match.start(make_rules(), "chances", match_target=5000)
    seat = seat_of(match.hand)
    found = rollout(match.view(seat), StopRules(worlds=256))
    assert found.objective is Objective.MATCH
    assert all(move.win_match is not None and 0 < move.win_match < 1 for move in found.moves)
    assert found.moves[-1].loss < 1
    points = rollout(match.view(seat), StopRules(worlds=256), objective=Objective.POINTS)
    assert points.objective is Objective.POINTS
    assert {move.win_match for move in points.moves} == {None}


# ---------------------------------------------------------------- positions


def test_positions_are_read_by_their_fields(hand: Hand) -> None:
    seat = seat_of(hand)
    for position in (hand, hand.view(seat), InformationState.of(hand, seat)):
        found = read_position(f"{position}\n")
        assert (type(found), found) == (type(position), position)
    for wrong in ("", "classic/2x2", "a b c d e f g h", str(hand) + " 1"):
        with pytest.raises(NotationError, match="a position is one line"):
            read_position(wrong)


def test_where_nobody_decides_there_is_nothing_to_play_out(hand: Hand) -> None:
    over = hand
    while over.seat is not None:
        over = over.play(over.legal_moves[0])
    with pytest.raises(PlayerError, match="the hand is over"):
        rollout(over)
    with pytest.raises(PlayerError, match="nothing to decide here"):
        rollout(View.parse(str(hand.view(1 - seat_of(hand)))))


# ---------------------------------------------------------------- the cache


@pytest.fixture(scope="module")
def run(hand: Hand) -> RolloutRun:
    """A rollout that is done."""
    run = RolloutRun(hand, StopRules(worlds=64))
    with open_workers() as workers:
        run.run(workers)
    return run


def test_what_was_found_is_found_again(
    run: RolloutRun, hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = RolloutCache(tmp_path / "rollouts")
    assert cache.find(run) is None
    cache.keep(run)
    assert cache.find(RolloutRun(hand, StopRules(worlds=64, seconds=60))) == run.current_result()
    others = (
        RolloutRun(hand, StopRules(worlds=65)),
        RolloutRun(hand, StopRules(worlds=64), seed=1),
        RolloutRun(hand, StopRules(worlds=64), player="maxims"),
        RolloutRun(hand, StopRules(worlds=64), variance_reduction=False),
        RolloutRun(hand.view(seat_of(hand)), StopRules(worlds=64)),
    )
    assert [cache.find(other) for other in others] == [None] * len(others)

    def refuse(path: Path) -> None:
        raise PermissionError(path)

    monkeypatch.setattr(os, "utime", refuse)  # the folder is read-only
    assert cache.find(run) == run.current_result()


def test_damaged_and_unfinished_results_are_none(
    run: RolloutRun, hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = RolloutCache(tmp_path)
    cache.keep(run)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    for damaged in (b"", whole[:-1], whole.replace(b"64", b"65"), b"\xff" * 100):
        path.write_bytes(damaged)
        assert cache.find(RolloutRun(hand, StopRules(worlds=64))) is None
    cache.keep(run)
    assert cache.find(RolloutRun(hand, StopRules(worlds=64))) == run.current_result()
    path.unlink()
    monkeypatch.setattr(run, "stopped", Stop.TIME)
    cache.keep(run)
    assert not list(tmp_path.iterdir())


def test_the_oldest_results_go_when_there_is_no_room(run: RolloutRun, hand: Hand, tmp_path: Path) -> None:
    cache = RolloutCache(tmp_path, room=3 * 4096)
    runs = [RolloutRun(hand, StopRules(worlds=64), seed=seed) for seed in range(5)]
    for other in runs:
        other.__dict__.update({**run.__dict__, "seed": other.seed})
        cache.keep(other)
    assert len(list(tmp_path.iterdir())) == 3
    assert cache.find(runs[-1]) is not None
    assert cache.find(runs[0]) is None


def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(run: RolloutRun, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    cache = RolloutCache(tmp_path / "file")
    cache.keep(run)
    assert cache.find(run) is None
