"""Programs as players of the terminal game."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import millebornes

DRIVER = Path(__file__).parents[2] / "examples" / "bots" / "driver.py"

pytestmark = pytest.mark.skipif(not DRIVER.exists(), reason="the examples are not here")


def play(home: Path, *words: str, text: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "millebornes", "play", "--plain", "--language", "en", *words],
        input=text,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "MILLEBORNES_HOME": str(home)},
    )


def test_a_program_takes_a_seat_and_a_save_with_it_asks_for_trust(tmp_path: Path) -> None:
    save = tmp_path / "game.jsonl"
    bot = f"cmd:{sys.executable} -I {DRIVER}"
    words = ["--player", bot, "--player", "basic", "--match-target", "300", "--seed", "1", str(save)]
    done = play(tmp_path / "home", *words)
    assert "Traceback" not in done.stderr
    assert done.returncode == 0, done.stderr
    assert save.exists()
    assert json.loads(save.read_text("utf-8").splitlines()[0])["players"] == ["driver", "basic"]
    assert "driver" in done.stdout
    assert "cmd:" not in done.stdout
    done = play(tmp_path / "home", str(save))
    assert done.returncode == 2
    assert "this saved game starts a program as a player" in done.stderr
    assert str(DRIVER) in done.stderr
    assert play(tmp_path / "home", str(save), "--trust").returncode == 0


def test_a_program_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    done = play(tmp_path, "--player", "cmd:/no/such/bot")
    assert done.returncode == 2
    assert "there is no program '/no/such/bot' that can be run" in done.stderr


def test_a_forfeit_ends_the_match_in_words(tmp_path: Path) -> None:
    crashing = 'import sys; sys.stderr.write(chr(27) + chr(0x202E) + "no petrol\\n\\n"); sys.exit(3)'
    done = play(tmp_path, "--player", f"cmd:{sys.executable} -c '{crashing}'", "--player", "basic")
    assert done.returncode == 0
    assert not done.stderr
    assert " forfeits the match: it ended, with exit status 3; its last line on standard error: " in done.stdout
    assert "no petrol.\n" in done.stdout
    assert not {chr(27), chr(0x202E)} & set(done.stdout)
    assert "Sam wins the match." in done.stdout


def test_an_edition_of_ones_own_is_found_again_from_any_folder(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text((Path(millebornes.__file__).parent / "editions" / "bsd.toml").read_text())
    done = subprocess.run(
        [sys.executable, "-m", "millebornes", "play", "--plain", "--edition", "mine.toml", "--set", "goal=600"],
        input="",
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "MILLEBORNES_HOME": str(tmp_path / "home")},
    )
    assert done.returncode == 0, done.stderr
    assert f"Same as last time ({mine}, with goal = 600; 2 seats" in play(tmp_path / "home").stdout
