"""The score sheet in a real terminal: it stands still from the first, and nothing is lost while it is shown."""

import random
import signal
from pathlib import Path

import pytest

from millebornes.editions import edition
from millebornes.game import Match, Phase
from millebornes.storage import SavedGame, SaveWriter, load_results, read_save
from tests.screen.terminal import Terminal
from tests.screen.typist import Asked, asked, hand, wait_asked

pytestmark = pytest.mark.slow  # real terminals
ONCE = pytest.mark.once


def _before_the_end(folder: Path) -> Path:
    """A saved game in which the next move, whatever it is, ends the hand; the person is to make it."""
    rng = random.Random(1)
    rules = edition("classic").rules(2, 2, {})
    while True:
        match = before = Match.start(rules, str(rng.random()), players=("You", "basic"), match_target=5000)
        while not match.hand.is_over:
            before, match = match, match.play(rng.choice(list(match.hand.legal_moves)))
        if before.hand.seat == 0 and before.hand.phase is Phase.PLAY and len(before.hand.cards(0)) == 1:
            break
    slots = (tuple(card.value for card in before.hand.cards(0)), ())
    game = SavedGame(match=before, seats=("human", "basic"), seed="seed", games=(0, 0), slots=slots)
    SaveWriter().write(game, folder / "game.jsonl")
    return folder / "game.jsonl"


def _end_the_hand(terminal: Terminal) -> None:
    wait_asked(terminal)
    terminal.settle()
    (card,) = hand(terminal)
    terminal.press("d")
    terminal.wait(r"Discard which card\?")
    terminal.press(card.lower())
    terminal.wait(r"Discard card")
    terminal.press("enter")


@pytest.mark.parametrize("size", [(61, 14), pytest.param((80, 24), marks=ONCE)])
def test_a_click_on_the_sheet_as_soon_as_it_is_there(tmp_path: Path, size: tuple[int, int]) -> None:
    with Terminal(tmp_path, str(_before_the_end(tmp_path)), size=size) as terminal:
        _end_the_hand(terminal)
        terminal.wait(r"(?<=  )Yes ")
        place = terminal.find(r"(?<=  )Yes ")
        assert place is not None
        terminal.click(*place)
        terminal.wait(lambda: asked(terminal) in {Asked.TURN, Asked.COUP})
        assert read_save(terminal.autosave).match.hand_number == 2


@pytest.mark.parametrize("size", [(80, 17), pytest.param((120, 40), marks=ONCE)])
def test_the_sheet_stands_still(tmp_path: Path, size: tuple[int, int]) -> None:
    with Terminal(tmp_path, str(_before_the_end(tmp_path)), size=size) as terminal:
        _end_the_hand(terminal)
        terminal.wait(r"(?<=  )Yes ")
        places = {terminal.find(r"(?<=  )Yes ")}
        while terminal.pump(0.3):
            places.add(terminal.find(r"(?<=  )Yes "))
        assert len(places) == 1


@pytest.mark.parametrize("end", [pytest.param("signal", marks=ONCE), pytest.param("terminal", marks=ONCE), "kill"])
def test_the_terminal_goes_away_from_the_sheet(tmp_path: Path, end: str) -> None:
    """The hand that was played, and what is kept of it for the statistics, are there once when one goes on."""
    with Terminal(tmp_path, str(_before_the_end(tmp_path))) as terminal:
        _end_the_hand(terminal)
        assert wait_asked(terminal) is Asked.HAND
        terminal.settle()
        sheet, kept = terminal.find(r"Hand Total"), load_results()
        assert sheet is not None
        row = terminal.rows[sheet[1]]
        assert len(kept.hands) == 1
        if end == "kill":
            terminal.kill()
        elif end == "signal":
            terminal.child.kill(signal.SIGHUP)
            assert terminal.left_behind()[0] == 0
        else:
            terminal.hang_up()
            assert terminal.ends_alone() is not None
    again = terminal.autosave if end == "kill" else tmp_path / "game.jsonl"
    with Terminal(tmp_path, str(again)) as terminal:
        assert wait_asked(terminal) is Asked.HAND
        terminal.settle()
        sheet = terminal.find(r"Hand Total")
        assert sheet is not None
        assert terminal.rows[sheet[1]] == row
        assert load_results() == kept
        terminal.press("y")
        terminal.wait(lambda: asked(terminal) in {Asked.TURN, Asked.COUP})
        assert read_save(terminal.autosave).match.hand_number == 2
