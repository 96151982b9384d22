"""Data sets: every row against the game layer, and transcripts that come back as they were recorded."""

import importlib.util
import json
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from millebornes.arena import duplicate
from millebornes.arena.duplicate import play_game
from millebornes.arena.executors import open_workers
from millebornes.arena.programs import seated
from millebornes.arena.schedule import Plan
from millebornes.cli import main
from millebornes.data import data_columns, data_schema, export_games, read_games, read_trajectories
from millebornes.data.export import Export, seed_of
from millebornes.editions import EDITIONS, edition, make_rules
from millebornes.envs import move_of, observation_of
from millebornes.errors import MilleBornesError, SaveError, TranscriptError
from millebornes.game import Hand
from millebornes.notation import read_match
from tests.damage import complaint, damaged, read_in_little_memory

pa = pytest.importorskip("pyarrow", reason="needs the extra data")
pq = pytest.importorskip("pyarrow.parquet")


def plan(*players: str, table: tuple[str, int, int] = ("classic", 2, 2), **settings: Any) -> Plan:
    rules = make_rules(*table, settings.pop("set", {}))
    settings = {"games": 4, "match_target": None, "seed": "data", "duplicate": False} | settings
    return Plan(rules=rules, players=players or ("basic", "random"), **settings)


def recorded(found: Plan) -> list[tuple[str, ...]]:
    """The transcripts that the arena records of a plan's games, by its ordinary loop."""
    lines = []
    for deal in range(found.deals):
        for game in found.games_of(deal):
            wanted = [found.teams[number][member] for number, member in found.seated(game)]
            with seated(wanted, found.time_ms) as players:
                lines.append(play_game(found, game, players, records=True).lines)
    return lines


def files(folder: Path) -> dict[str, bytes]:
    """The Parquet files in a folder."""
    return {path.name: path.read_bytes() for path in folder.glob("*.parquet")}


PLANS = {
    "two seats": plan("maxims", "random"),
    "duplicate": plan("basic", "random", games=4, duplicate=True),
    "matches": plan("random", "basic", table=("house", 2, 2), match_target=500, games=2),
    "partners": plan("basic+random", "random", table=("classic", 4, 2), games=4, duplicate=True),
    "three sides": plan("random", "random", "basic", table=("wikibooks", 3, 3), match_target=400, games=3),
    "six seats": plan("random", "random", "random", table=("classic", 6, 3), games=3),
    "eight seats": plan("random", "random", table=("classic", 8, 2), games=2, set={"hand_size": 5}),
    "one's own edition": plan("random", "random", games=2, set={"opening_right_of_way": True, "coup_by": "anyone"}),
}


