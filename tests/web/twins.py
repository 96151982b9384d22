"""Two tables whose only difference is one hidden safety, to which the same things happen.

In one twin, a person (the *holder*) has a safety; in the other, a card that they never play, and the safety lies at
the bottom of the draw pile. The holder keeps both to themselves: they never play, throw or call with that card. So all
that the other viewers get must be the same, whatever anyone does.
"""

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

import msgspec

from millebornes.cards import ANSWERS
from millebornes.editions import EDITIONS
from millebornes.errors import NotationError
from millebornes.game import Move
from millebornes.i18n import translator
from millebornes.roster import DEFAULT_PLAYER
from millebornes.schema.api import Wish
from millebornes.table import commands, facts
from millebornes.table.log import fold
from millebornes.table.messages import PHRASES
from millebornes.table.refusal import CommandError
from millebornes.table.state import PASS, TableState, check_room
from millebornes.table.steps import Pace, steps_of
from millebornes.themes import theme
from millebornes.web.http.table_commands import TABLE_COMMANDS
from millebornes.web.pages.locale_text import PageWords
from millebornes.web.pages.tables import table_model
from tests.session.twin_decks import BOTTOM, Secret, twin_decks
from tests.web.leaks import TRIED, look
from tests.web.playing import codes, created

SIDES: Final = {2: (2,), 3: (3,), 4: (2, 4), 5: (5,), 6: (2, 3, 6), 7: (7,), 8: (2, 4, 8)}
TABLES: Final = [(edition, seats, sides) for edition in EDITIONS for seats, all_ in SIDES.items() for sides in all_]
PACE: Final = Pace()
ENGLISH: Final = PageWords(translator("en"), theme())
Answer = tuple[str, Any]


class Apart(AssertionError):
    """The twins differ in what someone sees who doesn't hold the safety."""


