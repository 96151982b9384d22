"""The plan of an arena: the players who meet, their seats and the deals."""

import dataclasses
import functools
import itertools
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from millebornes.editions import Rules
from millebornes.errors import MilleBornesError, PlayerError
from millebornes.game import DEFAULT_TARGET, check_target
from millebornes.player_names import OWN_PREFIXES
from millebornes.players import available, is_full_information

__all__ = ["Game", "Plan", "members_of", "rules_key", "seed_value", "shown_names", "team_of"]

MAX_GAMES: Final = 100_000_000
MAX_MEETINGS: Final = 5000


class Game(NamedTuple):
    """One match or one single hand. ``order`` holds the player (by number) of each side.

    ``deal`` is numbered from 0. Games with the same deal have the same decks. ``turn`` numbers the games of a deal.
    """

    deal: int
    turn: int
    order: tuple[int, ...]


def rules_key(rules: Rules) -> dict[str, Any]:
    """Return all settings of a table as plain data. The name of the edition makes no difference."""
    names = [field.name for field in dataclasses.fields(rules) if field.compare and field.name != "edition"]
    settings = {name: getattr(rules, name) for name in names}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()}


def shown_names(players: tuple[str, ...]) -> tuple[str, ...]:
    """Return the players' names as they are shown: the second player with a name is ``name#2``, and so on."""
    shown: list[str] = []
    for name in players:
        count, text = 1, name
        while text in shown:
            count += 1
            text = f"{name}#{count}"
        shown.append(text)
    return tuple(shown)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Plan:
    """Everything that determines the result of an arena.

    ``players`` holds names as for `millebornes.players.player`, one for each side, or more for a round robin. In a
    round robin, every possible group of as many players as there are sides meets. A name such as ``maxims+basic`` means
    two partners (`millebornes.arena.schedule`). ``games`` is the number of matches (single hands if ``match_target`` is
    None), rounded up to whole rounds. A round is one deal, played by all players who meet, in every rotation through
    the seats. With ``duplicate``, all games of a round get the same decks, with a separate stream for each seat.
    ``time_ms`` is the time for a move, None for no limit. On a ``ladder``, only neighbours meet
    (`millebornes.arena.ladder`).
    """

    rules: Rules
    """The rules of all games."""
    players: tuple[str, ...]
    games: int
    match_target: int | None = DEFAULT_TARGET
    seed: str = "0"
    """The seed of all decks and of the players' random choices."""
    duplicate: bool = True
    time_ms: int | None = None
    ladder: bool = False

    def __post_init__(self) -> None:
        """Raises a `MilleBornesError` that says what is wrong (a `NotationError` for an invalid target)."""
        check_target(self.match_target)
        if len(self.players) < self.rules.sides:
            raise MilleBornesError(
                f"{len(self.players)} players for {self.rules.sides} sides; name at least one for each side"
            )
        if not 1 <= self.games <= MAX_GAMES:
            raise MilleBornesError(f"{self.games} games cannot be played; choose 1 to {MAX_GAMES:,}")
        if (count := math.comb(len(self.players), self.rules.sides)) > MAX_MEETINGS and not self.ladder:
            raise MilleBornesError(
                f"{len(self.players)} players make {count:,} meetings, which is too many; "
                "on a ladder, only neighbours meet"
            )
        _ = self.teams

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names as they are shown."""
        return shown_names(self.players)

    @functools.cached_property
    def teams(self) -> tuple[tuple[str, ...], ...]:
        """The names of the players in the seats of a side, by player. Raises `PlayerError` if their number is wrong."""
        return tuple(team_of(name, self.rules.seats // self.rules.sides) for name in self.players)

    @functools.cached_property
    def full_information(self) -> tuple[str, ...]:
        """The players with full information, by their names as shown. Partners count as one side."""
        return tuple(
            name for name, team in zip(self.names, self.teams, strict=True) if any(map(is_full_information, team))
        )

    @functools.cached_property
    def meetings(self) -> tuple[tuple[int, ...], ...]:
        """The players who meet in a round robin: every combination of one player for each side."""
        return tuple(itertools.combinations(range(len(self.players)), self.rules.sides))

    @functools.cached_property
    def turns(self) -> int:
        """The number of times each rotation of the sides is played: once for each place of a partner in its side."""
        return self.rules.seats // self.rules.sides if any(len(set(team)) > 1 for team in self.teams) else 1

    @functools.cached_property
    def games_a_round(self) -> int:
        """The number of games on one deal."""
        neighbours = len(self.players) - self.rules.sides + 1
        return (neighbours if self.ladder else len(self.meetings)) * self.rules.sides * self.turns

    @property
    def deals(self) -> int:
        """The number of rounds."""
        return math.ceil(self.games / self.games_a_round)

    def games_of(self, deal: int, meetings: Sequence[tuple[int, ...]] | None = None) -> Iterator[Game]:
        """Return the games of one round. Each player plays in each seat equally often.

        ``meetings`` says which players meet, by default all. At tables of three or more sides, the order around the
        table matters, so it changes from deal to deal.
        """
        turn = 0
        for meeting in self.meetings if meetings is None else meetings:
            circle = (meeting[0], *_arrangement(meeting[1:], deal))
            for rotation in range(len(circle)):
                order = circle[len(circle) - rotation :] + circle[: len(circle) - rotation]
                for _ in range(self.turns):
                    yield Game(deal, turn, order)
                    turn += 1

    def seated(self, game: Game) -> tuple[tuple[int, int], ...]:
        """Return the player in each seat: its number, and the number of the member in its team.

        Partners take all places of their side in turn. Which opponent follows which partner changes from deal to deal.
        """
        sides, found = self.rules.sides, []
        for seat in range(self.rules.seats):
            side, place = seat % sides, seat // sides
            if self.turns > 1:
                place += game.turn + (game.deal // self.turns ** (side - 1) if side else 0)
            found.append((game.order[side], place % len(self.teams[0])))
        return tuple(found)

    def deck_seed(self, game: Game) -> str:
        """Return the seed of a game's decks."""
        return f"{self.seed} {game.deal}" if self.duplicate else f"{self.seed} {game.deal} {game.turn}"

    def play_seed(self, game: Game) -> str:
        """Return the seed of the players' random choices in a game."""
        return f"{self.seed} {game.deal} {game.turn}"

    def key(self) -> dict[str, Any]:
        """Return the parts of the plan that must be equal for results to belong together, as plain data.

        Only the number of games may differ.
        """
        return {
            "rules": rules_key(self.rules),
            "players": list(self.players),
            "match_target": self.match_target,
            "seed": self.seed,
            "duplicate": self.duplicate,
            "time_ms": self.time_ms,
            "ladder": self.ladder,
        }


