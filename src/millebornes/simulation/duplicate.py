"""One game of an arena: a match or a single hand, from a deck that its whole round shares."""

import dataclasses
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from millebornes.game import Hand, Match, Move
from millebornes.game.streams import Streams
from millebornes.notation import transcript_lines
from millebornes.players import Player, Table, player
from millebornes.players.table import Loss, shares_of
from millebornes.simulation.schedule import Game, Plan

__all__ = ["Batch", "Outcome", "play_batch", "play_game"]


class Outcome(NamedTuple):
    """How a game went. All by side, but ``moves`` and ``seconds``, which are of the sides' players too.

    ``order`` holds the player (by number) of each side, ``totals`` are points over ``hands`` finished hands, ``shares``
    parts of the win (adding up to 1). ``seconds`` are what ``moves`` decisions took; the first one of each side, which
    may have to load and start things, is in neither. ``forfeit`` is the side that lost by forfeit and why, or None;
    ``lines`` are the transcript, if one was asked for.
    """

    deal: int
    turn: int
    order: tuple[int, ...]
    totals: tuple[int, ...]
    hands: int
    shares: tuple[float, ...]
    moves: tuple[int, ...]
    seconds: tuple[float, ...]
    forfeit: tuple[int, str] | None = None
    lines: tuple[str, ...] = ()


class Batch(NamedTuple):
    """What a worker hands back: the outcomes of some rounds, and the seconds that they took."""

    outcomes: list[Outcome]
    seconds: float


class _Failure(Exception):
    """What a player raised when it was asked."""

    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self.error = error


class _ArenaTable(Table):
    """A table that keeps time, tells whose fault an end was, and can deal from streams (``deck_seed`` not None)."""

    def __init__(self, plan: Plan, game: Game, players: list[Player], names: tuple[str, ...], records: bool) -> None:
        rules = plan.rules
        self.deck_seed: Final = plan.deck_seed(game)
        self.streams: Streams | None = None
        self.records: Final = records
        self.moves: Final = [0] * rules.sides
        self.seconds: Final = [0.0] * rules.sides
        self.warm: Final[set[int]] = set()  # sides whose first decision, which may load and start things, is over
        self.info: Final[list[dict[int, Mapping[str, object]]]] = [{}]
        if plan.duplicate:
            self.streams = Streams(rules, self.deck_seed)
            match = Match(rules, self.streams.deal(), players=names, match_target=plan.match_target)
        else:
            match = Match.start(rules, self.deck_seed, players=names, match_target=plan.match_target)
        super().__init__(match, players, plan.play_seed(game))

    def choose(self) -> Move:
        """Ask the player, and count its time: the decision with all that it takes at a table."""
        hand = self.match.hand
        seat = hand.seat
        assert seat is not None
        side = hand.rules.side_of(seat)
        start = time.perf_counter()
        try:
            move = super().choose()
            said = self.player.explain() if self.records and self.player is not None else None
        except Exception as error:  # a player may fail in any way of its own; the arena goes on
            raise _Failure(error) from error
        if side in self.warm:
            self.seconds[side] += time.perf_counter() - start
            self.moves[side] += 1
        self.warm.add(side)
        if said:
            self.info[-1][hand.ply] = dict(said)
        return move

    def play(self, move: Move | str) -> None:
        """Make a move, the next card coming from the stream of the seat that draws."""
        if self.streams is None:
            super().play(move)
            return
        before = self.match.hand
        after = self.streams.play(before, move)
        self.match = self.match._with_hand(after)
        if after.draw_pile != before.draw_pile:
            self._deck = after.deck
        self._tell_move(before, after)

    def next_hand(self) -> None:
        """Deal the next hand."""
        self.info.append({})
        if self.streams is None:
            super().next_hand()
            return
        match = self.match
        done = self.recorded(match.hand)
        first = (done.first + 1) % match.rules.seats  # R2.7
        self.streams = Streams(match.rules, self.deck_seed, match.hand_number + 1, first)
        self.match = dataclasses.replace(match, hand=self.streams.deal(), finished=(*match.finished, done))
        self._tell_deal()

    def recorded(self, hand: Hand) -> Hand:
        """The hand as it goes on record; just the hand itself where nothing is recorded."""
        return self.streams.recorded(hand) if self.streams is not None and self.records else hand


def play_game(plan: Plan, game: Game, players: list[Player], *, records: bool = False) -> Outcome:
    """Play one game. ``players`` are by seat; with ``records`` the outcome has its transcript.

    A player that breaks the rules, fails or is too slow loses for its side; the other sides share the win.
    """
    rules = plan.rules
    table = _ArenaTable(plan, game, players, _names(plan, game), records)
    loss: Loss | None = None
    try:
        table.play_hand()
        while plan.match_target is not None and not table.match.is_over:
            table.next_hand()
            table.play_hand()
    except _Failure as failure:
        loss = table.lose(failure.error)
    match = table.match
    hands = len(match.finished) + match.hand.is_over
    shares = shares_of(match.totals) if loss is None else loss.shares(rules.sides)
    if loss is None and plan.match_target is None:
        table.stop("finished", shares.index(1.0) if 1.0 in shares else None)
    lines: tuple[str, ...] = ()
    if records:
        match = dataclasses.replace(match, hand=table.recorded(match.hand))
        about: dict[str, Any] = {"deal": game.deal, "turn": game.turn, "seed": plan.seed}
        if loss is not None:
            about["forfeit"] = {"side": loss.side, "reason": loss.reason}
        lines = tuple(transcript_lines(match, {"arena": about}, table.info))
    forfeit = None if loss is None else (loss.side, loss.reason)
    return Outcome(*game, match.totals, hands, shares, tuple(table.moves), tuple(table.seconds), forfeit, lines)


def _names(plan: Plan, game: Game) -> tuple[str, ...]:
    """The players' names by seat: partners have their own, and else it is that of the side."""
    shown = plan.names
    return tuple(
        plan.teams[number][member] if len(set(plan.teams[number])) > 1 else shown[number]
        for number, member in plan.seated(game)
    )


def play_batch(
    plan: Plan, deals: Iterable[int], records: bool, meetings: Sequence[tuple[int, ...]] | None = None
) -> Batch:
    """Play whole rounds; what an executor runs. ``meetings`` says who meets, by default as the plan says.

    Programs as players stay from game to game within a batch.
    """
    start = time.perf_counter()
    kept: dict[tuple[int, int, int], Player] = {}
    outcomes = []
    try:
        for deal in deals:
            for game in plan.games_of(deal, meetings):
                players = _seated(plan, game, kept)
                try:
                    outcomes.append(play_game(plan, game, players, records=records))
                finally:
                    for seated in players:
                        if seated not in kept.values():
                            seated.close()
    finally:
        for program in kept.values():
            program.close()
    return Batch(outcomes, time.perf_counter() - start)


def _seated(plan: Plan, game: Game, kept: dict[tuple[int, int, int], Player]) -> list[Player]:
    """New players, so that no game depends on those before it; programs, which are slow to start, are told instead."""
    players = []
    for seat, (number, member) in enumerate(plan.seated(game)):
        found = kept.get((number, member, seat))
        if found is None:
            name = plan.teams[number][member]
            found = player(name, time_ms=plan.time_ms)
            if name.startswith("cmd:"):
                kept[number, member, seat] = found
        players.append(found)
    return players
