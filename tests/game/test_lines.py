from millebornes.game import LINES
from millebornes.rules.clauses import SCORE_LINES


def test_sheets_have_the_lines_that_kernels_write() -> None:
    assert LINES == SCORE_LINES
