"""What a person at a terminal can do now: the open question, the moves that answer it, and the other commands.

A `Controller` decides and explains. The screens only draw what it returns, and turn lines, keys and clicks into calls.
So a move, a refusal, a hint, a lesson or a change of preferences is the same on every screen.
"""

import dataclasses
from collections.abc import Generator
from typing import Final, NamedTuple

from millebornes.analysis.records import Analysis
from millebornes.cards import HAZARDS
from millebornes.commands.table import Command
from millebornes.game import Action, Move, Reason, View
from millebornes.session import requests
from millebornes.session.game_session import GameSession
from millebornes.session.invocation import play_command
from millebornes.session.slots import Slots
from millebornes.session.tutorial import Tutorial
from millebornes.table.questions import SeatQuestion
from millebornes.tui.common.moves import Unclear, Wish, resolve
from millebornes.tui.common.settings import switched
from millebornes.words import prompts
from millebornes.words.moves import legal_lines
from millebornes.words.words import TableWords


class ChosenMove(NamedTuple):
    """A move that answers the open question, and the place (from 1) from which its card is taken."""

    move: Move
    place: int | None = None


class Refusal(NamedTuple):
    """Something isn't possible now: ``text`` says why, and ``instead`` what is. A lesson may also refuse a move."""

    text: str
    instead: str = ""
    is_lesson: bool = False


class Told(NamedTuple):
    """Lines to show, under a heading where there is room for one."""

    heading: str
    lines: list[str]


class Switched(NamedTuple):
    """The preference ``name`` has another value now, which ``text`` says. The screen saves it."""

    name: str
    text: str


Outcome = ChosenMove | Unclear | Refusal | Told | Switched | requests.TakeBack
"""What a command leads to. `Unclear` asks on which side a hazard is to be played."""


