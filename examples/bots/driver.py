#!/usr/bin/env python3
"""A bot for Mille Bornes: an example of the bot protocol, in Python without any other package.

Try it:    millebornes play --player human --player 'cmd:python3 examples/bots/driver.py'

The host writes messages to our standard input, one JSON object a line, and reads our answers from standard output.
Only two messages want an answer:

    hello   a match begins; we tell that we are ready, and our name
    choose  a decision; we name one of the moves in "legal"

All the others ("hand", "drew", "moved", "hand_over", "match_over") tell what happens; we need not remember any of it,
because "choose" brings a view of everything that our seat can see. What we write to standard error goes to a log.
"""

import json
import sys

DISTANCES = ("25", "50", "75", "100", "200")
SAFETIES = ("driving_ace", "extra_tank", "puncture_proof", "right_of_way")
REMEDIES = ("repairs", "gasoline", "spare_tire", "roll", "end_of_limit")

# What a card in hand is worth to keep; the least of them is discarded.
KEEP = {"roll": 40, "end_of_limit": 30, "repairs": 25, "gasoline": 25, "spare_tire": 25, "stop": 35, "speed_limit": 32}


class Driver:
    """Plays one seat; `rules` are those of the match."""

    def __init__(self, hello):
        self.seat = hello["seat"]
        self.side = hello["seat"] % hello["sides"]
        self.rules = hello["rules"]

    def choose(self, view, legal):
        """The legal move with the highest value, and that value."""
        values = {move: self.value(move, view) for move in legal}
        best = max(legal, key=values.get)
        return best, values[best]

    def value(self, move, view):
        """What a move seems to be worth; only the order of the numbers matters."""
        own = view["sides"][self.side]
        if move.endswith("!"):  # a coup fourré: the best there is
            return 1000
        if move == "pass":
            return 0
        if move == "extend":  # only with a good lead, and while there are cards to draw
            others = [side["distance"] for number, side in enumerate(view["sides"]) if number != self.side]
            return 10 if max(others) < 300 and view["draw_pile"] > 30 else -10
        if move == "finish":
            return 0
        if move.startswith("-"):
            return -self.worth(move[1:], view)
        card, _, target = move.partition(">")
        if target:  # a hazard, rather on the side that is ahead
            return 300 + view["sides"][int(target)]["distance"] / 10
        if card in DISTANCES:
            if own["distance"] + int(card) == view["goal"]:
                return 900
            return 200 + int(card)
        if card in SAFETIES:  # as a rule we wait for a coup fourré
            late = view["draw_pile"] < 12
            stuck = own["under"] is not None
            return 500 if late or stuck else -60
        return 450  # a remedy (or a 200 as a roll): it gets us going

    def worth(self, card, view):
        """What a card is worth to keep."""
        own = view["sides"][self.side]
        if card in SAFETIES:
            return 200
        if card in DISTANCES:
            left = view["goal"] - own["distance"]
            return int(card) / 4 if int(card) <= left else 0
        worth = KEEP.get(card, 20)
        if card in REMEDIES and view["hand"].count(card) > 1:
            worth /= 3
        return worth


def main():
    """Read messages and write answers until the host has had enough."""
    driver = None
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":  # several matches may come, each with a hello of its own
            driver = Driver(message)
            answer = {"type": "ready", "name": "driver"}
        elif kind == "choose":
            move, value = driver.choose(message["view"], message["legal"])
            answer = {"move": move, "info": {"value": value}}
        elif kind == "quit":
            break
        else:
            continue
        # One line for each question, and at once: flush, or it stays in a buffer and the host waits in vain.
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