def _arrangement(members: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Return one of the orders of ``members``, by its number. Numbers beyond the last order start again."""
    left, order = list(members), []
    for size in range(len(left), 0, -1):
        order.append(left.pop(number % size))
        number //= size
    return tuple(order)


EXACT: Final = 1 << 53
"""Every JSON reader reads whole numbers below this one exactly."""


def seed_value(seed: str) -> int | str:
    """Return a seed as JSON: a number if every reader reads it exactly, else the text."""
    if seed.isascii() and seed.isdigit() and len(seed) <= len(str(EXACT)):
        number = int(seed)
        if number < EXACT and str(number) == seed:
            return number
    return seed


_PLUS: Final = re.compile(r"\+(?![0-9])")
"""The separator of players. A plus sign before a number isn't one (``maxims:lone_75=+3``)."""


def members_of(name: str) -> tuple[str, ...]:
    """Return the names that a name joins with ``+``. Most names are single.

    A command or a path can contain a ``+``. So after ``cmd:``, ``py:`` or ``onnx:``, a ``+`` starts a new name only
    before another of these prefixes, or before the whole name of an existing player.
    """
    first, *rest = _PLUS.split(name)
    found = [first]
    for piece in rest:
        begins = piece.startswith(OWN_PREFIXES) or not found[-1].startswith(OWN_PREFIXES) or _is_player(piece)
        if begins:
            found.append(piece)
        else:
            found[-1] += f"+{piece}"
    return tuple(found)


def team_of(name: str, seats: int) -> tuple[str, ...]:
    """Return a name for each of the ``seats`` seats of a side.

    Raises `PlayerError` unless the name joins one player or ``seats`` players.
    """
    members = members_of(name)
    if len(members) == 1 or (seats == 1 and name.startswith(OWN_PREFIXES)):
        return (name,) * seats
    if len(members) != seats:
        right = f"name one or {seats}" if seats > 1 else "name one; partners need a table such as --seats 4"
        raise PlayerError(f"{name!r} names {len(members)} players, but a side has {seats} of the seats; {right}")
    return members


def _is_player(text: str) -> bool:
    return text.partition(":")[0] in available()
