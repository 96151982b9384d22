"""A table as it follows from its log: who sits there, the game, what has been told, and what comes next."""

from collections import deque
from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game import RULES_VERSION, Action, FairShuffle, Move, Phase, View
from millebornes.game.fair_shuffle import commitment_of
from millebornes.players import ForfeitError
from millebornes.schema.api import ChatEvent, ShuffleEvent, Status, TimeOutEvent
from millebornes.session.drawing import drawn_now
from millebornes.session.game_loop import GameLoop
from millebornes.session.game_session import GameSession
from millebornes.session.requests import (
    Ask,
    Compute,
    ComputerMove,
    Continue,
    Coup,
    Event,
    EventKind,
    Extension,
    PersonMove,
    RecordResult,
    Save,
    Turn,
)
from millebornes.web.errors import ApiError
from millebornes.web.table.clocks import Clocks, CoupWindow
from millebornes.web.table.events import (
    Away,
    Back,
    Closed,
    Created,
    Gave,
    HandDealt,
    Joined,
    Left,
    LogError,
    MoveMade,
    Placed,
    Rekeyed,
    Returned,
    RulesChanged,
    Said,
    SeatForfeited,
    Shuffled,
    TableEvent,
    Waited,
    forward,
)
from millebornes.web.table.messages import Message, MessageWriter
from millebornes.web.table.seats import Seats
from millebornes.web.table.shuffling import OpenShuffle, cards_of, first_loop

__all__ = [
    "MAX_EVENTS",
    "MAX_HANDS",
    "MAX_HANDS_BEFORE_MATCH",
    "PASS",
    "TableState",
    "check_room",
    "has_room",
    "is_complete",
]

_ASKED: Final = frozenset((Phase.COUP, Phase.OPENING))
PASS: Final = Move(Action.PASS)
_BESIDE: Final = (Said, Gave, Joined, Left, Returned, Away, Back, Waited, Rekeyed)
"""What happens beside the game."""


