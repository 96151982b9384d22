"""The golden playthroughs replay as they were recorded (see golden.py for how they are made)."""

import pytest

from tests.notation.golden import FOLDER, NAMES, play, replay_text


def test_every_table_has_one() -> None:
    assert sorted(path.name for path in FOLDER.glob("*.jsonl")) == sorted(
        f"{name}{end}" for name in NAMES for end in (".jsonl", ".replay.jsonl")
    )
    assert len(NAMES) == 20


@pytest.mark.parametrize("name", NAMES)
def test_golden(name: str) -> None:
    transcript = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    assert replay_text(transcript) == (FOLDER / f"{name}.replay.jsonl").read_text(encoding="utf-8")
    assert play(name) == transcript
