"""Private names of Textual are used in one module, and are what they were when Textual was pinned."""

import ast
import functools
import importlib
import importlib.metadata
import inspect
import pkgutil
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import textual
from textual.screen import Screen

import millebornes.tui.full
from millebornes.tui.full.terminal import textual_private
from millebornes.tui.full.terminal.textual_private import PRIVATE, HookedScreen

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it

ROOT = Path(__file__).parents[2]
HOME = textual_private.__name__

SIGNATURES = {
    "textual.app.App._handle_exception": "(self, error: 'Exception') -> 'None'",
    "textual.app.App._fatal_error": "(self) -> 'None'",
    "textual.app.App._display": "(self, screen: 'Screen', renderable: 'RenderableType | None') -> 'None'",
    "textual.screen.Screen._compositor_refresh": "(self) -> 'None'",
    "textual._compositor.Compositor.update_widgets": "(self, widgets: 'set[Widget]') -> 'None'",
    "textual._xterm_parser.XTermParser.feed": "(self, data: 'str') -> 'Iterable[Message]'",
    "textual._xterm_parser.XTermParser.tick": "(self) -> 'Iterable[T]'",
}
"""How the methods are called."""


def modules() -> Iterator[str]:
    """The modules of the full screen."""
    for found in pkgutil.walk_packages(millebornes.tui.full.__path__, "millebornes.tui.full."):
        yield found.name


def is_private(name: str) -> bool:
    return len(name) > 1 and name.startswith("_") and not name.startswith("__")


@functools.cache
def source(kind: Any) -> ast.Module:
    return ast.parse(textwrap.dedent(inspect.getsource(kind)))


@functools.cache
def defined(kind: Any) -> frozenset[str]:
    """The private names that a class defines: methods, attributes of the class, attributes of its objects."""
    found = set()
    for node in ast.walk(source(kind)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                found.add(name)
    return frozenset(filter(is_private, found))


@functools.cache
def of_textual() -> frozenset[str]:
    """All private names that Textual defines anywhere."""
    found = set()
    for path in Path(textual.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    found.add(name)
                case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                    found.add(name)
    return frozenset(filter(is_private, found))


def used_by_classes(module: Any) -> Iterator[str]:
    """Private names of Textual's classes that classes of a module override, set or use."""
    classes: list[Any] = [kind for kind in vars(module).values() if inspect.isclass(kind)]
    for kind in classes:
        if kind.__module__ != module.__name__:
            continue
        mixed: tuple[Any, ...] = Screen.__mro__ if issubclass(kind, HookedScreen) else ()  # a mixin has no other base
        bases: set[Any] = {*kind.__mro__, *mixed}
        theirs = set[str]().union(*(defined(base) for base in bases if base.__module__.startswith("textual.")))
        of_itself = {
            node.attr
            for node in ast.walk(source(kind))
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) in {"self", "super()"}
        }
        yield from sorted((of_itself | defined(kind)) & theirs)


def used(name: str, own: set[str]) -> set[str]:
    """The private names of Textual that a module uses; ``own`` are those that the full screen defines itself."""
    module = importlib.import_module(name)
    found = set(used_by_classes(module))
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        match node:
            case ast.ImportFrom(module=str(path), names=names) if path.startswith("textual"):
                hidden = any(is_private(part) for part in path.split("."))
                found |= {alias.name for alias in names if hidden or is_private(alias.name)}
            case ast.Attribute(value=value, attr=attr) if is_private(attr) and ast.unparse(value) != "os":
                found |= {attr} & of_textual() - own
    return found


def own_names() -> set[str]:
    """The private names that the modules of the full screen define, but for those that are taken from Textual."""
    found = set[str]()
    for name in set(modules()) - {HOME}:
        for node in ast.walk(ast.parse(inspect.getsource(importlib.import_module(name)))):
            match node:
                case ast.FunctionDef(name=made) | ast.AsyncFunctionDef(name=made):
                    found.add(made)
                case ast.Attribute(value=ast.Name(id="self"), attr=made, ctx=ast.Store()):
                    found.add(made)
    return set(filter(is_private, found))


def test_private_names_of_textual_are_used_in_one_module() -> None:
    own = own_names()
    found = {name: names for name in modules() if name != HOME and (names := used(name, own))}
    assert found == {}


def test_every_private_name_has_its_reason() -> None:
    names = {name.rpartition(".")[2] for name in PRIVATE}
    assert used(HOME, set()) - {"_parser"} == names
    for reason in PRIVATE.values():
        assert "https://github.com/Textualize/textual/" in reason or "see above" in reason or "No upstream" in reason


def test_private_names_are_what_they_were() -> None:
    for name in {*PRIVATE, *SIGNATURES}:
        owner, _dot, last = name.rpartition(".")
        try:
            holder: Any = importlib.import_module(owner)
        except ModuleNotFoundError:
            module, _dot, kind = owner.rpartition(".")
            if module == "textual.drivers.linux_driver":
                pytest.importorskip("termios")
            holder = getattr(importlib.import_module(module), kind)
        is_class = inspect.isclass(holder)
        if name in SIGNATURES:
            assert str(inspect.signature(getattr(holder, last))) == SIGNATURES[name], name
        elif is_class:
            assert last in defined(holder), name
        else:
            assert hasattr(holder, last), name


def test_textual_is_pinned_to_the_minor_version_that_was_tested() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        needed = tomllib.load(file)["project"]["dependencies"]
    (pin,) = [text for text in needed if text.startswith("textual")]
    major, minor, *_rest = importlib.metadata.version("textual").split(".")
    assert pin == f"textual>={major}.{minor},<{major}.{int(minor) + 1}"
