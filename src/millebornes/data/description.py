"""The description stored in each file of a data set, so that the file can be read without the others."""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from millebornes._version import __version__
from millebornes.arena.schedule import MAX_GAMES, Plan
from millebornes.editions import Rules
from millebornes.errors import MALFORMED, MilleBornesError, TranscriptError
from millebornes.notation import header_line
from millebornes.notation.transcript import read_records

FORMAT: Final = "millebornes-data/1"
"""The name and the version number of the file format."""


class Description(NamedTuple):
    """The description of a file: its plan, the numbers of its games, and its games with forfeits (`Recording.lost`)."""

    plan: Plan
    numbers: range
    lost: dict[int, dict[str, Any]]

    @property
    def rules(self) -> Rules:
        """The rules of the games."""
        return self.plan.rules


def describe(plan: Plan, numbers: range, lost: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the description of a file as plain data.

    The table is described in the same way as in the first line of a transcript. The description leaves out the total
    number of games, so that the data set can grow.
    """
    return {
        "format": FORMAT,
        "program": __version__,
        "table": json.loads(header_line(plan.rules, match_target=plan.match_target)),
        "players": list(plan.players),
        "seed": plan.seed,
        "duplicate": plan.duplicate,
        "time_ms": plan.time_ms,
        "games": [numbers.start, numbers.stop - 1],
        "lost": {str(number): dict(what) for number, what in lost.items()},
    }


def read_description(text: bytes) -> Description:
    """Read a description made by `describe`. Raises `TranscriptError` if it is invalid."""
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise TranscriptError(f'the format is {data["format"]!r}; this version of the program reads "{FORMAT}"')
        header, _records = read_records([json.dumps(data["table"])], "table")
        first, last = data["games"]
        if not 1 <= first <= last <= MAX_GAMES:
            raise ValueError(data["games"])
        plan = Plan(
            rules=header.rules,
            players=tuple(map(str, data["players"])),
            games=last,
            match_target=header.match_target,
            seed=str(data["seed"]),
            duplicate=bool(data["duplicate"]),
            time_ms=data["time_ms"],
        )
        lost = {int(number): dict(what) for number, what in data["lost"].items()}
    except TranscriptError:
        raise
    except (*MALFORMED, MilleBornesError) as error:
        raise TranscriptError(f"its description is damaged ({error})") from None
    return Description(plan, range(first, last + 1), lost)
