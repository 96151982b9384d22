"""The fields of a JSON object, read strictly: each error names the place, the field, and what would be right."""

from collections.abc import Callable, Collection
from typing import Any, Final, NamedTuple, TypeVar

from millebornes.errors import NotationError, printable
from millebornes.schema.strict import show

__all__ = ["Fields", "ListFields"]

LISTED: Final = 12
"""Words that an error lists."""

Value = TypeVar("Value")


class ListFields(NamedTuple):
    """The values of a list, by place from 0; ``name`` is the field that holds them."""

    place: str
    name: str
    values: list[Any]

    def fault(self, text: str) -> NotationError:
        """The error that something is wrong with the list."""
        return NotationError(printable(f"{self.place}: {self.name}: {text}"))

    def number(self, n: int, low: float, high: float) -> float:
        """A number from ``low`` to ``high``."""
        return _number(self.values[n], f"{self.place}: {self.name}, number {n + 1}", low, high)

    def text(self, n: int, longest: int) -> str:
        """A text of at most so many characters."""
        return _text(self.values[n], f"{self.place}: {self.name}, number {n + 1}", longest)


class Fields:
    """The fields of an object; `finish` refuses those that nobody has asked for. All methods raise `NotationError`."""

    def __init__(self, place: str, name: str, data: dict[str, Any]) -> None:
        """``place`` is the file and the line, ``name`` the field that holds the object (empty: the line itself)."""
        self.place: Final = place
        self.name: Final = name
        self.data: Final = data
        self._asked: set[str] = set()

    def _where(self, key: str) -> str:
        return f"{self.place}: {self.name}: {key}" if self.name else f"{self.place}: {key}"

    def fault(self, key: str, text: str) -> NotationError:
        """The error that something is wrong with a field."""
        return NotationError(printable(f"{self._where(key)}: {text}"))

    def wrong(self, key: str, value: Any, right: str) -> NotationError:
        """The error that a field holds a wrong value; ``right`` says what it must be."""
        return self.fault(key, f"{show(value)} is not allowed; it must be {right}")

    def value(self, key: str) -> Any:
        """What a field holds, which must be there."""
        self._asked.add(key)
        if key not in self.data:
            raise NotationError(f"{self.place}: {f'{self.name}: ' if self.name else ''}the field {key!r} is missing")
        return self.data[key]

    def optional(self, key: str, read: Callable[[], Value]) -> Value | None:
        """What ``read`` gives, or None where the field is not there."""
        self._asked.add(key)
        return read() if key in self.data else None

    def text(self, key: str, longest: int) -> str:
        """A text of at most so many characters."""
        return _text(self.value(key), self._where(key), longest)

    def word(self, key: str, words: Collection[str]) -> str:
        """One of some words."""
        value = self.value(key)
        if not isinstance(value, str) or value not in words:
            listed = sorted(words)
            shown = ", ".join(listed[:LISTED]) + (", …" if len(listed) > LISTED else "")
            raise self.wrong(key, value, f"one of {shown}")
        return value

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self.value(key)
        if not isinstance(value, bool):
            raise self.wrong(key, value, "true or false")
        return value

    def whole(self, key: str, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``."""
        value = self.value(key)
        if type(value) is not int or not low <= value <= high:
            raise self.wrong(key, value, f"a whole number from {low} to {high}")
        return value

    def number(self, key: str, low: float, high: float) -> float:
        """A number from ``low`` to ``high``."""
        return _number(self.value(key), self._where(key), low, high)

    def list(self, key: str, most: int) -> ListFields:
        """A list of at most so many values."""
        value = self.value(key)
        if not isinstance(value, list) or len(value) > most:
            raise self.wrong(key, value, f"a list of at most {most}")
        return ListFields(self.place, self._where(key).removeprefix(f"{self.place}: "), value)

    def object(self, key: str) -> "Fields":
        """The fields of an object."""
        value = self.value(key)
        if not isinstance(value, dict):
            raise self.wrong(key, value, "an object")
        return Fields(self.place, self._where(key).removeprefix(f"{self.place}: "), value)

    def objects(self, key: str, most: int) -> "tuple[Fields, ...]":
        """The fields of each object of a list."""
        values = self.list(key, most)
        for number, value in enumerate(values.values, 1):
            if not isinstance(value, dict):
                raise values.fault(f"number {number}: {show(value)} is not allowed; it must be an object")
        return tuple(
            Fields(self.place, f"{values.name}, number {number}", value)
            for number, value in enumerate(values.values, 1)
        )

    def finish(self) -> None:
        """Refuse fields that nobody has asked for."""
        for key in self.data:
            if key not in self._asked:
                known = ", ".join(sorted(self._asked))
                before = f"{self.place}: {self.name}: " if self.name else f"{self.place}: "
                raise NotationError(printable(f"{before}there is no field {show(key)}; the fields are {known}"))


def _text(value: Any, where: str, longest: int) -> str:
    if not isinstance(value, str) or len(value) > longest:
        raise NotationError(
            printable(f"{where}: {show(value)} is not allowed; it must be a text of at most {longest} characters")
        )
    return value


def _number(value: Any, where: str, low: float, high: float) -> float:
    if type(value) not in {int, float} or not low <= value <= high:
        raise NotationError(
            printable(f"{where}: {show(value)} is not allowed; it must be a number from {low} to {high}")
        )
    return float(value)
