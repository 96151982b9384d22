"""At screens of a terminal, nothing tells who holds a safety: no question, undo, save or resumed game (R5.5)."""

import dataclasses
import random
from pathlib import Path
from typing import Any

import pytest

from millebornes.cards import ANSWERS
from millebornes.editions import edition
from millebornes.game import Match, Move, Phase
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
    RecordResult,
    Request,
    Save,
    TakeBack,
)
from millebornes.storage import Preferences, SaveWriter, read_save
from millebornes.table.questions import Coup, Turn
from millebornes.themes import theme
from tests.session.driving import HUMAN, Saves, moves_for
from tests.session.new_games import named_game
from tests.session.twin_decks import BOTTOM, Secret, twin_decks

H, C = HUMAN, "basic"
TABLES: dict[str, tuple[str, ...]] = {
    "two at one keyboard": (H, H),
    "three at one keyboard": (H, H, H),
    "partners at one keyboard": (H, C, H, H),
}
PASS = Move.parse("pass")


class _Pair:
    """Two loops with twin decks that get the same answers, but for the passes of the holder."""

    def __init__(self, kind: str, seed: int, folder: Path) -> None:
        self.rng = rng = random.Random(f"{kind} {seed}")
        seats = TABLES[kind]
        rules = edition(rng.choice(["classic", "house", "wikibooks"])).rules(len(seats), 2 if len(seats) == 4 else None)
        people = [seat for seat, who in enumerate(seats) if who == HUMAN]
        self.holder = rng.choice(people)
        *decks, self.secret = twin_decks(rules, 0, self.holder, rng)
        names, self.folder = [f"n{seat}" for seat in range(len(seats))], folder
        game = named_game(rules, seats, names, 5000, "1", Preferences(), practice=True)
        starts = [Match.start(rules, deck=deck, players=names, match_target=5000) for deck in decks]
        self.begin([dataclasses.replace(game, match=match) for match in starts])

    def begin(self, games: list[Any]) -> None:
        tables = [GameSession(game, None, theme("english"), translator("en")) for game in games]
        self.kept = [Saves(table) for table in tables]
        self.loops = [
            GameLoop(table, saver)  # type: ignore[arg-type]
            for table, saver in zip(tables, self.kept, strict=True)
        ]

    def resume(self) -> None:
        """Leave, and resume the games as they were saved last, from a file."""
        games = []
        for n, kept in enumerate(self.kept):
            if not kept.kept:
                return
            path = self.folder / f"{n}.jsonl"
            path.unlink(missing_ok=True)
            SaveWriter().write(kept.kept[-1], path)
            games.append(read_save(path))
        self.begin(games)

    def shown(self, loop: GameLoop) -> Any:
        """What everyone but the holder may see of the current request, and of the table."""
        request, session = loop.request, loop.session
        seats = [None, *(seat for seat in range(session.rules.seats) if seat != self.holder)]
        views = [session.view(seat) for seat in seats]
        back = [session.latest_person, *(session.undo_point(seat) is not None for seat in seats if seat is not None)]
        match request:
            case Event():
                said: Any = request.kind, request.turn, request.move, [request.lines(seat) for seat in seats]
            case Ask(question, turn):
                hidden = question._replace(holds=None) if isinstance(question, Coup) else question  # type: ignore[arg-type]
                said = None if isinstance(question, Turn) and question.seat == self.holder else hidden, turn
            case _:
                said = type(request)
        return said, views, back, [n for n, _ in enumerate(seats) if loop.viewer == n]

    def visible(self) -> None:
        """Go on in each twin to what people notice: computer players that are asked in secret are not."""
        for loop in self.loops:
            while isinstance(loop.request, Compute | Save) and not self._is_public(loop.request, loop):
                loop.answer(ComputerMove(PASS) if isinstance(loop.request, Compute) else loop.request.run())

    def _is_public(self, request: Request, loop: GameLoop) -> bool:
        return isinstance(request, Compute) and loop.session.hand.phase not in {Phase.COUP, Phase.OPENING}

    def answer(self) -> bool:
        """Give the same answer to both. Return False if the holder has only the secret card left."""
        first, rng = self.loops[0], self.rng
        request = first.request
        answer: Answer = None
        if isinstance(request, Ask):
            people = [seat for seat in first.session.slots if first.session.undo_point(seat) is not None]
            question = request.question
            if people and rng.random() < 0.15:
                answer = TakeBack(rng.choice(people))
            elif isinstance(question, PassKeyboard | Another):
                answer = Continue(question.seat)
            elif isinstance(question, Coup):
                answer = PersonMove(question.seat, PASS)
            else:
                moves = [
                    move for move in moves_for(question, first.session) if not self._is_secret(question.seat, move)
                ]
                hazards = [move for move in moves if move.target is not None]
                if not moves:
                    return False
                parried = [move for move in hazards if move.card in ANSWERS[self.secret.safety]]
                answer = PersonMove(question.seat, rng.choice(parried or rng.choice([moves, hazards]) or moves))
        elif isinstance(request, Compute):
            moves = list(first.session.hand.legal_moves)
            answer = ComputerMove(rng.choice([move for move in moves if move.target is not None] or moves))
        elif isinstance(request, RecordResult):
            for loop in self.loops:
                loop.answer(None)
            return True
        for loop in self.loops:
            loop.answer(answer)
        return True

    def _is_secret(self, seat: int, move: Move) -> bool:
        return seat == self.holder and move.card in {self.secret.safety, self.secret.other}


@pytest.mark.parametrize("kind", TABLES)
def test_twins_look_alike(kind: str, tmp_path: Path) -> None:
    apart = undone = resumed = 0
    for seed in range(7):
        pair = _Pair(kind, seed, tmp_path)
        for _ in range(250):
            pair.visible()
            sessions = [loop.session for loop in pair.loops]
            if sessions[0].hand.is_over or sessions[0].hand.draw_pile <= BOTTOM:
                break
            apart += sessions[0].hand.phase is not sessions[1].hand.phase
            shown = [pair.shown(loop) for loop in pair.loops]
            assert shown[0] == shown[1], seed
            before = sessions[0].hand
            if not pair.answer():
                break
            undone += before.ply > pair.loops[0].session.hand.ply
            if pair.rng.random() < 0.04:
                pair.resume()
                resumed += 1
    assert min(apart, undone, resumed) > 3


def test_what_is_kept_secret_is_in_both_decks() -> None:
    """The decks differ in two places: one is dealt to the holder, and one lies at the bottom."""
    rules = edition("classic").rules(3, 3)
    one, two, secret = twin_decks(rules, 0, 1, random.Random(1))
    places = [n for n, (a, b) in enumerate(zip(one, two, strict=True)) if a is not b]
    assert (places[0] % 3, places[1]) == (1, rules.cards - 1)
    assert secret == Secret(one[places[0]], two[places[0]])
    assert sorted(one) == sorted(two)
