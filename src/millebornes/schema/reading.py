"""Read plain data into Structs. Its errors say what is wrong, where, and what would be right."""

import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, Final, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import inspect

from millebornes.cards import Card
from millebornes.errors import NotationError
from millebornes.schema.strict import show

__all__ = ["MakeError", "check_number", "check_numbers", "check_word", "field_names", "other_fields", "read", "refusal"]

MakeError = Callable[[str], Exception]

MAX_LISTED: Final = 12
"""The maximum number of words that an error message lists."""

Read = TypeVar("Read")


def read(
    kind: type[Read],
    data: Any,
    name: str = "",
    fault: MakeError = NotationError,
    *,
    plain: bool = False,
) -> Read:
    """Return the Struct described by plain data.

    Error messages call the data ``name``. If the data is invalid, raise the error that ``fault`` creates from a
    sentence, which says where the problem is and what would be right. If ``plain`` is true, values are shown in ASCII.
    """
    try:
        return msgspec.convert(data, kind)
    except (msgspec.ValidationError, UnicodeEncodeError):
        found = _find(kind, data, "", plain) or _Fault("", "half of a surrogate pair isn't a character")
    raise fault(": ".join(filter(None, [found.place or name, found.text])))


def refusal(place: str, value: Any, right: str, *, plain: bool = False) -> str:
    """Return a sentence that says a value isn't allowed in this place, and what would be right."""
    return f"{place}: {_not_allowed(value, right, plain)}"


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
    known = field_names(kind)
    return {key: value for key, value in data.items() if key not in known}


# ---------------------------------------------------------------- what is wrong


class _Fault(NamedTuple):
    place: str
    text: str


