"""Forms: how their bodies are read, and which table they describe."""

import functools
import itertools
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import parse_qsl

import msgspec
from starlette.convertors import Convertor
from starlette.requests import Request

from millebornes.editions import EDITIONS, edition
from millebornes.i18n import Translator
from millebornes.policies.net_choice import asks_net, net_sentence
from millebornes.roster import DEFAULT_PLAYER, ROSTER, level_label, level_text
from millebornes.schema.api import ClockBody, TableBody
from millebornes.texts.participants import Participants
from millebornes.web.api.requests import check_key, new_table, read_whole
from millebornes.web.errors import ApiError
from millebornes.web.pages.locale_text import Words, length_text
from millebornes.web.service import ServerSettings
from millebornes.web.table.commands import check_name
from millebornes.web.table.events import Created
from millebornes.web.table.seats import ME, OPEN
from millebornes.web.table.state import TableState

__all__ = [
    "SHAPES",
    "TARGETS",
    "WINDOWS",
    "Form",
    "FormOption",
    "NewTableForm",
    "NumberConvertor",
    "RematchForm",
    "body_of",
    "number_of",
    "read_form",
    "rematch_of",
    "setup_of",
    "wanted_table",
]

SHAPES: Final = ((2, 2), (3, 3), (4, 2), (4, 4), (5, 5), (6, 2), (6, 3), (6, 6), (7, 7), (8, 2), (8, 4), (8, 8))
"""The tables that the form offers, as pairs of seats and sides."""

TARGETS: Final = (5000, 3000, 1000, None)
WINDOWS: Final = (7, 15, 3)
"""The choices for the time in which a coup fourré can be called, in seconds. 15 is for people who need longer."""

CLOCKS: Final = ("", "300+5", "600+10", "120+3")
"""The clocks to choose from, as seconds for a hand and seconds for each move. The first choice means no clock."""

MAX_FIELDS: Final = 60
Form = Mapping[str, str]
Body = TypeVar("Body", bound=msgspec.Struct)


class FormOption(NamedTuple):
    """A choice in a form: its value, its label, its explanation, and whether it is selected."""

    value: str
    label: str
    note: str
    is_chosen: bool


class NewTableForm(NamedTuple):
    """The choices on the page that creates a table."""

    editions: tuple[FormOption, ...]
    shapes: tuple[FormOption, ...]
    levels: tuple[FormOption, ...]
    targets: tuple[FormOption, ...]
    windows: tuple[FormOption, ...]
    clocks: tuple[FormOption, ...]
    places: tuple[str, ...]
    """The default player in each seat except the first: ``open``, or the name of a computer player."""
    nets: Mapping[str, Mapping[str, Mapping[str, Sequence[str]]]]
    """The sentences about the nets that computer players use, by player and table.

    Each sentence has a list of editions.
    """
    spectators: bool


async def read_form(request: Request) -> Form:
    """Return the fields of a form. If a name occurs twice, the last value counts.

    Raises `ApiError` if the form is too big.
    """
    data = await read_whole(request)
    try:
        pairs = parse_qsl(data.decode("utf-8"), keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="strict")
    except ValueError:
        raise ApiError(400, "malformed", "the form cannot be read") from None
    return dict(pairs)


def body_of(form: Form, kind: type[Body]) -> Body:
    """Return a command's body, made from the fields of a form. Raises `ApiError` (malformed)."""
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        name, shape = field.name, msgspec.inspect.type_info(field.type)
        if isinstance(shape, msgspec.inspect.Metadata):
            shape = shape.type
        if name == "key":
            values[name] = check_key(form.get(name, "")) or None
        elif isinstance(shape, msgspec.inspect.IntType):
            values[name] = number_of(form, name)
        elif isinstance(shape, msgspec.inspect.BoolType):
            values[name] = form.get(name) == "yes"
        elif name in form or field.required:
            values[name] = form.get(name, "")
            if isinstance(shape, msgspec.inspect.LiteralType) and values[name] not in shape.values:
                raise ApiError(400, "malformed", f"{name}: it must be one of {', '.join(map(str, shape.values))}")
    if "phrase" in values:  # the button of a phrase also sends the text in the field
        values.pop("text", None)
    return kind(**values)


class NumberConvertor(Convertor[int]):
    """A converter for whole numbers in addresses. A number with too many digits to be valid matches no address."""

    regex = "[0-9]{1,9}"

    def convert(self, value: str) -> int:
        """Return the number in an address."""
        return int(value)

    def to_string(self, value: int) -> str:
        """Return the number as it appears in an address."""
        return str(value)


def number_of(form: Form, name: str) -> int:
    """Return a whole number from a field of a form. Raises `ApiError` (malformed)."""
    text = form.get(name, "")
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        raise ApiError(400, "malformed", f"{name}: it must be a whole number")
    return int(text)


