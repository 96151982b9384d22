"""How the documentation is built: `sphinx-build -W -b html docs docs/_build/html`."""

import millebornes

project = "millebornes"
author = "The millebornes authors"
copyright = author
version = release = millebornes.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]

myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3

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
