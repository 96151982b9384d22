"""A new language is a folder: a made-up one is added to a copy of the package, and everything offers and speaks it."""

import gettext
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest

import millebornes
from millebornes.i18n import LOCALE
from millebornes.themes import theme

PACKAGE = Path(millebornes.__file__).parent
MARK = "§"
"""Stands before every text of the made-up language."""

LANGUAGE = """
name = "Zzyzx"
yes_key = "j"
decimal_mark = "·"

[words]
use = ["zuse"]
discard = ["zdiscard"]
yes = ["zyes"]
"""

SCREENS = """
import asyncio

from millebornes.tui.full.screens.start_flow import MilleApp
from millebornes.tui.plain import PlayOptions
from tests.full.playing import at_once, screen_text, seated, until

async def run():
    app = MilleApp(PlayOptions(language="zz"))
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, app.ready.is_set)
        row = app.screen.query_one("#row-language")
        print("offered:", *(choice.label for choice in row.choices))
        print(screen_text(app))
        await pilot.press("enter")
        await seated(pilot)
        print("table:")
        print(screen_text(app))
        await pilot.press("q", "j")
        await until(pilot, lambda: app.return_value is not None)

at_once()
asyncio.run(run())
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package with one folder more; everything else in it is the package itself."""
    mofile = pytest.importorskip("babel.messages.mofile")
    catalog = pytest.importorskip("babel.messages.catalog").Catalog(locale="en")
    package = tmp_path_factory.mktemp("copy") / "millebornes"
    locale = package / "locale"
    locale.mkdir(parents=True)
    for folder, skipped in ((PACKAGE, {"locale", "__pycache__"}), (PACKAGE / "locale", {"zz"})):
        for path in folder.iterdir():
            if path.name not in skipped:
                (package / path.relative_to(PACKAGE)).symlink_to(path)
    new = locale / "zz"
    (new / "cards").mkdir(parents=True)
    (new / "LC_MESSAGES").mkdir()
    (new / "language.toml").write_text(LANGUAGE, encoding="utf-8")
    cards = LOCALE.joinpath("en", "cards", "english.toml").read_text(encoding="utf-8")
    for card, name in theme("english").names.items():
        if not card.miles:
            cards = cards.replace(f'name = "{name}"', f'name = "Z{name[::-1].lower()}"')
    (new / "cards" / "zzyzx.toml").write_text(cards, encoding="utf-8")
    with LOCALE.joinpath("fr", "LC_MESSAGES", "millebornes.mo").open("rb") as stream:
        known = gettext.GNUTranslations(stream)._catalog  # type: ignore[attr-defined]
    for text in known:
        if text and isinstance(text, str):
            catalog.add(text, MARK + text)
    buffer = BytesIO()
    mofile.write_mo(buffer, catalog)
    (new / "LC_MESSAGES" / "millebornes.mo").write_bytes(buffer.getvalue())
    return package.parent


def run(copy: Path, home: Path, *command: str, typed: str = "") -> str:
    """What a program says that takes the copy for the package."""
    path = os.pathsep.join([str(copy), str(PACKAGE.parents[1])])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1", "HOME": str(home)}
    environment |= {name: str(home) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    done = subprocess.run(
        [sys.executable, *command], input=typed, env=environment, capture_output=True, encoding="utf-8", timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_commands_offer_it_and_speak_it(copy: Path, tmp_path: Path) -> None:
    assert "zz" in run(copy, tmp_path, "-m", "millebornes", "play", "--help")
    said = run(copy, tmp_path, "-m", "millebornes", "editions", "--language", "zz")
    assert f"{MARK}Classic" in said
    assert "The rules of Mille Bornes" in run(copy, tmp_path, "-m", "millebornes", "rules", "--language", "zz"), (
        "not translated"
    )


def test_the_line_game_speaks_it(copy: Path, tmp_path: Path) -> None:
    options = ("--plain", "--language", "zz", "--player", "human", "--player", "random", "--seed", "7")
    typed = "zuse Zllor\nzdiscard 1\n?\nq\nd\nj\n"
    said = run(copy, tmp_path, "-m", "millebornes", "play", *options, typed=typed)
    assert f"{MARK}Mille Bornes. Type ? at any time for help." in said
    assert f"{MARK}You play Zllor" in said, "its word for use, and its name for the card"
    assert f"{MARK}You discard" in said
    assert f"{MARK}(y/N)" in said
    kept = [path.name for path in tmp_path.rglob("*.jsonl")]
    assert kept == [], "its letter for yes"


@pytest.mark.slow
def test_the_start_screen_and_a_table_speak_it(copy: Path, tmp_path: Path) -> None:
    said = run(copy, tmp_path, "-c", SCREENS)
    offered, _, rest = said.partition("\n")
    start, _, table = rest.partition("table:\n")
    assert "Zzyzx" in offered
    assert f"{MARK}▶ Play" in start
    assert f"{MARK}Tutorial (T)" in start
    assert MARK in table
    assert any(f"Z{name[::-1].lower()}" in table for name in theme("english").names.values())


def test_the_web_offers_it_and_speaks_it(copy: Path, tmp_path: Path) -> None:
    pytest.importorskip("starlette")
    code = """
from millebornes.web.pages.locale_text import LANGUAGE_NAMES, words_of
from starlette.requests import Request
words = words_of(Request({"type": "http", "headers": [(b"accept-language", b"zz;q=0.9,fr;q=0.8")]}))
print(LANGUAGE_NAMES["zz"], words.language, words.theme.name, words.translate("Create table"))
"""
    assert run(copy, tmp_path, "-c", code).split() == ["Zzyzx", "zz", "zzyzx", f"{MARK}Create", "table"]
