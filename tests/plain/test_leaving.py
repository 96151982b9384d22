"""Every way out: quitting, the end of input, signals, and what is left behind."""

import os
import signal
from pathlib import Path

import pytest

from millebornes.editions import make_rules
from millebornes.game import Match
from millebornes.notation import read_match
from millebornes.storage import read_save, saves_folder
from millebornes.tui.plain import Options
from tests.plain.driver import Game
from tests.plain.inside import Home

pytestmark = pytest.mark.slow  # real terminals

RULES = make_rules("classic")
ALONE = Options(rules=RULES, seats=("human", "basic"), seed="4")


def test_the_end_of_input_saves_and_tells_where(home: Home) -> None:
    played = home.play(ALONE, ["D 1", "D 1"])
    assert played.status == 0
    assert f"The game is saved in {home.autosave}. To go on: millebornes play\n" in played.text
    game = read_save(home.autosave)
    assert game.seats == ("human", "basic")
    assert sum(move.text.startswith("-") for move in game.match.hand.moves[::2]) >= 1


@pytest.mark.parametrize("options", [Options(), ALONE])
def test_nothing_begun_nothing_saved(home: Home, options: Options) -> None:
    played = home.play(options, [])
    assert played.status == 0
    assert "saved" not in played.text
    assert not home.autosave.exists()


def test_quit_asks_twice(home: Home) -> None:
    played = home.play(ALONE, ["Q", "n", "Q", "", "\x7f", "y", "n"])
    assert played.text.count("Really quit? (y/N)") == 3
    assert played.text.count("Save the game? (Y/n)") == 1
    assert played.status == 0
    assert not home.autosave.exists()


def test_save_under_a_name_and_go_on(home: Home) -> None:
    played = home.play(ALONE, ["S", "", "S", "mine.jsonl", "S", "", "S", "n", "other.jsonl", "D 1", "Q", "y", "y", "y"])
    assert "Not saved." in played.text
    mine, other = home.folder / "mine.jsonl", home.folder / "other.jsonl"
    assert played.text.count(f"Saved in {mine}.") == 2
    assert played.text.count(f"Saved in {other}.") == 2
    assert read_save(mine).match.hand.ply == 0
    assert read_save(other).match.hand.ply > 0
    assert not home.autosave.exists()
    again = home.resume(other, "R")
    assert again.status == 0
    assert f"The game is saved in {other}." in again.text


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"my diary\n", "no saved game of Mille Bornes"),
        (b"", "the file is empty"),
        (b'{"format":"millebornes/2"}\n', "newer version"),
        (b'{"format":"millebornes/1","save":{"version":99}}\n', "newer version"),
        (b'{"format":"millebornes/1","save":{"version":1,"checksum":"0"}}\n', "damaged"),
    ],
)
def test_what_is_no_save_of_ours_is_neither_read_nor_written_over(home: Home, content: bytes, says: str) -> None:
    path = home.folder / "precious"
    path.write_bytes(content)
    played = home.play(ALONE, ["S", "precious", "good.jsonl"])
    assert "The game could not be saved." in played.text
    assert says in played.text
    assert f"Saved in {home.folder / 'good.jsonl'}." in played.text
    assert path.read_bytes() == content
    with Game(home.folder, str(path)) as game:
        assert game.finish() == 1
    assert says in game.seen
    assert "Traceback" not in game.seen
    assert path.read_bytes() == content


def test_another_game_is_written_over_only_when_asked(home: Home) -> None:
    other = home.save(Match.start(RULES, "x", players=("You", "basic")), ["human", "basic"], "other.jsonl")
    before = other.read_bytes()
    played = home.play(ALONE, ["S", "other.jsonl", "n", ""])
    assert "Write over it? (y/N)" in played.text
    assert other.read_bytes() == before
    home.play(ALONE, ["S", "other.jsonl", "y"])
    assert read_save(other).seed == "4"


def test_a_failed_save_can_be_tried_again_and_play_goes_on(home: Home) -> None:
    played = home.play(
        ALONE, ["S", "no/such/folder/x", "/dev/null", ".", "", "D 1", "Q", "y", "y", "no/such/x", "", "L"]
    )
    assert "The game could not be saved." in played.text
    assert "You discard" in played.text
    assert "You can:" in played.after("Not saved.")


def test_another_hand_and_another_game_are_counted(home: Home) -> None:
    match = Match.start(RULES, "seed", players=("random", "random"), match_target=None)
    played = home.resume(home.save(match, ["random", "random"]), "", "y", "x", "n", "y", "n", "", "n", "n")
    assert played.text.count("Another hand? (Y/n)") == 5
    assert "The game goes on." in played.text
    assert "Please answer yes or no." in played.text
    short = Match.start(RULES, "seed", players=("random", "random"), match_target=1)
    path = home.save(short, ["random", "random"], "short.jsonl")
    played = home.resume(path, "", "n", "y", "y")
    assert played.text.count("Another game? (Y/n)") == 2
    games = [line.split()[1:] for line in played.text.splitlines() if line.startswith("Games ")]
    assert [sum(map(int, row)) for row in games] == [1, 2]
    assert read_save(path).games == tuple(map(int, games[-1]))
    assert read_save(path).match.hand.first == 1  # the second match begins one seat further to the left


def test_a_finished_match_is_kept_at_the_end_of_input(home: Home) -> None:
    home.play(Options(rules=RULES, seats=("random", "random"), match_target=1, seed="4"), [])
    kept = list(saves_folder().glob("game-*.jsonl"))
    assert len(kept) == 1
    with kept[0].open("rb") as stream:
        assert read_match(stream).is_over
    assert not home.autosave.exists()
    assert "unfinished" not in home.play(Options(), []).text


