"""Whole matches through the real program in a pseudo-terminal, each edition at each of its tables."""

import re
from pathlib import Path

import pytest

from millebornes.editions import EDITIONS, edition
from millebornes.i18n import translator
from millebornes.notation import read_match
from millebornes.roster import ROSTER, level_word
from millebornes.storage import read_save
from millebornes.tui.plain import PlayOptions
from tests.plain.driver import ANOTHER_GAME, Game
from tests.plain.inside import Home

pytestmark = pytest.mark.slow  # whole matches in real terminals

TABLES = [(name, seats, sides) for name in EDITIONS for seats, sides in edition(name).tables]
QUICK = [("classic", 3, 3), ("house", 6, 3)]


def _match(tmp_path: Path, name: str, seats: int, sides: int, target: int) -> None:
    save = tmp_path / "over.jsonl"
    options = [
        "--edition",
        name,
        "--seats",
        str(seats),
        "--sides",
        str(sides),
        "--seed",
        "7",
        "--match-target",
        str(target),
    ]
    with Game(tmp_path, *options, rng=seats) as game:
        game.play(stop=ANOTHER_GAME)
        overall = re.findall(r"^Overall Total +([\d ]+?)\r?$", game.seen, re.MULTILINE)
        game.send("s")
        game.wait(r"File name")
        game.send(str(save))
        game.wait(r"Another game\?")
        game.send("n")
        game.wait(r"Enter quits")
        game.send("")
        assert game.finish() == 0
    assert "Traceback" not in game.seen
    with save.open("rb") as stream:
        match = read_match(stream, "save")  # a referee of its own: every move legal, every score right
    assert match.is_over
    assert (match.rules.edition, match.rules.seats, match.rules.sides) == (name, seats, sides)
    assert [int(total) for total in overall[-1].split()] == list(match.totals)
    assert len(overall) == match.hand_number
    assert game.seen.count("The match so far") == match.hand_number - 1  # from the second hand on


@pytest.mark.parametrize(("name", "seats", "sides"), QUICK)
def test_a_short_match(tmp_path: Path, name: str, seats: int, sides: int) -> None:
    _match(tmp_path, name, seats, sides, 200)


@pytest.mark.once
@pytest.mark.parametrize(("name", "seats", "sides"), [table for table in TABLES if table not in QUICK])
def test_a_short_match_at_every_other_table(tmp_path: Path, name: str, seats: int, sides: int) -> None:
    _match(tmp_path, name, seats, sides, 200)


@pytest.mark.campaign
@pytest.mark.parametrize(("name", "seats", "sides"), TABLES)
def test_a_whole_match_at_every_table(tmp_path: Path, name: str, seats: int, sides: int) -> None:
    _match(tmp_path, name, seats, sides, 5000)


def test_everything_can_be_asked_for(tmp_path: Path) -> None:
    with Game(tmp_path) as game:
        for prompt, answer in [
            (r"\[classic\] ", "9"),
            (r"\[classic\] ", "house"),
            (r"C changes this\. ", "x"),
            (r"C changes this\. ", "c"),
            (r"Table: \[1\] ", "3"),
            (r"at this keyboard\? \[1\] ", "2"),
            (r"Seats of the 2 people: \[1 2\] ", "1 1"),
            (r"Seats of the 2 people: \[1 2\] ", "1 3"),
            (r"seat 1 \(Enter: none\): ", "Ann"),
            (r"seat 3 \(Enter: none\): ", "Ann"),
            (r"Computer player: \[4\] ", "1"),
            (r"single hands\): \[5000\] ", "0"),
            (r"card counting\? \(y/N\) ", ""),
        ]:
            game.wait(prompt)
            game.send(answer)
        game.wait(r"press Enter when no one else is looking\. ")
    assert "Side 1: Ann and Ann#2." in game.seen
    assert "Side 2: Sam · random and Alex · random." in game.seen
    assert "Single hands" in game.seen
    assert "The trip: 1000 miles" in game.seen


@pytest.mark.parametrize("name", ROSTER)
def test_every_level_can_be_chosen_and_goes_on_after_a_resume(home: Home, name: str) -> None:
    number = list(ROSTER).index(name) + 1
    answers = ["classic", "c", "", "", "", str(number), "", "n"]
    played = home.play(PlayOptions(seed="4"), [*answers, "D 1"])
    assert f"  {number}  {name}: " in played.text
    level = level_word(name, translator("en"))
    assert f"Side 2: Sam · {level}." in played.text
    assert f"Side 2: Sam · {level}." in home.resume(home.autosave, "D 1").text
    assert read_save(home.autosave).seats == ("human", name)
