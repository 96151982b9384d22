"""Convert a recording to an Arrow table with one row per decision, and to the bytes of a Parquet file."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from millebornes.arena.outcome import shares_of_win
from millebornes.cards import DISTANCES, HAZARDS
from millebornes.data.columns import BATTLE, CARDS, PHASES, SPEED, Column, data_columns, move_texts, side_name
from millebornes.data.recording import Recording, ReplayedHands
from millebornes.editions import Rules
from millebornes.envs.actions import action_count
from millebornes.envs.seen import SEEN
from millebornes.rules.moves import move_codes
from millebornes.rules.state import BATTLE_TOPS, NOBODY, Side

KEY: Final = b"millebornes"
"""The key under which a file's metadata contains the description."""
COMPRESSION: Final = "zstd"
LEVEL: Final = 1
BATCH: Final = 1 << 16

NONE: Final = NOBODY
"""The byte that represents null."""
HAZARD_NAMES: Final = tuple(hazard.value for hazard in HAZARDS)
BATTLE_PLACES: Final = np.array([BATTLE.index(top.value) if top else NONE for top in BATTLE_TOPS], np.uint8)
"""The index in `BATTLE` of each code of a battle pile's top card in a side word."""

Numbers = npt.NDArray[Any]


def arrow_type(column: Column) -> Any:
    """Return the Arrow type for a column."""
    if column.type == "dictionary":
        return pa.dictionary(pa.int8() if column.values else pa.int16(), pa.string())
    return getattr(pa, {"bool": "bool_"}.get(column.type, column.type))()


def schema_of(rules: Rules) -> Any:
    """Return the Arrow schema of a data set with these rules, without metadata."""
    fields = [pa.field(column.name, arrow_type(column), column.is_optional) for column in data_columns(rules)]
    return pa.schema(fields)


def decision_table(recording: Recording, replayed: ReplayedHands) -> Any:
    """Return the rows of a recording as a `pyarrow.Table`, in the order of its hands."""
    columns = _columns(recording, replayed)
    schema = schema_of(recording.plan.rules)
    return pa.Table.from_arrays([columns[name] for name in schema.names], schema=schema)


def file_bytes(table: Any, description: Mapping[str, Any]) -> Any:
    """Return the bytes of a Parquet file that contains the table and, in its metadata, the ``description``."""
    text = json.dumps(description, ensure_ascii=False, separators=(",", ":")).encode()
    table = table.replace_schema_metadata({KEY: text})
    texts = [field.name for field in table.schema if pa.types.is_dictionary(field.type)]
    sink = pa.BufferOutputStream()
    # Plain numbers are as small as with a dictionary, and take half the time to write. Calculating minima and maxima
    # takes time too, so they are left out for columns that no one searches.
    pq.write_table(
        table,
        sink,
        compression=COMPRESSION,
        compression_level=LEVEL,
        use_dictionary=texts,
        write_statistics=["game"],
        write_batch_size=BATCH,
    )
    return sink.getvalue()


def _columns(recording: Recording, replayed: ReplayedHands) -> dict[str, Any]:
    rules, hands, rows = recording.plan.rules, recording.hands, replayed.hand
    lineups, names = recording.seating
    seen = {name: np.ascontiguousarray(replayed.seen[name]) for name in SEEN.names or ()}
    seat, is_asked = seen["seat"], seen["hazard"] != NONE

    def of_hand(values: Numbers) -> Numbers:
        return np.repeat(values, hands.plies)

    columns: dict[str, Any] = {
        "game": pa.array(of_hand(hands.game.astype(np.int32))),
        "hand": pa.array(of_hand(hands.number.astype(np.int32))),
        "ply": pa.array(replayed.ply.astype(np.int16)),
        "first": pa.array(of_hand(((hands.number - 1) % rules.seats).astype(np.uint8))),
        "seat": pa.array(seat),
        "player": _texts(lineups[rows, seat].astype(np.int16), names),
        "phase": _texts(seen["phase"], PHASES),
        "draw_pile": pa.array(seen["draw_pile"]),
        "discard_top": _texts(seen["top"], CARDS),
        "extended": pa.array(seen["extended"] != 0),
        "pending_hazard": _texts(seen["hazard"], HAZARD_NAMES, HAZARDS[0].index),
        "pending_side": pa.array(seen["on"], mask=~is_asked),
        "pending_by": pa.array(seen["by"], mask=~is_asked),
        "action": pa.array(replayed.actions),
        "move": _moves(rules, replayed.actions, seat),
        "info": _info(recording, replayed),
        "deck": _decks(hands.piles, hands.plies, replayed.starts, len(rows)),
    }
    for kind, card in enumerate(CARDS):
        columns[f"hand_{card}"] = pa.array(_bits(seen["hand"], 3 * kind, 3))
        columns[f"seen_{card}"] = pa.array(np.ascontiguousarray(seen["public"][:, kind]).view(np.uint8))
    for n in range(1, rules.seats):
        columns[f"seat{n}_cards"] = pa.array(np.ascontiguousarray(seen["sizes"][:, n]))
    for n in range(replayed.legal.shape[1]):
        columns["legal" if n == 0 else f"legal{n}"] = pa.array(np.ascontiguousarray(replayed.legal[:, n]))
    for n in range(rules.sides):
        columns |= _side(side_name(n), np.ascontiguousarray(seen["side"][:, n]))
    return columns | _outcomes(recording, replayed, seat)