class TableState(Seats):
    """What follows from a log. `apply` takes the next event; everything else only looks."""

    def __init__(self, created: Created) -> None:
        """Raises `RulesChanged` where the rules have changed since."""
        if created.rules_version != RULES_VERSION:
            raise RulesChanged(
                f"the table was set up under version {created.rules_version} of the rules, which this program "
                f"(version {RULES_VERSION}) cannot go on with"
            )
        super().__init__(created)
        self.rules: Final = Rules.parse(created.rules)
        self.seq = 0
        """Events so far."""
        self.version = 0
        """Messages so far."""
        self.question_version = 0
        """The version at which what is asked now was put; a command that saw it, or more, may answer it."""
        self.at = created.at
        """When the game went on last, and below after which event; chat and coming and going leave it as it is."""
        self.game_seq = 0
        self.hands = 0
        """Hands dealt so far, in all matches."""
        self.latest = created.at
        """The time of the latest event; no time of a log goes back."""
        self.is_brief = False
        """Whether questions may be left out of what is told, as nobody will be told it."""
        self.messages: deque[Message] = deque()
        """The latest ones: those of this hand and the one before."""
        self.clocks: Clocks | None = None
        self._set_clocks()
        self.open: OpenShuffle | None = None
        self.shuffles: dict[int, FairShuffle] = {}
        """How the hands of this match were shuffled, by their numbers."""
        self.window: CoupWindow | None = None
        self.loop: GameLoop | None = None
        self._deck: tuple[Card, ...] = ()
        self._hand_begins: deque[int] = deque(maxlen=2)

    def _set_clocks(self) -> None:
        self.clocks = None if self.created.clock is None else Clocks(*self.created.clock, self.humans)

    # ------------------------------------------------------------------ looking

    @property
    def floor(self) -> int:
        """The version of the latest message that is not kept any more."""
        return self.messages[0].version - 1 if self.messages else self.version

    @property
    def session(self) -> GameSession | None:
        """The session; None before the first hand has been dealt."""
        return None if self.loop is None else self.loop.session

    @property
    def status(self) -> Status:
        """``waiting`` (for people, or for the next hand), ``playing``, ``hand_over`` or ``match_over``."""
        session = self.session
        if session is None or self.open is not None:
            return "waiting"
        if session.is_over:
            return "match_over"
        return "hand_over" if session.hand.is_over else "playing"

    def is_late(self, seat: int, at: int) -> bool:
        """Whether the time of a seat is up."""
        return self.clocks is not None and self.clocks.running == seat and self.clocks.due <= at

    @property
    def next_hand(self) -> tuple[int, int]:
        """The numbers of match and hand that would be dealt next."""
        session = self.session
        if session is None:
            return 1, 1
        return (session.number + 1, 1) if session.is_over else (session.number, session.match.hand_number + 1)

    @property
    def turn(self) -> int | None:
        """The seat that everybody can see to be at move; None while a window is open."""
        if self.status != "playing" or self.window is not None or self.session is None:
            return None
        return self.session.hand.apparent_seat

    def question(self, seat: int) -> Turn | Extension | Coup | None:
        """What a person's seat is asked, for its eyes alone; None where it is not, nor could answer."""
        request = None if self.loop is None or self.status != "playing" else self.loop.request
        if not isinstance(request, Ask):
            return None
        for question in request.questions:
            if question.seat == seat and isinstance(question, Turn | Extension | Coup):
                return question if not isinstance(question, Coup) or question.holds else None
        return None

    def deciding(self) -> int | None:
        """The seat whose decision it really is, who may be asked in secret (R5.5); None where nobody is to decide."""
        return None if self.session is None or self.status != "playing" else self.session.hand.seat

    @property
    def asked(self) -> int | None:
        """The seat that is asked for a coup fourré or an opening one, in secret (R5.5); None where nobody is."""
        return self.deciding() if self.session is not None and self.session.hand.phase in _ASKED else None

    def view(self, seat: int | None) -> View | None:
        """The table as a seat sees it, None as everybody may; None while no hand is played or looked back at."""
        return None if self.session is None or self.status == "waiting" else self.session.view(seat)

    def deck(self) -> tuple[Card, ...]:
        """The deck of the hand that is to be dealt, by the shuffle that is open."""
        return self._shuffle().deck(self.rules)

    @property
    def commitment(self) -> str | None:
        """What the server has committed itself to for the next hand, if it has."""
        return None if self.open is None else self._shuffle().commitment

    def _shuffle(self) -> FairShuffle:
        assert self.open is not None
        return self.open.fair(self.created.table, self.rules.seats)

    # ------------------------------------------------------------------ going on

    def apply(self, event: TableEvent) -> Sequence[Message]:
        """Take the next event of the log; returns what is told of it.

        Raises `MilleBornesError` for what cannot follow; the state is of no use any more then.
        """
        out, event = MessageWriter(self.version), forward(event, self.latest)
        self.latest = event.at
        ran = None if self.clocks is None else self.clocks.stop(event.at)
        match event:
            case Created():
                self.sit(out, self.creator)
            case Joined(seat=seat, name=name):
                self.names[seat] = name
                self.sit(out, seat)
            case Placed():
                if self.loop is not None:
                    raise LogError("a seat was freed after the first deal")
                self.open = None  # it is shuffled anew, with a share of whoever comes
                self.come_or_go(out, event)
                self._set_clocks()
            case Left() | Returned() | Away() | Back() | Waited() | Rekeyed():
                self.come_or_go(out, event)
            case Said(seat=seat, text=text, phrase=phrase):
                known = UNSET if phrase is None else phrase
                out.plain(ChatEvent(seat=seat, name=self.shown_names[seat], text=text, phrase=known))
            case Gave(seat=seat, seed=seed):
                if self.open is None:
                    raise LogError("a share in a shuffle, but no hand is to be dealt")
                self.open.seeds[seat] = bytes.fromhex(seed)
                out.nothing()
            case Shuffled(hand=hand, server_seed=seed):
                self._greet(out, hand)
                self.open = OpenShuffle(event, {})
                out.plain(ShuffleEvent(hand=hand, commitment=commitment_of(bytes.fromhex(seed))))
            case HandDealt():
                self._deal(out, event)
            case _:
                self._play(out, event)
        self.seq += 1
        self.version = out.version
        if self.clocks is not None:
            self._set_clock(self.clocks, event, ran)
        if not isinstance(event, _BESIDE):
            self.at, self.game_seq = event.at, self.seq
            if self.window is not None and self.window.seq == 0:
                self.window = CoupWindow.settled(self.created, self.seq, event.at)
        self.messages += out.made
        while len(self._hand_begins) == 2 and self.messages[0].version < self._hand_begins[0]:
            self.messages.popleft()
        return out.made

    def _set_clock(self, clocks: Clocks, event: TableEvent, ran: int | None) -> None:
        """Let run whoever everybody can see to be at move; ``ran`` is whose clock ran until now."""
        if isinstance(event, HandDealt):
            clocks.fill()
        elif isinstance(event, MoveMade) and event.seat == ran:
            clocks.add(event.seat)
        seat = self.turn
        clocks.start(None if seat is None or self.is_played_for(seat) else seat, event.at)

    def _greet(self, out: MessageWriter, hand: int) -> None:
        """A hello before the first hand of a match."""
        if hand == 1:
            names = [name or "" for name in self.shown_names]
            out.hello(self.rules, names, self.created.match_target)

    def _deal(self, out: MessageWriter, event: HandDealt) -> None:
        self._deck = cards_of(event.deck)
        self.hands += 1
        if event.hand == 1:
            self.shuffles = {}
        if self.open is None:
            self._greet(out, event.hand)
        else:
            self.shuffles[event.hand] = self._shuffle()
            self.open = None
        self._hand_begins.append(out.version + 1)
        if self.loop is None:
            names = [name or "" for name in self.shown_names]
            self.loop = first_loop(self.created, self.rules, self.places, names, lambda: self._deck)
        else:
            self.loop.answer(Continue())
        self._go_on(out)

    def _play(self, out: MessageWriter, event: TableEvent) -> None:
        loop = self.loop
        if loop is None:
            raise LogError(f"{type(event).__name__} before the first hand")
        match event:
            case MoveMade(seat=seat, move=text, late=late):
                move = Move.parse(text)
                if late:
                    out.plain(TimeOutEvent(seat=seat, name=self.shown_names[seat]))
                if isinstance(loop.request, Compute) and loop.request.seat == seat:
                    loop.answer(ComputerMove(move))
                else:
                    loop.answer(PersonMove(seat, move))
                self.window = None
            case Closed():
                self._close(out, loop)
            case SeatForfeited(seat=seat, reason=reason):
                if not isinstance(loop.request, Compute):
                    raise LogError("a forfeit, but no computer player is to move")
                self.window = None
                loop.answer(ComputerMove(None, ForfeitError(self.places[seat], seat, reason)))
        self._go_on(out)

    def _close(self, out: MessageWriter, loop: GameLoop) -> None:
        """The window is over: whoever is asked lets the coup fourré go."""
        if self.window is None:
            raise LogError("a window ends, but none is open")
        holder = self.asked
        out.passed(holder if holder is not None and self.humans[holder] else None)
        while not isinstance(loop.request, Event):
            match loop.request:
                case Ask(questions):
                    assert questions[0].seat is not None
                    loop.answer(PersonMove(questions[0].seat, PASS))
                case Compute():
                    loop.answer(ComputerMove(PASS))
                case _work:
                    loop.answer(None)
        self.window = None

    def _go_on(self, out: MessageWriter) -> None:
        """Drive the game loop to where it waits for somebody, and tell what happens on the way."""
        loop = self.loop
        assert loop is not None
        while True:
            match loop.request:
                case Event(kind=EventKind.WINDOW_OPENS):
                    following = loop.answer()
                    while isinstance(following, Save):
                        following = loop.answer(None)
                    self._open_window(out, loop.session)
                case Event(kind=EventKind.WINDOW_CLOSES) if self.window is not None:
                    break
                case Event() as event:
                    self._tell(out, event, loop.session)
                    loop.answer()
                case Save() | RecordResult():
                    loop.answer(None)
                case Ask(questions):
                    if self.window is None:
                        self._ask(out, questions[0].seat, loop.session)
                    break
                case Compute(seat=seat):
                    if self.window is None:
                        self._ask(out, seat, loop.session)
                    break
                case _trouble:
                    loop.answer()
        loop.session.log.clear()  # told already, and it would keep every position

    def _ask(self, out: MessageWriter, seat: int | None, session: GameSession) -> None:
        """Put a question that everybody can tell who is asked; None: to all, whether to go on."""
        if seat is not None:
            out.choose(session.view(seat) if self.humans[seat] and not self.is_brief else None)
        self.question_version = out.version

    def _open_window(self, out: MessageWriter, session: GameSession) -> None:
        """R5.5: there is a message whether or not anybody is asked, and only who is asked sees it."""
        holder = self.asked
        is_told = holder is not None and self.humans[holder] and not self.is_brief
        out.choose(session.view(holder) if is_told else None)
        self.question_version = out.version
        self.window = CoupWindow(0, 0, 0, 0, 0)

    def _tell(self, out: MessageWriter, event: Event, session: GameSession) -> None:
        match event.kind:
            case EventKind.HAND:
                out.hand(session.match.hand_number, session.hand.at(0), session.match.before.totals)
            case EventKind.MOVE:
                assert event.seat is not None
                assert event.move is not None
                out.moved(event.seat, event.move.text)
            case EventKind.TURN:
                drawn = drawn_now(session.hand)
                if drawn and event.seat is not None:
                    out.drew(event.seat, drawn)
            case EventKind.END:
                if session.loss is None:
                    out.hand_over(session.hand, session.match.totals)
                if session.is_over:
                    reason = "finished" if session.loss is None else "forfeit"
                    out.match_over(session.match.totals, session.winner, reason)
            case _:
                pass


