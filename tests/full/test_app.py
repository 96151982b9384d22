"""The app around the table: how games begin, are saved, and end; help, hints, practice, preferences."""

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widgets import Button, Input, Label

from millebornes.editions import Rules, make_rules
from millebornes.errors import MilleBornesError, SaveError
from millebornes.game import Action, Match, Move
from millebornes.storage import load_preferences, load_results, read_save, saves_folder, unfinished
from millebornes.table.setup import GameSetup
from millebornes.tui.common import hints
from millebornes.tui.full.screens.dialogs import AskName, Confirm, LeaveScreen
from millebornes.tui.full.screens.hint import HintScreen
from millebornes.tui.full.screens.input import Mode
from millebornes.tui.full.screens.sheet import SheetScreen
from millebornes.tui.full.screens.start import StartScreen
from millebornes.tui.full.screens.start_flow import MilleApp
from millebornes.tui.full.screens.table import TableScreen
from millebornes.tui.full.widgets.form import ChoiceRow
from millebornes.tui.plain import PlayOptions
from tests.full.hints import analysis_of, thought
from tests.full.playing import (
    asked,
    at_once,
    at_table,
    keys_for,
    make_move,
    mode_of,
    options,
    play,
    saved,
    screen_text,
    seated,
    simple_move,
    until,
)
from tests.session.test_saving import fill_disk

Steps = Callable[[Pilot[int], MilleApp], Awaitable[None]]


def run(steps: Steps, chosen: PlayOptions) -> MilleApp:
    """The whole app, from the first screen on."""

    async def whole() -> MilleApp:
        app = MilleApp(chosen)
        async with app.run_test() as pilot:
            await steps(pilot, app)
        return app

    return asyncio.run(whole())


async def shown(pilot: Pilot[int], kind: type) -> None:
    """Wait for a screen."""
    await until(pilot, lambda: isinstance(pilot.app.screen, kind))
    await pilot.pause()


def words(app: App[Any]) -> str:
    """What a dialogue says, however its lines are broken."""
    return " ".join(str(label.content) for label in app.screen.query(Label))


async def make_moves(pilot: Pilot[int], table: TableScreen, many: int) -> None:
    for _n in range(many):
        await make_move(pilot, table)


# ---------------------------------------------------------------------- beginning


def test_one_key_leads_from_the_start_screen_to_the_table() -> None:
    async def steps(pilot: Pilot[int], app: MilleApp) -> None:
        await shown(pilot, StartScreen)
        await pilot.press("enter")
        table = await seated(pilot)
        assert table.session.seats[0] == "human"
        assert mode_of(table) is Mode.TURN
        app.leave(0, "")

    at_once()
    app = run(steps, PlayOptions())
    assert app.return_value == 0
    assert load_preferences().last_game is not None


def test_leaving_the_start_screen_leaves_the_game() -> None:
    async def steps(pilot: Pilot[int], app: MilleApp) -> None:
        await shown(pilot, StartScreen)
        await pilot.press("q")
        await pilot.pause()

    assert run(steps, PlayOptions()).return_value == 0
    assert unfinished() is None


def test_an_unfinished_game_goes_on_from_the_start_screen() -> None:
    moves: list[Move] = []

    async def first(pilot: Pilot[int], table: TableScreen) -> None:
        await make_moves(pilot, table, 3)
        moves.extend(table.session.hand.moves)

    async def then(pilot: Pilot[int], app: MilleApp) -> None:
        await shown(pilot, StartScreen)
        await pilot.press("enter")
        table = await seated(pilot)
        assert list(table.session.hand.moves) == moves
        assert "Hand 1. You begin." in table.log_view.lines
        assert len(table.log_view.lines) > 2
        app.leave(0, "")

    at_once()
    play(first, options(["human", "basic"]))
    run(then, PlayOptions())


