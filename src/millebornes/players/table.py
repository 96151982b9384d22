"""The table for a match, which asks the players in turn, checks their moves, and shows each seat what it may see."""

import contextlib
import hashlib
import itertools
import random
import reprlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from millebornes.cards import Card
from millebornes.errors import MilleBornesError, NotationError, PlayerError
from millebornes.game.events import Drew, Event, events_after, events_of_deal
from millebornes.game.hand import Hand
from millebornes.game.match import Match
from millebornes.game.move import Move
from millebornes.players.base import FullInformationPlayer, Player
from millebornes.players.external_player import ExternalPlayer, ForfeitError
from millebornes.players.file_player import where_raised
from millebornes.rules.state import Phase
from millebornes.shown import one_line

MAX_REASON_LENGTH: Final = 500
_UNUSED: Final = random.Random(0)
"""The generator passed to programs, which have their own random numbers. Using it avoids loading kernels."""


def decision_seed(seed: int | str) -> int:
    """Return the 64 bits from which the random numbers for all decisions in a match with this seed are derived."""
    digest = hashlib.sha256(f"millebornes decision {seed}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "little")


def decision_rng(seed: int | str, hand: int, ply: int) -> random.Random:
    """Return the random number generator for one decision. It depends only on the seed, the hand (from 1) and the ply.

    Kernels use the same generator (`millebornes.policies.batch.decision_chance`), and so make the same moves.
    """
    from millebornes.policies.batch import decision_chance  # loading kernels takes a while

    return decision_chance(decision_seed(seed), hand, ply)


class Forfeit(NamedTuple):
    """A match that was lost by forfeit: ``seat`` broke the protocol or the rules, and its ``side`` loses.

    ``player`` is the name of the player, and ``reason`` describes what the player did, in words that can follow "it".
    ``log`` is the file with the player's standard error, or None. For an illegal move, ``clause`` is the clause that
    forbids it, and ``legal`` contains the legal moves.
    """

    side: int
    seat: int
    player: str
    reason: str
    log: Path | None = None
    clause: str | None = None
    legal: tuple[str, ...] = ()

    def shares(self, sides: int) -> tuple[float, ...]:
        """Return each side's share of the win, adding up to 1: the losing side gets 0, and the others equal shares."""
        return tuple(0.0 if side == self.side else 1 / (sides - 1) for side in range(sides))

    def winner(self, sides: int) -> int | None:
        """Return the winning side at a table with two sides, or None if several sides share the win."""
        return 1 - self.side if sides == 2 else None

    def to_dict(self) -> dict[str, object]:
        """Return the forfeit as plain data that can be saved."""
        data: dict[str, object] = {
            "side": self.side,
            "seat": self.seat,
            "player": self.player,
            "reason": self.reason,
        }
        if self.clause is not None:
            data["clause"] = self.clause
        if self.legal:
            data["legal"] = list(self.legal)
        return data


def shares_of(totals: Sequence[int]) -> tuple[float, ...]:
    """Return each side's share of the win according to the totals.

    The best side gets all of it, and sides with the same highest total share it equally.
    """
    best = max(totals)
    part = 1 / totals.count(best)
    return tuple([part if total == best else 0.0 for total in totals])


class Table:
    """A match in progress.

    ``players`` contains the player for each seat, or None if the moves come from elsewhere, such as a person. A table
    can also start with a match that has already begun. In this case, the events of the current hand since the deal are
    reported to the players. It is normally used like this::

        while not table.is_over:
            if table.match.hand.is_over:
                table.next_hand()
            elif table.player is None:
                table.play(ask_somebody(table.match))
            else:
                try:
                    table.step()
                except PlayerError as error:
                    tell(table.lose(error))
    """

    def __init__(self, match: Match, players: Sequence[Player | None], seed: int | str | None = None) -> None:
        """Take over a match.

        ``seed`` determines the random numbers of the players, and is the seed of the match by default. Raises
        `PlayerError` if there isn't one player (or None) for each seat, or if the same object plays several seats.
        Raises `ForfeitError` if a player fails while an event is reported to it. All other methods that report events
        raise it too.
        """
        seats = match.rules.seats
        if len(players) != seats:
            raise PlayerError(f"{len(players)} players for {seats} seats; each seat needs one")
        seated = [player for player in players if player is not None]
        if len({id(player) for player in seated}) != len(seated):
            raise PlayerError("the same player object sits in two seats; make one for each seat")
        self.players = tuple(players)
        self.begin(match, seed)

    def begin(self, match: Match, seed: int | str | None = None) -> None:
        """Start another match, or another version of this one, with the same players, as a new table would."""
        self.match = match
        self.seed = match.seed if seed is None else seed
        self.loss: Forfeit | None = None
        """The forfeit that ended the match, or None."""
        for seat, player in self._seated():
            self._tell(seat, player.match_started, seat, match.rules, match.players, match.match_target)
        self.tell_deal()
        for before, after in itertools.pairwise(match.hand.moments):
            self.tell_move(before, after)

    def follow(self, match: Match) -> None:
        """Move to a later point of this match, which was played elsewhere, and report the missed events to the players.

        If ``match`` doesn't continue from here, it is started with `begin` and the same seed. Raises the same errors as
        `begin`.
        """
        if self.loss is not None or not self._leads_to(match):
            self.begin(match, self.seed)
            return
        current = self.match.hand_number
        for number, hand in enumerate((*match.finished, match.hand)[current - 1 :], current):
            if number > current:
                self.match = match.at(number, 0)
                self.tell_deal()
            for before, after in itertools.pairwise(hand.moments[self.match.hand.ply :]):
                self.match = self.match.with_hand(after)
                self.tell_move(before, after)

    def _leads_to(self, match: Match) -> bool:
        here, hands = self.match, match.hands
        number = here.hand_number
        if number > len(hands) or (match.match_target, hands[: number - 1]) != (here.match_target, here.finished):
            return False
        try:
            return hands[number - 1].at(here.hand.ply) == here.hand
        except IndexError:
            return False

    @property
    def player(self) -> Player | None:
        """The player to decide, or None if its seat has no player or the hand is over."""
        seat = self.match.hand.seat
        return None if seat is None else self.players[seat]

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, by points or by a forfeit."""
        return self.loss is not None or self.match.is_over

    @property
    def shares(self) -> tuple[float, ...] | None:
        """Each side's share of the win (adding up to 1) after the match has ended, or None before that."""
        if self.loss is not None:
            return self.loss.shares(self.match.rules.sides)
        return shares_of(self.match.totals) if self.match.is_over else None

    def choose(self) -> Move:
        """Return the choice of the player to decide, without making the move.

        Raises `MilleBornesError` if there is no such player or the match has already been lost, and `ForfeitError` (a
        `PlayerError`) if the move is illegal or a program breaks the protocol. All other exceptions that the player
        raises are passed on. Use `lose` to turn an exception into a `Forfeit`.
        """
        hand = self.match.hand
        player = self.player
        if self.loss is not None:
            raise MilleBornesError("the match is over: it was lost by forfeit")
        if player is None or hand.seat is None:
            raise MilleBornesError("it isn't a computer player's turn")
        if isinstance(player, ExternalPlayer):
            rng = _UNUSED
        else:
            rng = decision_rng(self.seed if self.seed is not None else "", self.match.hand_number, hand.ply)
        legal = hand.legal_moves
        if isinstance(player, FullInformationPlayer):
            player.reveal(hand, self.draws())
        move = player.choose(self.match.view(hand.seat), legal, rng)
        if move not in legal:
            raise _wrong_choice(player, hand, move)
        return move

    def draws(self) -> tuple[tuple[Card, ...], ...] | None:
        """Return the cards that each seat will draw, in order, if each seat has its own part of the draw pile.

        Returns None if all seats draw from the same pile, as they do in this class. Only players of the class
        `FullInformationPlayer` see these cards.
        """
        return None

    def step(self) -> Move:
        """Ask the player to choose a move, make the move and return it. Raises the same errors as `choose`."""
        move = self.choose()
        self.play(move)
        return move

    def play(self, move: Move | str) -> None:
        """Make a move for the seat to decide, and report to each player what its seat may see.

        Raises the same errors as `Hand.play`.
        """
        before = self.match.hand
        self.match = self.match.play(move)
        self.tell_move(before, self.match.hand)

    def next_hand(self, deck: Sequence[Card] | None = None) -> None:
        """Deal the next hand, using the seed of the match by default. Raises the same errors as `Match.next_hand`."""
        self.match = self.match.next_hand(deck)
        self.tell_deal()

    def play_hand(self) -> Match:
        """Let the players finish the current hand. Raises `PlayerError` if a seat has no player."""
        while not self.match.hand.is_over:
            self.step()
        return self.match

    def play_match(self) -> Match:
        """Let the players finish the match, or only the current hand if the match has no target.

        Raises the same errors as `play_hand`.
        """
        while not self.play_hand().is_over and self.match.match_target is not None:
            self.next_hand()
        return self.match

    def lose(self, error: Exception) -> Forfeit:
        """End the match by forfeit, because the player to decide caused this error in `step` or `choose`.

        The end of the match is reported to the players, and `loss` and `shares` show how it ended. The match itself
        still contains the unfinished hand. Raises `MilleBornesError` if it isn't a computer player's turn.
        """
        seat = error.seat if isinstance(error, ForfeitError) else self.match.hand.seat
        player = None if seat is None else self.players[seat]
        if seat is None or player is None or self.loss is not None:
            raise MilleBornesError("it isn't a computer player's turn, so none can lose by forfeit")
        rules = self.match.rules
        details = (error.log, error.clause, error.legal) if isinstance(error, ForfeitError) else ()
        self.loss = loss = Forfeit(rules.side_of(seat), seat, player.name, _reason(error, player), *details)
        self.stop("forfeit", loss.winner(rules.sides))
        return loss

    def stop(self, reason: str = "stopped", winner: int | None = None) -> None:
        """Report to the players that the match has ended early. All exceptions that they raise are ignored."""
        for seat, player in self._seated():
            with contextlib.suppress(ForfeitError):
                self._tell(seat, player.match_over, self.match.totals, winner, reason)

    # ------------------------------------------------------------------ reporting events

    def _seated(self) -> list[tuple[int, Player]]:
        return [(seat, player) for seat, player in enumerate(self.players) if player is not None]

    def _tell(self, seat: int, listen: Callable[..., None], *details: object) -> None:
        player = self.players[seat]
        try:
            listen(*details)
        except Exception as error:
            what = f"{_reason(error, player)} ({listen.__name__})"
            raise ForfeitError(getattr(player, "name", ""), seat, what) from error

    def tell_deal(self) -> None:
        """Report to every seat that a hand has been dealt, with the cards of the seat.

        Tables that deal in their own way call this method.
        """
        match, start = self.match, self.match.hand.at(0)
        for seat, player in self._seated():
            cards = tuple(sorted(start.dealt(seat)))
            self._tell(seat, player.hand_started, match.hand_number, start.first, match.before.totals, cards)
        self._tell_events(events_of_deal(start))

    def tell_move(self, before: Hand, after: Hand) -> None:
        """Report to every seat what it may see of the move between two positions in a hand (R5.5)."""
        self._tell_events(events_after(before, after))
        if after.phase is not Phase.OVER:
            return
        scores = after.scores
        for seat, player in self._seated():
            self._tell(seat, player.hand_over, after.completed_by, after.extended, scores, self.match.totals)
        if self.match.is_over:
            self.stop("finished", self.match.winner)

    def _tell_events(self, events: Iterable[Event]) -> None:
        for event in events:
            for seat, player in self._seated():
                seen = event.seen_by(seat)
                if isinstance(seen, Drew):
                    self._tell(seat, player.drew, seen.seat, seen.count, seen.cards)
                elif seen is not None:
                    self._tell(seat, player.moved, seen.seat, seen.move)


def _wrong_choice(player: Player, hand: Hand, move: object) -> ForfeitError:
    legal, seat = hand.legal_moves.texts, hand.seat or 0
    with contextlib.suppress(NotationError):
        move = Move.parse(move) if isinstance(move, str) else move
    if not isinstance(move, Move):
        shown = reprlib.repr(move)
        return ForfeitError(player.name, seat, f"chose {shown}, which isn't a millebornes.Move", legal=legal)
    why = hand.why_not(move)
    reason = f": {why.text} ({why.clause})" if why else ""
    return ForfeitError(player.name, seat, f"chose {move}, which is not legal{reason}", None, why and why.clause, legal)


def _reason(error: Exception, player: Player | None) -> str:
    if isinstance(error, ForfeitError):
        reason = error.reason
    elif isinstance(error, PlayerError):
        reason = str(error)
    else:
        reason = f"raised {type(error).__name__}: {error}".rstrip(": ") + where_raised(error, player)
    text = one_line(reason)
    return text if len(text) <= MAX_REASON_LENGTH else f"{text[: MAX_REASON_LENGTH - 3]}..."


def play_hand(hand: Hand, players: Sequence[Player], seed: int | str) -> Hand:
    """Return a hand after players have finished it.

    ``seed`` determines their random numbers. Raises `PlayerError` if a player's choice is illegal.
    """
    match = Match(hand.rules, hand, players=tuple(player.name for player in players), match_target=None)
    return Table(match, players, seed).play_hand().hand


def play_match(match: Match, players: Sequence[Player], seed: int | str | None = None) -> Match:
    """Return a match with a target after players have finished it.

    ``seed`` determines their random numbers, and is the seed of the match by default. Raises `PlayerError` if a
    player's choice is illegal, and `MilleBornesError` if the match can't end.
    """
    if match.match_target is None:
        raise MilleBornesError(
            "a match without a target never ends; play its hands with Table.play_hand and Table.next_hand"
        )
    return Table(match, players, seed).play_match()