def _fits(kind: Any, value: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except (msgspec.ValidationError, UnicodeEncodeError):
        return False
    return True


def _find(kind: Any, value: Any, place: str, plain: bool) -> _Fault | None:
    """Return the first part of a value that isn't valid, or None if all of it is valid."""
    if _fits(kind, value):
        return None
    found, clause = _find_part(kind, value, place, plain), _clause(kind)
    return found if clause is None else found._replace(text=f"{found.text} ({clause})")


def _find_part(kind: Any, value: Any, place: str, plain: bool) -> _Fault:
    for part in _parts(kind, value):
        if isinstance(part, str):
            return _Fault(place, part)
        before = f"{place}{part.place}" if part.is_item or not place else f"{place}, {part.place}"
        found = _find(part.kind, part.value, before, plain)
        if found is not None:
            return found
    if Card in _kinds(kind):
        return _Fault(place, f"{show(value, plain=plain)} isn't a card")
    return _Fault(place, _not_allowed(value, _right(inspect.type_info(kind)), plain))


class _PartOfValue(NamedTuple):
    place: str
    kind: Any
    value: Any
    is_item: bool = False


def _parts(kind: Any, value: Any) -> Iterator["_PartOfValue | str"]:
    """Yield the parts of a value to check one by one, and a sentence for each missing or unknown field."""
    for each in _kinds(kind):
        if isinstance(value, Mapping) and isinstance(each, type):
            yield from _fields(each, value)
        elif isinstance(value, Mapping) and get_origin(each) is dict:
            key_kind, value_kind = get_args(each)
            for key, item in value.items():
                yield _PartOfValue("", key_kind, key, True)
                yield _PartOfValue(str(key)[:60], value_kind, item)
        elif isinstance(value, list) and get_origin(each) in {list, tuple}:
            kinds = [one for one in get_args(each) if one is not Ellipsis]
            kinds = kinds * len(value) if len(kinds) == 1 else kinds
            for n, (item_kind, item) in enumerate(zip(kinds, value, strict=False)):
                yield _PartOfValue(f"[{n}]", item_kind, item, True)


def _fields(kind: type, value: Mapping[str, Any]) -> Iterator["_PartOfValue | str"]:
    """Yield the fields of a value that is a Struct or a dataclass, and a sentence for each missing or unknown field."""
    if dataclasses.is_dataclass(kind):
        for name, hint in get_type_hints(kind, include_extras=True).items():
            if name in value:
                yield _PartOfValue(name, hint, value[name])
    if not issubclass(kind, msgspec.Struct):
        return
    config = kind.__struct_config__
    known = msgspec.structs.fields(kind)
    for field in known:
        if field.encode_name in value:
            yield _PartOfValue(field.encode_name, field.type, value[field.encode_name])
        elif field.required:
            yield f"{field.encode_name} is missing"
    names = [field.encode_name for field in known]
    for key in value if config.forbid_unknown_fields else ():
        if key not in names and key != config.tag_field:
            yield f"there is no field {show(key)}; the fields are {', '.join(sorted(names))}"


def _kinds(kind: Any) -> Iterator[Any]:
    """Yield the types that a value can have, without their annotations."""
    if get_origin(kind) is Annotated:
        yield from _kinds(get_args(kind)[0])
    elif get_origin(kind) in {Union, UnionType}:
        for each in get_args(kind):
            yield from _kinds(each)
    else:
        yield kind


def _clause(kind: Any) -> str | None:
    """Return the clause to cite in errors about a field, or None."""
    notes = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
    return next((note.extra["clause"] for note in notes if note.extra and "clause" in note.extra), None)


def _not_allowed(value: Any, right: str, plain: bool) -> str:
    return f"{show(value, plain=plain)} is not allowed; it must be {right}"


# ---------------------------------------------------------------- what would be right


def _right(info: inspect.Type) -> str:
    """Return the allowed values of a type in words, such as ``a whole number from 0 to 7``."""
    match info:
        case inspect.Metadata(type=inner, extra=extra):
            return str(extra["right"]) if extra and "right" in extra else _right(inner)
        case inspect.UnionType(types=kinds):
            return _alternatives(kinds)
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=low, le=high):
            return f"a whole number{_range(low, high)}"
        case inspect.FloatType(ge=low, le=high):
            return f"a number{_range(low, high)}"
        case inspect.StrType(max_length=longest):
            return "a string" if longest is None else f"a string of at most {longest} characters"
        case inspect.LiteralType(values=values):
            return _one_of([str(value) for value in values])
        case inspect.EnumType(cls=kind):
            return "a card" if kind is Card else _one_of([str(value.value) for value in kind])
        case inspect.ListType() | inspect.VarTupleType():
            return _list_of(info)
        case inspect.TupleType(item_types=kinds):
            return f"a list of {len(kinds)}"
        case inspect.DictType(key_type=inspect.EnumType()):
            return "an object with a number for each card"
        case inspect.NoneType():
            return "null"
    return "an object"


def _alternatives(kinds: Sequence[inspect.Type]) -> str:
    rights = [_right(kind) for kind in kinds if not isinstance(kind, inspect.NoneType)]
    if len(rights) < len(kinds):
        rights.append("null")
    return " or ".join(rights)


def _range(low: float | None, high: float | None) -> str:
    if low is None and high is None:
        return ""
    if high is None:
        return f" of at least {low}"
    return f" of at most {high}" if low is None else f" from {low} to {high}"


def _one_of(words: list[str]) -> str:
    shown = ", ".join(words[:MAX_LISTED]) + (", …" if len(words) > MAX_LISTED else "")
    return f"one of {shown}"


_PLURALS: Final = {"a whole number": "whole numbers", "a number": "numbers", "a string": "strings", "a card": "cards"}


def _list_of(info: inspect.ListType | inspect.VarTupleType) -> str:
    inner = _right(info.item_type)
    for one, many in _PLURALS.items():
        if inner.startswith(one):
            inner = inner.replace(one, many, 1)
            break
    else:
        inner = "objects" if inner == "an object" else "values"
    if info.min_length is not None and info.min_length == info.max_length:
        return f"a list of {info.min_length} {inner}"
    return f"a list of {inner}" if info.max_length is None else f"a list of at most {info.max_length} {inner}"
