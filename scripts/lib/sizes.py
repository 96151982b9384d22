"""Prints how many modules and lines each folder of both trees has. It judges nothing: no check depends on it.

python sizes.py
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {"product": ROOT / "src" / "millebornes", "research": ROOT / "research" / "src" / "millebornes_research"}
KINDS = {".py", ".js", ".css", ".tcss", ".html", ".c"}
OTHERS = "vendor"
"""The folder with files of other projects."""


def main() -> None:
    """Prints the table."""
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


if __name__ == "__main__":
    main()
