"""Keys of one's own: what the file may say, and what is said about a wrong one."""

import asyncio
from pathlib import Path

import pytest

from millebornes.errors import SaveError
from millebornes.i18n import LANGUAGES, translator
from millebornes.tui.full.screens.dialogs import Reader
from millebornes.tui.full.screens.start import StartScreen
from millebornes.tui.full.screens.start_flow import MilleApp
from millebornes.tui.full.terminal.keys import KEYMAP, canonical_key, keys_file, load_keys, write_default_keys
from millebornes.tui.plain import PlayOptions
from tests.full.playing import screen_text, until

USUAL = dict(KEYMAP)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path))
    keys_file().parent.mkdir(parents=True)


def load(text: str) -> dict[str, tuple[str, ...]]:
    keys_file().write_text(text, encoding="utf-8")
    found = load_keys()
    assert not found.faults
    return found.keys


def test_without_a_file_all_is_as_usual() -> None:
    assert load_keys() == (USUAL, ())


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("P", "p"),
        ("?", "question_mark"),
        ("@", "at"),
        ("-", "minus"),
        ("+", "plus"),
        (" ", "space"),
        ("é", "é"),
        ("Ctrl-L", "ctrl+l"),
        ("^L", "ctrl+l"),
        ("ctrl++", "ctrl+plus"),
        ("shift+ctrl+Left", "ctrl+shift+left"),
        ("Return", "enter"),
        ("DEL", "delete"),
        ("F12", "f12"),
        ("shift+1", "shift+1"),
        ("exclamation_mark", "exclamation_mark"),
        ("less_than_sign", "less_than_sign"),
    ],
)
def test_keys_by_many_names(written: str, key: str) -> None:
    assert canonical_key(written) == key
    assert canonical_key(key) == key


def test_every_usual_key_is_known_by_its_own_name() -> None:
    for keys in KEYMAP.values():
        assert [canonical_key(key) for key in keys] == list(keys)


def test_what_the_file_gives_replaces_what_is_usual() -> None:
    found = load('[keys]\npick = ["f5", "F5", "é"]\nuse = "p"\nhelp = []\n')
    assert found == {**USUAL, "pick": ("f5", "é"), "use": ("p",), "help": ()}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('[keys]\npik = ["x"]', ["pik", "did you mean 'pick'?"]),
        ('[keys]\nzzz = ["x"]', ["zzz", "the actions are use, discard, confirm"]),
        ('[keys]\npick = ["u"]', ["pick", "'u'", "usual key of use", "use = []"]),
        ('[keys]\npick = ["x"]\nuse = ["X"]', ["'x'", "pick", "use", "only one meaning"]),
        ('[keys]\npick = ["entr"]', ["pick", "'entr'", "did you mean 'enter'?"]),
        ('[keys]\npick = ["contrl+x"]', ["pick", "did you mean 'ctrl'?"]),
        ('[keys]\npick = ["shift+a"]', ["shift+a", "capitals aren't separate keys", "write 'a'"]),
        ('[keys]\npick = [""]', ["pick", "empty", "f5"]),
        ('[keys]\npick = ["\\u0007"]', ["pick", "a key that can be typed"]),
        ("[keys]\npick = 3", ["pick", 'such as ["p", "f5"]']),
        ("[keys]\npick = [3]", ["pick", 'such as ["p", "f5"]']),
        ("keys = 3", ["keys", "[keys]"]),
        ("[key]\n", ["'key'", "did you mean 'keys'?"]),
        ("[keys]\npick = ]", ["not a TOML file", "line 2"]),
        (f"[keys]\npick = {'9' * 5000}", ["line 2", "thousands of digits"]),
    ],
)
def test_errors_name_what_where_and_what_would_be_right(text: str, parts: list[str]) -> None:
    keys_file().write_text(text, encoding="utf-8")
    keys, (fault,) = load_keys()
    assert {**keys, "pick": USUAL["pick"]} == USUAL  # of two that clash, one keeps its key
    assert fault.startswith(f"{keys_file()}: ")
    for part in parts:
        assert part in fault


def test_all_mistakes_are_told_at_once_and_the_rest_holds() -> None:
    keys_file().write_text('[keys]\npik = ["x"]\nuse = ["entr", "contrl+x"]\npick = ["f5"]\nhelp = ["f5"]\n[more]\n')
    keys, faults = load_keys()
    assert keys == {**USUAL, "pick": ("f5",)}
    assert len(faults) == 5
    for part, fault in zip(("more", "pik", "entr", "contrl", "given to both pick and help"), faults, strict=True):
        assert part in fault


def test_what_goes_back_to_its_usual_key_may_send_others_back() -> None:
    keys_file().write_text('[keys]\npick = ["u"]\nuse = ["entr"]\n')
    keys, faults = load_keys()
    assert keys == USUAL
    assert "usual key of use" in faults[-1]


def test_the_game_starts_with_a_file_that_has_mistakes() -> None:
    async def run() -> None:
        app = MilleApp(PlayOptions(), KEYMAP, key_faults=("one is wrong", "and another"))
        async with app.run_test() as pilot:
            await until(pilot, lambda: isinstance(app.screen, Reader))
            text = screen_text(app)
            assert "one is wrong" in text
            assert "and another" in text
            assert "The usual keys are used instead." in text
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, StartScreen))

    asyncio.run(run())


def test_files_that_cannot_be_read() -> None:
    keys_file().write_bytes(b"\xff\xfe")
    keys, (fault,) = load_keys()
    assert keys == USUAL
    assert "not UTF-8 text" in fault
    keys_file().unlink()
    keys_file().mkdir()
    assert "cannot be read" in load_keys().faults[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_written_file_changes_nothing_until_it_is_changed(language: str) -> None:
    path = write_default_keys(translator(language))
    assert path == keys_file()
    assert load_keys() == (USUAL, ())
    text = path.read_text(encoding="utf-8")
    without = "\n".join(line.removeprefix("# ") if " = [" in line else line for line in text.splitlines())
    path.write_text(without, encoding="utf-8")
    assert load_keys() == (USUAL, ())


def test_the_file_is_never_written_over() -> None:
    keys_file().write_text("mine")
    with pytest.raises(SaveError, match="already exists"):
        write_default_keys(translator())
    assert keys_file().read_text() == "mine"


def test_the_example_in_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "keys.md").read_text(encoding="utf-8")
    keys_file().write_text(page.partition("```toml\n")[2].partition("```")[0], encoding="utf-8")
    found = load_keys().keys
    assert found["hint"] == ("f5", "i")
    assert found["redraw"] == ("ctrl+l",)
    assert found["one_key"] == ()
    assert found["pick"] == ("p",)