def _bits(words: Numbers, shift: int, count: int) -> npt.NDArray[np.uint8]:
    return (words >> np.uint64(shift) & np.uint64((1 << count) - 1)).astype(np.uint8)


def _side(side: str, words: Numbers) -> dict[str, Any]:
    """Return the columns of a side, given its words (`millebornes.rules.state.Side`)."""
    is_200 = _bits(words, Side.ROLL_IS_200, 1)
    battle = BATTLE_PLACES[_bits(words, Side.BATTLE, 4)]
    battle[(battle == BATTLE.index("roll")) & (is_200 != 0)] = BATTLE.index("200")
    speed = np.where(_bits(words, Side.END_OF_LIMIT, 1), np.uint8(SPEED.index("end_of_limit")), np.uint8(NONE))
    speed[_bits(words, Side.LIMIT, 1) != 0] = SPEED.index("speed_limit")
    columns = {
        "distance": pa.array(_bits(words, Side.MILES, 7).astype(np.uint16) * np.uint16(25)),
        "safeties": pa.array(_bits(words, Side.SAFETIES, 4)),
        "coups": pa.array(_bits(words, Side.COUPS, 4)),
        "battle": _texts(battle, BATTLE),
        "speed": _texts(speed, SPEED),
        "200_as_roll": pa.array(is_200 != 0),
    }
    for card, shift, count in zip(DISTANCES, Side.DISTANCES, Side.DISTANCE_BITS, strict=True):
        columns[card.value] = pa.array(_bits(words, shift, count))
    return {f"{side}_{name}": column for name, column in columns.items()}


def _texts(places: Numbers, texts: Sequence[str], first: int = 0) -> Any:
    """Return a column of strings, given their indices, which start at ``first``. Bytes equal to `NONE` become null."""
    if places.dtype == np.uint8:
        missing = places == NONE
        wide = (places - np.uint8(first)).view(np.int8)
        numbers = pa.array(wide, mask=missing) if missing.any() else pa.array(wide)
    else:
        numbers = pa.array(places)
    return pa.DictionaryArray.from_arrays(numbers, pa.array(texts, pa.string()))


def _moves(rules: Rules, actions: Numbers, seat: npt.NDArray[np.uint8]) -> Any:
    """Return a column with the texts of moves. The text depends on the side that makes the move."""
    places = {text: place for place, text in enumerate(move_texts(rules.sides))}
    numbers_by_action = np.zeros((rules.sides, action_count(rules)), np.int8)
    for side in range(rules.sides):
        for text, code in move_codes(rules, side).items():
            numbers_by_action[side, code] = places[text]
    numbers = numbers_by_action[seat % rules.sides, actions]
    return pa.DictionaryArray.from_arrays(pa.array(numbers), pa.array(move_texts(rules.sides), pa.string()))


def _info(recording: Recording, replayed: ReplayedHands) -> Any:
    if not recording.info:
        return pa.nulls(len(replayed.hand), pa.string())
    texts: list[str | None] = [None] * len(replayed.hand)
    for (hand, ply), text in recording.info.items():
        texts[int(replayed.starts[hand]) + ply] = text
    return pa.array(texts, pa.string())


def _decks(piles: npt.NDArray[np.uint8], plies: npt.NDArray[np.int64], starts: Numbers, rows: int) -> Any:
    """Return a column that contains each hand's deck in its first row, and null in all other rows."""
    some = plies > 0
    is_first = np.zeros(rows, np.bool_)
    is_first[starts[some]] = True
    ends = np.zeros(rows + 1, np.int32)
    np.cumsum(is_first, out=ends[1:])
    ends *= piles.shape[1]
    valid = pa.array(is_first).buffers()[1]
    data = pa.py_buffer(np.ascontiguousarray(piles[some]))
    return pa.Array.from_buffers(pa.binary(), rows, [valid, pa.py_buffer(ends), data])


def _outcomes(recording: Recording, replayed: ReplayedHands, seat: npt.NDArray[np.uint8]) -> dict[str, Any]:
    sides, hands, rows = recording.plan.rules.sides, recording.hands, replayed.hand
    points = replayed.points
    before = points.cumsum(0) - points
    of_game = np.searchsorted(hands.game, hands.game)  # index of the first hand in the game
    totals = (before - before[of_game]).astype(np.int32)
    lead = (points - (points.sum(1, keepdims=True) - points) / (sides - 1)).astype(np.float32)
    own = seat % np.uint8(sides)
    missing = None if replayed.is_over.all() else ~replayed.is_over[rows]
    columns = {}
    for n in range(sides):
        side = (own + np.uint8(n)) % np.uint8(sides)
        columns[f"{side_name(n)}_total"] = pa.array(totals[rows, side])
        columns[f"{side_name(n)}_points"] = pa.array(points.astype(np.int32)[rows, side], mask=missing)
    columns["lead"] = pa.array(lead[rows, own], mask=missing)
    columns["share"] = pa.array(_shares(recording, points)[rows, own])
    return columns


def _shares(recording: Recording, points: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """Return each side's share of the win in the game of each hand, whether on points or by a forfeit."""
    games, first, of_hand = np.unique(recording.hands.game, return_index=True, return_inverse=True)
    shares = shares_of_win(np.add.reduceat(points, first, axis=0) if len(first) else points)
    for place, game in enumerate(games.tolist()):
        if game in recording.lost:
            shares[place] = 1 / (points.shape[1] - 1)
            shares[place, int(recording.lost[game]["side"])] = 0
    return shares.astype(np.float32)[of_hand]
