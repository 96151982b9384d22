"""Measure how strong the built-in players are against each other, and how long they take for each move."""

import math
from typing import Final

from millebornes.arena.cost import cost_of_moves
from millebornes.editions import make_rules
from millebornes.game import Hand
from millebornes.players import play_hand, player
from millebornes.policies.batch import Batch, KernelPlayer, play_batch
from millebornes_research.bench.base import Result, alternate, cpu_seconds, median, shown
from millebornes_research.bench.kernels import RandomHands

__all__ = ["measure_batches", "measure_players"]

NATIVE: Final = ("maxims", "basic", "random")


def measure_players(quick: bool = False) -> Result:
    """Measure the players in `NATIVE` against `random`, in classic hands for two. Each deck is played from both seats.

    For ``hand_share``, a hand with the higher score counts as one, and a hand with equal scores as a half.
    """
    decks = 25 if quick else 1_000
    rules = make_rules()
    figures: dict[str, object] = {"decks": decks}
    for name in NATIVE:
        costs = shown(cost_of_moves(name))
        if name == "random":
            figures[name] = {"ms_per_move": costs}
            continue
        own, other, differences, share = 0, 0, [], 0.0
        for number in range(1, decks + 1):
            both = 0
            for seat in range(2):
                seated = [player(name if at == seat else "random") for at in range(2)]
                totals = [sheet.total for sheet in play_hand(Hand.deal(rules, 1, 0, number), seated, number).scores]
                difference = totals[seat] - totals[1 - seat]
                own, other, both = own + totals[seat], other + totals[1 - seat], both + difference
                share += 1.0 if difference > 0 else 0.5 if difference == 0 else 0.0
            differences.append(both / 2)
        mean = sum(differences) / decks
        variance = sum((value - mean) ** 2 for value in differences) / max(1, decks - 1)
        figures[name] = {
            "ms_per_move": costs,
            "points_per_hand": shown(own / decks / 2),
            "points_per_hand_of_random": shown(other / decks / 2),
            "difference": shown(mean),
            "difference_stderr": shown(math.sqrt(variance / decks)),
            "hand_share": shown(share / decks / 2),
        }
    return Result("players", figures)


def measure_batches(quick: bool = False) -> Result:
    """Measure hands of kernel players against themselves (classic, two seats, one thread), in turn with random play.

    ``ratio_to_playouts`` is the ratio of hands per CPU-second to those of random play without any players. If the
    machine is slow for an hour, this affects both of them.
    """
    hands, rounds = (500, 5) if quick else (5_000, 15)
    rules = make_rules()
    playouts = RandomHands(rules)
    figures: dict[str, object] = {}
    for name in NATIVE:
        players = [KernelPlayer.named(name, rules)]
        done: list[Batch] = []

        def batch(_: int, players: list[KernelPlayer] = players, done: list[Batch] = done) -> float:
            line = [[0] * rules.seats]
            return hands / cpu_seconds(
                lambda: done.append(play_batch(rules, players, line, hands, seed=1, streams=False))
            )

        batch(0)
        ours, theirs = alternate(rounds, batch, lambda _: playouts.play(10 * hands).hands_per_cpu_s)
        moves = done[-1].moves / hands
        figures[name] = {
            "hands_per_cpu_s": median(ours),
            "best_hands_per_cpu_s": shown(max(ours)),
            "moves_per_hand": shown(moves),
            "ns_per_move": shown(1e9 / max(ours) / moves),
            "ratio_to_playouts": median([a / b for a, b in zip(ours, theirs, strict=True)]),
        }
    return Result("batches", figures)
