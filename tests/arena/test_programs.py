"""Programs stay: one process a seat and worker for a whole run."""

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from millebornes.arena.programs import display_names, end_programs, seated
from millebornes.arena.report import ArenaResults
from millebornes.arena.schedule import Plan
from millebornes.cli import cli
from millebornes.editions import load_edition, make_rules
from millebornes.players import ExternalPlayer, player
from tests.arena.reporting import run_arena, timeless

BOT = """
import json, os, sys
notes, way = sys.argv[1:]
open(os.path.join(notes, f"{os.getpid()}.started"), "x").close()
matches = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        matches += 1
        print(json.dumps({"type": "ready", "name": f"the {way}\\none"}), flush=True)
    elif message["type"] == "choose":
        if way == "crashing" and matches == 3:
            print("on purpose", file=sys.stderr)
            sys.exit(9)
        move = "extend" if way == "cheating" else message["legal"][-1]
        print(json.dumps({"move": move}), flush=True)
    elif message["type"] == "quit":
        open(os.path.join(notes, f"{os.getpid()}.quit"), "x").close()
        break
"""


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path / "home"))
    file = tmp_path / "bot.py"
    file.write_text(BOT)
    python = shlex.quote(sys.executable)
    return lambda way: f"cmd:{python} -I -S {shlex.quote(str(file))} {shlex.quote(str(tmp_path))} {way}"


def processes(folder: Path, what: str = "started") -> int:
    return len(list(folder.glob(f"*.{what}")))


def plan(*players: str, **settings: Any) -> Plan:
    return Plan(**{"rules": make_rules(), "players": players, "games": 30, "match_target": None, **settings})


@pytest.mark.slow
def test_one_process_a_seat_and_worker_for_a_whole_run(bot: Any, tmp_path: Path) -> None:
    same = plan(bot("usual"), bot("usual"))
    alone = run_arena(same)
    assert processes(tmp_path) == processes(tmp_path, "quit") == 2
    assert [row["name"] for row in alone["results"]] == ["the usual one", "the usual one"]
    shared = run_arena(same, jobs=2)
    assert 2 < processes(tmp_path) == processes(tmp_path, "quit") <= 2 + 2 * 2
    assert timeless(shared) == timeless(alone)


def test_a_crash_costs_one_game_and_the_next_finds_a_new_process(bot: Any, tmp_path: Path) -> None:
    found = ArenaResults.from_dict(run_arena(plan(bot("crashing"), "random", games=8)))
    crashing, _ = found.results
    assert crashing.forfeits == 2  # the third game of each process
    (forfeit,) = crashing.forfeit_list
    reason = "ended, with exit status 9; its last line on standard error: on purpose"
    assert (forfeit.reason, forfeit.count, forfeit.clause) == (reason, 2, None)
    assert forfeit.log is not None
    assert Path(forfeit.log).read_text() == "on purpose\n"
    assert processes(tmp_path) == 3


def test_programs_that_are_in_use_are_not_lent_twice(bot: Any) -> None:
    with seated([bot("usual")] * 2) as one, seated([bot("usual")]) as other:
        lent = [*one, *other]
        assert len(set(map(id, lent))) == 3
    with seated([bot("usual")] * 3) as again:
        assert set(map(id, again)) == set(map(id, lent))


def test_programs_that_play_while_all_programs_end_do_not_stay(bot: Any) -> None:
    with seated([bot("usual")]) as (playing,):
        assert isinstance(playing, ExternalPlayer)
        end_programs()
        playing.match_started(0, make_rules(), (), None)
        child = playing._child
    assert child is not None
    assert child._launched.ending(5) is not None
    with seated([bot("usual")]) as (other,):
        assert other is not playing


def test_what_a_bot_calls_itself_is_shown_and_equal_forfeits_are_told_once(bot: Any, tmp_path: Path) -> None:
    cheat = bot("cheating")
    words = ["--player", cheat, "--player", "basic", "--player", "random", "--hands", "12", "--seed", "3"]
    result = CliRunner().invoke(cli, ["arena", *words, "--anchor", "the cheating one"])
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert f"the cheating one is {cheat}" in lines
    assert "the cheating one - basic" in result.stdout
    assert "Elo above the cheating one" in result.stdout
    told = [line for line in lines if "by forfeit" in line]
    assert len(told) == 1
    assert told[0].startswith("the cheating one lost 8 by forfeit: it made the illegal move extend: ")
    assert "(R6.2); legal: -" in told[0]
    wrong = CliRunner().invoke(cli, ["arena", *words, "--anchor", "nobody"])
    assert wrong.exit_code == 2
    said = " ".join(wrong.stderr.replace("│", " ").split())
    assert "'nobody' matches none of the cheating one (cmd:" in said


