"""How strong the built-in players are against each other, and what a move costs them."""

import math

from millebornes.editions import make_rules
from millebornes.game import Hand
from millebornes.players import PLAYERS, play_hand, player
from millebornes.simulation.benchmarks.base import Result, shown
from millebornes.simulation.cost import cost_of_moves

__all__ = ["measure_players"]


def measure_players(quick: bool = False) -> Result:
    """Each built-in player against `random`: classic hands for two, each deck played from both seats.

    ``hand_share`` counts hands with the higher score as one and equal scores as a half.
    """
    decks = 25 if quick else 1_000
    rules = make_rules()
    figures: dict[str, object] = {"decks": decks}
    for name in PLAYERS:
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