@pytest.mark.parametrize("name", PLANS)
def test_transcripts_come_back_as_the_arena_records_them(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = PLANS[name]
    right = recorded(found)
    export_games(found, tmp_path / "loop", file_games=3)  # few games: the arena's loop plays them
    monkeypatch.setattr(duplicate, "KERNELS_FROM", 1)
    results = export_games(found, tmp_path / "kernels", file_games=3)
    games = list(read_games(tmp_path / "kernels"))
    assert [game.lines for game in games] == right
    assert [game.number for game in games] == list(range(1, len(right) + 1))
    assert files(tmp_path / "kernels") == files(tmp_path / "loop")
    assert (results.games, results.complete) == (len(right), True)
    assert [game.lines for game in read_games(tmp_path / "kernels", 2)] == right[1:2]


TABLES = [(name, *table) for name in EDITIONS for table in edition(name).tables]
TABLES += [("classic", 5, 5), ("classic", 7, 7), ("classic", 8, 2), ("classic", 8, 4)]


@pytest.mark.once
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_transcripts_of_every_table_come_back(
    table: tuple[str, int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(str(table))
    names = [chance.choice(("random", "basic", "maxims")) for _ in range(table[2])]
    target = chance.choice((None, 300))
    found = plan(*names, table=table, games=2, duplicate=chance.random() < 0.5, match_target=target)
    monkeypatch.setattr(duplicate, "KERNELS_FROM", 1)
    export_games(found, tmp_path / "set")
    assert [game.lines for game in read_games(tmp_path / "set")] == recorded(found)


# ---------------------------------------------------------------- rows


def expected(hand: Hand, match: Any, number: int) -> dict[str, Any]:
    """What a row should say of a decision, by the game layer; what only the end tells is left out."""
    rules, seat = hand.rules, hand.seat
    assert seat is not None
    view = hand.view(seat)
    row: dict[str, Any] = {"hand": number, "ply": hand.ply, "first": hand.first, "seat": seat}
    row["phase"] = hand.phase.name.lower()
    for kind in view.discards:
        row[f"hand_{kind.value}"] = view.hand.count(kind)
        row[f"seen_{kind.value}"] = view.discards[kind] + view.played[kind]
    before = [sum(done.scores[side].total for done in match.hands[: number - 1]) for side in range(rules.sides)]
    points = [sheet.total for sheet in match.hands[number - 1].scores]
    own = rules.side_of(seat)
    for n in range(rules.sides):
        side, name = (own + n) % rules.sides, f"side{n}" if n else "own"
        shown = view.tableaux[side].to_dict()
        bits = {"driving_ace": 1, "extra_tank": 2, "puncture_proof": 4, "right_of_way": 8}
        row[f"{name}_distance"] = shown["distance"]
        row |= {f"{name}_{card}": count for card, count in shown["cards"].items()}
        row[f"{name}_safeties"] = sum(bits[safety] for safety in shown["safeties"])
        row[f"{name}_coups"] = sum(bits[safety] for safety in shown["coups_fourres"])
        row[f"{name}_battle"], row[f"{name}_speed"] = shown["battle"], shown["speed"]
        row[f"{name}_total"], row[f"{name}_points"] = before[side], points[side]
    for n in range(1, rules.seats):
        row[f"seat{n}_cards"] = view.hand_sizes[(seat + n) % rules.seats]
    row["draw_pile"], row["extended"] = view.draw_pile, view.extended
    row["discard_top"] = None if view.discard_top is None else view.discard_top.value
    pending = view.pending
    row["pending_hazard"] = None if pending is None else pending.hazard.value
    row["pending_side"] = None if pending is None else (pending.side - own) % rules.sides
    row["pending_by"] = None if pending is None else (pending.by - seat) % rules.seats
    row["lead"] = points[own] - (sum(points) - points[own]) / (rules.sides - 1)
    return row


@pytest.mark.parametrize("name", ["two seats", "three sides", "one's own edition"])
def test_a_row_says_what_the_game_layer_says(name: str, tmp_path: Path) -> None:
    found = PLANS[name]
    export_games(found, tmp_path / "set")
    rows = iter(pq.read_table(tmp_path / "set").to_pylist())
    columns = data_columns(found.rules)
    assert pq.read_schema(next((tmp_path / "set").glob("*.parquet"))).remove_metadata() == data_schema(found.rules)
    for number, lines in enumerate(recorded(found), 1):
        match = read_match(lines)
        shares = [
            1 / sum(total == max(match.totals) for total in match.totals) * (total == max(match.totals))
            for total in match.totals
        ]
        for place, last in enumerate(match.hands, 1):
            for ply, move in enumerate(last.moves):
                hand, row = last.at(ply), next(rows)
                assert hand.seat is not None
                wanted = expected(hand, match, place)
                wanted["lead"] = pytest.approx(wanted["lead"])
                assert {key: row[key] for key in wanted} == wanted
                words = [row["legal"], row.get("legal1", 0)]
                codes = [64 * n + bit for n, word in enumerate(words) for bit in range(64) if word >> bit & 1]
                assert {str(move_of(found.rules, hand.seat, code)) for code in codes} == set(hand.legal_moves.texts)
                assert (row["move"], row["game"]) == (str(move), number)
                assert move_of(found.rules, hand.seat, row["action"]) == move
                assert row["player"] == match.players[hand.seat]
                assert row["share"] == pytest.approx(shares[found.rules.side_of(hand.seat)])
                assert (row["deck"] is None) == (ply != 0)
                for column in columns:
                    value = row[column.name]
                    assert value is not None or column.is_optional, column
                    if column.high is not None and value is not None:
                        assert column.low <= value <= column.high, column
                    if column.values and value is not None:
                        assert value in column.values, column
    assert next(rows, None) is None


def test_rows_are_trajectories_to_learn_from(tmp_path: Path) -> None:
    found = plan("random", "basic", games=3)
    export_games(found, tmp_path / "set", file_games=2)
    played = read_trajectories(tmp_path / "set")
    observations, masks = played.batch()
    row = 0
    for hand, lines in enumerate(recorded(found)):
        last = read_match(lines).hand
        assert played.points[hand].tolist() == [sheet.total for sheet in last.scores]
        for ply in range(last.ply):
            before = last.at(ply)
            assert before.seat is not None
            assert played.games[row] == hand
            assert (observations[row] == observation_of(before.view(before.seat))).all()
            assert masks[row].sum() == len(before.legal_moves)
            row += 1
    assert row == len(played)


# ---------------------------------------------------------------- interruptions


def test_what_was_interrupted_goes_on_and_comes_out_the_same(tmp_path: Path) -> None:
    found = plan("random", "random", games=10)
    whole, folder = tmp_path / "whole", tmp_path / "set"
    export_games(found, whole, file_games=2)
    run = Export(found, folder, file_games=2)

    def stop(run: Export) -> None:
        if len(run.files) == 2:
            raise KeyboardInterrupt

    with open_workers() as workers, pytest.raises(KeyboardInterrupt):
        run.run(workers, stop)
    assert not run.complete
    assert len(list(read_games(folder))) == 4  # what is there can be read
    with pytest.raises(SaveError, match="this folder already contains a data set; --resume continues it"):
        Export(found, folder, file_games=2)
    with pytest.raises(SaveError, match='belongs to another run: its seed is "data", not "other"'):
        Export(plan("random", "random", games=10, seed="other"), folder, file_games=2, resume=True)
    assert seed_of(folder) == "data"
    (folder / "part-000001.parquet").write_bytes(b"a part of it")  # as a machine that crashed might leave it
    (folder / ".part-000002.parquet.1-a.tmp").write_bytes(b"left behind")
    again = Export(found, folder, file_games=2, resume=True)
    assert again.done == 2
    with open_workers() as workers:
        again.run(workers)
    assert again.complete
    assert files(folder) == files(whole)
    assert not list(folder.glob("*.tmp"))
    assert seed_of(folder) == "data"
    more = export_games(plan("random", "random", games=13), folder, file_games=2, resume=True)
    assert more.games == 14  # whole rounds
    assert files(folder).items() >= files(whole).items()
    with pytest.raises(SaveError, match="this data set already has 14 games"):
        export_games(found, folder, file_games=2, resume=True)


def test_data_frames_read_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    results = export_games(plan(), Path("set"), file_games=2)
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == [
        "part-000000.parquet",
        "part-000001.parquet",
        "set.manifest.json",
    ]
    for folder in (tmp_path / "set", Path("set"), "set/"):
        assert len(polars.read_parquet(folder)) == results.decisions
        assert len(polars.scan_parquet(folder).collect()) == results.decisions
        assert len(pandas.read_parquet(folder)) == results.decisions
    monkeypatch.chdir(tmp_path / "set")
    assert Export(plan(), Path(), file_games=2, resume=True).complete


def test_other_peoples_files_are_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "theirs.parquet").write_bytes(b"PAR1")
    with pytest.raises(SaveError, match=r"this contains theirs.parquet, but there is no theirs.manifest.json beside"):
        Export(plan(), folder, resume=True)
    (tmp_path / "theirs.manifest.json").write_text('{"name": "a web page"}')
    with pytest.raises(SaveError, match="this isn't a manifest of a data set"):
        Export(plan(), folder, resume=True)
    with pytest.raises(SaveError, match="cannot be created"):
        Export(plan(), tmp_path / "none" / "set")
    with pytest.raises(MilleBornesError, match="file_games: 0 is not allowed"):
        Export(plan(), tmp_path / "set", file_games=0)


@pytest.mark.slow
def test_any_number_of_workers_writes_the_same_files(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    found = plan("random", "random", games=12)
    export_games(found, tmp_path / "one", file_games=3)
    export_games(found, tmp_path / "two", file_games=3, jobs=2)
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
    with distributed.LocalCluster(**options, protocol="tcp://", host="127.0.0.1") as cluster:
        export_games(found, tmp_path / "cluster", file_games=3, cluster=cluster.scheduler_address)
    assert files(tmp_path / "one") == files(tmp_path / "two") == files(tmp_path / "cluster")


# ---------------------------------------------------------------- forfeits, and what players say

FAILING = '''
import random
from millebornes.players import Player

class Failing(Player):
    """Plays the first legal move, says so, and fails at a decision that its name tells."""
    name = "failing"
    summary = "fails"
    at = {at}

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.made = 0

    def choose(self, view, legal, rng):
        if self.made == self.at:
            raise ValueError("no idea")
        self.made += 1
        return next(iter(legal))

    def explain(self):
        return {{"made": self.made, "why": "é"}}
'''


@pytest.mark.parametrize("at", [0, 3, 120])
def test_forfeits_and_what_players_say_come_back(at: int, tmp_path: Path) -> None:
    # At its first decision, in a hand, or in a later hand of the match.
    file = tmp_path / "failing.py"
    file.write_text(FAILING.format(at=at), encoding="utf-8")
    found = plan(f"py:{file}", "random", games=2, match_target=2000)
    # A data set names players as they were asked for, a transcript as they call themselves.
    right = [(lines[0].replace('"failing"', f'"py:{file}"'), *lines[1:]) for lines in recorded(found)]
    assert any("forfeit" in lines[0] for lines in right)
    assert at == 0 or any('"info"' in line for lines in right for line in lines)
    export_games(found, tmp_path / "set")
    assert [game.lines for game in read_games(tmp_path / "set")] == right
    rows = pq.read_table(tmp_path / "set").to_pylist()
    unfinished = [row for row in rows if row["own_points"] is None]
    assert all((row["share"] == 0) == row["player"].startswith("py:") for row in unfinished)
    assert len(read_trajectories(tmp_path / "set")) == len(rows) - len(unfinished)


# ---------------------------------------------------------------- damaged files


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "set"
    export_games(plan("random", "random", games=2), folder)
    return folder / "part-000000.parquet"


def changed(table: Any, name: str, row: int, value: Any) -> Any:
    """A table with another value in one place."""
    place = table.schema.get_field_index(name)
    values = table.column(name).to_pylist()
    values[row] = value
    return table.set_column(place, table.schema.field(place), pa.array(values, table.schema.field(place).type))


def faults(table: Any) -> Iterator[tuple[Any, str]]:
    yield changed(table, "hand_roll", 5, 7), "game 1, hand 1, ply 5: hand_roll is 7, but the deck and the moves give ."
    yield changed(table, "own_points", 3, 1), "game 1, hand 1, ply 3: own_points is 1, but"
    yield changed(table, "share", 3, 0.25), "ply 3: share is 0.25, but"
    yield changed(table, "action", 4, 63), "game 1, hand 1, ply 4: action 63 is not legal"
    yield changed(table, "action", 4, -9), "game 1, hand 1, ply 4: action -9 is not legal"
    yield changed(table, "action", 4, 30000), "game 1, hand 1, ply 4: action 30000 is not legal"
    yield changed(table, "deck", 0, bytes(106)), "game 1, hand 1: its deck is not the edition's"
    yield changed(table, "deck", 0, b"short"), "a hand has no deck, or one of the wrong size"
    yield changed(table, "deck", 0, None), "a hand has no deck, or one of the wrong size"
    yield changed(table, "ply", 6, 9), "the plies of a hand are not consecutive"
    yield changed(table, "hand", 0, 2), "the rows of a hand have different numbers"
    yield table.slice(1), "its first row isn't the first decision of a hand"
    yield table.slice(0, 3), "game 2 is missing"
    yield table.slice(0, 0), "game 1 is missing"
    yield table.drop_columns(["seat"]), "the column seat is missing"
    ply = table.schema.get_field_index("ply")
    yield (table.set_column(ply, "ply", table.column("ply").cast(pa.int64())), "the column ply holds int64, not int16")
    yield table.replace_schema_metadata({}), "isn't a data set written by millebornes export"
    yield table.replace_schema_metadata({b"millebornes": b"{"}), "its description is damaged"
    newer = table.schema.metadata[b"millebornes"].replace(b"data/1", b"data/2")
    yield table.replace_schema_metadata({b"millebornes": newer}), "the format is 'millebornes-data/2'"


def test_damaged_files_are_told_in_sentences(good: Path, tmp_path: Path) -> None:
    whole = good.read_bytes()
    bad = tmp_path / "bad.parquet"
    for data, said in (
        (b"", "this isn't a Parquet file$"),
        (b"PAR1" + bytes(90), "this .* is damaged"),
        (whole[:-9], "this .* is damaged"),
    ):
        bad.write_bytes(data)
        with pytest.raises(TranscriptError, match=f"^[^:]*bad.parquet: {said}"):
            list(read_games(bad))
    for table, said in faults(pq.read_table(good)):
        pq.write_table(table, bad)
        with pytest.raises(TranscriptError, match=f"bad.parquet: .*{said}"):
            list(read_games(bad))
    with pytest.raises(TranscriptError, match="cannot be read"):
        list(read_games(tmp_path / "none.parquet"))
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(TranscriptError, match=r"there are no \*\.parquet files"):
        list(read_games(empty))


def uncompressed(good: Path) -> bytes:
    """The same file with plain pages, in which changes reach the values."""
    sink = pa.BufferOutputStream()
    pq.write_table(pq.read_table(good), sink, compression="none")
    return bytes(sink.getvalue())


def with_footer(whole: bytes, footer: bytes) -> bytes:
    """The file with another footer, which holds the schema, the places and the sizes."""
    end = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    return whole[:end] + footer + len(footer).to_bytes(4, "little") + whole[-4:]


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.campaign)])
def test_damaged_files_are_refused_or_hold_the_same_games(seed: int, good: Path, tmp_path: Path) -> None:
    whole, plain, bad = good.read_bytes(), uncompressed(good), tmp_path / "bad.parquet"
    footer = whole[len(whole) - 8 - int.from_bytes(whole[-8:-4], "little") : -8]
    right = [game.lines for game in read_games(good)]
    count = 40 if seed == 1 else 1000
    files = [*damaged(whole, f"whole {seed}", count), *damaged(plain, f"plain {seed}", count)]
    files += [with_footer(whole, data) for data in damaged(footer, f"footer {seed}", count)]
    for data in files:
        bad.write_bytes(data)
        found: list[Any] = []

        def read(found: list[Any] = found) -> None:
            found.extend(game.lines for game in read_games(bad))

        told = complaint(read)
        assert told is not None or len(found) == len(right)
        assert told is None or told.startswith(f"{bad}: ")
        complaint(lambda: read_trajectories(bad))
        complaint(lambda: list(read_games(bad, 2)))


