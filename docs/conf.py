"""How the documentation is built: `sphinx-build -W -b html docs docs/_build/html`.

Set `DOCS_URL` to the address that the pages are published at. Links in social cards and on the 404 page need it.
"""

import html
import os
import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

import millebornes

project = "millebornes"
author = "The millebornes authors"
copyright = author
version = release = millebornes.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]

myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3

autosummary_generate = False
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_default_options = {"members": True, "show-inheritance": True}
napoleon_google_docstring = True
napoleon_numpy_docstring = False

html_theme = "furo"
html_title = f"millebornes {release}"
html_css_files = ["site.css"]
html_static_path = ["_static"]
html_copy_source = False
html_baseurl = os.environ.get("DOCS_URL", "").rstrip("/") + "/" if os.environ.get("DOCS_URL") else ""

SUMMARY = "Play Mille Bornes, the classic French road-race card game, in your terminal or your browser."
CARD = "_static/social-card.png"
CARD_SIZE = (1200, 630)
LONGEST_SUMMARY = 200
"""The length of a description in search results and social cards."""


def first_sentences(document: nodes.document) -> str:
    """Return the start of a page as plain text, cut after whole sentences."""
    paragraph = next(iter(document.findall(nodes.paragraph)), None)
    text = re.sub(r"\s+", " ", paragraph.astext()) if paragraph is not None else SUMMARY
    while len(text) > LONGEST_SUMMARY and ". " in text:
        text = text.rpartition(". ")[0] + "."
    return text


def add_social_card(app: Sphinx, page: str, _template: str, context: dict[str, object], document: object) -> None:
    """Add the tags that other sites use to show a link to a page."""
    about = first_sentences(document) if isinstance(document, nodes.document) else SUMMARY
    title = re.sub(r"<[^>]*>", "", str(context.get("title", project)))
    root = str(app.config.html_baseurl)
    tags = {
        "og:type": "website",
        "og:site_name": project,
        "og:title": html.unescape(title),
        "og:description": about,
        "og:image": root + CARD,
        "og:image:width": str(CARD_SIZE[0]),
        "og:image:height": str(CARD_SIZE[1]),
        "twitter:card": "summary_large_image",
    }
    if root:
        tags["og:url"] = f"{root}{page}.html"
    lines = [f'<meta name="description" content="{html.escape(about)}">']
    lines += [f'<meta property="{name}" content="{html.escape(value)}">' for name, value in tags.items()]
    if page == "404" and root:  # it is shown at any address, so its links can't be relative
        lines.append(f'<base href="{html.escape(root)}">')
    context["metatags"] = str(context.get("metatags", "")) + "\n".join(lines)


def write_llms_txt(app: Sphinx, error: Exception | None) -> None:
    """Write `llms.txt`: all pages by section, with their first sentences, for language models."""
    if error is not None or app.builder.format != "html":
        return
    environment = app.builder.env
    index = (Path(app.srcdir) / "index.md").read_text(encoding="utf-8")
    sections = re.findall(r"^:caption: (.+?)\n.*?\n\n(.*?)^```", index, re.MULTILINE | re.DOTALL)
    lines = [f"# {project}", "", f"> {SUMMARY}"]
    for caption, pages in sections:
        lines += ["", f"## {caption}", ""]
        for page in pages.split():
            title = environment.titles[page].astext()
            about = first_sentences(environment.get_doctree(page))
            lines.append(f"- [{title}]({app.config.html_baseurl}{page}.html): {about}")
    (Path(app.outdir) / "llms.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Connect the functions above."""
    app.connect("html-page-context", add_social_card)
    app.connect("build-finished", write_llms_txt)
