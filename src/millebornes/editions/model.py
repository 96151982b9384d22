"""`Rules` holds all rules of one table. `Edition` is a named set of rules for several tables (R9), read from a file."""

import dataclasses
import functools
import importlib.resources
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from millebornes.cards import DECKS, MILES, SAFETIES, Card
from millebornes.editions.fields import FIELDS, RuleSettings, read_setting, shown, suggestion
from millebornes.editions.text import EDITIONS, parse_rules, rules_text
from millebornes.editions.toml import TomlError, parse_toml
from millebornes.errors import EditionError
from millebornes.shown import one_line

MAX_SEATS: Final = 8

MAX_FILE: Final = 1 << 20


def default_sides(seats: int) -> int:
    """Return the default number of sides at a table.

    This is 2, or one side per seat if the number of seats is odd (R2.2).
    """
    return 2 if seats % 2 == 0 else seats


def check_table(seats: Any, sides: Any) -> None:
    """R2.2: raise `EditionError` unless ``seats`` players can form ``sides`` sides."""
    if type(seats) is not int or not 2 <= seats <= MAX_SEATS:
        raise EditionError(
            f"seats: {shown(seats)} is not allowed; it must be a whole number from 2 to {MAX_SEATS}", "seats"
        )
    if type(sides) is not int or not 2 <= sides <= seats or seats % sides:
        fitting = [str(n) for n in range(2, seats + 1) if seats % n == 0]
        raise EditionError(
            f"sides: {shown(sides)} is not allowed; {seats} seats make {' or '.join(fitting)} equal sides", "sides"
        )


@dataclasses.dataclass(frozen=True, kw_only=True)
class Rules(RuleSettings):
    """The rules of one table: every setting of R9, the number of seats and the number of sides.

    Objects are immutable and hashable, and are checked when they are created. ``deck`` contains the number of cards of
    each kind, in the order of `Card`. ``edition`` is the name of the known edition that the rules come from, or None.
    ``own_name`` is the name of a custom edition. This name has no effect: rules that differ only in it are equal.
    Raises `EditionError` if a setting isn't allowed or contradicts another setting.
    """

    own_name: str | None = dataclasses.field(default=None, compare=False)

    def __post_init__(self) -> None:
        check_table(self.seats, self.sides)
        for name in FIELDS:
            value = getattr(self, name)
            if name == "deck":
                if not isinstance(value, tuple) or len(value) != len(Card):
                    raise EditionError(f"deck: {len(Card)} counts are needed, one for each kind of card", name)
                value = dict(zip((card.value for card in Card), value, strict=True))
            read_setting(name, value)
        self._check_extension()
        self._check_deck()
        if self.right_of_way_clears and self.hazard_on != "rolling":
            raise EditionError(
                f"right_of_way_clears: true needs hazard_on = rolling, not {self.hazard_on}; "
                "set right_of_way_clears=false too",
                "right_of_way_clears",
            )

    def _check_extension(self) -> None:
        if self.extension_goal is not None and self.extension_goal <= self.goal:
            raise EditionError(
                f"goal: {self.goal} is not below extension_goal = {self.extension_goal}; "
                "lower the goal, raise extension_goal, or set extension_goal=none too",
                "goal",
            )

    def _check_deck(self) -> None:
        needed = self.seats * self.hand_size
        if self.cards < needed:
            raise EditionError(
                f"deck: {self.cards} cards cannot be dealt; "
                f"{self.seats} seats with {self.hand_size} cards each need at least {needed}",
                "deck",
            )
        if not self._can_score():
            raise EditionError(
                "deck: no one could ever score with these cards; "
                "it needs a safety, or a distance card and a card that gets a side moving",
                "deck",
            )

    def _can_score(self) -> bool:
        """R9: return whether the deck has a safety, or a distance card that some side could play."""
        count = dict(zip(Card, self.deck, strict=True))
        if any(count[safety] for safety in SAFETIES):
            return True
        goal = self.extension_goal or self.goal
        playable = sum(count[card] for card, miles in MILES.items() if miles <= goal)
        if count[Card.ROLL]:
            return playable > 0
        if self.roll_200 and count[Card.D200]:
            return playable > (1 if goal >= MILES[Card.D200] else 0)
        return False

    @functools.cached_property
    def cards(self) -> int:
        """The number of cards in the deck."""
        return sum(self.deck)

    @property
    def edition_name(self) -> str | None:
        """The name of the edition, either known or custom, or None for rules without an edition."""
        return self.edition or self.own_name

    @property
    def table(self) -> str:
        """The numbers of seats and sides, as in ``"4x2"``."""
        return f"{self.seats}x{self.sides}"

    def side_of(self, seat: int) -> int:
        """R2.2: return the side to which a seat belongs."""
        return seat % self.sides

    def seats_of(self, side: int) -> tuple[int, ...]:
        """R2.2: return the seats of a side in ascending order."""
        return tuple(range(side, self.seats, self.sides))

    def settings(self, *, short_deck: bool = False) -> dict[str, Any]:
        """Return all settings of R9 by name, as plain data.

        The deck is a dictionary {card: count}. If ``short_deck`` is true, a known deck is returned as ``"full"`` or
        ``"reduced"`` instead.
        """
        values = {name: getattr(self, name) for name in FIELDS}
        deck = dict(zip(Card, self.deck, strict=True))
        named = [name for name, known in DECKS.items() if known == deck]
        if short_deck and named:
            values["deck"] = named[0]
        else:
            values["deck"] = {card.value: count for card, count in deck.items()}
        return values

    def changes(self) -> dict[str, Any]:
        """Return the settings that differ from the edition, as data (FORMATS: ``set``).

        If the rules don't come from a known edition, these are all settings.
        """
        if self.edition in EDITIONS:
            return edition(self.edition).differences(self)
        return self.settings(short_deck=True)

    @classmethod
    def parse(cls, text: str) -> "Rules":
        """Read rules as written by ``str(rules)``, such as ``classic/2x2`` or ``house/4x2/targets=left``.

        Raises `EditionError`.
        """
        return _parse(text)

    @functools.cached_property
    def _text(self) -> str:
        return rules_text(self.edition if self.edition in EDITIONS else None, self.table, self.changes())

    def __str__(self) -> str:
        return self._text

    def replace(self, settings: Mapping[str, Any]) -> "Rules":
        """Return a copy of the rules with some settings replaced by values given as data. Raises `EditionError`."""
        return dataclasses.replace(self, **{name: read_setting(name, value) for name, value in settings.items()})


