"""English sentences of ours, to be looked for where only French ones may be."""

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

from millebornes.i18n import translator

__all__ = ["english_in"]

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
def _pieces() -> tuple[str, ...]:
    """What stands between placeholders in our texts, and in no French one."""
    catalogue = translator("fr")._catalogue._catalog  # type: ignore[attr-defined]
    french = "\n".join(str(text) for text in catalogue.values())
    pieces = {
        found[0] for text in _literals() for part in re.split(r"\{[^}]*\}", text) for found in WORDS.finditer(part)
    }
    return tuple(sorted(piece for piece in pieces if len(piece) > 6 and piece not in french))


def english_in(text: str) -> set[str]:
    """The English words of ours that stand in a text, however its lines are broken."""
    joined = " ".join(text.split())
    return {piece for piece in _pieces() if re.search(rf"(?<!\w){re.escape(piece)}(?!\w)", joined)}
