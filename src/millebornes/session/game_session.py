"""A session: the current match, its players, the order of the cards in people's hands, and the log."""

import copy
import dataclasses
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game import Action, Hand, Match, Move, Phase, View
from millebornes.i18n import Translator
from millebornes.player_names import COMMAND_PREFIX, HUMAN
from millebornes.players import PLAYERS, Player, Table
from millebornes.players.external_player import ExternalPlayer, ForfeitError, greeted
from millebornes.players.registry import player
from millebornes.players.table import Forfeit
from millebornes.session.slots import Slots
from millebornes.shown import clean_name, distinct
from millebornes.storage import Preferences, SavedGame
from millebornes.storage.saves import match_seed
from millebornes.table.views import public_view, seat_view
from millebornes.themes import Theme
from millebornes.words.narration import Narration, Narrator
from millebornes.words.participants import Participants, levels_of, with_computer_names
from millebornes.words.words import TableWords

_PASS: Final = Move(Action.PASS)


class GameSession:
    """The state of a session and the methods that change it. The class displays nothing, but adds events to `log`."""

    def __init__(
        self,
        game: SavedGame,
        file: Path | None,
        theme: Theme,
        _: Translator,
        players: Sequence[Player | None] | None = None,
        decks: Callable[[int, int], Sequence[Card]] | None = None,
    ) -> None:
        """Start or resume a game.

        ``players`` has one entry per seat, None for a person, and defaults to the players in the game.

        ``decks`` is a function that takes the number of a match and the number of a hand within it, both counted from
        1, and returns the deck. By default, the game's seed determines the decks. Raises `PlayerError` if a player
        doesn't exist.
        """
        self._decks = decks
        self.seats = game.seats
        self.seed = game.seed
        self.number = game.number
        self.games = list(game.games)
        self.preferences = game.preferences
        self.practice = game.practice
        self.hints = list(game.hints or (0,) * len(game.seats))
        """The number of hints that each seat has used in this match, and below in the current hand."""
        self.hand_hints = list(game.hand_hints or (0,) * len(game.seats))
        self.file = file
        self.theme = theme
        self.translate = _
        self.log: list[Narration] = []
        self.notes: dict[tuple[int, int], list[Narration]] = {}
        """Events other than moves, keyed by the number of the hand and the ply that they follow."""
        if players is None:
            players = [None if kind == HUMAN else greeted(kind) or player(kind) for kind in game.seats]
        self._players = tuple(players)
        game = dataclasses.replace(game, match=_with_called(game.match, self._players))
        levels = levels_of(game.seats)
        names = with_computer_names(game.match.players, levels)
        self.participants = Participants(game.match.rules, names, [kind == HUMAN for kind in game.seats], _, levels)
        self.narrator = Narrator(self.words)
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
        self.asked = self.moment if game.is_asked else None
        """The latest `moment` at which the question about a coup fourré was settled for everyone (R5.5)."""
        self._shown: dict[int, tuple[dict[int, Slots], tuple[Card, ...]]] = {}
        """What people saw of their hands at their decisions, by ply: the cards in place, and those still to pick."""
        if not any(game.slots[seat] for seat in self.slots):
            self._deal_slots()
        else:
            self._check_slots()

    # ------------------------------------------------------------------ looking

    @property
    def words(self) -> TableWords:
        """The language, the names of the cards and the names of the players."""
        return TableWords(self.translate, self.theme, self.participants)

    @property
    def match(self) -> Match:
        """The current match."""
        return self.table.match

    @property
    def stored_names(self) -> tuple[str, ...]:
        """The seats' names for files: people's names as the screen shows them, and the names of computer players."""
        participants = self.participants
        return tuple(
            shown if human else stored
            for shown, stored, human in zip(participants.names, self.match.players, participants.humans, strict=True)
        )

    @property
    def hand(self) -> Hand:
        """The current hand."""
        return self.table.match.hand

    @property
    def rules(self) -> Rules:
        """The rules of the match."""
        return self.table.match.rules

    @property
    def loss(self) -> Forfeit | None:
        """The forfeit that ended the match, or None if there was none."""
        return self.table.loss

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, on points or by a forfeit."""
        return self.table.is_over

    @property
    def can_review(self) -> bool:
        """Whether the match is over with a finished hand. Reviewing an unfinished match would reveal too much."""
        return self.is_over and any(hand.is_over for hand in self.match.hands)

    @property
    def winner(self) -> int | None:
        """The side that won the match, or None if the match is unfinished, drawn, or shared after a forfeit."""
        return self.match.winner if self.loss is None else self.loss.winner(self.rules.sides)

    @property
    def overall(self) -> tuple[int, ...]:
        """Each side's points in the match. The points of the current hand are included unless a forfeit ended it."""
        match = self.match
        if match.hand.is_over or self.loss is not None:
            return match.totals
        return tuple(total + sheet.total for total, sheet in zip(match.totals, match.hand.scores, strict=True))

    @property
    def moment(self) -> tuple[int, int]:
        """The numbers of the current hand and ply. Together they identify this moment of the match."""
        return self.match.hand_number, self.hand.ply

    @property
    def is_settled(self) -> bool:
        """Whether the cards drawn for this decision have been shown or are ready to be picked."""
        return self._settled == self.moment

    @property
    def shown_pile(self) -> int:
        """The size of the draw pile as people see it now. Cards whose draw hasn't been announced yet still count."""
        return self.hand.draw_pile + (len(self.unpicked) if self.is_settled else self.hand.drawn)

    def must_pick(self, seat: int | None) -> bool:
        """Return whether the player in a seat has to pick cards before moving."""
        return bool(self.unpicked) and self.is_settled and self.hand.seat == seat

    def view(self, seat: int | None) -> View:
        """Return the table as the player in a seat sees it.

        For None, return seat 0's view without its hand, for everyone to see.

        While other people are still being asked about a coup fourré that they can't call (R5.5), the game itself has
        already reached the next turn. Until that turn is announced, the view shows no player to move, and the cards
        drawn for the turn still appear in the draw pile.
        """
        view = seat_view(self.match, seat or 0, is_announced=self.is_settled)
        return public_view(view) if seat is None else view

    # ------------------------------------------------------------------ changing

    def settle(self) -> tuple[Card, ...]:
        """Put the cards drawn for this decision into the hand or, to be picked, `unpicked`. Return those to see."""
        if self.is_settled:
            return ()
        self._settled = self.moment
        self.unpicked = ()
        hand = self.hand
        if hand.phase is not Phase.PLAY or hand.seat not in self.slots:
            return ()
        slots, drawn = self.slots[hand.seat], hand.drawn_cards
        if not drawn or slots.match(hand.cards(hand.seat)):
            return ()
        if self.preferences.manual_pick:
            self.unpicked = drawn
            return ()
        slots.draw(drawn)
        return drawn

    def pick(self) -> tuple[Card, ...]:
        """Move the cards that are ready to the person's hand, and return them."""
        drawn, self.unpicked = self.unpicked, ()
        if drawn and self.hand.seat is not None:
            self.slots[self.hand.seat].draw(drawn)
        return drawn

    def play(self, move: Move, place: int | None = None) -> None:
        """Make a move for the current player. ``place`` is the place from which a person took the card."""
        before = self.hand
        seat = before.seat
        assert seat is not None
        unpicked = self.unpicked
        failed = self._tell_players(lambda: self.table.play(move))
        if self.practice and seat in self.slots:
            self._shown[before.ply] = copy.deepcopy(self.slots), unpicked
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
        """Change the table, which notifies its players. If an external player fails as a result, return its forfeit."""
        try:
            change()
        except ForfeitError as error:
            if self.seats[error.seat] in PLAYERS:
                raise
            return error
        return None

    def lose(self, error: Exception) -> Forfeit:
        """Let the computer player to move forfeit the match because `Table.choose` raised ``error`` for it."""
        loss = self.table.lose(error)
        self.log.append(self.narrator.forfeit(loss))
        self._count_game(1)
        return loss

    def _count_game(self, by: int) -> None:
        if self.is_over and self.winner is not None:
            self.games[self.winner] += by

    def _decisions(self) -> Iterator[Hand]:
        """Yield this hand as it was before each decision, latest first, except before passes that are secret."""
        at = self.hand
        while at.parent is not None:
            if not (self.participants.is_shared and at.move == _PASS):
                yield at.parent
            at = at.parent

    def undo_point(self, seat: int) -> Hand | None:
        """Return this hand as it was before a seat's latest decision, or None if there is nothing to take back.

        Only practice games allow it. A secret pass on a coup fourré doesn't count, because taking it back would reveal
        it (R5.5).
        """
        if not self.practice or seat not in self.slots:
            return None
        return next((hand for hand in self._decisions() if hand.seat == seat), None)

    @property
    def latest_person(self) -> int | None:
        """The seat of the last person to make a decision in this hand that isn't secret."""
        return next((hand.seat for hand in self._decisions() if hand.seat in self.slots), None)

    def undo(self, seat: int) -> bool:
        """Take back the latest decision of a person's seat in this hand, in practice. Return whether there was one.

        The cards still to come stay the same. Computer players are restarted and play as if the moves that were taken
        back had never happened.

        A question about a coup fourré that came before the decision stays settled. Otherwise, only those who don't hold
        the safety would be asked again (R5.5), because the pass of those who do is part of the hand.
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
        if shown is None:  # the move was made before the game was last saved
            self._check_slots()
        else:
            self._settled = self.moment
            self.slots, self.unpicked = shown
        is_question = point.phase in {Phase.COUP, Phase.OPENING}
        self.asked = None if is_question else self.moment
        back = self.narrator.taken_back(seat)
        self.log.append(back)
        number, ply = self.moment
        self.notes = {at: events for at, events in self.notes.items() if at <= (number, ply)}
        self.notes.setdefault((number, ply), []).append(back)
        if failed is not None:
            self.lose(failed)
        return True

    def count_hint(self, seat: int) -> None:
        """Add one to the number of hints that a seat has used."""
        self.hints[seat] += 1
        self.hand_hints[seat] += 1

    def next_hand(self) -> None:
        """Deal the next hand of the match."""
        deck = None if self._decks is None else self._decks(self.number, self.match.hand_number + 1)
        failed = self._tell_players(lambda: self.table.next_hand(deck))
        self.hand_hints = [0] * len(self.seats)
        self.asked = None
        self._deal_slots()
        if failed is not None:
            self.lose(failed)

    def next_match(self) -> None:
        """Start another match with the same players. The right to go first moves one seat to the left."""
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
        self.asked = None
        self.notes.clear()
        self._deal_slots()
        if failed is not None:
            self.lose(failed)

    def change(self, preferences: Preferences) -> None:
        """Switch to other preferences, where they affect the table."""
        self.preferences = preferences
        if preferences.sort:
            for slots in self.slots.values():
                slots.sort()

    def saved(self) -> SavedGame:
        """Return the whole session in the form in which it is saved."""
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
            is_asked=self.asked == self.moment,
            file=None if self.file is None else str(self.file),
        )

    def close(self) -> None:
        """Close the computer players."""
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
        """Restore the order of the cards from the save, as long as it matches the hands."""
        hand = self.hand
        for seat, slots in self.slots.items():
            cards = list(hand.cards(seat))
            if slots.match(cards):
                continue
            if seat == hand.seat:
                for card in hand.drawn_cards:
                    cards.remove(card)
            if not slots.match(cards):
                slots.rebuild(cards, sort=self.preferences.sort)


def _with_called(match: Match, players: Sequence[Player | None]) -> Match:
    """Return the match with the names that programs have given themselves in place of the commands that start them."""
    names = list(match.players)
    for seat, seated in enumerate(players):
        if isinstance(seated, ExternalPlayer) and seat < len(names) and names[seat].startswith(COMMAND_PREFIX):
            names[seat] = clean_name(seated.bot_name or "") or names[seat]
    return match if tuple(names) == match.players else dataclasses.replace(match, players=distinct(names))
