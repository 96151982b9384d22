"""Golden playthroughs: two hands at every table of every edition, and what their replay prints.

    python -m tests.notation.golden --write    plays and writes them anew; look at the difference before committing it

A changed file means that the rules, the format or the order of something has changed. Cards and moves come from a
generator of Python's own, whose sequence is the same everywhere.
"""

import hashlib
import random
import sys
from pathlib import Path

from millebornes.editions import make_rules
from millebornes.game import Match
from millebornes.notation import replay_lines, transcript_lines
from tests.reference.randoms import KNOWN_TABLES, Style, shuffled_deck

FOLDER = Path(__file__).parent.parent / "data" / "golden"
SHOWN = 40
"""Decisions of which the whole line is kept; the rest only counts in the hash."""

NAMES = [f"{name}-{seats}x{sides}" for name, seats, sides in KNOWN_TABLES]


def play(name: str) -> str:
    """The transcript of two hands, one by an eager style and one by any."""
    edition, table = name.split("-")
    seats, sides = map(int, table.split("x"))
    rules = make_rules(edition, seats, sides)
    rng = random.Random(f"golden {name}")
    match = Match.start(rules, deck=shuffled_deck(rng, rules), first=rng.randrange(seats), match_target=1_000_000)
    for number in (1, 2):
        style = Style(rng)
        style.eager = 0.95 if number == 1 else 0.6
        while not match.hand.is_over:
            match = match.play(style.pick(match.hand.legal_moves.texts))
        if number == 1:
            match = match.next_hand(shuffled_deck(rng, rules))
    return "".join(f"{line}\n" for line in transcript_lines(match))


def replay_text(transcript: str) -> str:
    """What is kept of the replay: its first lines, then how many lines there are and the hash of them all."""
    lines = [line.decode() for line in replay_lines(transcript.splitlines())]
    digest = hashlib.sha256("".join(lines).encode()).hexdigest()
    return "".join(lines[:SHOWN]) + f'{{"lines":{len(lines)},"sha256":"{digest}"}}\n'


def main() -> None:
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.notation.golden --write")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.jsonl"):
        old.unlink()
    for name in NAMES:
        transcript = play(name)
        (FOLDER / f"{name}.jsonl").write_text(transcript, encoding="utf-8")
        (FOLDER / f"{name}.replay.jsonl").write_text(replay_text(transcript), encoding="utf-8")
    print(f"{len(NAMES)} playthroughs in {FOLDER}")


if __name__ == "__main__":
    main()
