"""The maxims in words: a sentence for each of them, and the weights that implement it."""

import difflib
import functools
from typing import Final, NamedTuple

from millebornes.errors import PlayerError
from millebornes.policies.maxim_weights import MATCH, TABLE, Advice


class Maxim(NamedTuple):
    """A piece of advice: its sentence, and the weights that implement it. If all of them are zero, it is ignored."""

    says: str
    weights: tuple[str, ...]


BASE: Final = tuple(TABLE["base"])
"""The weights that don't belong to any maxim. They only rank kinds of moves relative to each other."""

MAXIMS: Final[dict[str, Maxim]] = {
    name: Maxim(weights["says"], tuple(weight for weight in weights if weight != "says"))
    for name, weights in TABLE.items()
    if name != "base"
}
"""Every maxim by name."""

NEUTRAL: Final = {
    "keep_desperate": 100,
    "keep_owned": 100,
    **dict.fromkeys(("major", "stop", "speed_limit"), 130),
    **dict.fromkeys(("keep_major", "keep_stop", "keep_limit"), 60),
}
"""The values at which weights have no effect, for weights where this isn't zero."""


def without(advice: Advice, *names: str) -> Advice:
    """Return a copy of the advice with some maxims switched off. Raises `KeyError` if a name isn't that of a maxim."""
    off = {weight: NEUTRAL.get(weight, 0) for name in names for weight in MAXIMS[name].weights}
    return advice._replace(**off)


@functools.lru_cache(maxsize=64)
def parse_advice(options: str, advice: Advice = MATCH) -> Advice:
    """Return the advice described by the options after the name of the player, which are separated by commas.

    Later options override earlier ones. ``match`` and ``points`` set the objective, ``no-MAXIM`` switches a maxim off,
    and ``WEIGHT=NUMBER`` sets a weight. Raises `PlayerError` for all other options.
    """
    changed = advice
    for option in filter(None, (part.strip() for part in options.split(","))):
        name, equals, number = option.partition("=")
        if equals:
            changed = _with_weight(changed, name.strip(), number.strip())
        elif option == "points":
            changed = changed._replace(match=0)
        elif option == "match":
            changed = changed._replace(match=1)
        elif option.startswith("no-") and option[3:] in MAXIMS:
            changed = without(changed, option[3:])
        else:
            names = ["match", "points", *(f"no-{maxim}" for maxim in MAXIMS)]
            raise PlayerError(f"maxims: there is no option {option!r}; {_closest(option, names)}")
    return changed


def _with_weight(advice: Advice, name: str, number: str) -> Advice:
    if name not in Advice._fields:
        raise PlayerError(f"maxims: there is no weight {name!r}; {_closest(name, list(Advice._fields))}")
    try:
        value = int(number)
    except ValueError:
        raise PlayerError(f"maxims: {name}={number!r} isn't a whole number") from None
    if abs(value) > 10_000:
        raise PlayerError(f"maxims: {name}={value} is outside the range -10000 to 10000")
    return advice._replace(**{name: value})


def _closest(wrong: str, names: list[str]) -> str:
    close = difflib.get_close_matches(wrong, names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"choose one such as {', '.join(names[:4])} …"
