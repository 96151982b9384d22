"""``millebornes replay``: check a recorded match and show it."""

import contextlib
import functools
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import click

from millebornes.cli.common import BUFFER, columns, json_option, language_option, opened
from millebornes.errors import shortened
from millebornes.i18n import choose_language, translator
from millebornes.shown import RESPELL, clean_text, visible
from millebornes.words.words import Words

if TYPE_CHECKING:
    from millebornes.notation.referee import HandOutcome, Referee
    from millebornes.notation.transcript import Header, RecordedHand

Render = Callable[[BinaryIO | Iterable[str | bytes], str], Iterator[bytes]]
"""A function that turns a transcript, whose name for messages is the second argument, into lines of output."""

PARQUET: Final = b"PAR1"
"""The first bytes of every Parquet file."""
MAX_NAME: Final = 24
DISTANCE_MOVES: Final = frozenset(("25", "50", "75", "100", "200"))


_HELP: Final = """\
Check every line of the transcript FILE (- for standard input) and show the match.

Without --json, the command prints an account of the match with its score sheets. With --json, it prints a line for
each decision (with all hands, each side's cards on the table and the legal moves), a line for each finished hand,
and the totals. If the command finds an error, it prints everything before the error, says what is wrong and where,
and ends with status 1.

FILE can also be a data set from 'millebornes export': either a single Parquet file or the whole folder. All of its
games are shown one after another, and every row is checked."""


@click.command(help=_HELP)
@click.argument("file", metavar="FILE")
@click.option("--game", type=click.IntRange(min=1), metavar="N", help="Show only this game of a data set.")
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE|FOLDER",
    help="Write a transcript of each game in a data set, to FILE-000001 and so on or into an existing folder.",
)
@click.option("--brief", is_flag=True, help="Leave out the moves; show the score sheets only.")
@json_option
@language_option
def replay(file: str, game: int | None, record: Path | None, brief: bool, as_json: bool, language: str | None) -> None:
    """Run the command ``replay``."""
    from millebornes.notation.replay import replay_pieces

    is_terminal = sys.stdout.isatty()
    _ = translator(choose_language(language))
    words = Words.of(_.language)
    encoding = sys.stdout.encoding or "utf-8"

    def show(stream: BinaryIO | Iterable[str | bytes], where: str) -> Iterator[bytes]:
        if as_json:
            return replay_pieces(stream, where)
        account = Account(words, brief=brief, rich=is_terminal)
        lines = (visible(line, styled=is_terminal) for line in account.lines(stream, where))
        return (f"{line}\n".encode(encoding, RESPELL) for line in lines)

    if file != "-" and (Path(file).is_dir() or _is_parquet(file)):
        if record is None:
            _write(_shown_games(Path(file), game, show, as_json), is_terminal and not as_json)
        else:
            click.echo(_write_transcripts(Path(file), game, record))
        return
    if game is not None or record is not None:
        option = "--game" if game is not None else "--record"
        raise click.UsageError(f"{option} is for data sets, but {file} is a transcript of a single game")
    with opened(file) as (stream, where):
        _write(show(stream, where), is_terminal and not as_json)


def _is_parquet(file: str) -> bool:
    if file.endswith(".parquet"):
        return True
    with contextlib.suppress(OSError), Path(file).open("rb") as stream:
        return stream.read(len(PARQUET)) == PARQUET
    return False


def _shown_games(path: Path, game: int | None, show: Render, as_json: bool) -> Iterator[bytes]:
    from millebornes.data import read_games

    is_first = True
    for recorded in read_games(path, game):
        if not recorded.lines:  # no hand was dealt
            continue
        if not is_first and not as_json:
            yield b"\n"
        is_first = False
        yield from show(recorded.lines, f"{recorded.file}, game {recorded.number}")


def _write_transcripts(path: Path, game: int | None, record: Path) -> str:
    from millebornes.arena.records import Records
    from millebornes.data import read_games

    records, count = Records(record), 0
    for recorded in read_games(path, game):
        records.games = recorded.number - 1
        records.add(recorded.lines)
        count += 1
    return f"{record}: {count:,} transcripts"


def _write(lines: Iterable[bytes], at_once: bool = False) -> None:
    """Write lines to standard output in large chunks. If an error occurs, the lines before it are still written."""
    out = sys.stdout.buffer
    pieces: list[bytes] = []
    size = 0
    try:
        for line in lines:
            pieces.append(line)
            size += len(line)
            if size >= BUFFER or at_once:
                out.write(b"".join(pieces))
                pieces.clear()
                size = 0
    finally:
        out.write(b"".join(pieces))
        out.flush()


