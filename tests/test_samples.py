"""Every sample of a player or a bot in the documentation beats `random`, played as the page says."""

import doctest
import json
import os
import re
import shlex
import sys
from pathlib import Path

import pytest

from millebornes import Plan, make_rules, read_hello, run_arena
from millebornes.players.external.protocol import hello_line

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
HANDS = 60
LEAST_SHARE = 0.8
"""What is won by chance is half of the hands; all samples win nearly all."""


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def bot_of_bots_page() -> str:
    (sample,) = re.findall(r"^```text\n(import json.*?)^```$", page("bots.md"), re.MULTILINE | re.DOTALL)
    return str(sample)


def class_of_players_page() -> str:
    """The statements of the section on writing a player, up to the class."""
    section = page("players.md").split("\n## ")[0]
    sources = [example.source for example in doctest.DocTestParser().get_examples(section)]
    end = next(number for number, source in enumerate(sources) if "(Player)" in source)
    return "".join(sources[: end + 1])


def player_of_library_page() -> str:
    (sample,) = re.findall(r"^```python\n# sprinter.py\n(.*?)^```$", page("library.md"), re.MULTILINE | re.DOTALL)
    return str(sample)


def example_bot(name: str) -> str:
    return f"cmd:{shlex.quote(sys.executable)} -I -S {shlex.quote(str(ROOT / 'examples' / 'bots' / name))}"


def share_against_random(player: str) -> float:
    plan = Plan(rules=make_rules(), players=(player, "random"), games=HANDS, match_target=None, seed="samples")
    row = run_arena(plan).results[0]
    assert row.forfeits == 0, row.forfeit_list
    assert row.match_share is not None
    return row.match_share


def test_the_bot_of_a_dozen_lines_beats_random(tmp_path: Path) -> None:
    file = tmp_path / "mybot.py"
    file.write_text(bot_of_bots_page(), encoding="utf-8")
    assert share_against_random(f"cmd:{shlex.quote(sys.executable)} -I -S {shlex.quote(str(file))}") > LEAST_SHARE


@pytest.mark.parametrize("sample", [class_of_players_page, player_of_library_page], ids=["players", "library"])
def test_the_classes_beat_random(sample: object, tmp_path: Path) -> None:
    assert callable(sample)
    file = tmp_path / "sample.py"
    file.write_text(sample(), encoding="utf-8")
    assert share_against_random(f"py:{file}") > LEAST_SHARE


@pytest.mark.skipif(os.name == "nt", reason="the example is started as on POSIX")
@pytest.mark.parametrize("name", ["driver.py", "newcomer.py"])
def test_the_example_bots_beat_random(name: str) -> None:
    if not (ROOT / "examples" / "bots" / name).exists():
        pytest.skip("the examples are not here")
    assert share_against_random(example_bot(name)) > LEAST_SHARE


def test_no_sample_is_left_out() -> None:
    # A class of a player, or a bot, in any page is one of those above.
    found = sum(
        len(re.findall(r"class \w+\(Player\):|\"type\": \"ready\"", path.read_text(encoding="utf-8")))
        for path in [*DOCS.glob("*.md"), ROOT / "README.md"]
    )
    assert found == 3


def test_the_hello_that_can_be_pasted_is_what_a_host_says() -> None:
    (text,) = re.findall(r"line = '''\n(.*?)'''", page("bots.md"), re.DOTALL)
    said = json.loads(re.sub(r"^\.\.\. ", "", text, flags=re.MULTILINE))
    sent = json.loads(hello_line(0, make_rules(), ("basic", "mybot"), 5000))
    assert said == sent, "docs/bots.md: bring the sample up to date"
    assert read_hello(said).rules == make_rules()
