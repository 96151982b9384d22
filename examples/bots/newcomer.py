#!/usr/bin/env python3
"""A bot for Mille Bornes that plays as somebody does who has just been told the rules: it keeps nothing for later.

It is the yardstick for which computer player suits a newcomer (docs/players.md). For how a bot works, see driver.py.

Try it:    millebornes arena --player 'cmd:python3 examples/bots/newcomer.py' --player casual --matches 200
"""

import json
import random
import sys

DISTANCES = ("25", "50", "75", "100", "200")
SAFETIES = ("driving_ace", "extra_tank", "puncture_proof", "right_of_way")


def rank(move, rng):
    """How soon a move comes to mind: a remedy, then the longest distance, a hazard, a safety; else any discard."""
    card, _, target = move.partition(">")
    if move in ("pass", "extend"):
        return (0, 0)
    if move.endswith("!") or move == "finish":
        return (6, 0)
    if move.startswith("-"):
        return (1, rng.random())
    if target:
        return (3, rng.random())
    if card in DISTANCES:
        return (4, int(card))
    if card in SAFETIES:
        return (2, 0)
    return (5, 0)


def main():
    """Read messages and write answers until the host has had enough."""
    rng = random.Random(0)
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            answer = {"type": "ready", "name": "newcomer"}
        elif kind == "choose":
            answer = {"move": max(message["legal"], key=lambda move: rank(move, rng))}
        elif kind == "quit":
            break
        else:
            continue
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
