"""`millebornes engine`: any of our players behind the bot protocol, for any host."""

import json
import random
import shlex
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from millebornes.editions import make_rules
from millebornes.errors import MilleBornesError
from millebornes.game import Hand, LegalMoves, Match, Move, Scoresheet, View
from millebornes.players import Basic, RandomPlayer, play_match, player
from millebornes.players.engine_server import EngineServer
from millebornes.players.external import protocol

SESSION = Path(__file__).parents[1] / "data" / "bots" / "bot-session.jsonl"
RULES = make_rules()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path / "home"))


def engine(text: str | bytes, *words: str) -> "subprocess.CompletedProcess[bytes]":
    data = text.encode() if isinstance(text, str) else text
    command = [sys.executable, "-m", "millebornes", "engine", *words]
    return subprocess.run(command, input=data, capture_output=True, timeout=300, check=False)


def hello(**changes: Any) -> dict[str, Any]:
    return {**json.loads(protocol.hello_line(0, RULES, ("a", "b"), 5000)), **changes}


def choose(**changes: Any) -> dict[str, Any]:
    hand = Hand.deal(RULES, 1)
    line = protocol.choose_line(hand.view(0, match_target=5000), hand.legal_moves, 1000)
    return {**json.loads(line), **changes}


def lines(*messages: Any) -> str:
    return "".join(json.dumps(message) + "\n" for message in messages)


def test_basic_as_a_process_makes_the_moves_of_basic() -> None:
    bot = player(f"cmd:{shlex.quote(sys.executable)} -m millebornes engine --player basic")
    for seed in range(2):
        match = play_match(Match.start(RULES, seed, match_target=3000), [bot, Basic()])
        alone = play_match(Match.start(RULES, seed, match_target=3000), [Basic(), Basic()])
        assert [hand.moves for hand in match.hands] == [hand.moves for hand in alone.hands]
    bot.close()


@pytest.mark.skipif(not SESSION.exists(), reason="the recorded session is not here")
def test_it_understands_a_recorded_host() -> None:
    recorded = [json.loads(line) for line in SESSION.read_text(encoding="utf-8").splitlines()]
    messages = [line["to_bot"] for line in recorded if "to_bot" in line]
    done = engine(lines(*messages), "--player", "basic")
    assert (done.returncode, done.stderr) == (0, b"")
    first, *answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert first == {"type": "ready", "name": "basic"}
    questions = [message for message in messages if message["type"] == "choose"]
    assert len(questions) == 50
    for question, answer in zip(questions, answers, strict=True):
        assert answer["move"] in question["legal"]