def test_what_is_no_file_is_refused(good: Path, tmp_path: Path) -> None:
    (tmp_path / "a.parquet").mkdir()
    assert "isn't a file" in str(complaint(lambda: list(read_games(tmp_path))))
    os.mkfifo(tmp_path / "pipe")
    assert "isn't a file" in str(complaint(lambda: list(read_games(tmp_path / "pipe"))))


def bombs(good: Path) -> Iterator[tuple[bytes, str]]:
    """Small files that would take gigabytes, and what is said of each."""
    table = pq.read_table(good)

    def written(found: Any) -> bytes:
        sink = pa.BufferOutputStream()
        pq.write_table(found, sink, compression="zstd")
        return bytes(sink.getvalue())

    rows = np.zeros(300_000, np.int32)
    yield written(table.slice(1, 1).combine_chunks().take(pa.array(rows))), "it can't contain 300000 rows"
    long = "a" * (1 << 26)
    whole = written(changed(table.slice(0, 1), "info", 0, long))
    yield whole, r"can't be \d+ when unpacked"
    about = pq.read_metadata(pa.BufferReader(whole)).row_group(0)
    size = about.column(table.schema.get_field_index("info")).total_uncompressed_size
    yield whole.replace(varint(size), varint(100, len(varint(size)))), r"can't be \d+ when unpacked"
    # One long text for all rows
    info = table.schema.get_field_index("info")
    texts = pa.array(["a" * (1 << 20)] * 150)
    yield written(table.slice(0, 150).set_column(info, table.schema.field(info), texts)), "its texts are too long"


