"""Several people at one keyboard: no text of a hand is on the screen while the keyboard passes."""

from textual.pilot import Pilot

from millebornes.cards import Card
from millebornes.tui.full.screens.input import Mode
from millebornes.tui.full.screens.sheet import SheetScreen
from millebornes.tui.full.screens.table import TableScreen
from tests.full.playing import at_table, make_move, mode_of, reply, screen_text


def viewer_of(table: TableScreen) -> int | None:
    """Whose hand is shown."""
    return table.scene.viewer


def hand_rows(table: TableScreen) -> str:
    """What stands where the hand lies, and below."""
    rows = screen_text(table.app).splitlines()
    return "\n".join(rows[table.card_views[0].region.y :])


@at_table("human", "basic", "human", "basic", sides=2, names=("Ann", "Bo"))
async def test_hands_are_hidden_between_turns(pilot: Pilot[int], table: TableScreen) -> None:
    passes = 0
    holders: list[int] = []
    for _n in range(16):
        if isinstance(table.app.screen, SheetScreen):
            break
        if mode_of(table) is Mode.KEYBOARD:
            passes += 1
            text, rows = screen_text(table.app), hand_rows(table)
            assert "Pass the keyboard to" in text
            assert "You draw" not in text
            assert not any(table.session.theme.short_of(card) in rows for card in Card)
            assert not any(symbol in rows for symbol in ("▸", "⊖", "◉", "✗", "❖"))
            assert viewer_of(table) is None
            assert not table.scene.cards
            for key in ("l", "h", "u", "1", "o", "w", "t", "escape") if passes < 4 else ():
                await pilot.press(key)
                assert not any(table.session.theme.short_of(card) in hand_rows(table) for card in Card)
            assert mode_of(table) is Mode.KEYBOARD
            await reply(pilot, table, "enter")
            holder = viewer_of(table)
            assert holder is not None
            holders.append(holder)
            own = holder % 2
            assert table.side_views[own].region.y > table.side_views[1 - own].region.y, "one's own side lies nearest"
        else:
            await make_move(pilot, table)
    assert passes > 3
    assert set(holders) == {0, 2}
