"""All that two servers answer is alike, if only a hidden safety makes the difference (R5.5)."""

import os
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from millebornes.table import commands
from millebornes.web.http import security
from millebornes.web.http.table_commands import TABLE_COMMANDS
from tests.web.twin_servers import LOOKS, drive_servers
from tests.web.twins import Apart

CAMPAIGN = int(os.environ.get("MILLEBORNES_TWIN_SERVERS", "20000"))
"""How many requests the long run sends."""


@pytest.mark.slow
def test_no_answer_tells_who_holds_a_safety() -> None:
    """Requests of every kind (6 s CPU)."""
    given, _done, apart = drive_servers("daily", 300)
    assert apart > 5, "the hidden safety hardly ever decided who was asked"
    assert given.total() >= 300


@pytest.mark.campaign
def test_no_answer_tells_who_holds_a_safety_for_long() -> None:
    """The same for minutes: every command is carried out, and everything is looked at."""
    given, done, _apart = drive_servers("campaign", CAMPAIGN)
    looks = {f"look at {what}" for what in LOOKS if what not in {"reconnect", "health"}}
    assert {command.name for command in TABLE_COMMANDS} | looks | {"join", "resume", "rematch", "hint"} <= done
    others = {"wait", "restart", "reconnect", "bot move", "open events", "open stream", "open bot"}
    assert others | {"page review", "look at health"} <= set(given)


def _as_before(command: Callable[..., Any]) -> Callable[..., Any]:
    def asked_again(*args: Any) -> Any:
        event = command(*args)
        return None if event is None else msgspec.structs.replace(event, settled=False)

    return asked_again


def test_a_leak_at_the_table_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until November 2026, only those were asked again after an undo who did not hold the safety."""
    monkeypatch.setattr(commands, "undo", _as_before(commands.undo))
    monkeypatch.setattr(commands, "request", _as_before(commands.request))
    with pytest.raises(Apart, match="seed"):
        drive_servers("m1", 20_000)


def test_a_leak_of_the_server_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here, the metrics and the log count the answers to a question that only one seat is asked."""
    monkeypatch.setattr(security, "is_private", lambda _scope, _seconds: False)
    with pytest.raises(Apart, match="seed"):
        drive_servers("m1", 20_000)
