import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from millebornes.cli import cli
from millebornes.editions import EDITIONS, FIELDS, edition


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["editions", *words], env={"LC_ALL": "C"})


def test_all_editions_are_listed_with_what_matters() -> None:
    result = run()
    assert result.exit_code == 0, result.output
    blocks = result.stdout.split("\n\n")
    assert [block.partition(":")[0] for block in blocks] == list(EDITIONS)
    bsd = blocks[EDITIONS.index("bsd")]
    assert "  tables  2x2\n" in bsd
    assert "  deck    reduced, 101 cards\n" in bsd
    assert "  goal    700, extension to 1000\n" in bsd
    assert "BSD mille(6) manual page" in bsd
    assert "    - Safeties may not be discarded. (R4.8)" in bsd
    classic = blocks[EDITIONS.index("classic")]
    assert "2x2, 3x3, 6x2, 6x3: 700, extension to 1000; 4x2, 4x4: 1000, no extension" in classic
    assert "differences from classic" not in classic


def test_in_french() -> None:
    assert "différences avec classic :" in run("--language", "fr").stdout
    result = CliRunner().invoke(cli, ["editions"], env={"LC_ALL": "fr_FR.UTF-8", "LANGUAGE": ""})
    assert "Règles maison" in result.stdout


def test_json_holds_every_setting_of_every_table() -> None:
    listed = json.loads(run("--json").stdout)
    assert [entry["name"] for entry in listed] == list(EDITIONS)
    for entry in listed:
        found = edition(entry["name"])
        assert set(entry["settings"]) == set(FIELDS)
        assert entry["tables"] == [f"{seats}x{sides}" for seats, sides in found.tables]
        for seats, sides in found.tables:
            settings = entry["settings"] | entry["changes"].get(f"{seats}x{sides}", {})
            assert found.rules(seats, sides, settings) == found.rules(seats, sides)
    classic = listed[EDITIONS.index("classic")]
    four = {"goal": 1000, "extension_goal": None}
    assert classic["changes"] == {"4x2": four, "4x4": four}


def test_an_edition_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\nlike = "bsd"\n[rules.deck]\nroll = 10\n25 = 5\n', encoding="utf-8")
    text = run(str(file)).stdout
    assert text.startswith("mine\n")
    assert "custom, 15 cards" in text
    assert "25 miles × 5, Roll × 10" in text
    assert [entry["name"] for entry in json.loads(run("--json", str(file), "house").stdout)] == ["mine", "house"]


def test_an_unknown_edition() -> None:
    result = run("clasic")
    assert result.exit_code == 2
    assert "did you mean 'classic'?" in result.stderr


@pytest.mark.parametrize("text", ["", "name = 3", "name = 'x'\n[rules]\ngoal = 710", "= ", "\x00"])
def test_a_broken_file(text: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text, encoding="utf-8")
    result = run(str(file))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "bad.toml" in result.stderr.replace("\n", "")
