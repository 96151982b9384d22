"""The start screen alone, in an app of its own: by keys only, by mouse only, in French, large and small."""

import asyncio
import dataclasses
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Button, Input, Static

from millebornes.editions import edition
from millebornes.i18n import LANGUAGES, translator
from millebornes.player_names import GROUP
from millebornes.roster import ROSTER
from millebornes.session.unfinished import describe_unfinished, unfinished_games
from millebornes.storage import Preferences, load_preferences, open_slot, save_preferences, saves_folder, slot_of
from millebornes.table.setup import GameSetup
from millebornes.themes import THEMES, theme_for
from millebornes.tui.full.screens import start_texts
from millebornes.tui.full.screens.popups import AskScreen
from millebornes.tui.full.screens.start import StartChoice, StartScreen
from millebornes.tui.full.widgets.form import ChoiceRow
from millebornes.tui.plain import PlayOptions
from tests.full.playing import Alone, screen_text, until
from tests.session.new_games import named_game

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it

Steps = Callable[["Pilot[None]", StartScreen], Awaitable[None]]
NOTHING = object()
SIZES = [(80, 24), (120, 40), (200, 60), (60, 20), (40, 12), (20, 5)]


class WithStart(Alone):
    """An app that shows one start screen and keeps its result."""

    def __init__(self, preferences: Preferences, screen: StartScreen) -> None:
        super().__init__(preferences)
        self.start = screen
        self.result: Any = NOTHING
        self.card_theme = theme_for(screen._.language).name

    def on_mount(self) -> None:
        self.push_screen(self.start, self.keep)

    def keep(self, result: StartChoice | None) -> None:
        self.result = result


def start(
    steps: Steps,
    size: tuple[int, int] = (80, 24),
    *,
    preferences: Preferences | None = None,
    language: str = "en",
    message: str = "",
    **options: Any,
) -> Any:
    """Show a start screen, do the steps, return its result."""

    async def run() -> Any:
        kept = preferences or load_preferences()
        offered = PlayOptions(**options).offered(kept.last_game)
        app = WithStart(kept, StartScreen(offered, translator(language), message=message))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await steps(pilot, app.start)
            await pilot.pause()
            return app.result

    return asyncio.run(run())


async def press(pilot: "Pilot[None]", *names: str) -> None:
    await pilot.press(*names)
    await pilot.pause()


async def go_to(pilot: "Pilot[None]", ident: str) -> None:
    """Move the cursor to a widget by the arrow keys, as a person does."""
    for _ in range(40):
        if pilot.app.focused is not None and pilot.app.focused.id == ident:
            return
        await press(pilot, "down")
    raise AssertionError(f"the cursor never comes to {ident}")


def keys(*names: str) -> Steps:
    async def steps(pilot: "Pilot[None]", screen: StartScreen) -> None:
        await press(pilot, *names)

    return steps


# ---------------------------------------------------------------------- one key


@pytest.mark.parametrize("key", ["enter", "space", "n"])
def test_one_key_starts_the_usual_game(key: str) -> None:
    setup = start(keys(key))
    assert setup == GameSetup()
    assert (setup.places, setup.match_target, setup.practice) == (("human", "casual"), 5000, False)
    assert str(setup.rules) == "classic/2x2"


@pytest.mark.parametrize("typed", ["q", "escape y"])
def test_leaves(typed: str) -> None:
    assert start(keys(*typed.split())) is None
    assert load_preferences() == Preferences()


def test_no_other_key_leaves() -> None:
    """Escape means going back everywhere else, so here it asks; Enter then stays."""
    ways = "backspace delete escape escape escape enter escape n"
    assert start(keys(*ways.split(), "n")) == GameSetup()


def test_letters_typed_as_a_name_are_no_commands() -> None:
    async def steps(pilot: "Pilot[None]", screen: StartScreen) -> None:
        await go_to(pilot, "name-0")
        await press(pilot, *"Quentin", "down")
        await press(pilot, "n")

    assert start(steps).names == ("Quentin", "")


def test_a_seed_and_names_of_the_command_line() -> None:
    setup = start(keys("enter"), seed="42", names=["Zoë"])
    assert setup.seed == "42"
    assert setup.names == ("Zoë", "")


