"""A recorded match of four seats that ends in a result, and ways to spoil it."""

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parent.parent / "data" / "examples"

Lines = list[str]
Spoiler = Callable[[Lines], bytes]


@functools.cache
def finished() -> tuple[str, ...]:
    """A header, two hands, and the result: side 1 has reached the target of 2000."""
    lines = (EXAMPLES / "classic-4x2.jsonl").read_text(encoding="utf-8").splitlines()
    head = json.loads(lines[0])
    head["match_target"] = 2000
    lines[0] = json.dumps(head, ensure_ascii=False)
    return (*lines, '{"result": {"totals": [2175, 2300], "winner": 1}}')


def joined(lines: Lines) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")


def change(number: int, edit: Callable[[Any], None]) -> Spoiler:
    """Edit the object of a line (from 1)."""

    def spoil(lines: Lines) -> bytes:
        data = json.loads(lines[number - 1])
        edit(data)
        lines[number - 1] = json.dumps(data)
        return joined(lines)

    return spoil


def put(number: int, key: str, value: Any) -> Spoiler:
    """Set a key of a line."""
    return change(number, lambda data: data.__setitem__(key, value))


def drop(number: int, key: str) -> Spoiler:
    """Remove a key of a line."""
    return change(number, lambda data: data.__delitem__(key))


def setting(name: str, value: Any) -> Spoiler:
    """Change a setting in the header."""
    return put(1, "set", {name: value})


def move(number: int, ply: int, text: Any) -> Spoiler:
    """Change a move of a hand's line."""
    return change(number, lambda data: data["moves"].__setitem__(ply, text))


def text(number: int, old: str, new: str) -> Spoiler:
    """Replace a piece of a line's text, which must be there."""

    def spoil(lines: Lines) -> bytes:
        assert old in lines[number - 1]
        lines[number - 1] = lines[number - 1].replace(old, new, 1)
        return joined(lines)

    return spoil


def raw(number: int, line: bytes) -> Spoiler:
    """Put other bytes in place of a line."""
    return lambda lines: joined(lines[: number - 1]) + line + b"\n" + joined(lines[number:])


def insert(number: int, line: str) -> Spoiler:
    """Insert a line, which then is line ``number``."""
    return lambda lines: joined([*lines[: number - 1], line, *lines[number - 1 :]])


def without(*numbers: int) -> Spoiler:
    """Leave lines out."""
    return lambda lines: joined([line for i, line in enumerate(lines, 1) if i not in numbers])


def both(first: Spoiler, second: Spoiler) -> Spoiler:
    """Spoil twice."""
    return lambda lines: second(first(lines).decode().splitlines())
