"""The session shown in docs/play.md is what the program says."""

import re
from pathlib import Path

from millebornes.editions import make_rules
from millebornes.tui.plain import Options
from tests.plain.inside import Home

DOCUMENT = Path(__file__).parents[2] / "docs" / "play.md"


def test_the_session_in_the_documentation_is_real(home: Home) -> None:
    block = DOCUMENT.read_text(encoding="utf-8").partition("```text\n")[2].partition("```")[0]
    command, _, session = block.partition("\n")
    assert command == "$ millebornes play --plain --edition bsd --player human --player basic --seed 7"
    typed = re.findall(r"^Your move: (.+)$", session, re.MULTILINE)
    played = home.play(Options(rules=make_rules("bsd"), seats=("human", "basic"), seed="7"), typed)
    shown = re.sub(r"^(Your move:).*$", r"\1", session, flags=re.MULTILINE)
    said = re.sub(r"^(Your move:).*$", r"\1", played.text, flags=re.MULTILINE)
    assert said.startswith(shown)
    assert len(typed) >= 4
