"""Saves: what is written is read again; what is damaged, foreign or newer is refused and left alone."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from millebornes.editions import EDITIONS, edition
from millebornes.errors import SaveError
from millebornes.game import Match
from millebornes.notation import read_match
from millebornes.storage import Preferences, SavedGame, SaveWriter, open_slot, read_save, unfinished
from millebornes.storage.checksum import VerifiedSave, add_checksum
from millebornes.storage.saves import is_begun, match_seed


def _game(name: str = "classic", seats: int = 2, plies: int = 90) -> SavedGame:
    rules = edition(name).rules(seats)
    match = Match.start(rules, "s", players=tuple(f"é{seat}" for seat in range(seats)), match_target=1000)
    for _ in range(plies):
        if match.hand.is_over:
            if match.is_over:
                break
            match = match.next_hand()
        match = match.play(match.hand.legal_moves[match.hand.ply % len(match.hand.legal_moves)])
    return SavedGame(
        match=match,
        seats=("human",) * seats,
        seed="s",
        games=tuple(range(rules.sides)),
        slots=tuple(tuple(card.value for card in hand) for hand in match.hand.hands),
        preferences=Preferences(sort=True, window="scores"),
        file="/somewhere/ü",
    )


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("plies", [0, 7, 150])
def test_what_is_written_is_read_again(tmp_path: Path, name: str, plies: int) -> None:
    game = _game(name, edition(name).tables[-1][0], plies)
    path = tmp_path / "game"
    SaveWriter().write(game, path)
    again = read_save(path)
    assert again == dataclasses.replace(game, match=again.match)
    assert again.match == game.match
    assert again.match.seed == match_seed("s", 1) == game.match.seed
    with path.open("rb") as stream:
        assert read_match(stream).hands == game.match.hands  # it is a transcript as well


def test_every_changed_byte_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "game"
    SaveWriter().write(_game(plies=5), path)
    data = path.read_bytes()
    for i in range(0, len(data), 7):
        path.write_bytes(data[:i] + bytes([data[i] ^ 1]) + data[i + 1 :])
        with pytest.raises(SaveError):
            read_save(path)


def test_every_cut_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "game"
    SaveWriter().write(_game(plies=5), path)
    data = path.read_bytes()
    for i in range(0, len(data), 11):
        path.write_bytes(data[:i])
        with pytest.raises(SaveError, match=r"damaged|empty|a saved game"):
            read_save(path)
    path.write_bytes(data + b"\n")
    with pytest.raises(SaveError, match="damaged"):
        read_save(path)


def _resealed(path: Path, **changes: object) -> None:
    """Change what a save says of itself, and seal it anew."""
    first, *rest = path.read_text().splitlines()
    header = json.loads(first)
    header["save"].update(changes)
    header["save"]["checksum"] = "0" * 64
    path.write_bytes(add_checksum([json.dumps(header, separators=(",", ":")), *rest]))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("seats", ["human"]),
        ("seats", None),
        ("seed", 5),
        ("number", 0),
        ("number", True),
        ("games", [0]),
        ("games", [0, -1]),
        ("slots", [["25"], ["nothing"]]),
        ("slots", [["25"] * 9, []]),
        ("slots", [[[]], []]),
        ("preferences", {"sort": 1}),
        ("preferences", {"window": "door"}),
        ("preferences", []),
        ("file", 7),
    ],
)
def test_nonsense_under_a_good_checksum_is_refused(tmp_path: Path, key: str, value: object) -> None:
    path = tmp_path / "game"
    SaveWriter().write(_game(plies=5), path)
    _resealed(path)
    read_save(path)  # sealing anew alone does no harm
    _resealed(path, **{key: value})
    with pytest.raises(SaveError, match=str(path)):
        read_save(path)


def test_newer_saves_are_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "game"
    SaveWriter().write(_game(plies=5), path)
    _resealed(path, version=2)
    newer = path.read_bytes()
    for attempt in (lambda: read_save(path), lambda: SaveWriter().write(_game(), path)):
        with pytest.raises(SaveError, match="newer version of the program"):
            attempt()
    assert path.read_bytes() == newer


@pytest.mark.parametrize(
    "content",
    [b"a letter", b"\x89PNG\r\n\x1a\n", b'{"format":"other"}\n', b"[]", b"\xff\xfe", b'{"a":' * 5000, b"{}", b"\n"],
)
def test_foreign_files_are_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    for attempt in (lambda: read_save(path), lambda: SaveWriter().write(_game(), path)):
        with pytest.raises(SaveError, match="a saved game of Mille Bornes"):
            attempt()
    assert path.read_bytes() == content


def test_a_transcript_is_no_save(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text('{"format":"millebornes/1","edition":"classic","seats":2,"sides":2}\n')
    with pytest.raises(SaveError, match="does not say who plays"):
        read_save(path)


@pytest.mark.parametrize("name", ["missing", "."])
def test_what_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(SaveError, match=r"no such file|a folder"):
        read_save(tmp_path / name)


def test_a_save_of_a_long_match_costs_one_hand(tmp_path: Path) -> None:
    game = _game(plies=150)
    assert game.match.finished
    writer = SaveWriter()
    assert writer.data(game) == writer.data(game) == SaveWriter().data(game)


def test_slots_are_locked_and_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path))
    assert unfinished() is None
    one = open_slot()
    one.write(_game(plies=5))
    assert unfinished() is None  # it is being played
    two = open_slot()
    assert two.path != one.path
    one.release()
    found = unfinished()
    assert found is not None
    assert found.path == one.path
    assert unfinished(Path("/somewhere/else")) is None
    found.clear()
    found.release()
    two.release()
    assert unfinished() is None


def test_unfinished_games_never_fill_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path))
    for number in range(40):
        slot = open_slot()
        slot.write(dataclasses.replace(_game(plies=5), number=number + 1))
        slot.release()
    found = [read_save(path).number for path in (tmp_path / "data" / "saves").glob("*.jsonl")]
    assert sorted(found) == list(range(1, 41))  # none is lost
    latest = unfinished()
    assert latest is not None
    assert read_save(latest.path).number == 40
    latest.release()


def test_a_damaged_autosave_is_passed_over_and_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path))
    slot = open_slot()
    slot.release()
    slot.path.write_bytes(b"{")
    assert unfinished() is None
    other = open_slot()
    assert other.path != slot.path
    other.release()
    assert slot.path.read_bytes() == b"{"


@pytest.mark.parametrize(
    ("save", "moves", "kept"),
    [
        ({"number": 1, "begun": True}, [], True),
        ({"number": 1, "begun": False}, ["roll"], False),
        ({"number": 1}, [], True),  # those of older versions do not say
    ],
)
def test_whether_there_is_anything_to_go_on_with(save: dict[str, Any], moves: list[str] | None, kept: bool) -> None:
    data = b"{}\n" + json.dumps({"hand": 1, "moves": moves}).encode() + b"\n"
    assert is_begun(VerifiedSave(data, {}, save)) is kept
