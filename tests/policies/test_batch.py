import dataclasses
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from millebornes.cards import Card
from millebornes.editions import EDITIONS, Rules, edition, make_rules
from millebornes.errors import PlayerError
from millebornes.game import Hand, View
from millebornes.game.move import move_codes
from millebornes.players import player
from millebornes.players.maxims import Maxims
from millebornes.policies import maxim_keeping
from millebornes.policies.batch import KernelPlayer, KernelRandom, play_batch, play_one, seats_of
from millebornes.policies.dispatch import choose_code, workspace_for
from millebornes.policies.levels import LEVELS
from millebornes.policies.maxim_weights import Advice
from millebornes.rules.shuffling import GENERATOR, random_word
from millebornes.rules.state import STATE
from tests.policies.replays import deal_hidden_anew, replayed

U = np.uint64
TABLES = [(name, *table) for name in EDITIONS for table in edition(name).tables]
NAMES = ("random", "basic", "maxims", *LEVELS)
KNOBS: list[dict[str, Any]] = [
    {"roll_200": True},
    {"targets": "left"},
    {"coup_by": "anyone"},
    {"opening_right_of_way": True},
    {"discard_safeties": False},
    {"hand_end": "points"},
    {"hand_end": "plays"},
    {"safety_gives_roll": True},
    {"hand_size": 3},
    {"goal": 100, "extension_goal": 125},
    {"hazard_on": "stack", "right_of_way_clears": False},
    {"deck": {"25": 40, "roll": 30, "stop": 20, "100": 15, "gasoline": 6}, "hand_size": 4},
]


def replayed_by_name(rules: Rules, names: list[str], seed: int, *, streams: bool = False) -> int:
    kernels = [KernelPlayer.named(name, rules) for name in names]
    return replayed(rules, kernels, [player(name) for name in names], seed, streams=streams)


@pytest.mark.parametrize(("name", "seats", "sides"), TABLES)
def test_the_same_moves_as_the_python_faces(name: str, seats: int, sides: int) -> None:
    rules = make_rules(name, seats, sides)
    mixed = random.Random(f"{name} {seats} {sides}")
    for seed in range(4):
        names = [mixed.choice(NAMES) for _ in range(seats)]
        assert replayed_by_name(rules, names, seed, streams=seed % 2 == 1) > 20
    assert name != "classic" or all(replayed_by_name(rules, [each] * seats, 7) > 20 for each in NAMES)


@pytest.mark.parametrize("settings", KNOBS, ids=str)
def test_the_same_moves_with_every_setting(settings: dict[str, Any]) -> None:
    for seats in (2, 3):
        rules = make_rules("classic", seats, settings=settings)
        for seed, name in enumerate(("basic", "maxims", "novice", "advanced")):
            replayed_by_name(rules, [name, "random", *["maxims"] * (seats - 2)], seed)


def test_other_hands_and_the_draw_pile_change_nothing() -> None:
    """A kernel player sees what its seat sees: hidden cards may be dealt anew without another move."""
    rules = make_rules("classic", 4)
    chance = random.Random(3)
    names = ["maxims", "basic", "beginner", "advanced"]
    played = play_one(rules, [KernelPlayer.named(name, rules) for name in names], seed=11)
    hand = Hand.from_deck(rules, [tuple(Card)[kind] for kind in played.deck])
    looked = 0
    for code in played.codes:
        seat = hand.seat
        assert seat is not None
        view = hand.view(seat)
        if looked % 5 == 0 and view.phase.name == "PLAY":
            state = np.frombuffer(hand.state, STATE).copy()
            seen = kernel_choice(rules, state, names[seat], view)
            assert seen == code or names[seat] in LEVELS  # these are also moved by chance
            for _ in range(4):
                deal_hidden_anew(state[0], rules, seat, chance)
                assert kernel_choice(rules, state, names[seat], view) == seen
        looked += 1
        hand = hand.play(next(m for m, c in move_codes(rules, rules.side_of(seat)).codes.items() if c == code))
    assert looked > 50


def kernel_choice(rules: Rules, state: Any, name: str, view: View) -> int:
    """What a kernel player does in a state."""
    workspace = workspace_for(rules)
    deal = workspace.deals[0]
    deal["public"][: len(Card)] = [view.discards[card] + view.played[card] for card in Card]
    seated = seats_of([KernelPlayer.named(name, rules)])[0]
    choose: Callable[..., int] = choose_code
    return choose(state[0], deal, seated, workspace.work[0])


