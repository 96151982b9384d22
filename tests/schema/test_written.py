"""What is written has exactly the fields that its Struct has."""

import json
import random
from typing import Any

import pytest
from msgspec import Struct

from millebornes.editions import make_rules
from millebornes.game import LINES, Hand, Match
from millebornes.notation import replay_lines, transcript_lines
from millebornes.schema.reading import field_names, read
from millebornes.schema.transcript import (
    DecisionLine,
    HandLine,
    HeaderLine,
    OutcomeLine,
    ResultLine,
    ScoreObject,
    TotalsLine,
)
from millebornes.schema.view import SideObject, ViewObject


def played(seed: int) -> Match:
    """A match of one hand, by chance."""
    rng, match = random.Random(seed), Match.start(make_rules(), seed=seed, players=("a", "b"), match_target=1)
    while not match.is_over:
        moves = match.hand.legal_moves
        match = match.play(moves[rng.randrange(len(moves))]) if not match.hand.is_over else match.next_hand()
    return match


def check(kind: type[Struct], data: Any) -> None:
    read(kind, data)
    assert list(data) == [name for name in field_names(kind) if name in data]


@pytest.mark.parametrize("seed", range(3))
def test_transcripts_and_their_replay(seed: int) -> None:
    lines = list(transcript_lines(played(seed)))
    header, *hands, result = map(json.loads, lines)
    check(HeaderLine, header)
    check(ResultLine, result)
    for hand in hands:
        check(HandLine, hand)
    *replayed, totals = (json.loads(line) for line in replay_lines(line.encode() for line in lines))
    check(TotalsLine, totals)
    for line in replayed:
        check(DecisionLine if "ply" in line else OutcomeLine, line)


def test_views_and_score_sheets() -> None:
    hand = Hand.deal(played(0).rules, 1)
    view = hand.view(0).to_dict()
    check(ViewObject, view)
    check(SideObject, view["sides"][0])
    assert field_names(ScoreObject) == (*LINES, "total")
