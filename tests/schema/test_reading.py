"""The one reader: what does not fit is named by its place, with what would be right."""

from typing import Annotated, Any, Literal

import pytest
from msgspec import UNSET, Meta, Struct, UnsetType

from millebornes.cards import Card
from millebornes.errors import NotationError, SaveError
from millebornes.schema.fields import CardCounts, about
from millebornes.schema.reading import field_names, other_fields, read


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    number: Annotated[int, Meta(ge=1, le=9)]
    rate: Annotated[float, Meta(ge=0, le=1)] = 0


class Whole(Struct, frozen=True, kw_only=True):
    kind: Literal["a", "b"] | None
    parts: Annotated[tuple[Part, ...], Meta(max_length=2)] = ()
    pair: tuple[int, int] | None = None
    cards: tuple[Card, ...] = ()
    counts: CardCounts | UnsetType = UNSET
    name: Annotated[str, Meta(max_length=3)] = ""
    flag: bool = False
    odd: Annotated[int, about("an odd number", "an odd number")] = 1
    sheets: dict[str, dict[str, Annotated[int, about("a number", clause="R7")]]] = {}


GOOD = {"kind": None}
FEW = "is not allowed; it must be a list of at most 2"
DIGIT = "is not allowed; it must be a whole number"
RATE = "is not allowed; it must be a number of at most 1"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ([], "whole: [] is not allowed; it must be an object"),
        ({}, "whole: kind is missing"),
        ({"kind": "c"}, 'kind: "c" is not allowed; it must be one of a, b or null'),
        ({**GOOD, "parts": {}}, "parts: {} is not allowed; it must be a list"),
        ({**GOOD, "parts": [{"number": 1}] * 3}, f"parts: a list of 3 {FEW}"),
        ({**GOOD, "parts": [{"number": 1}, {}]}, "parts[1]: number is missing"),
        ({**GOOD, "parts": [{"number": 0}]}, f"parts[0], number: 0 {DIGIT} of at least 1"),
        ({**GOOD, "parts": [{"number": 1.0}]}, f"parts[0], number: 1.0 {DIGIT}"),
        ({**GOOD, "parts": [{"number": True}]}, f"parts[0], number: true {DIGIT}"),
        ({**GOOD, "parts": [{"number": 10}]}, f"parts[0], number: 10 {DIGIT} of at most 9"),
        ({**GOOD, "parts": [{"number": 1, "x": 2}]}, 'parts[0]: there is no field "x"; the fields are number, rate'),
        ({**GOOD, "parts": [{"number": 1, "rate": 2}]}, f"parts[0], rate: 2 {RATE}"),
        ({**GOOD, "pair": [1]}, "pair: a list of 1 is not allowed; it must be a list of 2"),
        ({**GOOD, "pair": [1, "2"]}, 'pair[1]: "2" is not allowed; it must be a whole number'),
        ({**GOOD, "cards": ["25", "joker"]}, 'cards[1]: "joker" isn\'t a card'),
        ({**GOOD, "counts": None}, "counts: null is not allowed; it must be an object"),
        ({**GOOD, "counts": {"joker": 1}}, 'counts: "joker" isn\'t a card'),
        ({**GOOD, "counts": {"25": -1}}, "counts, 25: -1 is not allowed; it must be a whole number of at least 0"),
        ({**GOOD, "name": "long"}, 'name: "long" is not allowed; it must be a string of at most 3 characters'),
        ({**GOOD, "flag": 1}, "flag: 1 is not allowed; it must be true or false"),
        ({**GOOD, "odd": "1"}, 'odd: "1" is not allowed; it must be an odd number'),
        ({**GOOD, "odd": None}, "odd: null is not allowed; it must be an odd number"),
        ({**GOOD, "sheets": {"a": {"b": 1}, "c": {"d": 1, "x - at `$.y`": "2"}}},
         'sheets, c, x - at `$.y`: "2" is not allowed; it must be a whole number (R7)'),
        ({**GOOD, "sheets": {"a": 1}}, "sheets, a: 1 is not allowed; it must be an object"),
        ({**GOOD, "sheets": {1: {}}}, "sheets: 1 is not allowed; it must be a string"),
        ({**GOOD, "parts": [{"number": 1, "x` - at `$.y": 2}]},
         'parts[0]: there is no field "x` - at `$.y"; the fields are number, rate'),
        ({**GOOD, "odd": 10**400, "flag": 0}, "flag: 0 is not allowed; it must be true or false"),
        ({**GOOD, "cards": ["\ud800"]}, "whole: half of a surrogate pair isn't a character"),
    ],
)  # fmt: skip
def test_faults_name_place_and_remedy(data: Any, text: str) -> None:
    with pytest.raises(NotationError) as caught:
        read(Whole, data, "whole")
    assert str(caught.value) == text


def test_an_unknown_field_that_looks_like_a_path_is_only_a_field() -> None:
    for field in ("x` - at `$.rate", "x` - at `$.parts[0]", "x - at `$", "`"):
        with pytest.raises(NotationError) as caught:
            read(Part, {"number": 1, "rate": 0, field: 2}, "part")
        assert str(caught.value) == f'part: there is no field "{field}"; the fields are number, rate'


def test_what_fits_is_read() -> None:
    data = {**GOOD, "parts": [{"number": 1}], "pair": [1, 2], "counts": {"25": 3}, "more": 1}
    found = read(Whole, data)
    assert (found.parts[0].number, found.pair, found.counts) == (1, (1, 2), {Card.D25: 3})
    assert other_fields(Whole, data) == {"more": 1}
    assert field_names(Whole)[:2] == ("kind", "parts")


def test_the_caller_makes_the_error() -> None:
    with pytest.raises(SaveError, match=r"^kind is missing$"):
        read(Whole, {}, fault=SaveError)
