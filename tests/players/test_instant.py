"""Nets that play: what they read, their files, and that kernels and the Python face make the same moves."""

import gc
import importlib.resources
import random
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from millebornes.cards import Card
from millebornes.editions import EDITIONS, edition, make_rules
from millebornes.errors import PlayerError
from millebornes.game import Hand, Match
from millebornes.game.move import move_codes
from millebornes.players import Table, player
from millebornes.players.instant import Instant, write_view
from millebornes.policies.batch import KernelPlayer, play_batch, play_one, seats_of
from millebornes.policies.dispatch import NET
from millebornes.policies.features import FEATURES
from millebornes.policies.maxim_weights import tuned
from millebornes.policies.net import (
    FIRST,
    IN_NEEDS,
    INPUTS,
    MAX_INPUTS,
    OUTPUTS,
    RULES_INPUTS,
    VALUE,
    rules_inputs,
    score_moves,
    write_inputs,
)
from millebornes.policies.net_choice import ANY
from millebornes.policies.net_files import SHAPES, Net, load_net
from millebornes.policies.shipped_nets import net_file, shipped_net
from millebornes.search.memory import Memory

pytestmark = pytest.mark.slow  # the kernels take long to compile

TABLES = [(name, *table) for name in EDITIONS for table in edition(name).tables]
SAMPLE = [("classic", 2, 2), ("house", 3, 3), ("mille2", 4, 2)]

LEFT = {"targets": "left"}


def opinionated(seed: int, *, base: float = 0.0) -> Net:
    """A net whose outputs are as random as all the rest."""
    chance = np.random.default_rng(seed)
    arrays: dict[str, Any] = {name: 0.3 * chance.standard_normal(shape) for name, shape in SHAPES.items()}
    return Net(arrays | {"base": np.array(base)})


def replayed(net: Net, name: str, seats: int, sides: int, seed: int, before: Hand | None = None) -> int:
    """Play a hand in kernels and again with the Python faces, move for move; returns the number of moves.

    It is a single hand, or that of a match ``before`` which another one was played.
    """
    rules = make_rules(name, seats, sides)
    seated = KernelPlayer(NET, advice=tuned(rules), net=net.ready(rules))
    target = None if before is None else 2500
    finished = () if before is None else (before,)
    totals = [sheet.total for earlier in finished for sheet in earlier.scores]
    played = play_one(rules, [seated] * seats, seed=seed, first=seed % seats, totals=totals, match_target=target)
    hand = Hand.from_deck(rules, [tuple(Card)[kind] for kind in played.deck], seed % seats)
    match = Match(rules, hand, finished=finished, match_target=target)
    table = Table(match, [Instant(net=net) for _seat in range(seats)], seed)
    for ply, code in enumerate(played.codes):
        seat = table.match.hand.seat
        assert seat is not None
        assert move_codes(rules, rules.side_of(seat)).codes[table.step()] == code, (ply, table.match.hand)
    assert table.match.hand.is_over
    assert [sheet.total for sheet in table.match.hand.scores] == played.scores
    return len(played.codes)


