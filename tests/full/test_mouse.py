"""A hand with the mouse alone: clicks on cards, piles, sides and choices."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from millebornes.cards import HAZARDS, Card
from millebornes.editions import make_rules
from millebornes.game import Action, Match, Move
from millebornes.tui.full.screens.dialogs import LeaveScreen, Reader
from millebornes.tui.full.screens.input import Mode
from millebornes.tui.full.screens.sheet import SheetScreen
from millebornes.tui.full.screens.start_flow import MilleApp
from millebornes.tui.full.screens.table import TableScreen
from tests.full.playing import asked, at_once, at_table, mode_of, options, play, saved, simple_move, until
from tests.plain.inside import deck_of

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it


async def by_mouse(pilot: Pilot[int], table: TableScreen, move: Move) -> None:
    """Make a move with the mouse."""
    if move.action in {Action.COUP, Action.EXTEND, Action.PASS, Action.FINISH}:
        await pilot.click("#choices", offset=(3 if move.action in {Action.COUP, Action.EXTEND} else 36, 0))
        return
    assert move.card is not None
    card = f"#card-{table.input.slots.place_of(move.card)}"
    if move.action is Action.DISCARD:
        pile = "#discard-pile"
    elif move.card in HAZARDS:
        pile = f"#side-{(move.target or 0) + 1}"
    else:
        pile = f"#side-{table.controller.view.side + 1}"
    await pilot.click(card)
    assert table.input.place == table.input.slots.place_of(move.card)
    await pilot.click(pile, offset=(4, 1))


@at_table()
async def test_a_hand_is_played_with_the_mouse_alone(pilot: Pilot[int], table: TableScreen) -> None:
    for _n in range(300):
        if isinstance(table.app.screen, SheetScreen):
            break
        before, move = table.session.hand, simple_move(table)
        if mode_of(table) is Mode.TURN:
            await by_mouse(pilot, table, move)
        else:
            await pilot.press("y")
        await until(pilot, lambda hand=before: table.session.hand is not hand or table.message.has_class("-error"))  # type: ignore[misc]
        assert table.session.hand is not before, (str(move), table.message.text)
        await asked(pilot, table)
    await pilot.click("#yes")
    await until(pilot, lambda: table.app.screen is table)
    await asked(pilot, table)
    assert table.session.match.hand_number == 2


@at_table()
async def test_what_cannot_lie_somewhere_is_refused(pilot: Pilot[int], table: TableScreen) -> None:
    before = table.session.hand
    place = next(n for n, card in enumerate(table.input.slots.cards, 1) if card is not None and card not in HAZARDS)
    click(table, f"#card-{place}")
    await until(pilot, lambda: table.input.place == place)
    for part in ("#window", "#side-2"):
        click(table, part)
        await quiet(pilot, table)
        assert table.session.hand is before
    assert table.message.text == "Only hazards can be played on a side."
    await pilot.click("#card-1", button=3)
    await asked(pilot, table)
    assert str(table.session.hand.at(1).move).startswith("-")


@at_table()
async def test_choices_can_be_clicked(pilot: Pilot[int], table: TableScreen) -> None:
    await pilot.click("#choices", offset=(2, 0))
    assert table.input.verb is Action.PLAY
    await pilot.press("escape")
    await pilot.click("#card-2")
    await pilot.click("#card-2")
    await pilot.pause()
    assert table.session.hand.ply > 0 or table.message.has_class("-error")


def report(table: TableScreen, kind: type[events.MouseEvent], place: tuple[int, int], button: int = 1) -> None:
    """A report of the mouse as the terminal sends it; nothing waits until it has been understood."""
    x, y = place
    table.app.post_message(kind(None, x, y, 0, 0, button, False, False, False, screen_x=x, screen_y=y))


def middle(table: TableScreen, part: str) -> tuple[int, int]:
    x, y, width, height = table.query_one(part).region
    return x + min(5, width - 1), y + height // 2


def press(table: TableScreen, part: str, button: int = 1) -> None:
    report(table, events.MouseDown, middle(table, part), button)


def let_go(table: TableScreen, part: str, button: int = 1) -> None:
    report(table, events.MouseUp, middle(table, part), button)


def click(table: TableScreen, part: str) -> None:
    press(table, part)
    let_go(table, part)


async def meanwhile(condition: Callable[[], object]) -> None:
    """Wait until something is so while a widget is kept busy, for which `until` would wait."""
    async with asyncio.timeout(300):
        while not condition():
            await asyncio.sleep(0.01)


async def quiet(pilot: Pilot[int], table: TableScreen) -> None:
    """Wait until everything that was sent has been understood."""
    done = asyncio.Event()
    table.app.call_later(lambda: table.call_later(done.set))
    await until(pilot, done.is_set)
    await pilot.pause()


@at_table()
async def test_a_press_means_the_card_that_was_painted(pilot: Pilot[int], table: TableScreen) -> None:
    cards, before = table.input.slots.cards, table.session.hand
    other = next(n for n, card in enumerate(cards) if card is not cards[0])
    with table.app.batch_update():  # the next frame is late
        cards[0], cards[other] = cards[other], cards[0]
        table.redraw(True)
        click(table, "#card-1")
        await until(pilot, lambda: table.message.has_class("-error"))
        assert "have changed" in table.message.text
    await pilot.pause()
    press(table, "#card-1")  # painted now, but another card comes before the button goes up
    await quiet(pilot, table)
    cards[0], cards[other] = cards[other], cards[0]
    table.redraw(True)
    table.say("")
    let_go(table, "#card-1")
    await until(pilot, lambda: table.message.has_class("-error"))
    assert table.session.hand is before
    assert table.input.place is None
    await until(pilot, lambda: table.card_views[0].seen == table.card_views[0].face)
    click(table, "#card-1")
    await until(pilot, lambda: table.input.place == 1)


@at_table()
async def test_a_question_and_its_cards_are_painted_in_one_frame(pilot: Pilot[int], table: TableScreen) -> None:
    cards = table.input.slots.cards
    frames: list[bool] = []
    paint = table._compositor_refresh

    def watch() -> None:
        paint()
        lines = table._compositor.render_strips()
        shown = "\n".join("".join(segment.text for segment in line) for line in lines)
        frames.append("A new question" in shown and table.card_views[0].seen == table.card_views[0].face)

    await pilot.pause()
    busy = asyncio.Event()
    table.card_views[0].call_later(busy.wait)  # as on a busy machine
    other = next(n for n, card in enumerate(cards) if card is not cards[0])
    cards[0], cards[other] = cards[other], cards[0]
    table._compositor_refresh = watch  # type: ignore[method-assign]
    table.redraw(True)
    table.say("A new question")
    try:
        await meanwhile(lambda: bool(frames))
    finally:
        busy.set()
    assert frames[0]
    label = table.card_views[0].region
    rows = table._compositor.render_strips()[label.y : label.bottom]
    drawn = [strip.crop(label.x, label.right).text for strip in rows]
    fresh = table.card_views[0]._drawn()
    assert fresh is not None
    assert drawn == [fresh.strip(y, table.card_views[0].rich_style).text for y in range(label.height)]


@at_table()
async def test_a_dialogue_between_press_and_release_takes_the_mouse(pilot: Pilot[int], table: TableScreen) -> None:
    before = table.session.hand
    press(table, "#card-1")
    await quiet(pilot, table)
    await pilot.press("q")
    await until(pilot, lambda: isinstance(table.app.screen, LeaveScreen) and table.app.screen.is_mounted)
    let_go(table, "#card-1")
    await pilot.pause()
    assert await pilot.click("#stay")
    await until(pilot, lambda: table.app.screen is table)
    let_go(table, "#card-1")
    await quiet(pilot, table)
    assert table.session.hand is before
    assert table.input.place is None


def test_the_second_half_of_a_double_click_is_not_for_the_table_below(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        app, place = table.app, middle(table, "#card-1")
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, Reader))
        for kind in (events.MouseDown, events.MouseUp):  # it closes while the mouse is over the card
            report(table, kind, place)
        await until(pilot, lambda: app.mouse_position == place)
        app.screen.dismiss(None)
        await until(pilot, lambda: app.screen is table)
        for kind in (events.MouseDown, events.MouseUp):
            report(table, kind, place)
        await quiet(pilot, table)
        assert table.input.place is None
        monkeypatch.setattr(app, "CLICK_CHAIN_TIME_THRESHOLD", 0.0)  # a click that comes later counts
        click(table, "#card-1")
        await until(pilot, lambda: table.input.place == 1)

    at_once()
    monkeypatch.setattr(MilleApp, "CLICK_CHAIN_TIME_THRESHOLD", 300.0)
    play(steps, options(["human", "basic"]))


@pytest.mark.parametrize("end", ["#discard-pile", "#side-1", "#card-2"])
def test_a_card_is_not_clicked_if_the_mouse_is_let_go_elsewhere(end: str) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        before = table.session.hand
        press(table, "#card-1")
        report(table, events.MouseMove, middle(table, end))
        let_go(table, end)
        await quiet(pilot, table)
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        let_go(table, end)
        await quiet(pilot, table)
        assert table.session.hand is before
        assert table.input.place is None
        assert not table.message.has_class("-error")

    at_once()
    play(steps, options(["human", "basic"]))


@pytest.mark.parametrize("one_key", [False, True])
@pytest.mark.parametrize("verb", ["", "u", "d"])
def test_one_click_only_marks_a_card_and_the_second_plays_it(one_key: bool, verb: str) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        before = table.session.hand
        move = simple_move(table)
        assert move.card is not None
        place = table.input.slots.place_of(move.card)
        if verb:
            await pilot.press(verb)
        click(table, f"#card-{place}")
        await quiet(pilot, table)
        assert table.session.hand is before
        assert table.input.place == place
        assert table.card_views[(place or 0) - 1].selected
        click(table, f"#card-{place}")
        await until(pilot, lambda: table.session.hand is not before)
        assert str(table.session.hand.at(1).move).startswith("-") is (verb == "d" or move.action is Action.DISCARD)

    at_once(one_key=one_key)
    play(steps, options(["human", "basic"]))


def test_a_card_is_no_answer_to_the_question_which_side(tmp_path: Path) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        before = table.session.hand
        place = table.input.slots.place_of(Card.SPEED_LIMIT)
        await pilot.press("u", str(place), "enter")
        await until(pilot, lambda: mode_of(table) is Mode.TARGET)
        click(table, "#card-2")
        await quiet(pilot, table)
        assert table.session.hand is before
        assert (mode_of(table), table.input.place) == (Mode.TURN, 2)

    at_once()
    rules = make_rules("classic", 3, 3)
    deck = deck_of(rules, {0: "speed_limit roll 100 100 100 100", 1: "25 25 50 50 75 75", 2: "25 25 50 50 75 100"})
    match = Match.start(rules, deck=deck, players=("Ann", "Bo", "Cy"))
    play(steps, saved(match, ["human", "random", "random"], tmp_path))
