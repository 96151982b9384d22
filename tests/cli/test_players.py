import functools
import json
import shlex
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from millebornes.arena import cost
from millebornes.cli import cli
from millebornes.errors import PlayerError
from millebornes.players import (
    FULL_INFORMATION_PLAYERS,
    PLAYERS,
    ExternalPlayer,
    Player,
    PlayerInfo,
    RandomPlayer,
    available,
)
from millebornes.roster import FULL_INFORMATION, ROSTER


@pytest.fixture(scope="module", autouse=True)
def measured_once() -> Iterator[None]:
    """What a move of a player costs is measured once for all tests here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cost, "cost_of_moves", functools.cache(cost.cost_of_moves))
        yield


def run(*words: str) -> str:
    result = CliRunner().invoke(cli, ["players", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.slow
def test_players_are_listed_with_how_they_think_and_what_a_move_costs() -> None:
    *lines, last, file, net = run().splitlines()
    assert [line.split()[0] for line in lines] == [*PLAYERS, *FULL_INFORMATION_PLAYERS]
    assert last.split() == ["cmd:COMMAND", *ExternalPlayer.summary.split(), "(its", "own", "time)"]
    assert file.split()[:3] == ["py:FILE.py", "a", "class"]
    assert net.split()[:3] == ["onnx:FILE.onnx", "a", "net"]
    for line, made in zip(lines, (PLAYERS | FULL_INFORMATION_PLAYERS).values(), strict=True):
        assert made.summary in line
        assert " ms a move" in line
    assert [line.endswith(", for the arena only)") for line in lines] == [False] * len(PLAYERS) + [True] * len(
        FULL_INFORMATION_PLAYERS
    )
    assert [line.split()[0] for line in lines if ", the default" in line] == ["casual"]
    shown = {line.split()[0]: line for line in lines}
    assert f", Elo {ROSTER['beginner'].elo:+d})" in shown["beginner"]
    assert f", Elo {ROSTER['maxims'].elo:+d})" in shown["maxims"]
    assert "Elo" not in shown["random"]


def test_players_as_json() -> None:
    *found, program, file, net = json.loads(run("--json"))
    assert (file["name"], file["source"], file["ms_per_move"]) == ("py:FILE.py", "file", None)
    assert (net["name"], net["source"], net["ms_per_move"]) == ("onnx:FILE.onnx", "file", None)
    assert (program["name"], program["source"], program["ms_per_move"]) == ("cmd:COMMAND", "program", None)
    assert [entry["name"] for entry in found] == [*PLAYERS, *FULL_INFORMATION_PLAYERS]
    for entry in found:
        assert entry["ms_per_move"] > 0
        assert entry["problem"] is None
        assert entry["source"] == "built-in"
    assert [entry["default"] for entry in found] == [entry["name"] == "casual" for entry in found]
    assert [entry["sees_everything"] for entry in found] == [
        entry["name"] in FULL_INFORMATION_PLAYERS for entry in found
    ]
    assert [entry["elo"] for entry in found] == [known.elo for known in (*ROSTER.values(), *FULL_INFORMATION.values())]


def test_a_broken_player_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    found = available() | {"lost": PlayerInfo("lost", "", "lost-package", "the player 'lost' could not be loaded")}
    monkeypatch.setattr("millebornes.players.available", lambda: found)
    assert "lost            cannot play: the player 'lost' could not be loaded" in run()
    assert json.loads(run("--json"))[-4]["ms_per_move"] is None


def test_a_player_that_cannot_be_made_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    def cost_of_moves(name: str) -> float:
        raise PlayerError(f"the player {name!r} could not be created")

    monkeypatch.setattr("millebornes.arena.cost.cost_of_moves", cost_of_moves)
    assert "random          cannot play: the player 'random' could not be created" in run()


class Point:
    """An entry point of another package."""

    name = "hasty"
    value = "hasty_package:Hasty"
    dist = SimpleNamespace(name="hasty-package")

    def load(self) -> type[Player]:
        return RandomPlayer


def test_players_of_other_packages_are_listed_with_what_a_move_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "entry_points", lambda group: [Point()])
    found = next(line for line in run().splitlines() if line.startswith("hasty "))
    assert RandomPlayer.summary in found
    assert found.endswith(" ms a move, from hasty-package)")


def test_named_players_alone_are_listed_with_options_and_programs(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    if m['type'] == 'hello': print('{\"type\":\"ready\"}', flush=True)\n"
        "    if m['type'] == 'choose': print(json.dumps({'move': m['legal'][0]}), flush=True)\n"
    )
    command = f"cmd:{shlex.quote(sys.executable)} -I {shlex.quote(str(bot))}"
    found = json.loads(run("maxims:points", command, "random", "random", "--json"))
    assert [entry["name"] for entry in found] == ["maxims:points", command, "random"]
    assert [entry["problem"] for entry in found] == [None] * 3
    assert all(0 < entry["ms_per_move"] < 100 for entry in found)
    assert [entry["source"] for entry in found] == ["built-in", "program", "built-in"]


@pytest.mark.parametrize(("name", "message"), [("maxim", "did you mean 'maxims'?"), ("cmd:no-such-bot", "no-such-bot")])
def test_names_of_no_player_are_refused(name: str, message: str) -> None:
    result = CliRunner().invoke(cli, ["players", name])
    assert result.exit_code == 2
    assert message in result.output
