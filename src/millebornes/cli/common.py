"""Options that several commands share, and functions that turn them into rules."""

import contextlib
import functools
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, TypeVar, cast

import click
from click.shell_completion import CompletionItem

from millebornes.editions import EDITIONS, FIELDS, Rules, load_edition, parse_setting
from millebornes.errors import EditionError, MilleBornesError, PlayerError, TranscriptError
from millebornes.i18n import LANGUAGES
from millebornes.kernels.notice import on_compiling
from millebornes.table.setup import DEFAULT_TARGET, MAX_TARGET
from millebornes.themes import THEMES, theme

if TYPE_CHECKING:
    from millebornes.players import Player

DEFAULT_EDITION: Final = "classic"
DEFAULT_SEATS: Final = 2
BUFFER: Final = 1 << 20
COMPILING: Final = "compiling, the first time only; this may take a minute …"

Function = TypeVar("Function", bound=Callable[..., Any])

_CHOICES: Final = {name: field.choices for name, field in FIELDS.items()} | {"extension_goal": ("none", "1000")}
"""The values that shell completion offers for settings, apart from those that can only be true or false."""


@contextlib.contextmanager
def announcing_compilation() -> Iterator[None]:
    """Print a message on standard error if code has to be compiled, which takes a while but is necessary only once."""

    def say() -> None:
        click.echo(f"millebornes: {COMPILING}", err=True)

    with on_compiling(say):
        yield


@contextlib.contextmanager
def blamed_on(parameter: str, kind: type[MilleBornesError]) -> Iterator[None]:
    """Turn errors of this kind into usage errors about an option or an argument, which ``parameter`` names."""
    try:
        yield
    except kind as error:
        raise click.BadParameter(str(error), param_hint=parameter) from None


@contextlib.contextmanager
def opened(file: str) -> Iterator[tuple[BinaryIO, str]]:
    """Open a file for reading bytes, and yield it with its name for messages. ``-`` means standard input.

    Raises `TranscriptError` if standard input is closed, and `OSError` if the file can't be opened.
    """
    if file == "-":
        if sys.stdin is None:
            raise TranscriptError("standard input (-) is closed")
        yield sys.stdin.buffer, "standard input (-)"
        return
    with Path(file).open("rb", buffering=BUFFER) as stream:
        yield stream, file


def cost_text(milliseconds: float) -> str:
    """Return the time that a player takes per move, as text with two significant digits."""
    return f"{milliseconds:.2g}" if milliseconds < 10 else f"{milliseconds:.0f}"


def counted(n: int, one: str, many: str = "") -> str:
    """Return a number with its noun. ``one`` is the singular, and ``many`` is the plural if it isn't formed with s."""
    return f"{n:,} {one if n == 1 else many or f'{one}s'}"


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows of a table as lines of text. The first column is aligned left, and all others right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = (f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True))
        yield "  ".join((f"{first:{widths[0]}}", *cells)).rstrip()


class EditionType(click.ParamType):  # type: ignore[type-arg] # generic only in newer versions
    """The name of an edition, or the path of a ``.toml`` file. The value is this text, which has been checked."""

    name = "edition"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check that the edition can be loaded. If it can't, a usage error says why."""
        try:
            load_edition(value)
        except EditionError as error:
            self.fail(str(error), param, ctx)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return completions: the names of editions and files."""
        names = [CompletionItem(name) for name in EDITIONS if name.startswith(incomplete)]
        return names or [CompletionItem(incomplete, type="file")]


class SettingType(click.ParamType):  # type: ignore[type-arg]
    """``FIELD=VALUE``: a setting from R9. The value is a pair of the field's name and its value as plain data."""

    name = "setting"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Any]:
        """Return the setting as a pair. If it is invalid, a usage error names the field and its possible values."""
        if isinstance(value, tuple):
            return value
        try:
            return parse_setting(value)
        except EditionError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return completions: the names of settings or, after a name, its possible values."""
        name, equals, _ = incomplete.partition("=")
        if not equals:
            return [
                CompletionItem(f"{field}=", help=theme().worded(FIELDS[field].summary))
                for field in FIELDS
                if field.startswith(name)
            ]
        yes_no = ("true", "false") if name in FIELDS and FIELDS[name].allowed == "true or false" else ()
        texts = [f"{name}={value}" for value in (*_CHOICES.get(name, ()), *yes_no)]
        return [CompletionItem(text) for text in texts if text.startswith(incomplete)]


class TextType(click.ParamType):  # type: ignore[type-arg]
    """A text that can be written to files. Arguments with bytes that aren't valid text are rejected."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text unchanged."""
        text = str(value)
        try:
            text.encode()
        except UnicodeEncodeError:
            self.fail(f"{text!r} isn't valid UTF-8 text", param, ctx)
        return text