@pytest.mark.parametrize(("name", "seats", "sides"), SAMPLE)
def test_what_runs_in_python_until_it_is_compiled_makes_the_same_moves(
    name: str, seats: int, sides: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("kernels.python_fallback", "players.instant"):
        monkeypatch.setattr(f"millebornes.{module}.is_usable", lambda _what: False)
    monkeypatch.setattr("millebornes.players.instant.begin", lambda *_: None)
    assert replayed(shipped_net(), name, seats, sides, 5) > 40


@pytest.mark.parametrize(("name", "seats", "sides"), SAMPLE)
def test_the_python_face_knows_where_the_match_stands(name: str, seats: int, sides: int) -> None:
    net = opinionated(1)
    hand = Hand.deal(make_rules(name, seats, sides), 8)
    chance = random.Random(1)
    while not hand.is_over:
        hand = hand.play(chance.choice(list(hand.legal_moves)))
    assert replayed(net, name, seats, sides, 3, hand) > 20


def test_a_net_asks_where_the_match_stands() -> None:
    rules = make_rules()
    net = KernelPlayer(NET, net=opinionated(1).ready(rules))
    hands = [
        play_one(rules, [net] * 2, seed=3, totals=totals, match_target=target).codes
        for totals, target in (((0, 0), None), ((1900, 0), None), ((0, 0), 2000), ((1900, 0), 2000), ((0, 1900), 2000))
    ]
    assert hands[0] == hands[1]
    assert len(set(map(tuple, hands))) == 4


@pytest.mark.parametrize(("name", "seats", "sides"), TABLES)
def test_the_python_face_makes_the_moves_of_the_kernel(name: str, seats: int, sides: int) -> None:
    assert replayed(opinionated(2, base=0.7), name, seats, sides, 4) > 20
    assert replayed(shipped_net(), name, seats, sides, 5) > 20


@pytest.mark.parametrize(("name", "seats", "sides"), SAMPLE)
def test_kernels_sum_up_what_the_arrays_say(name: str, seats: int, sides: int) -> None:
    rules = make_rules(name, seats, sides)
    net = opinionated(3)
    a = net.arrays
    hand = Hand.deal(rules, 1)
    chance = random.Random(1)
    record = np.zeros(1, FEATURES)[0]
    memory = Memory(rules)
    memory.start(hand.first)
    several = 0
    while not hand.is_over:
        seat = hand.seat
        assert seat is not None
        view = hand.view(seat)
        codes = sorted(view.legal_moves.code(move) or 0 for move in view.legal_moves)
        write_view(view, codes, record, memory.opponents, weighed=False)
        scores = np.zeros(OUTPUTS, np.float32)
        value = score_moves(record, net.ready(rules).numbers, scores)
        outs = {}
        for n in range(1, 2 if rules.targets == "left" else sides):
            places = np.zeros(MAX_INPUTS, np.uint16)
            count = write_inputs(record, n, places)
            assert len(set(places[:count])) == count
            assert places[:count].max() < INPUTS
            row = np.zeros(INPUTS)
            row[places[:count]] = 1
            wide = row @ a["rows"] + rules_inputs(rules) @ a["rules"]
            first = np.maximum(0, wide[:FIRST] + a["first"])
            second = np.maximum(0, first @ a["second_rows"] + a["second"])
            outs[n] = 100 * (second @ a["out_rows"] + a["out"] + wide[FIRST:])
        wanted = [outs[code // 64 + 1][code % 64] for code in codes]
        several += any(code >= 64 for code in codes)
        np.testing.assert_allclose(scores[: len(codes)], wanted, rtol=1e-3, atol=0.05)
        np.testing.assert_allclose(value, outs[1][VALUE], rtol=1e-3, atol=0.05)
        move = chance.choice(list(view.legal_moves))
        memory.moved(seat, view.legal_moves.code(move) or 0)
        hand = hand.play(move)
    assert (several > 0) == (sides > 2 and rules.targets == "all")


def test_the_rules_are_inputs() -> None:
    all_of_them = {rules_inputs(make_rules(*table)).tobytes() for table in TABLES}
    assert len(all_of_them) == len(TABLES)
    assert rules_inputs(make_rules()).shape == (RULES_INPUTS,)


def test_a_match_that_finishing_wins_is_won() -> None:
    record = np.zeros(1, FEATURES)[0]
    record["codes"][:2], record["count"] = (61, 62), 2
    record["side_count"], record["targets"] = 2, 1
    net = opinionated(1)
    net.arrays["out"][61] = 100
    numbers = net.ready(make_rules()).numbers
    from millebornes.policies.net import best_by_net

    assert best_by_net(record, numbers) == 61
    record["wins"] = 1
    assert best_by_net(record, numbers) == 62


def test_it_tells_what_it_thinks_of_each_move() -> None:
    view, made, other = Hand.deal(make_rules(), 1).view(0), player("instant"), Instant(net=opinionated(1))
    move = made.choose(view, view.legal_moves, random.Random(1))
    other.choose(view, view.legal_moves, random.Random(1))
    told = made.explain()
    points = told["points"]
    assert isinstance(points, dict)
    assert set(points) == {str(legal) for legal in view.legal_moves}
    assert points[str(move)] == max(points.values())
    assert isinstance(told["lead"], int)
    assert told["net"] == "Its net was trained at this table."
    assert "net" not in other.explain()


def test_the_net_that_comes_with_the_program_beats_basic_soundly() -> None:
    rules = make_rules()
    players = [KernelPlayer.named("instant", rules), KernelPlayer.named("basic", rules)]
    points = play_batch(rules, players, [[0, 1], [1, 0]], 400, seed=21).points
    lead = (points[:, 0, 0] - points[:, 0, 1] + points[:, 1, 1] - points[:, 1, 0]).mean() / 2
    assert lead > 60  # some 130; the standard error is 30


def test_at_a_similar_table_it_plays_as_at_the_one_that_it_learned_and_elsewhere_by_the_rules() -> None:
    net, known = shipped_net(), make_rules()
    for settings in ({"tie": "play_on"}, {"targets": "left"}, {"all_safeties_bonus": 700}, {"goal": 500}):
        assert net.ready(make_rules(settings=settings)) is net.ready(known)
    bare = {"25": 20, "50": 20, "roll": 10, "stop": 1, "repairs": 3}
    tables = [make_rules("classic", 5), make_rules(settings={"deck": bare}), make_rules("classic", 3, settings=LEFT)]
    for rules in tables:
        assert net.ready(rules) is net_file(ANY).ready(rules)
    assert len({id(net.ready(rules)) for rules in tables}) == len(tables)


# ------------------------------------------------------------------ files


def test_a_net_from_a_file_plays_as_it_did(tmp_path: Path) -> None:
    path = tmp_path / "own.npz"
    path.write_bytes(opinionated(5, base=0.5).to_bytes())
    net = load_net(path)
    assert net.to_bytes() == path.read_bytes()
    for name, array in opinionated(5, base=0.5).arrays.items():
        np.testing.assert_allclose(net.arrays[name], array, rtol=1e-3, atol=1e-3)
    rules = make_rules()
    named = KernelPlayer.named(f"instant:{path}", rules)
    direct = KernelPlayer(NET, advice=tuned(rules), net=net.ready(rules))
    assert play_one(rules, [named] * 2, seed=4) == play_one(rules, [direct] * 2, seed=4)
    assert isinstance(player(f"instant:{path}"), Instant)


def test_the_nets_that_come_with_the_program_are_small() -> None:
    nets = importlib.resources.files("millebornes.policies") / "nets"
    assert sum(len(net.read_bytes()) for net in nets.iterdir()) < 2**21


def test_files_that_are_no_nets(tmp_path: Path) -> None:
    path = tmp_path / "half.npz"
    with pytest.raises(PlayerError, match=f"{path}: cannot be read .No such file or directory.$"):
        player(f"instant:{path}")
    path.write_bytes(b"no net at all")
    with pytest.raises(PlayerError, match=f"{path}: this file isn't a net, or it is damaged .File is not a zip file.$"):
        player(f"instant:{path}")
    np.savez(path, format=np.array("millebornes-net/9"))
    with pytest.raises(PlayerError, match='the format of a net must be "millebornes-net/3", not "millebornes-net/9"'):
        load_net(path)
    np.savez(path, format=np.array("millebornes-net/3"), rows=np.zeros((2, 3)))
    with pytest.raises(PlayerError, match=r"half.npz: a net's array 'rows' must hold floats .* it is float64 \(2, 3\)"):
        load_net(path)


def test_nets_of_the_earlier_format_play_on_without_asking_for_the_match(tmp_path: Path) -> None:
    rules, path = make_rules(), tmp_path / "earlier.npz"
    arrays: dict[str, Any] = {**opinionated(1).arrays, "rows": opinionated(1).arrays["rows"][:IN_NEEDS]}
    np.savez(path, format=np.array("millebornes-net/2"), **arrays)
    found = load_net(path)
    assert (found.arrays["rows"][:IN_NEEDS] == arrays["rows"]).all()
    assert not found.arrays["rows"][IN_NEEDS:].any()
    net = KernelPlayer(NET, net=found.ready(rules))
    first, second = (
        play_one(rules, [net] * 2, seed=3, totals=totals, match_target=2000) for totals in ((1900, 0), (0, 1900))
    )
    assert first == second
    whole: dict[str, Any] = dict(opinionated(1).arrays)
    np.savez(path, format=np.array("millebornes-net/2"), **whole)
    with pytest.raises(PlayerError, match='the format of a net must be "millebornes-net/3", not "millebornes-net/2"'):
        load_net(path)


def test_a_net_that_kernels_play_by_is_held() -> None:
    rules = make_rules()
    ready = opinionated(1).ready(rules)
    seen = weakref.ref(ready)
    seats = seats_of([KernelPlayer(NET, net=ready)])
    del ready
    gc.collect()
    assert seen() is not None
    del seats
    gc.collect()
    assert seen() is None
    with pytest.raises(PlayerError, match="a player that plays by a net needs the net"):
        seats_of([KernelPlayer(NET)])
