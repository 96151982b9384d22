"""`millebornes hint`: every text that tells of a decision, and what is none of them."""

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from millebornes.cli import cli
from millebornes.editions import make_rules
from millebornes.errors import MilleBornesError
from millebornes.game import Hand, InformationState, Match
from millebornes.notation import transcript_lines
from millebornes.players import player
from millebornes.players.external.protocol import hello_line
from millebornes.storage import SavedGame, SaveWriter

pytestmark = pytest.mark.slow  # real browsers, servers and compiling take long

RULES = make_rules("bsd")
FEW = ("--worlds", "40")


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "100")


def played() -> Match:
    """Two hands of the maxims, the second unfinished."""
    match, chance, maxims = Match.start(RULES, 5, match_target=5000), random.Random(1), player("maxims")
    while match.hand_number < 2 or match.hand.ply < 20:
        if match.hand.is_over:
            match = match.next_hand()
        seat = match.hand.seat
        assert seat is not None
        match = match.play(maxims.choose(match.view(seat), match.hand.legal_moves, chance))
    return match


MATCH = played()
MOMENT = MATCH.at(1, 14)
SEAT = MOMENT.hand.seat or 0
VIEW = MOMENT.view(SEAT)
LEGAL = sorted(map(str, VIEW.legal_moves))
STATE = InformationState.of_match(MOMENT, SEAT)


def run(*words: str, told: str | bytes = "") -> Result:
    return CliRunner().invoke(cli, ["hint", *words], input=told)


def refused(*words: str, told: str | bytes = "") -> str:
    """The error, which names what was read and is raised on purpose."""
    found = run(*words, told=told)
    assert isinstance(found.exception, MilleBornesError), found.output
    assert "\n" not in str(found.exception)
    return str(found.exception)


def report(*words: str, told: str | bytes = "") -> dict[str, object]:
    found = run(*words, "--json", *FEW, told=told)
    assert found.exit_code == 0, found.output
    told_of: dict[str, object] = json.loads(found.stdout)
    return told_of


def rules_fields() -> dict[str, object]:
    """The rules as a host tells them in its hello."""
    hello = json.loads(hello_line(SEAT, RULES, (), 5000))
    fields: dict[str, object] = hello["rules"]
    return fields


def transcript(folder: Path) -> str:
    path = folder / "match.jsonl"
    path.write_text("".join(f"{line.rstrip()}\n" for line in transcript_lines(MATCH)), encoding="utf-8")
    return str(path)


def test_every_text_of_a_decision_is_understood(tmp_path: Path) -> None:
    path = transcript(tmp_path)
    view = VIEW.to_dict()
    texts = {
        "view with rules": (json.dumps({**view, "rules": rules_fields()}), ()),
        "view over several lines": (json.dumps({**view, "rules": rules_fields()}, indent=1), ()),
        "view with options": (json.dumps(view), ("--edition", "bsd")),
        "choose": (json.dumps({"type": "choose", "view": view}), ("--edition", "bsd", "--seats", "2")),
        "text of a view": (f"{VIEW}\n", ()),
        "state": (str(STATE), ()),
        "open position": (str(MOMENT.hand), ()),
        "transcript": (None, (path, "--at", "1:14")),
    }
    for name, (told, words) in texts.items():
        found = report(*(words if told is None else ("-", *words)), told=told or "")
        moves = found["moves"]
        assert isinstance(moves, list)
        assert sorted(move["move"] for move in moves) == LEGAL, name
        assert found["best"] == moves[0]["move"]
        assert found["history"] is (name in {"state", "transcript"}), name
        assert (moves[0]["win_match"] is None) is (name == "open position"), name
    alike = [report("-", told=str(STATE)), report(path, "--at", "1:14")]
    for found in alike:
        del found["seconds"]
    assert alike[0] == alike[1]


