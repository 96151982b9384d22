import functools
import random
from collections.abc import Sequence
from typing import Any

import pytest

from millebornes.cards import Card
from millebornes.editions import Rules, make_rules
from millebornes.errors import MilleBornesError, PlayerError
from millebornes.game import Hand, LegalMoves, Match, Move, Phase, Scoresheet, View
from millebornes.players import ForfeitError, Player, RandomPlayer, Table, play_hand, play_match
from millebornes.players.table import decision_rng, shares_of


class Listener(RandomPlayer):
    """Plays at random and writes down all that it is told; checks its own hand at each choice."""

    def __init__(self) -> None:
        self.events: list[tuple[Any, ...]] = []
        self.seat = -1
        self.cards: list[Card] = []

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        assert view.seat == view.mover == self.seat
        assert sorted(self.cards) == list(view.hand)
        move = super().choose(view, legal, rng)
        self.events.append(("choose", view.phase, move))
        return move

    def match_started(self, seat: int, rules: Rules, players: Sequence[str], match_target: int | None) -> None:
        self.seat = seat
        self.events.append(("match", rules, tuple(players), match_target))

    def hand_started(self, number: int, first: int, totals: Sequence[int], hand: Sequence[Card]) -> None:
        self.cards = list(hand)
        self.events.append(("hand", number, first, tuple(totals)))

    def drew(self, seat: int, count: int, cards: Sequence[Card] | None) -> None:
        assert (cards is not None) == (seat == self.seat)
        if cards is not None:
            assert len(cards) == count
            self.cards += cards
        self.events.append(("drew", seat, count))

    def moved(self, seat: int, move: Move) -> None:
        if seat == self.seat and move.card is not None:
            self.cards.remove(move.card)
        self.events.append(("moved", seat, move.text))

    def hand_over(
        self, completed_by: int | None, extended: bool, scores: Sequence[Scoresheet], totals: Sequence[int]
    ) -> None:
        self.events.append(("hand over", completed_by, extended, tuple(scores), tuple(totals)))

    def match_over(self, totals: Sequence[int], winner: int | None, reason: str) -> None:
        self.events.append(("match over", tuple(totals), winner, reason))


TABLES = [("classic", 2, 2), ("classic", 3, 3), ("wikibooks", 4, 2), ("house", 6, 3)]


@pytest.mark.parametrize(("name", "seats", "sides"), TABLES)
def test_every_seat_is_told_what_it_may_know_and_no_more(name: str, seats: int, sides: int) -> None:
    rules = make_rules(name, seats, sides)
    passes = 0
    for seed in range(6):
        players = [Listener() for _ in range(seats)]
        match = play_match(Match.start(rules, seed, match_target=400), players)
        told = [[event for event in player.events if event[0] != "choose"] for player in players]
        # All seats are told the same, in the same order, but for passes, which only the one who passed hears of (R5.5).
        public = [[event for event in events if event[0] != "moved" or event[2] != "pass"] for events in told]
        assert all(events == public[0] for events in public[1:])
        for seat, events in enumerate(told):
            own = [event for event in events if event[0] == "moved" and event[2] == "pass"]
            assert all(event[1] == seat for event in own)
            passes += len(own)
        moves = [event[2] for event in public[0] if event[0] == "moved"]
        assert moves == [move.text for hand in match.hands for move in hand.moves if move.text != "pass"]
        assert public[0][-1] == ("match over", match.totals, match.winner, "finished")
        assert [event[1] for event in public[0] if event[0] == "hand"] == list(range(1, match.hand_number + 1))
        last = [event for event in public[0] if event[0] == "hand over"][-1]
        assert last[1:] == (match.hand.completed_by, match.hand.extended, match.hand.scores, match.totals)
    assert passes


class Scripted(Listener):
    """Makes given moves, one after the other."""

    def __init__(self, moves: str) -> None:
        super().__init__()
        self.moves = moves.split()

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        self.events.append(("choose", view.phase))
        return Move.parse(self.moves.pop(0))


def _deck(rules: Rules, beginning: str) -> list[Card]:
    cards = [Card(word) for word in beginning.split()]
    left = [card for card, count in zip(Card, rules.deck, strict=True) for _ in range(count - cards.count(card))]
    return cards + sorted(left, key=lambda card: card.group)


def test_nobody_can_tell_a_coup_that_was_let_go_from_one_that_could_not_be_called() -> None:
    """R5.5: two deals that differ only in a card that the attacker never sees."""
    rules = make_rules()
    streams = []
    for hidden in ("extra_tank", "25"):
        other = "25" if hidden == "extra_tank" else "extra_tank"
        deal = f"roll out_of_gas {hidden} 25 50 25 50 25 100 50 100 50"  # seats 0 and 1 in turn
        deck = _deck(rules, f"{deal} 100 75 75 75 75 75 75 {other}")
        asked = hidden == "extra_tank"
        answer = "pass " if asked else ""
        players = [Scripted(f"roll {answer}-100 -75"), Scripted("out_of_gas>0 -75 -75")]
        table = Table(Match.start(rules, deck=deck, match_target=None), players, seed=0)
        while players[0].moves or players[1].moves:
            table.step()
        assert (("choose", Phase.COUP) in players[0].events) == asked
        streams.append(players[1].events)
    assert streams[0] == streams[1]


