"""A file that an interrupted arena goes on from."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from millebornes.errors import MALFORMED, SaveError
from millebornes.simulation.outcome import Outcome
from millebornes.simulation.schedule import Plan
from millebornes.storage.atomic import write_atomically

__all__ = ["FORMAT", "Checkpoint", "read_checkpoint", "write_checkpoint"]

FORMAT: Final = "millebornes-arena/1"


class Checkpoint(NamedTuple):
    """The rounds done so far, without gaps from the first on.

    ``recorded`` tells whether their transcripts were written, ``seconds`` what the work took in all runs, ``joined``
    how many players there were from which deal on (`millebornes.simulation.ladder`).
    """

    outcomes: list[Outcome]
    recorded: bool = False
    seconds: float = 0.0
    joined: tuple[tuple[int, int], ...] = ()


def write_checkpoint(path: Path, plan: Plan, state: Checkpoint) -> None:
    """Replace the file in one step. Raises `SaveError`."""
    data = {
        "format": FORMAT,
        "plan": plan.key(),
        "recorded": state.recorded,
        "seconds": round(state.seconds, 3),
        "joined": [list(row) for row in state.joined],
        "outcomes": [outcome[:9] for outcome in state.outcomes],
    }
    write_atomically(path, json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")


def read_checkpoint(path: Path, plan: Plan) -> Checkpoint:
    """What the file holds; nothing when there is no such file. Whether its games are those of the plan is not checked.

    Raises `SaveError` when the file is damaged, or belongs to another plan (which may ask for more games, and a ladder
    may have more players at its end).
    """
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return Checkpoint([])
    except OSError as error:
        raise SaveError(f"{path}: cannot be read ({error.strerror or error})") from None
    try:
        data = json.loads(text)
        found = data["format"]
    except MALFORMED:
        raise SaveError(f"{path}: this is no checkpoint of an arena") from None
    if found != FORMAT:
        raise SaveError(f'{path}: a checkpoint\'s format is "{FORMAT}", not {found!r}')
    try:
        kept, wanted = data["plan"], json.loads(json.dumps(plan.key()))
        if plan.ladder:
            wanted["players"] = wanted["players"][: len(kept["players"])]
        for name in wanted:
            if kept[name] != wanted[name]:
                raise SaveError(f"{path}: this checkpoint belongs to another run: {_difference(name, kept, wanted)}")
        outcomes = [_outcome(plan, row) for row in data["outcomes"]]
        recorded, seconds = bool(data["recorded"]), float(data["seconds"])
        joined = tuple((int(deal), int(count)) for deal, count in data["joined"])
        before = 0
        for deal, count in joined:
            if not before < count <= len(kept["players"]) or deal < 0 or (before == 0) != (deal == 0):
                raise ValueError(joined)
            before = count
    except MALFORMED:
        raise SaveError(f"{path}: this checkpoint is damaged") from None
    return Checkpoint(outcomes, recorded, seconds, joined)


def _outcome(plan: Plan, row: Sequence[Any]) -> Outcome:
    deal, turn, order, totals, hands, shares, moves, seconds, forfeit = row
    sides = plan.rules.sides
    for values in (order, totals, shares, moves, seconds):
        if len(values) != sides or not all(isinstance(value, int | float) for value in values):
            raise ValueError(values)
    fault = None if forfeit is None else (int(forfeit[0]), str(forfeit[1]))
    return Outcome(
        int(deal),
        int(turn),
        tuple(order),
        tuple(totals),
        int(hands),
        tuple(shares),
        tuple(moves),
        tuple(seconds),
        fault,
    )


def _difference(name: str, kept: dict[str, Any], wanted: dict[str, Any]) -> str:
    was, now = kept[name], wanted[name]
    if name == "rules":
        name = next((field for field in now if was.get(field) != now[field]), name)
        was, now = was.get(name), now.get(name)
    return f"its {name} is {json.dumps(was, ensure_ascii=False)}, not {json.dumps(now, ensure_ascii=False)}"
