"""Play the games of an arena, either matches or single hands. All games of a round use the same decks."""

import dataclasses
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from millebornes.arena.outcome import Columns, GameForfeit, GameOutcome, names_of
from millebornes.arena.programs import display_names, given_name, seated
from millebornes.arena.schedule import Game, Plan
from millebornes.cards import Card
from millebornes.game import Hand, Match, Move
from millebornes.game.streams import Streams
from millebornes.notation import transcript_lines
from millebornes.player_names import OWN_PREFIXES
from millebornes.players import ForfeitError, Player, Table
from millebornes.players.table import Forfeit, shares_of
from millebornes.rules.clauses import first_of_next_hand

KERNELS_FROM: Final = 200
"""Only runs of at least this many games use kernels, because compiling them for the first time takes a while."""


_RECORDED: Final = ("side", "reason", "clause", "legal")
"""The keys of a forfeit in a transcript. The path of the program's log is useless on another machine."""


class PlayedRounds(NamedTuple):
    """Rounds, either game by game or in columns.

    ``names`` pairs each name that was used to ask for a player with the name that the player gives itself, if any.
    """

    played: list[GameOutcome] | Columns
    names: tuple[tuple[str, str], ...] = ()

    @property
    def outcomes(self) -> list[GameOutcome]:
        """The outcomes of all games, one by one."""
        return self.played.outcomes() if isinstance(self.played, Columns) else self.played


class _Failure(Exception):
    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self.error = error


class _ArenaTable(Table):
    """A table that measures time, tells players' errors from its own, and deals each seat its own cards if asked to."""

    def __init__(self, plan: Plan, game: Game, players: list[Player], names: tuple[str, ...], records: bool) -> None:
        rules = plan.rules
        self.deck_seed: Final = plan.deck_seed(game)
        self.streams: Streams | None = None
        self.records: Final = records
        self.moves: Final = [0] * rules.sides
        self.seconds: Final = [0.0] * rules.sides
        self.warm: Final[set[int]] = set()  # sides that have decided before, so code and programs are loaded
        self.info: Final[list[dict[int, Mapping[str, object]]]] = [{}]
        if plan.duplicate:
            self.streams = Streams(rules, self.deck_seed)
            match = Match(rules, self.streams.deal(), players=names, match_target=plan.match_target)
        else:
            match = Match.start(rules, self.deck_seed, players=names, match_target=plan.match_target)
        super().__init__(match, players, plan.play_seed(game))

    def choose(self) -> Move:
        """Ask the current player for a move. The measured time includes the work of the table around the decision."""
        hand = self.match.hand
        seat = hand.seat
        assert seat is not None
        side = hand.rules.side_of(seat)
        start = time.perf_counter()
        try:
            move = super().choose()
            info = self.player.explain() if self.records and self.player is not None else None
        except Exception as error:  # whatever goes wrong in a player, the arena continues
            raise _Failure(error) from error
        if side in self.warm:
            self.seconds[side] += time.perf_counter() - start
            self.moves[side] += 1
        self.warm.add(side)
        if info:
            self.info[-1][hand.ply] = dict(info)
        return move

    def draws(self) -> tuple[tuple[Card, ...], ...] | None:
        return None if self.streams is None else self.streams.left

    def play(self, move: Move | str) -> None:
        if self.streams is None:
            super().play(move)
            return
        before = self.match.hand
        after = self.streams.play(before, move)
        self.match = self.match.with_hand(after)
        self.tell_move(before, after)

    def next_hand(self, deck: Sequence[Card] | None = None) -> None:
        """Deal the next hand. ``deck`` is only used if all seats draw from one pile."""
        self.info.append({})
        if self.streams is None:
            super().next_hand(deck)
            return
        match = self.match
        done = self.recorded(match.hand)
        first = first_of_next_hand(done.first, match.rules)
        self.streams = Streams(match.rules, self.deck_seed, match.hand_number + 1, first)
        self.match = dataclasses.replace(match, hand=self.streams.deal(), finished=(*match.finished, done))
        self.tell_deal()

    def recorded(self, hand: Hand) -> Hand:
        return self.streams.recorded(hand) if self.streams is not None and self.records else hand


