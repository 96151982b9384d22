import random
from collections import Counter
from importlib import metadata

import pytest
from click.testing import CliRunner

from millebornes.cli import cli
from millebornes.editions import make_rules
from millebornes.errors import PlayerError
from millebornes.game import Hand, LegalMoves, Move, View
from millebornes.players import (
    DEFAULT_PLAYER,
    GROUP,
    PLAYERS,
    Basic,
    Player,
    RandomPlayer,
    available,
    play_hand,
    player,
)


class First(Player):
    name = "first"
    summary = "plays the first legal move"

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        return legal[0]


class Unmade(First):
    def __init__(self) -> None:
        raise RuntimeError("no model\nfile")


@pytest.fixture
def foreign(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players that other packages bring, three of them broken, one under a name that is taken."""
    here = __name__
    values = {
        "first": f"{here}:First",
        "unmade": f"{here}:Unmade",
        "missing": "a_module_that_is_not_there:Player",
        "no-player": f"{here}:GROUP",
        "basic": f"{here}:First",
    }
    points = metadata.EntryPoints(metadata.EntryPoint(name, value, GROUP) for name, value in values.items())
    monkeypatch.setattr(metadata.EntryPoint, "load", _load)
    monkeypatch.setattr(metadata, "entry_points", lambda **wanted: points.select(**wanted))


def _load(point: metadata.EntryPoint) -> object:
    if point.module == __name__:
        return globals()[point.attr]
    raise ModuleNotFoundError(f"No module named {point.module!r}")


def test_the_built_in_players_are_made_by_name() -> None:
    assert set(PLAYERS) >= {"basic", "maxims", "random", "beginner", "advanced"}
    assert type(player("basic")) is Basic
    assert type(player("random")) is RandomPlayer
    assert player("basic") is not player("basic")
    assert DEFAULT_PLAYER == "casual"
    for name, made in PLAYERS.items():
        assert made.name == name
        assert made.summary


@pytest.mark.parametrize(
    ("name", "hint"),
    [("basci", "did you mean 'basic'"), ("RANDOM", "did you mean 'random'"), ("x", "the players are random, ")],
)
def test_an_unknown_player_is_refused_with_what_was_meant(name: str, hint: str) -> None:
    with pytest.raises(PlayerError, match=f"there is no player '{name}'; {hint}"):
        player(name)


def test_a_long_name_is_cut_short() -> None:
    with pytest.raises(PlayerError) as caught:
        player("x" * 5000)
    assert len(str(caught.value)) < 250


@pytest.mark.usefixtures("foreign")
def test_players_of_other_packages_play() -> None:
    assert isinstance(player("first"), First)
    hand = play_hand(Hand.deal(make_rules(), 1), [player("first"), player("basic")], 1)
    assert hand.is_over


@pytest.mark.usefixtures("foreign")
def test_broken_players_are_reported_and_hurt_nobody() -> None:
    found = available()
    assert list(found)[: len(PLAYERS)] == list(PLAYERS)
    assert found["first"].summary == First.summary
    assert found["first"].problem is None
    assert "No module named 'a_module_that_is_not_there'" in str(found["missing"].problem)
    assert "a subclass of millebornes.players.Player" in str(found["no-player"].problem)
    for name in ("missing", "no-player"):
        with pytest.raises(PlayerError, match=f"the player '{name}'"):
            player(name)
    with pytest.raises(PlayerError, match="the player 'unmade' could not be created: RuntimeError: no model file"):
        player("unmade")
    with pytest.raises(PlayerError, match="did you mean 'missing'"):
        player("missin")


@pytest.mark.usefixtures("foreign")
def test_a_built_in_name_cannot_be_taken() -> None:
    assert isinstance(player("basic"), Basic)
    assert available()["basic"].source == "built-in"
    taken = available()[f"basic ({__name__}:First)"]
    assert taken.problem == (
        f"the player 'basic' of the package '{__name__}:First' is refused: a built-in player has this name; "
        "the package must choose another one"
    )
    said = CliRunner().invoke(cli, ["arena", "--player", "basic", "--player", "random", "--hands", "2"])
    assert said.exit_code == 0
    assert said.stderr == f"millebornes: {taken.problem}\n"


def test_random_makes_each_legal_move_equally_often() -> None:
    hand = Hand.deal(make_rules(), 5)
    legal, seated, rng = hand.legal_moves, player("random"), random.Random(1)
    assert hand.seat is not None
    view = hand.view(hand.seat)
    counts = Counter(seated.choose(view, legal, rng) for _ in range(1000 * len(legal)))
    assert set(counts) == set(legal)
    expected = 1000
    chi_squared = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi_squared < 3 * len(legal)