class Twins:
    """Two tables with the same log, but for the decks. `step` lets something happen at both and compares them."""

    def __init__(self, seed: str, *, thorough: float = 0.1) -> None:
        """Set up a table at random. ``thorough`` is how often everything is compared that viewers can look at."""
        self.seed = seed
        self.rng = rng = random.Random(seed)
        self.thorough = thorough
        self.counts: Counter[str] = Counter()
        self.facts: Counter[str] = Counter()
        edition, seats, sides = rng.choice(TABLES)
        settings = {"coup_by": "anyone"} if rng.random() < 0.4 else {}
        people = rng.choice([0.0, 0.4, 0.8, 1.0])
        places = ["me", *("open" if rng.random() < people else DEFAULT_PLAYER for _ in range(seats - 1))]
        begun = created(
            *places,
            edition=edition,
            sides=sides,
            settings=settings,
            match_target=rng.choice([None, 500, 2000]),
            coup_window=rng.choice([200, 7000, 60_000]),
            spectators=rng.random() < 0.8,
            listed=rng.random() < 0.3,
            clock=rng.choice([None, None, (60_000, 2_000)]),
        )
        self.time = 1_000
        self.logs: tuple[list[facts.Fact], ...] = ([begun], [begun])
        self.states: tuple[TableState, ...] = tuple(fold(log) for log in self.logs)
        self.secret: Secret | None = None
        """The card that only the holder knows, in the current hand and in the one before."""
        self._origin = rng.choice([seat for seat, place in enumerate(places) if place != DEFAULT_PLAYER])
        self.is_apart = 0
        """How often only one of the twins was asked in secret."""
        self.is_done = False

    # ------------------------------------------------------------------ what the twins may know

    @property
    def state(self) -> TableState:
        return self.states[0]

    @property
    def holder(self) -> int:
        """The seat of the holder, who stays the same person in all hands, also when seats are swapped."""
        return self.state.origins.index(self._origin)

    def viewers(self) -> Iterator[int | None]:
        """Everyone but the holder: the other seats and the spectators."""
        yield None
        yield from (seat for seat in range(self.state.rules.seats) if seat != self.holder)

    def hides(self, seat: int, move: Move | str) -> bool:
        """Whether a move would show the card in which the twins differ."""
        secret = self.secret
        if secret is None or seat != self.holder:
            return False
        try:
            card = Move.parse(move).card if isinstance(move, str) else move.card
        except NotationError:
            return False
        return card in {secret.safety, secret.other}

    # ------------------------------------------------------------------ comparing

    def same(self, what: str, found: tuple[Any, ...]) -> Any:
        """Return what both twins have in common. Raises `Apart`."""
        if found[0] != found[1]:
            raise Apart(f"seed {self.seed!r}, {self.counts.total()} commands, {what}:\n{found[0]}\n{found[1]}")
        return found[0]

    def run(self, name: str, seat: int | None, command: Callable[[TableState], facts.Fact | None]) -> bool:
        """Give a command at both tables, and compare what everyone gets. Return whether it led to an event.

        ``seat`` is who gives it. What the holder alone is answered may differ, but not what happens at the table.
        """
        self.counts[name] += 1
        outcomes = tuple(_outcome(command, state) for state in self.states)
        is_private = seat == self.holder
        happened = tuple(event for _, event in outcomes)
        if not is_private:
            self.same(f"the answer to {name} of seat {seat}", tuple(answer for answer, _ in outcomes))
        self.same(f"what {name} of seat {seat} leads to", happened)
        if happened[0] is None:
            return False
        self.happens(*happened)
        return True

    def happens(self, *pair: facts.Fact | None) -> None:
        """Let something happen: to each twin its own event, which may differ in the deck alone."""
        made = []
        for state, log, event in zip(self.states, self.logs, pair, strict=True):
            assert event is not None
            log.append(event)
            made.append(state.apply(event))
        self.facts[type(self.logs[0][-1]).__name__] += 1
        for viewer in self.viewers():
            lines = tuple([(m.version, m.event, m.seen_by(viewer)) for m in messages] for messages in made)
            # The kind of a message that a viewer doesn't get isn't sent either.
            self.same(f"messages for {viewer}", tuple([line for line in part if line[2] is not None] for part in lines))
        self.compare()

    def compare(self) -> None:
        """Compare what the tables show: always what all can see, and sometimes what each viewer can look at."""
        self.same("versions", tuple((s.version, s.question_version, s.floor, s.seq, s.game_seq) for s in self.states))
        self.same("status", tuple((s.status, s.turn, s.at, s.games, s.window) for s in self.states))
        asked = tuple(s.asked for s in self.states)
        self.is_apart += asked[0] != asked[1]
        if self.state.window is not None:
            self.same("steps", tuple(_public(steps_of(s, PACE)) for s in self.states))
        elif asked == (None, None):
            self.same("steps", tuple(steps_of(s, PACE) for s in self.states))
        if self.rng.random() < self.thorough:
            for viewer in self.viewers():
                self.look(viewer)

    def look(self, viewer: int | None) -> None:
        """Compare everything that a viewer can look at: the table, the page, old messages, and refused moves."""
        self.same(f"table of {viewer}", tuple(look(s, viewer) for s in self.states))
        pages = (
            table_model(s, viewer, None if viewer is None else s.question(viewer), ENGLISH, time=self.time)
            for s in self.states
        )
        self.same(f"page of {viewer}", tuple(_plain(page) for page in pages))
        for after in range(self.state.floor, self.state.version):
            kept = tuple(
                [(m.version, m.seen_by(viewer)) for m in s.messages if m.version > after and m.seen_by(viewer)]
                for s in self.states
            )
            self.same(f"stream of {viewer} from {after} on", kept)
            if self.rng.random() < 0.5:
                break
        if viewer is not None:
            for text in TRIED:
                self.same(f"{text} of {viewer}", tuple(_tried(s, viewer, text) for s in self.states))

    def transcript(self) -> str:
        """A digest of the log as it is, to see that a seed always does the same."""
        return hashlib.sha256("\n".join(map(facts.write_fact, self.logs[0])).encode()).hexdigest()

    # ------------------------------------------------------------------ what happens

    def step(self) -> None:
        """Let something happen at both tables."""
        rng, state = self.rng, self.state
        self.time += rng.choice([1, 20, 900, 8_000])
        if state.is_cancelled or self.is_done:
            self.is_done = True
            return
        if rng.random() < 0.35:
            self.anyone_does_anything()
        elif not state.is_full:
            free = state.names.index(None)
            self.run("join", None, lambda s: facts.Joined(at=self.time, seat=free, name=f"p{free}"))
        elif state.open is not None:
            self.before_a_hand()
        elif state.status == "playing":
            self.in_a_hand()
        else:
            if not state.present or state.status == "waiting":
                self.run("begin", None, lambda s: commands.begin(s, self.time))
            else:
                seat = rng.choice(state.present)
                self.run("next", seat, lambda s: commands.next_hand(s, seat, self.time))

    def before_a_hand(self) -> None:
        rng, state = self.rng, self.state
        waiting = [seat for seat in state.present if state.open is not None and seat not in state.open.seeds]
        hand = state.next_hand[1]
        if waiting and rng.random() < 0.6:
            seat, seed = rng.choice(waiting), rng.randbytes(16).hex()
            self.run("entropy", seat, lambda s: commands.contribute(s, seat, hand, seed, self.time))
            return
        number, hand = state.next_hand
        rules = state.next_rules
        if hand == 1:
            first = (number - 1) % rules.seats
        else:
            assert state.match is not None
            first = (state.match.hand.first + 1) % rules.seats
        adopted = state.adopted_proposal(facts.HandDealt(at=0, match=number, hand=hand, deck=""))
        holder = self.holder
        if adopted is not None and adopted.swap is not None and holder in adopted.swap:
            holder = sum(adopted.swap) - holder
        decks = twin_decks(rules, first, holder, rng)
        self.secret = decks[2]
        pair = (
            facts.HandDealt(at=self.time, match=number, hand=hand, deck=codes(deck)) for deck in (decks[0], decks[1])
        )
        self.counts["deal"] += 1
        self.happens(*pair)
        assert self.state.match is not None
        assert self.secret.safety in self.state.match.hand.dealt(self.holder)

    def in_a_hand(self) -> None:
        rng, state, secret = self.rng, self.state, self.secret
        match = state.match
        assert match is not None
        assert secret is not None
        if state.window is None and match.hand.draw_pile <= BOTTOM:
            self.is_done = True  # soon someone would draw the card at the bottom
            return
        if state.window is not None:
            # The holder passes in secret or does nothing. Others may call, as both twins know.
            caller = next((s.asked for s in self.states if s.asked not in {None, self.holder}), None)
            if caller is not None and rng.random() < 0.5:
                text = next(text for text in match.hand.legal_moves.texts if text != "pass")
                self.run("call", caller, lambda s: facts.MoveMade(at=self.time, seat=caller, move=text))
                return
            if rng.random() < 0.5:
                self.run("pass", self.holder, lambda s: commands.move(s, self.holder, "pass", self.time))
            else:
                self.run("close", None, lambda s: facts.Closed(at=self.time))
            return
        seat = match.hand.seat
        assert seat is not None
        if not state.is_played_for(seat) and rng.random() < 0.02 and state.clocks is not None:
            self.play(seat, late=True)
        elif not state.humans[seat] and rng.random() < 0.003:
            self.run("forfeit", None, lambda s: facts.SeatForfeited(at=self.time, seat=seat, reason="failed"))
        else:
            self.play(seat)

    def play(self, seat: int, *, late: bool = False) -> None:
        """Let a seat move at random, but never so that the secret card shows."""
        match = self.state.match
        assert match is not None
        legal = [move for move in match.hand.legal_moves if not self.hides(seat, move) and move != PASS]
        if not legal:  # the holder has nothing else left
            self.is_done = True
            return
        uses = [move for move in legal if not move.text.startswith("-")]
        hazards = [move for move in uses if move.target is not None]
        assert self.secret is not None
        parried = [move for move in hazards if move.card in ANSWERS[self.secret.safety]]
        choices = self.rng.choice([legal, uses, hazards, parried, parried])
        text = self.rng.choice(choices or uses or legal).text
        if self.state.is_played_for(seat) or late:
            name = "late move" if late else "computer"
            self.run(name, None, lambda s: facts.MoveMade(at=self.time, seat=seat, move=text, late=late))
        else:
            self.run("move", seat, lambda s: commands.move(s, seat, text, self.time))

    def anyone_does_anything(self) -> None:
        """Give a random command of any kind, whether it makes sense now or not."""
        rng, state = self.rng, self.state
        seats = state.rules.seats
        people = [seat for seat, human in enumerate(state.humans) if human and state.names[seat] is not None]
        if not people:
            return
        seat, other = rng.choice(people), rng.randrange(seats)
        third, name = rng.randrange(seats), rng.choice(COMMANDS)
        at = self.time
        match name:
            case "move":
                text = rng.choice(TRIED)
                if not self.hides(seat, text):
                    self.run("try", seat, lambda s: commands.move(s, seat, text, at))
            case "undo":
                self.run(name, seat, lambda s: commands.undo(s, seat, at))
            case "request":
                what = rng.choice(WISHES)
                self.run(f"request {what}", seat, lambda s: commands.request(s, seat, what, at))
            case "reply":
                agree = rng.random() < 0.9
                for each in sorted(state.concerned) or [seat]:
                    self._reply(each, agree)
            case "chat":
                phrase = rng.choice([None, *PHRASES])
                self.run(name, seat, lambda s: commands.chat(seat, None if phrase else "hm", phrase, at))
            case "absent":
                self._absent(seat, other)
            case "resume-link":
                self.run(name, seat, lambda s: facts.Rekeyed(at=at, seat=seat))
            case "place":
                kind = rng.choice(["open", "casual"])
                self.run(name, seat, lambda s: commands.place(s, seat, other, kind, at))
            case "swap":
                self.run(name, seat, lambda s: commands.swap(s, seat, other, third, at))
            case "entropy":
                hand = state.next_hand[1]
                self.run(name, seat, lambda s: commands.contribute(s, seat, hand, "0" * 32, at))
            case "next":
                self._next(seat)
            case "fill" if not state.is_full and rng.random() < 0.1:
                self.run(name, None, lambda s: commands.fill(s, at))
            case "look":
                self.counts["look"] += 1
                self.look(rng.choice(list(self.viewers())))
            case "reload":
                self.counts["reload"] += 1
                self.states = tuple(fold(log) for log in self.logs)
                self.compare()
            case _ if (check := CHECKS.get(name)) is not None:
                body = random_body(BODIES[name], state, rng)
                self.run(name, seat, lambda s: check(s, seat, at, body))

    def _reply(self, seat: int, agree: bool) -> None:
        version, at = self.state.version - self.rng.choice([0, 0, 0, 9]), self.time
        self.run("reply", seat, lambda s: commands.reply(s, seat, agree, version, at))

    def _absent(self, seat: int, other: int) -> None:
        state, rng, at = self.state, self.rng, self.time
        if other in state.absent:
            choice = rng.choice(["wait", "computer", "x"])
            self.run("absent", seat, lambda s: commands.absent(s, seat, other, choice, at))
            if rng.random() < 0.3 and other in self.state.absent:
                self.run("back", None, lambda s: facts.Back(at=at, seat=other))
        elif other in state.present and other != seat:
            until = at + rng.choice([0, 5_000, 30_000])
            self.run("away", None, lambda s: facts.Away(at=at, seat=other, until=until))

    def _next(self, seat: int) -> None:
        """Ask for the next hand, or for a rematch with other settings."""
        state, rng, at = self.state, self.rng, self.time
        terms = None
        if rng.random() < 0.6:
            swap = None
            if rng.random() < 0.3:
                one, two = sorted(rng.sample(range(state.rules.seats), 2))
                swap = one, two
            window = rng.choice([200, 7000])
            terms = commands.Terms(state.created.rules, state.created.match_target, window, swap)
        self.run("next", seat, lambda s: commands.next_hand(s, seat, at, terms))