class Controller:
    """Answers for the people at one screen. ``lessons`` is the tutorial, if this is one."""

    def __init__(self, session: GameSession, lessons: Tutorial | None = None, *, typed: bool = False) -> None:
        """``typed`` is true if people type lines, and so want to know what to type."""
        self.session: Final = session
        self.lessons: Final = lessons
        self.question: SeatQuestion | None = None
        """The open question, which a move answers."""
        self.hinted: Move | None = None
        """The move that a hint or a lesson has suggested for this decision. `confirm` makes it."""
        self._: Final = session.translate
        self._typed: Final = typed
        self._is_counted = False
        """Whether a hint for this decision has been counted."""

    # ------------------------------------------------------------------ the open question

    def ask(self, question: SeatQuestion | None) -> None:
        """Open a question, or close it (None). An earlier hint doesn't count any more."""
        self.question, self.hinted, self._is_counted = question, None, False

    @property
    def words(self) -> TableWords:
        """The language, the names of the cards and the names of the players."""
        return self.session.words

    @property
    def seat(self) -> int:
        """The seat that is asked."""
        assert self.question is not None
        return self.question.seat

    @property
    def view(self) -> View:
        """The table as the person who is asked sees it."""
        return self.session.view(self.seat)

    @property
    def slots(self) -> Slots:
        """The hand of the person who is asked."""
        return self.session.slots[self.seat]

    @property
    def must_pick(self) -> bool:
        """Whether the person who is asked has to pick cards first."""
        return self.session.must_pick(self.seat)

    @property
    def is_yes_or_no(self) -> bool:
        """Whether yes and no answer the open question."""
        return isinstance(self.question, requests.Coup | requests.Extension)

    @property
    def text(self) -> str:
        """The open question in words."""
        match self.question:
            case requests.Coup(seat):
                return prompts.coup(self.session.hand, seat, self.words)
            case requests.Extension():
                return prompts.extension(self.session.rules, self.words)
        return prompts.turn(self.seat, self.words)

    @property
    def yes(self) -> Move:
        """The move that means yes."""
        if isinstance(self.question, requests.Coup):
            return Move(Action.COUP, self.question.safety)
        return Move(Action.EXTEND)

    @property
    def no(self) -> Move:
        """The move that means no."""
        return Move(Action.PASS if isinstance(self.question, requests.Coup) else Action.FINISH)

    def answer_first(self) -> Refusal:
        """Return the explanation that the open question has to be answered with yes or no first."""
        is_coup = isinstance(self.question, requests.Coup)
        return Refusal(self._(prompts.ANSWER_COUP if is_coup else prompts.ANSWER_EXTENSION))

    def answer(self, yes: bool) -> ChosenMove | Refusal:
        """Answer the open question with yes or no."""
        if not self.is_yes_or_no:
            return Refusal(self._("There's no question to answer."))
        if yes and isinstance(self.question, requests.Coup) and not self.question.holds:
            return Refusal(prompts.not_held(self.session.hand, self.words))
        return self.make(self.yes if yes else self.no)

    def use(self, wish: Wish) -> ChosenMove | Unclear | Refusal:
        """Return the move that a person means, or why it isn't possible and what is."""
        if self.is_yes_or_no:
            # Playing the safety calls it, too.
            says_yes = {self.yes.action} if self.yes.card is None else {self.yes.action, Action.PLAY}
            if wish.action in says_yes and wish.card is self.yes.card:
                return self.answer(True)
            return self.answer(False) if wish.action is self.no.action else self.answer_first()
        card = wish.card
        if wish.place is not None:
            card = self.slots.card_at(wish.place)
            if card is None:
                return self.no_card(wish.place)
        if card is not None and card not in HAZARDS and wish.side not in {None, self.view.side}:
            return Refusal(self._("Only hazards can be played on a side."))
        if self.must_pick and wish.action in {Action.PLAY, Action.DISCARD, Action.AS_ROLL}:
            return Refusal(self._(prompts.PICK_FIRST))
        view = self.view
        found = resolve(dataclasses.replace(wish, card=card), card, view)
        if isinstance(found, Reason):
            most = None if self._typed else MOST_LISTED
            return Refusal(prompts.refusal(found, self.words), prompts.instead(view, self.words, most=most))
        return found._replace(place=wish.place) if isinstance(found, Unclear) else self.make(found, wish.place)

    def aim(self, unclear: Unclear, side: int) -> ChosenMove | Refusal:
        """Choose the side on which to play a hazard."""
        move = next((move for move in unclear.moves if move.target == side), None)
        if move is None:
            return Refusal(prompts.targets((move.target or 0 for move in unclear.moves), self._))
        return self.make(move, unclear.place)

    def make(self, move: Move, place: int | None = None) -> ChosenMove | Refusal:
        """Decide on a legal move. In the tutorial, a move that doesn't fit the lesson is refused with a reason."""
        nudge = None if self.lessons is None else self.lessons.accepts(self.session.hand, move)
        if nudge is not None:
            return Refusal(nudge, is_lesson=True)
        found = place if move.card is None or place is not None else self.slots.place_of(move.card)
        return ChosenMove(move, found)

    def no_card(self, place: int) -> Refusal:
        """Return the explanation that there is no card at a place."""
        is_last = place == self.slots.size + 1
        if is_last and self.must_pick:
            return Refusal(self._(prompts.PICK_FIRST))
        return Refusal(self._("You have no card {number}.").format(number="P" if is_last else place))

    def pick(self) -> str | Refusal:
        """Pick the cards that are ready, and return the sentence that says so."""
        picked = self.session.pick() if isinstance(self.question, requests.Turn) else ()
        if picked:
            return prompts.drawn(picked, self.words)
        last = self.slots.card_at(self.slots.size + 1)
        return Refusal(prompts.nothing_to_pick(last, self.session.shown_pile, self.words))

    def confirm(self) -> ChosenMove | Refusal | None:
        """Make the move that was suggested. Return None if there is none."""
        return None if self.hinted is None else self.make(self.hinted)

    # ------------------------------------------------------------------ hints

    def no_hint(self) -> Refusal | None:
        """Return why there is no hint now, or None if there is one."""
        if self.question is None:
            return Refusal(self._("It isn't your turn."))
        if self.must_pick:
            return Refusal(self._(prompts.PICK_FIRST))
        if isinstance(self.question, requests.Coup) and not self.question.holds:
            # R5.5: people who share a screen are asked even without the safety
            return Refusal(self._("There's no decision to make here; press Enter to continue."))
        return None

    def thoughts(self) -> Generator[Analysis | None, None, None]:
        """Yield better and better hints for this decision, from what the seat has seen. One hint is counted.

        Yield None as long as the code is still being compiled. Raises `PlayerError` if there is nothing to decide.
        """
        from millebornes.tui.common.hints import seen_by, thoughts  # a slow import, needed only for hints

        if not self._is_counted:
            self._is_counted = True
            self.session.count_hint(self.seat)
        return thoughts(seen_by(self.session.match, self.seat))

    # ------------------------------------------------------------------ other commands

    def do(self, command: Command) -> Outcome | None:
        """Do what a command asks for. Return None if the command concerns only the screen itself."""
        match command:
            case Command.YES | Command.NO:
                return self.answer(command is Command.YES)
            case Command.LEGAL:
                return self._legal()
            case Command.UNDO:
                return self.undo()
            case Command.COUNTS:
                return self._no_counts()
        return self.switch(command) if command in SWITCHES else None

    def _legal(self) -> Outcome:
        if self.question is None:
            return Refusal(self._("It isn't your turn."))
        if isinstance(self.question, requests.Coup):
            return Told("", [prompts.may_call(self.session.hand, self.words)])
        lines = legal_lines(self.view, self.words, typed=self._typed)
        return Told(self._("What you can do"), lines)

    def undo(self) -> requests.TakeBack | Refusal:
        """Return the answer that takes back the latest move of whoever is asked or, between turns, moved last."""
        session, _ = self.session, self._
        if not session.practice:
            return self._practice_only()
        people = session.participants.people
        if self.question is not None:
            seat: int | None = self.question.seat
        else:
            seat = people[0] if len(people) == 1 else session.latest_person
        if seat is None or session.undo_point(seat) is None:
            return Refusal(_("You have no move in this hand that can be taken back."))
        return requests.TakeBack(seat)

    def _practice_only(self) -> Refusal:
        text = self._("You can take moves back and count cards only in practice: {command} --practice.")
        return Refusal(text.format(command=play_command()))

    def _no_counts(self) -> Refusal | None:
        """Return why unseen cards can't be counted, or None if they can."""
        if not self.session.practice:
            return self._practice_only()
        return Refusal(self._(prompts.PICK_FIRST)) if self.question is not None and self.must_pick else None

    def switch(self, command: Command) -> Switched:
        """Switch one of the preferences in `SWITCHES`."""
        session, _ = self.session, self._
        name = SWITCHES[command]
        session.change(switched(session.preferences, name))
        on = bool(getattr(session.preferences, name))
        match command:
            case Command.ORDER:
                text = prompts.sorts(on=on, _=_)
            case Command.ONE_KEY if self._typed:
                text = (
                    _("Typing a card's number now uses the card right away.")
                    if on
                    else _("A number alone now does nothing. U and a number use a card.")
                )
            case Command.ONE_KEY:
                text = (
                    _("One-key play: a number key plays that card at once; Shift and the number discards it.")
                    if on
                    else _("Two-key play: U or D, then the number, then Enter.")
                )
            case Command.MANUAL:
                text = (
                    _("From your next turn on, you pick cards yourself, with P.")
                    if on
                    else _("From your next turn on, cards are picked for you.")
                )
            case Command.BRIEF:
                text = (
                    _(
                        "Brief mode on: you'll hear only what has changed. Type “hand” for your cards or R for the "
                        "whole table."
                    )
                    if on
                    else _("Brief mode off: you'll hear the whole table at every turn.")
                )
            case _window:
                text = ""
        return Switched(name, text)


MOST_LISTED: Final = 2
"""Where there is little room, a refusal lists at most this many possible moves."""

SWITCHES: Final = {
    Command.ORDER: "sort",
    Command.WINDOW: "window",
    Command.ONE_KEY: "one_key",
    Command.MANUAL: "manual_pick",
    Command.BRIEF: "brief",
}
"""The preference that each command switches."""