def test_all_keys_are_listed() -> None:
    async def steps(pilot: "Pilot[None]", screen: StartScreen) -> None:
        await press(pilot, "question_mark")
        text = " ".join(screen_text(pilot.app).split())
        assert "N start the game as shown" in text
        await press(pilot, "escape", "n")

    assert start(steps) == GameSetup()


# ---------------------------------------------------------------------- choosing


def test_everything_by_keys_only_and_again_by_one_key() -> None:
    async def steps(pilot: "Pilot[None]", screen: StartScreen) -> None:
        await go_to(pilot, "row-edition")
        await press(pilot, "enter", "down", "down", "down", "down", "enter")  # house
        await go_to(pilot, "row-settings")
        await press(pilot, "enter", "down", "enter", "backspace", "4", "enter", "d")  # hand_size
        assert "▶ Play   House rules, changed · " in screen_text(pilot.app)
        assert "hand_size=4" in screen_text(pilot.app)
        await go_to(pilot, "row-table")
        await press(pilot, "right", "right")  # 4x2
        await go_to(pilot, "row-seat-1")
        await press(pilot, "enter", "1")  # a person
        await go_to(pilot, "name-1")
        await press(pilot, "B", "o")
        await go_to(pilot, "row-seat-2")
        await press(pilot, "enter", "3")
        await go_to(pilot, "row-target")
        await press(pilot, "enter", "end", "enter", *"750", "enter")
        await go_to(pilot, "row-practice")
        await press(pilot, "right")
        await go_to(pilot, "row-theme")
        await press(pilot, *["right"] * (1 + THEMES.index("french")))
        await press(pilot, "n")

    setup = start(steps)
    assert str(setup.rules) == "house/4x2/hand_size=4"
    assert setup.places == ("human", "human", *list(ROSTER)[1:2], "casual")
    assert setup.names == ("", "Bo", "", "")
    assert setup.match_target == 750
    assert setup.practice
    assert load_preferences().theme == "french"
    assert start(keys("space")) == setup


async def arrow(pilot: "Pilot[None]", ident: str, step: int) -> None:
    """Click the arrow of a row."""
    row = pilot.app.screen.query_one(f"#{ident}", ChoiceRow)
    row.scroll_visible(animate=False)
    await pilot.pause()
    await pilot.click(row, offset=(row.size.width - 1 if step > 0 else 17, 0))
    await pilot.pause()


def test_everything_by_mouse_only() -> None:
    async def steps(pilot: "Pilot[None]", screen: StartScreen) -> None:
        await arrow(pilot, "row-edition", 1)
        await arrow(pilot, "row-edition", 1)
        await arrow(pilot, "row-edition", -1)
        await pilot.click("#row-target", offset=(30, 0))
        await pilot.pause()
        await pilot.click("#pick-list", offset=(4, 1))
        await pilot.pause()
        await pilot.click("#row-seat-1", offset=(4, 0))
        await pilot.pause()
        await pilot.click(offset=(0, 1))  # beside the window: nothing changes
        await pilot.pause()
        await pilot.click("#row-language", offset=(4, 0))
        await pilot.pause()
        await pilot.click("#pick-list", offset=(4, 1 + LANGUAGES.index("fr")))
        await pilot.pause()
        assert "Jouer" in str(screen.query_one("#play", Button).label)
        assert screen.language == "fr"
        await pilot.click("#play")

    setup = start(steps)
    assert str(setup.rules) == "bsd/2x2"
    assert setup.match_target == 2000
    assert setup.places == ("human", "casual")
    assert load_preferences().language == "fr"


def test_the_buttons_below_by_key_and_by_mouse() -> None:
    async def click(pilot: "Pilot[None]", screen: StartScreen) -> None:
        await pilot.click("#tutorial")

    assert start(keys("t")) == start(click)


# ---------------------------------------------------------------------- wrong entries


WRONG = [
    ("row-target", "?other", "-3", ["whole number from 0 to 1000000"]),
    ("row-target", "?other", "9999999", ["whole number from 0 to 1000000"]),
    ("row-target", "?other", "many", ["whole number from 0 to 1000000"]),
    ("row-edition", "?file", "clasic", ["ends in .toml"]),
    ("row-edition", "?file", "/no/such.toml", ["/no/such.toml", "cannot be read"]),
    ("row-seat-1", "?program", "no-such-program-here", ["no-such-program-here"]),
    ("row-seat-1", "?program", "", ["command"]),
]


