"""A new game as far as it has been chosen: a table, who sits at it, how far the match goes. Knows no game yet."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Final

from millebornes.editions import EDITIONS, Rules, check_table, load_edition
from millebornes.errors import EditionError
from millebornes.i18n import Translator
from millebornes.policies.net_choice import net_sentence
from millebornes.roster import DEFAULT_PLAYER
from millebornes.session.setup import (
    DEFAULT_TARGET,
    HUMAN,
    MAX_TARGET,
    GameSetup,
    new_seed,
    seat_names,
)
from millebornes.shown import clean_name

__all__ = ["MOST_PEOPLE", "NewGameOptions", "tables_of"]

TABLES: Final = ((2, 2), (3, 3), (4, 2), (4, 4), (6, 2), (6, 3), (6, 6))
"""Tables (seats, sides) that every edition can be played at; an edition's own come first."""

MOST_PEOPLE: Final = 6
"""People who can share a keyboard."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class NewGameOptions:
    """A new game as far as it has been chosen; immutable, each ``with_…`` gives another one that fits together.

    ``edition`` is a name or the path of a TOML file, ``settings`` are changes to it as data (R9). ``players`` and
    ``names`` go by seat; the names of seats where a computer player sits are kept, in case a person comes back.
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
        """The rules at this table. Raises `EditionError`."""
        return load_edition(self.edition).rules(self.seats, self.sides, self.settings)

    def with_edition(self, name: str) -> "NewGameOptions":
        """Another edition, unchanged, at the same table if it can be dealt there. Raises `EditionError`."""
        found = dataclasses.replace(self, edition=name, settings={})
        tables = tables_of(name)
        return found if (self.seats, self.sides) in tables else found.with_table(*tables[0])

    def with_settings(self, settings: Mapping[str, Any]) -> "NewGameOptions":
        """Other changes to the edition; those that change nothing are left out. Raises `EditionError`."""
        loaded = load_edition(self.edition)
        kept = loaded.differences(loaded.rules(self.seats, self.sides, settings))
        return dataclasses.replace(self, settings=kept)

    def with_table(self, seats: int, sides: int) -> "NewGameOptions":
        """Another table: who sits already stays, new seats get the computer player of the last one."""
        others = [name for name in self.players if name != HUMAN]
        filler = others[-1] if others else DEFAULT_PLAYER
        players = (self.players + (filler,) * seats)[:seats]
        if HUMAN not in players and HUMAN in self.players:
            players = (HUMAN, *players[1:])
        names = (self.names + ("",) * seats)[:seats]
        return dataclasses.replace(self, seats=seats, sides=sides, players=players, names=names)

    def with_player(self, seat: int, player: str) -> "NewGameOptions":
        """Another player on a seat: `HUMAN`, a level, or ``cmd:…``."""
        players = tuple(player if n == seat else kind for n, kind in enumerate(self.players))
        return dataclasses.replace(self, players=players)

    def with_name(self, seat: int, name: str) -> "NewGameOptions":
        """Another name for the person on a seat; what cannot be shown is left out."""
        names = tuple(clean_name(name) if n == seat else old for n, old in enumerate(self.names))
        return dataclasses.replace(self, names=names)

    def setup(self, _: Translator, seed: str | None = None) -> GameSetup:
        """The game that this is, ready to begin. Raises `EditionError`."""
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
        """The options of a game that was begun without one: ``edition`` is what its rules were made from.

        ``names`` are those that people gave, in the order of their seats. Raises `EditionError`.
        """
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
        """Say which net each computer player uses that has one. Raises `EditionError`."""
        rules = self.rules()
        said = {name: net_sentence(name, rules, _) for name in self.players}
        return [_("{head}: {text}").format(head=name, text=text) for name, text in said.items() if text]

    def to_dict(self) -> dict[str, Any]:
        """As plain data, as preferences keep it in ``last_game``."""
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
    def from_dict(cls, data: Mapping[str, Any] | None) -> "NewGameOptions":
        """Read `to_dict`'s result; what makes no sense (any more) is as in a first game, the rest is kept."""
        usual = cls()
        if not isinstance(data, Mapping):
            return usual
        game_options = usual
        try:
            game_options = game_options.with_edition(str(data.get("edition") or EDITIONS[0]))
            seats: Any = data.get("seats")
            sides: Any = data.get("sides")
            check_table(seats, sides)
            game_options = game_options.with_table(seats, sides)
            settings = data.get("set")
            game_options = game_options.with_settings(settings if isinstance(settings, Mapping) else {})
            game_options.rules()
        except EditionError:  # a file that has gone away since, say
            game_options = usual if game_options == usual else game_options.with_settings({})
        for seat, kind in enumerate(_texts(data.get("players"))[: game_options.seats]):
            game_options = game_options.with_player(seat, kind or DEFAULT_PLAYER)
        for seat, name in enumerate(_texts(data.get("names"))[: game_options.seats]):
            game_options = game_options.with_name(seat, name)
        if game_options.players.count(HUMAN) > MOST_PEOPLE:
            game_options = dataclasses.replace(
                game_options, players=(HUMAN, *[DEFAULT_PLAYER] * (game_options.seats - 1))
            )
        target = data.get("match_target", DEFAULT_TARGET)
        if target is None or (type(target) is int and 1 <= target <= MAX_TARGET):
            game_options = dataclasses.replace(game_options, match_target=target)
        return dataclasses.replace(game_options, practice=data.get("practice") is True)


def tables_of(name: str) -> tuple[tuple[int, int], ...]:
    """The tables (seats, sides) at which an edition can be dealt, its own first. Raises `EditionError`."""
    loaded = load_edition(name)
    found = list(loaded.tables)
    for seats, sides in TABLES:
        if (seats, sides) in found:
            continue
        try:
            loaded.rules(seats, sides)
        except EditionError:  # too few cards
            continue
        found.append((seats, sides))
    return tuple(found)


def _texts(value: Any) -> list[str]:
    good = isinstance(value, list | tuple) and all(isinstance(text, str) and text == text.strip() for text in value)
    return list(value) if good else []
