"""If moves appear at once, whole turns can be typed in a burst; keys for anything else don't count ahead."""

import asyncio
from pathlib import Path

import pytest
from textual.message import Message
from textual.pilot import Pilot

from millebornes.cards import Card
from millebornes.game import Action
from millebornes.table.questions import Extension
from millebornes.tui.full.screens.input import Mode
from millebornes.tui.full.screens.table import TableScreen
from millebornes.tui.full.terminal import early_input
from tests.full.playing import at_table, until
from tests.full.test_early_input import QUIET, key


@pytest.fixture(autouse=True)
def real_quiet(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(early_input, "QUIET", QUIET)


def burst(table: TableScreen, *keys: str) -> None:
    """Send keys as a terminal does that has collected them."""
    for name in keys:
        table.app.post_message(key(name, Message().time))


@at_table("human", "random", seed="12")
async def test_whole_turns_are_typed_in_a_burst(pilot: Pilot[int], table: TableScreen) -> None:
    start, hand = table.session.hand.ply, list(table.input.slots.cards)
    burst(table, "d", "1", "enter", "d", "2", "enter", "d", "3", "enter")
    await until(pilot, lambda: table.input.mode is Mode.TURN and table.session.hand.ply >= start + 6)
    discards = [move.card for move in table.session.hand.moves if move.action is Action.DISCARD]
    assert [card for card in hand[:3] if card in discards] == hand[:3]
    assert not table.input.ahead


@at_table("human", "random", prefer={"pace": 0.01}, seed="12")
async def test_at_another_pace_nothing_is_typed_ahead(pilot: Pilot[int], table: TableScreen) -> None:
    start = table.session.hand.ply
    burst(table, "d", "1", "enter", "d", "2", "enter")
    await until(pilot, lambda: table.session.hand.ply >= start + 2 and table.input.mode is Mode.TURN)
    await pilot.pause(0.1)
    assert table.session.hand.ply == start + 2
    assert not table.input.ahead


@at_table("human", "random", seed="12")
async def test_a_refusal_ends_the_burst(pilot: Pilot[int], table: TableScreen) -> None:
    start = table.session.hand.ply
    distance = next(n for n, card in enumerate(table.input.slots.cards, 1) if card is not None and card.miles)
    burst(table, "u", str(distance), "enter", "d", "2", "enter")
    await until(pilot, lambda: table.message.has_class("-error"))
    await pilot.pause(0.1)
    assert table.session.hand.ply == start


@at_table("human", "random")
async def test_keys_from_before_a_different_question_do_not_answer_it(pilot: Pilot[int], table: TableScreen) -> None:
    typed = table.input
    for actions in (("yes",), ("no",), ("confirm",), ("discard", "card_1", "confirm")):
        typed.mode = Mode.WATCH
        for action in actions:
            typed.command(action)
        assert {"yes", "no"}.isdisjoint(typed.ahead)
        asking = asyncio.create_task(typed.ask(Extension(0)))
        await until(pilot, lambda: typed.mode is Mode.EXTENSION)
        assert typed.ahead == []
        assert typed.ahead_since <= Message().time
        assert not table.message.has_class("-error")
        asking.cancel()
        await until(pilot, asking.done)


@at_table("human", "random", prefer={"one_key": True}, seed="12")
async def test_a_key_that_is_held_down_plays_one_card(pilot: Pilot[int], table: TableScreen) -> None:
    start = table.session.hand.ply
    place = next(
        n for n, card in enumerate(table.input.slots.cards, 1) if card is Card.ROLL or (card and not card.miles)
    )
    burst(table, "d", *[str(place)] * 20)
    await until(pilot, lambda: table.session.hand.ply >= start + 2 and table.input.mode is Mode.TURN)
    await pilot.pause(0.1)
    assert table.session.hand.ply == start + 2


@at_table("human", "random", prefer={"pace": 0.01}, seed="12")
async def test_no_hint_for_a_turn_that_has_just_been_answered(pilot: Pilot[int], table: TableScreen) -> None:
    start = table.session.hand.ply
    for action in ("discard", "card_1", "confirm", "hint"):
        table.commands.act(action)
    await until(pilot, lambda: table.session.hand.ply >= start + 2 and table.input.mode is Mode.TURN)
    assert table.session.hints == [0, 0]