def test_the_messages_of_a_host_are_understood() -> None:
    messages = [json.loads(hello_line(0, RULES, (), 5000))]
    hand = Match.start(RULES, 5).hand
    cards = sorted(card.value for card in hand.dealt(0))
    messages += [{"type": "hand", "number": 1, "first": 0, "totals": [0, 0], "hand": cards}]
    drawn = list(hand.cards(0))
    for card in hand.dealt(0):
        drawn.remove(card)
    messages += [{"type": "drew", "seat": 0, "cards": [card.value for card in drawn]}]
    found = report("-", told="".join(json.dumps(message) + "\n" for message in messages))
    assert found["history"] is True


def test_a_saved_game_is_read(tmp_path: Path) -> None:
    match = Match.start(RULES, "seed", players=("Ann", "basic"))
    match = match.play(match.hand.legal_moves[0])
    path = tmp_path / "game.jsonl"
    game = SavedGame(match=match, seats=("human", "basic"), seed="seed", games=(0, 0), slots=((), ()))
    SaveWriter().write(game, path)
    found = report(str(path), "--at", "1:1", "--objective", "points")
    assert found["objective"] == "points"


def test_the_table_and_the_reasons_are_shown() -> None:
    found = run("-", *FEW, told=str(STATE))
    assert found.exit_code == 0
    sentence, _blank, *lines = found.stdout.splitlines()
    assert sentence.startswith("Too close to call: ")
    assert lines[0].split() == ["move", "lead", "loss", "win", "the", "hand", "win", "the", "match"]
    assert lines[1].startswith("*  ")
    assert len([line for line in lines[1 : 1 + len(LEGAL)] if " ± " in line]) == len(LEGAL)
    assert "40 simulations, " in found.stdout
    french = run("-", *FEW, "--language", "fr", told=str(STATE)).stdout
    assert french.splitlines()[2].split()[:3] == ["coup", "avance", "perte"]
    plain = CliRunner(charset="ascii").invoke(cli, ["hint", "-", *FEW, "--language", "fr"], input=str(STATE)).stdout
    assert "Resultat attendu : " in plain
    assert "?" not in plain


def test_what_nobody_remembers_can_be_left_out() -> None:
    data = {"partial": True, "hand": ["25", "50", "roll", "stop", "stop", "100", "gasoline"]}
    found = run("-", *FEW, told=json.dumps(data))
    assert found.exit_code == 0
    assert "play Roll" in found.stdout
    four = run("-", *FEW, "--seats", "4", "--sides", "2", "--json", told=json.dumps({**data, "discard_top": "200"}))
    assert json.loads(four.stdout)["best"]


def test_cards_that_nobody_remembers_are_not_in_the_other_hand() -> None:
    """With an empty draw pile the other hand is known only if all discards are."""
    data = {"partial": True, "hand": ["25", "50", "roll", "stop"], "hand_sizes": [4, 3], "draw_pile": 0}
    found = json.loads(run("-", *FEW, "--json", told=json.dumps(data)).stdout)
    assert not found["proven"]
    assert found["moves"][0]["worlds"] == 40


def test_time_limits_the_thought() -> None:
    found = run("-", "--json", "--time", "1", told=str(STATE))
    assert json.loads(found.stdout)["moves"][0]["worlds"] == 32


