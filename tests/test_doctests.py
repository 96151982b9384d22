"""The examples in docstrings are tests. Those in `millebornes.game` may use the names in `names`."""

import doctest
import importlib
import importlib.util
from pathlib import Path
from typing import Any

import pytest

import millebornes.game as game
from millebornes.cards import Card
from millebornes.editions import make_rules

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
MODULES = [
    ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(SOURCES.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


def names() -> dict[str, Any]:
    """What examples in `millebornes.game` may name without importing it."""
    public = {name: getattr(game, name) for name in game.__all__}
    match = game.Match.start(make_rules("classic"), seed=1958)
    pandas = importlib.util.find_spec("pandas") is not None
    return {**public, "pandas": pandas, "Card": Card, "make_rules": make_rules, "hand": match.hand, "match": match}


def test_examples_are_found() -> None:
    assert {"millebornes.cards", "millebornes.game.hand", "millebornes.analysis"} <= set(MODULES)


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings(module: str) -> None:
    shared = names() if module.startswith("millebornes.game.") else {}
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    found = doctest.testmod(importlib.import_module(module), extraglobs=shared, optionflags=options)
    assert found.attempted > 0
    assert found.failed == 0
