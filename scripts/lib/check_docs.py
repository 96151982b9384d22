"""Checks the built documentation: every local link leads somewhere, and no part of the site is missing.

python check_docs.py FOLDER
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

PARTS = ("404.html", "index.html", "llms.txt", "search.html", "_static/social-card.png")
MADE_BY_SPHINX = ("_modules", "genindex", "py-modindex", "search")


class Page(HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a link or an anchor."""
        for name, value in attrs:
            if value and name in {"id", "name"}:
                self.anchors.add(value)
            elif value and name in {"href", "src"} and tag != "base":
                self.links.append(value)


def broken_links(folder: Path) -> list[str]:
    """Return each local link that leads nowhere, with its page."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        if path.relative_to(folder).as_posix().startswith(("_static", *MADE_BY_SPHINX)):
            continue
        for link in dict.fromkeys(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchors = pages[target].anchors if target in pages else set()
            is_anchor_missing = target in pages and bool(parts.fragment) and unquote(parts.fragment) not in anchors
            if not target.exists() or is_anchor_missing:
                found.append(f"{path.relative_to(folder)}: {link} leads nowhere")
    return found


def main() -> int:
    """Print what is wrong with the folder that the command line names."""
    folder = Path(sys.argv[1]).resolve()
    wrong = [f"{part} is missing" for part in PARTS if not (folder / part).is_file()]
    wrong += broken_links(folder)
    index = (folder / "index.html").read_text(encoding="utf-8") if (folder / "index.html").is_file() else ""
    if not re.search(r'<meta property="og:title"', index):
        wrong.append("index.html has no social card")
    for fault in wrong:
        print(f"check_docs: {fault}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