WISHES: Final[tuple[Wish, ...]] = ("undo",) * 7 + ("end", "resign")
OFTEN: Final = (
    *("move", "undo", "undo", "request", "request", "request", "reply", "reply", "reply", "reply", "reply", "chat"),
    *(
        "leave",
        "return",
        "return",
        "absent",
        "resume-link",
        "place",
        "swap",
        "cancel",
        "entropy",
        "next",
        "fill",
        "look",
        "reload",
    ),
)
CHECKS: Final = {command.name: command.check for command in TABLE_COMMANDS if command.check is not None}
BODIES: Final = {command.name: command.body for command in TABLE_COMMANDS}
COMMANDS: Final = (*OFTEN, *(name for name in CHECKS if name not in OFTEN))
"""What anyone may try at any time, the more often the more it can tell."""


def random_body(kind: type[msgspec.Struct], state: TableState, rng: random.Random) -> Any:
    """A body of a command, with what it must contain."""

    def value(name: str, hint: Any) -> Any:
        if name == "version":
            return state.version
        if get_origin(hint) is Literal:
            return rng.choice(get_args(hint))
        found: dict[Any, Any] = {bool: rng.random() < 0.5, int: rng.randrange(state.rules.seats), str: "hm"}
        return found[hint]

    hints = get_type_hints(kind)
    wanted = [field.name for field in msgspec.structs.fields(kind) if field.required]
    return kind(**{name: value(name, hints[name]) for name in wanted})