def test_an_edition_of_ones_own_keeps_its_name(tmp_path: Path) -> None:
    file = tmp_path / "short.toml"
    file.write_text('name = "Tuesday"\nlike = "classic"\n[rules]\ngoal = 500\nextension_goal = "none"\n')
    rules = load_edition(str(file)).rules()
    assert (rules.edition, rules.edition_name) == (None, "Tuesday")
    assert rules == make_rules(None, settings=rules.settings())
    assert run_arena(plan("basic", "random", games=2, rules=rules))["edition"] == "Tuesday"
    words = ["arena", "--edition", str(file), "--player", "basic", "--player", "random", "--hands", "2"]
    assert CliRunner().invoke(cli, words).stdout.startswith("Tuesday, 2 seats, 2 sides: ")
    file.write_text(file.read_text().replace("Tuesday", "classic"))  # it would pass for the known one
    assert load_edition(str(file)).rules().edition_name is None


# ---------------------------------------------------------------- classes out of a file

CLASSES = """
import random
import beside
from millebornes.players import Player

LOADED = []

class Careful(Player):
    name = "careful"
    def choose(self, view, legal, rng):
        LOADED.append(1)
        return legal[beside.PLACE]

class Broken(Player):
    def choose(self, view, legal, rng):
        return {}["nothing"]

class Unmade(Player):
    def __init__(self):
        raise RuntimeError("no net")
    def choose(self, view, legal, rng): ...
"""


@pytest.fixture
def classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "beside.py").write_text("PLACE = -1\n")
    file = tmp_path / "my players.py"
    file.write_text(CLASSES)
    return file


@pytest.mark.slow
def test_a_class_out_of_a_file_plays_in_every_worker(classes: Path) -> None:
    name = f"py:{classes}:Careful"
    assert player(name).name == name
    alone = run_arena(plan(name, "random", games=30))
    assert timeless(run_arena(plan(name, "random", games=30), jobs=2)) == timeless(alone)
    assert alone["results"][0]["name"] == "careful"
    assert alone["results"][0]["match_share"] > 0.6
    broken = run_arena(plan(f"py:{classes}:Broken", "random", games=4))["results"][0]
    line = CLASSES.split("\n").index('        return {}["nothing"]') + 1
    assert broken["forfeit_reasons"] == {f"raised KeyError: 'nothing' (my players.py, line {line})": 4}


@pytest.mark.parametrize(
    ("content", "ending", "said"),
    [
        (None, "", "there is no file"),
        ("\n\nimport not_there_at_all\n", "", "line 3: ModuleNotFoundError: No module named 'not_there_at_all'"),
        (CLASSES, "", "has several players, Careful, Broken, Unmade; name one, as in py:"),
        (CLASSES, ":Nobody", "has no player 'Nobody'; it has Careful, Broken, Unmade"),
        (CLASSES, ":Unmade", "could not be created: "),
    ],
)
def test_what_is_wrong_with_a_file_is_told_in_a_sentence(
    classes: Path, content: str | None, ending: str, said: str
) -> None:
    file = classes.with_name("other.py")
    if content is not None:
        file.write_bytes(content.encode("latin-1"))
    words = ["arena", "--player", f"py:{file}{ending}", "--player", "random", "--hands", "2"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 2, result.output
    shown = " ".join(result.stderr.split())
    assert said in shown
    assert "other.py" in shown
    assert "Traceback" not in shown
    if ending == ":Unmade":
        assert "other.py, line 20: RuntimeError: no net" in shown


def test_a_saved_game_runs_no_file_of_somebody_else(
    classes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    classes.with_name("one.py").write_text(CLASSES.split("class Broken")[0])
    words = ["--player", "py:one.py", "--player", "basic", "--match-target", "300", "--seed", "1"]
    played = CliRunner().invoke(cli, ["play", "--plain", *words, "saved.jsonl"], input="")
    assert played.exit_code == 0, played.output
    assert "py:one.py" in played.stdout
    refused = CliRunner().invoke(cli, ["play", "--plain", "saved.jsonl"])
    assert refused.exit_code == 2
    assert "--trust" in refused.stderr


def test_two_that_call_themselves_the_same_are_told_apart() -> None:
    asked = ("cmd:one", "cmd:two", "basic", "cmd:one", "cmd:silent", "cmd:three")
    said = ("driver", "driver", None, "driver", None, "basic")
    assert display_names(asked, said) == ("driver", "driver#2", "basic", "driver", "cmd:silent", "basic#2")
