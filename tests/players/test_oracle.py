"""The player that sees everything: what it expects is what comes, and nobody else gets to see what it sees."""

import itertools
import random
from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Any

import pytest

from millebornes.arena import duplicate
from millebornes.arena.kernel_games import kernel_games_of
from millebornes.arena.schedule import Plan
from millebornes.cards import Card
from millebornes.editions import EDITIONS, Rules, edition, make_rules
from millebornes.errors import PlayerError
from millebornes.game import Hand, LegalMoves, Match, Move, View
from millebornes.notation import read_transcript
from millebornes.players import (
    FULL_INFORMATION_PLAYERS,
    GROUP,
    PLAYERS,
    ExternalPlayer,
    FullInformationPlayer,
    Oracle,
    Player,
    Table,
    available,
    is_full_information,
    play_hand,
    player,
)
from millebornes.policies.match_equity import equity_for
from tests.arena.reporting import run_arena

pytestmark = pytest.mark.slow  # the kernels take long to compile

TABLES = [(name, *table) for name in EDITIONS for table in edition(name).tables]


def plan(*players: str, rules: Rules | None = None, **settings: Any) -> Plan:
    return Plan(rules=rules or make_rules(), players=players, **{"games": 2, "seed": "oracle", **settings})


class Watched(Oracle):
    """Keeps what it expected at each decision of the hand, and compares it with what came."""

    def __init__(self, options: str = "") -> None:
        super().__init__(options)
        self.side = 0
        self.sides = 0
        self.expected: list[tuple[int, ...]] = []
        self.hands = 0
        self.changes = 0
        self.next_first = 0
        self.totals: tuple[int, ...] = ()

    def match_started(self, seat: int, rules: Rules, players: Sequence[str], match_target: int | None) -> None:
        self.rules, self.target = rules, match_target
        self.side, self.sides = rules.side_of(seat), rules.sides

    def hand_started(self, number: int, first: int, totals: Sequence[int], hand: Sequence[Card]) -> None:
        self.totals, self.next_first = tuple(totals), (first + 1) % self.rules.seats

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        move = super().choose(view, legal, rng)
        if found := self.explain():
            self.expected.append(tuple(found["expects"]))  # type: ignore[arg-type]
        else:
            assert len(legal) == 1
        return move

    def worth(self, points: tuple[int, ...]) -> tuple[float, int]:
        """What is to grow: the chance to win the match, rounded, where that counts; then the lead."""
        lead = self.sides * points[self.side] - sum(points)
        if self.objective == "points" or self.target is None:
            return 0.0, lead
        totals = [before + more for before, more in zip(self.totals, points, strict=True)]
        return equity_for(self.rules, self.target).chance(totals, self.side, self.next_first), lead

    def hand_over(self, completed_by: int | None, extended: bool, scores: Any, totals: Sequence[int]) -> None:
        points = tuple(sheet.total for sheet in scores)
        assert self.expected[-1] == points
        worths = [self.worth(expected) for expected in self.expected]
        # Each decision finds the line of the one before it, or a better one.
        assert all(after[0] > before[0] - 1e-6 for before, after in itertools.pairwise(worths))
        if self.objective == "points":
            assert worths == sorted(worths)
        self.changes += len(set(worths)) - 1
        self.hands += 1
        self.expected.clear()


def watched_match(rules: Rules, seat: int, options: str, target: int, streams: bool, seed: str) -> Watched:
    """A match between an oracle on a seat and maxims on the others, dealt as the arena deals."""
    watched = Watched(options)
    seated: list[Player] = [player("maxims") for _ in range(rules.seats)]
    seated[seat] = watched
    plan_ = plan(*["maxims"] * rules.sides, rules=rules, match_target=target, duplicate=streams, seed=seed)
    outcome = duplicate.play_game(plan_, next(plan_.games_of(0)), seated)
    assert outcome.forfeit is None
    assert watched.hands == outcome.hands
    return watched


@pytest.mark.parametrize(("name", "seats", "sides"), TABLES)
def test_what_it_expects_is_what_comes(name: str, seats: int, sides: int) -> None:
    rules = make_rules(name, seats, sides)
    for seat, streams in ((0, True), (seats - 1, False)):
        watched_match(rules, seat, "points", 600, streams, f"{name} {seats}")