def setup_of(words: Words, *, with_friends: bool, form: Form | None = None) -> NewTableForm:
    """Return the choices for a new table. If the form was sent before, its choices are still selected."""
    _, form = words.translate, form or {}
    usual = OPEN if with_friends else DEFAULT_PLAYER
    chosen = {"edition": "classic", "shape": "2x2", "target": "5000", "window": "7", "clock": ""} | dict(form)
    return NewTableForm(
        tuple(
            FormOption(name, _(edition(name).title), _(edition(name).summary), name == chosen["edition"])
            for name in EDITIONS
        ),
        tuple(
            FormOption(f"{seats}x{sides}", _shape(seats, sides, _), "", f"{seats}x{sides}" == chosen["shape"])
            for seats, sides in SHAPES
        ),
        tuple(FormOption(name, level_label(name, _), level_text(name, _), name == usual) for name in ROSTER),
        tuple(
            FormOption(str(target or ""), length_text(target, _), "", str(target or "") == chosen["target"])
            for target in TARGETS
        ),
        tuple(
            FormOption(str(seconds), _("{n} seconds").format(n=seconds), "", str(seconds) == chosen["window"])
            for seconds in WINDOWS
        ),
        tuple(FormOption(value, _clock(value, _), "", value == chosen["clock"]) for value in CLOCKS),
        tuple(form.get(f"place-{seat}", usual) for seat in range(1, 8)),
        {name: _nets(name, _) for name in ROSTER if asks_net(name)},
        _spectators(form),
    )


class RematchForm(NamedTuple):
    """The choices for a rematch with other settings. Those of the previous match are selected.

    ``swaps`` are the pairs of players who can change places, if there are more than two seats.
    """

    editions: tuple[FormOption, ...]
    targets: tuple[FormOption, ...]
    swaps: tuple[FormOption, ...]


def rematch_of(state: TableState, participants: Participants, seat: int | None, words: Words) -> RematchForm:
    """Return the choices for a rematch, as a seat reads them."""
    _, now, target = words.translate, state.rules.edition, state.created.match_target
    targets = TARGETS if target in TARGETS else (target, *TARGETS)
    return RematchForm(
        tuple(FormOption(name, _(edition(name).title), _(edition(name).summary), name == now) for name in EDITIONS),
        tuple(FormOption(str(n or ""), length_text(n, _), "", n == target) for n in targets),
        tuple(
            FormOption(f"{one}-{other}", participants.pair(one, other, seat), "", False)
            for one, other in itertools.combinations(range(state.rules.seats), 2)
            if state.rules.seats > 2 and (state.humans[one] or state.humans[other])
        ),
    )


def _spectators(form: Form) -> bool:
    """Return whether to allow spectators. The short form on the home page has no box for them and allows them."""
    return "spectators" in form or "window" not in form


@functools.cache
def _nets(player: str, _: Translator) -> Mapping[str, Mapping[str, Sequence[str]]]:
    found: dict[str, dict[str, list[str]]] = {}
    for seats, sides in SHAPES:
        said = found[f"{seats}x{sides}"] = {}
        for name in EDITIONS:
            said.setdefault(net_sentence(player, edition(name).rules(seats, sides), _), []).append(name)
    return found


def _shape(seats: int, sides: int, _: Translator) -> str:
    if seats == sides:
        return _("{n} players, each on their own").format(n=seats)
    return _("{n} players in {sides} teams of {partners}").format(n=seats, sides=sides, partners=seats // sides)


def _clock(value: str, _: Translator) -> str:
    if not value:
        return _("none")
    initial, _x, increment = value.partition("+")
    text = _("{minutes} minutes per hand, plus {seconds} seconds per move")
    return text.format(minutes=int(initial) // 60, seconds=increment)


def _wanted_clock(form: Form) -> ClockBody | None:
    value = form.get("clock", "")
    if value not in CLOCKS:
        raise ApiError(400, "clock", f"clock: it must be one of {', '.join(CLOCKS[1:])}, or nothing")
    initial, _x, increment = value.partition("+")
    return ClockBody(initial_s=float(initial), increment_s=float(increment)) if value else None


def wanted_table(form: Form, settings: ServerSettings, words: Words) -> Created:
    """Return the table that a form describes. People who play with friends must enter a name.

    Raises `ApiError`, which names the invalid field.
    """
    seats, _x, sides = form.get("shape", "2x2").partition("x")
    if not (seats.isdigit() and sides.isdigit() and len(seats) == len(sides) == 1):
        raise ApiError(400, "shape", "shape: it must be seats and sides, such as 4x2")
    _ = words.translate
    count, target = int(seats), form.get("target", "5000")
    places = [form.get(f"place-{seat}", DEFAULT_PLAYER) for seat in range(1, count)]
    first, name = form.get("place-0", ME), form.get("name", "").strip()
    body = TableBody(
        edition=form.get("edition", "classic"),
        seats=count,
        sides=int(sides),
        match_target=number_of({"target": target}, "target") if target else None,
        name=check_name(name) if form.get("with") == "friends" else name or _("Guest"),
        places=(first, *places),
        spectators=_spectators(form),
        coup_window_ms=1000 * number_of(form, "window") if "window" in form else None,
        open="open" in form,
        clock=_wanted_clock(form),
    )
    return new_table(body, settings)
