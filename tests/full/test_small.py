"""Whatever is said can be read to its end, on screens down to 30 columns and 8 rows, in French too."""

import itertools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Button, OptionList

from millebornes.editions import make_rules
from millebornes.game import Match
from millebornes.table.setup import GameSetup
from millebornes.tui.common import hints
from millebornes.tui.full.screens.base_screen import KeyHelp
from millebornes.tui.full.screens.dialogs import AskName, Confirm
from millebornes.tui.full.screens.popups import AskScreen, PickScreen
from millebornes.tui.full.screens.settings import SettingsScreen
from millebornes.tui.full.screens.start_rules import RulesScreen
from millebornes.tui.full.screens.table import TableScreen
from millebornes.tui.full.widgets.form import ChoiceRow, StartOption
from tests.full.hints import thought
from tests.full.playing import at_once, at_table, options, play, saved, screen_text, until

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it

SIZES = [(30, 8), (40, 12), (60, 16), (80, 24)]

PATH = "/home/quelquun/un/long/chemin/vers/une/partie-enregistree.jsonl"
TEXTS = (
    "Pick a card first: P (R2.5).",
    "{hazard} was played on {target}. {safety} would answer it: a coup fourré.",
    "You've completed the trip. You can extend it to {goal}, for everyone.",
    "Pass the keyboard to {name}. {name}, press Enter when no one else is looking.",
    "Type U to use a card or D to discard one, then its number, then Enter.",
    "Decide about the coup fourré first: y calls it, n passes (R5.1).",
    "Before the first draw, you can call {safety} as a coup fourré.",
    "You have no move in this hand that can be taken back.",
    "The cards have changed in the meantime. Look at them again.",
    "Saved in {path}.",
)
WORDS = {
    "hazard": "Limite de vitesse",
    "target": "votre équipe",
    "safety": "Véhicule prioritaire",
    "goal": "1000 km",
    "name": "Marie-Madeleine",
    "path": PATH,
}


def letters(text: str) -> str:
    """A text without what frames and the ends of lines make of it."""
    return re.sub(r"[^\w]", "", text)


async def resized(pilot: Pilot[int], table: TableScreen, size: tuple[int, int]) -> None:
    """Give the terminal another size, and wait until everything is laid out for it."""
    await pilot.resize_terminal(*size)
    await until(pilot, lambda: table.app.size == size and table.app.screen.size == size)
    await pilot.pause()


@at_table("human", "basic", language="fr")
async def test_messages_and_choices_of_the_table(pilot: Pilot[int], table: TableScreen) -> None:
    for size in SIZES:
        await resized(pilot, table, size)
        for kind, text in itertools.product(("", "error", "question", "coup"), TEXTS):
            shown = table._(text).format(**WORDS)
            table.say(shown, kind)
            await pilot.pause()
            place = table.message.region
            rows = screen_text(table.app).splitlines()[place.y : place.bottom]
            said = letters("".join(rows))
            is_cut = size[1] < 24 and said and letters(shown).startswith(said)
            assert letters(shown) == said or is_cut, (shown, rows)
            assert table.choices.region == table._plan.choices
            assert place == table._plan.message or place.bottom == table._plan.cards[0].y
        table.say("")  # a message that is long takes the line of the choices
        await pilot.pause()
        assert table.message.region == table._plan.message
        row = screen_text(table.app).splitlines()[table.choices.region.y].split()
        keys = [key for key, _words, _action in table.choices.choices]
        assert [word for word in row if word in keys] == keys
        assert size[0] < 80 or row[-1] == "quitter"


def test_dialogues() -> None:
    async def read(pilot: Pilot[int], table: TableScreen) -> str:
        """All that comes into sight while one scrolls to the end."""
        seen = ""
        for _n in range(30):
            seen += letters(screen_text(table.app)) + "|"
            await pilot.press("down")
            await pilot.pause()
        return seen

    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        _ = table._
        question = _("{path} already exists. Replace it?").format(path=PATH)
        trouble = _("This game can't be saved automatically: {reason}.").format(reason=f"{PATH}: no room")
        name = _("File name (Enter alone goes back to the game):")
        dialogues: list[tuple[Callable[[], Screen[Any]], tuple[str, ...], str]] = [
            (lambda: Confirm(question, _), (question,), "#no"),
            (lambda: AskName(name, _, trouble=trouble), (trouble, name), "#name"),
        ]
        for size, (make, texts, last) in itertools.product(SIZES, dialogues):
            await resized(pilot, table, size)
            dialogue = make()
            table.app.push_screen(dialogue)
            await until(pilot, lambda shown=dialogue: shown.is_mounted and table.app.screen is shown)  # type: ignore[misc]
            await pilot.pause()
            button = dialogue.query_one(last).region
            assert button.height == 1
            assert button.bottom <= size[1]
            seen = await read(pilot, table)
            for word in " ".join(texts).replace("/", " ").split():
                if len(word) < 12:  # longer ones may be cut by the end of a line
                    assert letters(word) in seen, (word, seen)
            await pilot.press("escape")
            await until(pilot, lambda: table.app.screen is table)

    at_once()
    play(steps, options(["human", "basic"], language="fr"))


