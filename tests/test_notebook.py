"""The notebook of the documentation is run as it stands, and gives what is printed in it.

``MILLEBORNES_UPDATE=1`` writes its outputs anew; read what ``git diff`` shows of them.
"""

import ast
import json
import os
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[1] / "docs" / "tour.ipynb"


def output_of(source: str, names: dict[str, Any]) -> str | None:
    """Run a cell; what its last line is worth as a notebook shows it in text, None where that is nothing."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, NOTEBOOK.name, "exec"), names)
    if last is None:
        return None
    assert isinstance(last, ast.Expr)
    value = eval(compile(ast.Expression(last.value), NOTEBOOK.name, "eval"), names)
    return None if value is None else repr(value)


@pytest.mark.slow
def test_the_notebook_gives_what_it_shows() -> None:
    pytest.importorskip("pandas")
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        count += 1
        found = output_of("".join(cell["source"]), names)
        data = {"text/plain": [] if found is None else found.splitlines(keepends=True)}
        output = {"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"}
        outputs = [] if found is None else [output]
        if os.environ.get("MILLEBORNES_UPDATE"):
            cell["outputs"], cell["execution_count"] = outputs, count
        assert (cell["outputs"], cell["execution_count"]) == (outputs, count), "".join(cell["source"])
    assert count >= 8
    if os.environ.get("MILLEBORNES_UPDATE"):
        NOTEBOOK.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
