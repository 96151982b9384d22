"""Each public method of the game layer has an example in its docstring."""

import inspect

import pytest

import millebornes.game as game
from millebornes.rules.clauses import SCORE_LINES

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


def test_sheets_have_the_lines_that_kernels_write() -> None:
    assert game.LINES == SCORE_LINES
