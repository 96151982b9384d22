"""The settings of the champion's search, and a function that reads them from text."""

import math
from typing import Final, NamedTuple

from millebornes.errors import PlayerError

__all__ = ["MODELS", "SearchSettings", "parse_settings"]

MODELS: Final = ("mixture", "net", "maxims")
"""The models of other seats: the net, the maxims, or a mixture of those that best explain the moves of each seat."""


class SearchSettings(NamedTuple):
    """The settings of a search.

    ``milliseconds`` and ``rollouts`` are limits for each decision. None means no limit, but at least one of them must
    be set. If ``match`` is true, moves are compared by the chance to win the match if it has a target, and otherwise by
    points. If ``beliefs`` is false, all hidden hands are equally likely. If ``priors`` is false, only rollouts
    determine the value of a move. ``net`` is the file of the net that provides the priors. If it is empty, the built-in
    net is used at tables that it knows. If it is None, the maxims provide the priors. ``model`` is one of `MODELS`, and
    determines how the other seats are assumed to play. In rollouts, the net makes the seat's next ``net_plies`` moves
    and, until then, the moves of other seats that are modelled by it. ``threads`` is the number of threads that share
    the rollouts, which doesn't affect the results. If ``endgames`` is false, positions in which no cards are hidden are
    searched like all others instead of being solved. ``caution`` is the number of standard errors by which a move must
    lead the first choice to be preferred. ``steps`` limits the length of the chain that samples hidden hands, for each
    other seat.
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
    """Return the settings described by the options after a player's name, which are separated by commas.

    Later options override earlier ones. ``time=MS`` and ``rollouts=N`` are limits for each decision, ``threads=N`` sets
    the number of threads, and ``match`` or ``points`` sets the objective. `SearchSettings` describes ``no-beliefs``,
    ``no-priors``, ``no-endgames``, ``no-net``, ``net=FILE``, ``model=NAME``, ``ahead=N`` and ``caution=X``. Raises
    `PlayerError` for all other options.
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
                raise PlayerError(
                    f"champion: model={number[:60]!r} is not allowed; it must be one of {', '.join(MODELS)}"
                )
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
                f"champion: there is no option {option!r}; the options are time=MS, rollouts=N, threads=N, match, "
                "points, no-beliefs, no-priors, no-endgames, no-net, net=FILE, model=NAME, ahead=N, caution=X"
            )
    return found


def _whole(name: str, text: str, most: int = 10_000_000, *, least: int = 1) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 9 or not least <= int(text) <= most:
        raise PlayerError(f"champion: {name}={text[:60]!r} isn't a whole number from {least} to {most}")
    return int(text)


def _number(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 <= found <= 100:
        raise PlayerError(f"champion: caution={text[:60]!r} isn't a number from 0 to 100")
    return found