def _outcome(command: Callable[[TableState], facts.Fact | None], state: TableState) -> tuple[Answer, facts.Fact | None]:
    """The answer to a command, and the fact that it leads to. The server's random seeds are made alike."""
    try:
        fact = command(state)
        if fact is not None:
            check_room(state, fact)
    except CommandError as error:
        return ("refused", (error.word, str(error), error.why, error.more)), None
    if isinstance(fact, facts.Shuffled):
        fact = msgspec.structs.replace(fact, server_seed=f"{fact.match:032x}{fact.hand:032x}")
    return ("done", None), fact


def _tried(state: TableState, viewer: int, text: str) -> Answer:
    """The answer to a move of a viewer."""
    return _outcome(lambda s: commands.move(s, viewer, text, 0), state)[0]


def _public(steps: list[Any]) -> list[Any]:
    """The steps during a window, which don't depend on who is asked."""
    return sorted(steps, key=str)


def _plain(page: Any) -> Any:
    """The model of a page as plain data."""
    if hasattr(page, "__dict__") and not isinstance(page, type):
        return {name: _plain(value) for name, value in vars(page).items()}
    if isinstance(page, dict):
        return {name: _plain(value) for name, value in page.items()}
    if isinstance(page, list | tuple):
        return [_plain(value) for value in page]
    return page if isinstance(page, str | int | float | bool | None) else repr(page)


def drive(seed: str, commands_: int, *, thorough: float = 0.1) -> tuple[Counter[str], Counter[str], int]:
    """Give this many commands at tables made from ``seed``. Return the commands, the facts, and how often one is asked.

    Raises `Apart` with the seed of the table if the twins differ.
    """
    given, facts, apart, number = Counter[str](), Counter[str](), 0, 0
    while given.total() < commands_:
        twins = Twins(f"{seed} {number}", thorough=thorough)
        number += 1
        for _ in range(400):
            twins.step()
            if twins.is_done:
                break
        given += twins.counts
        facts += twins.facts
        apart += twins.is_apart
    return given, facts, apart