def test_an_unfinished_game_is_offered_again(home: Home) -> None:
    home.play(ALONE, ["D 1"])
    saved = home.autosave.read_bytes()
    taken = home.play(Options(), ["y", "R"])
    assert "There is an unfinished game (You, basic). Go on with it? (Y/n)" in taken.text
    assert "Which rules?" not in taken.text
    assert home.autosave.read_bytes() == saved
    refused = home.play(Options(), ["n", "n", "bsd", "", "D 1"])
    assert "It is kept as" in refused.text
    kept = list(saves_folder().glob("game-*.jsonl"))
    assert [path.read_bytes() for path in kept] == [saved]
    assert read_save(home.autosave).match.rules.edition == "bsd"


def test_a_save_that_went_on_is_taken_up_where_it_broke_off(home: Home) -> None:
    path = home.save(Match.start(RULES, "x", players=("You", "basic")), ["human", "basic"])
    with Game(home.folder, str(path)) as game:
        game.wait()
        game.ask("D 1")
        game.child.kill(signal.SIGKILL)
    played = home.resume(path, "y")
    assert "This game went on after it was last saved." in played.text
    assert read_save(path).match.hand.ply > 0  # the input ended: saved where it came from


def test_a_new_game_can_be_begun_under_a_name(home: Home) -> None:
    path = home.folder / "new.jsonl"
    asked = home.play(Options(save=path), ["y", "", "", "D 1"])
    assert "Begin a new game that is saved there? (Y/n)" in asked.text
    assert read_save(path).match.hand.ply > 0


def test_a_misspelt_save_is_an_error(home: Home) -> None:
    with Game(home.folder, "nosuch.jsonl") as game:
        game.wait(r"saved there\? \(Y/n\) ")
        game.send("n")
        assert game.finish() == 1
    assert "nosuch.jsonl: there is no such file" in game.seen


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser can write anywhere")
def test_a_read_only_folder_does_not_stop_the_game(home: Home) -> None:
    home.folder.chmod(0o555)
    try:
        _check_unsaved(home)
    finally:
        home.folder.chmod(0o755)


def test_a_folder_that_cannot_be_made_does_not_stop_the_game(home: Home) -> None:
    (home.folder / "data").write_text("a file where the folder should be")
    _check_unsaved(home)


def _check_unsaved(home: Home) -> None:
    played = home.play(ALONE, ["D 1", "O", "S", "x/y", ""])
    assert "This game cannot save itself:" in played.text
    assert "You discard" in played.text
    assert "The game could not be saved." in played.text
    assert played.status == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_save_and_leave(tmp_path: Path, number: int) -> None:
    with Game(tmp_path, "--edition", "bsd", "--seed", "4") as game:
        game.wait()
        game.ask("D 1")
        ply = read_save(tmp_path / "data" / "saves" / "autosave-1.jsonl").match.hand.ply
        game.child.kill(number)
        assert game.finish() == 0
        assert "The game is saved in" in game.seen
    assert read_save(tmp_path / "data" / "saves" / "autosave-1.jsonl").match.hand.ply == ply > 0


def test_control_c_asks_to_quit_and_twice_means_it(tmp_path: Path) -> None:
    with Game(tmp_path, "--edition", "bsd", "--seed", "4") as game:
        game.wait()
        game.ask("D 1")
        game.child.sendintr()
        game.wait(r"Really quit\? \(y/N\) ")
        game.send("n")
        game.wait(r"Your move: ")
        game.child.sendintr()
        game.wait(r"Really quit\? \(y/N\) ")
        game.child.sendintr()
        assert game.finish() == 0
        assert "The game is saved in" in game.seen


def test_the_terminal_goes_away(tmp_path: Path) -> None:
    with Game(tmp_path, "--edition", "bsd", "--seed", "4") as game:
        game.wait()
        game.ask("D 1")
        game.child.close(force=False)
    assert read_save(tmp_path / "data" / "saves" / "autosave-1.jsonl").match.hand.ply > 0


def test_two_games_at_once_keep_apart(tmp_path: Path) -> None:
    with (
        Game(tmp_path, "--edition", "bsd", "--seed", "4") as one,
        Game(tmp_path, "--edition", "house", "--seed", "5") as two,
    ):
        one.wait()
        two.wait()
        one.ask("D 1")
        two.ask("D 1")
        saves = [read_save(path) for path in sorted((tmp_path / "data" / "saves").glob("autosave-*.jsonl"))]
        assert sorted(str(game.match.rules.edition) for game in saves) == ["bsd", "house"]
        with Game(tmp_path, str(tmp_path / "data" / "saves" / "autosave-1.jsonl")) as third:
            assert third.finish() == 1
            assert "being played by another running program" in third.seen


def test_options_that_contradict_a_save_are_refused(home: Home) -> None:
    path = home.save(Match.start(RULES, "x", players=("You", "basic")), ["human", "basic"])
    for options, says in (
        ([str(path), "--edition", "bsd"], "leave these options out"),
        (["--player", "cmd:./bot"], "cmd:"),
        (["--edition", "bsd", "--name", "Ann", "--name", "Bo"], "2 names for 1 people"),
        (["--player", "nobody"], "there is no player 'nobody'"),
        (["--seats", "2", "--player", "human", "--player", "basic", "--player", "basic"], "3 players for 2 seats"),
    ):
        with Game(home.folder, *options) as game:
            assert game.finish() == 2
        assert says in game.seen
        assert "Traceback" not in game.seen