def varint(number: int, length: int = 0) -> bytes:
    """A positive number as Thrift writes it, with leading zeros up to a length."""
    number, found = number << 1, bytearray()
    while number > 127 or len(found) + 1 < length:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def test_files_that_would_unpack_to_gigabytes_take_no_memory(good: Path, tmp_path: Path) -> None:
    found = list(bombs(good))
    paths = [tmp_path / f"{place}.parquet" for place in range(len(found))]
    for path, (data, _) in zip(paths, found, strict=True):
        assert len(data) < 1 << 18
        path.write_bytes(data)
    told = read_in_little_memory(READ, *map(str, paths)).splitlines()
    for line, (_, said) in zip(told, found, strict=True):
        assert re.search(f"this Parquet file is damaged .*{said}", line), line


READ = """
import sys
from pathlib import Path
from millebornes.data import read_games
from tests.damage import complaint
for word in sys.argv[1:]:
    print(complaint(lambda: list(read_games(Path(word)))))
"""


def test_every_flipped_byte_is_told_or_changes_nothing(good: Path, tmp_path: Path) -> None:
    whole, bad = good.read_bytes(), tmp_path / "bad.parquet"
    right = [game.lines for game in read_games(good)]
    chance = np.random.default_rng(1)
    for place in chance.integers(4, len(whole), 40).tolist():
        bad.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << int(chance.integers(8))]) + whole[place + 1 :])
        said, lines = "", right
        try:
            lines = [game.lines for game in read_games(bad)]
        except TranscriptError as error:
            said = str(error)
        assert lines == right
        assert said.startswith(f"{bad}: " if said else "")


