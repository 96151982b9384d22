"""The tutorial is legal, reaches its end, teaches what it says, and lets nobody leave its path."""

import string
from pathlib import Path

import pytest

from millebornes.cards import Card
from millebornes.game import Action, Hand, Move, Phase
from millebornes.i18n import LANGUAGES, translator
from millebornes.session.game_session import GameSession
from millebornes.session.tutorial import CLOSING, SCRIPT, STEPS, Tutorial
from millebornes.storage import Preferences, SaveWriter
from millebornes.themes import THEMES, theme
from millebornes.words.words import Words


def decide(tutorial: Tutorial, table: GameSession) -> None:
    """Let the other side play until the learner decides."""
    table.settle()
    while table.computers.player is not None:
        table.play(table.computers.choose())
        table.settle()


def moves_of(hand: Hand, seat: int) -> list[Move]:
    """What a seat has played."""
    return [move for ply, move in enumerate(hand.moves) if hand.at(ply).seat == seat]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("words", THEMES)
def test_it_is_legal_and_reaches_its_end(language: str, words: str) -> None:
    tutorial = Tutorial(Words(translator(language), theme(words)))
    table = tutorial.session(Preferences())
    lessons, made = [], []
    for number, step in enumerate(STEPS):
        decide(tutorial, table)
        hand = table.hand
        assert hand.seat == 0
        assert tutorial._step(hand) is step
        assert tutorial.progress(hand) == (number, len(STEPS))
        lessons.append(tutorial.lesson(hand))
        good = [move for move in hand.legal_moves if tutorial.accepts(hand, move) is None]
        assert good, step
        assert {str(move) for move in good} <= set(step.moves) or "-" in step.moves
        assert tutorial.next_move(hand) in good
        for move in hand.legal_moves:
            said = tutorial.accepts(hand, move)
            assert (said is None) is (move in good)
            assert said is None or said.endswith(".")
        table.play(good[-1])
        made += good[-1:]
    assert table.hand.is_over
    assert tutorial._step(table.hand) is None
    assert tutorial.next_move(table.hand) is None
    assert tutorial.lesson(table.hand) == ""
    assert tutorial.progress(table.hand) == (len(STEPS), len(STEPS))
    assert table.match.totals == (1600, 275)
    assert made == moves_of(table.hand, 0)
    assert [str(move) for move in moves_of(table.hand, 1)] == list(SCRIPT)
    assert len(set(lessons)) == len(STEPS)
    for text in (*lessons, tutorial.closing):
        assert "{" not in text
        assert "None" not in text
    if language != "en":
        assert not {step.lesson for step in STEPS} & set(lessons)


def test_everything_happens_once() -> None:
    table = Tutorial(Words.of()).session(Preferences())
    tutorial = Tutorial(Words.of())
    phases = set()
    for _ in STEPS:
        decide(tutorial, table)
        phases.add(table.hand.phase)
        hand = table.hand
        table.play(next(move for move in hand.legal_moves if tutorial.accepts(hand, move) is None))
    assert phases == {Phase.PLAY, Phase.COUP, Phase.EXTEND}
    own = table.hand.moves
    actions = {move.action for move in own}
    assert actions >= {Action.PLAY, Action.DISCARD, Action.COUP, Action.FINISH}
    hazards = {move.card for move in own if move.target == 0}
    assert hazards == {Card.ACCIDENT, Card.SPEED_LIMIT, Card.FLAT_TIRE}
    sheet = table.match.hand.scores[0]
    assert (sheet.distance, sheet.coups_fourres, sheet.trip_completed) == (700, 300, 400)


def test_moves_can_be_taken_back() -> None:
    tutorial = Tutorial(Words.of())
    table = tutorial.session(Preferences())
    decide(tutorial, table)
    first = tutorial.lesson(table.hand)
    table.play(next(move for move in table.hand.legal_moves if str(move) == "roll"))
    decide(tutorial, table)
    second = tutorial.lesson(table.hand)
    assert table.undo(0)
    assert tutorial.lesson(table.hand) == first
    table.play(next(move for move in table.hand.legal_moves if str(move) == "roll"))
    decide(tutorial, table)
    assert tutorial.lesson(table.hand) == second


def test_every_text_names_only_what_can_be_filled_in() -> None:
    known = {"other", "goal", "extension", *(f"d{card.value}" if card.value.isdigit() else card.value for card in Card)}
    for text in (*(text for step in STEPS for text in (step.lesson, step.nudge)), CLOSING):
        assert {name for _, name, _, _ in string.Formatter().parse(text) if name is not None} <= known


def test_its_other_seat_is_no_player_that_one_could_ask_for(tmp_path: Path) -> None:
    table = Tutorial(Words.of()).session(Preferences())
    SaveWriter().write(table.saved(), tmp_path / "save")
    with pytest.raises(Exception, match="tutorial"):
        GameSession(table.saved(), None, theme("english"), translator())