def test_a_match_that_is_taken_up_again_goes_on_as_it_would_have() -> None:
    rules = make_rules("house", 4)
    whole = play_match(Match.start(rules, "again", match_target=1500), [RandomPlayer() for _ in range(4)])
    plies = sum(hand.ply for hand in whole.hands)
    assert whole.hand_number > 1
    for hand_number, ply in ((1, 0), (1, 17), (2, 5), (whole.hand_number, 1)):
        players = [Listener() for _ in range(4)]
        resumed = play_match(whole.at(hand_number, ply), players)
        assert resumed == whole
        assert sum(hand.ply for hand in resumed.hands) == plies
        heard = [event[2] for event in players[0].events if event[0] == "moved" and event[2] != "pass"]
        assert heard == [
            move.text for hand in whole.hands[hand_number - 1 :] for move in hand.moves if move.text != "pass"
        ]


def test_who_follows_a_match_is_told_what_its_seat_could_have_heard_there() -> None:
    rules = make_rules("house", 4)
    chance = random.Random(5)
    for seed in range(2):
        there = [Listener() for _ in range(4)]
        whole = play_match(Match.start(rules, seed, match_target=1500), there)
        moments = [(number, ply) for number, hand in enumerate(whole.hands, 1) for ply in range(hand.ply + 1)]
        for seat in range(4):
            listener = Listener()
            stops = sorted(chance.sample(moments, 5))
            table = Table(whole.at(*stops[0]), [listener if n == seat else None for n in range(4)])
            listener.events.clear()
            for stop in [*stops[1:], (whole.hand_number, whole.hand.ply)]:
                table.follow(whole.at(*stop))
                assert table.match == whole.at(*stop)
                assert sorted(listener.cards) == list(table.match.hand.cards(seat))
            heard = [event for event in there[seat].events if event[0] != "choose"]
            assert 0 < len(listener.events) < len(heard)
            assert listener.events == heard[-len(listener.events) :]


@pytest.mark.parametrize("number", [1, 2])
def test_a_match_that_has_gone_another_way_is_sat_down_to(number: int) -> None:
    match = play_match(Match.start(make_rules(), 3, match_target=3000), [RandomPlayer(), RandomPlayer()])
    here = match.at(2, 9)
    listener = Listener()
    table = Table(here, [listener, None])
    for other in (here.at(number, 5), Match.start(make_rules(), 4), match.at(1, 2)):
        listener.events.clear()
        table.follow(other)
        assert table.match == other
        assert listener.events[0][0] == "match"
        assert sorted(listener.cards) == list(other.hand.cards(0))


def test_chance_depends_on_seed_hand_and_ply_alone() -> None:
    drawn = {decision_rng(seed, hand, ply).random() for seed in (1, 2) for hand in (1, 2) for ply in (0, 1)}
    assert len(drawn) == 8
    assert decision_rng(7, 1, 0).random() == decision_rng("7", 1, 0).random()
    match = Match.start(make_rules(), 11, match_target=None)
    tables = [Table(match, [RandomPlayer(), RandomPlayer()], seed) for seed in (None, 11, 12)]
    moves = [table.play_hand().hand.moves for table in tables]
    assert moves[0] == moves[1] != moves[2]


def test_a_table_plays_to_the_end_of_the_match_or_of_its_only_hand() -> None:
    for target in (None, 2000):
        match = Table(Match.start(make_rules(), 11, match_target=target), [RandomPlayer(), RandomPlayer()]).play_match()
        assert match.hand.is_over
        assert match.is_over == (match.hand_number > 1) == (target is not None)


def test_seats_without_a_player_are_left_to_the_screen() -> None:
    match = Match.start(make_rules(), 3, match_target=None)
    listener = Listener()
    table = Table(match, [None, listener])
    with pytest.raises(MilleBornesError, match="a computer player's turn"):
        table.choose()
    found = [table.player]
    table.play(match.hand.legal_moves[0])
    found.append(table.player)
    assert found == [None, listener]
    before = table.match
    assert table.choose() in before.hand.legal_moves
    assert table.match is before
    assert table.step() == table.match.hand.move


def test_stopping_tells_the_players() -> None:
    listener = Listener()
    table = Table(Match.start(make_rules(), 3), [listener, None])
    table.stop()
    table.stop("forfeit", 1)
    assert listener.events[-2:] == [("match over", (0, 0), None, "stopped"), ("match over", (0, 0), 1, "forfeit")]


class Cheat(Player):
    name = "cheat"

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        return Move.parse("extend")


def test_an_illegal_choice_is_refused_by_name() -> None:
    with pytest.raises(
        PlayerError, match=r"the player 'cheat' .* forfeits: it chose extend, which is not legal: .*\(R6.2\); legal: -"
    ):
        play_hand(Hand.deal(make_rules(), 0), [Cheat(), RandomPlayer()], 0)


