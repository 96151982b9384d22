"""The champion plays every table, by what its seat knows, and as its options say."""

import random
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from millebornes.editions import Rules, edition, make_rules
from millebornes.errors import PlayerError
from millebornes.game import Hand, LegalMoves, Match, Move, View
from millebornes.players import Player, Table, player
from millebornes.players.champion import Champion
from millebornes.players.instant import Instant
from millebornes.policies.match_equity import stakes_of
from millebornes.policies.net_files import Net
from millebornes.rules.state import STATE
from millebornes.search.endgames import EndgameSolver
from millebornes.search.settings import SearchSettings, parse_settings

pytestmark = pytest.mark.slow  # the kernels of the search take long to compile

TABLES = [
    ("classic", 2, 2), ("classic", 6, 3), ("bsd", 2, 2), ("mille2", 2, 2), ("wikibooks", 3, 3), ("house", 4, 4)
]  # fmt: skip


@pytest.mark.parametrize(("name", "seats", "sides"), TABLES)
def test_plays_a_hand_at_every_table(name: str, seats: int, sides: int) -> None:
    rules = edition(name).rules(seats, sides)
    players = [player("champion:rollouts=40"), *(player("maxims") for _seat in range(1, seats))]
    match = Table(Match.start(rules, seed=7), players, 7).play_hand()
    assert match.hand.is_over


def test_the_same_seed_gives_the_same_hand() -> None:
    def moves(seed: int) -> list[str]:
        players = [player("champion:rollouts=100"), player("champion:rollouts=60,no-beliefs")]
        return [str(move) for move in Table(Match.start(make_rules(), seed=4), players, seed).play_hand().hand.moves]

    assert moves(1) == moves(1)


def test_knows_nothing_but_its_view() -> None:
    rules = make_rules()
    deck = list(Hand.deal(rules, seed=11).deck)
    first = Hand.from_deck(rules, deck)
    hidden = [place for place in range(rules.cards) if (place % 2 == 1 and place < 12) or place > 12]
    random.Random(3).shuffle(shuffled := [deck[place] for place in hidden])
    for place, card in zip(hidden, shuffled, strict=True):
        deck[place] = card
    second = Hand.from_deck(rules, deck)
    assert first.view(0) == second.view(0)
    assert first.cards(1) != second.cards(1)
    chosen = []
    for hand in (first, second):
        champion = player("champion:rollouts=300")
        chosen.append(champion.choose(hand.view(0), hand.legal_moves, random.Random(1)))
        told = champion.explain()
        assert told["first"] in hand.legal_moves.texts
        chosen.append(told)  # type: ignore[arg-type]
    assert chosen[:2] == chosen[2:]


def test_tells_what_it_found() -> None:
    hand = Hand.deal(make_rules(), seed=7)
    champion = player("champion:rollouts=600")
    assert champion.explain() == {}
    move = champion.choose(hand.view(0), hand.legal_moves, random.Random(1))
    told = champion.explain()
    moves = told["moves"]
    assert isinstance(moves, dict)
    assert set(moves) == set(hand.legal_moves.texts)
    assert moves[told["first"]]["lead"] == 0
    assert sum(known["worlds"] for known in moves.values()) <= 600
    assert moves[str(move)]["worlds"] == max(known["worlds"] for known in moves.values())


@pytest.mark.parametrize(
    "rules", [make_rules("bsd"), make_rules("classic", 4), make_rules("classic", 3, 3, {"targets": "left"})], ids=str
)
def test_starts_from_what_the_net_would_do(rules: Rules) -> None:
    compared = []

    class Both(Champion):
        def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
            move = super().choose(view, legal, rng)
            instant = Instant()
            instant._memory = self.memory_for(view.rules)
            if len(legal) > 1:
                compared.append((self.explain()["first"], instant.choose(view, legal, rng).text))
            return move

    for seed in range(2):
        seated = [Both("rollouts=40") for _seat in range(rules.seats)]
        Table(Match.start(rules, seed=seed), seated, seed).play_hand()
    assert [first for first, _ in compared] == [choice for _, choice in compared]
    assert len(compared) > 50


