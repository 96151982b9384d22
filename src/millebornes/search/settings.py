"""How the champion searches, and the text that says so."""

import math
from typing import Final, NamedTuple

from millebornes.errors import PlayerError

__all__ = ["MODELS", "SearchSettings", "parse_settings"]

MODELS: Final = ("mixture", "net", "maxims")
"""Whom the others may be taken for: the net, the maxims, or whoever explains best what each of them does."""


class SearchSettings(NamedTuple):
    """How to search.

    ``milliseconds`` and ``rollouts`` limit a decision (None: does not; one of them must). ``match`` weighs the chance
    to win the match where it has a target, else points count. Without ``beliefs`` all hands of the others are as
    likely, without ``priors`` only rollouts tell what a move is worth. ``net`` is the file of the net that says what is
    to be expected (empty: the one that comes with the program, at tables that it knows; None: the maxims say it).
    ``model`` is one of `MODELS`: whom the others are taken for. In rollouts the net makes the seat's next ``net_plies``
    moves, and until then those of others who are taken for it. ``threads`` share the rollouts, which changes no result.
    Without ``endgames`` ends of hands in which nothing is hidden are searched as everything else, and not solved.
    ``caution`` is by how many standard errors another move must be ahead of the first choice to be preferred.
    ``steps`` are the most, for each other seat, of the chain that makes their hands.
    """

    milliseconds: int | None = 100
    rollouts: int | None = None
    match: bool = True
    beliefs: bool = True
    priors: bool = True
    threads: int = 1
    net: str | None = ""
    model: str = "mixture"
    net_plies: int = 8
    endgames: bool = True
    caution: float = 0.5
    steps: int = 20_000


def parse_settings(options: str) -> SearchSettings:
    """Settings from options after the player's name, joined by commas; later ones win.

    ``time=MS`` and ``rollouts=N`` limit a decision, ``threads=N`` work at it, ``match`` or ``points`` is the objective,
    ``no-beliefs``, ``no-priors``, ``no-endgames``, ``no-net``, ``net=FILE``, ``model=NAME``, ``ahead=N`` and
    ``caution=X`` are those of `SearchSettings`.
    Raises `PlayerError` for anything else.
    """
    found = SearchSettings()
    for option in filter(None, (part.strip() for part in options.split(","))):
        name, equals, number = option.partition("=")
        if option in ("match", "points"):
            found = found._replace(match=option == "match")
        elif option == "no-beliefs":
            found = found._replace(beliefs=False)
        elif option == "no-priors":
            found = found._replace(priors=False)
        elif option == "no-endgames":
            found = found._replace(endgames=False)
        elif option == "no-net":
            found = found._replace(net=None)
        elif name == "net" and number:
            found = found._replace(net=number)
        elif name == "model" and equals:
            if number not in MODELS:
                raise PlayerError(f"champion: model={number[:60]!r} is not allowed; it may be {', '.join(MODELS)}")
            found = found._replace(model=number)
        elif name == "caution" and equals:
            found = found._replace(caution=_number(number))
        elif equals and name == "threads":
            found = found._replace(threads=_whole(name, number, 256))
        elif equals and name == "ahead":
            found = found._replace(net_plies=_whole(name, number, 1000, least=0))
        elif equals and name == "time":
            found = found._replace(milliseconds=_whole(name, number), rollouts=None)
        elif equals and name == "rollouts":
            found = found._replace(milliseconds=None, rollouts=_whole(name, number))
        else:
            raise PlayerError(
                f"champion: there is no option {option!r}; there are time=MS, rollouts=N, threads=N, match, points, "
                "no-beliefs, no-priors, no-endgames, no-net, net=FILE, model=NAME, ahead=N, caution=X"
            )
    return found


def _whole(name: str, text: str, most: int = 10_000_000, *, least: int = 1) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 9 or not least <= int(text) <= most:
        raise PlayerError(f"champion: {name}={text[:60]!r} is no whole number from {least} to {most}")
    return int(text)


def _number(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 <= found <= 100:
        raise PlayerError(f"champion: caution={text[:60]!r} is no number from 0 to 100")
    return found