class NumberRange(click.FloatRange):
    """A number in a range. ``nan`` is rejected, because it would pass every comparison with the bounds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


class MatchTargetType(click.ParamType):  # type: ignore[type-arg]
    """The number of points that end a match, or ``none`` for an endless series of single hands (then it is None)."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | None:
        """Return an integer from 1 to 1,000,000, or None for ``none``."""
        if isinstance(value, int):
            return value
        text = str(value).strip().lower()
        if text in {"none", "null"}:
            return None
        if not (text.isascii() and text.isdigit()) or len(text) > 7 or not 1 <= int(text) <= MAX_TARGET:
            self.fail(f"{value!r} is neither a whole number from 1 to {MAX_TARGET} nor none", param, ctx)
        return int(text)


edition_option = click.option(
    "--edition",
    type=EditionType(),
    metavar="NAME|FILE.toml",
    help=f"Edition of the rules: {', '.join(EDITIONS)}, or a file of your own.  [default: {DEFAULT_EDITION}]",
)
seats_option = click.option(
    "--seats", type=int, metavar="N", help=f"Number of seats at the table, 2 to 8.  [default: {DEFAULT_SEATS}]"
)
sides_option = click.option(
    "--sides",
    type=int,
    metavar="K",
    help="Number of sides that the seats form.  [default: 2, or one per seat if N is odd]",
)


