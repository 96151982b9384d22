"""``millebornes verify``: what it confirms, what it refuses, and in which words."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from millebornes.cli.data.verify import verify
from millebornes.editions import make_rules
from millebornes.errors import TranscriptError
from millebornes.game import FairShuffle, Match
from millebornes.game.fair_shuffle import commitment_of
from millebornes.notation import transcript_lines


def shuffle(hand: int, table: str = "T") -> FairShuffle:
    seed = bytes([hand]) * 32
    return FairShuffle(
        table=table, hand=hand, commitment=commitment_of(seed), server_seed=seed, seat_seeds=(bytes(16), b"\1" * 16)
    )


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """A transcript of two hands, each shuffled fairly."""
    rules, shuffles = make_rules("classic"), [shuffle(1), shuffle(2)]
    match = Match.start(rules, deck=shuffles[0].deck(rules), match_target=None)
    while not match.hand.is_over:
        match = match.play(match.hand.legal_moves[0])
    match = match.next_hand(deck=shuffles[1].deck(rules))
    while not match.hand.is_over:
        match = match.play(match.hand.legal_moves[0])
    return list(transcript_lines(match, hand_extra=[{"shuffle": fair.to_dict()} for fair in shuffles]))


def run(tmp_path: Path, lines: list[str], *options: str) -> tuple[int, str]:
    file = tmp_path / "match.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    done = CliRunner().invoke(verify, [str(file), *options], standalone_mode=False, catch_exceptions=False)
    return done.return_value, done.stdout


def test_a_fair_match(tmp_path: Path, lines: list[str]) -> None:
    status, out = run(tmp_path, lines)
    assert status == 0
    assert out.splitlines() == [
        f"Hand 1: the deck follows from the seeds. Published before the hand: {shuffle(1).commitment}",
        f"Hand 2: the deck follows from the seeds. Published before the hand: {shuffle(2).commitment}",
        "The shuffles of all 2 hands were confirmed.",
    ]
    status, out = run(tmp_path, lines, "--json")
    data = json.loads(out)
    assert (status, data["ok"], [hand["ok"] for hand in data["hands"]]) == (0, True, [True, True])
    assert data["hands"][0]["seat_seeds"] == ["00" * 16, "01" * 16]


def changed(lines: list[str], line: int, **changes: object) -> list[str]:
    data = json.loads(lines[line])
    data["shuffle"] |= changes
    return [*lines[:line], json.dumps(data), *lines[line + 1 :]]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"server_seed": "00" * 32}, "the server seed does not match its commitment"),
        ({"seat_seeds": ["00" * 16] * 2}, "the deck does not follow from the seeds"),
        ({"hand": 1}, "the shuffle belongs to another hand, or to a different table from the earlier hands"),
        ({"table": "U"}, "the shuffle belongs to another hand, or to a different table from the earlier hands"),
        ({"scheme": 1}, "shuffle, scheme: 1 is not known; it must be 'hmac-sha256-fisher-yates/1'"),
    ],
)
def test_what_is_not_confirmed(tmp_path: Path, lines: list[str], changes: dict[str, object], problem: str) -> None:
    status, out = run(tmp_path, changed(lines, 2, **changes))
    assert status == 1
    assert out.splitlines()[1:] == [f"Hand 2: {problem}.", "1 hand could not be confirmed."]
    status, out = run(tmp_path, changed(lines, 2, **changes), "--json")
    assert (status, json.loads(out)["hands"][1]["problem"]) == (1, problem)


def test_another_deck(tmp_path: Path, lines: list[str]) -> None:
    """The deck of a finished hand was changed in its part that nobody drew: moves and scores still fit."""
    data = json.loads(lines[1])
    data["deck"] = [*data["deck"][1:], data["deck"][0]]
    status, out = run(tmp_path, [lines[0], json.dumps(data)])
    assert (status, out.splitlines()[0]) == (1, "Hand 1: the deck does not follow from the seeds.")


def test_nothing_recorded(tmp_path: Path, lines: list[str]) -> None:
    data = json.loads(lines[1])
    del data["shuffle"]
    status, out = run(tmp_path, [lines[0], json.dumps(data)])
    assert (status, out.splitlines()[0]) == (1, "Hand 1: the shuffle is not recorded.")
    status, out = run(tmp_path, lines[:1])
    assert (status, out) == (1, "There are no hands to check.\n")


def test_no_transcript(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match=r"match\.jsonl: line 1: the file is empty"):
        run(tmp_path, [])
