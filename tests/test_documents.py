"""The examples in README.md and docs/ are tests: each fenced `python` block runs, each `>>>` answer is compared.

The examples of one page build on each other, so a page is one test.
"""

from doctest import ELLIPSIS, NORMALIZE_WHITESPACE
from pathlib import Path

import pytest
from sybil import Sybil
from sybil.parsers.myst import PythonCodeBlockParser, SkipParser

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SYBIL = Sybil(
    parsers=[PythonCodeBlockParser(doctest_optionflags=ELLIPSIS | NORMALIZE_WHITESPACE), SkipParser()], path=str(ROOT)
)
EXAMPLES = {page: list(SYBIL.parse(page).examples()) for page in PAGES}


@pytest.mark.parametrize("page", [page for page in PAGES if EXAMPLES[page]], ids=lambda page: page.name)
def test_examples(page: Path) -> None:
    for example in EXAMPLES[page]:
        example.evaluate()
