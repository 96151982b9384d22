"""Random rules, decks and moves for comparisons. All of it depends on the generator alone."""

import random
from collections.abc import Sequence
from typing import Literal

from millebornes.cards import FULL_DECK, REDUCED_DECK, SAFETIES, Card
from millebornes.editions import EDITIONS, Rules, edition
from millebornes.errors import EditionError

KNOWN_TABLES = tuple((name, seats, sides) for name in EDITIONS for seats, sides in edition(name).tables)


def random_deck_counts(rng: random.Random, needed: int) -> tuple[int, ...]:
    """Counts of a deck: a usual one, a small one that runs out soon, a lopsided one, or a large one."""
    kind = rng.choice(["full", "reduced", "small", "lopsided", "large"])
    if kind in {"full", "reduced"}:
        return tuple((FULL_DECK if kind == "full" else REDUCED_DECK).values())
    size = {"small": needed + rng.randint(0, 15), "lopsided": rng.randint(needed, 150), "large": rng.randint(112, 192)}
    weights = list(FULL_DECK.values())
    if kind == "lopsided":
        weights = [weight * rng.choice([0, 1, 1, 5]) + rng.randint(0, 2) for weight in weights]
    counts = [0] * len(Card)
    for safety in SAFETIES:
        counts[safety.index] = int(rng.random() < 0.7)
    wanted = min(192, size[kind])
    others = [card.index for card in Card if card not in SAFETIES]
    while sum(counts) < wanted:
        counts[rng.choices(others, [weights[i] + 0.01 for i in others])[0]] += 1
    return tuple(counts)


def random_rules(rng: random.Random, table: tuple[int, int] | None = None) -> Rules:
    """Rules with every setting of R9 chosen at random, at a table of 2 to 8 seats, or at this one (seats, sides)."""
    while True:
        seats = rng.randint(2, 8) if table is None else table[0]
        sides = rng.choice([k for k in range(2, seats + 1) if seats % k == 0]) if table is None else table[1]
        hand_size = rng.randint(3, 6)
        goal = 25 * rng.choice([rng.randint(4, 80), rng.randint(4, 20), 28, 40])
        extension_goal = rng.choice([None, min(2000, goal + 25 * rng.randint(1, 20)), 1000])
        hazard_on: Literal["rolling", "stack", "stack_different"]
        hazard_on = rng.choice(["rolling", "rolling", "stack", "stack_different"])
        try:
            return Rules(
                seats=seats,
                sides=sides,
                deck=random_deck_counts(rng, seats * hand_size),
                hand_size=hand_size,
                goal=goal,
                extension_goal=extension_goal,
                hazard_on=hazard_on,
                targets=rng.choice(["all", "left"]),
                coup_by=rng.choice(["victim", "anyone"]),
                roll_200=rng.random() < 0.5,
                opening_right_of_way=rng.random() < 0.5,
                right_of_way_clears=hazard_on == "rolling" and rng.random() < 0.7,
                safety_gives_roll=rng.random() < 0.5,
                discard_safeties=rng.random() < 0.5,
                all_safeties_bonus=rng.choice([0, 300, 700, 10_000]),
                hand_end=rng.choice(["cards", "plays", "points"]),
                tie=rng.choice(["draw", "play_on"]),
            )
        except EditionError:
            continue  # the goal is not below the extension goal, or the deck cannot score


def shuffled_deck(rng: random.Random, rules: Rules) -> list[Card]:
    """The deck of these rules in random order."""
    deck = [card for card, count in zip(Card, rules.deck, strict=True) for _ in range(count)]
    rng.shuffle(deck)
    return deck


class Style:
    """How moves are picked: eager styles seldom discard, so that hands get far; others play anything."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.eager = rng.choice([0.0, 0.6, 0.95, 1.0])
        self.keeps_safeties = rng.random() < 0.5

    def pick(self, legal: Sequence[str]) -> str:
        moves = list(legal)
        if self.rng.random() < self.eager:
            plays = [move for move in moves if not move.startswith("-")]
            if self.keeps_safeties:
                plays = [move for move in plays if move not in SAFETIES]
            moves = plays or [move for move in moves if move[1:] not in SAFETIES] or moves
            distances = [move for move in moves if move.isdigit()]
            if distances and self.rng.random() < 0.5:
                moves = distances
        return self.rng.choice(moves)


__all__ = ["KNOWN_TABLES", "Style", "random_deck_counts", "random_rules", "shuffled_deck"]