@dataclasses.dataclass(frozen=True)
class Edition:
    """A named edition: settings for all tables, changes for some numbers of seats, and the tables it was made for.

    ``tables`` contains pairs (seats, sides). ``by_seats`` maps a number of seats to the settings that differ for it.
    Rules of a custom edition (not ``known``) don't refer to the edition, so that transcripts contain all their
    settings.
    """

    name: str
    """The name for the option ``--edition``."""
    title: str
    """The name to display."""
    summary: str
    """A summary of what makes the edition special, in one line."""
    source: str
    """The document from which its rules are taken."""
    tables: tuple[tuple[int, int], ...]
    base: Mapping[str, Any]
    """The settings that differ from the defaults at every table."""
    by_seats: Mapping[int, Mapping[str, Any]]
    known: bool = False

    def rules(self, seats: int = 2, sides: int | None = None, settings: Mapping[str, Any] | None = None) -> Rules:
        """Return the rules of this edition for a table, with some settings replaced by values given as data.

        Tables that the edition wasn't made for are allowed too (R9). Raises `EditionError`.
        """
        if sides is None:
            check_table(seats, seats)
            sides = default_sides(seats)
        check_table(seats, sides)
        if settings is not None and not isinstance(settings, Mapping):
            raise EditionError("settings: must be given by name, as in {'targets': 'left'}", "settings")
        changed = {name: read_setting(name, value) for name, value in (settings or {}).items()}
        name = self.name if self.known else None
        # A custom edition with the name of a known edition would be mistaken for it.
        own_name = None if self.known or self.name in EDITIONS else self.name
        values = {**self.base, **self.by_seats.get(seats, {}), **changed}
        return Rules(edition=name, own_name=own_name, seats=seats, sides=sides, **values)

    def differences(self, rules: Rules) -> dict[str, Any]:
        """Return the settings of ``rules`` that differ from this edition at that table, as data (FORMATS: ``set``)."""
        own = self.rules(rules.seats, rules.sides).settings(short_deck=True)
        return {name: value for name, value in rules.settings(short_deck=True).items() if value != own[name]}


@functools.cache
def edition(name: str) -> Edition:
    """Return a built-in edition by name. Raises an `EditionError` that lists the known names."""
    if name not in EDITIONS:
        raise EditionError(
            f"there is no edition {name!r}{suggestion(name, list(EDITIONS))}; "
            f"the editions are {', '.join(EDITIONS)}; a path of a .toml file works too",
            "edition",
        )
    text = importlib.resources.files("millebornes.editions").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return dataclasses.replace(read_edition(tomllib.loads(text), f"{name}.toml"), known=True)


