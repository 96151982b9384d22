"""A program that breaks the protocol loses the match; the game tells how, shows the sheet, and goes on."""

import sys
from pathlib import Path

from millebornes.notation import read_match
from millebornes.storage import load_results, read_save
from millebornes.table.setup import GameSetup
from millebornes.tui.plain import PlayOptions
from tests.plain.inside import Home

BOT = Path(__file__).parents[1] / "players" / "bad_bot.py"


def bad(way: str, folder: Path) -> str:
    return f"cmd:{sys.executable} {BOT} {way} {folder}"


def test_a_forfeit_is_told_and_the_others_win(home: Home) -> None:
    options = PlayOptions(setup=GameSetup(places=("human", bad("illegal", home.folder)), seed="3"))
    played = home.play(options, ["D 1", "W", "stats", "S", "over.jsonl", "n", ""])
    assert played.status == 0
    told = played.after("The match is over.\n")
    assert played.text.count("forfeits the match: it ") == 1
    assert "The unfinished hand doesn't count." in told
    assert "You win the match." in told
    assert told.count("Hand Total") == 2
    assert "Matches: 1 won, 0 lost." in told
    game = read_save(home.folder / "over.jsonl")
    assert game.is_over
    assert game.games == (1, 0)
    assert game.forfeit is not None
    assert (game.forfeit["side"], game.forfeit["seat"]) == (1, 1)
    with (home.folder / "over.jsonl").open("rb") as stream:
        assert not read_match(stream, "save").is_over  # as a transcript it is a match that was not played to its end
    (kept,) = load_results().matches
    assert (kept.winner, kept.loser) == (0, 1)


def test_a_lost_match_is_shown_again_and_another_can_begin(home: Home) -> None:
    options = PlayOptions(setup=GameSetup(places=("human", bad("illegal", home.folder)), seed="3"))
    home.play(options, ["D 1", "S", "over.jsonl"])
    again = home.resume(home.folder / "over.jsonl", "")
    assert "You win the match." in again.text
    assert "continues" not in again.text
    assert again.text.count("forfeits the match: it ") == 2  # it goes first in the next match
    assert again.text.count("Another game? (Y/n)") == 2
    assert len(load_results().matches) == 2
