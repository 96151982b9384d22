"""The settings of the champion's search, and a function that reads them from text."""

import math
from typing import Final, NamedTuple

from millebornes.errors import PlayerError

MODELS: Final = ("mixture", "net", "maxims")
"""The models of other seats: the net, the maxims, or a mixture of those that best explain the moves of each seat."""


class SearchSettings(NamedTuple):
    """The settings of a search. At least one of the limits ``milliseconds`` and ``rollouts`` for a decision is set."""

    milliseconds: int | None = 100
    rollouts: int | None = None
    match: bool = True  # whether moves are compared by the chance to win a match, if there is a target, or by points
    beliefs: bool = True  # if False, all hidden hands are equally likely
    priors: bool = True  # if False, only rollouts determine the value of a move
    threads: int = 1  # these share the rollouts, which doesn't affect the results
    net: str | None = ""  # the file of the net for the priors, "" for the built-in ones, None for the maxims
    model: str = "mixture"  # one of `MODELS`: how the other seats are assumed to play
    net_plies: int = 8  # in rollouts, nets play until the seat has made this many moves
    endgames: bool = True  # whether positions in which no cards are hidden are solved
    caution: float = 0.5  # standard errors by which a move must lead the first choice to be preferred
    steps: int = 20_000  # the most steps of the chain that samples hidden hands, for each other seat


def parse_settings(options: str) -> SearchSettings:
    """Return the settings described by the options after a player's name, which are separated by commas.

    Later options override earlier ones. docs/champion.md describes them. Raises `PlayerError` for all other options.
    """
    settings = SearchSettings()
    for option in filter(None, (part.strip() for part in options.split(","))):
        name, equals, number = option.partition("=")
        if option in ("match", "points"):
            settings = settings._replace(match=option == "match")
        elif option == "no-beliefs":
            settings = settings._replace(beliefs=False)
        elif option == "no-priors":
            settings = settings._replace(priors=False)
        elif option == "no-endgames":
            settings = settings._replace(endgames=False)
        elif option == "no-net":
            settings = settings._replace(net=None)
        elif name == "net" and number:
            settings = settings._replace(net=number)
        elif name == "model" and equals:
            if number not in MODELS:
                raise PlayerError(
                    f"champion: model={number[:60]!r} is not allowed; it must be one of {', '.join(MODELS)}"
                )
            settings = settings._replace(model=number)
        elif name == "caution" and equals:
            settings = settings._replace(caution=_number(number))
        elif equals and name == "threads":
            settings = settings._replace(threads=_whole(name, number, 256))
        elif equals and name == "ahead":
            settings = settings._replace(net_plies=_whole(name, number, 1000, least=0))
        elif equals and name == "time":
            settings = settings._replace(milliseconds=_whole(name, number), rollouts=None)
        elif equals and name == "rollouts":
            settings = settings._replace(milliseconds=None, rollouts=_whole(name, number))
        else:
            raise PlayerError(
                f"champion: there is no option {option!r}; the options are time=MS, rollouts=N, threads=N, match, "
                "points, no-beliefs, no-priors, no-endgames, no-net, net=FILE, model=NAME, ahead=N, caution=X"
            )
    return settings


def _whole(name: str, text: str, most: int = 10_000_000, *, least: int = 1) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 9 or not least <= int(text) <= most:
        raise PlayerError(f"champion: {name}={text[:60]!r} isn't a whole number from {least} to {most}")
    return int(text)


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number <= 100:
        raise PlayerError(f"champion: caution={text[:60]!r} isn't a number from 0 to 100")
    return number
