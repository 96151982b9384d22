"""Input from the person at the keyboard: the current question, what has been typed so far, and the resulting move."""

import asyncio
import contextlib
import enum
from collections.abc import Iterator, Sequence
from typing import Final, Protocol

from textual.message import Message

from millebornes.cards import Card
from millebornes.game import Action, Move
from millebornes.session import requests
from millebornes.session.slots import Slots
from millebornes.table.questions import SeatQuestion
from millebornes.tui.common.moves import Unclear, Wish
from millebornes.tui.controller import ChosenMove, Controller, Refusal
from millebornes.words import prompts

Choice = tuple[str, str, str]  # a choice: its key as shown to the player, what the key does, and the name of the action


class TakenBack(Exception):
    """Raised when a move of ``seat`` has been taken back, because the current question no longer makes sense."""

    def __init__(self, seat: int) -> None:
        self.seat = seat


class Mode(enum.Enum):
    """The kind of question that a person has to answer."""

    WATCH = "watch"
    TURN = "turn"
    TARGET = "target"
    COUP = "coup"
    EXTENSION = "extension"
    KEYBOARD = "keyboard"


_MODES: Final = {requests.Turn: Mode.TURN, requests.Coup: Mode.COUP, requests.Extension: Mode.EXTENSION}


class _Display(Protocol):
    """The parts of the table that the input uses."""

    @property
    def is_visible(self) -> bool: ...
    def restart_question(self) -> None: ...
    def say(self, text: str, kind: str = "") -> None: ...
    def offer(self, choices: Sequence[Choice]) -> None: ...
    def select(self, place: int | None) -> None: ...
    def ring(self) -> None: ...
    def redraw(self, deciding: bool) -> None: ...
    def nudge(self, text: str) -> None: ...
    def key_for(self, action: str) -> str: ...


STEPS: Final = {"next_card": 1, "previous_card": -1}
ANSWERS: Final = {"use", "discard", "pick", "confirm", "yes", "no", "back", *STEPS}
"""The actions that can answer a question, apart from those for places of cards."""


AHEAD: Final = ("card_", "discard_", "use", "discard", "pick", "confirm", "back", *STEPS)
"""The beginnings of the actions that can be typed ahead. They make a move; none of them answers yes or no."""


