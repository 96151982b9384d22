"""A session: the match being played, who plays it, the order of the cards in people's hands, and what happened."""

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game import Hand, Match, Move, Phase, View
from millebornes.i18n import Translator
from millebornes.player_names import COMMAND_PREFIX
from millebornes.players import PLAYERS, Player, Table
from millebornes.players.external.player import ExternalPlayer, ForfeitError, greeted
from millebornes.players.registry import player
from millebornes.players.table import Forfeit
from millebornes.session.drawing import drawn_now, pile_before_draw
from millebornes.session.setup import HUMAN
from millebornes.session.slots import Slots
from millebornes.shown import clean_name, distinct
from millebornes.storage import Preferences, SavedGame
from millebornes.storage.saves import match_seed
from millebornes.texts.narration import Narration, Narrator
from millebornes.texts.participants import Participants
from millebornes.themes import Theme

__all__ = ["GameSession"]


class _ShownCards(NamedTuple):
    """How the cards lay before a person's move: by seat and place, and what lay ready to be picked."""

    slots: dict[int, list[Card | None]]
    unpicked: tuple[Card, ...]


class GameSession:
    """Holds the state of a session and changes it; says nothing itself. `log` grows by what happens."""

    def __init__(
        self,
        game: SavedGame,
        file: Path | None,
        theme: Theme,
        _: Translator,
        players: Sequence[Player | None] | None = None,
        decks: Callable[[int, int], Sequence[Card]] | None = None,
    ) -> None:
        """Sit down to a game; ``players`` by seat (None: a person), by default those that the game names.

        ``decks`` gives the deck of a hand that is to be dealt, by the numbers of match and hand (from 1); by default
        decks come from the game's seed. Raises `PlayerError` for a player that there is not.
        """
        self._decks = decks
        self.seats = game.seats
        self.seed = game.seed
        self.number = game.number
        self.games = list(game.games)
        self.preferences = game.preferences
        self.practice = game.practice
        self.hints = list(game.hints or (0,) * len(game.seats))
        """How often each seat has asked for a hint in this match, and below in this hand."""
        self.hand_hints = list(game.hand_hints or (0,) * len(game.seats))
        self.file = file
        self.theme = theme
        self.translate = _
        self.log: list[Narration] = []
        self.notes: dict[tuple[int, int], list[Narration]] = {}
        """What was not played: events by the number of the hand and the ply after which they came."""
        if players is None:
            players = [None if kind == HUMAN else greeted(kind) or player(kind) for kind in game.seats]
        self._players = tuple(players)
        game = dataclasses.replace(game, match=_with_called(game.match, self._players))
        self.participants = Participants(
            game.match.rules, game.match.players, [kind == HUMAN for kind in game.seats], _
        )
        self.narrator = Narrator(self.participants, theme, _)
        self.table = Table(game.match, self._players, match_seed(self.seed, self.number))
        if game.forfeit is not None:
            self.table.loss = Forfeit(**{name: game.forfeit[name] for name in ("side", "seat", "player", "reason")})
            self.log.append(self.narrator.forfeit(self.table.loss))
        size = game.match.rules.hand_size
        self.slots = {
            seat: Slots(size, [None if card is None else Card(card) for card in game.slots[seat]])
            for seat in self.participants.people
        }
        self.unpicked: tuple[Card, ...] = ()
        self._settled: tuple[int, int] | None = None
        self._shown: dict[int, _ShownCards] = {}
        if not any(game.slots[seat] for seat in self.slots):
            self._deal_slots()
        else:
            self._check_slots()

    # ------------------------------------------------------------------ looking

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self.table.match

    @property
    def hand(self) -> Hand:
        """The hand as it stands."""
        return self.table.match.hand

    @property
    def rules(self) -> Rules:
        """The rules of the match."""
        return self.table.match.rules

    @property
    def loss(self) -> Forfeit | None:
        """The forfeit that ended the match, if one has."""
        return self.table.loss

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, by points or by a forfeit."""
        return self.table.is_over

    @property
    def can_review(self) -> bool:
        """Whether the match is over, and a hand was played to its end: of others a review would tell too much."""
        return self.is_over and any(hand.is_over for hand in self.match.hands)

    @property
    def winner(self) -> int | None:
        """The side that won the match; None for a draw, while it goes on, and where several share a forfeit."""
        return self.match.winner if self.loss is None else self.loss.winner(self.rules.sides)

    @property
    def overall(self) -> tuple[int, ...]:
        """The points of each side in the match, with those of the hand as it stands, unless that does not count."""
        match = self.match
        if match.hand.is_over or self.loss is not None:
            return match.totals
        return tuple(total + sheet.total for total, sheet in zip(match.totals, match.hand.scores, strict=True))

    @property
    def moment(self) -> tuple[int, int]:
        """Hand and ply: names this moment of the match."""
        return self.match.hand_number, self.hand.ply

    @property
    def is_settled(self) -> bool:
        """Whether the cards drawn for this decision have been shown (or lie ready to be picked)."""
        return self._settled == self.moment

    @property
    def shown_pile(self) -> int:
        """The draw pile as people see it now: what nobody has been told to have drawn is still there."""
        return self.hand.draw_pile + len(self.unpicked) if self.is_settled else pile_before_draw(self.hand)

    def must_pick(self, seat: int | None) -> bool:
        """Whether cards lie ready that a seat has to pick first."""
        return bool(self.unpicked) and self.is_settled and self.hand.seat == seat

    def view(self, seat: int | None) -> View:
        """The table as a seat sees it; None: as everybody may, by the view of seat 0 without its hand.

        While the question of a coup fourré is still put to people who cannot answer it (R5.5), the game itself has gone
        on to the next turn already. So until that turn begins nobody is at move, and its cards lie in the draw pile.
        """
        if seat is None:
            view = dataclasses.replace(self.view(0), hand=())
            asked = view.phase in {Phase.COUP, Phase.OPENING}
            return dataclasses.replace(view, phase=Phase.PLAY, mover=None, pending=None) if asked else view
        view, hand = self.match.view(seat), self.hand
        if self.is_settled or hand.seat is None or hand.phase in {Phase.COUP, Phase.OPENING}:
            return view
        cards, sizes = list(view.hand), list(view.hand_sizes)
        for card in drawn_now(hand):
            sizes[hand.seat] -= 1
            if seat == hand.seat:
                cards.remove(card)
        return dataclasses.replace(
            view, mover=None, hand=tuple(cards), hand_sizes=tuple(sizes), draw_pile=pile_before_draw(hand)
        )

    # ------------------------------------------------------------------ changing

    def settle(self) -> tuple[Card, ...]:
        """Bring the cards drawn for this decision to the mover's hand; returns them if a person is to see them.

        Where cards are picked by hand they stay in `unpicked`, and nothing is returned.
        """
        if self.is_settled:
            return ()
        self._settled = self.moment
        self.unpicked = ()
        hand = self.hand
        if hand.phase is not Phase.PLAY or hand.seat not in self.slots:
            return ()
        slots, drawn = self.slots[hand.seat], drawn_now(hand)
        if not drawn or slots.match(hand.cards(hand.seat)):
            return ()
        if self.preferences.manual_pick:
            self.unpicked = drawn
            return ()
        slots.draw(drawn)
        return drawn

    def pick(self) -> tuple[Card, ...]:
        """Pick up what lies ready; returns the cards."""
        drawn, self.unpicked = self.unpicked, ()
        if drawn and self.hand.seat is not None:
            self.slots[self.hand.seat].draw(drawn)
        return drawn

    def play(self, move: Move, place: int | None = None) -> None:
        """Make a move for the seat that decides; ``place`` is where a person took the card from."""
        before = self.hand
        seat = before.seat
        assert seat is not None
        unpicked = self.unpicked
        failed = self._tell_players(lambda: self.table.play(move))
        if self.practice and seat in self.slots:
            self._shown[before.ply] = _ShownCards(
                {other: list(held.cards) for other, held in self.slots.items()}, unpicked
            )
        slots = self.slots.get(seat)
        if slots is not None and move.card is not None:
            found = place or slots.place_of(move.card)
            if found is not None:
                slots.take(found, sort=self.preferences.sort)
        self.log += self.narrator.move(self.hand)
        self._count_game(1)
        if failed is not None and not self.is_over:
            self.lose(failed)

    def _tell_players(self, change: Callable[[], None]) -> ForfeitError | None:
        """Change the table, of which its players are told; the forfeit of one from elsewhere that fails at it."""
        try:
            change()
        except ForfeitError as error:
            if self.seats[error.seat] in PLAYERS:
                raise
            return error
        return None

    def lose(self, error: Exception) -> Forfeit:
        """The computer player to move forfeits the match by what `Table.choose` raised for it."""
        loss = self.table.lose(error)
        self.log.append(self.narrator.forfeit(loss))
        self._count_game(1)
        return loss

    def _count_game(self, by: int) -> None:
        if self.is_over and self.winner is not None:
            self.games[self.winner] += by

    def undo_point(self, seat: int) -> Hand | None:
        """In practice: this hand as a seat had to decide it last; None where there is nothing to take back."""
        hand = self.hand.parent if self.practice and seat in self.slots else None
        while hand is not None and hand.seat != seat:
            hand = hand.parent
        return hand

    @property
    def latest_person(self) -> int | None:
        """The seat of the person who decided last in this hand."""
        hand = self.hand.parent
        while hand is not None and hand.seat not in self.slots:
            hand = hand.parent
        return None if hand is None else hand.seat

    def undo(self, seat: int) -> bool:
        """In practice: go back to the latest decision of a person's seat in this hand. Returns whether there was one.

        The cards to come stay the same. Computer players begin anew, and play as if what was taken back had never been.
        """
        point = self.undo_point(seat)
        if point is None:
            return False
        self._count_game(-1)
        if not self.is_over:
            self.table.stop()
        match = dataclasses.replace(self.match, hand=point)
        failed = self._tell_players(lambda: self.table.begin(match, self.table.seed))
        shown = self._shown.get(point.ply)
        self._settled, self.unpicked = None, ()
        if shown is None:  # made before the game was saved
            self._check_slots()
        else:
            for other, cards in shown.slots.items():
                self.slots[other].cards = list(cards)
            self._settled, self.unpicked = self.moment, shown.unpicked
        back = self.narrator.taken_back(seat)
        self.log.append(back)
        number, ply = self.moment
        self.notes = {at: events for at, events in self.notes.items() if at <= (number, ply)}
        self.notes.setdefault((number, ply), []).append(back)
        if failed is not None:
            self.lose(failed)
        return True

    def count_hint(self, seat: int) -> None:
        """A seat has been given a hint."""
        self.hints[seat] += 1
        self.hand_hints[seat] += 1

    def next_hand(self) -> None:
        """Deal the next hand of the match."""
        deck = None if self._decks is None else self._decks(self.number, self.match.hand_number + 1)
        failed = self._tell_players(lambda: self.table.next_hand(deck))
        self.hand_hints = [0] * len(self.seats)
        self._deal_slots()
        if failed is not None:
            self.lose(failed)

    def next_match(self) -> None:
        """Begin another match with the same people, its first seat one further to the left."""
        self.number += 1
        seed = match_seed(self.seed, self.number)
        old = self.match
        first = (self.number - 1) % old.rules.seats
        match = Match.start(
            old.rules,
            seed,
            deck=None if self._decks is None else self._decks(self.number, 1),
            first=first,
            players=old.players,
            match_target=old.match_target,
        )
        failed = self._tell_players(lambda: self.table.begin(match, seed))
        self.hints, self.hand_hints = [0] * len(self.seats), [0] * len(self.seats)
        self.notes.clear()
        self._deal_slots()
        if failed is not None:
            self.lose(failed)

    def sort_hands(self, on: bool) -> None:
        """Switch the sorting of hands."""
        self.change(dataclasses.replace(self.preferences, sort=on))

    def change(self, preferences: Preferences) -> None:
        """Take over other preferences, as far as they concern the table."""
        self.preferences = preferences
        if preferences.sort:
            for slots in self.slots.values():
                slots.sort()

    def saved(self) -> SavedGame:
        """All of it, to be written."""
        return SavedGame(
            match=self.match,
            seats=self.seats,
            seed=self.seed,
            number=self.number,
            games=tuple(self.games),
            slots=tuple(self.slots[seat].texts() if seat in self.slots else () for seat in range(self.rules.seats)),
            preferences=self.preferences,
            practice=self.practice,
            hints=tuple(self.hints),
            hand_hints=tuple(self.hand_hints),
            forfeit=None if self.loss is None else self.loss.to_dict(),
            file=None if self.file is None else str(self.file),
        )

    def close(self) -> None:
        """Let the computer players go."""
        for seated in self._players:
            if seated is not None:
                seated.close()

    def _deal_slots(self) -> None:
        self._settled = None
        self._shown.clear()
        self.unpicked = ()
        for seat, slots in self.slots.items():
            slots.deal(self.hand.dealt(seat), sort=self.preferences.sort)

    def _check_slots(self) -> None:
        """Take the hands' order from a save, as far as it fits the hands."""
        hand = self.hand
        for seat, slots in self.slots.items():
            cards = list(hand.cards(seat))
            if slots.match(cards):
                continue
            if seat == hand.seat:
                for card in drawn_now(hand):
                    cards.remove(card)
            if not slots.match(cards):
                slots.rebuild(cards, sort=self.preferences.sort)


def _with_called(match: Match, players: Sequence[Player | None]) -> Match:
    """The match with what programs call themselves in place of their commands, as far as they have said it."""
    names = list(match.players)
    for seat, seated in enumerate(players):
        if isinstance(seated, ExternalPlayer) and seat < len(names) and names[seat].startswith(COMMAND_PREFIX):
            names[seat] = clean_name(seated.bot_name or "") or names[seat]
    return match if tuple(names) == match.players else dataclasses.replace(match, players=distinct(names))
