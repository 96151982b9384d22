"""Prints how many modules and lines each folder of both trees has, and figures of the structure of the product.

It judges nothing: no check depends on it. `scripts/figures` prints it. Private names that classes inherit are in
tests/full/test_textual_private.py.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {"product": ROOT / "src" / "millebornes", "research": ROOT / "research" / "src" / "millebornes_research"}
KINDS = {".py", ".js", ".css", ".tcss", ".html", ".c"}
OTHERS = "vendor"
"""The folder with files of other projects."""
SHORT = 60
"""Lines below which a module counts as short."""
HOMES = {"textual": "millebornes.tui.full.terminal.textual_private", "numba": "millebornes.kernels"}
"""The one place that may use private names of a library."""
RULES = ("game", "policies", "rules", "search")
"""The rooms whose business legality is. All others should ask them in one place."""


def imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """All imports of a module, those for types and in functions too: from where, and the name (or none)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)


def private_names(library: str, found: dict[str, list[tuple[str, str]]]) -> int:
    """How many private names of a library modules import that are not in its home."""
    return sum(
        any(part.startswith("_") and not part.startswith("__") for part in (*module.split("."), name))
        for user, imported in found.items()
        if not f"{user}.".startswith(f"{HOMES[library]}.")
        for module, name in imported
        if module.split(".")[0] == library
    )


def in_circles(found: dict[str, list[tuple[str, str]]]) -> list[str]:
    """The modules that import each other in circles, or lie between two: what is left without beginnings and ends."""
    edges = {
        user: {f"{module}.{name}" if f"{module}.{name}" in found else module for module, name in imported} - {user}
        for user, imported in found.items()
    }
    left, size = set(edges), 0
    while len(left) != size:
        size = len(left)
        left = {user for user in left if edges[user] & left}
        left &= {module for user in left for module in edges[user]}
    return sorted(left)


def in_pairs(found: dict[str, list[tuple[str, str]]], folders: dict[str, str]) -> list[str]:
    """The pairs of folders whose modules import each other. The face of the whole package leads to everything."""
    edges = {
        (folders[user], folders[other])
        for user, imported in found.items()
        for module, name in imported
        if (other := f"{module}.{name}" if f"{module}.{name}" in found else module) in found
    }
    return sorted(f"{one}+{other}" for one, other in edges if "" < one < other and (other, one) in edges)


def asks_legality(tree: ast.Module) -> bool:
    """Whether a module asks if one move is legal, or why it isn't: what decides about a move, or explains a refusal."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "why_not":
            return True
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            among = node.comparators[0]
            name = among.attr if isinstance(among, ast.Attribute) else among.id if isinstance(among, ast.Name) else ""
            if name in {"legal", "legal_moves"}:
                return True
    return False


def structure(folder: Path) -> dict[str, str]:
    """Figures of the structure of the product."""
    found, short = {}, 0
    folders, asking = dict[str, str](), list[str]()
    for path in sorted(folder.rglob("*.py")):
        name = ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__")
        text = path.read_text(encoding="utf-8")
        short += path.name != "__init__.py" and len(text.splitlines()) < SHORT
        tree, place = ast.parse(text), path.relative_to(folder)
        found[name], folders[name] = list(imports(tree)), place.parent.as_posix().strip(".")
        if place.parts[0] not in RULES and asks_legality(tree):
            asking.append(place.as_posix())
    circles, pairs = in_circles(found), in_pairs(found, folders)
    rooms = {place.split("/")[0] for place in folders.values() if place}
    return {
        "rooms": str(len(rooms)),
        "folders that import each other": f"{len(pairs)} {' '.join(pairs)}".rstrip(),
        "modules that ask whether a move is legal": f"{len(asking)} {' '.join(asking)}".rstrip(),
        f"modules under {SHORT} lines": str(short),
        "modules in circles of imports": f"{len(circles)} {' '.join(circles)}".rstrip(),
        **{f"private names of {name} elsewhere": str(private_names(name, found)) for name in HOMES},
    }


def print_sizes() -> None:
    """Prints the table and the figures."""
    for tree, folder in SOURCES.items():
        modules: Counter[str] = Counter()
        lines: Counter[str] = Counter()
        for path in sorted(folder.rglob("*")):
            if path.suffix in KINDS and OTHERS not in path.parts:
                parts = path.relative_to(folder).parts
                name = parts[0] if len(parts) > 1 else "(top)"
                modules[name] += path.suffix == ".py"
                lines[name] += len(path.read_text(encoding="utf-8").splitlines())
        print(f"{tree:<14} modules   lines")
        for name, count in sorted(lines.items()):
            print(f"  {name:<12} {modules[name]:>7} {count:>7}")
        print(f"  {'all':<12} {modules.total():>7} {lines.total():>7}\n")
    for what, figure in structure(SOURCES["product"]).items():
        print(f"{what}: {figure}")
