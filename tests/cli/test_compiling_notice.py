"""The commands that weigh moves say it when they have to compile first, also where nobody looks at a terminal."""

from pathlib import Path

import pytest

from millebornes.cli import main
from millebornes.errors import MilleBornesError
from millebornes.players import kernel_parts, search_preparation
from tests.cli.test_rollout import HAND

GAME = Path(__file__).parents[1] / "data" / "examples" / "classic-2x2.jsonl"
COMMANDS = {
    "hint": ["hint", "--worlds", "8", "--at", "1:12", str(GAME)],
    "rollout": ["rollout", HAND, "--worlds", "8", "--no-cache"],
    "review": ["review", "--jobs", "1", str(GAME)],
}

pytestmark = pytest.mark.slow  # searches take a while to load


def _no_more(*_: object) -> None:
    raise MilleBornesError("a review takes too long for a test")


@pytest.mark.parametrize("command", COMMANDS.values(), ids=list(COMMANDS))
@pytest.mark.parametrize("is_there", [False, True], ids=["compiled first", "compiled before"])
def test_it_is_said_once(
    command: list[str], is_there: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kernel_parts, "is_prepared", lambda _what: is_there)
    monkeypatch.setattr(search_preparation, "compile_elsewhere", lambda *_: True)
    monkeypatch.setattr(search_preparation, "_ready", set())
    monkeypatch.setattr("millebornes.analysis.reviews.ReviewTask", _no_more)
    main(command)
    said = capsys.readouterr().err.splitlines()
    assert sum("compiling, the first time only" in line for line in said) == (not is_there)