def test_a_batch_is_the_same_in_parts_and_in_any_company() -> None:
    rules = make_rules()
    players = [KernelPlayer.named(name, rules) for name in ("maxims", "basic", "random")]
    lineups = [[0, 1], [1, 0], [2, 2]]
    whole = play_batch(rules, players, lineups, 30, seed=4)
    parts = [play_batch(rules, players, lineups[:2], 15, seed=4, begin=begin).points for begin in (0, 15)]
    assert (np.concatenate(parts) == whole.points[:, :2]).all()
    assert whole.hands == 90
    assert not (play_batch(rules, players, lineups, 30, seed=5).points == whole.points).all()


def test_matches_go_to_their_target() -> None:
    rules = make_rules("mille2")
    players = [KernelPlayer.named(name, rules) for name in ("maxims", "basic")]
    found = play_batch(rules, players, [[0, 1], [1, 0]], 20, seed=1, match_target=5000)
    best = found.points.max(axis=2)
    assert (best >= 5000).all()
    assert (found.points.min(axis=2) < best).all()  # R8.2: ties are played on here
    assert found.hands > 40 * 2


def test_streams_leave_single_hands_as_likely_and_make_line_ups_easier_to_compare() -> None:
    rules = make_rules()
    players = [KernelPlayer.named(name, rules) for name in ("maxims", "basic")]
    found = [
        play_batch(rules, players, [[0, 1], [1, 0]], 3000, seed=seed, streams=streams).points
        for seed, streams in ((1, False), (2, True))
    ]
    for weights in ([0.5, 0.5], [1, -1]):
        a, b = (points[:, 0] @ weights for points in found)
        assert abs(a.mean() - b.mean()) < 4 * np.hypot(a.std(), b.std()) / np.sqrt(len(a))
    plain, streamed = (float((p[:, 0, 0] - p[:, 0, 1] + p[:, 1, 1] - p[:, 1, 0]).std()) for p in found)
    assert streamed < plain


def test_the_kernels_generator_in_python() -> None:
    generators = np.zeros(1, GENERATOR)
    generators["word"] = 99
    chance = KernelRandom(99)
    assert [chance.getrandbits(64) for _ in range(20)] == [int(random_word(generators[0])) for _ in range(20)]
    assert len({KernelRandom(word).randrange(6) for word in range(60)}) == 6


@pytest.mark.parametrize("name", ["cmd:x", "human", "basic:points", "random:"])
def test_others_cannot_play_inside_kernels(name: str) -> None:
    with pytest.raises(PlayerError, match="cannot play inside kernels"):
        KernelPlayer.named(name, make_rules())


@pytest.mark.parametrize("line", [[0], [0, 0, 0], [0, 1], [-1, 0]])
def test_line_ups_name_players_for_all_seats(line: list[int]) -> None:
    with pytest.raises(PlayerError, match="line-up"):
        play_batch(make_rules(), [KernelPlayer.named("basic", make_rules())], [line], 1, seed=1)


def test_looked_up_cases_are_those_of_the_plain_maxims() -> None:
    chance = random.Random(8)
    advice = Advice(*(chance.randint(-90, 90) for _ in Advice._fields))
    seated = seats_of([KernelPlayer(2, advice=advice)])[0]["advice"]
    plain = {
        "distance_cases": [
            maxim_keeping.keeping_distance(case, advice) for case in range(maxim_keeping.DISTANCE_CASES)
        ],
        "hazard_cases": [maxim_keeping.keeping_hazard(case, advice) for case in range(maxim_keeping.HAZARD_CASES)],
        "remedy_cases": [maxim_keeping.keeping_remedy(case, advice) for case in range(maxim_keeping.REMEDY_CASES)],
    }
    for name, worths in plain.items():
        assert seated[name].tolist() == worths
        assert len(set(worths)) > 20
        cheapest = seated["cheapest_" + name.removesuffix("_cases")]
        assert cheapest <= min(worth for case, worth in enumerate(worths) if case & 7 in (1, 2, 3))
        assert cheapest <= advice.keep_safety


@pytest.mark.parametrize("table", ["classic 2", "classic 3", "mille2 2"])
def test_the_same_moves_by_any_advice(table: str) -> None:
    """Also where kernels skip the discards because a play is worth more than any of them can be."""
    chance = random.Random(table)
    name, seats = table.split()
    rules = make_rules(name, int(seats))
    usual = KernelPlayer.named("maxims", rules)
    for seed in range(15):
        advice = Advice(*(chance.randint(-90, 90) for _ in Advice._fields))
        kernels = [dataclasses.replace(usual, advice=advice)] * rules.seats
        assert replayed(rules, kernels, [Maxims(advice=advice) for _ in kernels], seed) > 20
