"""Replaying transcripts: the recorded examples, the command, streaming, and writing what was read."""

import io
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from millebornes.cli import cli
from millebornes.cli.data.replay import replay
from millebornes.editions import EDITIONS, edition, make_rules
from millebornes.errors import NotationError, TranscriptError
from millebornes.game import Hand, Match
from millebornes.notation import hand_line, header_line, read_match, read_transcript, replay_lines, transcript_lines
from tests.notation.base import EXAMPLES, finished, joined

TRANSCRIPTS = sorted(path for path in EXAMPLES.glob("*.jsonl") if not path.name.endswith(".replay.jsonl"))


def random_match(rules: Any, seed: int, hands: int = 2, target: int | None = None) -> Match:
    rng = random.Random(seed)
    match = Match.start(rules, seed, first=seed % rules.seats, match_target=target)
    while True:
        while not match.hand.is_over:
            match = match.play(rng.choice(match.hand.legal_moves))
        if match.is_over or match.hand_number == hands:
            return match
        match = match.next_hand()


def ordered(text: bytes | str) -> dict[str, Any]:
    """A replay line whose safeties are in a fixed order, for comparison."""
    line: dict[str, Any] = json.loads(text)
    for side in line.get("sides", ()):
        side["safeties"].sort()
        side["coups_fourres"].sort()
    return line


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_agrees_with_the_recorded_replay(path: Path) -> None:
    recorded = path.with_suffix(".replay.jsonl").read_text(encoding="utf-8").splitlines()
    with path.open("rb") as stream:
        computed = list(replay_lines(stream, str(path)))
    assert len(computed) == len(recorded)
    for ours, theirs in zip(computed, recorded, strict=True):
        assert ordered(ours) == ordered(theirs)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_transcript_can_be_written_again(path: Path) -> None:
    with path.open("rb") as stream:
        read = read_transcript(stream)
    lines = list(transcript_lines(read.match, read.extra, read.info, read.hand_extra))
    again = read_transcript(lines)
    assert again == read
    for ours, theirs in zip(lines, path.read_text(encoding="utf-8").splitlines(), strict=True):
        recorded = json.loads(theirs)
        if recorded.get("set") == {}:
            del recorded["set"]
        assert json.loads(ours) == recorded


@pytest.mark.parametrize("name", EDITIONS)
def test_every_table_can_be_written_and_read(name: str) -> None:
    for seats, sides in edition(name).tables:
        match = random_match(make_rules(name, seats, sides), seats, target=600)
        lines = list(transcript_lines(match))
        head = json.loads(lines[0])
        assert head == {
            "format": "millebornes/1", "edition": name, "seats": seats, "sides": sides, "match_target": 600,
        }  # fmt: skip
        again = read_transcript(lines)
        assert [hand.state for hand in again.match.hands] == [hand.state for hand in match.hands]
        assert again.match.totals == match.totals
        last = json.loads(list(replay_lines(lines))[-1])
        assert last == {"totals": list(match.totals), "winner": match.winner if match.is_over else "unfinished"}


def test_only_what_differs_is_set() -> None:
    rules = make_rules("classic", 2, settings={"targets": "left", "deck": "reduced", "goal": 700})
    assert json.loads(header_line(rules))["set"] == {"targets": "left", "deck": "reduced"}
    own = make_rules(None, 2, settings={**rules.settings(), "deck": {"25": 30, "roll": 20, "stop": 1}})
    head = json.loads(header_line(own))
    assert head["edition"] is None
    assert head["set"] == {**rules.settings(), "deck": own.settings()["deck"]}
    assert read_match(transcript_lines(random_match(own, 3))).rules == own


def test_further_keys_are_kept() -> None:
    match = random_match(make_rules(), 5)
    extra = {"save": {"checksum": "…", "é": [1, 2.5, None]}, "app": "x"}
    info = ({0: {"value": 1.5}, 3: {}}, {1: {"note": "ü"}})
    lines = list(transcript_lines(match, extra, info, ({"dealt": "secret"}, {})))
    read = read_transcript(lines)
    assert read.extra == extra
    assert read.info == info
    assert read.hand_extra == ({"dealt": "secret"}, {})
    assert list(transcript_lines(read.match, read.extra, read.info, read.hand_extra)) == lines


def test_keys_of_the_format_cannot_be_added() -> None:
    match = random_match(make_rules(), 5)
    with pytest.raises(NotationError, match="'seats'"):
        list(transcript_lines(match, {"seats": 3}))
    with pytest.raises(NotationError, match="JSON"):
        list(transcript_lines(match, {"x": object()}))


def test_unfinished_matches() -> None:
    match = Match.start(make_rules(), 4, players=("Ann", "Bo"))
    read = read_transcript(transcript_lines(match))
    assert read.match.hand == match.hand
    assert read.match.hand.deck == match.hand.deck
    assert read.match.players == ("Ann", "Bo")
    with pytest.raises(TranscriptError, match="line 1: the transcript contains no hands"):
        read_match([header_line(make_rules())])
    assert list(replay_lines([header_line(make_rules())])) == [b'{"totals":[0,0],"winner":"unfinished"}\n']


def test_line_ends() -> None:
    lines = list(finished())
    plain = list(replay_lines(io.BytesIO(joined(lines))))
    assert list(replay_lines(io.BytesIO(joined(lines).replace(b"\n", b"\r\n")))) == plain
    assert list(replay_lines(io.BytesIO(joined(lines)[:-1]))) == plain
    assert list(replay_lines(lines)) == plain
    assert list(replay_lines(line + "\n" for line in lines)) == plain
    assert list(replay_lines(io.StringIO(joined(lines).decode()))) == plain
    assert plain[-1] == b'{"totals":[2175,2300],"winner":1}\n'