def test_choose_alone_is_enough_and_the_end_of_input_ends_it() -> None:
    done = engine(lines(hello(), choose(), hello(), choose()).rstrip("\n"))
    assert (done.returncode, done.stderr) == (0, b"")
    ready, move, again, same = [json.loads(line) for line in done.stdout.splitlines()]
    assert ready == again == {"type": "ready", "name": "casual"}
    assert move == same
    assert engine("").returncode == 0
    done = engine(lines({"type": "quit"}, "nonsense"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_fault_is_one_line() -> None:
    for text, says in (
        (lines(choose()), "line 1: choose: there was no hello before"),
        (lines(hello(), choose()) + "garbage\n", "line 3: not a message of the bot protocol: invalid JSON: Expecting"),
        (b"\xff\n", "line 1: not a message of the bot protocol: invalid UTF-8"),
        ("[" * 200_000, "nested too deeply"),
        ("x" * ((16 << 20) + 9), "line 1: longer than 16 MiB"),
    ):
        done = engine(text)
        assert done.returncode == 1
        [line] = done.stderr.decode().splitlines()
        assert line.startswith("millebornes: line ")
        assert says in line


def test_usage() -> None:
    done = engine("", "--player", "nobody")
    assert done.returncode == 2
    assert b"there is no player 'nobody'" in done.stderr
    done = engine("", "--help")
    assert done.returncode == 0
    assert b"--seed" in done.stdout


def test_the_same_seed_makes_the_same_moves() -> None:
    def moves(seed: str) -> list[str]:
        server = EngineServer(RandomPlayer, "random", seed)
        server.answer(protocol.line_of(hello()))
        found = []
        hand = Hand.deal(RULES, 5)
        rng = random.Random(1)
        while not hand.is_over:
            if hand.seat == 0:
                answer = server.answer(protocol.choose_line(hand.view(0), hand.legal_moves, None))
                assert answer is not None
                found.append(str(json.loads(answer)["move"]))
                hand = hand.play(found[-1])
            else:
                hand = hand.play(rng.choice(hand.legal_moves))
        server.close()
        return found

    assert moves("7") == moves("7")
    assert moves("7") != moves("8")


def test_what_a_player_tells_is_passed_on() -> None:
    class Talker(RandomPlayer):
        def explain(self) -> dict[str, object]:
            return {"why": "für Élise", "values": [1, 2.5, None]}

    server = EngineServer(Talker, "talker", 1)
    server.answer(protocol.line_of(hello()))
    answer = server.answer(protocol.line_of(choose()))
    assert answer is not None
    assert json.loads(answer)["info"] == {"why": "für Élise", "values": [1, 2.5, None]}


def test_players_are_told_what_their_seat_gets_to_know() -> None:
    told: list[tuple[Any, ...]] = []

    class Listener(RandomPlayer):
        def match_started(self, *args: Any) -> None:
            told.append(("match", *args))

        def hand_started(self, *args: Any) -> None:
            told.append(("hand", *args))

        def drew(self, *args: Any) -> None:
            told.append(("drew", *args))

        def moved(self, *args: Any) -> None:
            told.append(("moved", *args))

        def hand_over(self, *args: Any) -> None:
            told.append(("hand_over", *args))

        def match_over(self, *args: Any) -> None:
            told.append(("match_over", *args))

    # What a listener hears at the table …
    class Wire(Listener):
        """… and one that hears it by way of the protocol."""

        def __init__(self) -> None:
            self.server = EngineServer(Listener, "wire", 1)

        def match_started(self, *args: Any) -> None:
            self.server.answer(protocol.hello_line(*args))
            del told[:-1]  # of the warm-up

        def hand_started(self, *args: Any) -> None:
            self.server.answer(protocol.hand_line(*args))

        def drew(self, *args: Any) -> None:
            self.server.answer(protocol.drew_line(*args))

        def moved(self, seat: int, move: Move) -> None:
            self.server.answer(protocol.moved_line(seat, move.text))

        def hand_over(self, *args: Any) -> None:
            self.server.answer(protocol.hand_over_line(*args))

        def match_over(self, *args: Any) -> None:
            self.server.answer(protocol.match_over_line(*args))

    def heard(listener: RandomPlayer) -> list[Any]:
        told.clear()
        play_match(Match.start(RULES, 2, players=("a", "b"), match_target=1500), [listener, RandomPlayer()])
        return json.loads(json.dumps(told, default=str))  # type: ignore[no-any-return]

    direct = heard(Listener())
    assert len(direct) > 100
    assert heard(Wire()) == direct


def test_an_unknown_edition_is_played_by_its_fields() -> None:
    rules = {**hello()["rules"], "edition": "uncle-bob", "goal": 600}
    view = {**choose()["view"], "goal": 600}
    server = EngineServer(Basic, "basic", 1)
    server.answer(protocol.line_of(hello(rules=rules)))
    assert server.answer(protocol.line_of(choose(view=view))) is not None
    assert server.answer(b'{"type":"later","what":1}') is None


SHEET = Scoresheet().to_dict()
OVER = {"type": "hand_over", "completed_by": None, "extended": False, "scores": [SHEET, SHEET], "totals": [0, 0]}
BAD: list[tuple[list[dict[str, Any]], str]] = [
    ([{}], 'a message has no "type"'),
    ([{"type": 7}], 'a message has no "type"'),
    ([{"type": "moved", "seat": 0, "move": "roll"}], "moved: there was no hello before"),
    ([hello(protocol="millebornes/9")], 'hello: protocol: "millebornes/9" is not supported'),
    ([hello(seat=2)], "hello: seat: 2 is not allowed"),
    ([hello(seats=3)], "hello: rules: sides"),
    ([hello(seats="2")], 'hello: seats: "2" is not allowed'),
    ([hello(rules=None)], "hello: rules: null is not allowed; it must be an object"),
    ([hello(rules={"edition": None})], "hello: rules: .* missing"),
    ([hello(rules={**hello()["rules"], "goal": 701})], "hello: rules: goal"),
    ([hello(players="ab")], 'hello: players: "ab" is not allowed'),
    ([hello(match_target="5000")], 'hello: match_target: "5000" is not allowed; it must be a whole number'),
    ([hello(match_target=0)], "hello: match_target: 0 is not allowed"),
    ([hello(), {"type": "choose"}], "choose: view is missing"),
    ([hello(), choose(view=[])], "choose: view: "),
    ([hello(), choose(view={**choose()["view"], "goal": 1})], "choose: goal: 1 is not the goal in force"),
    ([hello(seat=1), choose()], "choose: view, seat: 0, but hello gave seat 1"),
    ([hello(), choose(legal="all")], 'choose: legal: "all" is not allowed'),
    ([hello(), choose(legal=["extend"])], 'choose: legal: "extend" is not legal by these rules; legal: -'),
    ([hello(), choose(legal=[])], "choose: legal: missing moves that these rules allow: -"),
    ([hello(), {"type": "hand", "number": 0}], "hand: number: 0 is not allowed"),
    ([hello(), {"type": "drew", "seat": 0, "cards": ["ACC"]}], r'drew: cards\[0\]: "ACC" isn\'t a card'),
    ([hello(), {"type": "drew", "seat": 1, "count": -1}], "drew: count: -1 is not allowed"),
    ([hello(), {"type": "moved", "seat": 1, "move": "fly"}], "moved: 'fly' isn't a move"),
    ([hello(), {"type": "moved", "seat": 1, "move": 25}], "moved: move: 25 is not allowed; it must be a move"),
    ([hello(), {**OVER, "completed_by": 2}], "hand_over: completed_by: 2 is not allowed"),
    ([hello(), {**OVER, "scores": []}], r"hand_over: scores: \[\] is not allowed"),
    (
        [hello(), {**OVER, "type": "match_over", "totals": [1], "winner": None, "reason": ""}],
        "match_over: totals: a list",
    ),
]


@pytest.mark.parametrize(("messages", "says"), BAD)
def test_bad_messages_are_told_by_name(messages: list[dict[str, Any]], says: str) -> None:
    server = EngineServer(RandomPlayer, "random", 1)
    for message in messages[:-1]:
        server.answer(protocol.line_of(message))
    with pytest.raises(MilleBornesError, match=says) as caught:
        server.answer(protocol.line_of(messages[-1]))
    assert "\n" not in str(caught.value)
    server.close()


class Slow(Basic):
    """Takes its time until it is allowed to go on."""

    go_on = threading.Event()

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        assert self.go_on.wait(60)
        return super().choose(view, legal, rng)


def test_it_is_ready_in_time_even_where_getting_ready_takes_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("millebornes.players.engine_server.READY_WITHIN", 0.01)
    Slow.go_on.clear()
    server = EngineServer(Slow, "slow", 1)
    ready = server.answer(json.dumps(hello()).encode())
    assert ready == b'{"type":"ready","name":"slow"}\n'
    assert not Slow.go_on.is_set()
    threading.Timer(0.2, Slow.go_on.set).start()
    answer = server.answer(json.dumps(choose()).encode())
    assert answer is not None
    assert json.loads(answer)["move"] in choose()["legal"]
    server.close()


class Faulty(Basic):
    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        raise ArithmeticError("out of fuel")


def test_what_goes_wrong_while_getting_ready_comes_up_at_the_first_move() -> None:
    server = EngineServer(Faulty, "faulty", 1)
    server.answer(json.dumps(hello()).encode())
    with pytest.raises(ArithmeticError, match="out of fuel"):
        server.answer(json.dumps(choose()).encode())
