"""One game of an arena: a match or a single hand, from a deck that its whole round shares."""

import dataclasses
import time
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from millebornes.errors import PlayerError
from millebornes.game import Hand, Match, Move
from millebornes.game.streams import Streams
from millebornes.notation import transcript_lines
from millebornes.players import Player, Table, player
from millebornes.simulation.schedule import Game, Plan

__all__ = ["Batch", "Outcome", "play_batch", "play_game"]

REASON_LENGTH: Final = 500


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


class _Forfeit(Exception):
    def __init__(self, side: int, reason: str) -> None:
        super().__init__(side, reason)
        self.side = side
        self.reason = reason


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
        try:
            super().__init__(match, players, plan.play_seed(game))
        except PlayerError as error:
            raise _forfeit(plan, error, None) from error

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
            raise _Forfeit(side, _reason(error)) from error
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
    shown = plan.names
    names = tuple(shown[game.order[rules.side_of(seat)]] for seat in range(rules.seats))
    table, forfeit = None, None
    try:
        table = _ArenaTable(plan, game, players, names, records)
        table.play_hand()
        while plan.match_target is not None and not table.match.is_over:
            table.next_hand()
            table.play_hand()
    except _Forfeit as fault:
        forfeit = (fault.side, fault.reason)
    nothing = (0,) * rules.sides
    if table is None:
        assert forfeit is not None
        return Outcome(*game, nothing, 0, _shares(nothing, forfeit[0]), nothing, (0.0,) * rules.sides, forfeit)
    match = table.match
    hands = len(match.finished) + match.hand.is_over
    shares = _shares(match.totals, forfeit[0] if forfeit else None)
    if forfeit:
        table.stop("forfeit", shares.index(1.0) if 1.0 in shares else None)
    elif plan.match_target is None:
        table.stop("finished", shares.index(1.0) if 1.0 in shares else None)
    lines: tuple[str, ...] = ()
    if records:
        match = dataclasses.replace(match, hand=table.recorded(match.hand))
        about: dict[str, Any] = {"deal": game.deal, "turn": game.turn, "seed": plan.seed}
        if forfeit:
            about["forfeit"] = {"side": forfeit[0], "reason": forfeit[1]}
        lines = tuple(transcript_lines(match, {"arena": about}, table.info))
    return Outcome(*game, match.totals, hands, shares, tuple(table.moves), tuple(table.seconds), forfeit, lines)


def play_batch(plan: Plan, deals: Iterable[int], records: bool) -> Batch:
    """Play whole rounds; what an executor runs. Programs as players stay from game to game within a batch."""
    start = time.perf_counter()
    kept: dict[tuple[int, int], Player] = {}
    outcomes = []
    try:
        for deal in deals:
            for game in plan.games_of(deal):
                players = _seated(plan, game, kept)
                try:
                    outcomes.append(play_game(plan, game, players, records=records))
                finally:
                    for seat, seated in enumerate(players):
                        if (game.order[plan.rules.side_of(seat)], seat) not in kept:
                            seated.close()
    finally:
        for program in kept.values():
            program.close()
    return Batch(outcomes, time.perf_counter() - start)


def _seated(plan: Plan, game: Game, kept: dict[tuple[int, int], Player]) -> list[Player]:
    """New players, so that no game depends on those before it; programs, which are slow to start, are told instead."""
    players = []
    for seat in range(plan.rules.seats):
        number = game.order[plan.rules.side_of(seat)]
        found = kept.get((number, seat))
        if found is None:
            name = plan.players[number]
            found = player(name, time_ms=plan.time_ms)
            if name.startswith("cmd:"):
                kept[number, seat] = found
        players.append(found)
    return players


def _shares(totals: tuple[int, ...], forfeit: int | None) -> tuple[float, ...]:
    """Each side's part of the win: the best side's, shared where several are; after a forfeit all the others'."""
    if forfeit is not None:
        return tuple(0.0 if side == forfeit else 1 / (len(totals) - 1) for side in range(len(totals)))
    best = max(totals)
    return tuple(1 / totals.count(best) if total == best else 0.0 for total in totals)


def _forfeit(plan: Plan, error: PlayerError, seat: int | None) -> Exception:
    """The forfeit of the seat that an error names; the error itself where it names none."""
    named = getattr(error, "seat", seat)
    return error if named is None else _Forfeit(plan.rules.side_of(named), _reason(error))


def _reason(error: Exception) -> str:
    said = getattr(error, "reason", None)
    if not isinstance(said, str):
        said = str(error) if isinstance(error, PlayerError) else f"raised {type(error).__name__}: {error}".rstrip(": ")
    text = " ".join(said.split())
    return text if len(text) <= REASON_LENGTH else f"{text[: REASON_LENGTH - 3]}..."
