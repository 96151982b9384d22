"""The table of the lines of the score sheet, and what is written out beside it."""

import pytest

from millebornes.game import Scoresheet
from millebornes.schema.documents import field_notes
from millebornes.schema.transcript import ScoreObject
from millebornes.score_lines import SCORE_LINES, SCORE_SHEET, ScoreLine, Topic


def test_each_line_is_a_topic() -> None:
    assert [topic.value for topic in Topic] == [*SCORE_LINES, "later"]


def test_the_records_follow_from_the_table() -> None:
    assert tuple(Scoresheet().to_dict()) == (*SCORE_LINES, "total")
    assert list(field_notes(ScoreObject)) == [*SCORE_LINES, "total"]


@pytest.mark.parametrize("line", SCORE_SHEET, ids=SCORE_LINES)
def test_a_line_has_points_a_label_and_reasons(line: ScoreLine) -> None:
    assert (line.points > 0) != bool(line.setting)
    assert line.label
    assert line.per in line.meaning
    for text in (line.reasons.own, *line.reasons.others):
        assert "{best}" in text
        assert "{other}" in text
    assert all(line.reasons)
    for texts in (line.reasons.rival_more, line.reasons.rival_less):
        assert isinstance(texts, str) or all("{rival}" in text for text in texts)