# ---------------------------------------------------------------- the commands


def test_the_command_writes_what_replay_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, arena = tmp_path / "set", tmp_path / "arena"
    arena.mkdir()
    table = ["--player", "random", "--player", "basic", "--seed", "7", "--edition", "bsd"]
    assert main(["export", *table, "--games", "4", "--json", str(folder)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["games"], said["hands"], said["seed"], said["complete"]) == (4, 4, 7, True)
    assert main(["arena", *table, "--hands", "4", "--no-duplicate", "--record", str(arena)]) == 0
    assert main(["replay", str(folder), "--record", str(tmp_path / "game.jsonl")]) == 0
    capsys.readouterr()
    lines = ""
    for number in range(1, 5):
        name = f"game-{number:06}.jsonl"
        assert (tmp_path / name).read_bytes() == (arena / name).read_bytes()
        assert main(["replay", str(arena / name), "--json"]) == 0
        game = capsys.readouterr().out
        assert main(["replay", str(folder / "part-000000.parquet"), "--json", "--game", str(number)]) == 0
        assert capsys.readouterr().out == game
        lines += game
    assert main(["replay", str(folder), "--json"]) == 0
    assert capsys.readouterr().out == lines
    assert main(["replay", str(folder), "--brief", "--language", "en"]) == 0
    assert capsys.readouterr().out.count("Hand 1, ") == 4
    assert main(["export", *table, "--games", "4", str(folder)]) == 1
    assert "--resume continues it" in capsys.readouterr().err
    assert main(["export", *table[:4], "--edition", "bsd", "--games", "6", "--resume", str(folder)]) == 0
    assert "6 games" in capsys.readouterr().out
    assert main(["replay", str(folder), "--game", "7"]) == 1
    assert "there is no game 7" in capsys.readouterr().err
    assert main(["replay", str(arena / "game-000001.jsonl"), "--game", "7"]) == 2
    assert main(["export", "--player", "random", "--games", "2", "--seats", "3", str(tmp_path / "self"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["players"] == ["random", "random#2", "random#3"]
    assert main(["export", "--player", "nobody", "--games", "2", str(tmp_path / "no")]) == 2


def test_without_pyarrow_a_sentence_says_what_to_install(
    good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    for words in (["replay", str(good)], ["export", "--player", "random", "--games", "2", str(tmp_path / "set")]):
        assert main(words) == 1
        assert "pip install 'millebornes[data]'" in capsys.readouterr().err
    assert not (tmp_path / "set").exists()
