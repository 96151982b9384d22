"""Read the games of a data set as transcripts or as trajectories. Every row is checked."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from millebornes.arena.outcome import RecordedHands
from millebornes.arena.schedule import Game
from millebornes.data.columns import data_columns
from millebornes.data.description import Description, read_description
from millebornes.data.pages import unpacked_bytes
from millebornes.data.recording import Recording, ReplayedHands, replay_hands
from millebornes.data.table import KEY, decision_table, schema_of
from millebornes.editions import Rules
from millebornes.envs.trajectories import Trajectories
from millebornes.errors import MALFORMED, IllegalMoveError, MilleBornesError, TranscriptError, message_of, shortened
from millebornes.notation import transcript_lines
from millebornes.rules.replay import most_moves

NEEDED: Final = ("game", "hand", "ply", "action", "info", "deck")
REPEATED: Final = ("info", "deck")
"""The columns of texts and bytes that aren't dictionaries. They are read as such and limited before they expand."""
MAGIC: Final = b"PAR1"
MAX_RATIO: Final = 200
"""Unpacked, a data set is at most this many times as large as its file. It is usually 10 to 30 times as large."""


class RecordedGame(NamedTuple):
    """A game from a data set: its number, from 1, and the lines of its transcript without line breaks.

    If a player failed before the first deal, there are no lines. ``file`` is the file that contains the game.
    """

    number: int
    lines: tuple[str, ...]
    file: Path