@pytest.mark.parametrize("end", ["ready", "left", "failed"])
def test_a_computer_player_gets_ready_before_the_first_game_with_it(monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    done = threading.Event()

    def prepare_players(
        seats: Sequence[str], rules: Rules, match_target: int | None, begins: Callable[[], None]
    ) -> tuple[str, ...]:
        begins()
        done.wait()
        if end == "failed":
            raise MilleBornesError("no room for kernels")
        return ("champion",)

    async def steps(pilot: Pilot[int], app: MilleApp) -> None:
        await until(pilot, lambda: "Preparing the computer player" in screen_text(app))
        assert app.table is None
        if end == "left":
            await pilot.press("ctrl+c")
        done.set()
        if end == "ready":
            await seated(pilot)
            assert app.trouble.endswith("this computer player plays a simpler game: champion.")
            app.leave(0, "")
        await until(pilot, lambda: app.is_leaving)

    monkeypatch.setattr("millebornes.players.preparation.unprepared", lambda seats: ("champion",))
    monkeypatch.setattr("millebornes.players.preparation.prepare_players", prepare_players)
    app = run(steps, options(["human", "champion"]))
    assert (app.return_value, str(app.failure)) == ((1, "no room for kernels") if end == "failed" else (0, "None"))


def test_a_mistyped_save_begins_nothing(tmp_path: Path) -> None:
    async def steps(pilot: Pilot[int], app: MilleApp) -> None:
        await shown(pilot, Confirm)
        assert "There's no file" in screen_text(app)
        await pilot.press("n")
        await pilot.pause()

    app = run(steps, PlayOptions(save=tmp_path / "none.jsonl"))
    assert isinstance(app.failure, SaveError)
    assert "there is no such file" in str(app.failure)


def test_a_damaged_save_is_told_in_words(tmp_path: Path) -> None:
    async def steps(pilot: Pilot[int], app: MilleApp) -> None:
        await until(pilot, lambda: app.failure is not None)

    path = tmp_path / "bad.jsonl"
    path.write_text("{}\n")
    assert "a saved game" in str(run(steps, PlayOptions(save=path)).failure)


def test_damaged_preferences_are_told_at_the_table(home: Path) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        assert any("preferences are damaged" in note.message for note in table.app._notifications)
        await pilot.press("o")
        await pilot.pause()
        assert table.session.preferences.sort

    (home / "config").mkdir()
    (home / "config" / "preferences.json").write_text("[")
    play(steps, options(["human", "basic"]))
    assert (home / "config" / "preferences.json").read_text() == "["


def test_the_tutorial_can_be_begun_and_left() -> None:
    async def steps(pilot: Pilot[int], app: MilleApp) -> None:
        await until(pilot, lambda: app.table is not None and app.screen is app.table)
        await until(pilot, lambda: "Lesson" in screen_text(app))
        await pilot.press("q")
        await shown(pilot, Confirm)
        await pilot.press("y")
        await shown(pilot, StartScreen)
        await pilot.press("q")
        await pilot.pause()

    at_once()
    assert run(steps, PlayOptions(tutorial=True)).return_value == 0


# ---------------------------------------------------------------------- saving and leaving


def test_save_and_quit(tmp_path: Path) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        app = table.mille
        await make_moves(pilot, table, 2)
        await pilot.press("s")
        await shown(pilot, AskName)
        assert app.screen.query_one(Input).value == "millebornes.jsonl"
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is table)
        assert table.message.text == "Not saved."
        await pilot.press("s")
        await shown(pilot, AskName)
        app.screen.query_one(Input).value = str(tmp_path / "nowhere" / "x.jsonl")
        await pilot.press("enter")
        await shown(pilot, AskName)
        await until(pilot, lambda: "Not saved: the folder does not exist." in screen_text(app))
        app.screen.query_one(Input).value = str(tmp_path / "x.jsonl")
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is table)
        assert "Saved in" in table.message.text
        assert read_save(tmp_path / "x.jsonl").match.hand.moves == table.session.hand.moves
        await pilot.press("s")
        await shown(pilot, Confirm)
        assert "Save to the same file" in screen_text(app)
        await pilot.press("y")
        await until(pilot, lambda: app.screen is table)
        await pilot.press("delete")
        await shown(pilot, LeaveScreen)
        await pilot.press("n")
        await until(pilot, lambda: app.screen is table)
        await make_moves(pilot, table, 1)
        await pilot.press("q")
        await shown(pilot, LeaveScreen)
        assert "Quit? Your game is saved in" in words(app)
        assert "To resume it, type: millebornes play" in words(app)
        await pilot.press("enter")
        await until(pilot, lambda: app.is_leaving)
        assert read_save(tmp_path / "x.jsonl").match.hand.moves == table.session.hand.moves

    at_once()
    app = play(steps, options(["human", "basic"]))
    assert app.return_value == 0
    assert app.farewell.endswith(f"To resume it: millebornes play {tmp_path / 'x.jsonl'}")
    assert unfinished() is None