def test_a_wrong_entry_says_what_is_right() -> None:
    async def steps(pilot: "Pilot[None]", screen: StartScreen) -> None:
        before = screen.setup
        for row, special, typed, parts in WRONG:
            screen.post_message(ChoiceRow.Picked(screen.query_one(f"#{row}", ChoiceRow), special))
            await until(pilot, lambda: isinstance(pilot.app.screen, AskScreen) and pilot.app.screen.is_mounted)
            window = pilot.app.screen
            window.query_one("#ask-text", Input).value = typed
            await press(pilot, "enter")
            assert pilot.app.screen is window
            said = str(window.query_one("#ask-error", Static).content)
            assert said.startswith("✗ ")
            for part in parts:
                assert part in said
            await press(pilot, "escape")
            await until(pilot, lambda: pilot.app.screen is screen)
            assert screen.setup == before

    start(steps)


def test_an_edition_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\ntitle = "Mine"\nlike = "classic"\n[rules]\ngoal = 500\n')

    async def steps(pilot: "Pilot[None]", screen: StartScreen) -> None:
        await go_to(pilot, "row-edition")
        await press(pilot, "enter", "6")
        window = pilot.app.screen
        window.query_one("#ask-text", Input).value = str(path)
        await press(pilot, "enter")
        assert "Mine" in screen.query_one("#row-edition", ChoiceRow).shown
        await press(pilot, "n")

    assert start(steps).rules.goal == 500
    assert start(keys("enter")).rules.goal == 500

    async def gone(pilot: "Pilot[None]", screen: StartScreen) -> None:
        path.unlink()
        await press(pilot, "n")
        assert f"{path}: cannot be read" in str(screen.query_one("#message", Static).content)

    assert start(gone) is NOTHING
    assert str(start(keys("enter")).rules) == "classic/2x2"


def test_a_program_of_ones_own() -> None:
    async def steps(pilot: "Pilot[None]", screen: StartScreen) -> None:
        await go_to(pilot, "row-seat-1")
        await press(pilot, "enter", "end", "enter")
        pilot.app.screen.query_one("#ask-text", Input).value = f"{sys.executable} bot.py"
        await press(pilot, "enter", "n")

    assert start(steps).places == ("human", f"cmd:{sys.executable} bot.py")


def test_contradicting_changes_are_refused_in_words() -> None:
    async def steps(pilot: "Pilot[None]", screen: StartScreen) -> None:
        await go_to(pilot, "row-settings")
        await press(pilot, "enter", *["down"] * 4, "enter", "2")
        said = str(pilot.app.screen.query_one("#rules-about", Static).content)
        assert "right_of_way_clears" in said
        assert "hazard_on" in said
        await press(pilot, "d")
        assert screen.setup.settings == {}

    start(steps)


def test_a_folder_that_cannot_be_written_does_not_keep_anybody_from_playing(home: Path) -> None:
    (home / "config").write_text("in the way")
    assert isinstance(start(keys("right", "enter"), preferences=Preferences()), GameSetup)


def test_a_message_stands_until_something_is_changed() -> None:
    async def steps(pilot: "Pilot[None]", screen: StartScreen) -> None:
        message = screen.query_one("#message", Static)
        assert "it was eaten" in screen_text(pilot.app)
        await go_to(pilot, "row-practice")
        await press(pilot, "right")
        assert not message.display

    start(steps, message="it was eaten")


def test_at_most_six_people_share_a_keyboard() -> None:
    setup = dataclasses.replace(GameSetup().with_table(8, 2), places=("human",) * 6 + ("basic",) * 2)

    async def steps(pilot: "Pilot[None]", screen: StartScreen) -> None:
        screen.setup = setup
        await screen._fill()
        screen.post_message(ChoiceRow.Picked(screen.query_one("#row-seat-7", ChoiceRow), "human"))
        await pilot.pause()
        assert "At most 6 people" in str(screen.query_one("#message", Static).content)
        assert screen.setup == setup

    start(steps)


