"""What the rules say, in a few numbers: the points of each line, and hashes of the editions' settings and the clauses.

    python -m tests.rules.fingerprint --write    writes them anew, for a higher `RULES_VERSION`

`tests/data/rules.json` has those with which the stored tables, nets and logs were made.
"""

import hashlib
import inspect
import itertools
import json
import sys
import typing
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from millebornes.cards import ANSWERS, HAZARDS, SAFETIES, Card
from millebornes.editions import Rules, make_rules
from millebornes.editions.fields import FIELDS, RuleSettings
from millebornes.errors import EditionError
from millebornes.rules import clauses
from millebornes.rules.clauses import SCORE_SHEET, Reason, Status
from millebornes.rules.tables import status_of
from millebornes.rules.version import RULES_VERSION
from tests.editions.values import VALUES
from tests.reference.randoms import KNOWN_TABLES

PATH = Path(__file__).parent.parent / "data" / "rules.json"

EDITIONS: tuple[Rules, ...] = tuple(make_rules(name, seats, sides) for name, seats, sides in KNOWN_TABLES)


def _other_settings() -> Iterator[Rules]:
    """Rules that differ from the classic ones in one setting."""
    for name, values in VALUES.items():
        for value in values:
            try:
                yield make_rules("classic", 4, 4, {"goal": 700, "extension_goal": 1000}).replace({name: value})
            except EditionError:
                continue  # the goal isn't below the extension goal


RULES: tuple[Rules, ...] = (*EDITIONS, *dict.fromkeys(_other_settings()))
STATUSES = tuple(dict.fromkeys(status_of(word) for word in range(512)))
BOOLEANS = (False, True)
TOTALS = tuple(itertools.product((0, 4975, 5000, 5025), repeat=3))

BY_TYPE: dict[Any, Sequence[Any]] = {
    Card: tuple(Card),
    Card | None: (*HAZARDS, None),
    int | None: (*range(3), None),
    Status: STATUSES,
    bool: BOOLEANS,
    clauses.Held: tuple(
        clauses.Held._make((*held, two_hundreds))
        for held in itertools.product(BOOLEANS, repeat=7)
        for two_hundreds in range(3)
    ),
    clauses.Needs: tuple(clauses.Needs(*needs) for needs in itertools.product(BOOLEANS, repeat=3)),
}
"""What is tried for a parameter of this type."""

BY_NAME: dict[str, Sequence[Any]] = {
    "hazard": HAZARDS,
    "safety": SAFETIES,
    "answer": tuple(ANSWERS),
    "miles": range(0, 1001, 25),
    "two_hundreds": range(4),
    "goal": (700, 1000),
    "distance": range(0, 1001, 25),
    "safeties": range(5),
    "coups": range(5),
    "others": range(4),
    "seat": range(4),
    "other": range(4),
    "side": range(4),
    "target": (*range(4), 5000),
    "after": range(3),
    "attacker": range(4),
    "caller": range(4),
    "first": range(4),
    "seats": (4,),
    "seen": range(2),
    "held": range(8),
    "draw_pile": (0, 1, 2, 50),
    "hand_size": (3, 6),
    "hands": ([1, 1, 1, 1], [0, 1, 0, 1], [0, 0, 0, 1], [1, 0, 0, 0]),
    "totals": TOTALS,
    "tie": ("draw", "play_on"),
    "test": tuple(clauses.EndTest),
    "best": (4975, 5000, 5025),
    "best_other": (4975, 5000, 5025),
    "points": (4975, 5000, 5025),
    "sides": range(1, 4),
}
"""What is tried for a parameter with this name, if its type says too little."""

FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(clauses, name) for name in clauses.__all__ if inspect.isfunction(getattr(clauses, name))
}


def _domains(function: Callable[..., Any]) -> dict[str, Sequence[Any]]:
    """What is tried for each parameter of a clause function."""
    kinds = typing.get_type_hints(function)
    names = list(inspect.signature(function).parameters)
    found: dict[str, Sequence[Any]] = {}
    for name in names:
        kind = kinds[name]
        if kind is Rules:
            found[name] = SETTINGS if Status in kinds.values() else RULES
        elif kind is Card and name in BY_NAME:
            found[name] = BY_NAME[name]
        else:
            found[name] = BY_TYPE[kind] if kind in BY_TYPE else BY_NAME[name]
    return found


SETTINGS: tuple[Rules, ...] = (*(rules for rules in EDITIONS if rules.seats == 2), *RULES[len(EDITIONS) :])
"""Rules for functions of a status, whose answers don't depend on the table."""


def _plain(answer: Any) -> Any:
    """An answer without its words, which may change: of a refusal, only the fact."""
    if isinstance(answer, Reason):
        return "refused"
    if isinstance(answer, frozenset):
        return sorted(answer)
    if isinstance(answer, tuple):
        return [_plain(one) for one in answer]
    return answer


def answers_of(function: Callable[..., Any]) -> str:
    """A hash of the answers of a clause function for everything that is tried."""
    domains, digest = _domains(function), hashlib.sha256()
    for values in itertools.product(*domains.values()):
        arguments = dict(zip(domains, values, strict=True))
        try:
            answer = _plain(function(**arguments))
        except KeyError:
            answer = "no answer"  # for example, no safety protects against a remedy
        digest.update(f"{answer}\n".encode())
    return digest.hexdigest()[:16]


def points() -> dict[str, int | str]:
    """The points of each line of the score sheet, or the setting that they come from."""
    return {line.name: line.setting or line.points for line in SCORE_SHEET}


def settings() -> dict[str, str]:
    """A hash of the settings of each edition at each of its tables, leaving out those that have their usual value."""
    usual = RuleSettings()
    found = {}
    for rules in EDITIONS:
        own = [(name, value) for name in FIELDS if (value := getattr(rules, name)) != getattr(usual, name)]
        found[f"{rules.edition} {rules.table}"] = hashlib.sha256(repr(own).encode()).hexdigest()[:16]
    return found


def fingerprint() -> dict[str, Any]:
    """What `tests/data/rules.json` holds about the rules as they are."""
    answers = {name: answers_of(function) for name, function in FUNCTIONS.items()}
    return {"rules_version": RULES_VERSION, "points": points(), "settings": settings(), "clauses": answers}


def main() -> None:
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.rules.fingerprint --write")
    stored = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else {}
    found = {**stored, **fingerprint()}
    changed = {name for name in ("points", "settings", "clauses") if name in stored and stored[name] != found[name]}
    if changed and stored["rules_version"] == RULES_VERSION:
        sys.exit("the rules have changed, but RULES_VERSION has not: raise it first")
    PATH.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()


__all__ = ["FUNCTIONS", "PATH", "answers_of", "fingerprint", "points", "settings"]
