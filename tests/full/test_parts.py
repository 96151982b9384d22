"""What the table is drawn with: canvases, cards, keys."""

import itertools

import pytest
from rich.cells import cell_len
from rich.style import Style
from textual.pilot import Pilot

from millebornes.cards import Card, Group
from millebornes.game import Action
from millebornes.i18n import LANGUAGES, translator
from millebornes.themes import THEMES, theme
from millebornes.tui.full.screens.table import TableScreen
from millebornes.tui.full.terminal.keys import ACTIONS, KEYMAP, key_name, textual_keymap
from millebornes.tui.full.widgets.board import ROLES
from millebornes.tui.full.widgets.canvas import Canvas
from millebornes.tui.full.widgets.card_art import FRAMES, Marks, draw_back, draw_card, draw_place
from millebornes.tui.full.widgets.names import legend
from millebornes.tui.full.widgets.window import COMMANDS
from millebornes.words.score_sheet import LABELS
from millebornes.words.words import Words
from tests.full.playing import at_once, at_table, options, play, screen_text

LOOK = {role: Style() for role in ROLES} | {group.value: Style() for group in Group}
SIZES = [(5, 3), (8, 4), (11, 5), (11, 3), (14, 7), (17, 9)]


def rows(canvas: Canvas) -> list[str]:
    return ["".join(char for char, _style in row) for row in canvas.cells]


def test_a_canvas_keeps_to_its_cells() -> None:
    canvas = Canvas(6, 2)
    assert canvas.put(4, 0, "abc") == 6
    canvas.put(-1, 0, "xy")
    canvas.put(0, 5, "nowhere")
    assert rows(canvas) == ["y   ab", "      "]
    canvas.put(0, 1, "道路x\x1b[1m")
    assert rows(canvas)[1] == "道路x["
    assert [cell_len(row) for row in rows(canvas)] == [6, 6]
    assert canvas.strip(1, Style()).cell_length == 6


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_every_card_fits_its_frame(name: str, size: tuple[int, int]) -> None:
    width, height = size
    words = theme(name)
    seen = set()
    for card in Card:
        canvas = Canvas(width, height)
        draw_card(canvas, canvas.area, card, words, LOOK, Marks(label="[1]", marked="▲"))
        found = rows(canvas)
        assert all(cell_len(row) == width for row in found)
        assert found[0][-1] == {"thin": "┐", "round": "╮", "heavy": "┓", "double": "╗"}[FRAMES[card.group]]
        assert found[0].startswith("[1]", 1)
        seen.add("\n".join(found))
    if width >= 11:
        assert len(seen) == len(Card), "no two cards look the same, even without colours"


def test_backs_and_places_say_what_they_are() -> None:
    canvas = Canvas(11, 5)
    draw_back(canvas, LOOK, "93")
    assert " 93 " in rows(canvas)[2]
    draw_place(canvas, canvas.area, LOOK, ["Draw pile"])
    assert "Draw pile" in rows(canvas)[2]
    draw_place(canvas, canvas.area, LOOK)
    assert rows(canvas)[2] == "╎" + " " * 9 + "╎"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_the_window_fit_the_smallest(language: str) -> None:
    _ = translator(language)
    inside = 28  # columns of the window of 80 columns within its frame
    assert all(len(_(term)) + 2 * 5 <= inside for term in LABELS.values()), "terms and two columns of points"
    assert all(5 + len(_(text)) <= inside for text in (command.value.label for command in COMMANDS))
    assert all(_(text) for text in ACTIONS.values())


@pytest.mark.parametrize(("by_hand", "first"), [(False, " U   Use a card "), (True, " P   Pick ")])
def test_the_window_lists_first_what_is_needed_first(by_hand: bool, first: str) -> None:
    async def steps(_pilot: Pilot[int], table: TableScreen) -> None:
        text = screen_text(table.app)
        assert first in text.splitlines()[2]
        assert (" P   Pick " in text) is by_hand

    at_once(manual_pick=by_hand)
    play(steps, options(["human", "basic"], manual_pick=by_hand))


def test_the_legend_names_every_short_form() -> None:
    for name, language in (("english", "en"), ("french", "fr"), ("german", "de")):
        words = theme(name)
        lines = legend(Words(translator(language), words), symbols=True)
        for card in Card:
            if not card.miles:
                (line,) = (line for line in lines if line.startswith(words.symbol_of(card)))
                assert all(form in line for form in words.forms_of(card))
    assert "❂ Puncture-proof  Proof, PPF      against Flat Tire" in legend(Words.of(), symbols=True)
    assert legend(Words.of(), symbols=False)[0].startswith("Accident ")


def test_every_action_has_its_own_keys() -> None:
    assert all(KEYMAP.values())
    keys = list(itertools.chain.from_iterable(KEYMAP.values()))
    assert len(keys) == len(set(keys))
    assert textual_keymap(KEYMAP) == {}
    assert textual_keymap({"use": ("u",), "save": ("f5", "f6")}) == {"table.save": "f5,f6"}
    assert key_name("question_mark", translator("en")) == "?"
    assert key_name("ctrl+l", translator("en")) == "Ctrl-L"
    assert [key_name(key, translator("fr")) for key in ("enter", "escape", "delete")] == ["Entrée", "Échap", "Suppr"]


@at_table("human", "basic", keymap={**KEYMAP, "use": ("j",), "help": ("f9",)})
async def test_keys_of_ones_own_work_at_the_table(pilot: Pilot[int], table: TableScreen) -> None:
    assert ("J", "use", "use") in table.choices.choices
    await pilot.press("u", "1")
    assert (table.input.verb, table.input.place) == (None, 1)
    await pilot.press("escape", "J", "1")
    assert (table.input.verb, table.input.place) == (Action.PLAY, 1)
    await pilot.press("f9")
    await pilot.pause()
    assert "J " in screen_text(table.app)
