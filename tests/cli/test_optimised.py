"""``python -OO`` removes docstrings and assertions, and nothing that a user meets depends on them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HELP = """
from click.testing import CliRunner
from millebornes.cli import COMMANDS, cli
for words in [[], *([name] for name in COMMANDS)]:
    print(CliRunner().invoke(cli, [*words, "--help"]).output)
"""
GAME = "import sys; from millebornes.cli import main; sys.exit(main(sys.argv[1:]))"
COPIES = """
import copy
from millebornes.envs.single import HandEnv
from millebornes.envs.vector import HandVectorEnv
assert False, "assertions are left out here"
for one in (HandEnv(), HandVectorEnv()):
    twin = copy.deepcopy(one)
    print(one.np_random.bit_generator.state == twin.np_random.bit_generator.state)
"""


def printed(options: list[str], home: Path, *words: str, typed: str = "") -> str:
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8", "XDG_DATA_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, *options, "-c", *words],
        input=typed,
        capture_output=True,
        encoding="utf-8",
        env=environment,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.replace(str(home), "HOME")


def test_every_help_text_is_the_same(tmp_path: Path) -> None:
    usual = printed([], tmp_path, HELP)
    assert "Play Mille Bornes, the classic French road-race card game." in usual
    assert printed(["-OO"], tmp_path, HELP) == usual


@pytest.mark.slow
def test_a_game_is_the_same(tmp_path: Path) -> None:
    words = ("play", "--plain", "--seed", "5", "--player", "human", "--player", "casual")
    typed = "d 1\n" * 12
    usual, bare = (
        printed(options, tmp_path / str(len(options)), GAME, *words, typed=typed) for options in ([], ["-OO"])
    )
    assert usual.count("Your move") > 10
    assert bare == usual


@pytest.mark.slow
def test_copies_of_what_was_never_seeded_are_alike(tmp_path: Path) -> None:
    assert printed(["-OO"], tmp_path, COPIES) == "True\nTrue\n"
