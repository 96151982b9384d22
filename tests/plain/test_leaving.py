"""Every way out: quitting, the end of input, signals, and what is left behind."""

import signal
from pathlib import Path

import pytest
from click.testing import CliRunner

from millebornes.cli import cli
from millebornes.editions import make_rules
from millebornes.errors import SaveError
from millebornes.game import Match
from millebornes.storage import read_save, saves_folder
from millebornes.table.setup import GameSetup
from millebornes.tui.plain import PlayOptions
from tests.plain.driver import Game
from tests.plain.inside import Home

pytestmark = pytest.mark.slow  # real terminals

RULES = make_rules("classic")
ALONE = PlayOptions(setup=GameSetup(rules=RULES, places=("human", "basic"), seed="4"))


def test_the_end_of_input_saves_and_tells_where(home: Home) -> None:
    played = home.play(ALONE, ["D 1", "D 1"])
    assert played.status == 0
    assert f"Your game is saved in {home.autosave}. To resume it: millebornes play\n" in played.text
    game = read_save(home.autosave)
    assert game.seats == ("human", "basic")
    assert sum(move.text.startswith("-") for move in game.match.hand.moves[::2]) >= 1


@pytest.mark.parametrize("options", [PlayOptions(), ALONE])
def test_nothing_begun_nothing_saved(home: Home, options: PlayOptions) -> None:
    played = home.play(options, [])
    assert played.status == 0
    assert "saved" not in played.text
    assert not home.autosave.exists()


def test_quitting_keeps_the_game_and_says_how_to_go_on(home: Home) -> None:
    played = home.play(ALONE, ["D 1", "Q", "n", "Q", "what", "n", "\x7f", ""])
    assert played.text.count("Your game is saved. To resume it, type: millebornes play") == 4
    assert "Enter quits, S saves it to a file of your choice, D deletes it, N keeps playing:" in played.text
    assert "Please type one of these letters." in played.text
    assert played.status == 0
    assert read_save(home.autosave).match.hand.ply > 0


def test_a_game_is_deleted_only_after_a_question_that_says_so(home: Home) -> None:
    played = home.play(ALONE, ["D 1", "Q", "D", "", "n", "D 1", "Q"])
    assert "Delete this game? You can't get it back. (y/N)" in played.text
    assert home.autosave.exists()
    home.autosave.unlink()
    home.play(ALONE, ["D 1", "Q", "d", "y"])
    assert not home.autosave.exists()


def test_a_game_without_a_move_is_left_at_once(home: Home) -> None:
    played = home.play(ALONE, ["Q", "n", "Q", ""])
    assert played.text.count("There's nothing to save yet.\nQuit? (Y/n)") == 2
    assert "Enter quits" not in played.text
    assert not home.autosave.exists()


def test_a_name_that_can_be_no_file_is_refused(home: Home) -> None:
    played = home.play(ALONE, ["D 1", "S", "~nobody-of-this-name/x", "\x1b[2Jx", "a\x00b", "-", "L"])
    assert "~nobody-of-this-name/x: there is no such home folder" in played.text
    assert played.text.count("the name of a file can't contain control characters") == 2
    assert "\x1b" not in played.text
    assert "You can:" in played.after("Not saved.")


def test_save_under_a_name_and_go_on(home: Home) -> None:
    played = home.play(ALONE, ["S", "-", "S", "mine.jsonl", "S", "", "S", "other.jsonl", "D 1", "Q", "D", "n", "y"])
    mine, other = home.folder / "mine.jsonl", home.folder / "other.jsonl"
    assert "File name (Enter: millebornes.jsonl; a hyphen goes back):" in played.text
    assert f"File name (Enter: {mine}; a hyphen goes back):" in played.text
    assert "Not saved." in played.text
    assert "Enter quits, S saves it to another file" in played.text
    assert "D quits without saving" in played.text
    assert f"You lose everything since {other} was last saved. (y/N)" in played.text
    assert played.text.count(f"Saved in {mine}.") == 2
    assert played.text.count(f"Saved in {other}.") == 1
    assert read_save(mine).match.hand.ply == 0
    assert read_save(other).match.hand.ply > 0
    assert not home.autosave.exists()
    again = home.resume(other, "R")
    assert again.status == 0
    assert f"Your game is saved in {other}." in again.text


