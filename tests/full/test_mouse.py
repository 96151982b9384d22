"""A hand with the mouse alone: clicks and drags."""

from textual.pilot import Pilot

from millebornes.cards import HAZARDS
from millebornes.game import Action, Move
from millebornes.tui.full.choices import Mode
from millebornes.tui.full.sheet import SheetScreen
from millebornes.tui.full.table import TableScreen
from tests.full.stage import asked, at_once, mode_of, options, play, simple_move, until


async def drag(pilot: Pilot[int], start: str, end: str) -> None:
    await pilot.mouse_down(start, offset=(3, 2))
    await pilot.hover(end, offset=(4, 1))
    await pilot.hover(end, offset=(5, 1))
    await pilot.mouse_up(end, offset=(5, 1))
    await pilot.pause()


async def by_mouse(pilot: Pilot[int], table: TableScreen, move: Move, drags: bool) -> None:
    """Make a move with the mouse."""
    if move.action in {Action.COUP, Action.EXTEND, Action.PASS, Action.FINISH}:
        await pilot.click("#choices", offset=(3 if move.action in {Action.COUP, Action.EXTEND} else 36, 0))
        return
    assert move.card is not None
    card = f"#card-{table.desk.slots.place_of(move.card)}"
    if move.action is Action.DISCARD:
        pile = "#discard-pile"
    elif move.card in HAZARDS:
        pile = f"#side-{(move.target or 0) + 1}"
    else:
        pile = f"#side-{table.desk.view.side + 1}"
    if drags:
        await drag(pilot, card, pile)
        return
    await pilot.click(card)
    assert table.desk.place == table.desk.slots.place_of(move.card)
    await pilot.click(pile, offset=(4, 1))


def test_a_hand_is_played_with_the_mouse_alone() -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        for n in range(300):
            if isinstance(table.app.screen, SheetScreen):
                break
            before, move = table.sitting.hand, simple_move(table)
            if mode_of(table) is Mode.TURN:
                await by_mouse(pilot, table, move, drags=n % 2 == 0)
            else:
                await pilot.press("y")
            await until(pilot, lambda hand=before: table.sitting.hand is not hand or table.message.has_class("-error"))  # type: ignore[misc]
            assert table.sitting.hand is not before, (str(move), table.message.text)
            assert not table.ghost.display
            await asked(pilot, table)
        await pilot.click("#yes")
        await until(pilot, lambda: table.app.screen is table)
        await asked(pilot, table)
        assert table.sitting.match.hand_number == 2

    at_once()
    play(steps, options(["human", "basic"]))


def test_what_cannot_lie_somewhere_is_refused() -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        before = table.sitting.hand
        place = next(n for n, card in enumerate(table.desk.slots.cards, 1) if card is not None and card not in HAZARDS)
        await drag(pilot, f"#card-{place}", "#side-2")
        assert table.message.text == "Only hazards are played on a side."
        await drag(pilot, f"#card-{place}", "#window")
        assert table.sitting.hand is before
        await pilot.click("#card-1", button=3)
        await asked(pilot, table)
        assert str(table.sitting.hand.at(1).move).startswith("-")

    at_once()
    play(steps, options(["human", "basic"]))


def test_choices_can_be_clicked() -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        await pilot.click("#choices", offset=(2, 0))
        assert table.desk.verb is Action.PLAY
        await pilot.press("escape")
        await pilot.click("#card-2")
        await pilot.click("#card-2")
        await pilot.pause()
        assert table.sitting.hand.ply > 0 or table.message.has_class("-error")

    at_once()
    play(steps, options(["human", "basic"]))