def play_game(plan: Plan, game: Game, players: list[Player], *, records: bool = False) -> GameOutcome:
    """Play one game with one player per seat. If ``records`` is true, the outcome contains the transcript.

    If a player breaks the rules, fails or takes too long, its side loses the game and the other sides share the win.
    """
    rules = plan.rules
    loss: Forfeit | None = None
    try:
        table = _ArenaTable(plan, game, players, names_of(plan, game), records)
    except ForfeitError as error:  # before the first deal
        side, nothing = rules.side_of(error.seat), (0,) * rules.sides
        shares = tuple(0.0 if other == side else 1 / (rules.sides - 1) for other in range(rules.sides))
        return GameOutcome(*game, nothing, 0, shares, nothing, (0.0,) * rules.sides, GameForfeit(side, error.reason))
    try:
        table.play_match()
    except _Failure as failure:
        loss = table.lose(failure.error)
    except ForfeitError as error:  # a player failed while it was notified of a move
        loss = table.lose(error)
    match = table.match
    hands = len(match.finished) + match.hand.is_over
    shares = shares_of(match.totals) if loss is None else loss.shares(rules.sides)
    if loss is None and plan.match_target is None:
        table.stop("finished", shares.index(1.0) if 1.0 in shares else None)
    lines: tuple[str, ...] = ()
    if records:
        names = display_names(match.players, [given_name(one) for one in players])
        match = dataclasses.replace(match, hand=table.recorded(match.hand), players=names)
        about: dict[str, Any] = {"deal": game.deal, "turn": game.turn, "seed": plan.seed}
        if loss is not None:
            about["forfeit"] = {name: value for name, value in loss.to_dict().items() if name in _RECORDED}
        lines = tuple(transcript_lines(match, {"arena": about}, table.info))
    forfeit = None
    if loss is not None:
        forfeit = GameForfeit(
            loss.side, loss.reason, loss.clause, loss.legal, None if loss.log is None else str(loss.log)
        )
    return GameOutcome(*game, match.totals, hands, shares, tuple(table.moves), tuple(table.seconds), forfeit, lines)


def may_use_kernels(plan: Plan) -> bool:
    """Return whether a run is long enough for kernels, and has enough players with kernels to fill a game."""
    if plan.games < KERNELS_FROM:
        return False
    own = sum(not any(name.startswith(OWN_PREFIXES) for name in team) for team in plan.teams)
    return own >= plan.rules.sides


def play_rounds(
    plan: Plan, deals: Iterable[int], records: bool, meetings: Sequence[tuple[int, ...]] | None = None
) -> PlayedRounds:
    """Play whole rounds and return their outcomes. Executors call this function in their workers.

    ``meetings`` lists the groups of players who meet, by default the groups in the plan. If all players of a game have
    kernels, the kernels play it. The results are the same, but long runs finish much sooner. Programs are kept from
    game to game and from batch to batch (`millebornes.arena.programs`).
    """
    games = [game for deal in deals for game in plan.games_of(deal, meetings)]
    outcomes: dict[Game, GameOutcome] = {}
    if may_use_kernels(plan):
        from millebornes.arena.kernel_games import kernel_games_of

        kernel_games = kernel_games_of(plan)
        quick = [game for game in games if kernel_games.can_play(game)]
        if records:
            outcomes.update((game, kernel_games.play_recorded(game)) for game in quick)
        elif quick:
            columns = kernel_games.play(quick)
            if len(quick) == len(games):
                return PlayedRounds(columns)
            outcomes.update(zip(quick, columns.outcomes(), strict=True))
    names: dict[str, str] = {}
    for game in games:
        if game not in outcomes:
            wanted = [plan.teams[number][member] for number, member in plan.seated(game)]
            with seated(wanted, plan.time_ms) as players:
                outcomes[game] = play_game(plan, game, players, records=records)
                names |= {
                    name: own_name for name, one in zip(wanted, players, strict=True) if (own_name := given_name(one))
                }
    return PlayedRounds([outcomes[game] for game in games], tuple(names.items()))