def test_a_table_for_which_the_changed_deck_is_too_small() -> None:
    deck = dict.fromkeys(edition("classic").rules(2).settings()["deck"], 1)
    setup = GameSetup().with_settings({"deck": deck})

    async def steps(pilot: "Pilot[None]", screen: StartScreen) -> None:
        screen.setup = setup
        await screen._fill()
        screen.post_message(ChoiceRow.Picked(screen.query_one("#row-table", ChoiceRow), (6, 2)))
        await pilot.pause()
        assert "cannot be dealt" in str(screen.query_one("#message", Static).content)
        assert screen.setup == setup

    start(steps)


# ---------------------------------------------------------------------- unfinished games


def unfinished(edition_name: str = "classic", *, practice: bool = False) -> Path:
    """A game that broke off, in a slot of its own."""
    rules = edition(edition_name).rules(2, 2)
    game = named_game(rules, ("human", "basic"), ("Ann", "basic"), practice=practice)
    game = dataclasses.replace(game, match=game.match.play(game.match.hand.legal_moves[0]))
    slot = open_slot()
    slot.write(game)
    slot.release()
    return slot.path


def test_an_unfinished_game_is_offered_first() -> None:
    path = unfinished()
    (found,) = unfinished_games()
    assert (found.path, found.names, found.totals, found.hand) == (path.absolute(), ("Ann", "basic"), (0, 0), 1)
    assert start(keys("enter")) == path.absolute()
    assert start(keys("n")) == GameSetup()
    assert path.exists()


def test_unfinished_games_in_words() -> None:
    unfinished("bsd", practice=True)
    (game,) = unfinished_games()
    who, how = describe_unfinished(game, translator())
    assert who == "Ann, Sam · basic   0 : 0"
    assert how == f"BSD mille · to 5000 points · hand 1 · {game.date:%Y-%m-%d %H:%M} · practice"
    assert game.hand_points == (0, 0)
    single = dataclasses.replace(
        game, rules=None, match_target=None, totals=(300, 1250), hand=4, practice=False, hand_points=(75, 100)
    )
    who, how = describe_unfinished(single, translator("fr"))
    assert who.endswith("375 : 1350")  # with the points of the unfinished hand
    old = dataclasses.replace(single, hand_points=())
    assert old.standing == (300, 1250)
    assert how.startswith("Règles personnalisées · manches isolées · manche 4 · ")


def test_several_unfinished_games_can_be_chosen_from_and_deleted() -> None:
    first, second = unfinished(), unfinished("bsd")
    os.utime(first, (1, 1))

    async def choose(pilot: "Pilot[None]", screen: StartScreen) -> None:
        await press(pilot, "g", "down", "enter")

    assert start(choose) == first.absolute()

    async def delete(pilot: "Pilot[None]", screen: StartScreen) -> None:
        await press(pilot, "enter", "delete", "n")
        assert second.exists()
        await pilot.click("#resume-delete")
        await pilot.pause()
        await press(pilot, "y")
        assert not second.exists()
        await press(pilot, "escape")
        await press(pilot, "g")

    assert start(delete) == first.absolute()


@pytest.mark.parametrize("marks", [["space", "space"], ["a"]])
def test_several_unfinished_games_are_deleted_by_one_question(marks: list[str]) -> None:
    paths = [unfinished() for _ in range(3)]
    for age, path in enumerate(reversed(paths)):
        os.utime(path, (1000 - age, 1000 - age))

    async def delete(pilot: "Pilot[None]", screen: StartScreen) -> None:
        await press(pilot, "g", *marks, "delete")
        count = 2 if marks[0] == "space" else 3
        assert f"Delete {count} games? You can't get them back." in screen_text(pilot.app)
        await press(pilot, "y")
        assert [path for path in paths if path.exists()] == paths[: 3 - count]
        await press(pilot, "escape", "escape")

    start(delete)


def test_a_mark_is_seen_and_taken_away_again() -> None:
    first, second = unfinished(), unfinished("bsd")
    os.utime(first, (1, 1))

    async def steps(pilot: "Pilot[None]", screen: StartScreen) -> None:
        await press(pilot, "g", "space")
        assert screen_text(pilot.app).count("✗ Ann") == 1
        await press(pilot, "up", "space")
        assert "✗ Ann" not in screen_text(pilot.app)
        await press(pilot, "up", "delete", "y", "escape")

    start(steps)
    assert first.exists()
    assert not second.exists()