CHOICES = [StartOption(str(n), f"choice {n}", "What there is to say of it. " * 9 + "ENDE") for n in range(12)]
POPUPS: dict[str, Callable[[TableScreen], Screen[Any]]] = {
    "pick": lambda table: PickScreen("?", CHOICES, "0", table._),
    "ask": lambda table: AskScreen("?", "Il faut un nombre.", table._, check=lambda _text: "il n'en est pas un."),
    "rules": lambda table: RulesScreen(GameSetup(), table.session.words),
    "settings": lambda table: SettingsScreen(table._),
}


@pytest.mark.parametrize("name", POPUPS)
def test_windows_can_be_used_at_every_size(name: str) -> None:
    async def see(pilot: Pilot[int], screen: Screen[object], text: str) -> None:
        await until(pilot, lambda: text in " ".join(screen_text(screen.app).split()))

    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        for size in (*SIZES, (40, 24)):
            await resized(pilot, table, size)
            await use(pilot, table)

    async def use(pilot: Pilot[int], table: TableScreen) -> None:
        screen = POPUPS[name](table)
        table.app.push_screen(screen)
        await until(pilot, lambda: screen.is_mounted and table.app.screen is screen)
        for choices in screen.query(OptionList):  # the cursor is in sight
            for n in range(choices.option_count):
                choices.highlighted = n
                words = str(choices.get_option_at_index(n).prompt).split()
                await see(pilot, screen, " ".join(words[:3]))
        if isinstance(screen, PickScreen):
            await pilot.press("tab", *["down"] * 40)
            await see(pilot, screen, "ENDE")
        if isinstance(screen, AskScreen):
            await pilot.press("x", "enter")
            await see(pilot, screen, "✗ il n'en")
        for button in screen.query(Button):  # so is what has the keys
            button.focus()
            await see(pilot, screen, str(button.label))
        for row in screen.query(ChoiceRow):
            row.focus()
            await see(pilot, screen, row.label)
        screen.dismiss()
        await until(pilot, lambda: table.app.screen is table)

    at_once()
    play(steps, options(["human", "basic"], language="fr"))


def test_the_keys_in_the_last_line_are_those_of_what_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        below = screen_text(table.app).splitlines()[-1]
        assert "discard" in below
        for key in ("q", "question_mark", "t", "f4", "f2", "h", "ctrl+p"):
            await pilot.press(key)
            await until(pilot, lambda: table.app.screen is not table)
            await pilot.pause()
            shown = screen_text(table.app).splitlines()[-1]
            assert "discard" not in shown
            told: KeyHelp = getattr(table.app.screen, "_key_help", tuple)()
            assert all(f" {key}  {words}" in shown for key, words in told), shown
            assert told or key == "ctrl+p"
            await pilot.press("escape")
            await until(pilot, lambda: table.app.screen is table)
            await until(pilot, lambda: screen_text(table.app).splitlines()[-1] == below)

    at_once()
    monkeypatch.setattr(hints, "thoughts", lambda _seen: thought())
    play(steps, options(["human", "basic"]), (80, 24))


@pytest.mark.parametrize("sides", [2, 3, 6])
def test_six_seats_and_the_score_can_be_read_on_the_usual_screen(sides: int, tmp_path: Path) -> None:
    names = ("Alexandra", "Bartholomew", "Christopher", "Dominique", "Emmanuelle", "Friedrich")

    async def steps(pilot: Pilot[int], table: TableScreen) -> None:
        text = screen_text(table.app)
        titles = [row[:50] for row in text.splitlines() if " needs " in row[:50] or "/700" in row[:50]]
        assert len(titles) == sides
        seen = "You" + " ".join(titles)
        for seat, name in enumerate(names[1:], 1):
            assert name[:4] in seen, (seat, titles)
        header = text.splitlines()[0]
        assert len(re.findall(r"\d+(?=  |$)", header.rstrip())) >= sides, header
        await pilot.press("w")
        await pilot.pause()
        assert "Score" in screen_text(table.app)

    at_once()
    match = Match.start(make_rules("classic", 6, sides), 7, players=names)
    play(steps, saved(match, ["human", *["basic"] * 5], tmp_path), (80, 24))
