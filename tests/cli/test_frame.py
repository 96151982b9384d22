import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from millebornes import __version__
from millebornes.cli import COMMANDS, GROUP, LazyCommand, cli, main
from millebornes.cli.common import (
    ChosenTable,
    MatchTargetType,
    SettingType,
    json_option,
    match_target_option,
    rules_from,
    seed_option,
    table_options,
)
from millebornes.errors import MilleBornesError

PYTHON = [sys.executable, "-m", "millebornes"]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8"}
    for name in ("LANGUAGE", "PYTHONWARNINGS"):
        environment.pop(name, None)
    return subprocess.run([*PYTHON, *words], capture_output=True, encoding="utf-8", env=environment, timeout=300)


@pytest.fixture
def failing() -> Iterator[dict[str, BaseException]]:
    """A command ``broken`` that raises what the test puts in."""
    box: dict[str, BaseException] = {}

    @click.command()
    def broken() -> None:
        raise box["error"]

    module = type(sys)("broken_command_for_tests")
    module.broken = broken  # type: ignore[attr-defined]
    sys.modules[module.__name__] = module
    COMMANDS["broken"] = LazyCommand(f"{module.__name__}:broken", "Breaks.")
    yield box
    del COMMANDS["broken"], sys.modules[module.__name__]


def test_help_lists_every_command() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert done.stderr == ""
    for name, command in COMMANDS.items():
        assert name in done.stdout
        assert command.help in done.stdout
    sections = [line.removesuffix(":") for line in done.stdout.splitlines() if re.fullmatch(r"[A-Z][\w ]+:", line)]
    assert sections[:5] == ["Options", "Play", "Improve", "Host", "Build and research"]  # what players use comes first


def test_other_distributions_add_commands(tmp_path: Path) -> None:
    source = """
import click
from millebornes.cli import LazyCommand
HONK = LazyCommand("honking:honk", "Sound the horn.")
MUTE = LazyCommand("honking:GROUP", "Make no sound.")
GROUP = "no command"
@click.command()
def honk():
    click.echo("beep")
"""
    (tmp_path / "honking.py").write_text(source, encoding="utf-8")
    (tmp_path / "honking-1.0.dist-info").mkdir()
    (tmp_path / "honking-1.0.dist-info" / "METADATA").write_text("Name: honking\nVersion: 1.0\n", encoding="utf-8")
    (tmp_path / "honking-1.0.dist-info" / "entry_points.txt").write_text(
        f"[{GROUP}]\nhonk = honking:HONK\nplay = honking:HONK\nstalled = honking:NOTHING\nmute = honking:MUTE\n",
        encoding="utf-8",
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}

    def said(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*PYTHON, *words], capture_output=True, encoding="utf-8", env=environment, timeout=300)

    listed = said("--help").stdout
    assert re.search(r"^  honk +Sound the horn\.$", listed, re.MULTILINE)
    assert re.search(r"^  stalled +Cannot be loaded: ", listed, re.MULTILINE)
    assert COMMANDS["play"].help in listed  # an own command is never replaced
    assert said("honk").stdout == "beep\n"
    stalled = said("stalled")
    assert stalled.returncode == 2
    assert "comes from another package. Cannot be loaded" in stalled.stderr
    mute = said("mute")
    assert mute.returncode == 2
    assert "'mute' can't be loaded: honking:GROUP isn't a click command" in mute.stderr


def test_without_a_command_the_help_is_shown() -> None:
    assert run().stdout == run("--help").stdout
    assert run().returncode == 0


