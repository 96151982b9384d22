"""A person at the keyboard: what they see, the questions they are asked, and the commands they type."""

import dataclasses
from collections.abc import Sequence
from typing import Final

from millebornes.cards import Card
from millebornes.commands.table import Command
from millebornes.game import Action, Move
from millebornes.i18n import Translator
from millebornes.session.game_session import GameSession
from millebornes.session.log import log_lines
from millebornes.session.prompts import Prompts
from millebornes.session.slots import Slots
from millebornes.session.tutorial import Tutorial
from millebornes.texts.moves import describe_move
from millebornes.texts.narration import Narration
from millebornes.tui.common.moves import Refused, Unclear, Wish, resolve
from millebornes.tui.plain.asides import Asides, GameCommand
from millebornes.tui.plain.commands import LineKind, TypedLine, parse
from millebornes.tui.plain.console import Console
from millebornes.tui.plain.screen import Screen

__all__ = ["Decided", "SeatDialogue"]

Decided = tuple[Move, int | None]
"""A move, and the place from which its card is taken."""


class SeatDialogue:
    """Talks to the people in a session, one at a time, and never shows them another person's hand."""

    def __init__(self, console: Console, session: GameSession, _: Translator, tutorial: Tutorial | None = None) -> None:
        self._tutorial: Final = tutorial
        self._console: Final = console
        self._session: Final = session
        self._: Final = _
        self._prompts: Final = Prompts(session)
        self.holder: int | None = None
        """The seat whose player has the keyboard, or None while everyone may look."""
        self._told = dict.fromkeys(session.participants.people, 0)
        self._told_all = 0
        self._screen: Final = Screen(console, session, _)
        self._asides: Final = Asides(console, session, self._screen, self.latest, _, tutorial)
        self._since: dict[int, int] = {}
        """For each person's seat, the index of their latest move in the log."""

    # ------------------------------------------------------------------ what happens

    def new_hand(self) -> None:
        """Prepare for a new hand, which shows the commands again."""
        self._screen.new_hand()
        self._since.clear()

    def decided(self, seat: int, lines: int) -> None:
        """Record that a person has made a move when the log had ``lines`` lines.

        The person's latest events start there.
        """
        self._since[seat] = len(self._session.log) - lines

    def taken_back(self) -> None:
        """Forget what people have heard, because a move was taken back."""
        self._screen.forget()

    def latest(self, seat: int | None) -> list[str]:
        """Return the events of this hand since the latest move of a seat, including that move."""
        session = self._session
        since = self._since.get(-1 if seat is None else seat)
        if since is None:  # since the hand began or was resumed
            return list(log_lines(session, seat)[-1].lines[-2 * session.rules.seats :])
        return [text for event in session.log[since:] if (text := self._text(event, seat))]

    def _text(self, event: Narration, viewer: int | None) -> str:
        self._session.narrator.brief = self._session.preferences.brief
        return event(viewer)

    def tell_all(self) -> None:
        """If at most one person plays, show the latest events now. Otherwise, each person sees them on their turn."""
        people = self._session.participants.people
        if len(people) == 1:
            self._tell(people[0])
        elif not people:
            self._tell_everybody()

    def _tell(self, seat: int) -> None:
        for event in self._session.log[self._told[seat] :]:
            text = self._text(event, seat)
            if text:
                self._console.say(text)
        self._told[seat] = len(self._session.log)

    def _tell_everybody(self) -> None:
        for event in self._session.log[self._told_all :]:
            self._console.say(self._text(event, None))
        self._told_all = len(self._session.log)

    def close_hand(self) -> None:
        """End the hand. Everyone may look at the screen now, so no hand may be visible."""
        people = self._session.participants.people
        if len(people) > 1:
            if self.holder is not None:
                self._console.hide()
            self.holder = None
            self._told_all = min(self._told.values())
            self._tell_everybody()
            self._told = dict.fromkeys(people, len(self._session.log))
        else:
            self.tell_all()

    def keyboard(self, seat: int) -> None:
        """Pass the keyboard to a person without showing either person's hand to the other."""
        console, _ = self._console, self._
        if self.holder is not None:
            self._tell(self.holder)
        console.hide()
        self.holder = None
        console.ask(self._prompts.keyboard(seat), careful=True)

    def _look(self, seat: int) -> None:
        """Show a person what has happened since they last looked."""
        self.holder = seat
        self._tell(seat)

    # ------------------------------------------------------------------ the three decisions

    def turn(self, seat: int, drawn: Sequence[Card], game: GameCommand) -> Decided:
        """Ask a person for a move, and return it."""
        session, _ = self._session, self._
        self._look(seat)
        self._screen.begin_turn(seat, drawn)
        self._begin_decision()
        while True:
            hinted = self._asides.hinted
            if hinted is None:
                command = self._ask(_("Your move:"), seat)
            else:
                move = describe_move(hinted, session.participants, seat, session.theme, _)
                command = self._ask(_("Your move (Enter: {move}):").format(move=move), seat)
            if command.kind is LineKind.NOTHING and hinted is not None:
                return hinted, None if hinted.card is None else self._slots(seat).place_of(hinted.card)
            decided = self._turn_command(command, seat, game)
            if decided is not None and self._leads_on(decided[0]):
                return decided

    def coup(self, seat: int, game: GameCommand, *, holds: bool = True) -> Decided:
        """Ask about a coup fourré. Without the safety, a person gets the same question but can only continue."""
        session, console, _ = self._session, self._console, self._
        self._look(seat)
        safety = session.hand.coup_question
        assert safety is not None
        console.heading(self._prompts.coup(seat))
        if session.preferences.brief:
            self._screen.show_changes(seat)
        elif session.participants.is_shared:
            self._screen.show(seat)
        self._begin_decision()
        while True:
            question = _("Call a coup fourré with {safety}? (y/n)").format(safety=self._prompts.called)
            command = self._ask_again(question, seat)
            wish = command.wish
            called = command.kind is Command.YES or (
                wish is not None and wish.card is safety and wish.action in {Action.COUP, Action.PLAY}
            )
            if command.kind is Command.NO or (wish is not None and wish.action is Action.PASS):
                if self._leads_on(Move(Action.PASS)):
                    return Move(Action.PASS), None
            elif called and holds:
                return Move(Action.COUP, safety), session.slots[seat].place_of(safety)
            elif called:
                console.say(self._prompts.not_held())
            elif command.kind is Command.LEGAL:
                console.say(self._prompts.may_call())
            elif command.kind in {LineKind.MOVE, Command.USE, Command.DISCARD, Command.PICK, LineKind.NOTHING}:
                console.say(self._prompts.answer_coup())
            else:
                self._asides.do(command, seat, game)

    def extension(self, seat: int, game: GameCommand) -> Decided:
        """Ask whether to extend the trip at the goal (R6.2)."""
        session, console, _ = self._session, self._console, self._
        self._look(seat)
        console.heading(self._prompts.extension())
        if session.preferences.brief:
            self._screen.show_changes(seat)
        else:
            self._screen.show(seat)
        self._begin_decision()
        while True:
            command = self._ask_again(_("Extend the trip? (y/n)"), seat)
            action = None if command.wish is None else command.wish.action
            if command.kind is Command.YES or action is Action.EXTEND:
                if self._leads_on(Move(Action.EXTEND)):
                    return Move(Action.EXTEND), None
            elif command.kind is Command.NO or action is Action.FINISH:
                return Move(Action.FINISH), None
            elif command.kind in {LineKind.MOVE, Command.USE, Command.DISCARD, Command.PICK, LineKind.NOTHING}:
                console.say(self._prompts.answer_extension())
            else:
                self._asides.do(command, seat, game)

    def _begin_decision(self) -> None:
        """Forget the last hint and, in the tutorial, show the lesson."""
        self._asides.forget()
        if self._tutorial is not None:
            self._console.say()
            self._console.say(self._tutorial.lesson(self._session.hand))

    def _leads_on(self, move: Move) -> bool:
        """Return whether to make a move.

        In the tutorial, a move that doesn't fit the lesson is refused with a reason.
        """
        said = None if self._tutorial is None else self._tutorial.accepts(self._session.hand, move)
        if said is not None:
            self._console.say(said)
        return said is None

    # ------------------------------------------------------------------ commands

    def _ask(self, prompt: str, seat: int, *, answering: bool = False) -> TypedLine:
        session = self._session
        return parse(
            self._console.ask(prompt),
            session.participants,
            self._slots(seat).size,
            self._,
            seat=seat,
            answering=answering,
            one_key=session.preferences.one_key and not answering,
        )

    def _ask_again(self, question: str, seat: int) -> TypedLine:
        """Ask a yes/no question. After a hint, Enter gives the answer that the hint suggested."""
        hinted, _ = self._asides.hinted, self._
        if hinted is None:
            return self._ask(question, seat, answering=True)
        move = describe_move(hinted, self._session.participants, seat, self._session.theme, _)
        command = self._ask(question + " " + _("(Enter: {move})").format(move=move), seat, answering=True)
        if command.kind is not LineKind.NOTHING:
            return command
        return TypedLine(Command.YES if hinted.action in {Action.COUP, Action.EXTEND} else Command.NO)

    def _slots(self, seat: int) -> Slots:
        return self._session.slots[seat]

    def _turn_command(self, command: TypedLine, seat: int, game: GameCommand) -> Decided | None:
        """Run a command during a turn. Return the decision, or None if the command wasn't a move."""
        console, _ = self._console, self._
        wish = command.wish
        if command.kind in {Command.USE, Command.DISCARD}:
            wish = self._ask_place(Action.PLAY if command.kind is Command.USE else Action.DISCARD, seat)
            if wish is None:
                return None
        elif command.kind is Command.PICK:
            self._pick(seat)
            return None
        elif command.kind is not LineKind.MOVE:
            self._asides.do(command, seat, game)
            return None
        assert wish is not None
        if self._session.must_pick(seat) and wish.action in {Action.PLAY, Action.DISCARD, Action.AS_ROLL}:
            console.say(self._prompts.pick_first())
            return None
        return self._decide(wish, seat)

    def _ask_place(self, action: Action, seat: int) -> Wish | None:
        """Ask which card to use or discard, after the input ``U`` or ``D`` alone."""
        console, _ = self._console, self._
        size = self._slots(seat).size
        prompt = self._prompts.which_card(action)
        help = _("Type the number of a card, P for the card just drawn, or the name of a card.")
        text = console.ask(f"{prompt} " + _("(number, P or name; Enter goes back)"), help=[help])
        if not text:
            return None
        letter = "u" if action is Action.PLAY else "d"
        command = parse(f"{letter} {text}", self._session.participants, size, _, seat=seat)
        if command.wish is None:
            console.say(command.message or _("No card was used."))
        return command.wish

    def _decide(self, wish: Wish, seat: int) -> Decided | None:
        """Return the move that ``wish`` describes if it is legal.

        Otherwise, explain why it isn't, and list moves that are.
        """
        console, _ = self._console, self._
        slots = self._slots(seat)
        place, card = wish.place, wish.card
        if place is not None:
            card = slots.card_at(place)
            if card is None:
                console.say(_("There is no card in that place."))
                return None
        view = self._screen.view(seat)
        found = resolve(dataclasses.replace(wish, card=card), card, view)
        if isinstance(found, Unclear):
            move = self._ask_target(found, seat)
            if move is None:
                return None
            found = move
        if isinstance(found, Refused):
            console.say(self._prompts.refusal(found.reason))
            console.say(self._prompts.instead(view))
            return None
        if place is None and card is not None:
            place = slots.place_of(card)
        return found, place

    def _ask_target(self, unclear: Unclear, seat: int) -> Move | None:
        session, console, _ = self._session, self._console, self._
        sides = [move.target for move in unclear.moves if move.target is not None]
        for side in sides:
            console.say(f"  {side + 1}  {session.participants.side(side, seat)}")
        help = _("Type the number of the side to play the hazard on.")
        text = console.ask(_("On which side? (Enter goes back)"), help=[help])
        if text.isdigit() and len(text) < 3 and int(text) - 1 in sides:
            return unclear.moves[sides.index(int(text) - 1)]
        if text:
            console.say(self._prompts.sides(sides))
        return None

    def _pick(self, seat: int) -> None:
        session, console, _ = self._session, self._console, self._
        picked = session.pick()
        for card in picked:
            console.say(_("You draw {card}.").format(card=session.theme.name_of(card)))
        if not picked:
            console.say(self._prompts.nothing_to_pick(seat))
