"""Read plain data into Structs. Its errors say what is wrong, where, and what would be right."""

import enum
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from millebornes.cards import Card
from millebornes.errors import NotationError
from millebornes.schema.strict import show

MakeError = Callable[[str], Exception]

MAX_LISTED: Final = 12
"""The maximum number of words that an error message lists."""

Read = TypeVar("Read")


def read(kind: type[Read], data: Any, name: str = "", fault: MakeError = NotationError) -> Read:
    """Return the Struct described by plain data.

    Error messages call the data ``name``. If the data is invalid, raise the error that ``fault`` creates from a
    sentence, which says where the problem is and what would be right.
    """
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        place, text = _explained(str(error), kind, data)
    except UnicodeEncodeError:
        place, text = "", "half of a surrogate pair isn't a character"
    raise fault(": ".join(filter(None, [place or name, text])))


def refusal(place: str, value: Any, right: str) -> str:
    """Return a sentence that says a value isn't allowed in this place, and what would be right."""
    return f"{place}: {show(value)} is not allowed; it must be {right}"


def check_number(place: str, value: int, high: int, low: int = 0, fault: MakeError = NotationError) -> int:
    """Return an integer if it is between ``low`` and ``high``, both included.

    Otherwise, raise the error that ``fault`` creates.
    """
    if low <= value <= high:
        return value
    raise fault(refusal(place, value, f"a whole number from {low} to {high}"))


def check_numbers(
    place: str, values: tuple[int, ...], count: int, what: str, fault: MakeError = NotationError
) -> tuple[int, ...]:
    """Return the numbers if there are exactly ``count`` of them. Otherwise, raise the error that ``fault`` creates."""
    if len(values) == count:
        return values
    raise fault(refusal(place, list(values), f"a list of {count} whole numbers, one for each {what}"))


def check_word(place: str, word: str, words: Collection[str], fault: MakeError = NotationError) -> str:
    """Return the word if it is one of ``words``. Otherwise, raise the error that ``fault`` creates."""
    if word in words:
        return word
    raise fault(refusal(place, word, _one_of(sorted(words))))


def field_names(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """Return the keys of an object as they appear in files and messages."""
    return kind.__struct_encode_fields__


def other_fields(kind: type[msgspec.Struct], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of the data that aren't fields of the object."""
    own_fields = field_names(kind)
    return {key: value for key, value in data.items() if key not in own_fields}


# ---------------------------------------------------------------- what is wrong

_MESSAGE: Final = re.compile(r"(.*?)(?: - at (`key` in )?`\$([^`]*)`)?", re.DOTALL)
"""A message of msgspec: what is wrong, and the path to the value. It can also be about a key of the object there."""
_STEP: Final = re.compile(r"\w+|\.\.\.")
_IN_OUR_WORDS: Final = (
    (r"Expected |, got .*|`", ""),
    (r"str of length <= (\d+)", r"a string of at most \1 characters"),
    (r"array of length <=", "a list of at most"),
    (r"array of length (?=\d)", "a list of "),
    (r"\bint\b", "a whole number"),
    (r"\bfloat\b", "a number"),
    (r"\bstr\b", "a string"),
    (r"\bbool\b", "true or false"),
    (r"\barray\b", "a list"),
    (r"\bobject\b", "an object"),
    (r" \| ", " or "),
    (r">=", "of at least"),
    (r"<=", "of at most"),
    (r"(?<=\d)\.0\b", ""),
)
"""How msgspec says what it expected, and how we do."""


def _explained(message: str, kind: Any, value: Any) -> tuple[str, str]:
    """Return the place that a message of msgspec is about, and a sentence that says what is wrong and what is right."""
    parts = _MESSAGE.fullmatch(message)
    assert parts is not None
    place, clause = "", _note(kind, "clause")
    is_here = parts[1].startswith("Object contains") and _unknown_field(kind, value)  # a field can look like a path
    for step in _STEP.findall("" if is_here else parts[3] or ""):
        kind = _part(kind, step)
        if step == "...":  # an entry of an object that can have any keys: msgspec doesn't say which
            step = next(key for key, item in value.items() if not _fits(kind, item))
        is_field = isinstance(value, Mapping)
        place = f"{place}, {str(step)[:60]}".removeprefix(", ") if is_field else f"{place}[{step}]"
        value = value[step if is_field else int(step)]
        clause = _note(kind, "clause") or clause
    if parts[2]:
        kind = next((get_args(each)[0] for each in _kinds(kind) if get_origin(each) is dict), str)
        value = next(key for key in value if not _fits(kind, key))
    text = _sentence(parts[1], kind, value)
    return place, f"{text} ({clause})" if clause else text


def _sentence(wrong: str, kind: Any, value: Any) -> str:
    if wrong.startswith("Object missing"):
        return f"{wrong.split('`')[1]} is missing"
    unknown = _unknown_field(kind, value)
    if unknown:
        return unknown
    if Card in _kinds(kind):
        return f"{show(value)} isn't a card"
    right = _note(kind, "right") or _choices(kind)
    if not right:
        right = wrong
        for theirs, ours in _IN_OUR_WORDS:
            right = re.sub(theirs, ours, right)
    return f"{show(value)} is not allowed; it must be {right}"


def _unknown_field(kind: Any, value: Any) -> str:
    """Return a sentence about a field of an object that its type forbids, or an empty string."""
    each = next(_kinds(kind))
    if not (isinstance(value, Mapping) and hasattr(each, "__struct_config__")):
        return ""
    names = sorted(field_names(each))
    extra = next((key for key in value if key not in names), None)
    if extra is None or not each.__struct_config__.forbid_unknown_fields:
        return ""
    return f"there is no field {show(extra)}; the fields are {', '.join(names)}"


def _fits(kind: Any, value: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except (msgspec.ValidationError, UnicodeEncodeError):
        return False
    return True


def _part(kind: Any, step: str) -> Any:
    for each in _kinds(kind):
        origin, args = get_origin(each), get_args(each)
        if origin is dict:
            return args[1]
        if origin in {list, tuple}:
            return args[0] if len(args) == 1 or Ellipsis in args else args[int(step)]
        if isinstance(each, type):
            if issubclass(each, msgspec.Struct):
                fields = {field.encode_name: field.type for field in msgspec.structs.fields(each)}
            else:
                fields = get_type_hints(each, include_extras=True)
            if step in fields:
                return fields[step]
    return Any


def _kinds(kind: Any) -> Iterator[Any]:
    if get_origin(kind) is Annotated:
        yield from _kinds(get_args(kind)[0])
    elif get_origin(kind) in {Union, UnionType}:
        for each in get_args(kind):
            yield from _kinds(each)
    else:
        yield kind


def _note(kind: Any, name: str) -> str:
    if isinstance(kind, msgspec.Meta):
        return str((kind.extra or {}).get(name, ""))
    parts = reversed(get_args(kind)) if get_origin(kind) in {Annotated, Union, UnionType} else ()
    return next(filter(None, (_note(part, name) for part in parts)), "")


def _choices(kind: Any) -> str:
    """Return the words that a value can be, or an empty string if it can be anything else."""
    kinds = [*_kinds(kind)]
    words = [str(word) for each in kinds if get_origin(each) is Literal for word in get_args(each)]
    words += [
        str(word.value) for each in kinds if isinstance(each, type) and issubclass(each, enum.Enum) for word in each
    ]
    return _one_of(words) + (" or null" if NoneType in kinds else "") if words else ""


def _one_of(words: list[str]) -> str:
    shown = ", ".join(words[:MAX_LISTED]) + (", …" if len(words) > MAX_LISTED else "")
    return f"one of {shown}"
