"""The examples in the notebook are tests, like those of the documentation."""

from doctest import ELLIPSIS, NORMALIZE_WHITESPACE
from pathlib import Path

import pytest
from sybil import Sybil
from sybil.parsers.myst import PythonCodeBlockParser, SkipParser

NOTEBOOK = Path(__file__).parents[1] / "notebook"
SYBIL = Sybil(
    parsers=[PythonCodeBlockParser(doctest_optionflags=ELLIPSIS | NORMALIZE_WHITESPACE), SkipParser()],
    path=str(NOTEBOOK),
)
EXAMPLES = {page: list(SYBIL.parse(page).examples()) for page in sorted(NOTEBOOK.glob("*.md"))}


@pytest.mark.parametrize("page", [page for page in EXAMPLES if EXAMPLES[page]], ids=lambda page: page.name)
def test_examples(page: Path) -> None:
    for example in EXAMPLES[page]:
        example.evaluate()
