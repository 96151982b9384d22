"""Driving the game loop in a test: whole games by random answers, and what each viewer has been sent of them."""

import dataclasses
import random
from collections.abc import Iterator, Sequence
from typing import Any

from millebornes.cards import Card
from millebornes.editions import edition
from millebornes.game import Action, Match, Move
from millebornes.i18n import translator
from millebornes.session.game_loop import GameLoop
from millebornes.session.game_session import GameSession
from millebornes.session.requests import (
    Another,
    Answer,
    Ask,
    Compute,
    ComputerMove,
    Continue,
    Event,
    PassKeyboard,
    PersonMove,
    Question,
    RecordResult,
    Request,
    Save,
    TakeBack,
    Trouble,
)
from millebornes.storage import Preferences, SavedGame
from millebornes.table.questions import Coup
from millebornes.themes import theme
from tests.session.new_games import named_game

HUMAN = "human"


def session(*seats: str, name: str = "classic", sides: int | None = None, **more: Any) -> GameSession:
    """A new game; ``more`` are ``seed``, ``target``, ``practice``, ``deck`` (of the first hand) and preferences."""
    settings = more.pop("set", {})
    rules = edition(name).rules(len(seats), sides or len(seats), settings)
    seed, target, practice = more.pop("seed", "1"), more.pop("target", 1000), more.pop("practice", False)
    deck: Sequence[Card] | None = more.pop("deck", None)
    names = [f"n{seat}" for seat in range(len(seats))]
    game = named_game(rules, seats, names, target, seed, Preferences(**more), practice=practice)
    if deck is not None:
        game = dataclasses.replace(game, match=Match.start(rules, deck=deck, players=names, match_target=target))
    return GameSession(game, None, theme("english"), translator("en"))


class Saves:
    """In the place of a `Saver`: keeps what it was to write; ``trouble`` is what it says of it."""

    def __init__(self, table: GameSession) -> None:
        self._table = table
        self.kept: list[SavedGame] = []
        self.trouble: str | None = None

    def auto(self) -> str | None:
        self.kept.append(self._table.saved())
        return self.trouble


def answer_at_random(request: Request, loop: GameLoop, rng: random.Random, *, take_back: float = 0) -> Answer:
    """Any right answer; with some chance a move is taken back instead, where one can be."""
    match request:
        case Ask(question):
            people = [seat for seat in loop.session.slots if loop.session.undo_point(seat) is not None]
            if people and rng.random() < take_back:
                return TakeBack(rng.choice(people))
            return answer_question(question, loop, rng)
        case Event() | Trouble():
            return None
    return request.run()


def moves_for(question: Question, table: GameSession) -> tuple[Move, ...]:
    """The legal moves that answer a question; without the safety, one can only pass (R5.5)."""
    if isinstance(question, PassKeyboard | Another):
        return ()
    if isinstance(question, Coup) and not question.holds:
        return (Move(Action.PASS),)
    return () if table.unpicked else tuple(table.view(question.seat).legal_moves)


def answer_question(question: Question, loop: GameLoop, rng: random.Random) -> Answer:
    """A right answer to a question; moves that get further are likelier than discards."""
    if isinstance(question, PassKeyboard | Another):
        return Continue(question.seat)
    loop.session.pick()
    moves = moves_for(question, loop.session)
    uses = [move for move in moves if move.action is not Action.DISCARD]
    return PersonMove(question.seat, rng.choice(uses if uses and rng.random() < 0.8 else moves))


def requests(loop: GameLoop, rng: random.Random, most: int, **chances: float) -> Iterator[Request]:
    """The requests of a game in which all answers are right ones."""
    for _ in range(most):
        request = loop.request
        yield request
        loop.answer(answer_at_random(request, loop, rng, **chances))


class Heard:
    """What each viewer has been sent: events, the table after each, and their own questions with the answers to them.

    ``viewers`` are seats, and None for who sits nowhere.
    """

    def __init__(self, viewers: Sequence[int | None]) -> None:
        self.sent: dict[int | None, list[object]] = {viewer: [] for viewer in viewers}

    def hear(self, request: Request, loop: GameLoop) -> None:
        """Send everybody what a request has for them."""
        for viewer, sent in self.sent.items():
            match request:
                case Event(kind, turn, _narrations, seat, move):
                    sent.append((kind, turn, request.lines(viewer), seat, move, loop.session.view(viewer)))
                case Ask(question):
                    if question.seat in {viewer, None}:
                        legal = () if isinstance(question, Another) else moves_for(question, loop.session)
                        sent.append((question, legal))
                    sent.append(loop.session.view(viewer))
                case Trouble(text):
                    sent.append(text)
                case _work:
                    pass


class Script:
    """Answers by the moves of another game, whoever holds what: the same moves, and a pass for who is asked between."""

    def __init__(self, moves: Sequence[tuple[int, Move]]) -> None:
        self._left = list(moves)

    @property
    def is_done(self) -> bool:
        """Whether all moves have been made."""
        return not self._left

    def answer(self, request: Request, loop: GameLoop) -> Answer:
        """The answer to a request."""
        match request:
            case Ask(question):
                if isinstance(question, PassKeyboard | Another):
                    return Continue(question.seat)
                return PersonMove(question.seat, self._move(question.seat, isinstance(question, Coup)))
            case Compute(seat):
                asked = loop.session.view(seat).phase.name in {"COUP", "OPENING"}
                return ComputerMove(self._move(seat, asked))
            case Save() | RecordResult():
                return request.run()
        return None

    def _move(self, seat: int, is_asked: bool) -> Move:
        if is_asked and (not self._left or self._left[0][0] != seat or self._left[0][1].action is not Action.COUP):
            return Move(Action.PASS)
        mover, move = self._left.pop(0)
        assert mover == seat
        return move