def test_moments_that_there_are_not_are_told_with_those_that_there_are(tmp_path: Path) -> None:
    path = transcript(tmp_path)
    assert refused(path, "--at", "3:0") == f"{path}: hand 3: there is no such hand; the match has hands 1 to 2"
    last = MATCH.hands[0].ply - 1
    error = refused(path, "--at", f"1:{last + 1}")
    assert error == (
        f"{path}: hand 1, ply {last + 1}: there is no such decision; the hand has plies 0 to {last}, "
        "after which it is over"
    )
    assert "plies 0 to 20, the last of which is still to be made" in refused(path, "--at", "2:21")
    for wrong in ("1", "1:x", "-1:2", "1:2:3", "²:1"):
        found = run(path, "--at", wrong)
        assert found.exit_code == 2
        assert "is not HAND:PLY" in found.output


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (b"", "this is empty"),
        (b" \n\n", "this is empty"),
        (b"\xff\xfe\x00", "byte 1 isn't UTF-8"),
        (b"\xef\xbb\xbf{}", "byte-order mark"),
        (b"roll", '"roll" cannot be read'),
        (b"a b c d e f g", "'a' isn't an edition at a table"),
        (b"two\nlines", "2 lines that aren't JSON"),
        (b"{", "line 1: invalid JSON"),
        (b"[1]", "instead of a JSON object"),
        (b"{}", "hand_sizes is missing"),
        (b'{"hand_sizes":[6],"sides":[1,2]}', "must be a list with 2 to 8 entries"),
        (b'{"hand_sizes":[6,6],"sides":[1,2],"rules":7}', "rules: 7 is not allowed; it must be an object"),
        (b'{"type":"choose","view":7}', "view: 7 isn't an object"),
        (b'{"a":1}\n{"b":2}\n', "neither the header of a transcript nor a hello"),
        (b'{"format":"millebornes/1"}\n', "choose a decision with --at HAND:PLY"),
        (b'{"type":"hello"}\n', "protocol is missing"),
    ],
)
def test_what_is_no_decision_is_refused_with_what_would_be_one(told: bytes, said: str) -> None:
    error = refused(told=told)
    assert error.startswith("standard input (-): ")
    assert said in error


def test_where_nothing_is_to_be_decided_it_says_so() -> None:
    other = MOMENT.view(1 - SEAT)
    assert "has nothing to decide" in refused(told=str(other))
    assert "has nothing to decide" in refused(told=str(InformationState.of_match(MOMENT, 1 - SEAT)))
    over = MATCH.hands[0]
    for text in (str(over), str(over.view(0)), str(InformationState.of(over, 0))):
        assert "the hand is over, so there is nothing left to decide" in refused(told=text)
    assert Hand.parse(str(over)).is_over


def test_options_that_do_not_go_with_the_text_are_refused(tmp_path: Path) -> None:
    for told, words in ((str(VIEW), ("--seats", "2")), (str(STATE), ("--edition", "bsd", "--set", "goal=700"))):
        found = run("-", *words, told=told)
        assert found.exit_code == 2
        assert "already contains its rules; leave out" in found.output
    found = run(transcript(tmp_path), "--at", "1:3", "--sides", "2")
    assert found.exit_code == 2
    assert "without a match target" not in found.output
    assert "without a match target" in refused("--objective", "match", told=str(MOMENT.hand))


def test_a_file_that_there_is_not_is_an_error_of_the_system() -> None:
    assert isinstance(run("nowhere.txt").exception, FileNotFoundError)


def test_two_moves_side_by_side() -> None:
    """Over the same simulations; the lines add up to the lead, and the chances are those of the moves."""
    one, other = LEGAL[0], LEGAL[-1]
    found = report("-", "--compare", one, other, told=str(STATE))
    compared = found["compare"]
    assert isinstance(compared, dict)
    assert compared["moves"] == [one, other]
    moves = {move["move"]: move for move in found["moves"]}  # type: ignore[attr-defined]
    for side, name in (("a", one), ("b", other)):
        lead = sum(line[side] for line in compared["lines"])
        assert lead == pytest.approx(moves[name]["value"], abs=3 * moves[name]["stderr"] + 1)
    assert compared["win_hand"] == [moves[one]["win_hand"], moves[other]["win_hand"]]
    assert compared["win_match"] == [moves[one]["win_match"], moves[other]["win_match"]]
    assert "points ahead" in run("-", "--compare", one, other, *FEW, told=str(STATE)).stdout
    assert "compare" not in report("-", told=str(STATE))


@pytest.mark.parametrize("moves", [("nonsense", "pass"), (LEGAL[0], LEGAL[0])])
def test_moves_that_cannot_be_compared(moves: tuple[str, str]) -> None:
    found = run("-", "--compare", *moves, *FEW, told=str(STATE))
    assert found.exit_code == 2
    assert "--compare" in found.stderr