@pytest.mark.parametrize(
    "settings",
    [
        {"hand_size": 3, "deck": "full"},
        {"hand_end": "points"},
        {"opening_right_of_way": True, "coup_by": "anyone"},
        {"deck": {"25": 40, "roll": 30, "stop": 15, "100": 15, "gasoline": 10}, "hand_size": 4},
    ],
    ids=str,
)
def test_what_it_expects_is_what_comes_with_other_settings(settings: dict[str, Any]) -> None:
    """Among them some in which a seat uses up its own part of the deck."""
    for seats, streams in ((2, True), (3, False)):
        watched_match(make_rules("classic", seats, settings=settings), 1, "points", 300, streams, "settings")


@pytest.mark.parametrize(("seats", "sides"), [(2, 2), (3, 3), (4, 2), (6, 3)])
def test_the_chance_to_win_the_match_only_grows(seats: int, sides: int) -> None:
    assert watched_match(make_rules("classic", seats, sides), 1, "", 3000, True, "match 0").changes > 0


def test_what_counts_is_the_match_or_the_points() -> None:
    """Over the same cards the two play alike at first, and not always in the end; in single hands there is no match."""
    totals = [
        run_arena(plan(name, "maxims", match_target=2000, games=10))["results"] for name in ("oracle", "oracle:points")
    ]
    assert totals[0][0]["mean_score"] != totals[1][0]["mean_score"]
    assert totals[0][0]["matches_won"] >= 5
    hands = [run_arena(plan(name, "maxims", match_target=None))["results"] for name in ("oracle", "oracle:points")]
    assert hands[0][0]["mean_score"] == hands[1][0]["mean_score"]


@pytest.mark.parametrize("streams", [True, False])
def test_plans_come_true_and_it_changes_its_mind_for_the_better(streams: bool) -> None:
    assert watched_match(make_rules(), 1, "points,depth=2", 500, streams, "plans").hands
    assert watched_match(make_rules(), 0, "points", 3000, streams, "mind").changes > 1


def leads(name: str, *, duplicate: bool) -> float:
    """How many points a hand a player is ahead of `maxims`."""
    report = run_arena(plan(name, "maxims", games=60, match_target=None, duplicate=duplicate))
    return float(report["pairs"][0]["mean_difference"])


@pytest.mark.once
def test_knowing_everything_is_worth_a_lot() -> None:
    """The differences are a dozen of their standard errors."""
    own_draws = leads("oracle:points", duplicate=True)
    one_pile = leads("oracle:points", duplicate=False)
    assert own_draws > 350
    assert one_pile > 900


def test_the_arena_tells_who_saw_everything() -> None:
    report = run_arena(plan("oracle:points", "maxims", "basic", match_target=None, games=6))
    assert report["sees_everything"] == ["oracle:points"]
    assert "sees_everything" not in run_arena(plan("maxims", "basic", match_target=None))
    partners = plan("maxims+oracle", "maxims", rules=make_rules("classic", 4), match_target=None)
    assert run_arena(partners)["sees_everything"] == ["maxims+oracle"]


def test_it_plays_its_games_itself_and_they_are_recorded_like_all_others() -> None:
    games = kernel_games_of(plan("oracle", "maxims", "basic"))
    assert [games.can_play(game) for game in games.plan.games_of(0)] == [False] * 4 + [True] * 2
    (first, *_) = duplicate.play_rounds(plan("oracle:points", "maxims", match_target=None), range(1), True).outcomes
    assert read_transcript(first.lines).match.totals == first.totals


# ---------------------------------------------------------------- nobody else sees anything


class Curious(Player):
    """Not of full information; it would take whatever it is shown."""

    name = "curious"
    summary = "wants to see more"
    sees_everything = True

    def reveal(self, hand: Hand, draws: object) -> None:
        raise AssertionError("shown to somebody who must not see it")

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        return legal[0]


