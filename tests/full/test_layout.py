"""Where everything lies, at any size."""

import pytest
from textual.geometry import Region
from textual.pilot import Pilot

from millebornes.tui.full.screens.base_screen import TooSmall
from millebornes.tui.full.screens.input import Mode
from millebornes.tui.full.screens.table import TableScreen
from millebornes.tui.full.widgets.layout import arrange
from tests.full.playing import at_once, log_read, make_move, mode_of, options, play, reply, screen_text

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it

SIZES = [(80, 24), (100, 30), (120, 40), (200, 60), (90, 24), (80, 50)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("seats", "sides"), [(2, 2), (3, 3), (4, 4), (6, 6), (8, 2), (8, 4), (8, 8)])
def test_nothing_lies_on_anything_else(size: tuple[int, int], seats: int, sides: int) -> None:
    plan = arrange(*size, sides, seats)
    screen = Region(0, 0, *size)
    regions = [plan.header, *plan.sides, plan.draw, plan.discard, plan.log, plan.window, *plan.cards, plan.message]
    regions = [region for region in [*regions, plan.choices] if region.area]
    for n, region in enumerate(regions):
        assert screen.contains_region(region), region
        for other in regions[n + 1 :]:
            assert not region.intersection(other).area, (region, other)
    assert len(plan.sides) == sides
    assert all(region.height >= 2 for region in plan.sides)
    assert all(region.area for region in (plan.draw, plan.discard))
    assert plan.window.area or seats == 8


@pytest.mark.parametrize("width", range(1, 75, 7))
@pytest.mark.parametrize("height", range(1, 24, 4))
def test_even_the_smallest_screen_has_a_plan(width: int, height: int) -> None:
    for sides in (2, 3, 4, 6):
        plan = arrange(width, height, sides, sides)
        assert all(region.width >= 0 and region.height >= 0 for region in [*plan.sides, *plan.cards, plan.log])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("seats", "sides"), [(7, 7), (8, 2), (8, 4), (8, 8)])
def test_the_log_of_many_seats_has_room_for_a_round(size: tuple[int, int], seats: int, sides: int) -> None:
    log = arrange(*size, sides, seats).log
    assert log.height >= seats + (2 if log.width > 50 else 5)  # some lines are wrapped, some turns have two


@pytest.mark.parametrize("sides", [2, 4, 8])
def test_the_log_of_eight_seats_shows_a_round(sides: int) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        rounds = 0
        while rounds < 3:
            before = len(table.session.log)
            await (make_move(pilot, table) if mode_of(table) is Mode.TURN else reply(pilot, table, "n"))
            if len(table.session.log) < before + 8:  # a safety gives another turn, a question interrupts a round
                continue
            rounds += 1
            await log_read(pilot, table)
            place = table.log_view.content_region
            rows = screen_text(table.app).splitlines()[place.y : place.bottom]
            shown = " ".join(" ".join(row[place.x : place.right] for row in rows).split())
            told = table.log_view.lines[-8:]  # a coup fourré makes more of a round
            assert all(line in shown for line in told), (told, shown)

    at_once()
    play(steps, options(["human", *["basic"] * 7], sides))


TABLES = [(2, 2), (3, 3), (4, 2), (6, 3), (6, 6), (8, 4)]
MORE_TABLES = [pytest.param(4, 4, marks=pytest.mark.once), pytest.param(6, 2, marks=pytest.mark.once)]


@pytest.mark.parametrize(("seats", "sides"), [*TABLES, *MORE_TABLES])
def test_every_table_at_every_size(seats: int, sides: int) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        for width, height in ((80, 24), (120, 40), (60, 20), (20, 8), (3, 2), (180, 50), (80, 24)):
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            if width >= 60:
                text = screen_text(table.app)
                assert "You" in text
                assert all(name in text for name in table.session.participants.names[1:2])
            if TooSmall.holds(table.app.size):
                continue
            if mode_of(table) is Mode.TURN:
                await make_move(pilot, table)
            else:
                await reply(pilot, table, "n")

    at_once()
    play(steps, options(["human", *["basic"] * (seats - 1)], sides))
