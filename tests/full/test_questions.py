"""Questions: coups fourrés, extensions, targets; who does not hold the safety is asked in the same words (R5.5)."""

from pathlib import Path

from textual.pilot import Pilot

from millebornes.cards import Card
from millebornes.editions import make_rules
from millebornes.game import Match
from millebornes.tui.full.screens.input import Mode
from millebornes.tui.full.screens.table import TableScreen
from tests.full.playing import (
    asked,
    at_once,
    at_table,
    keys_for,
    log_read,
    make_move,
    mode_of,
    play,
    reply,
    saved,
    screen_text,
    until,
)
from tests.plain.inside import deck_of

PLAIN = "25 25 50 50 75 75"
NAMES = ("Ann", "Bo", "Cy")


def at_stop(holder: bool, seats: int = 3) -> Match:
    """Ann is about to play a stop on Bo, who can or cannot answer."""
    rules = make_rules("classic", seats, seats)
    hands = {0: "stop roll 100 100 100 100", 1: "roll 25 25 50 50 " + ("right_of_way" if holder else "75")}
    if seats == 3:
        hands[2] = PLAIN
    match = Match.start(rules, deck=deck_of(rules, hands, "25 25 75 25 25"), players=NAMES[:seats])
    for move in ("roll", "roll", *["-25"] * (seats - 2)):
        match = match.play(move)
    return match


def test_a_coup_fourre_is_called(tmp_path: Path) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        assert mode_of(table) is Mode.COUP
        assert "Right of Way would answer it" in table.message.text
        await pilot.press("u")
        assert "Decide about the" in table.message.text
        await pilot.press("1")
        assert mode_of(table) is Mode.COUP
        await reply(pilot, table, "y")
        assert table.session.hand.tableaux[1].coups_fourres == (Card.RIGHT_OF_WAY,)
        assert table.banner.display
        assert "COUP FOURRÉ" in screen_text(table.app)
        assert "!!" in screen_text(table.app)
        assert mode_of(table) is Mode.TURN
        assert table.controller.view.seat == 1

    at_once()
    match = at_stop(True, 2).play("stop>1")
    play(steps, saved(match, ["random", "human"], tmp_path))


def shared_question(holder: bool, folder: Path) -> str:
    """The screen on which Bo is asked, with his own hand left out."""
    seen = []

    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        assert mode_of(table) is Mode.KEYBOARD
        await reply(pilot, table, "enter")
        place = table.input.slots.place_of(Card.STOP)
        await pilot.press("u", str(place), "enter")
        await until(pilot, lambda: mode_of(table) is not Mode.TURN)
        if mode_of(table) is Mode.TARGET:
            await reply(pilot, table, "2")
        await asked(pilot, table)
        assert mode_of(table) is Mode.KEYBOARD
        await log_read(pilot, table)
        seen.append(screen_text(table.app))
        await reply(pilot, table, "enter")
        assert mode_of(table) is Mode.COUP
        await log_read(pilot, table)
        hand_row = table.card_views[0].region.y
        rows = screen_text(table.app).splitlines()
        seen.extend(rows[:hand_row] + rows[hand_row + table.card_views[0].region.height :])
        await pilot.press("l")
        seen.append(table.message.text)
        view = table.controller.view
        seen.append(f"{view.draw_pile} {view.hand_sizes} {sum(view.unseen.values())}")  # the next turn has not begun
        if not holder:
            assert not view.legal_moves
            await pilot.press("h")
            assert "There's no decision to make here; press Enter to continue." in table.message.text
            await pilot.press("y")
            assert "You don't hold Right of Way (R2.5). Answer n to continue." in table.message.text
        await reply(pilot, table, "n")
        seen.append(screen_text(table.app))
        assert table.session.hand.seat == 1
        assert mode_of(table) in {Mode.KEYBOARD, Mode.TURN}

    at_once()
    folder.mkdir()
    play(steps, saved(at_stop(holder), ["human"] * 3, folder), (100, 30))
    return "\n".join(seen[:-1])


def test_holder_and_non_holder_get_the_same_screens(tmp_path: Path) -> None:
    assert shared_question(True, tmp_path / "a") == shared_question(False, tmp_path / "b")