@pytest.mark.parametrize(("keys", "kept"), [(["enter"], True), (["y"], True), (["d", "y"], False)])
def test_quitting_keeps_the_game_unless_it_is_to_be_deleted(keys: list[str], kept: bool) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        await make_moves(pilot, table, 1)
        for stay in ("n", "escape", *keys):
            await until(pilot, lambda: not table.is_busy or isinstance(table.app.screen, Confirm))
            if not isinstance(table.app.screen, LeaveScreen | Confirm):
                await pilot.press("q")
                await shown(pilot, LeaveScreen)
                assert "Your game is saved. To resume it, type: millebornes play" in words(table.app)
            await pilot.press(stay)
            if stay == "d":
                await shown(pilot, Confirm)
                assert "Delete this game? You can't get it back." in screen_text(table.app)
                await pilot.press("n")
                await shown(pilot, LeaveScreen)
                await pilot.press("d")
                await shown(pilot, Confirm)
        await until(pilot, lambda: table.mille.is_leaving)

    at_once()
    app = play(steps, options(["human", "basic"]))
    assert app.return_value == 0
    assert app.farewell.endswith("To resume it: millebornes play") is kept
    slot = unfinished()
    assert (slot is not None) is kept
    if slot is not None:
        slot.release()


def test_quitting_before_the_first_move_keeps_nothing() -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        await pilot.press("q")
        await shown(pilot, LeaveScreen)
        assert "There's nothing to save yet" in words(table.app)
        await pilot.press("d", "s")  # there is nothing to delete or to save
        assert isinstance(table.app.screen, LeaveScreen)
        await pilot.press("enter")
        await until(pilot, lambda: table.mille.is_leaving)

    at_once()
    app = play(steps, options(["human", "basic"]))
    assert (app.return_value, app.farewell) == (0, "")
    assert not list(saves_folder().glob("*.jsonl"))


def test_a_game_that_cannot_keep_itself_is_saved_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        await make_moves(pilot, table, 1)
        fill_disk(monkeypatch, tmp_path / "data")
        await pilot.press("q")
        await shown(pilot, LeaveScreen)
        assert "Not saved: the disk is full." in words(table.app)
        assert "The game is kept" not in words(table.app)
        dialogue = table.app.screen
        await pilot.press("enter")  # tries again
        await until(pilot, lambda: table.app.screen is not dialogue and isinstance(table.app.screen, LeaveScreen))
        assert "Not saved: the disk is full." in words(table.app)
        await pilot.press("s")
        await shown(pilot, AskName)
        table.app.screen.query_one(Input).value = str(tmp_path / "x y.jsonl")
        await pilot.press("enter")
        await until(pilot, lambda: table.mille.is_leaving)

    at_once()
    app = play(steps, options(["human", "basic"]))
    assert app.farewell.endswith(f"millebornes play '{tmp_path / 'x y.jsonl'}'")
    assert read_save(tmp_path / "x y.jsonl").match.hand.moves


def test_a_button_of_the_quit_dialogue_works_even_if_the_game_begins_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        given: list[str | None] = []
        screen = LeaveScreen(table.saver, table._)
        table.app.push_screen(screen, given.append)
        await shown(pilot, LeaveScreen)
        monkeypatch.setattr(type(table.saver), "ways_out", ("save", "delete", "stay"))
        await pilot.press("enter")
        await until(pilot, lambda: given)
        assert given == ["leave"]

    at_once()
    play(steps, options(["human", "basic"]))


