"""What documents, docstrings and comments name exists: modules, classes, functions and files.

A name that was moved or renamed is otherwise noticed only by whoever looks for it.
"""

import ast
import importlib.util
import pkgutil
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "millebornes"
RESEARCH = ROOT / "research"
MODULES = [*sorted(SOURCE.rglob("*.py")), *sorted((RESEARCH / "src").rglob("*.py"))]
SCRIPTS = [
    path
    for folder in (ROOT / "scripts", RESEARCH / "scripts")
    for path in sorted(folder.rglob("*"))
    if path.is_file() and path.suffix != ".pyc"
]
PAGES = [
    *(ROOT / name for name in ("README.md", "pyproject.toml", "research/README.md")),
    *sorted((RESEARCH / "notebook").glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "changelog.d").glob("*.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
]
TEXTS = [*PAGES, *SCRIPTS, *MODULES]

DOTTED = re.compile(r"(?<![\w./-])millebornes(?:\.[A-Za-z_]\w*)+")
NO_MODULES = {"millebornes.po", "millebornes.mo", "millebornes.commands", "millebornes.players"}  # files, entry points
FILE = re.compile(r"(?<![\w$/.-])(?:\w+/)+[\w-]+\.(?:py|md|toml|tcss|c|pl|svg|cast)\b")
IN_BACKTICKS = re.compile(r"(?<!`)`([A-Za-z_]\w*(?:\.\w+)*)(?:\(\))?`(?!`)")


def found(pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """All that the pattern finds in the texts, each with its place."""
    for path in TEXTS:
        text = path.read_text(encoding="utf-8")
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path.relative_to(ROOT).as_posix()}:{line}", match[0]


def exists(name: str) -> bool:
    """Whether a dotted name leads to a module or to something in one."""
    try:
        pkgutil.resolve_name(name)
    except (AttributeError, ImportError):
        return False
    return True


def test_dotted_names_exist() -> None:
    places: dict[str, str] = {}
    for place, name in found(DOTTED):
        places.setdefault(name, place)
    assert len(places) > 300
    missing = {name: place for name, place in places.items() if name not in NO_MODULES and not exists(name)}
    assert missing == {}


def test_named_files_exist() -> None:
    places: dict[str, str] = {}
    for place, name in found(FILE):
        places.setdefault(name, place)
    assert len(places) > 30
    folders = (ROOT, ROOT / "docs", SOURCE, ROOT / "src", RESEARCH, RESEARCH / "notebook")
    missing = {name: place for name, place in places.items() if not any((folder / name).exists() for folder in folders)}
    assert missing == {}


def identifiers(tree: ast.AST) -> Iterator[str]:
    """All names that stand in a module: defined, used, taken as an argument, imported, or a key of data."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
                yield name
            case ast.alias(name=name):
                yield from name.split(".")
            case ast.Constant(value=str(text)) if text.isidentifier():
                yield text


def prose(path: Path, tree: ast.AST) -> Iterator[str]:
    """All docstrings and comments of a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""
    with path.open("rb") as stream:
        yield from (token.string for token in tokenize.tokenize(stream.readline) if token.type == tokenize.COMMENT)


def test_names_in_docstrings_and_comments_exist() -> None:
    # What stands in single backticks is code: every part of it is a name of the sources, or of Python.
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}
    known = {name for tree in trees.values() for name in identifiers(tree)}
    known |= {part for path in MODULES for part in path.relative_to(ROOT).with_suffix("").parts}
    missing = {
        f"{path.relative_to(ROOT).as_posix()}: {name}"
        for path, tree in trees.items()
        for text in prose(path, tree)
        for name in IN_BACKTICKS.findall(text)
        if not known.issuperset(parts := name.split(".")) and importlib.util.find_spec(parts[0]) is None
    }
    assert missing == set()
