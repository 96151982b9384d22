"""Write measured tables into the pages of the notebook."""

import re
from pathlib import Path

from millebornes.storage.files import write_atomically


def write_section(page: Path, name: str, text: str) -> None:
    """Replace the text of a page between the comments ``<!-- NAME -->`` and ``<!-- end -->``."""
    place = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
    changed = place.sub(lambda match: f"{match[1]}\n{text}\n\n{match[2]}", page.read_text(encoding="utf-8"))
    write_atomically(page, changed.encode())