class Account:
    """Checks a recorded match line by line and describes it in words.

    With ``brief``, the moves are left out. With ``rich``, score sheets are drawn for a terminal, and otherwise they are
    plain text.
    """

    def __init__(self, words: Words, *, brief: bool = False, rich: bool = False) -> None:
        self._ = words.translate
        self._words: Final = words
        self._brief: Final = brief
        self._rich: Final = rich
        self._seats: list[str] = []
        self._sides: list[str] = []
        self._width = 0

    def lines(self, stream: BinaryIO | Iterable[str | bytes], where: str) -> Iterator[str]:
        """Yield the lines of the account, without line endings. Raises `TranscriptError` at the first error."""
        from millebornes.notation.referee import Referee

        referee = Referee(stream, where)
        yield from self._head(referee.header)
        for record in referee.hands():
            yield from self._hand(referee, record)
        yield ""
        yield self._end(referee)

    def _head(self, header: "Header") -> Iterator[str]:
        from millebornes.editions import edition
        from millebornes.words.editions import changed_settings, settings_texts

        _, rules = self._, header.rules
        self._seats = [_name(name) for name in header.players] or [
            _("Seat {seat}").format(seat=seat + 1) for seat in range(rules.seats)
        ]
        self._named_together = rules.seats // rules.sides if header.players else 1
        for side in range(rules.sides):
            members = [self._seats[seat] for seat in rules.seats_of(side)]
            named = header.players or len(members) == 1
            self._sides.append(" + ".join(members) if named else _("Side {side}").format(side=side + 1))
        self._width = max(map(len, self._seats))
        title = _("A custom edition") if rules.edition is None else _(edition(rules.edition).title)
        changed = settings_texts(changed_settings(rules))
        yield _("{edition}, {seats} seats in {sides} sides").format(edition=title, seats=rules.seats, sides=rules.sides)
        if changed:
            yield _("Changed: {settings}").format(settings=", ".join(changed))
        if header.match_target is None:
            yield _("Single hands, without a match target")
        else:
            points = header.match_target
            text = _.plural("The match goes to {points} point", "The match goes to {points} points", points)
            yield text.format(points=points)
        for side, name in enumerate(self._sides):
            if rules.seats > rules.sides:
                members = [self._seats[seat] for seat in rules.seats_of(side)]
                yield _("{head}: {text}").format(head=_("Side {side}").format(side=side + 1), text=", ".join(members))
            elif header.players:
                yield _("{head}: {text}").format(head=_("Seat {seat}").format(seat=side + 1), text=name)

    def _hand(self, referee: "Referee", record: "RecordedHand") -> Iterator[str]:
        _ = self._
        yield ""
        yield _("Hand {number}, {name} goes first").format(number=record.number, name=self._seats[record.first])
        for ply, (seat, move, distance) in enumerate(referee.moves()):
            if not self._brief:
                yield f"{ply:>5}  {self._move_text(seat, move, distance if move in DISTANCE_MOVES else 0)}"
        if referee.outcome is None:
            yield _("The hand is unfinished after {moves} moves.").format(moves=len(record.moves))
            return
        yield self._outcome(referee.outcome)
        yield from self._sheet(referee.outcome, referee.standing.totals)

    @functools.lru_cache(maxsize=1 << 14)  # noqa: B019 # an account lives as long as its command
    def _move_text(self, seat: int, move: str, distance: int) -> str:
        """Return a description of a move. ``distance`` is the side's distance before the move, where it matters."""
        from millebornes.game import Move
        from millebornes.words.moves import recorded_move

        told = recorded_move(Move.parse(move), distance, self._sides, self._words)
        return f"{self._seats[seat]:<{self._width}}  {told}"

    def _outcome(self, outcome: "HandOutcome") -> str:
        _ = self._
        if outcome.completed_by is None:
            return _("No one completed the extended trip.") if outcome.extended else _("No one completed the trip.")
        if outcome.extended:
            text = _.plural(
                "{side} completed the extended trip.", "{side} completed the extended trip.", self._named_together
            )
        else:
            text = _.plural("{side} completed the trip.", "{side} completed the trip.", self._named_together)
        return text.format(side=self._sides[outcome.completed_by])

    def _sheet(self, outcome: "HandOutcome", totals: tuple[int, ...]) -> Iterator[str]:
        from millebornes.words.score_sheet import score_rows

        rows = [
            (row.label, [str(value) if value or row.is_total else "" for value in row.values])
            for row in score_rows(outcome.scores, totals, None, self._)
        ]
        yield from _rich_table(self._sides, rows) if self._rich else _plain_table(self._sides, rows)

    def _end(self, referee: "Referee") -> str:
        _, totals = self._, referee.standing.totals
        points = " : ".join(map(str, totals))
        if referee.winner == "unfinished":
            return _("The match is unfinished, {points}.").format(points=points)
        if referee.winner is None:
            return _("The match is drawn, {points}.").format(points=points)
        assert isinstance(referee.winner, int)
        text = _.plural("{side} wins the match, {points}.", "{side} win the match, {points}.", self._named_together)
        return text.format(side=self._sides[referee.winner], points=points)


def _name(text: str) -> str:
    return shortened(clean_text(text) or "?", MAX_NAME)


def _plain_table(sides: list[str], rows: list[tuple[str, list[str]]]) -> Iterator[str]:
    cells = [["", *sides], *([label, *(value or "-" for value in values)] for label, values in rows)]
    yield from (f"  {line}" for line in columns(cells))


def _rich_table(sides: list[str], rows: list[tuple[str, list[str]]]) -> Iterator[str]:
    from rich.box import ROUNDED
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=ROUNDED, header_style="bold")
    table.add_column("")
    for side in sides:
        table.add_column(Text(side), justify="right")
    for number, (label, cells) in enumerate(rows):
        is_sum = number >= len(rows) - 2
        table.add_row(label, *cells, style="bold" if is_sum else None, end_section=number == len(rows) - 3)
    console = Console(file=sys.stdout)
    with console.capture() as capture:
        console.print(table)
    yield capture.get().rstrip("\n")