def test_another_game_is_written_over_only_when_asked(home: Home) -> None:
    other = home.save(Match.start(RULES, "x", players=("You", "basic")), ["human", "basic"], "other.jsonl")
    before = other.read_bytes()
    played = home.play(ALONE, ["S", "other.jsonl", "n", "-"])
    assert "Replace it? (y/N)" in played.text
    assert other.read_bytes() == before
    home.play(ALONE, ["S", "other.jsonl", "y"])
    assert read_save(other).seed == "4"


def test_a_failed_save_can_be_tried_again_and_play_goes_on(home: Home) -> None:
    played = home.play(
        ALONE, ["S", "no/such/folder/x", "/dev/null", ".", "-", "D 1", "Q", "s", "no/such/x", "-", "n", "L"]
    )
    assert "The game couldn't be saved." in played.text
    assert "You discard" in played.text
    assert "You can:" in played.after("Not saved.")


def test_another_hand_and_another_game_are_counted(home: Home) -> None:
    match = Match.start(RULES, "seed", players=("random", "random"), match_target=None)
    played = home.resume(home.save(match, ["random", "random"]), "", "y", "x", "n", "n", "n", "")
    assert played.text.count("Another hand? (Y/n)") == 5
    assert "The game continues." in played.text
    assert "Please answer yes or no." in played.text
    short = Match.start(RULES, "seed", players=("random", "random"), match_target=1)
    path = home.save(short, ["random", "random"], "short.jsonl")
    played = home.resume(path, "", "n", "")
    assert played.text.count("Another game? (Y/n)") == 2
    games = [line.split()[2:] for line in played.text.splitlines() if line.startswith("Matches Won ")]
    assert [sum(map(int, row)) for row in games] == [1, 2]
    assert read_save(path).games == tuple(map(int, games[-1]))
    assert read_save(path).match.hand.first == 1  # the second match begins one seat further to the left


def test_unfinished_games_are_offered_again(home: Home) -> None:
    home.play(ALONE, ["D 1"])
    saved = home.autosave.read_bytes()
    taken = home.play(PlayOptions(), ["", "R"])
    assert (
        "There is 1 unfinished game:\n  1  You, Sam · basic; points 0, 0; Classic, to 5000 points, hand 1, "
        in taken.text
    )
    assert "Which rules?" not in taken.text
    assert home.autosave.read_bytes() == saved
    refused = home.play(PlayOptions(seed="4"), ["n", "n", "bsd", "", "D 1"])
    assert "Which one? Enter resumes 1, N begins a new game" in refused.text
    assert home.autosave.read_bytes() == saved
    both = home.play(PlayOptions(), ["3", "what", "2", "D 1"])
    assert "There are 2 unfinished games:\n  1  You, Sam · Easy; points 0, 0; BSD mille" in both.text
    assert (
        both.text.count("Please type a number from 1 to 2, N, or “delete” and the numbers to delete (or “all”).") == 2
    )
    assert "Hand 1 continues." in both.text
    assert "Rules: classic." in both.text
    assert home.autosave.read_bytes() != saved


def test_unfinished_games_are_deleted_by_their_numbers(home: Home) -> None:
    for _ in range(4):
        home.play(ALONE, ["D 1"])
    told = home.play(PlayOptions(), ["delete", "delete 9", "delete 1, 3", "n", "delete 1 3", "y", "D 2", "y", "n"])
    assert told.text.count("Please type a number from 1 to 4, N,") == 2
    assert told.text.count("Delete these 2 games? You can't get them back. (y/N)") == 2
    assert "Deleted.\nThere are 2 unfinished games:" in told.text
    assert "Delete this game? You can't get it back. (y/N)" in told.text
    assert "Same as last time" in told.after("There is 1 unfinished game:")
    assert len(list(saves_folder().glob("*.jsonl"))) == 1
    home.play(ALONE, ["D 1"])
    french = home.play(PlayOptions(language="fr"), ["supprimer tout", "o"])
    assert "Supprimer ces 2 parties ? C’est définitif. (o/N)" in french.text
    assert "Comme la dernière fois" in french.after("Supprimé.")
    assert not list(saves_folder().glob("*.jsonl"))


