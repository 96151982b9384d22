"""Convert a recording to an Arrow table with one row per decision, and to the bytes of a Parquet file."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from millebornes.cards import HAZARDS
from millebornes.data.columns import BATTLE, CARDS, PHASES, SPEED, Column, data_columns, move_texts, side_name
from millebornes.data.kernels import FIELDS, NONE, SIDE_FIELDS, battle_places, write_bytes
from millebornes.data.recording import Followed, Recording
from millebornes.editions import Rules
from millebornes.envs.actions import action_count
from millebornes.rules.moves import move_codes

__all__ = ["KEY", "arrow_type", "decision_table", "file_bytes", "schema_of"]

KEY: Final = b"millebornes"
"""The key under which a file's metadata contains the description."""
COMPRESSION: Final = "zstd"
LEVEL: Final = 1
BATCH: Final = 1 << 16

HAZARD_NAMES: Final = tuple(hazard.value for hazard in HAZARDS)

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


def decision_table(recording: Recording, followed: Followed) -> Any:
    """Return the rows of a recording as a `pyarrow.Table`, in the order of its hands."""
    columns = _columns(recording, followed)
    schema = schema_of(recording.rules)
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


def _columns(recording: Recording, followed: Followed) -> dict[str, Any]:
    rules, hands, rows = recording.rules, recording.hands, followed.hand
    packed = _packed(rules, followed.seen)
    seat = packed["seat"]

    def of_hand(values: Numbers) -> Numbers:
        return np.repeat(values, hands.plies)

    found: dict[str, Any] = {
        "game": pa.array(of_hand(hands.game.astype(np.int32))),
        "hand": pa.array(of_hand(hands.number.astype(np.int32))),
        "ply": pa.array(followed.ply.astype(np.int16)),
        "first": pa.array(of_hand(recording.firsts.astype(np.uint8))),
        "seat": pa.array(seat),
        "player": _texts(recording.lineups[rows, seat].astype(np.int16), recording.names),
        "phase": _texts(packed["phase"], PHASES),
        "draw_pile": pa.array(packed["draw_pile"]),
        "discard_top": _texts(packed["top"], CARDS),
        "extended": pa.array(packed["extended"] != 0),
        "pending_hazard": _texts(packed["hazard"], HAZARD_NAMES, HAZARDS[0].index),
        "pending_side": _optional(packed["on"]),
        "pending_by": _optional(packed["by"]),
        "action": pa.array(followed.actions),
        "move": _moves(rules, followed.actions, seat),
        "info": _info(recording, followed),
        "deck": _decks(hands.piles, hands.plies, followed.starts, len(rows)),
    }
    found |= {name: pa.array(packed[name]) for name in packed if name.startswith(("hand_", "seen_", "seat"))}
    for n in range(followed.legal.shape[1]):
        found["legal" if n == 0 else f"legal{n}"] = pa.array(np.ascontiguousarray(followed.legal[:, n]))
    for n in range(rules.sides):
        found |= _side(side_name(n), packed)
    return found | _outcomes(recording, followed, seat)


def _packed(rules: Rules, seen: npt.NDArray[np.void]) -> dict[str, npt.NDArray[np.uint8]]:
    """Return columns of bytes for what the players saw, by the names of the columns."""
    names = [f"{when}_{card}" for when in ("hand", "seen") for card in CARDS]
    names += [f"{side_name(n)}_{name}" for n in range(rules.sides) for name in SIDE_FIELDS]
    names += [f"seat{n}_cards" for n in range(1, rules.seats)]
    names += FIELDS
    out = np.empty((len(names), len(seen)), np.uint8)
    write_bytes(seen, rules.seats, rules.sides, battle_places(), out)
    return dict(zip(names, out, strict=True))


def _side(side: str, packed: Mapping[str, Numbers]) -> dict[str, Any]:
    found = {f"{side}_{name}": pa.array(packed[f"{side}_{name}"]) for name in (*SIDE_FIELDS[1:6], "safeties", "coups")}
    return found | {
        f"{side}_distance": pa.array(packed[f"{side}_miles"].astype(np.uint16) * np.uint16(25)),
        f"{side}_battle": _texts(packed[f"{side}_battle"], BATTLE),
        f"{side}_speed": _texts(packed[f"{side}_speed"], SPEED),
        f"{side}_200_as_roll": pa.array(packed[f"{side}_200_as_roll"] != 0),
    }


def _optional(values: npt.NDArray[np.uint8]) -> Any:
    return pa.array(values, mask=values == NONE)


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
    known = np.zeros((rules.sides, action_count(rules)), np.int8)
    for side in range(rules.sides):
        for text, code in move_codes(rules, side).items():
            known[side, code] = places[text]
    numbers = known[seat % rules.sides, actions]
    return pa.DictionaryArray.from_arrays(pa.array(numbers), pa.array(move_texts(rules.sides), pa.string()))


def _info(recording: Recording, followed: Followed) -> Any:
    if not recording.info:
        return pa.nulls(len(followed.hand), pa.string())
    texts: list[str | None] = [None] * len(followed.hand)
    for (hand, ply), text in recording.info.items():
        texts[int(followed.starts[hand]) + ply] = text
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


def _outcomes(recording: Recording, followed: Followed, seat: npt.NDArray[np.uint8]) -> dict[str, Any]:
    """Return the columns for the scores before the hand and for the results, as the player who decides sees them."""
    sides, hands, rows = recording.rules.sides, recording.hands, followed.hand
    points = followed.points
    before = points.cumsum(0) - points
    of_game = np.searchsorted(hands.game, hands.game)  # index of the first hand in the game
    totals = (before - before[of_game]).astype(np.int32)
    lead = (points - (points.sum(1, keepdims=True) - points) / (sides - 1)).astype(np.float32)
    own = seat % np.uint8(sides)
    missing = None if followed.is_over.all() else ~followed.is_over[rows]
    found = {}
    for n in range(sides):
        side = (own + np.uint8(n)) % np.uint8(sides)
        found[f"{side_name(n)}_total"] = pa.array(totals[rows, side])
        found[f"{side_name(n)}_points"] = pa.array(points.astype(np.int32)[rows, side], mask=missing)
    found["lead"] = pa.array(lead[rows, own], mask=missing)
    found["share"] = pa.array(recording.shares[rows, own])
    return found