def _files_of(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(path.glob("*.parquet"))
    if not files:
        raise TranscriptError(f"{path}: there are no *.parquet files in this folder")
    return files


def read_games(path: Path, game: int | None = None) -> Iterator[RecordedGame]:
    """Yield the games as transcripts (`millebornes.data.read_games`).

    The decks and the moves determine each game, and every row is compared with it. The errors name the file, game,
    hand, ply and column.
    """
    found = False
    for file in _files_of(path):
        opened = _File(file)
        for recorded in opened.games(game):
            found = True
            yield recorded
    if game is not None and not found:
        raise TranscriptError(f"{path}: there is no game {game}")


def read_trajectories(path: Path) -> Trajectories:
    """Return all decisions of finished hands as arrays (`millebornes.data.read_trajectories`)."""
    parts = [_File(file).rows(None) for file in _files_of(path)]
    rules = parts[0][0].plan.rules
    if any(recording.plan.rules != rules for recording, _ in parts):
        raise TranscriptError(f"{path}: these files come from different tables")
    counts = np.cumsum([0, *(recording.hands.size for recording, _ in parts)])
    over = np.concatenate([replayed.is_over for _, replayed in parts])
    place = np.cumsum(over) - 1  # the index of each hand among the finished hands
    hand = np.concatenate([replayed.hand + first for (_, replayed), first in zip(parts, counts, strict=False)])
    rows = over[hand]
    seen, legal, actions = (
        np.concatenate([getattr(replayed, name) for _, replayed in parts])[rows]
        for name in ("seen", "legal", "actions")
    )
    points = np.concatenate([replayed.points for _, replayed in parts])[over]
    return Trajectories(rules, seen, legal, actions, place[hand[rows]].astype(np.int32), points, 0)


class _File:
    def __init__(self, path: Path) -> None:
        self.path: Final = path
        with self._reading():
            if not path.is_file() and path.exists():  # reading a pipe or a device might never end
                raise TranscriptError(f"{path}: this isn't a file")
            with path.open("rb") as stream:
                if stream.read(len(MAGIC)) != MAGIC:
                    raise TranscriptError(f"{path}: this isn't a Parquet file")
            about = pq.read_metadata(path)
            _check_sizes(path, about)
            self._schema: Final = about.schema.to_arrow_schema()
        text = (self._schema.metadata or {}).get(KEY)
        if text is None:
            raise TranscriptError(f"{path}: this Parquet file isn't a data set written by millebornes export")
        try:
            self.description: Final[Description] = read_description(text)
        except TranscriptError as error:
            raise TranscriptError(f"{path}: {error}") from None
        self.rules: Final[Rules] = self.description.rules
        self._check_schema()

    def games(self, game: int | None) -> Iterator[RecordedGame]:
        numbers = self.description.numbers
        wanted = numbers if game is None else range(game, game + 1) if game in numbers else range(0)
        if not wanted:
            return
        recording, _ = self.rows(game)
        ends = np.searchsorted(recording.hands.game, np.array(wanted), "right").tolist()
        begins = np.searchsorted(recording.hands.game, np.array(wanted), "left").tolist()
        for number, game_, begin, end in zip(wanted, recording.games, begins, ends, strict=True):
            try:
                lines = tuple(self._lines(recording, number, game_, range(begin, end)))
            except (IllegalMoveError, *MALFORMED, MilleBornesError) as error:
                raise TranscriptError(f"{self.path}: game {number}: {error}") from None
            yield RecordedGame(number, lines, self.path)

    def rows(self, game: int | None) -> tuple[Recording, ReplayedHands]:
        with self._reading():
            table = self._read(game)
            try:
                recording = self._recording(table, self.description.numbers if game is None else range(game, game + 1))
                replayed = replay_hands(self.rules, recording.hands)
            except TranscriptError as error:
                raise TranscriptError(f"{self.path}: {error}") from None
            self._compare(table, recording, replayed)
        return recording, replayed

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except TranscriptError:
            raise
        except (pa.ArrowException, OSError, MemoryError, *MALFORMED) as error:
            if isinstance(error, OSError) and error.strerror:  # Arrow's own errors have none
                raise TranscriptError(f"{self.path}: cannot be read ({error.strerror})") from None
            raise TranscriptError(f"{self.path}: this Parquet file is damaged ({message_of(error)})") from None

    def _check_schema(self) -> None:
        for field in schema_of(self.rules):
            place = self._schema.get_field_index(field.name)
            if place < 0:
                raise TranscriptError(f"{self.path}: the column {field.name} is missing")
            if self._schema.field(place).type != field.type:
                raise TranscriptError(
                    f"{self.path}: the column {field.name} holds {self._schema.field(place).type}, not {field.type}"
                )

    def _read(self, game: int | None) -> Any:
        names = [column.name for column in data_columns(self.rules)]
        filters = None if game is None else [("game", "==", game)]
        table = pq.read_table(
            self.path, columns=names, filters=filters, partitioning=None, read_dictionary=list(REPEATED)
        )
        return _expanded(table, MAX_RATIO * self.path.stat().st_size).combine_chunks()

    def _recording(self, table: Any, wanted: range) -> Recording:
        """Return the hands in the rows, using only the decks and moves. The other columns are compared later."""
        rules, cards = self.rules, self.rules.cards
        column = {name: table.column(name) for name in NEEDED}
        for name in ("game", "hand", "ply", "action"):
            if column[name].null_count:
                raise TranscriptError(f"the column {name} contains nulls")
        game, number, ply = (column[name].to_numpy().astype(np.int64) for name in ("game", "hand", "ply"))
        starts = np.flatnonzero(ply == 0)
        _need(not len(ply) or ply[0] == 0, "its first row isn't the first decision of a hand")
        plies = np.diff(starts, append=len(ply))
        within = np.arange(len(ply)) - np.repeat(starts, plies)
        _need(
            (within == ply).all() and plies.max(initial=0) <= most_moves(rules),
            "the plies of a hand are not consecutive",
        )
        _need((game == np.repeat(game[starts], plies)).all(), "the rows of a hand name different games")
        _need((number == np.repeat(number[starts], plies)).all(), "the rows of a hand have different numbers")
        codes = np.zeros((len(starts), most_moves(rules)), np.int16)
        codes[np.repeat(np.arange(len(starts)), plies), within] = column["action"].to_numpy()
        decks = column["deck"].take(pa.array(starts)).to_pylist()
        _need(
            all(deck is not None and len(deck) == cards for deck in decks),
            "a hand has no deck, or one of the wrong size (R1)",
        )
        piles = np.frombuffer(b"".join(decks), np.uint8).reshape(len(starts), cards)
        parts = [RecordedHands(game[starts], number[starts], piles, codes, plies), *self._undecided(wanted)]
        hands = RecordedHands.joined(parts)
        whole = np.repeat(np.arange(len(rules.deck)), rules.deck)
        for place in np.flatnonzero((np.sort(hands.piles, axis=1) != whole).any(1))[:1]:
            where = f"game {hands.game[place]}, hand {hands.number[place]}"
            raise TranscriptError(f"{where}: its deck is not the edition's (R1)")
        _need((parts[0].game == np.sort(parts[0].game)).all(), "its games are out of order")
        self._check_numbers(hands, wanted)
        plan, lost = self.description.plan, self.description.lost
        return Recording(plan=plan, numbers=wanted, hands=hands, info=_info_of(column["info"], hands), lost=lost)

    def _undecided(self, wanted: range) -> Iterator[RecordedHands]:
        """Yield the hands that were dealt but ended in a forfeit before the first decision."""
        for game, lost in self.description.lost.items():
            if game in wanted and "undecided" in lost:
                deck = bytes(lost["undecided"]["deck"])
                _need(len(deck) == self.rules.cards, f"game {game}: its deck is not the edition's (R1)")
                codes = np.zeros((1, most_moves(self.rules)), np.int16)
                place = np.array([game]), np.array([int(lost["undecided"]["hand"])])
                yield RecordedHands(*place, np.frombuffer(deck, np.uint8)[None], codes, np.zeros(1, np.int64))

    def _check_numbers(self, hands: RecordedHands, wanted: range) -> None:
        present = set(hands.game.tolist())
        for game in wanted:
            if game not in present and self.description.lost.get(game, {}).get("dealt", True):
                raise TranscriptError(f"game {game} is missing")
        _need(present <= set(wanted), "it contains games that do not belong to it")
        follows = np.ones(hands.size, np.bool_)
        follows[1:] = np.where(
            hands.game[1:] == hands.game[:-1], hands.number[1:] == hands.number[:-1] + 1, hands.number[1:] == 1
        )
        follows[:1] = hands.number[:1] == 1
        if not follows.all():
            raise TranscriptError(f"game {hands.game[~follows][0]}: its hands are not numbered 1, 2, 3 …")

    def _compare(self, table: Any, recording: Recording, replayed: ReplayedHands) -> None:
        right = decision_table(recording, replayed)
        for name in right.schema.names:
            found, wanted = table.column(name), right.column(name)
            if pa.types.is_dictionary(wanted.type):
                found, wanted = found.cast(pa.string()), wanted.cast(pa.string())
            if found.equals(wanted):
                continue
            pairs = zip(found.to_pylist(), wanted.to_pylist(), strict=True)
            row, (recorded, true) = next((row, pair) for row, pair in enumerate(pairs) if pair[0] != pair[1])
            game, hand, ply = (table.column(place)[row].as_py() for place in ("game", "hand", "ply"))
            raise TranscriptError(
                f"{self.path}: game {game}, hand {hand}, ply {ply}: {name} is {_shown(recorded)}, but the "
                f"deck and the moves give {_shown(true)}"
            )

    def _lines(self, recording: Recording, number: int, game: Game, places: range) -> Iterator[str]:
        """Yield the transcript of a game, line by line. ``places`` contains the indices of the game's hands."""
        if not places:
            return
        plan, hands = self.description.plan, RecordedHands._make(column[places] for column in recording.hands)
        lineups, names = recording.seating
        match = hands.match(plan, tuple(names[who] for who in lineups[places[0]]))
        about: dict[str, Any] = {"deal": game.deal, "turn": game.turn, "seed": plan.seed}
        if number in recording.lost:
            about["forfeit"] = recording.lost[number]["forfeit"]
        notes: list[dict[int, Any]] = [{} for _ in places]
        for (place, ply), text in recording.info.items():
            if place in places:
                notes[place - places[0]][ply] = json.loads(text)
        yield from transcript_lines(match, {"arena": about}, notes)


def _check_sizes(path: Path, about: Any) -> None:
    """Raise `ValueError` if a file would unpack to much more than any data set of its size does."""
    size = path.stat().st_size
    groups = [about.row_group(n) for n in range(about.num_row_groups)]
    rows = [group.num_rows for group in groups]
    if min(rows, default=0) < 0 or sum(rows) != about.num_rows:
        raise ValueError("its numbers of rows contradict each other")
    if about.num_rows > size:
        raise ValueError(f"it can't contain {about.num_rows} rows in {size} bytes")
    unpacked = unpacked_bytes(path, about)
    if unpacked > MAX_RATIO * size:
        raise ValueError(f"its {size} bytes can't be {unpacked} when unpacked")


def _expanded(table: Any, most: int) -> Any:
    """Return a table with its repeated texts in full, except those that remain in a dictionary.

    Raises `ValueError` if all texts together would be longer than ``most`` bytes: a page can repeat a long text for the
    price of a number.
    """
    for place, name in enumerate(table.schema.names):
        column = table.column(name)
        for chunk in column.chunks if pa.types.is_dictionary(column.type) else ():
            lengths = pc.fill_null(pc.binary_length(chunk.dictionary), 0).to_numpy(zero_copy_only=False)
            most -= int(lengths.astype(np.int64)[chunk.indices.drop_null().to_numpy()].sum()) if len(lengths) else 0
        if most < 0:
            raise ValueError("its texts are too long")
        if name in REPEATED:
            table = table.set_column(place, name, column.cast(column.type.value_type))
    return table


def _need(is_so: Any, what: str) -> None:
    if not is_so:
        raise TranscriptError(f"this data set is damaged: {what}")


def _shown(value: Any) -> str:
    return shortened("null" if value is None else value.hex() if isinstance(value, bytes) else str(value), 60)


def _info_of(column: Any, hands: RecordedHands) -> dict[tuple[int, int], str]:
    if column.null_count == len(column):
        return {}
    starts = np.cumsum(hands.plies) - hands.plies
    notes = {}
    for row, text in enumerate(column.to_pylist()):
        if text is not None:
            hand = int(np.searchsorted(starts, row, "right")) - 1
            while hands.plies[hand] == 0:
                hand -= 1
            notes[hand, row - int(starts[hand])] = text
    return notes
