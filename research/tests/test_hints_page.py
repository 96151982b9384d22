"""The page of hints: positions of all kinds, each of which can be asked about."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from millebornes.editions import EDITIONS
from millebornes.game import Action, InformationState, Phase

RESEARCH = Path(__file__).resolve().parents[1]
PAGE: dict[str, Any] = runpy.run_path(str(RESEARCH / "scripts" / "hints-page"), run_name="page")
POSITIONS = PAGE["POSITIONS"]
WRITTEN = (RESEARCH / "notebook" / "hints.md").read_text(encoding="utf-8")


def test_there_are_positions_of_all_kinds_for_every_edition() -> None:
    views = [InformationState.parse(position.state).view for position in POSITIONS]
    assert len(views) == 20
    assert {view.rules.edition for view in views} >= set(EDITIONS)
    assert {view.rules.seats for view in views} >= {2, 3, 4}
    assert {view.phase for view in views} == {Phase.PLAY, Phase.COUP, Phase.OPENING, Phase.EXTEND}
    assert any(view.draw_pile == 0 for view in views)
    assert any(all(move.action is Action.DISCARD for move in view.legal_moves) for view in views)


@pytest.mark.parametrize("number", range(1, 21))
def test_the_page_shows_each_position_with_all_its_moves(number: int) -> None:
    position = POSITIONS[number - 1]
    _before, head, rest = WRITTEN.partition(f"\n## {number}. {position.title}\n")
    section = rest.partition("\n## ")[0]
    assert head
    assert position.about in section
    assert f"\n{position.state}\n" in section
    rows = [line for line in section.splitlines() if line.startswith("| ")][2:]  # after the head and the rule
    assert len(rows) == len(InformationState.parse(position.state).view.legal_moves)


@pytest.mark.once
def test_the_page_is_what_hints_say() -> None:
    for number in (2, 3):
        assert PAGE["section"](number, POSITIONS[number - 1]) in WRITTEN