def _collect(ctx: click.Context, param: click.Parameter, pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for name, value in pairs:
        if name in settings and settings[name] != value:
            raise click.BadParameter(f"{name}: given twice, with different values", ctx, param)
        settings[name] = value
    return settings


set_option = click.option(
    "--set",
    "settings",
    type=SettingType(),
    multiple=True,
    callback=_collect,
    metavar="FIELD=VALUE",
    help="Change a setting of the edition, such as targets=left; may be repeated ('millebornes rules R9' lists all).",
)
seed_option = click.option(
    "--seed", type=TextType(), metavar="S", help="Random seed: the same seed deals the same cards."
)
cluster_option = click.option(
    "--cluster", metavar="ADDRESS", help="Use the workers of this Dask scheduler, such as tcp://host:8786."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
time_option = click.option(
    "--time",
    "time_ms",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    metavar="MS",
    help="Time that an external program has for each move, in milliseconds.",
)
objective_option = click.option(
    "--objective",
    type=click.Choice(["points", "match"]),
    help="Judge moves by the points of the hand or by the chance to win the match.  "
    "[default: match if it has a target, otherwise points]",
)
symbols_option = click.option(
    "--symbols/--no-symbols",
    default=None,
    help="Draw the full screen with symbols and frames, or with plain characters (ASCII).  "
    "[default: your saved setting]",
)
theme_option = click.option(
    "--theme", type=click.Choice(THEMES), help="Set of card names.  [default: match the language]"
)
language_option = click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    help="Display language.  [default: from your environment]",
)


def match_target_option(
    text: str = "Points that end the match; 'none' plays single hands endlessly.",
    metavar: str = "N|none",
    default: int | str = DEFAULT_TARGET,
) -> Callable[[Function], Function]:
    """Return the option ``--match-target`` with ``text`` as its help."""
    return click.option(
        "--match-target", type=MatchTargetType(), default=default, show_default=True, metavar=metavar, help=text
    )


def jobs_option(workers: str = "processes", most: int = 1024, default: int = 1) -> Callable[[Function], Function]:
    """Return the option ``--jobs N`` for the number of ``workers``, which is at most ``most``. 0 means one per core."""
    return click.option(
        "--jobs",
        type=click.IntRange(0, most),
        default=default,
        show_default=True,
        metavar="N",
        help=f"Number of {workers}; 0 for one per core.",
    )


def file_option(name: str, text: str, metavar: str = "FILE") -> Callable[[Function], Function]:
    """Return an option for the name of a file, which need not exist."""
    return click.option(name, type=click.Path(path_type=Path, dir_okay=False), metavar=metavar, help=text)


def check_player(name: str, rules: Rules | None = None, *, sees_everything: bool = False) -> "type[Player]":
    """Return the class of a player, after checking that it can play by ``rules`` (if given) and its program exists.

    Raises `PlayerError`. If another package tried to replace the player, a message says so.
    """
    from millebornes.players import ExternalPlayer, player
    from millebornes.players.registry import refused

    made = player(name, sees_everything=sees_everything)
    if isinstance(made, ExternalPlayer):
        made.check()
    if rules is not None:
        made.check_table(rules)
    made.close()
    if name in (problems := refused()):
        click.echo(f"millebornes: {problems[name][1]}", err=True)
    return type(made)


def check_teams(players: tuple[str, ...], rules: Rules, hint: str = "", *, at_table: bool = False) -> None:
    """Check that there are enough players, that they exist and, with ``at_table``, that they can play by the rules.

    Raises `click.UsageError`. If there are too few players, ``hint`` is added to the message.
    """
    if len(players) < rules.sides:
        problem = f"{len(players)} given for {rules.sides} sides; name at least one for each side{hint}"
        raise click.BadParameter(problem, param_hint="'--player'")
    from millebornes.arena.schedule import team_of

    with blamed_on("'--player'", PlayerError):
        members = [member for name in players for member in team_of(name, rules.seats // rules.sides)]
        for member in dict.fromkeys(members):
            check_player(member, rules if at_table else None, sees_everything=True)


class ChosenTable(NamedTuple):
    """The values of the options from `table_options`. If an option isn't given, its value is None or empty."""

    edition: str | None
    seats: int | None
    sides: int | None
    settings: Mapping[str, Any]

    @property
    def given(self) -> list[str]:
        """The options that were given."""
        values = {
            "--edition": self.edition,
            "--seats": self.seats,
            "--sides": self.sides,
            "--set": self.settings or None,
        }
        return [option for option, value in values.items() if value is not None]

    def rules(self, seats: int | None = None, sides: int | None = None) -> Rules:
        """Return the rules (`rules_from`). ``seats`` and ``sides`` are the defaults, if they aren't the usual ones."""
        return rules_from(
            self.edition,
            seats if self.seats is None else self.seats,
            sides if self.sides is None else self.sides,
            self.settings,
        )


def table_options(function: Function) -> Function:
    """Add the options ``--edition --seats --sides --set``, which become the parameter ``table``, a `ChosenTable`."""

    @functools.wraps(function)
    def command(*args: Any, **options: Any) -> Any:
        table = ChosenTable(*[options.pop(name) for name in ChosenTable._fields])
        return function(*args, table=table, **options)

    for option in (set_option, sides_option, seats_option, edition_option):
        command = option(command)
    return cast(Function, command)


def rules_from(
    edition: str | None, seats: int | None = None, sides: int | None = None, settings: Mapping[str, Any] | None = None
) -> Rules:
    """Return the rules of a table that options describe. None means the default value.

    Raises `click.UsageError` (exit status 2), which names the invalid option and the valid values.
    """
    with blamed_on("'--edition'", EditionError):
        loaded = load_edition(edition or DEFAULT_EDITION)
    try:
        return loaded.rules(DEFAULT_SEATS if seats is None else seats, sides, settings)
    except EditionError as error:
        option = f"--{error.field}" if error.field in {"seats", "sides"} else "--set"
        if option == "--set" and not settings:
            option = "--seats"  # for example, if the deck is too small for the table
        raise click.BadParameter(str(error), param_hint=f"'{option}'") from None
