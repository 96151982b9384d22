"""The options of a new game: the table, the players and the length of the match.

This module doesn't import the game.
"""

import contextlib
import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Final

from millebornes.editions import EDITIONS, Rules, check_table, load_edition
from millebornes.errors import EditionError
from millebornes.i18n import Translator
from millebornes.player_names import HUMAN
from millebornes.policies.net_choice import net_sentence
from millebornes.roster import DEFAULT_PLAYER
from millebornes.schema.reading import read
from millebornes.session.setup import DEFAULT_TARGET, MAX_TARGET, GameSetup, new_seed, seat_names
from millebornes.shown import clean_name

TABLES: Final = ((2, 2), (3, 3), (4, 2), (4, 4), (6, 2), (6, 3), (6, 6))
"""The tables (seats, sides) that are tried for every edition, after the tables that the edition itself lists."""

MOST_PEOPLE: Final = 6
"""The maximum number of people who can share one keyboard."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class NewGameOptions:
    """The options of a new game, which are immutable. Each ``with_…`` method returns new, consistent options.

    ``edition`` is a name or the path of a TOML file, and ``settings`` contains the changes to it as plain data (R9).
    ``players`` and ``names`` have one entry per seat. While a computer player sits in a person's seat, the person's
    name is kept in case they come back.
    """

    edition: str = EDITIONS[0]
    seats: int = 2
    sides: int = 2
    settings: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    players: tuple[str, ...] = (HUMAN, DEFAULT_PLAYER)
    names: tuple[str, ...] = ("", "")
    match_target: int | None = DEFAULT_TARGET
    practice: bool = False

    def rules(self) -> Rules:
        """Return the rules at this table. Raises `EditionError`."""
        return load_edition(self.edition).rules(self.seats, self.sides, self.settings)

    def with_edition(self, name: str) -> "NewGameOptions":
        """Return the options for another edition, at the same table if possible. Raises `EditionError`."""
        found = dataclasses.replace(self, edition=name, settings={})
        tables = tables_of(name)
        return found if (self.seats, self.sides) in tables else found.with_table(*tables[0])

    def with_settings(self, settings: Mapping[str, Any]) -> "NewGameOptions":
        """Return the options with those changes that have an effect. Raises `EditionError`."""
        loaded = load_edition(self.edition)
        kept = loaded.differences(loaded.rules(self.seats, self.sides, settings))
        return dataclasses.replace(self, settings=kept)

    def with_table(self, seats: int, sides: int) -> "NewGameOptions":
        """Return the options for another table. The last computer player also takes any new seats."""
        others = [name for name in self.players if name != HUMAN]
        filler = others[-1] if others else DEFAULT_PLAYER
        players = (self.players + (filler,) * seats)[:seats]
        if HUMAN not in players and HUMAN in self.players:
            players = (HUMAN, *players[1:])
        names = (self.names + ("",) * seats)[:seats]
        return dataclasses.replace(self, seats=seats, sides=sides, players=players, names=names)

    def with_player(self, seat: int, player: str) -> "NewGameOptions":
        """Return the options with another player in a seat: `HUMAN`, a level, or ``cmd:…``."""
        players = tuple(player if n == seat else kind for n, kind in enumerate(self.players))
        return dataclasses.replace(self, players=players)

    def with_name(self, seat: int, name: str) -> "NewGameOptions":
        """Return the options with another name for the person in a seat, as it is displayed."""
        names = tuple(clean_name(name) if n == seat else old for n, old in enumerate(self.names))
        return dataclasses.replace(self, names=names)

    def setup(self, _: Translator, seed: str | None = None) -> GameSetup:
        """Return the setup of a game with these options, ready to start. Raises `EditionError`."""
        people = [name for kind, name in zip(self.players, self.names, strict=True) if kind == HUMAN]
        return GameSetup(
            rules=self.rules(),
            seats=self.players,
            names=seat_names(self.players, people, _),
            match_target=self.match_target,
            seed=seed or new_seed(),
            practice=self.practice,
        )

    @classmethod
    def of(cls, setup: GameSetup, edition: str, names: Sequence[str]) -> "NewGameOptions":
        """Return the options of a setup based on an ``edition`` with people's ``names``. Raises `EditionError`."""
        rules, given = setup.rules, iter(names)
        return cls(
            edition=edition,
            seats=rules.seats,
            sides=rules.sides,
            settings=load_edition(edition).differences(rules),
            players=setup.seats,
            names=tuple(clean_name(next(given, "")) if kind == HUMAN else "" for kind in setup.seats),
            match_target=setup.match_target,
            practice=setup.practice,
        )

    def nets(self, _: Translator) -> list[str]:
        """Return a sentence about the net of each computer player that uses one. Raises `EditionError`."""
        rules = self.rules()
        said = {name: net_sentence(name, rules, _) for name in self.players}
        return [_("{head}: {text}").format(head=name, text=text) for name, text in said.items() if text]

    def to_dict(self) -> dict[str, Any]:
        """Return the options as plain data, as preferences store them in ``last_game``."""
        return {
            "edition": self.edition,
            "seats": self.seats,
            "sides": self.sides,
            "set": dict(self.settings),
            "players": list(self.players),
            "names": list(self.names),
            "match_target": self.match_target,
            "practice": self.practice,
        }

    @classmethod
    def offered(cls, last: Mapping[str, Any] | None, names: Sequence[str], *, practice: bool) -> "NewGameOptions":
        """Return the options of the last game, with people's ``names`` and practice as the command line wants them."""
        found = cls.from_dict(last)
        people = [seat for seat, kind in enumerate(found.players) if kind == HUMAN]
        for seat, name in zip(people, names, strict=False):
            found = found.with_name(seat, name)
        return dataclasses.replace(found, practice=practice or found.practice)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any] | None) -> "NewGameOptions":
        """Read the data that `to_dict` returns. Values that no longer make sense get their defaults."""
        from millebornes.schema.saves import LastGameObject  # not needed before the first game

        found, data = cls(), data or {}
        try:
            said = read(LastGameObject, data, fault=EditionError)
        except EditionError:
            return found
        with contextlib.suppress(EditionError):  # for example, because the file of the edition no longer exists
            found = found.with_edition(said.edition or EDITIONS[0])
            seats, sides = said.seats or 0, said.sides or 0
            check_table(seats, sides)
            table = found.with_table(seats, sides)
            table.rules()
            found = table  # even if its settings no longer exist
            found = table.with_settings(said.set)
        for seat, kind in enumerate(said.players[: found.seats]):
            found = found.with_player(seat, kind or DEFAULT_PLAYER)
        for seat, name in enumerate(said.names[: found.seats]):
            found = found.with_name(seat, name)
        if found.players.count(HUMAN) > MOST_PEOPLE:
            found = dataclasses.replace(found, players=(HUMAN, *[DEFAULT_PLAYER] * (found.seats - 1)))
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
