"""The table at which people play at one screen: its state, its computer players, and the order of people's cards."""

import copy
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game import RULES_VERSION, Hand, Match, Move, Phase, View
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
from millebornes.table import commands, facts
from millebornes.table.seats import ME
from millebornes.table.state import PASS, TableState
from millebornes.table.views import public_view, seat_view
from millebornes.themes import Theme
from millebornes.words.narration import Narration, Narrator
from millebornes.words.participants import Participants, levels_of, with_computer_names
from millebornes.words.words import TableWords

NOW: Final = 0
"""The time of all facts at a table without clocks."""


def created(game: SavedGame, names: Sequence[str]) -> facts.Created:
    """Return the fact that begins the log of a game for people at one screen."""
    match, won = game.match, list(game.games)
    winner = match.winner
    if game.forfeit is not None:
        winner = Forfeit(game.forfeit["side"], game.forfeit["seat"], "", "").winner(match.rules.sides)
    if game.is_over and winner is not None:
        won[winner] -= 1  # counted again when the facts of this match follow
    return facts.Created(
        at=NOW,
        table="",
        rules=str(match.rules),
        rules_version=RULES_VERSION,
        places=tuple(ME if kind == HUMAN else kind for kind in game.seats),
        name="",
        match_target=match.match_target,
        spectators=False,
        coup_window=0,
        secret="",
        seed=game.seed,
        names=tuple(names),
        won=tuple(won),
    )


def state_of(game: SavedGame, names: Sequence[str]) -> TableState:
    """Return the state of a table at which a game goes on. The lines of its hands in a save are facts, too."""
    match = game.match
    begins = created(game, names)
    state = TableState(begins, match.rules)
    state.is_brief = True  # the screen reads the state, so nobody is sent a question
    state.apply(begins)
    for number, hand in enumerate(match.hands, match.hand_number - len(match.hands) + 1):
        state.apply(commands.dealt_before(hand, game.number, number, NOW))
    if game.is_asked and state.window is not None:
        state.apply(facts.Closed(at=NOW))
    if game.forfeit is not None:
        state.apply(facts.SeatForfeited(at=NOW, seat=game.forfeit["seat"], reason=game.forfeit["reason"]))
    return state


