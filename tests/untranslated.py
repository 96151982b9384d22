"""English sentences of ours, to be looked for where only those of another language may be."""

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

from millebornes.i18n import LANGUAGES, language, translator

__all__ = ["COMPLETE", "english_in"]

COMPLETE = [code for code in LANGUAGES[1:] if language(code).is_complete]
"""The languages that everything is translated to."""

SOURCES = Path(__file__).parents[1] / "src" / "millebornes"
SHOWN = ("tui", "session", "rulebook")
"""The packages whose texts are shown."""
WORDS = re.compile(r"[A-Za-z][a-z']+(?:[ ,]+[A-Za-z][a-z']+)+")
"""Two words or more, one after the other."""


def _docstrings(tree: ast.AST) -> set[int]:
    bodies = [node.body for node in ast.walk(tree) if hasattr(node, "body") and isinstance(node.body, list)]
    expressions = [part for body in bodies for part in body if isinstance(part, ast.Expr)]
    return {id(part.value) for part in expressions}


def _literals() -> Iterator[str]:
    for package in SHOWN:
        for path in sorted((SOURCES / package).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            docstrings = _docstrings(tree)
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                    yield node.value


@functools.cache
def _pieces(code: str) -> tuple[str, ...]:
    """What stands between placeholders in our texts, and in no text of the other language."""
    catalogue = translator(code)._catalogue._catalog  # type: ignore[attr-defined]
    translated = "\n".join(str(text) for text in catalogue.values())
    pieces = {
        found[0] for text in _literals() for part in re.split(r"\{[^}]*\}", text) for found in WORDS.finditer(part)
    }
    return tuple(sorted(piece for piece in pieces if len(piece) > 6 and piece not in translated))


def english_in(text: str, code: str) -> set[str]:
    """The English words of ours that stand in a text, however its lines are broken."""
    joined = " ".join(text.split())
    return {piece for piece in _pieces(code) if re.search(rf"(?<!\w){re.escape(piece)}(?!\w)", joined)}