def test_a_save_that_went_on_is_taken_up_where_it_broke_off(home: Home) -> None:
    path = home.save(Match.start(RULES, "x", players=("You", "basic")), ["human", "basic"])
    with Game(home.folder, str(path)) as game:
        game.wait()
        game.ask("D 1")
        game.child.kill(signal.SIGKILL)
    played = home.resume(path, "y")
    assert "You played on after this game was last saved." in played.text
    assert read_save(path).match.hand.ply > 0  # the input ended: saved where it came from


def test_a_new_game_can_be_begun_under_a_name(home: Home) -> None:
    path = home.folder / "new.jsonl"
    asked = home.play(PlayOptions(save=path, seed="4"), ["y", "", "", "D 1"])
    assert "Start a new game and save it there? (Y/n)" in asked.text
    assert read_save(path).match.hand.ply > 0


def test_a_misspelt_save_is_an_error(home: Home) -> None:
    with pytest.raises(SaveError, match=r"nosuch\.jsonl: there is no such file"):
        home.resume(home.folder / "nosuch.jsonl", "n")


def test_a_folder_that_cannot_be_made_does_not_stop_the_game(home: Home) -> None:
    (home.folder / "data").write_text("a file where the folder should be")
    played = home.play(ALONE, ["D 1", "O", "S", "x/y", "-"])
    assert "This game can't be saved automatically:" in played.text
    assert "You discard" in played.text
    assert "The game couldn't be saved." in played.text
    assert played.status == 1


def test_a_signal_saves_and_leaves(tmp_path: Path) -> None:
    with Game(tmp_path, "--edition", "bsd", "--seed", "4") as game:
        game.wait()
        game.ask("D 1")
        ply = read_save(tmp_path / "data" / "saves" / "autosave-1.jsonl").match.hand.ply
        game.child.kill(signal.SIGTERM)
        assert game.finish() == 0
        assert "Your game is saved in" in game.seen
    assert read_save(tmp_path / "data" / "saves" / "autosave-1.jsonl").match.hand.ply == ply > 0


def test_control_c_asks_to_quit_and_twice_means_it(tmp_path: Path) -> None:
    with Game(tmp_path, "--edition", "bsd", "--seed", "4") as game:
        game.wait()
        game.ask("D 1")
        game.child.sendintr()
        game.wait(r"N keeps playing: ")
        game.send("n")
        game.wait(r"Your move: ")
        game.child.sendintr()
        game.wait(r"N keeps playing: ")
        game.child.sendintr()
        assert game.finish() == 0
        assert "Your game is saved in" in game.seen


def test_the_terminal_goes_away(tmp_path: Path) -> None:
    with Game(tmp_path, "--edition", "bsd", "--seed", "4") as game:
        game.wait()
        game.ask("D 1")
        game.child.close(force=False)
    assert read_save(tmp_path / "data" / "saves" / "autosave-1.jsonl").match.hand.ply > 0


def test_options_that_contradict_a_save_are_refused(home: Home) -> None:
    path = home.save(Match.start(RULES, "x", players=("You", "basic")), ["human", "basic"])
    for options, says in (
        ([str(path), "--edition", "bsd"], "leave out these options"),
        (["--player", "cmd:./bot"], "cmd:"),
        (["--edition", "bsd", "--name", "Ann", "--name", "Bo"], "2 names for 1 people"),
        (["--player", "nobody"], "there is no player 'nobody'"),
        (["--seats", "2", "--player", "human", "--player", "basic", "--player", "basic"], "3 players for 2 seats"),
    ):
        done = CliRunner().invoke(cli, ["play", "--plain", *options])
        assert done.exit_code == 2
        assert says in done.output
