"""The examples in the docstrings of the game layer are tests, and each public method has one."""

import doctest
import importlib
import importlib.util
import inspect
import pkgutil
from types import ModuleType
from typing import Any

import pytest

import millebornes.game as game
from millebornes.cards import Card
from millebornes.editions import make_rules

MODULES = [importlib.import_module(f"millebornes.game.{found.name}") for found in pkgutil.iter_modules(game.__path__)]
CLASSES = [
    game.Drew,
    game.Hand,
    game.InformationState,
    game.LegalMoves,
    game.Match,
    game.Move,
    game.Moved,
    game.Scoresheet,
    game.Standing,
    game.Tableau,
    game.View,
]
INTERNAL = {"from_position"}
"""Methods that only this package and `millebornes.notation` call."""


def names() -> dict[str, Any]:
    """What examples may name; ``hand`` and ``match`` are what the classes' docstrings say."""
    public = {name: getattr(game, name) for name in game.__all__}
    match = game.Match.start(make_rules("classic"), seed=1958)
    pandas = importlib.util.find_spec("pandas") is not None
    return {**public, "pandas": pandas, "Card": Card, "make_rules": make_rules, "hand": match.hand, "match": match}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_examples(module: ModuleType) -> None:
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for example in finder.find(module, extraglobs=names()):
        assert runner.run(example).failed == 0, example.name


@pytest.mark.parametrize("owner", CLASSES, ids=lambda owner: owner.__name__)
def test_each_public_method_has_an_example(owner: type) -> None:
    methods = {
        name: inspect.getdoc(member.__func__ if isinstance(member, classmethod) else member)
        for known in owner.__mro__
        if known.__module__.startswith("millebornes.game")
        for name, member in vars(known).items()
        if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, classmethod))
    }
    assert [name for name, text in methods.items() if ">>>" not in (text or "") and name not in INTERNAL] == []
