import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from millebornes.cli import cli
from millebornes.cli.reference.rules import plain_text
from millebornes.rulebook import clauses


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["rules", *words], env={"LC_ALL": "C"})


def shown(*words: str) -> str:
    result = run(*words)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_whole_rulebook() -> None:
    text = shown()
    assert text.startswith("The rules of Mille Bornes\n=========================\n")
    headings = [line for line in text.splitlines() if line.startswith("R")]
    for clause in clauses():
        assert f"{clause.number} {clause.title}" in headings
    assert "`" not in text
    assert "**" not in text


def test_the_whole_rulebook_in_french() -> None:
    text = shown("--language", "fr")
    for clause in clauses("fr"):
        assert f"{clause.number} {clause.title}\n" in text


@pytest.mark.parametrize("number", ["R4.2", "r4.2", "4.2"])
def test_one_clause(number: str) -> None:
    text = shown(number)
    assert text.startswith("R4.2 Remedies\n\nRepairs, gasoline and a spare tire")
    assert "R4.3" not in text


def test_a_chapter_has_all_its_clauses() -> None:
    text = shown("R5")
    for number in range(1, 7):
        assert f"\nR5.{number} " in text
    assert "R6.1 " not in text


def test_a_clause_at_a_table() -> None:
    text = shown("R4.4", "--edition", "house")
    assert "At this table (house, 2x2):" in text
    assert "if it is a different one" in text
    assert "No setting changes this." in shown("R4.5", "--edition", "house")


def test_what_an_edition_plays() -> None:
    text = shown("bsd")
    assert text.startswith("BSD mille (bsd, 2x2)\n====")
    assert "- Safeties may not be discarded. (R4.8, discard_safeties)\n" in text
    assert "- The trip is 700 miles long, and must be completed exactly. (R6.1, goal)\n" in text
    assert shown("BSD") == text == shown("--edition", "bsd")


def test_what_a_table_plays() -> None:
    text = shown("classic", "--seats", "4", "--set", "targets=left")
    assert "4 seats in 2 sides of 2" in text
    assert "The trip is 1000 miles long" in text
    assert "There is no extension" in text
    assert "on the side of the seat to the left" in text
    assert "Changed from the edition: targets." in text
    assert "not one of those the edition was made for" not in text
    assert "This table is not one of those the edition was made for (2x2)." in shown("bsd", "--seats", "4")


def test_how_two_editions_differ() -> None:
    text = shown("--compare", "bsd", "classic")
    assert text.startswith("bsd and classic at a table of 2x2\n")
    fields = [line.partition(" ")[0] for line in text.splitlines() if line.endswith(")") and not line.startswith(" ")]
    assert fields == ["deck", "safety_gives_roll", "discard_safeties", "hand_end"]
    assert "  bsd:     Safeties may not be discarded.\n  classic: Any card may be discarded, even a safety.\n" in text


def test_editions_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\nlike = "bsd"\n[rules]\ngoal = 500\n', encoding="utf-8")
    assert shown(str(file)).startswith("mine (mine, 2x2)\n")
    assert "At this table (mine, 2x2):" in shown("R6.1", "--edition", str(file))
    assert json.loads(shown(str(file), "--json"))["edition"] == "mine"
    assert "  mine: The trip is 500 miles long" in shown("--compare", str(file), "bsd")
    other = tmp_path / "bsd.toml"
    other.write_text('name = "bsd"\nlike = "bsd"\n[rules]\ngoal = 500\n', encoding="utf-8")
    assert f"{other} and bsd at a table" in shown("--compare", str(other), "bsd")


def test_no_difference() -> None:
    assert shown("--compare", "classic", "classic") == "classic and classic at a table of 2x2: no difference.\n"


def test_a_difference_that_a_table_makes() -> None:
    assert "goal (R6.1)" in shown("--compare", "house", "classic")
    assert "goal (R6.1)" not in shown("--compare", "house", "classic", "--seats", "4")


def test_json_of_clauses() -> None:
    data = json.loads(shown("--json"))
    assert [entry["clause"] for entry in data["clauses"]] == [clause.number for clause in clauses()]
    one = json.loads(shown("R4.2", "--json"))["clauses"]
    assert one[0]["clause"] == "R4.2"
    assert one[0]["title"] == "Remedies"
    assert one[0]["text"].startswith("Repairs, gasoline")
    at_table = json.loads(shown("R4.4", "--json", "--set", "targets=left"))
    assert at_table["settings"][0]["value"] == "rolling"


def test_json_of_an_edition() -> None:
    data = json.loads(shown("bsd", "--json", "--set", "goal=600"))
    assert (data["edition"], data["seats"], data["sides"], data["set"]) == ("bsd", 2, 2, {"goal": 600})
    values = {entry["field"]: entry["value"] for entry in data["settings"]}
    assert values["deck"] == "reduced"
    assert values["goal"] == 600
    assert values["discard_safeties"] is False


def test_json_of_differences() -> None:
    data = json.loads(shown("--compare", "mille2", "bsd", "--json"))
    by_field = {entry["field"]: (entry["a"], entry["b"]) for entry in data["differences"]}
    assert by_field == {
        "hazard_on": ("stack", "rolling"),
        "right_of_way_clears": (False, True),
        "safety_gives_roll": (False, True),
        "discard_safeties": (True, False),
        "all_safeties_bonus": (700, 300),
        "hand_end": ("points", "plays"),
        "tie": ("play_on", "draw"),
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["R4.99"], "there is no clause 'R4.99' in the rules; R4 has R4.1 to R4.10"),
        (["R12"], "the chapters are R1 to R9"),
        (["R7.1"], "R7 is not divided into clauses"),
        (["R4."], "there is no clause 'R4.'"),
        (["bds"], "did you mean 'bsd'?"),
        (["nowhere.toml"], "nowhere.toml: cannot be read"),
        (["--compare", "bsd", "clasic"], "did you mean 'classic'?"),
        (["bsd", "--compare", "bsd", "classic"], "leave out the separate edition"),
        (["bsd", "--edition", "classic"], "give only one edition"),
        (["bsd", "--set", "goal=710"], "goal: 710 is not allowed"),
        (["bsd", "--seats", "9"], "from 2 to 8"),
    ],
)
def test_wrong_usage(words: list[str], message: str) -> None:
    result = run(*words)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert message in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    ("words", "expected"),
    [(["R1"], "flat_tire"), (["--compare", "bsd", "classic"], "discard_safeties"), (["bsd"], "BSD mille")],
)
def test_on_a_terminal_it_is_laid_out(words: list[str], expected: str, tmp_path: Path) -> None:
    pexpect = pytest.importorskip("pexpect")
    child = pexpect.spawn(
        sys.executable,
        ["-m", "millebornes", "rules", *words],
        env={"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "PYTHONPATH": "src"},
        encoding="utf-8",
        dimensions=(60, 100),
        timeout=300,
    )
    text = child.read()
    child.close()
    assert child.exitstatus == 0
    assert expected in text
    assert "\x1b[" in text, "no colour or emphasis"
    assert "|---|" not in text


def test_plain_text_of_markdown() -> None:
    markdown = "# Ä\n\n## B c\n\n### D\n\nsome *fine* `code` and **more**, 2*3*4\n\n* one\n* two\n\n"
    markdown += "| a | `b` |\n|---|---|\n| ccc | d |"
    assert plain_text(markdown).splitlines() == [
        "Ä",
        "=",
        "",
        "B c",
        "---",
        "",
        "D",
        "",
        "some fine code and more, 2*3*4",
        "",
        "- one",
        "- two",
        "",
        "a    b",
        "---  -",
        "ccc  d",
    ]