# ------------------------------------------------------------------ how long a log may become
# Reading a log takes some 25 ms a hand, so it doesn't grow for ever.

MAX_HANDS: Final = 200
"""Hands that a table plays, in all its matches together."""
MAX_HANDS_BEFORE_MATCH: Final = 150
"""Hands after which no other match begins, so that the one in play comes to its end."""
MAX_EVENTS: Final = 50_000
"""Events of a log, about twice as many as `MAX_HANDS` take; from then on only the hand in play adds any."""

_UNLIMITED: Final = (Said, Returned, Waited, Rekeyed, Away, Back)
"""What people can add as often as they like; not that they leave, as the others would wait for them."""


def has_room(state: TableState) -> bool:
    """Whether the log takes more than what the hand in play needs."""
    return state.seq < MAX_EVENTS


def is_complete(state: TableState) -> bool:
    """Whether no other hand is dealt at a table."""
    most = MAX_HANDS_BEFORE_MATCH if state.status == "match_over" else MAX_HANDS
    return state.hands >= most or not has_room(state)


def check_room(state: TableState, event: TableEvent) -> None:
    """Raises `ApiError` (complete) for an event that the log of a table has no room for."""
    if isinstance(event, _UNLIMITED) and not has_room(state):
        raise ApiError(409, "complete", "this table is complete: its log is full; set up another one")
