"""The fair shuffle against what docs/fair-shuffle.md says of it, and against a checker in another language."""

import dataclasses
import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.cards import Card
from millebornes.editions import EDITIONS, make_rules
from millebornes.errors import NotationError
from millebornes.game import FairShuffle, Hand
from millebornes.game.fair_shuffle import NO_SEAT_SEED, commitment_of, read_hex
from millebornes.notation import hand_line, header_line
from tests.session.driving import session

ROOT = Path(__file__).parents[2]
SEED = bytes(range(32))
EXAMPLE = FairShuffle(
    table="k7Rw2mQx",
    hand=3,
    commitment="630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
    server_seed=SEED,
    seat_seeds=(bytes(range(16)), NO_SEAT_SEED),
)
VECTORS = {
    "classic": "25 25 50 100 FLT ROW REP 50 LIM 100 25 SPR 100 ROL 75 100 75 LIM SPR 75 25 75 ROL ROL EOL 25 ROL SPR "
    "FLT 25 100 75 STP 100 REP SPR 50 200 REP 200 PPF 50 50 ROL 100 STP ACC 50 25 EOL 200 50 GAS EOL STP OUT LIM OUT "
    "50 TNK 100 100 GAS REP GAS ACC 50 75 REP ROL ACC 100 FLT GAS 75 EOL 25 ROL 50 ROL 75 75 ROL ROL SPR REP EOL 25 "
    "75 SPR GAS EOL ROL GAS STP 100 ROL ROL 25 STP LIM 200 100 ACE ROL OUT",
    "mille2": "ROL FLT TNK GAS OUT 100 GAS 25 25 REP GAS 50 REP ROL EOL SPR EOL 25 REP ACC ACC 75 25 100 SPR FLT 50 "
    "STP PPF ROL 25 ROL 50 25 25 100 50 EOL SPR 100 ROL 200 50 75 100 STP GAS 100 25 50 ROW STP 75 100 SPR 50 ROL ROL "
    "LIM ROL 50 100 ROL ROL STP 25 25 SPR ROL ROL ROL REP REP REP 100 LIM 75 50 100 GAS 50 100 200 75 ROL EOL GAS EOL "
    "200 75 EOL OUT SPR 200 75 75 100 75 75 LIM ACE",
}


@pytest.mark.parametrize("edition", VECTORS)
def test_vectors(edition: str) -> None:
    assert " ".join(card.code for card in EXAMPLE.deck(make_rules(edition))) == VECTORS[edition]


def test_every_byte_counts() -> None:
    rules = make_rules("classic")
    others = [
        dataclasses.replace(EXAMPLE, table="k7Rw2mQy"),
        dataclasses.replace(EXAMPLE, hand=4),
        dataclasses.replace(EXAMPLE, server_seed=bytes(31) + b"\1"),
        dataclasses.replace(EXAMPLE, seat_seeds=(NO_SEAT_SEED, bytes(range(16)))),
    ]
    decks = {EXAMPLE.deck(rules), *(other.deck(rules) for other in others)}
    assert len(decks) == 5


@given(st.binary(min_size=32, max_size=32), st.lists(st.binary(min_size=16, max_size=16), min_size=2, max_size=2))
@settings(max_examples=25, deadline=None)
def test_it_is_a_deck_that_can_be_dealt_and_written(seed: bytes, seats: list[bytes]) -> None:
    for edition in EDITIONS:
        rules = make_rules(edition)
        fair = FairShuffle(table="é", hand=1, commitment=commitment_of(seed), server_seed=seed, seat_seeds=tuple(seats))
        assert fair.keeps_commitment
        deck = fair.deck(rules)
        assert Counter(deck) == Counter(dict(zip(Card, rules.deck, strict=True)))
        assert Hand.from_deck(rules, deck).deck == deck
        assert FairShuffle.from_dict(json.loads(json.dumps(fair.to_dict())), 2) == fair


def test_places_are_equally_likely() -> None:
    """Where the first card of the sorted deck comes to lie, over many decks: no place stands out."""
    rules = make_rules("classic", settings={"deck": {"25": 20, "roll": 4, "right_of_way": 1}})
    places: Counter[int] = Counter()
    for n in range(2500):
        fair = dataclasses.replace(EXAMPLE, hand=n + 1)
        places[fair.deck(rules).index(Card.RIGHT_OF_WAY)] += 1
    chi_squared = sum((places[place] - 100) ** 2 / 100 for place in range(25))
    assert chi_squared < 60  # 24 degrees of freedom: once in 16,000 runs, and the seeds are fixed


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"scheme": "x"}, "shuffle, scheme: 'x' is not known; it must be 'hmac-sha256-fisher-yates/1'"),
        ({"table": 7}, "shuffle, table: 7 is not allowed; it must be a string"),
        ({"hand": 0}, "shuffle, hand: 0 is not allowed; it must be a whole number from 1"),
        ({"commitment": "00"}, 'shuffle, commitment: "00" is not allowed; it must be 64 hex digits'),
        ({"server_seed": None}, "shuffle, server_seed: null is not allowed; it must be 64 hex digits"),
        ({"seat_seeds": ["0" * 32] * 3}, "shuffle, seat_seeds: it must be a list of 2 strings, one for each seat"),
        ({"seat_seeds": ["0" * 32, "g" * 32]}, 'shuffle, seat_seeds[1]: "gggggg'),
    ],
)
def test_malformed(change: dict[str, object], text: str) -> None:
    with pytest.raises(NotationError) as caught:
        FairShuffle.from_dict({**EXAMPLE.to_dict(), **change}, 2)
    assert str(caught.value).startswith(text)


def test_missing_keys_are_named() -> None:
    for key in EXAMPLE.to_dict():
        data = EXAMPLE.to_dict()
        del data[key]
        with pytest.raises(NotationError, match=f"shuffle, {key} is missing"):
            FairShuffle.from_dict(data, 2)
    with pytest.raises(NotationError, match="must be an object"):
        FairShuffle.from_dict([], 2)
    with pytest.raises(NotationError, match="bytes: '0_' is not allowed; it must be 2 hex digits"):
        read_hex("0_", 1, "bytes")


@pytest.mark.skipif(shutil.which("perl") is None, reason="needs Perl")
def test_another_language_agrees(tmp_path: Path) -> None:
    lines = []
    for edition in ("classic", "mille2"):
        rules = session("human", "human", name=edition).rules
        fair = dataclasses.replace(EXAMPLE, table="Café")
        hand = Hand.from_deck(rules, fair.deck(rules))
        lines += [header_line(rules), hand_line(hand, 3, extra={"shuffle": fair.to_dict()})]
    file = tmp_path / "hands.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    command: list[str | Path] = ["perl", ROOT / "examples" / "shuffle" / "check.pl", file]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "hand 3: fair\n" * 2
    data = json.loads(lines[1])
    data["deck"].reverse()
    file.write_text(json.dumps(data), encoding="utf-8")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "hand 3: NOT FAIR\n")