def test_version() -> None:
    assert run("--version").stdout == f"millebornes {__version__}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there_and_has_help(name: str) -> None:
    _, _, attribute = COMMANDS[name].target.partition(":")
    result = CliRunner().invoke(cli, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert f"Usage: cli {name}" in result.output
    assert attribute == name


def test_help_imports_no_heavy_library() -> None:
    """The help must be quick, and a broken optional library must not take it along."""
    program = (
        "import sys; from millebornes.cli import main; main(['--help']); main(['--version']);"
        "heavy = {'numpy', 'numba', 'rich', 'textual', 'msgspec', 'millebornes.editions', 'millebornes.rules'};"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", timeout=300)
    assert done.stderr == "[]\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["paly"], "there is no command 'paly'; did you mean 'play'?"),
        (["xyzzy"], "there is no command 'xyzzy'; the commands are play,"),
        (["--bogus"], "No such option"),
        (["rules", "--seats"], "requires an argument"),
        (["editions", "--language", "xx"], "'xx' is not one of"),
    ],
)
def test_wrong_usage_ends_with_2(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err


def test_an_error_is_one_line_and_ends_with_1(
    failing: dict[str, BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    failing["error"] = MilleBornesError("game.jsonl: line 3: no such move\nat all")
    assert main(["broken"]) == 1
    assert capsys.readouterr() == ("", "millebornes: game.jsonl: line 3: no such move at all\n")


def test_an_error_of_the_system_names_the_file(
    failing: dict[str, BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    failing["error"] = PermissionError(13, "Permission denied", "/game")
    assert main(["broken"]) == 1
    assert capsys.readouterr() == ("", "millebornes: /game: Permission denied\n")


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()])
def test_an_interruption_is_quiet(
    error: BaseException, failing: dict[str, BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    failing["error"] = error
    assert main(["broken"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.strip() == ""


def test_a_fault_of_the_program_is_not_hidden(failing: dict[str, BaseException]) -> None:
    failing["error"] = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        main(["broken"])


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell with pipes")
def test_a_closed_pipe_is_quiet() -> None:
    command = f"'{sys.executable}' -m millebornes rules | head -n 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, encoding="utf-8", timeout=300)
    assert done.stdout == "The rules of Mille Bornes\n"
    assert done.stderr == ""


def test_a_terminal_without_accents_still_gets_its_text() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "koi8-r", "LC_ALL": "C"}
    done = subprocess.run(
        [*PYTHON, "rules", "R5"], capture_output=True, encoding="koi8-r", env=environment, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Coup fourre" in done.stdout


def test_shell_completion_of_commands_options_and_settings() -> None:
    def completed(line: str) -> list[str]:
        words = line.split(" ")
        env = {"_MILLEBORNES_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
        program = "import sys; sys.argv[0] = 'millebornes'; from millebornes.cli import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, **env},
            timeout=300,
        )
        return [found.partition(",")[2] for found in done.stdout.splitlines()]

    assert sorted(completed("millebornes r")) == ["replay", "restore", "review", "rollout", "rules"]
    assert "--edition" in completed("millebornes rules --e")
    assert completed("millebornes rules --edition b") == ["bsd"]
    assert completed("millebornes rules --set tar") == ["targets="]
    assert completed("millebornes rules --set targets=") == ["targets=all", "targets=left"]
    assert completed("millebornes rules --set roll_200=") == ["roll_200=true", "roll_200=false"]


@click.command()
@table_options
@match_target_option()
@seed_option
@json_option
def probe(match_target: int | None, seed: str | None, as_json: bool, table: ChosenTable) -> None:
    rules = table.rules()
    click.echo(json.dumps([rules.edition, rules.table, rules.goal, rules.targets, match_target, seed, as_json]))


def probed(*words: str) -> list[object]:
    result = CliRunner().invoke(probe, words)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert isinstance(found, list)
    return found


def test_the_defaults_of_the_table_options() -> None:
    assert probed() == ["classic", "2x2", 700, "all", 5000, None, False]


def test_every_table_option() -> None:
    words = "--edition house --seats 6 --sides 3 --set targets=left --set goal=800 --match-target none --seed x --json"
    assert probed(*words.split()) == ["house", "6x3", 800, "left", None, "x", True]


def test_three_seats_make_three_sides() -> None:
    assert probed("--seats", "3")[1] == "3x3"
    assert probed("--seats", "4")[1:3] == ["4x2", 1000]


def test_an_edition_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\nlike = "house"\n[rules]\ngoal = 500\n', encoding="utf-8")
    assert probed("--edition", str(file))[:3] == [None, "2x2", 500]


@pytest.mark.parametrize(
    ("words", "option", "message"),
    [
        ("--edition bds", "--edition", "did you mean 'bsd'?"),
        ("--edition none.toml", "--edition", "none.toml: cannot be read"),
        ("--seats 9", "--seats", "must be a whole number from 2 to 8"),
        ("--seats x", "--seats", "not a valid integer"),
        ("--seats 4 --sides 3", "--sides", "4 seats make 2 or 4 equal sides"),
        ("--set goal=710", "--set", "goal: 710 is not allowed; it must be a multiple of 25 from 100 to 2000"),
        ("--set gaol=700", "--set", "did you mean 'goal'?"),
        ("--set goal", "--set", "write FIELD=VALUE"),
        ("--set goal=1000", "--set", "extension_goal=none too"),
        ("--set goal=500 --set goal=600", "--set", "goal: given twice"),
        ("--set deck=25:5", "--set", "cannot be dealt"),
        ("--set hazard_on=stack", "--set", "right_of_way_clears"),
        ("--match-target 0", "--match-target", "neither a whole number from 1 to 1000000 nor none"),
        ("--match-target 1e3", "--match-target", "neither a whole number"),
        ("--match-target ٣", "--match-target", "neither a whole number"),
    ],
)
def test_wrong_values_name_their_option(words: str, option: str, message: str) -> None:
    result = CliRunner().invoke(probe, words.split())
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    said = " ".join(result.stderr.split())
    assert f"Invalid value for '{option}'" in said
    assert message in said


def test_a_deck_too_small_for_the_table_is_the_fault_of_the_seats() -> None:
    result = CliRunner().invoke(probe, ["--seats", "5"])
    assert result.exit_code == 0, "the full deck is enough for five"
    with pytest.raises(click.UsageError, match="cannot be dealt"):
        rules_from("bsd", 8, None, {"deck": {"25": 20, "roll": 5}})


def test_types_take_values_that_are_already_read() -> None:
    assert SettingType().convert(("goal", 700), None, None) == ("goal", 700)
    assert MatchTargetType().convert(5000, None, None) == 5000


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_alone_on_a_terminal_it_starts_a_game(tmp_path: Path) -> None:
    import pexpect

    environment = {**os.environ, "MILLEBORNES_HOME": str(tmp_path), "LANGUAGE": "en", "TERM": "xterm-256color"}
    child = pexpect.spawn(
        sys.executable, ["-m", "millebornes"], env=environment, encoding="utf-8", timeout=300, dimensions=(24, 80)
    )
    child.expect("The motoring card game")
    child.send("q")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
