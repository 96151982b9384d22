"""Strangers: the same seed gives the same player, the parts differ, and every one of them plays a hand."""

import pytest

from millebornes.cards import Card
from millebornes.editions import make_rules
from millebornes.game.hand import Hand
from millebornes.game.move import move_codes
from millebornes.policies.batch import decision_chance, play_batch, play_one
from millebornes.policies.heuristic import Weights
from millebornes.policies.maxim_weights import Advice
from millebornes_research.pool.strangers import PARTS, STYLES, Stranger, StrangerPlayer

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
        played = play_one(rules, [each.player(rules) for each in strangers], seed=number)
        deck = tuple(tuple(Card)[kind] for kind in played.deck)
        hand, seated = Hand.from_deck(rules, deck, 0), [StrangerPlayer(each) for each in strangers]
        for seat, one in enumerate(seated):
            dealt = deck[seat : rules.seats * rules.hand_size : rules.seats]
            one.hand_started(1, 0, (0,) * rules.sides, tuple(sorted(dealt)))
        for ply, code in enumerate(played.codes):
            assert hand.seat is not None
            view = hand.view(hand.seat)
            move = seated[hand.seat].choose(view, view.legal_moves, decision_chance(number, 1, ply))
            assert move_codes(rules, rules.side_of(hand.seat)).codes[move] == code, (strangers[hand.seat], ply)
            hand = hand.play(move)