def load_edition(name_or_path: str | os.PathLike[str]) -> Edition:
    """Return a built-in edition, given its name, or read a custom edition from a TOML file. Raises `EditionError`."""
    try:
        text = os.fspath(name_or_path)
        if not text.endswith(".toml"):
            return edition(text)
    except (AttributeError, TypeError):
        problem = f"{shown(name_or_path)} isn't an edition; give a name or the path of a .toml file"
        raise EditionError(problem, "edition") from None
    if "\0" in text:
        raise EditionError(f"{text!r} isn't the path of a file", "edition")
    path = Path(text)
    try:
        if path.stat().st_size > MAX_FILE:
            raise EditionError(f"{path}: too large for an edition (more than {MAX_FILE} bytes)", "edition")
        data = parse_toml(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise EditionError(f"{path}: cannot be read ({error.strerror or error})", "edition") from None
    except UnicodeDecodeError:
        raise EditionError(f"{path}: not UTF-8 text", "edition") from None
    except TomlError as error:
        raise EditionError(f"{path}: {error}", "edition") from None
    return read_edition(data, str(path))


def read_edition(data: Mapping[str, Any], where: str) -> Edition:
    """Return the edition described by parsed TOML.

    The layout is described in the documentation. ``where`` is the name of the file for error messages.
    """
    try:
        return _read(data)
    except EditionError as error:
        raise EditionError(f"{where}: {error}", error.field) from None


def _read(data: Mapping[str, Any]) -> Edition:
    keys = ["name", "title", "summary", "source", "like", "tables", "rules", "seats"]
    for key in data:
        if key not in keys:
            hint = suggestion(key, keys)
            if not hint and key in FIELDS:
                hint = " (it is a setting; put it under [rules])"
            raise EditionError(f"unknown key {key!r}{hint}; the keys are {', '.join(keys)}", key)
    texts = {key: data.get(key, "") for key in keys[:5]}
    for key, value in texts.items():
        if not isinstance(value, str):
            raise EditionError(f"{key}: must be a string", key)
    texts = {key: one_line(value) for key, value in texts.items()}
    if not texts["name"]:
        raise EditionError("name: an edition needs a name", "name")
    parent = edition(texts["like"]) if texts["like"] else None
    base = dict(parent.base) if parent else {}
    base.update(_settings(data.get("rules", {}), "rules"))
    missing = [name for name in FIELDS if name not in base]
    if missing:
        raise EditionError(
            f'rules: missing settings: {", ".join(missing)}; give them all, or add like = "classic"', missing[0]
        )
    by_seats = {seats: dict(settings) for seats, settings in parent.by_seats.items()} if parent else {}
    groups = data.get("seats", {})
    if not isinstance(groups, Mapping):
        raise EditionError("seats: must be tables such as [seats.4]", "seats")
    for key, group in groups.items():
        if key not in {str(n) for n in range(2, 9)}:
            raise EditionError(f"seats: [seats.{key}] must be a number of seats from 2 to 8", "seats")
        by_seats[int(key)] = _settings(group, f"seats.{key}")
    tables = _tables(data["tables"]) if "tables" in data else parent.tables if parent else ((2, 2),)
    result = Edition(
        texts["name"], texts["title"] or texts["name"], texts["summary"], texts["source"], tables, base, by_seats
    )
    for seats, sides in tables:
        result.rules(seats, sides)
    return result


def _settings(data: Any, where: str) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        raise EditionError(f"{where}: must be a table of settings", where)
    return {name: read_setting(name, value) for name, value in data.items()}


def _tables(data: Any) -> tuple[tuple[int, int], ...]:
    if not isinstance(data, list) or not data:
        raise EditionError('tables: must be a list such as ["2x2", "4x2"]', "tables")
    tables = []
    for text in data:
        seats, x, sides = text.partition("x") if isinstance(text, str) else ("", "", "")
        if not x or not seats.isdecimal() or not sides.isdecimal() or len(text) > 5:
            raise EditionError(f"tables: {text!r} isn't a table; write seats and sides as in 4x2", "tables")
        check_table(int(seats), int(sides))
        tables.append((int(seats), int(sides)))
    return tuple(tables)


def make_rules(
    name: str | os.PathLike[str] | None = "classic",
    seats: int = 2,
    sides: int | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Rules:
    """Return the rules of an edition for a table.

    ``name`` is the name of an edition, the path of a TOML file, or None if ``settings`` contains every setting.
    ``settings`` contains the settings to change as data, as in a transcript's ``set``. Raises `EditionError`.
    """
    if name is not None:
        return load_edition(name).rules(seats, sides, settings)
    if sides is None:
        check_table(seats, seats)
        sides = default_sides(seats)
    given = _settings(settings or {}, "set")
    missing = [field for field in FIELDS if field not in given]
    if missing:
        raise EditionError(
            f"set: without an edition, every setting is needed; missing: {', '.join(missing)}", missing[0]
        )
    return Rules(edition=None, seats=seats, sides=sides, **given)


@functools.lru_cache(maxsize=256)
def _parse(text: str) -> Rules:
    return make_rules(*parse_rules(text))
