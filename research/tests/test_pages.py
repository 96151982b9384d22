"""Tables that are written into pages of the notebook."""

from pathlib import Path

from millebornes_research.pages import write_section

PAGE = """Before.

<!-- lab: goal --hands 20 -->

old

<!-- end -->

Between.

<!-- lab: goal --hands 200 -->

| 1 |

<!-- end -->
"""


def test_only_the_section_of_this_name_changes(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    write_section(page, "lab: goal --hands 20", r"| \1 ± 2 |")
    assert page.read_text(encoding="utf-8") == PAGE.replace("old", r"| \1 ± 2 |")
    write_section(page, "lab: goal --hands 20", "old")
    assert page.read_text(encoding="utf-8") == PAGE
    write_section(page, "lab: goal", "new")
    assert page.read_text(encoding="utf-8") == PAGE
