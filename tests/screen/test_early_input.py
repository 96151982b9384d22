"""Keys and clicks that come faster than the screen can follow."""

from pathlib import Path

import pytest

from millebornes.editions import make_rules
from millebornes.game import Match
from millebornes.storage import SavedGame, SaveWriter
from tests.screen.terminal import Terminal
from tests.screen.typist import Asked, asked, hand, wait_asked

pytestmark = pytest.mark.slow  # real terminals

ALONE = ("--player", "human", "--player", "basic", "--seed", "11")


def _wait_gone(terminal: Terminal, seen: str) -> None:
    terminal.wait(lambda: asked(terminal) is Asked.TURN and terminal.find(seen) is None)


def test_a_dialogue_that_is_clicked_twice_takes_nothing_else_away(tmp_path: Path) -> None:
    with Terminal(tmp_path, *ALONE) as terminal:
        wait_asked(terminal)
        for key, seen, where, clicks in (
            ("q", r"Quit\?", r"No, keep playing", 5),
            ("?", r"─ Keys ─", r"Close", 2),
            ("t", r"Hand 1: the score", r"Close", 5),
            ("ctrl+p", r"Search", None, 2),
        ):
            terminal.press(key)
            terminal.wait(seen)
            terminal.settle()
            place = (0, terminal.size[1] - 1) if where is None else terminal.find(where)
            assert place is not None, terminal.text
            x, y = place
            terminal.send(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m" * clicks)
            _wait_gone(terminal, seen)
            terminal.settle(0.3)
            assert wait_asked(terminal) is Asked.TURN


@pytest.mark.once
def test_keys_typed_ahead_open_one_dialogue(tmp_path: Path) -> None:
    """And neither answer it by accident nor move a card."""
    with Terminal(tmp_path, *ALONE) as terminal:
        wait_asked(terminal)
        kept = terminal.autosave.read_bytes()
        for ahead in ("qqqttq", "qtdu1\r", "tqtq", "sqs", "?q?", "hq"):
            terminal.send(ahead)
            for _ in range(2):
                terminal.settle(0.7)
                terminal.press("escape")
            terminal.settle(0.7)  # what followed an escape at once would be its letter
            _wait_gone(terminal, r"Quit\?|the score|File name|─ Keys ─|─ A hint")
            terminal.press("d")
            terminal.wait(r"Discard which card\?")
            terminal.press("escape")
            _wait_gone(terminal, r"Discard which card\?")
            assert terminal.autosave.read_bytes() == kept, ahead
        assert b"Traceback" not in terminal.sent


HELD_TRIES = 3
"""How often a key is held down before a test of it fails: a machine that stands still between two presses has let it
go."""


@pytest.mark.once
def test_enter_held_down_does_not_leave_the_score_sheet(tmp_path: Path) -> None:
    """From the last moves of a match on, as fast as a keyboard repeats."""
    rules = make_rules("classic", 2, 2)
    match = Match.start(rules, 11, players=("You", "random"), match_target=25)
    while len(match.hand.deck) - match.hand.draw_pile < 100:
        plays = [move for move in match.hand.legal_moves if not str(move).startswith("-")]
        match = match.play((plays or list(match.hand.legal_moves))[0])
    rows = tuple(tuple(card.value for card in cards) for cards in match.hand.hands)
    game = SavedGame(match=match, seats=("human", "random"), seed="seed", games=(0, 0), slots=rows)
    assert any(_stays_at_the_score_sheet(game, tmp_path / str(n)) for n in range(HELD_TRIES))


def _stays_at_the_score_sheet(game: SavedGame, folder: Path) -> bool:
    folder.mkdir()
    SaveWriter().write(game, folder / "game.jsonl")
    with Terminal(folder, str(folder / "game.jsonl")) as terminal:
        wait_asked(terminal)
        while not terminal.find(r"Another game\?"):
            terminal.wait(lambda: asked(terminal) is Asked.TURN or terminal.find(r"Another game\?"))
            terminal.press("d", *list(hand(terminal))[:1])
            for _ in range(12):
                terminal.press("enter")
                terminal.pump(0.03)
        for _ in range(60):
            terminal.press("enter")
            terminal.pump(0.03)
        terminal.settle()
        if not terminal.find(r"Another game\?"):
            return False
        terminal.settle(0.6)
        terminal.press("enter")
        _wait_gone(terminal, r"Another game\?")
        return True


def test_a_window_that_is_too_small_says_so(tmp_path: Path) -> None:
    with Terminal(tmp_path, *ALONE) as terminal:
        wait_asked(terminal)
        kept = terminal.autosave.read_bytes()
        terminal.resize(20, 6)
        terminal.wait(r"too\s+small")
        assert "20×6" in terminal.text
        terminal.press("d", "1", "enter", "q", "y")
        terminal.settle()
        terminal.resize(80, 24)
        wait_asked(terminal)
        assert terminal.autosave.read_bytes() == kept
        terminal.press("ctrl+c")
        terminal.wait(r"Quit\?")