def test_what_cannot_be_begun() -> None:
    match, one = Match.start(make_rules(), 0, match_target=None), RandomPlayer()
    with pytest.raises(PlayerError, match="1 players for 2 seats"):
        Table(match, [one])
    with pytest.raises(PlayerError, match="sits in two seats"):
        Table(match, [one, one])
    with pytest.raises(MilleBornesError, match="never ends"):
        play_match(match, [one, RandomPlayer()])


# ---------------------------------------------------------------- forfeits


class Failing(Listener):
    """Plays at random, and fails at its third decision."""

    def __init__(self, error: Exception | None) -> None:
        super().__init__()
        self.error = error

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        if len([event for event in self.events if event[0] == "choose"]) == 2:
            if self.error is not None:
                raise self.error
            return Move.parse("extend")
        return super().choose(view, legal, rng)


FAILURES = [
    (None, "chose extend, which is not legal: ", 2, 2),
    (PlayerError("fell asleep"), "fell asleep", 3, 3),
    (ZeroDivisionError("lost\nits way"), "raised ZeroDivisionError: lost its way", 6, 3),
    (ForfeitError("cmd:x", 1, "flooded its host"), "flooded its host", 2, 2),
]


@pytest.mark.parametrize(("error", "reason", "seats", "sides"), FAILURES)
def test_a_player_that_fails_loses_for_its_side(error: Exception | None, reason: str, seats: int, sides: int) -> None:
    players = [Failing(error) if seat == 1 else Listener() for seat in range(seats)]
    table = Table(Match.start(make_rules("classic", seats, sides), 5), players)
    shares = table.shares
    assert shares is None
    with pytest.raises(type(error) if error is not None else ForfeitError) as raised:
        table.play_hand()
    before = table.match
    loss = table.lose(raised.value)
    assert (loss.side, loss.seat, loss.player) == (1, 1, players[1].name)
    assert loss.reason.startswith(reason)
    more = {"clause": "R6.2", "legal": list(loss.legal)} if error is None else {}
    assert loss.to_dict() == {"side": 1, "seat": 1, "player": players[1].name, "reason": loss.reason, **more}
    assert table.loss is loss
    assert table.is_over
    assert table.shares == tuple(0 if side == 1 else 1 / (sides - 1) for side in range(sides))
    assert loss.winner(sides) == (0 if sides == 2 else None)
    assert table.match is before
    assert not table.match.is_over
    told = ("match over", before.totals, loss.winner(sides), "forfeit")
    assert all(player.events[-1] == told for player in players)
    with pytest.raises(MilleBornesError, match="the match is over"):
        table.step()
    with pytest.raises(MilleBornesError, match="none can lose"):
        table.lose(raised.value)


def test_a_match_without_a_forfeit_is_shared_by_points() -> None:
    table = Table(Match.start(make_rules(), 5, match_target=300), [RandomPlayer(), RandomPlayer()])
    table.play_match()
    assert table.shares == tuple(float(side == table.match.winner) for side in range(2))
    assert table.loss is None
    assert shares_of((5, 9, 9)) == (0, 0.5, 0.5)
    with pytest.raises(MilleBornesError, match="none can lose"):
        table.lose(PlayerError("too late"))


def test_only_computer_players_lose_by_forfeit() -> None:
    table = Table(Match.start(make_rules(), 5), [None, Listener()])
    with pytest.raises(MilleBornesError, match="none can lose"):
        table.lose(PlayerError("nobody was asked"))


class Deaf(RandomPlayer):
    """Fails at something that it is told, but not at the first of it."""

    def __init__(self, what: str, times: int) -> None:
        self.what = what
        self.times = times

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        if name != object.__getattribute__(self, "what"):
            return found

        @functools.wraps(found)
        def listen(*details: Any) -> None:
            self.times -= 1
            if self.times < 0:
                raise LookupError("cannot hear")
            found(*details)

        return listen


@pytest.mark.parametrize("what", ["match_started", "hand_started", "drew", "moved", "hand_over"])
def test_whoever_fails_at_what_it_is_told_loses_too(what: str) -> None:
    match = Match.start(make_rules(), 8, match_target=5000)
    if what in {"match_started", "hand_started"}:
        with pytest.raises(ForfeitError, match="on seat 1 forfeits: it raised LookupError: cannot hear"):
            Table(match, [RandomPlayer(), Deaf(what, 0)])
        return
    table = Table(match, [RandomPlayer(), Deaf(what, 5 if what != "hand_over" else 0)])
    with pytest.raises(ForfeitError) as raised:
        table.play_hand()
    loss = table.lose(raised.value)
    assert (loss.side, loss.reason) == (1, f"raised LookupError: cannot hear ({what})")


def test_what_a_player_raises_when_the_match_is_over_does_not_matter() -> None:
    table = Table(Match.start(make_rules(), 8, match_target=100), [RandomPlayer(), Deaf("match_over", 0)])
    table.play_match()
    assert table.shares
