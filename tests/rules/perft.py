"""Counts of move sequences by depth from fixed positions: `python -m tests.rules.perft --write` counts them anew.

Each edition is counted at each of its tables from three positions of a hand: its start, its middle, and nine moves
before its end. ``counts[d]`` is the number of sequences of d + 1 legal moves. The file changes only when the rules do.
"""

# mypy: disallow-untyped-calls=False

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from millebornes.cards import Card
from millebornes.editions import EDITIONS, Rules, edition
from millebornes.rules.masks import legal_word
from millebornes.rules.turns import apply_move
from tests.reference.game import ReferenceGame
from tests.reference.packed import PackedGame
from tests.reference.randoms import Style, shuffled_deck

FILE = Path(__file__).parent.parent / "data" / "perft.json"
MOVES_OF_DEEPEST = 20_000
"""Positions are counted as deep as needs at most so many moves to be made on the level above."""


def count_by_kernels(game: PackedGame, depth: int) -> int:
    """Sequences of ``depth`` legal moves from here."""
    tables = game.tables
    targets = [np.uint64(n) for n in range(int(tables["targets"]))]
    states = np.zeros(depth, game.state.dtype)
    states[0] = game.state

    def count(level: int) -> int:
        state = states[level]
        words = [int(legal_word(state, tables, n)) for n in targets]
        if level == depth - 1:
            return sum(word.bit_count() for word in words)
        total = 0
        for n, word in enumerate(words):
            for bit in range(64):
                if word >> bit & 1:
                    states[level + 1] = states[level]
                    apply_move(states[level + 1], tables, np.uint64(64 * n + bit))
                    total += count(level + 1)
        return total

    return count(0)


def count_by_lists(rules: Rules, deck: list[str], first: int, moves: list[str], depth: int) -> int:
    """The same by the reference game, which plays each sequence from the deal on."""
    game = ReferenceGame(rules, deck, first)
    for move in moves:
        game.play(move)
    legal = game.legal()
    if depth == 1:
        return len(legal)
    return sum(count_by_lists(rules, deck, first, [*moves, move], depth - 1) for move in legal)


def positions() -> Iterator[dict[str, Any]]:
    """The positions, played at random by a sensible style."""
    for name in EDITIONS:
        for seats, sides in edition(name).tables:
            rng = random.Random(f"{name} {seats}x{sides}")
            rules = edition(name).rules(seats, sides)
            deck = [card.value for card in shuffled_deck(rng, rules)]
            first = rng.randrange(seats)
            played = _whole_hand(rules, deck, first, rng)
            for at, moves in (("start", 0), ("middle", len(played) // 2), ("end", max(0, len(played) - 9))):
                yield {
                    "edition": name,
                    "table": f"{seats}x{sides}",
                    "at": at,
                    "first": first,
                    "deck": deck,
                    "moves": played[:moves],
                }


def _whole_hand(rules: Rules, deck: list[str], first: int, rng: random.Random) -> list[str]:
    game = ReferenceGame(rules, deck, first)
    style = Style(rng)
    style.eager, style.keeps_safeties = 0.6, True
    while not game.over:
        game.play(style.pick(game.legal()))
    return game.moves


def laid(position: dict[str, Any]) -> PackedGame:
    """A position of the file on the kernels."""
    seats, _, sides = position["table"].partition("x")
    rules = edition(position["edition"]).rules(int(seats), int(sides))
    game = PackedGame(rules, [Card(card) for card in position["deck"]], position["first"])
    for move in position["moves"]:
        game.play(move)
    return game


def main() -> None:
    parser = argparse.ArgumentParser(description="Count move sequences by depth.")
    parser.add_argument("--write", action="store_true", required=True)
    parser.parse_args()
    lines = []
    for position in positions():
        game = laid(position)
        counts = [count_by_kernels(game, 1)]
        while 0 < counts[-1] <= MOVES_OF_DEEPEST and len(counts) < 9:
            counts.append(count_by_kernels(game, len(counts) + 1))
        lines.append(json.dumps({**position, "counts": counts}))
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