@pytest.mark.parametrize(("tie", "winner"), [("draw", None), ("play_on", "unfinished")])
def test_a_draw_and_a_tie_that_is_played_on(tie: str, winner: str | None) -> None:
    """R8.2, with a deck that gives both sides two cards of 25."""
    rules = make_rules("classic", 2, settings={"deck": {"25": 4, "roll": 4}, "hand_size": 3, "tie": tie})
    deck = ["roll", "roll", "25", "25", "25", "25", "roll", "roll"]
    moves = ["roll", "roll", "25", "25", "25", "25", "-roll", "-roll"]
    hand = Hand.from_deck(rules, deck).play_all(moves)
    lines = [header_line(rules, (), 50), hand_line(hand, 1)]
    assert json.loads(list(replay_lines(lines))[-1]) == {"totals": [50, 50], "winner": winner}
    another = [*lines, hand_line(Hand.from_deck(rules, deck, 1), 2)]
    if tie == "draw":
        with pytest.raises(TranscriptError, match="line 3: hand 2: this hand comes after the end of the match"):
            list(replay_lines(another))
        result = '{"result":{"totals":[50,50],"winner":null}}'
        assert json.loads(list(replay_lines([*lines, result]))[-1])["winner"] is None
    else:
        assert json.loads(list(replay_lines(another))[-1])["winner"] == "unfinished"


class Line(str):
    """A line that counts how many of its kind are alive."""

    __slots__ = ()
    alive = 0

    def __new__(cls, text: str) -> "Line":
        Line.alive += 1
        return super().__new__(cls, text)

    def __del__(self) -> None:
        Line.alive -= 1


def test_lines_are_let_go_again() -> None:
    """A transcript of any length is read in bounded memory."""
    rules = make_rules()
    endings = []
    for first in (0, 1):
        hand = Hand.deal(rules, 7, first)
        while not hand.is_over:
            hand = hand.play(hand.legal_moves[0])
        endings.append(hand_line(hand, 1).removeprefix('{"hand":1,'))

    def lines() -> Iterator[str]:
        yield header_line(rules)
        for number in range(1, 101):
            yield Line(f'{{"hand":{number},{endings[(number - 1) % 2]}')
            assert Line.alive <= 2

    assert sum(b'"completed_by"' in text for text in replay_lines(lines())) == 100


def run(*arguments: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "millebornes", "replay", *arguments]
    return subprocess.run(command, input=data, capture_output=True, check=False)


def test_the_command_prints_what_is_good_and_one_line(tmp_path: Path) -> None:
    lines = list(finished())
    hand = json.loads(lines[2])
    hand["moves"][3] = "extend"
    lines[2] = json.dumps(hand)
    file = tmp_path / "spoilt é.jsonl"
    file.write_bytes(joined(lines))
    done = run(str(file), "--json")
    assert done.returncode == 1
    error = done.stderr.decode().splitlines()
    assert len(error) == 1
    for part in (str(file), "line 3", "hand 2", "ply 3", "extend", "legal: ", "R6.2"):
        assert part in error[0]
    printed = done.stdout.splitlines()
    assert json.loads(printed[-1])["ply"] == 2
    assert run("-", "--json", data=joined(lines)).stdout == done.stdout


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for file, arguments in ((tmp_path / "none.jsonl", ()), (tmp_path, ("--json",))):
        done = run(str(file), *arguments)
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, b"", 1)
        assert str(file) in done.stderr.decode()


def test_a_reader_that_leaves_early_is_no_error() -> None:
    lines = list(finished())
    command = f"{sys.executable} -m millebornes replay - --json | head -n 1"
    done = subprocess.run(["bash", "-c", command], input=joined(lines), capture_output=True, check=False)
    assert done.stderr == b""
    assert json.loads(done.stdout)["ply"] == 0


def test_account() -> None:
    result = CliRunner().invoke(replay, [str(EXAMPLES / "classic-4x2.jsonl")])
    assert result.exit_code == 0, result.output
    out = result.output
    assert out.startswith("Classic, 4 seats in 2 sides\n")
    assert "Side 2: Bo, d'Artagnan" in out
    assert "Distance Driven                700              100\n" in out
    assert "Overall Total                 2175             2300\n" in out
    assert "The match is unfinished, 2175 : 2300.\n" in out
    assert "discards" in out
    brief = CliRunner().invoke(replay, ["--brief", str(EXAMPLES / "classic-4x2.jsonl")]).output
    assert "discards" not in brief
    assert brief.splitlines()[-1] == out.splitlines()[-1]
    result = CliRunner().invoke(cli, ["replay", "-"], input=joined(list(finished())))
    assert "Bo + d'Artagnan win the match, 2175 : 2300.\n" in result.output


def test_names_cannot_disturb_the_screen() -> None:
    lines = list(finished())
    head = json.loads(lines[0])
    head["players"] = ["\x1b[31mred", "a\nb", "x" * 100, ""]
    result = CliRunner().invoke(replay, ["-"], input=joined([json.dumps(head), *lines[1:]]))
    assert result.exit_code == 0
    assert "\x1b" not in result.output
    assert "Side 2: a b" in result.output
    assert "x" * 30 not in result.output
