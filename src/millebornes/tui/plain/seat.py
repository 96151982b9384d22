"""A person at the keyboard: what they see, the questions they are asked, and the commands they type."""

import abc
import dataclasses
import time
from collections.abc import Generator, Sequence
from typing import Final

from millebornes.analysis.records import Analysis
from millebornes.cards import Card
from millebornes.commands.table import Command
from millebornes.errors import NotationError, SaveError
from millebornes.game import Action, View
from millebornes.i18n import Translator
from millebornes.players.hint import hint as hint_of_player
from millebornes.players.kernel_parts import is_compiled
from millebornes.session import requests
from millebornes.session.game_session import GameSession
from millebornes.session.log import log_lines
from millebornes.session.tutorial import Tutorial
from millebornes.table.questions import SeatQuestion
from millebornes.tui.common.moves import Unclear, Wish
from millebornes.tui.common.settings import changed, settings_lines
from millebornes.tui.controller import ChosenMove, Controller, Outcome, Refusal, Switched, Told
from millebornes.tui.plain.answers import answer
from millebornes.tui.plain.commands import LineKind, TypedLine, clause_lines, help_lines, parse, reminder
from millebornes.tui.plain.console import Console
from millebornes.tui.plain.table import hand_lines, hand_sentence, sheet_lines, sheet_sentences
from millebornes.words import prompts
from millebornes.words.hints import hint_lines, maxims_lines
from millebornes.words.moves import describe_move
from millebornes.words.narration import heard
from millebornes.words.table import changes, table_lines
from millebornes.words.unseen import unseen_lines

THOUGHT: Final = 0.5
"""How many seconds to think before the first hint …"""
FURTHER: Final = 1.5
"""… and how many more seconds to think for each repeated request."""
PATIENCE: Final = (0.5, 10.0)
"""How many seconds to wait for code that has to be compiled, or only loaded (which usually takes two)."""