class GameSession:
    """A table at one screen. The methods change it by adding facts to its `state`, and events to `log`."""

    def __init__(
        self,
        game: SavedGame,
        file: Path | None,
        theme: Theme,
        _: Translator,
        players: Sequence[Player | None] | None = None,
    ) -> None:
        """Start or resume a game.

        ``players`` has one entry per seat, None for a person, and defaults to the players in the game. Raises
        `PlayerError` if a player doesn't exist.
        """
        self.seats = game.seats
        self.seed = game.seed
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
        stored = _called(game.match.players, players)
        self.state: Final = state_of(game, stored)
        levels = levels_of(game.seats)
        names = with_computer_names(stored, levels)
        self.participants = Participants(self.state.rules, names, self.state.humans, _, levels)
        self.narrator = Narrator(self.words)
        self.computers: Final = Table(self.match, players, match_seed(self.seed, self.number))
        """The computer players, who are told what happens at this table."""
        if game.forfeit is not None:
            self.computers.loss = Forfeit(**{name: game.forfeit[name] for name in ("side", "seat", "player", "reason")})
            self.log.append(self.narrator.forfeit(self.computers.loss))
        size = self.rules.hand_size
        self.slots = {
            seat: Slots(size, [None if card is None else Card(card) for card in game.slots[seat]])
            for seat in self.participants.people
        }
        self.unpicked: tuple[Card, ...] = ()
        self._announced: tuple[int, int] | None = None
        """The latest `moment` whose turn has been announced."""
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
        match = self.state.match
        assert match is not None
        return match

    @property
    def number(self) -> int:
        """The number of the current match, from 1."""
        return self.state.number

    @property
    def games(self) -> list[int]:
        """The number of matches that each side has won."""
        return self.state.games

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
        return self.match.hand

    @property
    def rules(self) -> Rules:
        """The rules of the match."""
        return self.state.rules

    @property
    def loss(self) -> Forfeit | None:
        """The forfeit that ended the match, or None if there was none."""
        return self.computers.loss

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, on points or by a forfeit."""
        return self.state.is_match_over

    @property
    def can_review(self) -> bool:
        """Whether the match is over with a finished hand. Reviewing an unfinished match would reveal too much."""
        return self.is_over and any(hand.is_over for hand in self.match.hands)

    @property
    def winner(self) -> int | None:
        """The side that won the match, or None if the match is unfinished, drawn, or shared after a forfeit."""
        return self.state.winner

    @property
    def overall(self) -> tuple[int, ...]:
        """Each side's points in the match. The points of the current hand are included unless a forfeit ended it."""
        return self.state.overall

    @property
    def moment(self) -> tuple[int, int]:
        """The numbers of the current hand and ply. Together they identify this moment of the match."""
        return self.state.moment

    @property
    def is_settled(self) -> bool:
        """Whether the cards drawn for this decision have been shown or are ready to be picked."""
        return self._announced == self.moment

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
        self._announced = self.moment
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
        """Make a legal move for the current player. ``place`` is the place from which a person took the card.

        This closes the window of a coup fourré that wasn't called.
        """
        before, seat = self.hand, self.hand.seat
        assert seat is not None
        if self.state.window is not None and self.state.asked is None:
            self.state.apply(facts.Closed(at=NOW))
        if self.practice and seat in self.slots:
            self._shown[before.ply] = copy.deepcopy(self.slots), self.unpicked
        if move == PASS:
            self.state.apply(facts.Closed(at=NOW))
        else:
            self.state.apply(facts.MoveMade(at=NOW, seat=seat, move=move.text))
        failed = self._told(lambda: self.computers.follow(self.match))
        slots = self.slots.get(seat)
        if slots is not None and move.card is not None:
            found = place or slots.place_of(move.card)
            if found is not None:
                slots.take(found, sort=self.preferences.sort)
        self.log += self.narrator.move(self.hand)
        if failed is not None and not self.is_over:
            self.lose(failed)

    def close_window(self) -> None:
        """Settle the question about a coup fourré for everyone. If the player who holds the safety is asked, pass."""
        if self.state.asked is not None:
            self.play(PASS)
        else:
            self.state.apply(facts.Closed(at=NOW))

    def _told(self, change: Callable[[], None]) -> ForfeitError | None:
        """Tell the computer players of a change. If a program fails as a result, return its forfeit."""
        try:
            change()
        except ForfeitError as error:
            if self.seats[error.seat] in PLAYERS:
                raise
            return error
        return None

    def lose(self, error: Exception) -> Forfeit:
        """Let a computer player forfeit the match because it raised ``error``, usually when it had to move."""
        loss = self.computers.lose(error)
        self.state.apply(facts.SeatForfeited(at=NOW, seat=loss.seat, reason=loss.reason))
        self.log.append(self.narrator.forfeit(loss))
        return loss

    def undo_point(self, seat: int) -> Hand | None:
        """Return this hand as it was before a seat's latest decision, or None if there is nothing to take back.

        Only practice games allow it. A secret pass on a coup fourré doesn't count, because taking it back would reveal
        it (R5.5).
        """
        return self.state.before_latest(seat) if self.practice and seat in self.slots else None

    @property
    def latest_person(self) -> int | None:
        """The seat of the last person to make a decision in this hand that isn't secret."""
        latest = self.state.before_latest()
        return None if latest is None else latest.seat

    def undo(self, seat: int) -> bool:
        """Take back the latest decision of a person's seat in this hand, in practice. Return whether there was one.

        The cards still to come stay the same. Computer players are restarted and play as if the moves that were taken
        back had never happened.
        """
        point = self.undo_point(seat)
        if point is None:
            return False
        if not self.is_over:
            self.computers.stop()
        self.state.apply(facts.Undone(at=NOW, seat=seat, settled=True))
        failed = self._told(lambda: self.computers.begin(self.match, self.computers.seed))
        shown = self._shown.get(point.ply)
        self._announced, self.unpicked = None, ()
        if shown is None:  # the move was made before the game was last saved
            self._check_slots()
        else:
            self._announced = self.moment
            self.slots, self.unpicked = shown
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
        """Deal the next hand or, if the match is over, the first hand of another match with the same players."""
        is_new = self.is_over
        self.state.apply(commands.begin(self.state, NOW))
        self.hand_hints = [0] * len(self.seats)
        if is_new:
            self.hints = [0] * len(self.seats)
            self.notes.clear()
            failed = self._told(lambda: self.computers.begin(self.match, match_seed(self.seed, self.number)))
        else:
            failed = self._told(lambda: self.computers.follow(self.match))
        self._deal_slots()
        if failed is not None:
            self.lose(failed)

    def change(self, preferences: Preferences) -> None:
        """Switch to other preferences, where they affect the table."""
        sorts = preferences.sort and not self.preferences.sort
        self.preferences = preferences
        if sorts:
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
            is_asked=self.state.is_settled,
            file=None if self.file is None else str(self.file),
        )

    def close(self) -> None:
        """Close the computer players."""
        for seated in self.computers.players:
            if seated is not None:
                seated.close()

    def _deal_slots(self) -> None:
        self._announced = None
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


def _called(names: Sequence[str], players: Sequence[Player | None]) -> tuple[str, ...]:
    """Return the names with those that programs have given themselves in place of the commands that start them."""
    found = list(names)
    for seat, seated in enumerate(players):
        if isinstance(seated, ExternalPlayer) and seat < len(found) and found[seat].startswith(COMMAND_PREFIX):
            found[seat] = clean_name(seated.bot_name or "") or found[seat]
    return tuple(names) if tuple(found) == tuple(names) else distinct(found)