def test_the_net_makes_the_next_moves_in_rollouts(tmp_path: Path) -> None:
    as_maxims = tmp_path / "maxims.npz"
    as_maxims.write_bytes(Net.random(0, base=1.0).to_bytes())

    def found(options: str) -> list[Mapping[str, object]]:
        told = []

        class Telling(Champion):
            def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
                super().choose(view, legal, rng)
                told.append(self.explain())
                return legal[0]

        players = [Telling(f"rollouts=150,{options}"), player("maxims")]
        Table(Match.start(make_rules(), seed=8), players, 8).play_hand()
        return told

    assert found(f"net={as_maxims},ahead=5") == found(f"net={as_maxims},ahead=0")
    assert found("ahead=5") != found("ahead=0")


def test_options() -> None:
    assert parse_settings("") == SearchSettings()
    assert parse_settings("time=30, points") == SearchSettings(milliseconds=30, match=False)
    assert parse_settings("rollouts=500,no-beliefs,caution=1") == SearchSettings(None, 500, beliefs=False, caution=1.0)
    assert parse_settings("no-priors,no-net") == SearchSettings(priors=False, net=None)
    assert parse_settings("net=own.npz,ahead=0") == SearchSettings(net="own.npz", net_plies=0)
    assert parse_settings("model=net") == SearchSettings(model="net")


def test_threads_change_no_result() -> None:
    hand = Hand.deal(make_rules(), seed=9)
    told = []
    for options in ("rollouts=900", "rollouts=900,threads=3"):
        champion = player(f"champion:{options}")
        champion.choose(hand.view(0), hand.legal_moves, random.Random(1))
        told.append(champion.explain())
        champion.close()
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("fast", "no option 'fast'"),
        ("net=", "no option 'net='"),
        ("net=no.npz", "no.npz: cannot be read"),
        ("time=", "time='' isn't a whole number from 1 to 10000000"),
        ("time=0", "time='0' isn't a whole number"),
        ("rollouts=" + "9" * 5000, "9999' isn't a whole number from 1 to 10000000"),
        ("rollouts=-5", "rollouts='-5' isn't a whole number"),
        ("rollouts=²", "rollouts='²' isn't a whole number"),
        ("model=", "model='' is not allowed; it must be one of mixture, net, maxims"),
        ("model=nets", "model='nets' is not allowed"),
        ("caution=x", "caution='x' isn't a number from 0 to 100"),
        ("caution=nan", "caution='nan' isn't a number from 0 to 100"),
    ],
)
def test_wrong_options(options: str, said: str) -> None:
    with pytest.raises(PlayerError, match=said):
        player(f"champion:{options}")


def test_the_end_of_a_hand_is_solved() -> None:
    """With an empty draw pile two seats hide nothing; what the search then says is what going through all finds."""
    rules = make_rules()
    solver, found, compared = EndgameSolver(rules), [], 0

    class Ending(Champion):
        def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
            move = super().choose(view, legal, rng)
            told = self.explain()
            assert bool(told.get("proven")) == (view.draw_pile == 0 and len(legal) > 1)
            found.append((move, told))
            return move

    for seed in range(30):
        players: list[Player] = [Ending("rollouts=20"), player("maxims")]
        match = Table(Match.start(rules, seed=seed, match_target=None), players, seed).play_hand()
        hand = match.hand
        while (parent := hand.parent) is not None:
            move, hand = hand.move, parent
            if hand.seat == 0:
                made, told = found.pop()
                assert made == move
                if "proven" in told:
                    codes = np.array([hand.legal_moves.code(other) for other in hand.legal_moves])
                    solved = solver.solve(np.frombuffer(hand.state, STATE), codes, stakes_of(rules, 0))
                    assert solved is not None
                    assert solved.values[list(hand.legal_moves).index(made)] == solved.values.max()
                    compared += 1
        if compared > 12:
            return
    pytest.fail("too few endgames")
