"""A game that was killed and taken up again is the game that it would have been."""

import random
from pathlib import Path

import pytest

from millebornes.storage import SavedGame, read_save
from tests.screen.terminal import Terminal
from tests.screen.typist import Asked, Keys, asked, hand, wait_asked

pytestmark = pytest.mark.slow  # real terminals

HOUSE = ("--edition", "house", "--player", "human", "--player", "random", "--seed", "11")
SHARED = ("--seats", "4", "--player", "human", "--player", "basic", "--player", "human", "--seed", "5")


def _moves(game: SavedGame) -> list[list[str]]:
    return [[move.text for move in played.moves] for played in game.match.hands]


def _make(terminal: Terminal, number: int) -> None:
    """The move that a fixed recipe makes of what is seen."""
    what = wait_asked(terminal)
    keys = Keys(terminal, random.Random(number))
    if what is not Asked.TURN:
        keys.answer(what, bool(number % 2) and "You don't hold" not in terminal.text)
        return
    cards = hand(terminal)
    usable = [card for card in cards if cards[card][2]]
    chosen = usable or list(cards)
    keys.move(chosen[number % len(chosen)], bool(usable))


def _played(
    home: Path, options: tuple[str, ...], kill: random.Random | None, moves: int
) -> tuple[SavedGame, list[str]]:
    """Play by the recipe, with accidents or without; the game, and the last rows of the table.

    Ends with the hand, or when somebody is to move after so many moves. Accidents happen at any time: while a card is
    being chosen, and right after a move has been asked for.
    """
    terminal = Terminal(home, *options)
    rows: list[str] = []
    kills = 0
    try:
        while (what := wait_asked(terminal)) is not Asked.HAND:
            number = len(read_save(terminal.autosave).match.hand.moves)
            if number >= moves and what is Asked.TURN:
                break
            if kill is not None and kill.random() < 0.25:
                if kill.random() < 0.5:
                    terminal.press(*kill.choice(["u", "d1", "1", "?", "q", "h"]))
                terminal.pump(kill.random() * 0.1)
                terminal.kill()
                kills += 1
                terminal = Terminal(home, str(terminal.autosave))
                wait_asked(terminal)
                assert len(read_save(terminal.autosave).match.hand.moves) == number
                continue
            if asked(terminal) is Asked.TURN:
                rows = terminal.rows[-8:-3]  # without the message, which tells of the draw only once
            _make(terminal, number)
        assert kill is None or kills > 2
        return read_save(terminal.autosave), rows
    finally:
        terminal.child.close(force=True)


@pytest.mark.once
@pytest.mark.parametrize(("options", "moves"), [(HOUSE, 24), (SHARED, 20)])
def test_a_killed_game_goes_on_as_it_would_have(tmp_path: Path, options: tuple[str, ...], moves: int) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    straight, table = _played(tmp_path / "a", options, None, moves)
    broken, same_table = _played(tmp_path / "b", options, random.Random(3), moves)
    assert straight.match.hand.is_over or len(straight.match.hand.moves) >= moves
    assert _moves(straight) == _moves(broken)
    assert table == same_table


def test_killed_while_a_move_is_being_made(tmp_path: Path) -> None:
    """At most the move in progress is lost; what is there can be gone on with."""
    rng = random.Random(4)
    options: tuple[str, ...] = HOUSE
    number = 0
    for milliseconds in (0, 8):
        with Terminal(tmp_path, *options) as terminal:
            wait_asked(terminal)
            before = _moves(read_save(terminal.autosave))
            assert sum(map(len, before)) >= number
            cards = hand(terminal)
            if wait_asked(terminal) is not Asked.TURN or not cards:
                terminal.press("n")
            else:
                terminal.press("d", rng.choice(list(cards)).lower(), "enter")
            terminal.pump(milliseconds / 1000)
            terminal.kill()
            after = _moves(read_save(terminal.autosave))
            assert [row[: len(old)] for row, old in zip(after, before, strict=True)] == before
            number = sum(map(len, after))
            options = (str(terminal.autosave),)


def test_the_start_screen_offers_to_go_on(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--player", "human", "--player", "basic", "--seed", "3") as terminal:
        wait_asked(terminal)
        for number in range(3):
            _make(terminal, number)
            wait_asked(terminal)
        terminal.settle()
        before, rows = read_save(terminal.autosave), terminal.rows[:-2]
        terminal.kill()
    with Terminal(tmp_path) as terminal:
        terminal.wait(r"Resume +You, Sam · basic")
        terminal.press("g")
        wait_asked(terminal)
        terminal.settle()
        assert _moves(read_save(terminal.autosave)) == _moves(before)
        assert terminal.rows[:-2] == rows  # the log tells what was played before, too
        assert any("You discard" in row or "You play" in row for row in rows), rows
