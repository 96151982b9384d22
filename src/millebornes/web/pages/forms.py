"""Forms: how their bodies are read, and which table they describe."""

import functools
import itertools
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar, get_type_hints
from urllib.parse import parse_qsl

import msgspec
from starlette.convertors import IntegerConvertor
from starlette.requests import Request

from millebornes.editions import EDITIONS, edition
from millebornes.i18n import Translator
from millebornes.policies.net_choice import asks_net, net_sentence
from millebornes.roster import DEFAULT_PLAYER, ROSTER, level_label, level_text
from millebornes.schema.api import ClockBody, TableBody
from millebornes.table.seats import ME, OPEN
from millebornes.table.setup import GameSetup
from millebornes.table.state import TableState
from millebornes.web.http.requests import check_key, game_setup, read_whole
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.seat_registry import check_name
from millebornes.web.tables.service import ServerSettings
from millebornes.words.editions import length_text, rules_title
from millebornes.words.words import TableWords, Words

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
    """A choice in a form: its value, its label, whether it is selected, and its explanation."""

    value: str
    label: str
    is_chosen: bool = False
    note: str = ""


async def read_form(request: Request) -> Form:
    """Return the fields of a form. If a name occurs twice, the last value counts. Raises `ApiError`."""
    data = await read_whole(request)
    try:
        pairs = parse_qsl(data.decode("utf-8"), keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="strict")
    except ValueError:
        raise ApiError(400, "malformed", "the form cannot be read") from None
    return dict(pairs)


def body_of(form: Form, kind: type[Body]) -> Body:
    """Return a command's body, made from the fields of a form. Raises `ApiError` (malformed)."""
    values: dict[str, Any] = {name: form[name] for name in kind.__struct_fields__ if name in form}
    values |= {name: form[name] == "yes" for name in _flags(kind) & values.keys()}
    if "key" in values:
        values["key"] = check_key(form["key"]) or None
    if "phrase" in values:  # the button of a phrase also sends the text in the field
        values.pop("text", None)
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise ApiError(400, "malformed", f"the form: {error}") from None


@functools.cache
def _flags(kind: type[msgspec.Struct]) -> frozenset[str]:
    """Return the fields of a command's body that are true or false."""
    return frozenset(name for name, hint in get_type_hints(kind).items() if hint is bool)


class NumberConvertor(IntegerConvertor):
    """A converter for whole numbers in addresses. A number with too many digits to be valid matches no address."""

    regex = "[0-9]{1,9}"


def number_of(form: Form, name: str) -> int:
    """Return a whole number from a field of a form. Raises `ApiError` (malformed)."""
    text = form.get(name, "")
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        raise ApiError(400, "malformed", f"{name}: it must be a whole number")
    return int(text)


def setup_of(words: Words, *, with_friends: bool, form: Form | None = None) -> dict[str, Any]:
    """Return the choices for a new table. If the form was sent before, its choices are still selected.

    ``places`` are the players in all seats except the first. ``nets`` are the sentences about the nets that computer
    players use, by player and table, each with a list of editions.
    """
    _, form = words.translate, form or {}
    usual = OPEN if with_friends else DEFAULT_PLAYER
    chosen = {"edition": EDITIONS[0], "shape": "2x2", "target": "5000", "window": "7", "clock": ""} | dict(form)
    return {
        "editions": _editions(chosen["edition"], _),
        "shapes": _options({f"{seats}x{sides}": _shape(seats, sides, _) for seats, sides in SHAPES}, chosen["shape"]),
        "levels": [FormOption(name, level_label(name, _), note=level_text(name, _)) for name in ROSTER],
        "targets": _targets(TARGETS, chosen["target"], _),
        "windows": _options({str(n): _("{n} seconds").format(n=n) for n in WINDOWS}, chosen["window"]),
        "clocks": _options({value: _clock(value, _) for value in CLOCKS}, chosen["clock"]),
        "places": [form.get(f"place-{seat}", usual) for seat in range(1, 8)],
        "nets": {name: _nets(name, _) for name in ROSTER if asks_net(name)},
        "spectators": _spectators(form),
        "listed": "open" in form,
    }


def rematch_of(state: TableState, seat: int | None, words: TableWords) -> dict[str, Any]:
    """Return the choices for a rematch, as a seat reads them. The settings of the previous match are selected.

    If its rules aren't those of an edition, an edition without a name keeps them.
    ``swaps`` are the pairs of players who can change places, if there are more than two seats.
    """
    target, seats = state.created.match_target, state.rules.seats
    targets = TARGETS if target in TARGETS else (target, *TARGETS)
    rules, is_plain = state.rules, not (state.rules.edition is None or state.rules.changes())
    kept = [] if is_plain else [FormOption("", rules_title(rules, words.translate), is_chosen=True)]
    return {
        "editions": kept + _editions(rules.edition if is_plain else None, words.translate),
        "targets": _targets(targets, str(target or ""), words.translate),
        "swaps": [
            FormOption(f"{one}-{other}", words.participants.pair(one, other, seat))
            for one, other in itertools.combinations(range(seats), 2)
            if seats > 2 and (state.humans[one] or state.humans[other])
        ],
    }


def _options(labels: Mapping[str, str], chosen: str) -> list[FormOption]:
    return [FormOption(value, label, value == chosen) for value, label in labels.items()]


def _editions(chosen: str | None, _: Translator) -> list[FormOption]:
    return [FormOption(name, _(edition(name).title), name == chosen, _(edition(name).summary)) for name in EDITIONS]


def _targets(targets: Sequence[int | None], chosen: str, _: Translator) -> list[FormOption]:
    return _options({str(target or ""): length_text(target, _) for target in targets}, chosen)


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


def wanted_setup(form: Form, settings: ServerSettings, words: Words) -> GameSetup:
    """Return the game that a form describes. Raises `ApiError`, which names the invalid field."""
    seats, _x, sides = form.get("shape", "2x2").partition("x")
    if not (seats.isdecimal() and sides.isdecimal() and len(seats) == len(sides) == 1):
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
    return game_setup(body, settings)
