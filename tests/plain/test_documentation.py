"""The sessions shown in docs/plain.md are what the program says."""

import re
from pathlib import Path

import pytest

from millebornes.editions import make_rules
from millebornes.table.setup import GameSetup
from millebornes.tui.plain import PlayOptions
from tests.plain.inside import Home

DOCS = Path(__file__).parents[2] / "docs"
DOCUMENT = DOCS / "plain.md"


@pytest.mark.parametrize(
    ("mode", "seed", "brief"),
    [("--plain", "7", None), ("--brief", "3", True)],
)
def test_the_sessions_in_the_documentation_are_real(home: Home, mode: str, seed: str, brief: bool | None) -> None:
    mark = f"```text\n$ millebornes play {mode} --edition bsd --player human --player basic --seed {seed}\n"
    session = DOCUMENT.read_text(encoding="utf-8").partition(mark)[2].partition("```")[0]
    typed = re.findall(r"^Your move: (.+)$", session, re.MULTILINE)
    options = PlayOptions(setup=GameSetup(rules=make_rules("bsd"), places=("human", "basic"), seed=seed), brief=brief)
    played = home.play(options, typed)
    shown = re.sub(r"^(Your move:).*$", r"\1", session, flags=re.MULTILINE)
    said = re.sub(r"^(Your move:).*$", r"\1", played.text, flags=re.MULTILINE)
    assert said.startswith(shown)
    assert len(typed) >= 4
