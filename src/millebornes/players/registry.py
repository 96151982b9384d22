"""All players that are available by name: the built-in players, and players from other packages (entry points)."""

import difflib
import functools
from importlib import metadata
from typing import Final, NamedTuple

from millebornes.errors import PlayerError
from millebornes.player_names import COMMAND_PREFIX, FILE_PREFIX, GROUP, ONNX_PREFIX, plugins
from millebornes.players.base import FullInformationPlayer, Player
from millebornes.players.external_player import DEFAULT_TIME_MS, ExternalPlayer
from millebornes.players.file_player import class_in_file, error_text, player_in_file
from millebornes.players.levels import LEVEL_PLAYERS
from millebornes.roster import FULL_INFORMATION, ROSTER, BuiltInPlayer


def _class_of(known: BuiltInPlayer) -> type[Player]:
    if not known.entry_point:
        return LEVEL_PLAYERS[known.name]
    made: type[Player] = metadata.EntryPoint(known.name, known.entry_point, GROUP).load()
    return made


PLAYERS: Final = {name: _class_of(known) for name, known in ROSTER.items()}
"""The built-in players by name, from the weakest to the strongest."""

FULL_INFORMATION_PLAYERS: Final = {name: _class_of(known) for name, known in FULL_INFORMATION.items()}
"""The built-in players that see all cards, by name. They are kept separate so that they can't be offered by mistake."""

_BUILT_IN: Final = {**ROSTER, **FULL_INFORMATION}

_ONNX: Final = metadata.EntryPoint("onnx", "millebornes.envs.onnx_player:player_in_onnx", GROUP)
"""The entry point that creates players from net files.

It isn't imported here because `millebornes.envs` imports this package, and most games don't need it.
"""


class PlayerInfo(NamedTuple):
    """A player that is available by name.

    ``summary`` describes how the player thinks. ``source`` is ``"built-in"`` or the name of the package that provides
    the player. ``problem`` says why the player can't play, or is None. ``sees_everything`` is true if the player sees
    all cards and can't take part in games (`millebornes.players.base`). ``elo`` is the player's rating, or None if it
    isn't known (`millebornes.roster.ROSTER`).
    """

    name: str
    summary: str
    source: str
    problem: str | None = None
    sees_everything: bool = False
    elo: int | None = None


def available() -> dict[str, PlayerInfo]:
    """Return all players by name, beginning with the built-in players.

    Broken players from other packages are included, with their problems.
    """
    players = {
        name: PlayerInfo(name, built_in.summary, "built-in", None, built_in.sees_everything, built_in.elo)
        for name, built_in in _BUILT_IN.items()
    }
    for name, point in sorted(_points().items()):
        source = _source(point)
        try:
            made = _load(point)
            players[name] = PlayerInfo(name, made.summary, source, None, issubclass(made, FullInformationPlayer))
        except PlayerError as error:
            players[name] = PlayerInfo(name, "", source, str(error))
    for name, (source, problem) in sorted(refused().items()):
        shown = f"{name} ({source})"  # the author of the player sees this warning
        players[shown] = PlayerInfo(shown, "", source, problem)
    return players


def refused() -> dict[str, tuple[str, str]]:
    """Return the players from other packages that use the name of a built-in one: package and problem, by name."""
    return {
        point.name: (
            _source(point),
            f"the player {point.name!r} of the package {_source(point)!r} is refused: a built-in player has this name; "
            "the package must choose another one",
        )
        for point in metadata.entry_points(group=GROUP)
        if point.name in _BUILT_IN
    }


def is_full_information(name: str) -> bool:
    """Return whether the player with this name, which may include options, sees all cards."""
    chosen = name.partition(":")[0]
    if chosen in FULL_INFORMATION_PLAYERS:
        return True
    if name.startswith(FILE_PREFIX):
        try:
            return issubclass(class_in_file(name), FullInformationPlayer)
        except PlayerError:
            return False
    point = None if name in PLAYERS else _points().get(name)
    try:
        return point is not None and issubclass(_load(point), FullInformationPlayer)
    except PlayerError:
        return False


def player(name: str, *, time_ms: int | None = DEFAULT_TIME_MS, sees_everything: bool = False) -> Player:
    """Return a new player with this name.

    ``cmd:…`` is a program that is started when its first match begins. ``py:FILE`` and ``py:FILE:CLASS`` are a class in
    a file (`millebornes.players.file_player`). ``onnx:FILE`` is a net (`millebornes.envs.OnnxPlayer`). Some players
    accept options after a colon, as in ``maxims:points``.

    ``time_ms`` is the time that a program has for each move, in milliseconds (None for no limit). Players that see all
    cards are only created if ``sees_everything`` is true, which is meant for measurements and never for games. Raises
    `PlayerError` if there is no such player, or if a player from another package is broken.
    """
    if name.startswith(COMMAND_PREFIX):
        return ExternalPlayer(name.removeprefix(COMMAND_PREFIX), time_ms=time_ms)
    chosen, colon, options = name.partition(":")
    if colon and chosen in ROSTER and ROSTER[chosen].takes_options:
        return PLAYERS[chosen](options)  # type: ignore[call-arg]
    if not sees_everything and is_full_information(name):
        shown = chosen if chosen in FULL_INFORMATION_PLAYERS else name
        raise PlayerError(f"the player {shown!r} sees all cards, so it can play only in the arena")
    if name.startswith(FILE_PREFIX):
        return player_in_file(name)
    if name.startswith(ONNX_PREFIX):
        made_by_net: Player = _ONNX.load()(name)
        return made_by_net
    if chosen in FULL_INFORMATION_PLAYERS:
        return FULL_INFORMATION_PLAYERS[chosen](options)  # type: ignore[call-arg]
    made = PLAYERS.get(name)
    if made is None:
        point = _points().get(name)
        if point is None:
            raise _unknown(name)
        made = _load(point)
    try:
        return made()
    except Exception as error:
        if name in PLAYERS:
            raise
        raise PlayerError(f"the player {name!r} could not be created: {error_text(error)}") from error


def _points() -> dict[str, metadata.EntryPoint]:
    return plugins(_BUILT_IN)


def _source(point: metadata.EntryPoint) -> str:
    return point.dist.name if point.dist else point.value


@functools.cache
def _load(point: metadata.EntryPoint) -> type[Player]:
    try:
        made = point.load()
    except Exception as error:  # continue, whatever has gone wrong in another package
        raise PlayerError(
            f"the player {point.name!r} ({point.value}) could not be loaded: {error_text(error)}"
        ) from error
    if not (isinstance(made, type) and issubclass(made, Player)):
        raise PlayerError(f"the player {point.name!r} ({point.value}) isn't a subclass of millebornes.players.Player")
    return made


def _unknown(name: str) -> PlayerError:
    names = [*PLAYERS, *sorted(_points())]
    shown = name if len(name) <= 40 else f"{name[:37]}..."
    synonyms = {word: known.name for known in ROSTER.values() for word in known.synonyms}
    typed, words = name.strip().lower(), {**synonyms, **{known: known for known in names}}
    close = [typed] if typed in words else difflib.get_close_matches(typed, words, n=1)
    others = f"{', '.join(names)}, {COMMAND_PREFIX}COMMAND, {FILE_PREFIX}FILE and {ONNX_PREFIX}FILE"
    hint = f"did you mean {words[close[0]]!r}?" if close else f"the players are {others}"
    return PlayerError(f"there is no player {shown!r}; {hint}")