def test_games_in_which_nobody_has_decided_anything_vanish() -> None:
    rules = edition("classic").rules(2, 2)
    game = named_game(rules, ("basic", "human"), ("basic", "Ann"))
    moved = dataclasses.replace(game, match=game.match.play(game.match.hand.legal_moves[0]))
    watched = dataclasses.replace(moved, seats=("basic", "basic"))
    slots = [open_slot() for _ in range(4)]
    for slot, held in zip(slots, (game, moved, watched, dataclasses.replace(game, number=2)), strict=True):
        slot.write(held)
        slot.release()
    assert {found.path.name for found in unfinished_games()} == {"autosave-3.jsonl", "autosave-4.jsonl"}
    assert [slot.path.exists() for slot in slots] == [False, False, True, True]


def test_games_being_played_and_damaged_saves_are_not_offered() -> None:
    unfinished()
    playing = slot_of(saves_folder().absolute() / "autosave-1.jsonl")
    assert playing is not None
    try:
        damaged = saves_folder() / "game-2026-01-01-000000.jsonl"
        damaged.write_bytes(playing.path.read_bytes()[:-20])
        assert start(keys("enter")) == GameSetup()
        assert damaged.exists()
    finally:
        playing.release()
    assert start(keys("enter")) == playing.path


# ---------------------------------------------------------------------- how it looks


@pytest.mark.parametrize("size", [(80, 24), (20, 5)])
def test_the_cursor_reaches_everything_and_stays_in_sight(size: tuple[int, int]) -> None:
    unfinished()

    async def steps(pilot: "Pilot[None]", screen: StartScreen) -> None:
        screen.setup = screen.setup.with_table(6, 2)
        await screen._fill()
        seen = set()
        for _ in range(40):
            focused = pilot.app.focused
            assert focused is not None
            seen.add(focused.id)
            if size[1] >= 12:
                assert screen.region.overlaps(focused.region)
                assert focused.id is not None
            await press(pilot, "down")
        assert seen >= {"play", "resume", "row-edition", "row-seat-5", "name-0", "row-language", "tutorial", "quit"}

    start(steps, size)


def test_resizing_at_any_time() -> None:
    async def steps(pilot: "Pilot[None]", screen: StartScreen) -> None:
        for width, height in [*SIZES, (80, 24), (120, 40)]:
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            if height >= 40:
                text = screen_text(pilot.app)
                assert "M I L L E" in text
                assert "Classic · computer: Easy · to 5000 points" in text
        for size in ((10, 3), (1, 1)):  # lists without any room can be paged
            await pilot.resize_terminal(*size)
            await pilot.pause()
            await go_to(pilot, "row-edition")
            await press(pilot, "enter", "pagedown", "pageup", "end", "pagedown", "escape")
        await press(pilot, "n")

    assert start(steps) == GameSetup()


def test_rows_say_what_their_values_mean() -> None:
    async def steps(pilot: "Pilot[None]", screen: StartScreen) -> None:
        await go_to(pilot, "row-edition")
        await press(pilot, "right")
        text = " ".join(screen_text(pilot.app).split())
        assert "Differences from Classic:" in text
        await go_to(pilot, "row-table")
        await press(pilot, "right", "right")
        assert "wasn't made for this table" in " ".join(str(screen.query_one("#details-text", Static).content).split())

    start(steps, (120, 40))


def test_which_net_plays() -> None:
    setup = GameSetup(places=("human", "champion")).with_settings({"all_safeties_bonus": 700})
    _, said = translator("en"), "Its net was trained at Classic 2x2, the closest to this table."
    assert start_texts.overview(setup, _, is_first=False).endswith(f"champion: {said}")
    assert "millebornes practise" in start_texts.overview(setup, _, is_first=False)
    assert "practise" not in start_texts.overview(setup, _, is_first=True)
    found = {choice.value: choice.details for choice in start_texts.players(setup, 1, _)}
    assert [name for name in found if "net was trained" in found[name]] == ["instant", "champion"]
    assert found["instant"].endswith(said)
    far = setup.with_table(3, 3).with_settings({"targets": "left"}).with_place(1, "instant:my.npz")
    assert {choice.value: choice.details for choice in start_texts.players(far, 1, _)}["instant:my.npz"].endswith(
        "my.npz."
    )
    assert (
        "champion: Its net was trained at thousands of tables, and takes the rules of this one into account."
        in start_texts.overview(far, _, is_first=False)
    )
    assert "net" not in start_texts.overview(GameSetup(), _, is_first=False).split()


