"""The reference game against recorded matches that an independent referee has replayed."""

import json
from pathlib import Path

import pytest

from tests.reference.replay import EXAMPLES, ordered, replay_lines

TRANSCRIPTS = sorted(path for path in EXAMPLES.glob("*.jsonl") if not path.name.endswith(".replay.jsonl"))


def test_there_are_examples() -> None:
    assert len(TRANSCRIPTS) == 7


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_replays_as_recorded(path: Path) -> None:
    recorded = [json.loads(line) for line in path.with_suffix(".replay.jsonl").read_text(encoding="utf-8").splitlines()]
    computed = list(replay_lines(path))
    for line, (ours, theirs) in enumerate(zip(computed, recorded, strict=False), 1):
        assert ordered(ours) == ordered(theirs), f"line {line}"
    assert len(computed) == len(recorded)