class SeatDialogue(abc.ABC):
    """Talks to the people in a session, one at a time, and never shows them another person's hand."""

    def __init__(self, console: Console, session: GameSession, _: Translator, lessons: Tutorial | None = None) -> None:
        self._console: Final = console
        self._session: Final = session
        self._: Final = _
        self._controller: Final = Controller(session, lessons, typed=True)
        self._viewer: Final = None if session.participants.is_shared else next(iter(session.participants.people), None)
        """The seat of the reader between turns if one person plays alone, or None if everyone may look."""
        self._holder: int | None = None
        """The seat whose player has the keyboard, or None while everyone may look."""
        self._heard_until: dict[int | None, int] = dict.fromkeys((None, *session.participants.people), 0)
        """How much of the log each person has heard; for None, everyone together."""
        self._since: dict[int | None, int] = {}
        """For each person's seat, the index of their latest move in the log."""
        self._last_described: dict[int, View] = {}
        """For each seat, the table as its player has last heard it described, for brief mode."""
        self._reminded = False
        self._thoughts: Generator[Analysis | None, None, None] | None = None
        """A generator of hints for this decision. The hints get better the longer it runs."""
        self._latest_hint: Analysis | None = None

    # ------------------------------------------------------------------ commands that concern the whole game

    @abc.abstractmethod
    def _quit(self) -> None:
        """Ask what to do with the game, and leave. Return if the game continues."""

    @abc.abstractmethod
    def _save(self) -> bool: ...

    @abc.abstractmethod
    def _undo(self, seat: int) -> None:
        """Take back the latest move of a seat. This method doesn't return."""

    @abc.abstractmethod
    def _statistics(self) -> list[str]: ...

    @abc.abstractmethod
    def _keep_preferences(self, name: str) -> None: ...

    # ------------------------------------------------------------------ what happens

    def latest(self, seat: int | None) -> list[str]:
        """Return the events of this hand since the latest move of a seat, including that move."""
        session, since = self._session, self._since.get(seat)
        if since is None:  # since the hand began or was resumed
            return list(log_lines(session, seat)[-1].lines[-2 * session.rules.seats :])
        return self._heard(since, seat)

    def _heard(self, since: int, viewer: int | None) -> list[str]:
        self._session.narrator.brief = self._session.preferences.brief
        return heard(self._session.log[since:], viewer)

    def _tell(self, viewer: int | None) -> None:
        self._console.say_all(self._heard(self._heard_until[viewer], viewer))
        self._heard_until[viewer] = len(self._session.log)

    def _close_hand(self) -> None:
        """End the hand. Everyone may look at the screen now, so no hand may be visible."""
        people = self._session.participants.people
        if len(people) > 1:
            if self._holder is not None:
                self._console.hide()
            self._holder = None
            self._heard_until[None] = min(self._heard_until[seat] for seat in people)
        self._tell(self._viewer)
        self._heard_until = dict.fromkeys(self._heard_until, len(self._session.log))

    def _keyboard(self, seat: int) -> None:
        """Pass the keyboard to a person without showing either person's hand to the other."""
        if self._holder is not None:
            self._tell(self._holder)
        self._console.hide()
        self._holder = None
        self._console.ask(prompts.keyboard(seat, self._session.words), careful=True)

    def _look(self, seat: int) -> None:
        """Show a person what has happened since they last looked."""
        self._holder = seat
        self._tell(seat)

    # ------------------------------------------------------------------ what a person sees

    def _view(self, seat: int) -> View:
        """Return the table as it is described to a person. Cards that are ready to be picked are in the draw pile."""
        return dataclasses.replace(self._session.view(seat), draw_pile=self._session.shown_pile)

    def _begin_turn(self, seat: int, drawn: Sequence[Card]) -> None:
        session, console, _ = self._session, self._console, self._
        cards = [session.theme.name_of(card) for card in drawn]
        text = prompts.turn(seat, session.words)
        if not session.preferences.brief:
            console.heading(text)
            console.say_all(_("You draw {card}.").format(card=card) for card in cards)
            self.show(seat)
            return
        if cards:
            text += " " + _("You draw {card}.").format(card=", ".join(cards))
        console.say(console.paint(text, bold=True))
        self._show_changes(seat)

    def _show_changes(self, seat: int) -> None:
        """In brief mode, show what has changed since this player last looked: the first time, also their hand."""
        session, view = self._session, self._view(seat)
        known = self._last_described.get(seat)
        self._console.say_all(changes(known, view, session.words))
        if known is None:
            self._show_hand(seat)
        elif session.must_pick(seat):
            self._console.say(self._("P picks a card."))
        self._last_described[seat] = view

    def show(self, seat: int) -> None:
        """Show the table, the player's hand, and the window below it."""
        session, _ = self._session, self._
        self._console.say_all(table_lines(self._view(seat), session.words))
        self._show_hand(seat)
        if session.preferences.window == "scores":
            self._show_scores(seat)
        elif not self._reminded:
            self._console.say(reminder(_, picking=session.preferences.manual_pick))
        self._reminded = True

    def _show_hand(self, seat: int) -> None:
        session, console, _ = self._session, self._console, self._
        slots, picked = session.slots[seat], not session.must_pick(seat)
        if session.preferences.brief:
            console.say(hand_sentence(slots, picked, session.words))
        else:
            console.say_all(hand_lines(slots, picked, console, session.words))

    def _show_scores(self, seat: int | None, *, in_words: bool = False) -> None:
        """Show the score sheet so far. Use sentences in brief mode or if ``in_words`` is true."""
        lines = sheet_sentences if in_words or self._session.preferences.brief else sheet_lines
        self._console.say_all(lines(self._session, seat, self._))

    # ------------------------------------------------------------------ the three decisions

    def ask(self, question: SeatQuestion) -> ChosenMove:
        """Ask a person a question, and return the move that answers it. After a hint, Enter makes the suggested move.

        Without the safety, a person gets the same question about a coup fourré but can only continue.
        """
        text = self._begin_question(question)
        controller, seat = self._controller, question.seat
        controller.ask(question)
        self._latest_hint = None
        if self._thoughts is not None:
            self._thoughts.close()
            self._thoughts = None
        if controller.lessons is not None:
            self._console.say_all(["", controller.lessons.lesson(self._session.hand)])
        try:
            while True:
                command = self._ask(self._with_hint(text), seat, answering=controller.is_yes_or_no)
                outcome = self._outcome(command, seat)
                if isinstance(outcome, Unclear):
                    outcome = self._aim(outcome, seat)
                if isinstance(outcome, ChosenMove):
                    return outcome
                if outcome is not None:
                    self._show(outcome)
        finally:
            controller.ask(None)

    def _begin_question(self, question: SeatQuestion) -> str:
        """Show a person what they have to decide on, and return the line that asks for an answer."""
        session, seat, _ = self._session, question.seat, self._
        self._look(seat)
        match question:
            case requests.Turn(drawn=drawn):
                self._begin_turn(seat, drawn)
                return _("Your move:")
            case requests.Coup():
                self._console.heading(prompts.coup(session.hand, seat, session.words))
                shows_table = session.participants.is_shared
                safety = prompts.called(session.hand, session.words)
                text = _("Call a coup fourré with {safety}? (y/n)").format(safety=safety)
            case requests.Extension():
                self._console.heading(prompts.extension(session.rules, session.words))
                shows_table = True
                text = _("Extend the trip? (y/n)")
        if session.preferences.brief:
            self._show_changes(seat)
        elif shows_table:
            self.show(seat)
        return text

    def _with_hint(self, text: str) -> str:
        """Return the question with the move that a hint has suggested."""
        hinted = self._controller.hinted
        if hinted is None:
            return text
        move = describe_move(hinted, self._controller.seat, self._session.words)
        if self._controller.is_yes_or_no:
            return f"{text} " + self._("(Enter: {move})").format(move=move)
        return self._("Your move (Enter: {move}):").format(move=move)

    def _outcome(self, command: TypedLine, seat: int) -> Outcome | None:
        """Return what a typed line leads to. Return None if everything about it has been done."""
        controller, wish = self._controller, command.wish
        match command.kind:
            case LineKind.NOTHING if controller.hinted is not None:
                return controller.confirm()
            case Command.USE | Command.DISCARD | Command.PICK | LineKind.NOTHING if controller.is_yes_or_no:
                return controller.answer_first()
            case Command.USE | Command.DISCARD:
                wish = self._ask_place(Action.PLAY if command.kind is Command.USE else Action.DISCARD, seat)
            case Command.PICK:
                picked = controller.pick()
                if isinstance(picked, Refusal):
                    return picked
                self._console.say(picked)
            case LineKind.MOVE:
                pass
            case _other:
                return self._do(command, seat)
        return None if wish is None else controller.use(wish)

    def _show(self, outcome: Outcome) -> None:
        """Show what a command has led to, unless it is a move."""
        match outcome:
            case Refusal(text, instead):
                if instead:
                    self._console.say(text)
                self._console.wrong(instead or text)
            case Told(lines=lines):
                self._console.say_all(lines)
            case Switched(name, text):
                if text:
                    self._console.say(text)
                self._keep_preferences(name)
            case requests.TakeBack(seat):
                self._undo(seat)

    # ------------------------------------------------------------------ what a person types

    def _ask(self, prompt: str, seat: int | None, *, answering: bool = False, careful: bool = False) -> TypedLine:
        session = self._session
        return parse(
            self._console.ask(prompt, careful=careful),
            session.rules.hand_size,
            session.words,
            seat=seat,
            answering=answering,
            one_key=session.preferences.one_key and not answering,
        )

    def _ask_place(self, action: Action, seat: int) -> Wish | None:
        """Ask which card to use or discard, after the input ``U`` or ``D`` alone."""
        session, console, _ = self._session, self._console, self._
        help = _("Type the number of a card, P for the card just drawn, or the name of a card.")
        prompt = f"{prompts.which_card(action, _)} " + _("(number, P or name; Enter goes back)")
        text = console.ask(prompt, help=[help])
        if not text:
            return None
        letter = "u" if action is Action.PLAY else "d"
        command = parse(f"{letter} {text}", session.rules.hand_size, session.words, seat=seat)
        if command.wish is None:
            console.wrong(command.message or _("No card was used."))
        return command.wish

    def _aim(self, unclear: Unclear, seat: int) -> ChosenMove | Refusal | None:
        """Ask on which side to play a hazard."""
        session, console, _ = self._session, self._console, self._
        sides = [move.target for move in unclear.moves if move.target is not None]
        console.say_all(f"  {side + 1}  {session.participants.side(side, seat)}" for side in sides)
        help = _("Type the number of the side to play the hazard on.")
        text = _.digits(console.ask(_("On which side? (Enter goes back)"), help=[help]))
        if not text:
            return None
        is_number = text.isdecimal() and len(text) < 3
        return self._controller.aim(unclear, int(text) - 1 if is_number else -1)

    # ------------------------------------------------------------------ commands that aren't moves

    def _do_anytime(self, command: TypedLine, seat: int | None) -> bool:
        """Run a command that is also possible between turns. Return whether it was one."""
        session, console, _ = self._session, self._console, self._
        match command.kind:
            case Command.QUIT:
                self._quit()
            case Command.SAVE:
                self._save()
            case Command.STATISTICS:
                try:
                    console.say_all(self._statistics())
                except SaveError as error:
                    console.say(str(error))
            case Command.REVIEW:
                console.say(_("A match can be reviewed once it is over."))
            case Command.BRIEF:
                self._show(self._controller.switch(Command.BRIEF))
            case Command() if command.kind.value.is_question:
                console.say_all(answer(command, session, seat, self.latest(seat), _))
            case _other:
                return False
        return True

    def _do(self, command: TypedLine, seat: int) -> Outcome | None:
        """Run a command that isn't a move, and return what it leads to if that isn't shown yet."""
        session, console, _ = self._session, self._console, self._
        if self._do_anytime(command, seat):
            return None
        outcome = self._controller.do(command.kind) if isinstance(command.kind, Command) else None
        match command.kind:
            case Command.REDRAW:
                self.show(seat)
            case Command.HELP:
                self._help(command.topic)
            case Command.HINT:
                console.say_all(self._hint(seat, command.number))
            case Command.SETTINGS:
                self._settings(command.topic)
            case Command.SCORES:
                self._show_scores(seat, in_words=bool(command.topic))
            case Command.COUNTS if outcome is None:
                console.say_all(unseen_lines(session.view(seat), session.words))
            case Command.ORDER | Command.WINDOW if outcome is not None:
                self._show(outcome)
                self._show_switched(command.kind, seat)
                return None
            case _other if outcome is None:
                return Refusal(command.message or _("Type a command; ? lists them, L lists what you can do."))
        return outcome

    def _show_switched(self, command: Command | LineKind, seat: int) -> None:
        """Show the hand in its new order, or what is below the table now."""
        preferences = self._session.preferences
        if command is Command.ORDER:
            self._show_hand(seat)
        elif preferences.window == "scores":
            self._show_scores(seat)
        else:
            self._console.say(reminder(self._, picking=preferences.manual_pick))

    def _hint(self, seat: int, seconds: int | None) -> list[str]:
        """Suggest a move and explain it, using only what this person has seen."""
        session, controller, _ = self._session, self._controller, self._
        lessons = controller.lessons
        if lessons is not None and not controller.must_pick:
            controller.hinted = lessons.next_move(session.hand)
            return [lessons.lesson(session.hand), lessons.advice(session.hand)]
        if (refusal := controller.no_hint()) is not None:
            return [refusal.text]
        found = self._think(seconds)
        if found is None:
            advice = hint_of_player(controller.view)
            controller.hinted = advice.best
            return maxims_lines(advice, seat, session.words)
        controller.hinted = found.best
        return hint_lines(found, seat, session.words)

    def _think(self, seconds: int | None) -> Analysis | None:
        """Think for ``seconds`` more and return the hint, or None if its code is still being compiled."""
        if self._thoughts is None:
            self._thoughts = self._controller.thoughts()
        limit = seconds or (THOUGHT if self._latest_hint is None else FURTHER)
        patience = PATIENCE[is_compiled(self._session.rules, self._session.match.match_target)]
        asked, begun = time.monotonic(), None
        for found in self._thoughts:
            self._console.check()
            now = time.monotonic()
            if found is None:
                if now - asked >= patience:
                    break
                continue
            self._latest_hint = found
            begun = now if begun is None else begun
            if now - begun >= limit:
                break
        return self._latest_hint

    def _settings(self, topic: str) -> None:
        """List the preferences for the input ``set``, or change one for the input ``set NAME VALUE``."""
        session, console, _ = self._session, self._console, self._
        if not topic:
            console.say_all(settings_lines(session.preferences, _))
            return
        try:
            name, preferences = changed(session.preferences, topic, _)
        except SaveError as error:
            console.wrong(str(error))
            return
        session.change(preferences)
        self._keep_preferences(name)
        console.say(_("Saved. Language and theme change when the next game starts."))

    def _help(self, topic: str) -> None:
        session, _ = self._session, self._
        try:
            picking = session.preferences.manual_pick
            lines = (
                clause_lines(topic, session.words)
                if topic
                else help_lines(session.words, practice=session.practice, picking=picking)
            )
        except NotationError as error:
            lines = [str(error)]
        self._console.say_all(lines)
