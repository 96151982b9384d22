"""The structure of the sources: what neither the linter nor the import rules can say."""

import ast
import functools
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it

ROOT = Path(__file__).parents[1]
SOURCES = (ROOT / "src", ROOT / "research" / "src")
MOST_PARAMETERS = 8
WORD = re.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def module_name(path: Path, source: Path) -> str:
    """The name by which a file is imported."""
    return ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_name(path, source): path for source in SOURCES for path in sorted(source.rglob("*.py"))}


@functools.cache
def tree(module: str) -> ast.Module:
    """A module, parsed."""
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def functions(module: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """All functions and methods of a module."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


# ---------------------------------------------------------------- imports


def imported(module: str) -> set[str]:
    """The modules of both trees that a module imports anywhere, also in functions and for types alone."""
    found = set()
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: a relative import"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in MODULES else node.module or "")
    return (found & MODULES.keys()) - {module}


def circles() -> list[list[str]]:
    """The groups of modules that import each other, directly or by a detour (strongly connected components)."""
    edges = {module: imported(module) for module in MODULES}
    reached = {module: reachable(edges, module) for module in MODULES}
    groups = {
        tuple(sorted({module, *(other for other in reached[module] if module in reached[other])})) for module in MODULES
    }
    return sorted(list(group) for group in groups if len(group) > 1)


def reachable(edges: Mapping[str, set[str]], start: str) -> set[str]:
    """All modules that one leads to."""
    found: set[str] = set()
    left = [start]
    while left:
        for module in edges[left.pop()] - found:
            found.add(module)
            left.append(module)
    return found


def test_modules_import_each_other_in_no_circle() -> None:
    # Imports within functions count too, and those for types: a circle would need them.
    assert circles() == []


def test_folders_import_each_other_in_no_pair() -> None:
    """Only the face of the whole package, and ``python -m``, lead to everything."""
    faces = {"millebornes", "millebornes.__main__", "millebornes_research.__main__"}
    folder = {module: path.parent for module, path in MODULES.items()}
    pairs = {
        (folder[module], folder[other]): f"{module} imports {other}"
        for module in MODULES.keys() - faces
        for other in imported(module)
        if folder[module] != folder[other]
    }
    assert {pairs[one, other] for one, other in pairs if (other, one) in pairs} == set()


def test_the_design_names_every_package() -> None:
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    section = text.partition("## The packages")[2].partition("\n## ")[0]
    named = [row.split("`")[1] for row in section.splitlines() if row.startswith("| `")]
    found = {module.split(".")[1] for module in MODULES if module.startswith("millebornes.")}
    packages = {name for name in found if not name.startswith("_")}
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    (layers,) = [contract["layers"] for contract in contracts if contract["id"] == "layers"]
    planned = {name.strip("() ") for layer in layers for name in layer.replace(":", "|").split("|")}
    assert len(named) == len(set(named))
    assert packages <= set(named), "a package that docs/design.md does not describe"
    assert set(named) <= planned
    assert packages <= planned, "a package that the import rules do not know"


# ---------------------------------------------------------------- sizes


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many parameters a function has; ``self`` and ``cls`` do not count."""
    given = function.args
    named = [argument.arg for argument in [*given.posonlyargs, *given.args, *given.kwonlyargs]]
    return len(named) - (named[:1] in (["self"], ["cls"])) + (given.vararg is not None) + (given.kwarg is not None)


def is_command(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether click calls it, with one argument for each option of the command line."""
    return any(ast.unparse(decorator).startswith("click.") for decorator in function.decorator_list)


def test_functions_take_few_parameters() -> None:
    # More belong into one record.
    found = {
        f"{module}.{function.name}": parameters(function)
        for module in MODULES
        for function in functions(module)
        if parameters(function) > MOST_PARAMETERS and not is_command(function)
    }
    assert found == {}


# ---------------------------------------------------------------- names

NAMEDTUPLE = {"_asdict", "_fields", "_field_defaults", "_make", "_replace"}  # public, whatever they look like


def top(module: str) -> str:
    """The package that a module belongs to, by its first level."""
    return ".".join(module.split(".")[:2])


def is_private(name: str) -> bool:
    """Whether a name belongs to where it is defined (``_`` alone translates texts)."""
    return len(name) > 1 and name.startswith("_") and not name.startswith("__") and name not in NAMEDTUPLE


def defined(module: str) -> set[str]:
    """All names that a module defines at any depth: functions, classes, variables, attributes, parameters."""
    found = set()
    for node in ast.walk(tree(module)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
                found.add(name)
    return found


def test_private_names_stay_in_their_package() -> None:
    # A private name of another package: imported, or asked of an object.
    private: dict[str, set[str]] = {}
    for module in MODULES:
        private.setdefault(top(module), set()).update(filter(is_private, defined(module)))
    found = set()
    for module in MODULES:
        own = private[top(module)]
        foreign = set().union(*(names for package, names in private.items() if package != top(module))) - own
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.Attribute) and node.attr in foreign:
                found.add(f"{module}: {node.attr}")
            elif isinstance(node, ast.ImportFrom) and top(node.module or "") != top(module):
                ours = (node.module or "").startswith("millebornes")
                found |= {f"{module}: {alias.name}" for alias in node.names if ours and is_private(alias.name)}
    assert found == set()


def test_no_two_classes_of_the_product_have_the_same_name() -> None:
    places: dict[str, list[str]] = {}
    for module in MODULES:
        if module.startswith("millebornes."):
            for node in ast.walk(tree(module)):
                if isinstance(node, ast.ClassDef):
                    places.setdefault(node.name, []).append(module)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


PLAIN = {
    "coolness": "temperature",
    "counsel": "advice",
    "foreseen": "planned",
    "hopeful": "promising",
    "nought": "zero",
    "noughts": "zeros",
    "sayings": "maxims",
    "seer": "full information",
    "seers": "full information",
    "thumb": "heuristic",
}
"""Words that are not to be used in names, each with the usual term of the field."""


def test_names_use_the_terms_of_the_field() -> None:
    found = {
        f"{module}: {name}"
        for module in MODULES
        for name in defined(module) | set(module.split("."))
        if PLAIN.keys() & {word.lower() for word in WORD.findall(name)}
    }
    assert found == set()


# ---------------------------------------------------------------- what is said of fields


def unexplained(module: str) -> Iterator[str]:
    """The fields of a module's public classes that neither have a docstring nor stand in that of their class."""
    for made in tree(module).body:
        if not isinstance(made, ast.ClassDef) or made.name.startswith("_") or made.name == "Rules":
            continue  # of the settings of rules, `FIELDS` says what they are
        about = ast.get_docstring(made) or ""
        for field, after in zip(made.body, [*made.body[1:], None], strict=True):
            if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
                continue
            explained = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            if not explained and f"``{field.target.id}" not in about and not field.target.id.startswith("_"):
                yield f"{module}.{made.name}.{field.target.id}"


def test_fields_are_explained() -> None:
    """All fields of the records that programs of others read."""
    from_outside = re.compile(
        r"millebornes\.(game\.(?!svg|position)\w+|analysis\.(match_review|records)|editions\.model"
        r"|players\.external\.messages|arena\.(outcome|report|schedule|statistics)|envs\.trajectories)"
    )
    read = [module for module in MODULES if from_outside.fullmatch(module)]
    assert len(read) > 20
    assert [field for module in read for field in unexplained(module)] == []
