"""What our host says in a recorded match, message by message; and the example bots in whole matches."""

import json
import random
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from millebornes.cards import Card
from millebornes.editions import make_rules
from millebornes.game import LegalMoves, Match, Move, View
from millebornes.players import ExternalPlayer, Player, Table, play_match, player

ROOT = Path(__file__).parents[2]
SESSION = ROOT / "tests" / "data" / "bots" / "bot-session.jsonl"

RECORDER = """
import json, sys
answers, log = iter(json.load(open(sys.argv[1]))), open(sys.argv[2], "w")
for line in sys.stdin:
    log.write(line)
    kind = json.loads(line)["type"]
    if kind in ("hello", "choose"):
        print(json.dumps(next(answers)), flush=True)
    if kind == "quit":
        break
log.close()
"""


class Scripted(Player):
    """Makes given moves; lets a coup pass where the next of them is none."""

    name = "scripted"

    def __init__(self, moves: list[str]) -> None:
        self.moves = moves

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        return Move.parse(self.moves.pop(0) if self.moves[:1] and self.moves[0] in legal else "pass")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path / "home"))


def load() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The messages and the answers of the recorded match."""
    lines = [json.loads(line) for line in SESSION.read_text(encoding="utf-8").splitlines()]
    return [line["to_bot"] for line in lines if "to_bot" in line], [
        line["from_bot"] for line in lines if "from_bot" in line
    ]


def as_compared(message: dict[str, Any]) -> dict[str, Any]:
    """A message, the order inside of safeties left aside."""
    message = json.loads(json.dumps(message))
    for side in message.get("view", {}).get("sides", ()):
        side["safeties"].sort()
        side["coups_fourres"].sort()
    return message


def deck_of(messages: list[dict[str, Any]]) -> tuple[list[Card], list[str]]:
    """A deck that gives the recorded match, and the other seat's moves.

    The other seat's cards are not recorded, but which it plays is: it draws them in the order in which it needs them.
    """
    hand = next(message for message in messages if message["type"] == "hand")
    moves = [m["move"] for m in messages if m["type"] == "moved" and m["seat"] == 1]
    needed = [Card(move.strip("-!").partition(">")[0].partition("=")[0]) for move in moves if move != "pass"]
    left = dict(zip(Card, make_rules().deck, strict=True))
    own = [Card(card) for card in hand["hand"]]
    drawn = [m for m in messages if m["type"] == "drew"]
    for card in own + needed + [Card(card) for m in drawn if m["seat"] == 0 for card in m["cards"]]:
        left[card] -= 1
    spare = sorted((card for card, count in left.items() for _ in range(count)), key=lambda card: card.index)
    theirs = iter(needed + spare)
    deck = []
    mine = iter(own)
    for place in range(2 * len(own)):
        deck.append(next(mine if (place + hand["first"]) % 2 == 0 else theirs))
    for message in drawn:
        deck += (
            [Card(card) for card in message["cards"]]
            if message["seat"] == 0
            else [next(theirs) for _ in range(message["count"])]
        )
    return [*deck, *theirs], moves


@pytest.mark.skipif(not SESSION.exists(), reason="the recorded session is not here")
def test_our_host_says_what_the_recorded_host_said(tmp_path: Path) -> None:
    messages, answers = load()
    (tmp_path / "recorder.py").write_text(RECORDER)
    (tmp_path / "answers.json").write_text(json.dumps(answers))
    words = [sys.executable, "-I", *(str(tmp_path / name) for name in ("recorder.py", "answers.json", "log"))]
    hello = messages[0]
    deck, moves = deck_of(messages)
    first = next(message["first"] for message in messages if message["type"] == "hand")
    match = Match.start(
        make_rules(), deck=deck, first=first, players=hello["players"], match_target=hello["match_target"]
    )
    bot = ExternalPlayer(shlex.join(words), time_ms=1000)
    table = Table(match, [bot, Scripted(moves)], seed=1)
    assert table.play_hand().is_over
    bot.close()
    said = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert len(messages) > 150
    for ours, theirs in zip(said, messages, strict=True):
        assert as_compared(ours) == as_compared(theirs)


def test_an_edition_of_ones_own_and_every_table() -> None:
    """Rules in `hello` are complete, so that the other end plays by the same."""
    engine = f"cmd:{shlex.quote(sys.executable)} -m millebornes engine --player basic"
    for rules in (
        make_rules("house", 4, 2, {"targets": "left"}),
        make_rules(None, 3, 3, {**make_rules("wikibooks", 3).settings(), "goal": 600}),
    ):
        seated = [player(engine if seat == 1 else "basic") for seat in range(rules.seats)]
        match = play_match(Match.start(rules, 3, match_target=600), seated)
        seated[1].close()
        alone = play_match(Match.start(rules, 3, match_target=600), [player("basic") for _ in range(rules.seats)])
        assert [hand.moves for hand in match.hands] == [hand.moves for hand in alone.hands]


def has_perl() -> bool:
    try:
        return subprocess.run(["perl", "-MJSON::PP", "-e", "1"], check=False, capture_output=True).returncode == 0
    except OSError:
        return False


BOTS = [
    pytest.param([sys.executable, "-I", "driver.py"], "driver", id="python"),
    pytest.param(
        ["perl", "rusher.pl"], "rusher", id="perl", marks=pytest.mark.skipif(not has_perl(), reason="no Perl here")
    ),
]


@pytest.mark.skipif(not (ROOT / "examples").exists(), reason="the examples are not here")
@pytest.mark.parametrize(("words", "name"), BOTS)
def test_the_example_bots_play_whole_matches(words: list[str], name: str) -> None:
    bot = ExternalPlayer(shlex.join([*words[:-1], str(ROOT / "examples" / "bots" / words[-1])]))
    try:
        won = 0
        tables = (("classic", 2, 2), ("house", 4, 2), ("wikibooks", 3, 3))
        for seed, (edition, seats, sides) in enumerate(tables):
            rules = make_rules(edition, seats, sides)
            match = Match.start(rules, seed, match_target=1500)
            # Beside whoever knows only the rules, so on both sides of a table of four.
            match = play_match(match, [bot, *[player("random") for _ in range(seats - 1)]])
            assert match.is_over
            won += match.winner == 0
            assert set(bot.explain()) == {"value" if name == "driver" else "liking"}
        assert bot.bot_name == name
        assert won >= 2
    finally:
        bot.close()
