"""The setup of a game: everything that it starts from.

To let the first question appear immediately, this module doesn't import the game.
"""

import contextlib
import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Final, Self

from millebornes.editions import EDITIONS, Rules, check_table, load_edition
from millebornes.errors import EditionError
from millebornes.player_names import HUMAN
from millebornes.roster import DEFAULT_PLAYER
from millebornes.shown import clean_name

DEFAULT_TARGET: Final = 5000
MAX_TARGET: Final = 1_000_000

TABLES: Final = ((2, 2), (3, 3), (4, 2), (4, 4), (6, 2), (6, 3), (6, 6))
"""The tables (seats, sides) that are tried for every edition, after the tables that the edition itself lists."""

MOST_PEOPLE: Final = 6
"""The maximum number of people who can share one keyboard."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class GameSetup:
    """Everything that a game starts from. Setups are immutable, and each ``with_…`` method returns a consistent one.

    ``edition`` is the name or the path of the edition on which the ``rules`` are based. ``places`` and ``names`` have
    one entry per seat, and names that are left out are empty. A place is `HUMAN`, ``open`` (anyone with the
    invitation), a computer player's name, or ``cmd:…``. While a computer player sits in a person's seat, the person's
    name is kept in case they come back. When the game starts, people without a name get one, and so does a game
    without a ``seed``. With ``practice``, moves can be taken back, and the game doesn't count.

    The rest is for tables on the web. ``spectators`` says whether others may watch, and ``listed`` whether the lobby
    shows the table. The ``coup_window`` is in milliseconds, or None for the usual one. ``clock`` is each person's time
    for a hand and the increment for each move, in milliseconds. If there is a ``fill``, computer players take the open
    seats after this many milliseconds.
    """

    rules: Rules = dataclasses.field(default_factory=lambda: load_edition(EDITIONS[0]).rules(2))
    edition: str = EDITIONS[0]
    places: tuple[str, ...] = (HUMAN, DEFAULT_PLAYER)
    names: tuple[str, ...] = ()
    match_target: int | None = DEFAULT_TARGET
    seed: str | None = None
    practice: bool = False
    spectators: bool = True
    listed: bool = False
    coup_window: int | None = None
    clock: tuple[int, int] | None = None
    fill: int | None = None

    def __post_init__(self) -> None:
        seats = len(self.places)
        object.__setattr__(self, "names", (*self.names, *[""] * seats)[:seats])

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that differ from the edition's, as data (R9). Raises `EditionError` if its file is gone."""
        return load_edition(self.edition).differences(self.rules)

    @property
    def people(self) -> list[int]:
        """The seats for people at this keyboard."""
        return [seat for seat, place in enumerate(self.places) if place == HUMAN]

    def with_edition(self, name: str) -> Self:
        """Return the setup for another edition, at the same table if possible. Raises `EditionError`."""
        tables, table = tables_of(name), (self.rules.seats, self.rules.sides)
        return self._changed(name, *(table if table in tables else tables[0]), {})

    def with_settings(self, settings: Mapping[str, Any]) -> Self:
        """Return the setup with these changes to the edition, instead of the previous ones. Raises `EditionError`."""
        return self._changed(self.edition, self.rules.seats, self.rules.sides, settings)

    def with_table(self, seats: int, sides: int) -> Self:
        """Return the setup for another table. Raises `EditionError` if the settings don't fit it."""
        return self._changed(self.edition, seats, sides, self.settings)

    def _changed(self, edition: str, seats: int, sides: int, settings: Mapping[str, Any]) -> Self:
        """Return the setup with other rules. The last computer player also takes any new seats."""
        others = [place for place in self.places if place != HUMAN]
        filler = others[-1] if others else DEFAULT_PLAYER
        places = (self.places + (filler,) * seats)[:seats]
        if HUMAN not in places and HUMAN in self.places:
            places = (HUMAN, *places[1:])
        return dataclasses.replace(
            self,
            rules=load_edition(edition).rules(seats, sides, settings),
            edition=edition,
            places=places,
        )

    def with_place(self, seat: int, place: str) -> Self:
        """Return the setup with another player in a seat."""
        places = tuple(place if n == seat else old for n, old in enumerate(self.places))
        return dataclasses.replace(self, places=places)

    def with_name(self, seat: int, name: str) -> Self:
        """Return the setup with another name for the person in a seat, as it is displayed."""
        names = tuple(clean_name(name) if n == seat else old for n, old in enumerate(self.names))
        return dataclasses.replace(self, names=names)

    def with_names(self, names: Sequence[str]) -> Self:
        """Return the setup with the names of the first people, in the order of their seats."""
        setup = self
        for seat, name in zip(self.people, names, strict=False):
            setup = setup.with_name(seat, name)
        return setup

    def to_dict(self) -> dict[str, Any]:
        """Return the setup as plain data, as preferences store it in ``last_game``. Raises `EditionError`."""
        return {
            "edition": self.edition,
            "seats": self.rules.seats,
            "sides": self.rules.sides,
            "set": self.settings,
            "players": list(self.places),
            "names": list(self.names),
            "match_target": self.match_target,
            "practice": self.practice,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any] | None) -> Self:
        """Read the data that `to_dict` returns. Values that no longer make sense get their defaults."""
        from millebornes.schema.reading import read  # not needed before the first game
        from millebornes.schema.saves import LastGameObject

        found, data = cls(), data or {}
        try:
            said = read(LastGameObject, data, fault=EditionError)
        except EditionError:
            return found
        with contextlib.suppress(EditionError):  # for example, because the file of the edition no longer exists
            found = found.with_edition(said.edition or EDITIONS[0])
            seats, sides = said.seats or 0, said.sides or 0
            check_table(seats, sides)
            found = found.with_table(seats, sides)
            found = found.with_settings(said.set)  # if its settings no longer exist, the table stays
        for seat, place in enumerate(said.players[: found.rules.seats]):
            found = found.with_place(seat, place or DEFAULT_PLAYER)
        for seat, name in enumerate(said.names[: found.rules.seats]):
            found = found.with_name(seat, name)
        if len(found.people) > MOST_PEOPLE:
            found = dataclasses.replace(found, places=(HUMAN, *[DEFAULT_PLAYER] * (found.rules.seats - 1)))
        target = said.match_target if "match_target" in data else DEFAULT_TARGET
        good = target is None or 1 <= target <= MAX_TARGET
        return dataclasses.replace(found, match_target=target if good else DEFAULT_TARGET, practice=said.practice)


def tables_of(name: str) -> tuple[tuple[int, int], ...]:
    """Return the tables (seats, sides) for which an edition has enough cards, its own first. Raises `EditionError`."""
    loaded = load_edition(name)
    found = list(loaded.tables)
    for seats, sides in TABLES:
        if (seats, sides) in found:
            continue
        with contextlib.suppress(EditionError):  # too few cards
            loaded.rules(seats, sides)
            found.append((seats, sides))
    return tuple(found)