def test_who_does_not_leave_after_a_hand_plays_on(tmp_path: Path) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        while not isinstance(table.app.screen, SheetScreen):
            await make_moves(pilot, table, 1)
        await pilot.press("n")
        await shown(pilot, LeaveScreen)
        await pilot.press("s")
        await until(pilot, lambda: "same file" in screen_text(table.app))
        await pilot.press("n")
        await shown(pilot, AskName)
        await pilot.press("escape")
        await shown(pilot, LeaveScreen)
        await pilot.press("n")
        await until(pilot, lambda: table.app.screen is table)
        await asked(pilot, table)
        assert table.session.match.hand_number == 2
        assert len(load_results().hands) == 1

    at_once()
    rules = make_rules("classic", 2, 2)
    match = Match.start(rules, 11, players=("You", "random"))
    while len(match.hand.deck) - match.hand.draw_pile < 95:
        legal = match.hand.legal_moves
        match = match.play(next((move for move in legal if str(move).startswith("-")), legal[0]))
    play(steps, saved(match, ["human", "random"], tmp_path))


BOT = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "quitter"}), flush=True)
    elif message["type"] == "choose":
        sys.exit(3)
"""


def test_a_program_that_breaks_off_loses_the_match(tmp_path: Path) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        await make_moves(pilot, table, 1)
        assert isinstance(table.app.screen, SheetScreen)
        text = screen_text(table.app)
        assert "forfeits the match" in text
        assert "You win the match." in text
        assert load_results().matches[0].loser == 1
        await pilot.press("y")
        await until(pilot, lambda: table.session.number == 2)
        assert table.session.games[1] == 0

    at_once()
    program = tmp_path / "quitter.py"
    program.write_text(BOT)
    play(steps, options(["human", f"cmd:{sys.executable} {program}"]))


# ---------------------------------------------------------------------- help


def test_a_command_is_found_in_the_palette() -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        await pilot.press("ctrl+p")
        await shown(pilot, CommandPalette)
        await pilot.press(*"sorted")
        await until(pilot, lambda: "Keep your hand" in screen_text(table.app))
        await pilot.pause(0.3)
        await pilot.press("enter")
        await until(pilot, lambda: table.session.preferences.sort)

    at_once()
    play(steps, options(["human", "basic"]))
    assert load_preferences().sort


@pytest.fixture
def quick_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints with given figures; `tests/plain/test_commands.py` thinks in earnest."""
    monkeypatch.setattr(hints, "seen_by", lambda match, seat: match.view(seat))
    monkeypatch.setattr(hints, "thoughts", lambda view: thought(analysis_of(view)))


@pytest.mark.usefixtures("quick_hints")
@at_table()
async def test_a_hint_can_be_played(pilot: Pilot[int], table: TableScreen) -> None:
    await pilot.press("h")
    await shown(pilot, HintScreen)
    screen = table.app.screen
    assert isinstance(screen, HintScreen)
    await until(pilot, lambda: screen.analysis is not None)
    await pilot.press("enter")
    await until(pilot, lambda: table.session.hand.ply > 0)
    assert table.session.hand.at(1).move == screen.moves[0]
    assert table.session.hints == table.session.hand_hints == [1, 0]


@pytest.mark.usefixtures("quick_hints")
@at_table()
async def test_a_hint_stays_marked_on_its_card(pilot: Pilot[int], table: TableScreen) -> None:
    assert "★" not in screen_text(table.app)
    await pilot.press("h")
    await shown(pilot, HintScreen)
    screen = table.app.screen
    assert isinstance(screen, HintScreen)
    await until(pilot, lambda: screen.is_advised)
    await pilot.press("escape")
    await until(pilot, lambda: table.app.screen is table and "★" in screen_text(table.app))
    best = screen.moves[0].card
    assert best is not None
    place = table.session.slots[0].place_of(best)
    other = 1 if place != 1 else 2
    await pilot.press(str(other))
    await until(pilot, lambda: f"▶{other}◀" in screen_text(table.app))
    assert screen_text(table.app).count("★") == 1  # the chosen card and the hint's card look different
    await pilot.press("d", "enter")
    await until(pilot, lambda: table.session.hand.ply > 0)
    await asked(pilot, table)
    assert "★" not in screen_text(table.app)


