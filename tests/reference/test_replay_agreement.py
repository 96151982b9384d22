"""Transcripts that the reference game records, in random settings, as ``replay --json`` tells them."""

import io
import json
import os
import random

import pytest

from millebornes.cards import Card
from millebornes.editions import EDITIONS, Rules, edition
from millebornes.notation import header_line, replay_lines
from tests.reference.game import ReferenceGame
from tests.reference.randoms import random_rules, shuffled_deck
from tests.reference.replay import ordered


def compare(rules: Rules, rng: random.Random, hands: int) -> None:
    """Record a match of single hands with the reference game; its own replay must be that of the package."""
    transcript = [header_line(rules, (), None)]
    wanted = []
    totals = [0] * rules.sides
    first = rng.randrange(rules.seats)
    for number in range(1, hands + 1):
        deck = shuffled_deck(rng, rules)
        game = ReferenceGame(rules, deck, first)
        while game.phase != "over":
            move = rng.choice(game.legal())
            wanted.append(game.replay_line(number, move))
            game.play(move)
        wanted.append(game.end_line(number))
        scores = game.scores()
        totals = [total + sheet["total"] for total, sheet in zip(totals, scores, strict=True)]
        cards = [Card(card).value for card in deck]
        hand = {"hand": number, "first": first, "deck": cards, "moves": game.moves, "scores": scores}
        transcript.append(json.dumps(hand))
        first = (first + 1) % rules.seats
    wanted.append({"totals": totals, "winner": "unfinished"})
    stream = io.BytesIO("\n".join(transcript).encode())
    found = [json.loads(line) for line in replay_lines(stream)]
    assert len(found) == len(wanted)
    for line, right in zip(found, wanted, strict=True):
        assert ordered(line) == ordered(right), rules


@pytest.mark.parametrize("name", EDITIONS)
def test_replays_agree_in_every_edition(name: str) -> None:
    rng = random.Random(name)
    for seats, sides in edition(name).tables:
        compare(edition(name).rules(seats, sides), rng, 2)


def test_replays_agree_in_random_settings() -> None:
    rng = random.Random(1)
    for _ in range(12):
        compare(random_rules(rng), rng, 2)


@pytest.mark.campaign
@pytest.mark.parametrize("chunk", range(int(os.environ.get("MILLEBORNES_CAMPAIGN_CHUNKS", "4"))))
def test_replays_agree_at_length(chunk: int) -> None:
    rng = random.Random(f"replay {chunk}")
    for _ in range(100):
        compare(random_rules(rng), rng, 5)