class TableInput:
    """Asks one question at a time. Commands at the table can answer it.

    If other players' moves appear at once, a person can type several turns in a burst, as in the classic game. What is
    typed before the next turn can be seen is kept in `ahead` and used then. It is forgotten if anything comes between,
    such as a question of another kind, a refusal or a dialogue, because it was meant for another moment.
    """

    def __init__(self, controller: Controller, display: _Display) -> None:
        self._session = controller.session
        self._display = display
        self._ = controller.session.translate
        self._controller = controller
        self.mode = Mode.WATCH
        self.verb: Action | None = None
        self.place: int | None = None
        self._seat = 0
        """The seat that was asked last."""
        self._unclear: Unclear | None = None
        self._answer: asyncio.Future[ChosenMove] | None = None
        self._go_on = asyncio.Event()
        self.ahead: list[str] = []
        self.ahead_since = 0.0
        """The time from which keys that are typed ahead count."""
        self.answered = 0.0
        """The time at which the latest question was answered."""

    @property
    def takes_ahead(self) -> bool:
        """Whether keys for the next turn can be typed now, before it can be seen."""
        return self._session.preferences.pace == 0 and self.mode in {Mode.WATCH, Mode.TURN}

    def forget_ahead(self) -> None:
        """Forget what was typed ahead. Keys that were typed before now don't count, either."""
        self.ahead.clear()
        self.ahead_since = Message().time

    def use_ahead(self) -> None:
        """Use what was typed ahead for the current turn. What follows its answer is kept for the next one."""
        while self.ahead and self.mode is Mode.TURN and self._answer is not None and not self._answer.done():
            self._turn_command(self.ahead.pop(0))

    @property
    def is_typing(self) -> bool:
        """Whether the person has typed something that they can take back."""
        return self.verb is not None or self.place is not None or self.mode is Mode.TARGET

    @property
    def slots(self) -> Slots:
        """The hand of the person who has to answer."""
        return self._controller.slots

    async def pause(self, seconds: float) -> None:
        """Wait for this many seconds, or until the player presses a key."""
        self._go_on.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._go_on.wait(), seconds)

    def go_on(self) -> None:
        """End a pause."""
        self._go_on.set()

    async def keyboard(self, seat: int) -> None:
        """Ask people to pass the keyboard to a seat."""
        _, name = self._, self._session.participants.names[seat]
        self.mode = Mode.KEYBOARD
        self.forget_ahead()
        self._display.restart_question()
        self._display.say(prompts.keyboard(seat, self._session.words), "question")
        show = _("show the hand of {name}").format(name=name)
        self._display.offer([(self._display.key_for("confirm"), show, "confirm")])
        self._go_on.clear()
        await self._go_on.wait()
        self.mode = Mode.WATCH

    async def ask(self, question: SeatQuestion) -> ChosenMove:
        """Ask a question, and return the move that answers it."""
        controller, mode = self._controller, _MODES[type(question)]
        if mode is not Mode.TURN or question.seat != self._seat:
            self.forget_ahead()
        self.mode, self._seat = mode, question.seat
        controller.ask(question)
        self._display.restart_question()
        self._clear()
        self._answer = asyncio.get_running_loop().create_future()
        self._display.redraw(True)
        text = controller.text
        if isinstance(question, requests.Turn):
            pick = self._("P picks a card.") if controller.must_pick else ""
            text = " ".join(filter(None, [text, prompts.drawn(question.drawn, controller.words), pick]))
        self._display.say(text, "coup" if mode is Mode.COUP else "question" if mode is Mode.EXTENSION else "")
        self._offer()
        try:
            move, place = await self._answer
            if move.card is not None and place is not None and self.slots.card_at(place) is not move.card:
                place = self.slots.place_of(move.card)  # the hand has been sorted in the meantime
            return ChosenMove(move, place)
        finally:
            self.mode = Mode.WATCH
            self._answer = None
            controller.ask(None)
            self._clear()
            self._display.say("")
            self._offer()

    @contextlib.contextmanager
    def same_card(self) -> Iterator[None]:
        """Keep the selected card selected if the hand is sorted meanwhile, which gives it another place."""
        card = self._card
        yield
        if card is not None and self._card is not card:
            self.place = self.slots.place_of(card)
            self._display.select(self.place)

    def _offer(self) -> None:
        choices = self._choices()
        self._display.offer([(self._display.key_for(action), words, action) for words, action in choices])

    def _choices(self) -> list[tuple[str, str]]:
        """Return the choices in words, the most likely first, each with the name of its action in the key map."""
        session, _ = self._session, self._
        usual = [(_("keys"), "help"), (_("quit"), "quit")]
        match self.mode:
            case Mode.COUP:
                call = _("coup fourré with {safety}").format(safety=prompts.called(session.hand, session.words))
                return [(call, "yes"), (_("pass"), "no"), *usual]
            case Mode.EXTENSION:
                return [(_("extend the trip"), "yes"), (_("finish the hand"), "no"), *usual]
            case Mode.TURN if self._controller.must_pick:
                return [(_("pick a card"), "pick"), *usual]
            case Mode.TURN if self.verb is None and self.place is not None and not self._is_usable:
                return [(_("discard"), "discard"), (_("take back"), "back"), (_("legal moves"), "legal")]
            case Mode.TURN if self.verb is not None or self.place is not None:
                other = (_("use instead"), "use") if self.verb is Action.DISCARD else (_("discard instead"), "discard")
                return [(_("do it"), "confirm"), (_("take back"), "back"), other]
            case Mode.TURN:
                undo = [(_("undo"), "undo")] if session.practice else []
                use = [(_("use"), "use"), (_("discard"), "discard")]
                return [*use, (_("legal moves"), "legal"), (_("hint"), "hint"), *undo, *usual]
            case Mode.TARGET:
                sides = [move.target or 0 for move in self._unclear.moves] if self._unclear else []
                seat = self._controller.seat
                named = [(session.participants.side(side, seat), f"card_{side + 1}") for side in sides]
                return [*named, (_("take back"), "back")]
            case _other:
                return [(_("faster"), "confirm"), *usual]

    def interrupt(self, error: Exception) -> bool:
        """Raise an exception in the code that is waiting for an answer. Return False if no question is open."""
        if self._answer is None or self._answer.done():
            return False
        self.forget_ahead()
        self._answer.set_exception(error)
        return True

    def command(self, action: str) -> bool:
        """Run an action if it answers the question. Return False for all other commands."""
        if self.takes_ahead and not self._can_answer and action.startswith(AHEAD):
            if self.ahead or action not in {"confirm", "back"}:  # on their own, these concern what is on the screen
                self.ahead.append(action)
            return True
        is_card, is_answer = action.startswith("card_"), action.startswith(("card_", "discard_")) or action in ANSWERS
        if self.mode in {Mode.WATCH, Mode.KEYBOARD}:
            if action == "confirm" or (self.mode is Mode.WATCH and is_card):
                self._go_on.set()
            return is_answer
        if action in {"yes", "no"}:
            self._take(self._controller.answer(action == "yes"))
        elif self.mode is Mode.TURN:
            return self._turn_command(action)
        elif self.mode is Mode.TARGET and (action == "back" or is_card):
            self._target_command(action)
        elif is_answer and action not in STEPS:
            self._answer_first()
        else:
            return False
        return True

    @property
    def _can_answer(self) -> bool:
        """Whether a question is visible that nothing has answered yet."""
        is_open = self._answer is not None and not self._answer.done()
        return is_open and self._display.is_visible and not self.ahead

    def _answer_first(self) -> None:
        """Say that yes or no is needed first. While a side is being chosen, do nothing."""
        if self._controller.is_yes_or_no:
            self._take(self._controller.answer_first())

    def _turn_command(self, action: str) -> bool:
        size = self.slots.size
        verb, _sep, place = action.partition("_")
        if action == "pick" and self.verb is not None:
            verb, place = "card", "p"
        if action == "back" or (action == "quit" and self.is_typing):
            self._clear()
            self._say_turn()
        elif verb == "card" and place:
            self.name_card(size + 1 if place == "p" else int(place))
        elif verb == "discard" and place:
            if self._session.preferences.one_key:
                self.decide(Action.DISCARD, size + 1 if place == "p" else int(place))
            else:
                self._refuse(self._("That key discards at once only in one-key play (K)."))
        elif action in {"use", "discard"}:
            self.verb = Action.PLAY if action == "use" else Action.DISCARD
            self._say_turn()
        elif action == "pick":
            self.pick()
        elif action in STEPS:
            self._step(STEPS[action])
        elif action == "confirm":
            self._confirm()
        else:
            return False
        return True

    def _confirm(self) -> None:
        if self.place is not None:
            self.decide(self.verb or Action.PLAY, self.place)
        elif self.verb is not None:
            self._refuse(self._("Which card? Type its number, or P for the card just drawn."))
        elif self._controller.must_pick:
            self.pick()
        else:
            self._refuse(self._("Type U to use a card or D to discard one, then its number, then Enter."))

    def _step(self, by: int) -> None:
        places = [place for place, card in enumerate(self.slots.cards, 1) if card is not None]
        if not places:
            return
        if self.place in places:
            self.place = places[(places.index(self.place) + by) % len(places)]
        else:
            self.place = places[0 if by > 0 else -1]
        self._say_turn()

    def name_card(self, place: int) -> None:
        """Select the card at a place. In one-key play, use it at once or, after D, discard it."""
        if self._session.preferences.one_key:
            self.decide(self.verb or Action.PLAY, place)
        else:
            self.mark(place)

    def mark(self, place: int) -> None:
        """Select the card at a place until Enter or another click confirms it."""
        if self.slots.card_at(place) is None:
            self._take(self._controller.no_card(place))
            return
        self.place = place
        self._say_turn()

    @property
    def _card(self) -> Card | None:
        """The selected card."""
        return None if self.place is None else self.slots.card_at(self.place)

    @property
    def _is_usable(self) -> bool:
        """Whether the selected card can be used now, or possibly after the player has drawn."""
        card = self._card
        if card is None or self._controller.must_pick:
            return True
        moves = self._controller.view.legal_moves
        return any(move.card is card and move.action is not Action.DISCARD for move in moves)

    def _say_turn(self) -> None:
        _, display = self._, self._display
        display.select(self.place)
        card = self._card
        name = "" if card is None else self._session.theme.name_of(card)
        number = "" if self.place is None else "P" if self.place > self.slots.size else str(self.place)
        if self.verb is None and card is None:
            display.say(_("Your turn."))
        elif self.verb is None:
            text = _("Card {number}, {card}: Enter or U uses it, D discards it.")
            if not self._is_usable:
                text = _("Card {number}, {card}: you can't use it now. D discards it, L says why.")
            display.say(text.format(number=number, card=name))
        elif card is None:
            display.say(prompts.which_card(self.verb, self._), "question")
        else:
            text = _("Use card {number}, {card}?") if self.verb is Action.PLAY else _("Discard card {number}, {card}?")
            display.say(text.format(number=number, card=name), "question")
        self._offer()

    def decide(self, action: Action, place: int, side: int | None = None) -> None:
        """Use or discard the card at a place. If that isn't possible, explain why."""
        if self.mode is not Mode.TURN:
            self._answer_first()
            return
        found = self._controller.use(Wish(action, place=place, side=side))
        if not isinstance(found, Unclear):
            self._take(found)
            return
        self.mode, self.place, self._unclear = Mode.TARGET, place, found
        self.forget_ahead()
        self._display.restart_question()
        card = self._card
        name = "" if card is None else self._session.theme.name_of(card)
        self._display.select(place)
        self._display.say(self._("{card}: on which side?").format(card=name), "question")
        self._offer()

    def propose(self, move: Move) -> None:
        """Type a move for the person, who can make it with Enter or take it back with Esc."""
        if self.mode is Mode.TURN and move.card is not None:
            self.verb = Action.DISCARD if move.action is Action.DISCARD else Action.PLAY
            self.place = self.slots.place_of(move.card)
            self._say_turn()

    def make(self, move: Move) -> None:
        """Make a legal move that the person has chosen from a list."""
        if self._answer is not None and not self._answer.done() and move in self._controller.view.legal_moves:
            self._take(self._controller.make(move))

    def _target_command(self, action: str) -> None:
        if action == "back":
            self.mode, self._unclear = Mode.TURN, None
            self._clear()
            self._say_turn()
        elif (side := action.removeprefix("card_")).isdigit():
            self.aim(int(side) - 1)

    def aim(self, side: int) -> None:
        """Choose the side on which to play a hazard."""
        assert self._unclear is not None
        self._take(self._controller.aim(self._unclear, side))

    def pick(self) -> None:
        """For the command P, pick the cards that are ready."""
        picked = self._controller.pick()
        if isinstance(picked, Refusal):
            self._take(picked)
            return
        self._display.redraw(True)
        self._display.say(picked)
        self._offer()

    def _take(self, outcome: ChosenMove | Refusal) -> None:
        """Answer the question with a move, or say why that isn't possible."""
        if isinstance(outcome, Refusal):
            self._refuse(" ".join(filter(None, outcome[:2])), is_lesson=outcome.is_lesson)
        elif self._answer is not None and not self._answer.done():
            if outcome.move.target is not None and self._session.rules.sides > 2:
                self.forget_ahead()  # a digit after a hazard may have been meant for the side
            self.answered = Message().time
            self._answer.set_result(outcome)

    def _refuse(self, text: str, *, is_lesson: bool = False) -> None:
        self.forget_ahead()
        if self.mode is Mode.TARGET and is_lesson:
            self.mode, self._unclear = Mode.TURN, None
        if self.mode is Mode.TURN:
            self._clear()
            self._offer()
        if is_lesson:
            self._display.nudge(text)
        else:
            self._display.say(text, "error")
        self._display.ring()

    def _clear(self) -> None:
        self.verb = self.place = None
        if self.mode is not Mode.TARGET:
            self._unclear = None
        self._display.select(None)
