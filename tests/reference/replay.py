"""Replays recorded matches with the reference game and gives the lines of the replay format."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from millebornes.editions import make_rules
from tests.reference.game import ReferenceGame

EXAMPLES = Path(__file__).parent.parent / "data" / "examples"


def replay_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Every line that a transcript's replay prints; raises `AssertionError` where a recorded score differs."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    head = lines[0]
    rules = make_rules(head["edition"], head["seats"], head["sides"], head.get("set", {}))
    totals = [0] * rules.sides
    for line in lines[1:]:
        if "result" in line:
            break
        game = ReferenceGame(rules, line["deck"], line["first"])
        for move in line["moves"]:
            yield game.replay_line(line["hand"], move)
            game.play(move)
        if game.over:
            assert line.get("scores", game.scores()) == game.scores()
            totals = [total + sheet["total"] for total, sheet in zip(totals, game.scores(), strict=True)]
            yield game.end_line(line["hand"])
    target = head.get("match_target", 5000)
    best = max(totals)
    winner: int | str | None = "unfinished"
    if target is not None and best >= target:
        leaders = [side for side, total in enumerate(totals) if total == best]
        if len(leaders) == 1:
            winner = leaders[0]
        elif rules.tie == "draw":
            winner = None
    yield {"totals": totals, "winner": winner}


def ordered(line: dict[str, Any]) -> dict[str, Any]:
    """A replay line whose safeties are in a fixed order, for comparison."""
    if "sides" in line:
        for side in line["sides"]:
            side["safeties"].sort()
            side["coups_fourres"].sort()
    return line


__all__ = ["EXAMPLES", "ordered", "replay_lines"]