def test_the_trip_is_extended(tmp_path: Path) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        hundred = next(move for move in table.controller.view.legal_moves if str(move) == "100")
        await reply(pilot, table, *keys_for(hundred, table))
        assert mode_of(table) is Mode.EXTENSION
        assert "extend" in table.message.text
        await pilot.press("enter")
        assert "Decide about the extension first" in table.message.text
        await reply(pilot, table, "y")
        assert table.session.hand.extended

    at_once()
    rules = make_rules("classic", 2, 2)
    hands = {0: "roll 100 100 100 100 200", 1: "25 25 25 25 50 50"}
    deck = deck_of(rules, hands, "100 75 100 75 100 75 100 75 100")
    match = Match.start(rules, deck=deck, players=("You", "basic"))
    for move in ("roll", "-25", "100", "-25", "100", "-25", "100", "-25", "100", "-50", "200", "-50"):
        match = match.play(move)
    play(steps, saved(match, ["human", "random"], tmp_path))


def test_a_hazard_asks_for_its_side(tmp_path: Path) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        place = str(table.input.slots.place_of(Card.SPEED_LIMIT))
        await pilot.press("u", place, "enter")
        await until(pilot, lambda: mode_of(table) is Mode.TARGET)
        assert "on which side?" in table.message.text
        for action in ("use", "discard", "confirm", "discard_1"):  # none of them is a side
            table.commands.act(action)
            assert "on which side?" in table.message.text
        await pilot.press("1")
        assert "sides now: 2, 3" in table.message.text
        assert mode_of(table) is Mode.TARGET
        await pilot.press("escape")
        await until(pilot, lambda: mode_of(table) is Mode.TURN)
        await pilot.press("u", place, "enter")
        await until(pilot, lambda: mode_of(table) is Mode.TARGET)
        await pilot.press("3")
        await until(pilot, lambda: table.session.hand.ply > 0)
        assert str(table.session.hand.at(1).move) == "speed_limit>2"

    at_once()
    rules = make_rules("classic", 3, 3)
    deck = deck_of(rules, {0: "speed_limit roll 100 100 100 100", 1: PLAIN, 2: "25 25 50 50 75 100"})
    match = Match.start(rules, deck=deck, players=("You", "random", "random#2"))
    play(steps, saved(match, ["human", "random", "random"], tmp_path))


@at_table()
async def test_a_card_that_can_only_be_discarded_says_so(pilot: Pilot[int], table: TableScreen) -> None:
    place = str(table.input.slots.place_of(Card.D25) or table.input.slots.place_of(Card.D75))
    await pilot.press(place)
    assert "you can't use it now" in table.message.text
    assert [action for _key, _words, action in table.choices.choices] == ["discard", "back", "legal"]
    await pilot.press("escape", str(table.input.slots.place_of(Card.ROLL)))
    assert "Enter or U uses it" in table.message.text


@at_table()
async def test_an_illegal_use_says_why_and_costs_nothing(pilot: Pilot[int], table: TableScreen) -> None:
    place = str(table.input.slots.place_of(Card.D25) or table.input.slots.place_of(Card.D75))
    before = table.session.hand
    await pilot.press("u", place, "enter")
    assert "you aren't moving; play Roll first (R4.1)" in table.message.text
    assert table.message.has_class("-error")
    assert table.session.hand is before
    assert table.input.verb is None
    await pilot.press("u", "enter")
    assert "Which card?" in table.message.text
    await pilot.press("escape", "y")
    assert "There's no question" in table.message.text
    await pilot.press("d", "backspace")
    assert table.input.verb is None
    assert not table.input.is_typing
    await pilot.press("exclamation_mark")
    assert "one-key play" in table.message.text


@at_table("human", "basic", prefer={"one_key": True})
async def test_one_key_play(pilot: Pilot[int], table: TableScreen) -> None:
    place = table.input.slots.place_of(Card.ROLL)
    await reply(pilot, table, str(place))
    assert str(table.session.hand.at(1).move) == "roll"
    before = table.session.hand
    await reply(pilot, table, "exclamation_mark")
    assert table.session.hand.at(before.ply + 1).move is not None
    assert str(table.session.hand.at(before.ply + 1).move).startswith("-")


@at_table("human", "basic", prefer={"manual_pick": True})
async def test_cards_are_picked_by_hand_where_that_is_wanted(pilot: Pilot[int], table: TableScreen) -> None:
    assert table.scene.must_pick
    assert table.session.slots[0].card_at(7) is None
    await pilot.press("u", "1", "enter")
    assert "Pick a card first" in table.message.text
    assert "P: pick" in screen_text(table.app)
    await pilot.press("p")
    assert "You draw" in table.message.text
    assert table.session.slots[0].card_at(7) is not None
    await pilot.press("p")
    assert "You've already picked" in table.message.text
    await make_move(pilot, table)
    assert table.session.hand.ply > 0