@at_table("human", "basic", practice=True)
async def test_in_practice_moves_are_taken_back_and_cards_counted(pilot: Pilot[int], table: TableScreen) -> None:
    await pilot.press("z")
    assert "no move" in table.message.text
    hand = table.session.hand
    await make_moves(pilot, table, 1)
    await pilot.press("z")
    await until(pilot, lambda: table.session.hand == hand)
    await asked(pilot, table)
    assert mode_of(table) is Mode.TURN
    await pilot.press("c")
    assert "Unseen cards" in screen_text(table.app)
    await pilot.press("c")
    assert "Unseen cards" not in screen_text(table.app)


@at_table("human", "basic", "basic", sides=3, prefer={"pace": 10.0})
async def test_other_seats_move_at_the_pace_that_is_wanted(pilot: Pilot[int], table: TableScreen) -> None:
    await pilot.press(*keys_for(simple_move(table), table))
    await pilot.pause(0.3)
    assert mode_of(table) is Mode.WATCH, "the others are held up"
    assert "basic" not in " ".join(table.log_view.lines[-1:])
    await pilot.press("x")
    await pilot.pause(0.1)
    await pilot.press("enter", "enter", "enter")
    await asked(pilot, table)


def test_a_game_begun_by_options_is_what_the_start_screen_offers_next() -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        await pilot.press("o")  # other preferences are kept without losing it
        await until(pilot, lambda: load_preferences().sort)

    at_once()
    play(steps, options(["human", "maxims", "random"], names=("Ann",), match_target=700))
    setup = GameSetup.from_dict(load_preferences().last_game)
    assert (setup.edition, setup.places, setup.names, setup.match_target) == (
        "classic",
        ("human", "maxims", "random"),
        ("Ann", "", ""),
        700,
    )


def test_what_the_command_line_asks_for_is_chosen_on_the_start_screen() -> None:
    async def steps(pilot: Pilot[int], app: MilleApp) -> None:
        await until(pilot, lambda: isinstance(app.screen, StartScreen) and app.screen.query("#name-0"))
        assert app.screen.query_one("#row-practice", ChoiceRow).value is True
        assert app.screen.query_one("#name-0", Input).value == "Zoë"
        app.screen.query_one("#play", Button).press()
        await until(pilot, lambda: app.table)
        assert app.table is not None
        assert (app.table.session.seed, app.table.session.practice) == ("42", True)
        app._end_now()
        await until(pilot, lambda: app.is_leaving)

    at_once()
    run(steps, PlayOptions(names=("Zoë",), seed="42", practice=True))


def _moved_by_sorting(table: TableScreen) -> int:
    """A place whose card another one takes when the hand is put in order."""
    cards = [card for card in table.input.slots.cards if card is not None]
    ordered = sorted(cards, key=lambda card: card.index)
    return next(place for place, (card, other) in enumerate(zip(cards, ordered, strict=True), 1) if card is not other)


@at_table("human", "random")
async def test_a_selected_card_stays_selected_when_the_hand_is_sorted(pilot: Pilot[int], table: TableScreen) -> None:
    place = _moved_by_sorting(table)
    card = table.input.slots.card_at(place)
    await pilot.press("d", str(place), "o")
    await until(pilot, lambda: table.session.preferences.sort)
    assert table.input.place is not None
    assert table.input.place != place
    assert table.input.slots.card_at(table.input.place) is card
    await pilot.press("enter")
    await until(pilot, lambda: table.session.hand.ply)
    assert table.session.hand.at(1).move == Move(Action.DISCARD, card)


@at_table("human", "random")
async def test_sorting_right_after_a_decision_loses_the_card_that_was_meant(
    pilot: Pilot[int], table: TableScreen
) -> None:
    place = _moved_by_sorting(table)
    card = table.input.slots.card_at(place)
    left = sorted(card.index for card in table.input.slots.cards if card is not None)
    table.input.decide(Action.DISCARD, place)
    table.mille.prefer(table.mille._, sort=True)  # before the game goes on with the decision
    await until(pilot, lambda: table.session.hand.ply)
    assert card is not None
    assert table.session.hand.at(1).move == Move(Action.DISCARD, card)
    left.remove(card.index)
    now = [card.index for card in table.session.slots[0].cards if card is not None]
    assert now[: len(left)] == left
