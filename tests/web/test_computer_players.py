"""Players that go on from decision to decision: they know what one at a table knows, and are in nobody's way."""

import asyncio
import random
import threading
from collections.abc import Sequence

import pytest

from millebornes.editions import Rules, make_rules
from millebornes.errors import PlayerError
from millebornes.game import LegalMoves, Match, Move, View
from millebornes.players import Player, Table, player
from millebornes.players.champion import Champion
from millebornes.players.random_player import RandomPlayer
from millebornes.table.steps import USUAL_PACE, StepKind, steps_of
from millebornes.web.tables import computer_players
from millebornes.web.tables.computer_players import ComputerPlayers, PlayerCache
from tests.web.playing import Game, created


class Counting(RandomPlayer):
    """Plays at random; the class remembers what all of its kind did."""

    started: Sequence[int] = ()
    closed = 0

    def match_started(self, seat: int, rules: Rules, players: Sequence[str], match_target: int | None) -> None:
        type(self).started = [*self.started, seat]

    def close(self) -> None:
        type(self).closed += 1


@pytest.fixture
def kind(monkeypatch: pytest.MonkeyPatch) -> type[Counting]:
    class Kind(Counting):
        pass

    monkeypatch.setattr(computer_players, "player", lambda _name: Kind())
    return Kind


def a_match(seed: int = 1, seats: int = 2) -> Match:
    return Match.start(make_rules("classic", seats), seed, match_target=5000)


def go_on(kept: PlayerCache, name: str, match: Match, kinds: Sequence[str]) -> Match:
    seat = match.hand.seat
    if seat is None:
        return match.next_hand()
    return match.play(kept.choose(name, kinds[seat], match, seat, "secret"))


def test_a_whole_match_is_played_as_by_players_at_a_table() -> None:
    kinds = ("champion:rollouts=60", "champion:rollouts=30")
    # Two hands: what was learned of the other seat in the first one counts in the second.
    match, kept = a_match(), PlayerCache()
    table = Table(match, [player(kind) for kind in kinds], "secret")
    for hand in range(2):
        if hand:
            table.next_hand()
        table.play_hand()
    while match.hand_number < 2 or not match.hand.is_over:
        match = go_on(kept, "table", match, kinds)
    assert [hand.moves for hand in match.hands] == [hand.moves for hand in table.match.hands]
    kept.close()


def test_a_player_is_made_once_for_a_seat_of_a_match(kind: type[Counting]) -> None:
    kept, matches = PlayerCache(), {name: a_match(seed) for seed, name in enumerate(("a", "b"))}
    for _step in range(400):
        for name, match in matches.items():
            if not match.is_over:
                matches[name] = go_on(kept, name, match, ("champion", "champion"))
    assert all(match.hand_number > 1 for match in matches.values())
    assert sorted(kind.started) == [0, 0, 1, 1]
    assert kind.closed == 0
    kept.close()
    assert kind.closed == 4


def test_those_not_asked_for_longest_let_go(kind: type[Counting], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computer_players, "MAX_READY", 2)
    monkeypatch.setattr(computer_players, "MAX_KEPT", 4)
    kept, match = PlayerCache(), a_match()
    seat = match.hand.seat
    assert seat is not None
    closed = []
    for name in "abcdef":
        kept.choose(name, "champion", match, seat, "secret")
        closed.append(kind.closed)
    assert closed == [0, 0, 1, 2, 4, 6]  # from the third one on one rests, from the fifth one on one goes as well
    kept.choose("c", "champion", match, seat, "secret")
    assert len(kind.started) == 6
    kept.choose("a", "champion", match, seat, "secret")
    assert len(kind.started) == 7


def test_a_busy_player_is_not_asked_a_second_time(kind: type[Counting], monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go = threading.Event(), threading.Event()

    def choose(self: Player, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        if not begun.is_set():
            begun.set()
            assert go.wait(60)
        return legal[0]

    monkeypatch.setattr(kind, "choose", choose)
    kept, match = PlayerCache(), a_match()
    seat = match.hand.seat
    assert seat is not None
    other = threading.Thread(target=kept.choose, args=("a", "champion", match, seat, "secret"))
    other.start()
    assert begun.wait(60)
    assert kept.choose("a", "champion", match, seat, "secret") == match.hand.legal_moves[0]
    assert len(kind.started) == 2
    go.set()
    other.join(60)
    assert kind.closed == 1  # one of them is kept
    kept.close()
    assert kind.closed == 2
    kept.choose("a", "champion", match, seat, "secret")
    assert kind.closed == 3  # nothing is kept any more


def test_a_player_that_fails_is_not_kept(kind: type[Counting], monkeypatch: pytest.MonkeyPatch) -> None:
    def choose(self: Player, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        raise OSError("no")

    kept, match = PlayerCache(), a_match()
    seat = match.hand.seat
    assert seat is not None
    kept.choose("a", "champion", match, seat, "secret")
    with monkeypatch.context() as patch:
        patch.setattr(kind, "choose", choose)
        with pytest.raises(OSError, match="no"):
            kept.choose("a", "champion", match, seat, "secret")
    assert kind.closed == 1
    kept.choose("a", "champion", match, seat, "secret")
    assert len(kind.started) == 2


def test_there_is_no_such_player() -> None:
    match = a_match()
    with pytest.raises(PlayerError):
        PlayerCache().choose("a", "nobody-like-this", match, match.hand.seat or 0, "secret")


def test_the_champion_is_kept_but_for_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call is also thought about where there is none to make; to one that goes on, that would be another past."""
    asked: set[tuple[str, str, StepKind]] = set()
    task = StepKind.THINK

    def kept(_self: PlayerCache, _name: str, kind: str, match: Match, _seat: int, _seed: str) -> Move:
        asked.add(("kept", kind, task))
        return match.hand.legal_moves[0]

    def once(kind: str, match: Match, _seat: int, _seed: str) -> Move:
        asked.add(("once", kind, task))
        return match.hand.legal_moves[0]

    monkeypatch.setattr(PlayerCache, "choose", kept)
    monkeypatch.setattr(computer_players, "choose_once", once)
    monkeypatch.setattr(computer_players, "_prepare", lambda *_: None)
    game, thinkers = Game(created("champion", "basic"), seed=1, forfeits=0), ComputerPlayers()
    for _ in range(150):
        for step in steps_of(game.state, USUAL_PACE):
            if step.task in {StepKind.THINK, StepKind.CALL}:
                task = step.task
                asyncio.run(thinkers.decide("table", game.state, step))
        game.step()
    thinkers.close()
    champion = {("kept", "champion", StepKind.THINK), ("once", "champion", StepKind.CALL)}
    assert asked == champion | {("once", "basic", StepKind.THINK), ("once", "basic", StepKind.CALL)}


def test_a_champion_may_be_asked_again_after_it_has_let_go() -> None:
    found = []
    for closes in (False, True):
        players = [Champion("rollouts=40"), Champion("rollouts=40")]
        table = Table(a_match(3), list(players))
        while not table.match.hand.is_over:
            table.step()
            if closes:
                players[table.match.hand.ply % 2].close()
        found.append(table.match.hand.moves)
    assert found[0] == found[1]