def test_a_table_shows_the_cards_to_seers_alone() -> None:
    shown: list[tuple[Hand, View]] = []

    class Looking(FullInformationPlayer):
        name = "looking"

        def reveal(self, hand: Hand, draws: Sequence[Sequence[Card]] | None) -> None:
            self.hand = hand
            assert draws is None

        def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
            shown.append((self.hand, view))
            return legal[0]

    play_hand(Hand.deal(make_rules(), 1), [Curious(), Looking()], 1)
    assert shown
    assert all(hand.view(1, view.totals, match_target=view.match_target) == view for hand, view in shown)
    assert not issubclass(ExternalPlayer, FullInformationPlayer)
    assert not any(issubclass(made, FullInformationPlayer) for made in PLAYERS.values())


@pytest.mark.parametrize("name", ["oracle", "oracle:points", "oracle:depth=2"])
def test_it_is_made_only_where_it_is_asked_for(name: str) -> None:
    with pytest.raises(PlayerError, match="the player 'oracle' sees all cards, so it can play only in the arena"):
        player(name)
    assert isinstance(player(name, sees_everything=True), Oracle)
    assert is_full_information(name)


def test_games_do_not_seat_it() -> None:
    from millebornes.i18n import translator
    from millebornes.roster import ROSTER
    from millebornes.session.game_session import GameSession
    from millebornes.storage import Preferences
    from millebornes.themes import theme
    from tests.session.new_games import named_game

    assert not set(ROSTER) & set(FULL_INFORMATION_PLAYERS)
    game = named_game(make_rules(), ("human", "oracle"), ("Ann", "oracle"), 5000, "1", Preferences())
    with pytest.raises(PlayerError, match="can play only in the arena"):
        GameSession(game, None, theme(), translator("en"))


def test_seers_of_other_packages_are_kept_out_of_games_too(monkeypatch: pytest.MonkeyPatch) -> None:
    values = {"foreign": f"{__name__}:Watched", "oracle": f"{__name__}:Curious", "broken": "no_such_module:Player"}
    points = metadata.EntryPoints(metadata.EntryPoint(name, value, GROUP) for name, value in values.items())
    loaded: Mapping[str, object] = {"Watched": Watched, "Curious": Curious}
    monkeypatch.setattr(metadata.EntryPoint, "load", lambda point: loaded[point.attr])
    monkeypatch.setattr(metadata, "entry_points", lambda **wanted: points.select(**wanted))
    assert is_full_information("foreign")
    assert not is_full_information("broken")
    with pytest.raises(PlayerError, match="the player 'foreign' sees all cards"):
        player("foreign")
    assert type(player("oracle", sees_everything=True)) is Oracle
    assert {name for name, info in available().items() if info.sees_everything} == {"oracle", "foreign"}


def test_without_being_shown_the_cards_it_does_not_play() -> None:
    oracle, hand = Oracle(), Hand.deal(make_rules(), 1)
    view = hand.view(0)
    for shown in (None, Hand.deal(make_rules(), 2), hand.play(hand.legal_moves[0])):
        if shown is not None:
            oracle.reveal(shown, None)
        with pytest.raises(PlayerError, match="has not been shown the cards"):
            oracle.choose(view, hand.legal_moves, random.Random(1))
    oracle.reveal(hand, None)
    assert oracle.choose(view, hand.legal_moves, random.Random(1)) in hand.legal_moves
    with pytest.raises(PlayerError, match="has not been shown the cards"):  # what it was shown is gone
        oracle.choose(view, hand.legal_moves, random.Random(1))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("depht=2", "oracle: there is no option 'depht=2'; the options are match, points, depth=1 and depth=2"),
        ("depth=3", "oracle: depth='3' is not allowed; it must be 1 or 2"),
        ("points,fast", "there is no option 'fast'"),
    ],
)
def test_wrong_options_are_refused(options: str, said: str) -> None:
    with pytest.raises(PlayerError, match=said):
        Oracle(options)


def test_it_looks_at_a_match_under_way() -> None:
    """Also at a table to which it comes late."""
    match = Match.start(make_rules(), 3, match_target=None)
    table = Table(match, [player("maxims"), player("maxims")], 3)
    for _ in range(9):
        table.step()
    watched = Watched("points")
    late = Table(table.match, [watched, player("maxims")], 3)
    late.play_hand()
    assert watched.hands == 1
