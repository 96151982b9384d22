"""The plan of an arena: which players meet, in which seats, and on which deals."""

import dataclasses
import functools
import itertools
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from millebornes.editions import EDITIONS, Rules, edition
from millebornes.errors import MilleBornesError, PlayerError
from millebornes.game import DEFAULT_TARGET, check_target
from millebornes.player_names import OWN_PREFIXES
from millebornes.players import available, is_full_information

__all__ = ["Game", "Plan", "members_of", "rules_key", "seed_value", "shown_names", "team_of"]

MAX_GAMES: Final = 100_000_000
MAX_MEETINGS: Final = 5000


class Game(NamedTuple):
    """One match or single hand. ``order`` contains the number of the player on each side.

    ``deal`` is the number of the deal, from 0. Games on the same deal have the same decks. ``turn`` numbers the games
    on a deal, from 0.
    """

    deal: int
    turn: int
    order: tuple[int, ...]


def rules_key(rules: Rules) -> dict[str, Any]:
    """Return all settings of a table as plain data, without the name of the edition."""
    names = [field.name for field in dataclasses.fields(rules) if field.compare and field.name != "edition"]
    settings = {name: getattr(rules, name) for name in names}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()}


def shown_names(players: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names to show for the players. A second player with the same name becomes ``name#2``, and so on."""
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
    """Everything that determines the results of an arena.

    ``players`` contains names of players as for `millebornes.players.player`, at least as many as there are sides. If
    there are more, the players meet in a round robin: every possible group of one player per side plays. A name such as
    ``maxims+basic`` is a team of two partners. ``games`` is the number of matches, or of single hands if
    ``match_target`` is None, and is rounded up to whole rounds. In a round, all groups play the same deal in every
    rotation through the seats. With ``duplicate``, all games of a round use the same decks, and each seat draws from
    its own share of the cards. ``time_ms`` is the time limit for a move in milliseconds, or None for no limit. With
    ``ladder``, players meet only their neighbours (`millebornes.arena.ladder`).
    """

    rules: Rules
    """The rules of all games."""
    players: tuple[str, ...]
    games: int
    match_target: int | None = DEFAULT_TARGET
    seed: str = "0"
    """The seed that determines all decks and the players' random choices."""
    duplicate: bool = True
    time_ms: int | None = None
    ladder: bool = False

    def __post_init__(self) -> None:
        """Raises `MilleBornesError` with a description of the problem (`NotationError` for an invalid match target)."""
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
        """The names to show for the players."""
        return shown_names(self.players)

    @property
    def changed_settings(self) -> dict[str, Any]:
        """The settings that differ from the edition's, or all settings for a custom edition."""
        rules = self.rules
        return edition(rules.edition).differences(rules) if rules.edition in EDITIONS else rules.settings()

    @functools.cached_property
    def teams(self) -> tuple[tuple[str, ...], ...]:
        """The members of each player in the seats of a side. Raises `PlayerError` for a wrong number of them."""
        return tuple(team_of(name, self.rules.seats // self.rules.sides) for name in self.players)

    @functools.cached_property
    def full_information(self) -> tuple[str, ...]:
        """The display names of the players that see all cards. Partners count as one player."""
        return tuple(
            name for name, team in zip(self.names, self.teams, strict=True) if any(map(is_full_information, team))
        )

    @functools.cached_property
    def meetings(self) -> tuple[tuple[int, ...], ...]:
        """The groups of players who meet in a round robin, which are all combinations of one player per side."""
        return tuple(itertools.combinations(range(len(self.players)), self.rules.sides))

    @functools.cached_property
    def turns(self) -> int:
        """How many times each rotation of the sides is played, so that partners take each place of their side once."""
        return self.rules.seats // self.rules.sides if any(len(set(team)) > 1 for team in self.teams) else 1

    @functools.cached_property
    def games_a_round(self) -> int:
        """The number of games played on one deal."""
        neighbours = len(self.players) - self.rules.sides + 1
        return (neighbours if self.ladder else len(self.meetings)) * self.rules.sides * self.turns

    @property
    def deals(self) -> int:
        """The number of rounds, each of which uses one deal."""
        return math.ceil(self.games / self.games_a_round)

    def games_of(self, deal: int, meetings: Sequence[tuple[int, ...]] | None = None) -> Iterator[Game]:
        """Return the games of one round, in which each player sits in each seat equally often.

        ``meetings`` lists the groups of players who meet, by default all of them. At tables with three or more sides,
        the order around the table matters, so it changes from deal to deal.
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
        """Return the player in each seat, as the number of the player and the number of the member within its team.

        Partners take turns in all places of their side. The order of partners and opponents around the table changes
        from deal to deal.
        """
        sides, line_up = self.rules.sides, []
        for seat in range(self.rules.seats):
            side, place = seat % sides, seat // sides
            if self.turns > 1:
                place += game.turn + (game.deal // self.turns ** (side - 1) if side else 0)
            line_up.append((game.order[side], place % len(self.teams[0])))
        return tuple(line_up)

    def deck_seed(self, game: Game) -> str:
        """Return the seed of a game's decks."""
        return f"{self.seed} {game.deal}" if self.duplicate else f"{self.seed} {game.deal} {game.turn}"

    def play_seed(self, game: Game) -> str:
        """Return the seed that determines the players' random choices in a game."""
        return f"{self.seed} {game.deal} {game.turn}"

    def key(self) -> dict[str, Any]:
        """Return everything that must be the same for results to belong together, as plain data: all but ``games``."""
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
    """Return an order of ``members``, selected by number. After the last order, the numbering starts again."""
    left, order = list(members), []
    for size in range(len(left), 0, -1):
        order.append(left.pop(number % size))
        number //= size
    return tuple(order)


EXACT: Final = 1 << 53
"""JSON readers read every whole number below this one exactly."""


def seed_value(seed: str) -> int | str:
    """Return a seed as JSON: a number if all readers read it exactly, otherwise a string."""
    if seed.isascii() and seed.isdigit() and len(seed) <= len(str(EXACT)):
        number = int(seed)
        if number < EXACT and str(number) == seed:
            return number
    return seed


_PLUS: Final = re.compile(r"\+(?![0-9])")
"""The sign between two players. A plus sign before a number doesn't separate players (``maxims:lone_75=+3``)."""


def members_of(name: str) -> tuple[str, ...]:
    """Return the names of players that a name joins with ``+``. Most names are the name of a single player.

    A command or a path can contain a ``+``. After ``cmd:``, ``py:`` or ``onnx:``, a ``+`` therefore starts a new name
    only if it is followed by one of these prefixes or by the full name of an existing player.
    """
    first, *rest = _PLUS.split(name)
    members = [first]
    for piece in rest:
        begins = piece.startswith(OWN_PREFIXES) or not members[-1].startswith(OWN_PREFIXES) or _is_player(piece)
        if begins:
            members.append(piece)
        else:
            members[-1] += f"+{piece}"
    return tuple(members)


def team_of(name: str, seats: int) -> tuple[str, ...]:
    """Return the name of the player in each of a side's ``seats`` seats.

    Raises `PlayerError` unless the name joins ``seats`` players or is the name of a single player.
    """
    members = members_of(name)
    if len(members) == 1 or (seats == 1 and name.startswith(OWN_PREFIXES)):
        return (name,) * seats
    if len(members) != seats:
        held = f"{seats} seats" if seats > 1 else "1 seat"
        right = f"name one or {seats}" if seats > 1 else "name one; partners need a table such as --seats 4"
        raise PlayerError(f"{name!r} names {len(members)} players, but each side has {held}; {right}")
    return members


def _is_player(text: str) -> bool:
    return text.partition(":")[0] in available()
