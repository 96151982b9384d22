"""Two tables that differ in one hidden safety look alike to everyone else, whatever happens there (R5.5)."""

import os
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from millebornes.table import commands, facts
from millebornes.web.http.table_commands import TABLE_COMMANDS
from tests.web.twins import COMMANDS, Apart, Twins, drive

CAMPAIGN = int(os.environ.get("MILLEBORNES_TWINS", "100000"))
"""How many commands the long run gives."""


@pytest.mark.slow
def test_nothing_that_anyone_does_tells_who_holds_a_safety() -> None:
    """Random commands of every kind."""
    given, found, apart = drive("daily", 1_500)
    assert apart > 15, "the hidden safety hardly ever decided who was asked"
    assert found["Undone"] + found["Agreed"] > 5
    assert given.total() >= 1_500


@pytest.mark.campaign
def test_nothing_that_anyone_does_tells_who_holds_a_safety_for_long() -> None:
    """The same for minutes: every fact that a log can hold occurs."""
    _, found, _ = drive("campaign", CAMPAIGN)
    assert {kind.__name__ for kind in facts.FACT_KINDS} - set(found) == {"Created"}


def test_a_seed_repeats() -> None:
    logs = []
    for _ in range(2):
        twins = Twins("again")
        for _ in range(150):
            twins.step()
        logs.append(twins.transcript())
    assert logs[0] == logs[1]


def test_each_command_at_a_table_is_among_those_that_are_tried() -> None:
    """If this fails, let `Twins.anyone_does_anything` give the new command, which isn't made by a check alone."""
    tried = {"moves" if name == "move" else name for name in COMMANDS}
    # Whether a seat is asked is stored beside the log; tests of the server look at it.
    assert {command.name for command in TABLE_COMMANDS} - tried == {"asking"}


def _as_before(command: Callable[..., Any]) -> Callable[..., Any]:
    def asked_again(*args: Any) -> Any:
        event = command(*args)
        return None if event is None else msgspec.structs.replace(event, settled=False)

    return asked_again


def test_a_leak_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until November 2026, only those were asked again after an undo who did not hold the safety."""
    monkeypatch.setattr(commands, "undo", _as_before(commands.undo))
    monkeypatch.setattr(commands, "request", _as_before(commands.request))
    with pytest.raises(Apart, match="seed"):
        drive("m", 40_000)
