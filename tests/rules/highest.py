"""Builds hands with the highest scores that one side can make: `python -m tests.rules.highest --write`.

Seat 0 rolls, is hit four times by the seat to its left, answers each time with a coup fourré, drives on in hundreds,
and keeps the last hundred until the draw pile is empty. Everybody else only discards. So what each seat does, and when
it draws, is known before the cards are: its k-th card played or discarded may simply be the k-th card that it gets.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from millebornes.cards import Card
from millebornes.editions import Rules, make_rules
from tests.reference.game import ReferenceGame

FOLDER = Path(__file__).parent.parent / "data" / "highest"
TABLES = ((2, 2), (3, 3), (4, 2), (6, 3))
BONUSES = (300, 700)
HITS = (
    ("accident", "driving_ace"),
    ("out_of_gas", "extra_tank"),
    ("flat_tire", "puncture_proof"),
    ("stop", "right_of_way"),
)


class Plan:
    """Who gets which card of the deck, and who does what, with cards still unnamed where they do not matter."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.getters = [k % rules.seats for k in range(rules.seats * rules.hand_size)]
        self.moves: list[tuple[int, str]] = []
        self.held = [rules.hand_size] * rules.seats

    @property
    def left(self) -> int:
        return self.rules.cards - len(self.getters)

    def turn(self, seat: int) -> None:
        while self.left and self.held[seat] <= self.rules.hand_size:
            self.getters.append(seat)
            self.held[seat] += 1

    def move(self, seat: int, text: str) -> None:
        self.moves.append((seat, text))
        self.held[seat] -= text != "extend"

    def others_discard(self) -> None:
        for seat in range(1, self.rules.seats):
            self.turn(seat)
            self.move(seat, "-")
        self.turn(0)

    def make(self) -> tuple[list[str], list[str]]:
        """The deck in drawing order and the moves in full."""
        named = [_card(text) for _, text in self.moves if text not in {"-", "extend"}]
        rest = iter(sorted((Counter(_whole(self.rules)) - Counter(named)).elements()))
        cards: list[list[str]] = [[] for _ in range(self.rules.seats)]
        moves = []
        for seat, text in self.moves:
            if text == "extend":
                moves.append(text)
                continue
            cards[seat].append(next(rest) if text == "-" else _card(text))
            moves.append("-" + cards[seat][-1] if text == "-" else text)
        hands = [iter(some) for some in cards]
        deck = [next(hands[seat], None) or next(rest) for seat in self.getters]
        return [*deck, *rest], moves


def _card(text: str) -> str:
    return text.partition(">")[0].rstrip("!")


def _whole(rules: Rules) -> Iterator[str]:
    for card, count in zip(Card, rules.deck, strict=True):
        yield from [card.value] * count


def plan_for(rules: Rules) -> Plan:
    """The plan described above for a table."""
    plan = Plan(rules)
    plan.turn(0)
    plan.move(0, "roll")
    miles = 0
    for hazard, safety in HITS:
        plan.turn(1)
        plan.move(1, f"{hazard}>0")
        plan.move(0, f"{safety}!")
        plan.turn(0)
        plan.move(0, "100")
        miles += 100
    while miles < 900:
        plan.others_discard()
        plan.move(0, "100")
        miles += 100
        if miles == rules.goal:
            plan.move(0, "extend")
    plan.others_discard()
    while plan.left:
        plan.move(0, "-")
        plan.others_discard()
    plan.move(0, "100")
    return plan


def transcript(seats: int, sides: int, bonus: int) -> list[dict[str, Any]]:
    """A match of one such hand under the Wikibooks rules with some bonus for all safeties."""
    settings = {} if bonus == 300 else {"all_safeties_bonus": bonus}
    rules = make_rules("wikibooks", seats, sides, settings)
    deck, moves = plan_for(rules).make()
    game = ReferenceGame(rules, deck)
    for move in moves:
        game.play(move)
    head = {"format": "millebornes/1", "edition": "wikibooks", "seats": seats, "sides": sides, "set": settings}
    hand = {"hand": 1, "first": 0, "deck": deck, "moves": moves, "scores": game.scores()}
    return [{**head, "match_target": None}, hand]


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the hands with the highest scores.")
    parser.add_argument("--write", action="store_true", required=True)
    parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for seats, sides in TABLES:
        for bonus in BONUSES:
            lines = transcript(seats, sides, bonus)
            text = "".join(json.dumps(line) + "\n" for line in lines)
            (FOLDER / f"{seats}x{sides}-bonus-{bonus}.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