def test_settings_from_the_start_screen_change_its_language_at_once() -> None:
    async def steps(pilot: "Pilot[None]", screen: StartScreen) -> None:
        await press(pilot, "p")
        await go_to(pilot, "pref-language")
        await press(pilot, *["right"] * (1 + LANGUAGES.index("fr")), "escape")
        assert "Règles" in screen_text(pilot.app)
        await press(pilot, "q")

    start(steps)
    assert load_preferences().language == "fr"


def test_players_of_other_packages_are_listed_and_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start_texts, "_others", lambda: ("stranger",))

    async def steps(pilot: "Pilot[None]", screen: StartScreen) -> None:
        await go_to(pilot, "row-seat-1")
        await press(pilot, "enter", "end", "up")
        assert "stranger" in screen_text(pilot.app)
        await press(pilot, "enter", "n")

    assert start(steps).places == ("human", "stranger")
    assert start(keys("enter")).places == ("human", "stranger")


def test_names_that_no_other_package_can_take_are_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("stranger", "oracle", "basic", "cmd:perl", "py:a.py", "onnx:a")
    points = metadata.EntryPoints(metadata.EntryPoint(name, "a:B", GROUP) for name in names)
    monkeypatch.setattr(metadata, "entry_points", lambda **wanted: points.select(**wanted))
    assert start_texts._others.__wrapped__() == ("stranger",)


def test_the_screen_is_there_without_the_game() -> None:
    code = (
        "import sys; from millebornes.i18n import translator; "
        "from millebornes.table.setup import GameSetup; "
        "from millebornes.tui.full.screens.start import StartScreen; "
        "StartScreen(GameSetup(), translator('fr')); "
        "print([name for name in ('numba', 'numpy', 'millebornes.game', 'millebornes.rules') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_preferences_that_are_kept_stay_those_of_others() -> None:
    save_preferences(Preferences(sort=True, pace=2.0))
    start(keys("enter"))
    kept = load_preferences()
    assert kept.sort
    assert kept.pace == 2.0
    assert kept.last_game is not None
    assert kept.last_game["edition"] == "classic"


CRAMPED = [(30, 8), (39, 10), (60, 20), (69, 24), (80, 24), (120, 30)]


@pytest.mark.parametrize(("language", "sizes"), [("fr", CRAMPED), ("en", [(30, 8), (80, 24)])])
def test_nothing_is_cut_at_any_size(language: str, sizes: list[tuple[int, int]]) -> None:
    """Every text of the rows and buttons is seen in full once the cursor is there, and the rest by paging."""
    unfinished()

    async def steps(pilot: "Pilot[None]", screen: StartScreen) -> None:
        for size in sizes:
            await pilot.resize_terminal(*size)
            await until(pilot, lambda size=size: screen.size == size)  # type: ignore[misc]
            await pilot.pause()
            await look(pilot, screen, size)

    async def look(pilot: "Pilot[None]", screen: StartScreen, size: tuple[int, int]) -> None:
        screen.query_one("#play", Button).focus()
        seen = ""
        for _ in range(16):
            await pilot.pause()
            seen += screen_text(pilot.app) + "\n"
            await press(pilot, "down")
        for _ in range(12):
            await press(pilot, "pagedown")
            seen += screen_text(pilot.app) + "\n"
        words = set(seen.replace("│", " ").split())
        texts = [f"{row.label} {row.shown}" for row in screen.query(ChoiceRow)]
        texts += [str(button.label) for button in screen.query(Button)]
        texts.append(str(screen.query_one("#below" if size[0] < 104 else "#details-text", Static).content))
        for text in texts:
            assert set(text.split()) <= words, (size, text, set(text.split()) - words)
        assert "…" not in seen

    start(steps, language=language)
