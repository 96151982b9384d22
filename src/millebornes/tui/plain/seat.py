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
from millebornes.game import Action, Move, View
from millebornes.i18n import Translator
from millebornes.players.hint import hint as hint_of_player
from millebornes.players.kernel_parts import is_compiled
from millebornes.session.game_session import GameSession
from millebornes.session.invocation import play_command
from millebornes.session.log import log_lines
from millebornes.session.prompts import Prompts
from millebornes.session.tutorial import Tutorial
from millebornes.tui.common.hints import seen_by, thoughts
from millebornes.tui.common.moves import Decided, Refused, Unclear, Wish, resolve
from millebornes.tui.common.settings import changed, settings_lines, switched
from millebornes.tui.plain.answers import answer
from millebornes.tui.plain.commands import LineKind, TypedLine, clause_lines, help_lines, parse, reminder
from millebornes.tui.plain.console import Console
from millebornes.tui.plain.table import hand_lines, hand_sentence, sheet_lines, sheet_sentences
from millebornes.words.hints import hint_lines, maxims_lines
from millebornes.words.moves import describe_move, legal_lines
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

    def __init__(self, console: Console, session: GameSession, _: Translator, tutorial: Tutorial | None = None) -> None:
        self._tutorial: Final = tutorial
        self._console: Final = console
        self._session: Final = session
        self._: Final = _
        self._prompts: Final = Prompts(session)
        self._viewer: Final = None if session.participants.is_shared else next(iter(session.participants.people), None)
        """The seat of the reader between turns if one person plays alone, or None if everyone may look."""
        self._holder: int | None = None
        """The seat whose player has the keyboard, or None while everyone may look."""
        self._told: dict[int | None, int] = dict.fromkeys((None, *session.participants.people), 0)
        """How much of the log each person has heard; for None, everyone together."""
        self._since: dict[int | None, int] = {}
        """For each person's seat, the index of their latest move in the log."""
        self._known: dict[int, View] = {}
        """For each seat, the table as its player has last heard it described, for brief mode."""
        self._reminded = False
        self._hinted: Move | None = None
        """The move that a hint has suggested for this decision. If the player presses Enter, it is played."""
        self._thoughts: Generator[Analysis | None, None, None] | None = None
        """A generator of hints for this decision. The hints get better the longer it runs."""
        self._found: Analysis | None = None

    # ------------------------------------------------------------------ commands that concern the whole game

    @abc.abstractmethod
    def _quit(self) -> None:
        """Ask what to do with the game, and leave. Return if the game continues."""

    @abc.abstractmethod
    def _save(self) -> bool: ...

    @abc.abstractmethod
    def _undo(self) -> None:
        """Take back the latest move. If there is one, this method doesn't return."""

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
        self._console.say_all(self._heard(self._told[viewer], viewer))
        self._told[viewer] = len(self._session.log)

    def _close_hand(self) -> None:
        """End the hand. Everyone may look at the screen now, so no hand may be visible."""
        people = self._session.participants.people
        if len(people) > 1:
            if self._holder is not None:
                self._console.hide()
            self._holder = None
            self._told[None] = min(self._told[seat] for seat in people)
        self._tell(self._viewer)
        self._told = dict.fromkeys(self._told, len(self._session.log))

    def _keyboard(self, seat: int) -> None:
        """Pass the keyboard to a person without showing either person's hand to the other."""
        if self._holder is not None:
            self._tell(self._holder)
        self._console.hide()
        self._holder = None
        self._console.ask(self._prompts.keyboard(seat), careful=True)

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
        text = self._prompts.turn(seat)
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
        known = self._known.get(seat)
        self._console.say_all(changes(known, view, session.words))
        if known is None:
            self._show_hand(seat)
        elif session.must_pick(seat):
            self._console.say(self._("P picks a card."))
        self._known[seat] = view

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

    def turn(self, seat: int, drawn: Sequence[Card]) -> Decided:
        """Ask a person for a move, and return it."""
        self._look(seat)
        self._begin_turn(seat, drawn)
        self._begin_decision()
        while True:
            hinted, _ = self._hinted, self._
            if hinted is None:
                command = self._ask(_("Your move:"), seat)
            else:
                command = self._ask(_("Your move (Enter: {move}):").format(move=self._described(hinted, seat)), seat)
                if command.kind is LineKind.NOTHING:
                    return hinted, self._place_of(hinted.card, seat)
            decided = self._turn_command(command, seat)
            if decided is not None and self._leads_on(decided[0]):
                return decided

    def coup(self, seat: int, *, holds: bool = True) -> Decided:
        """Ask about a coup fourré. Without the safety, a person gets the same question but can only continue."""
        session, prompts = self._session, self._prompts
        self._look(seat)
        self._console.heading(prompts.coup(seat))
        if session.preferences.brief:
            self._show_changes(seat)
        elif session.participants.is_shared:
            self.show(seat)
        question = self._("Call a coup fourré with {safety}? (y/n)").format(safety=prompts.called)
        call = Move(Action.COUP, session.hand.coup_question)
        while (move := self._choose(question, seat, call, Move(Action.PASS), prompts.answer_coup())) == call:
            if holds:
                break
            self._console.wrong(prompts.not_held())
        return move, self._place_of(move.card, seat)

    def extension(self, seat: int) -> Decided:
        """Ask whether to extend the trip at the goal (R6.2)."""
        self._look(seat)
        self._console.heading(self._prompts.extension())
        if self._session.preferences.brief:
            self._show_changes(seat)
        else:
            self.show(seat)
        question, refusal = self._("Extend the trip? (y/n)"), self._prompts.answer_extension()
        return self._choose(question, seat, Move(Action.EXTEND), Move(Action.FINISH), refusal), None

    def _choose(self, question: str, seat: int, yes: Move, no: Move, refusal: str) -> Move:
        """Ask a yes/no question until it is answered. ``refusal`` is the response to other moves."""
        actions = {yes.action} if yes.card is None else {yes.action, Action.PLAY}  # playing the safety calls it too
        self._begin_decision()
        while True:
            command = self._ask_again(question, seat)
            wish, move = command.wish, None
            if command.kind is Command.YES or (wish and wish.action in actions and wish.card is yes.card):
                move = yes
            elif command.kind is Command.NO or (wish and wish.action is no.action):
                move = no
            if move is not None:
                if self._leads_on(move):
                    return move
            elif command.kind is Command.LEGAL and yes.action is Action.COUP:
                self._console.say(self._prompts.may_call())
            elif command.kind in {LineKind.MOVE, Command.USE, Command.DISCARD, Command.PICK, LineKind.NOTHING}:
                self._console.wrong(refusal)
            else:
                self._do(command, seat)

    def _begin_decision(self) -> None:
        """Forget the last hint and, in the tutorial, show the lesson."""
        self._hinted = self._found = None
        if self._thoughts is not None:
            self._thoughts.close()
            self._thoughts = None
        if self._tutorial is not None:
            self._console.say_all(["", self._tutorial.lesson(self._session.hand)])

    def _leads_on(self, move: Move) -> bool:
        """Return whether to make a move. In the tutorial, moves that don't fit the lesson are refused with a reason."""
        said = None if self._tutorial is None else self._tutorial.accepts(self._session.hand, move)
        if said is not None:
            self._console.wrong(said)
        return said is None

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

    def _ask_again(self, question: str, seat: int) -> TypedLine:
        """Ask a yes/no question. After a hint, Enter gives the answer that the hint suggested."""
        hinted = self._hinted
        if hinted is None:
            return self._ask(question, seat, answering=True)
        suggested = self._("(Enter: {move})").format(move=self._described(hinted, seat))
        command = self._ask(f"{question} {suggested}", seat, answering=True)
        if command.kind is not LineKind.NOTHING:
            return command
        return TypedLine(Command.YES if hinted.action in {Action.COUP, Action.EXTEND} else Command.NO)

    def _described(self, move: Move, seat: int) -> str:
        return describe_move(move, seat, self._session.words)

    def _place_of(self, card: Card | None, seat: int) -> int | None:
        return None if card is None else self._session.slots[seat].place_of(card)

    def _turn_command(self, command: TypedLine, seat: int) -> Decided | None:
        """Run a command during a turn. Return the decision, or None if the command wasn't a move."""
        wish = command.wish
        match command.kind:
            case Command.USE | Command.DISCARD:
                wish = self._ask_place(Action.PLAY if command.kind is Command.USE else Action.DISCARD, seat)
            case Command.PICK:
                self._pick(seat)
            case LineKind.MOVE:
                pass
            case _other:
                self._do(command, seat)
        if wish is None:
            return None
        if self._session.must_pick(seat) and wish.action in {Action.PLAY, Action.DISCARD, Action.AS_ROLL}:
            self._console.wrong(self._prompts.pick_first())
            return None
        return self._decide(wish, seat)

    def _ask_place(self, action: Action, seat: int) -> Wish | None:
        """Ask which card to use or discard, after the input ``U`` or ``D`` alone."""
        session, console, _ = self._session, self._console, self._
        help = _("Type the number of a card, P for the card just drawn, or the name of a card.")
        prompt = f"{self._prompts.which_card(action)} " + _("(number, P or name; Enter goes back)")
        text = console.ask(prompt, help=[help])
        if not text:
            return None
        letter = "u" if action is Action.PLAY else "d"
        command = parse(f"{letter} {text}", session.rules.hand_size, session.words, seat=seat)
        if command.wish is None:
            console.wrong(command.message or _("No card was used."))
        return command.wish

    def _decide(self, wish: Wish, seat: int) -> Decided | None:
        """Return the move that ``wish`` describes if it is legal. Otherwise, explain why not, and list legal moves."""
        session, console = self._session, self._console
        place, card = wish.place, wish.card
        if place is not None:
            card = session.slots[seat].card_at(place)
            if card is None:
                console.wrong(self._("There is no card in that place."))
                return None
        view = session.view(seat)
        found = resolve(dataclasses.replace(wish, card=card), card, view)
        if isinstance(found, Refused):
            console.say(self._prompts.refusal(found.reason))
            console.wrong(self._prompts.instead(view))
            return None
        move = self._ask_target(found, seat) if isinstance(found, Unclear) else found
        return None if move is None else (move, place or self._place_of(card, seat))

    def _ask_target(self, unclear: Unclear, seat: int) -> Move | None:
        session, console, _ = self._session, self._console, self._
        sides = [move.target for move in unclear.moves if move.target is not None]
        console.say_all(f"  {side + 1}  {session.participants.side(side, seat)}" for side in sides)
        help = _("Type the number of the side to play the hazard on.")
        text = _.digits(console.ask(_("On which side? (Enter goes back)"), help=[help]))
        if text.isdecimal() and len(text) < 3 and int(text) - 1 in sides:
            return unclear.moves[sides.index(int(text) - 1)]
        if text:
            console.wrong(self._prompts.sides(sides))
        return None

    def _pick(self, seat: int) -> None:
        session, _ = self._session, self._
        picked = session.pick()
        self._console.say_all(_("You draw {card}.").format(card=session.theme.name_of(card)) for card in picked)
        if not picked:
            self._console.wrong(self._prompts.nothing_to_pick(seat))

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
                on = _(
                    "Brief mode on: you'll hear only what has changed. Type “hand” for your cards or R for the whole "
                    "table."
                )
                self._switch("brief", on, _("Brief mode off: you'll hear the whole table at every turn."))
            case Command() if command.kind.value.is_question:
                console.say_all(answer(command, session, seat, self.latest(seat), _))
            case _other:
                return False
        return True

    def _do(self, command: TypedLine, seat: int) -> None:
        session, console, _ = self._session, self._console, self._
        if self._do_anytime(command, seat):
            return
        match command.kind:
            case Command.REDRAW:
                self.show(seat)
            case Command.HELP:
                self._help(command.topic)
            case Command.LEGAL:
                console.say_all(legal_lines(session.view(seat), session.words, typed=True))
            case Command.HINT:
                console.say_all(self._hint(seat, command.number))
            case Command.SETTINGS:
                self._settings(command.topic)
            case Command.UNDO | Command.COUNTS:
                self._undo_or_count(command.kind, seat)
            case Command.ORDER:
                session.change(switched(session.preferences, "sort"))
                console.say(self._prompts.sorts(session.preferences.sort))
                self._show_hand(seat)
                self._keep_preferences("sort")
            case Command.WINDOW:
                session.preferences = switched(session.preferences, "window")
                if session.preferences.window == "scores":
                    self._show_scores(seat)
                else:
                    console.say(reminder(_, picking=session.preferences.manual_pick))
                self._keep_preferences("window")
            case Command.SCORES:
                self._show_scores(seat, in_words=bool(command.topic))
            case Command.ONE_KEY:
                off = _("A number alone now does nothing. U and a number use a card.")
                self._switch("one_key", _("Typing a card's number now uses the card right away."), off)
            case Command.MANUAL:
                on = _("From your next turn on, you pick cards yourself, with P.")
                self._switch("manual_pick", on, _("From your next turn on, cards are picked for you."))
            case _other:
                console.wrong(command.message or _("Type a command; ? lists them, L lists what you can do."))

    def _switch(self, name: str, on: str, off: str) -> None:
        self._session.preferences = switched(self._session.preferences, name)
        self._console.say(on if getattr(self._session.preferences, name) else off)
        self._keep_preferences(name)

    def _hint(self, seat: int, seconds: int | None) -> list[str]:
        """Suggest a move and explain it, using only what this person has seen."""
        session, tutorial, _ = self._session, self._tutorial, self._
        view = session.view(seat)
        if tutorial is not None and not session.must_pick(seat):
            self._hinted = tutorial.next_move(session.hand)
            return [tutorial.lesson(session.hand), tutorial.advice(session.hand)]
        if trouble := self._prompts.no_hint(seat, view.legal_moves):
            return [trouble]
        if self._hinted is None:
            session.count_hint(seat)
        found = self._think(seat, seconds)
        if found is None:
            advice = hint_of_player(view)
            self._hinted = advice.best
            return maxims_lines(advice, seat, session.words)
        self._hinted = found.best
        return hint_lines(found, seat, session.words)

    def _think(self, seat: int, seconds: int | None) -> Analysis | None:
        """Think for ``seconds`` more and return the hint, or None if its code is still being compiled."""
        if self._thoughts is None:
            self._thoughts = thoughts(seen_by(self._session.match, seat))
        limit = seconds or (THOUGHT if self._found is None else FURTHER)
        patience = PATIENCE[is_compiled(self._session.rules, self._session.match.match_target)]
        asked, begun = time.monotonic(), None
        for found in self._thoughts:
            self._console.check()
            now = time.monotonic()
            if found is None:
                if now - asked >= patience:
                    break
                continue
            self._found = found
            begun = now if begun is None else begun
            if now - begun >= limit:
                break
        return self._found

    def _undo_or_count(self, kind: Command, seat: int) -> None:
        session, console, _ = self._session, self._console, self._
        if not session.practice:
            text = _("You can take moves back and count cards only in practice: {command} --practice.")
            console.wrong(text.format(command=play_command()))
        elif kind is Command.UNDO:
            if trouble := self._prompts.no_undo(seat):
                console.wrong(trouble)
            else:
                self._undo()
        elif session.must_pick(seat):
            console.wrong(self._prompts.pick_first())
        else:
            console.say_all(unseen_lines(session.view(seat), session.words))

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
