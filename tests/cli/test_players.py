import json

import pytest
from click.testing import CliRunner

from millebornes.cli import cli
from millebornes.errors import PlayerError
from millebornes.players import PLAYERS, PlayerInfo, available


def run(*words: str) -> str:
    result = CliRunner().invoke(cli, ["players", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_players_are_listed_with_how_they_think_and_what_a_move_costs() -> None:
    lines = run().splitlines()
    assert [line.split()[0] for line in lines] == list(PLAYERS)
    for line, made in zip(lines, PLAYERS.values(), strict=True):
        assert made.summary in line
        assert " ms a move" in line
    assert lines[0].endswith(" ms a move, the default)")


def test_players_as_json() -> None:
    found = json.loads(run("--json"))
    assert [entry["name"] for entry in found] == list(PLAYERS)
    for entry in found:
        assert 0 < entry["ms_per_move"] < 100
        assert entry["problem"] is None
        assert entry["source"] == "built-in"
    assert [entry["default"] for entry in found] == [True, False, False]


def test_a_broken_player_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    found = available() | {"lost": PlayerInfo("lost", "", "lost-package", "the player 'lost' could not be loaded")}
    monkeypatch.setattr("millebornes.players.available", lambda: found)
    assert "lost    cannot play: the player 'lost' could not be loaded" in run()
    assert json.loads(run("--json"))[-1]["ms_per_move"] is None


def test_a_player_that_cannot_be_made_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    def cost_of_moves(name: str) -> float:
        raise PlayerError(f"the player {name!r} could not be made")

    monkeypatch.setattr("millebornes.simulation.benchmarks.cost_of_moves", cost_of_moves)
    assert "random  cannot play: the player 'random' could not be made" in run()
