"""The options of `maxims`: which advice to leave out, and other weights."""

import difflib

from millebornes.errors import PlayerError
from millebornes.policies.maxims.catalogue import MAXIMS, without
from millebornes.policies.maxims.weights import MATCH, Advice

__all__ = ["parse_advice"]


def parse_advice(options: str, advice: Advice = MATCH) -> Advice:
    """Advice from options after the player's name, joined by commas; later ones win.

    ``match`` or ``points`` is the objective, ``no-MAXIM`` switches a maxim off, ``WEIGHT=NUMBER`` sets a weight.
    Raises `PlayerError` for anything else.
    """
    found = advice
    for option in filter(None, (part.strip() for part in options.split(","))):
        name, equals, number = option.partition("=")
        if equals:
            found = _with_weight(found, name.strip(), number.strip())
        elif option == "points":
            found = found._replace(match=0)
        elif option == "match":
            found = found._replace(match=1)
        elif option.startswith("no-") and option[3:] in MAXIMS:
            found = without(found, option[3:])
        else:
            names = ["match", "points", *(f"no-{maxim}" for maxim in MAXIMS)]
            raise PlayerError(f"maxims: there is no option {option!r}; {_closest(option, names)}")
    return found


def _with_weight(advice: Advice, name: str, number: str) -> Advice:
    if name not in Advice._fields:
        raise PlayerError(f"maxims: there is no weight {name!r}; {_closest(name, list(Advice._fields))}")
    try:
        value = int(number)
    except ValueError:
        raise PlayerError(f"maxims: {name}={number!r} is no whole number") from None
    if abs(value) > 10_000:
        raise PlayerError(f"maxims: {name}={value} is beyond -10000 to 10000")
    return advice._replace(**{name: value})


def _closest(wrong: str, names: list[str]) -> str:
    close = difflib.get_close_matches(wrong, names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"it may be {', '.join(names[:4])} …"
