"""What is shown of texts of others: names of which nothing is hidden, and no control characters on a terminal."""

import sys
import unicodedata
from pathlib import Path

import pytest

from millebornes.editions import load_edition, make_rules
from millebornes.game import Match
from millebornes.shown import clean_name, clean_text, distinct, look_of, one_line, visible
from millebornes.storage.saves import SavedGame, SaveWriter, read_save


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ann", "Ann"),
        ("  Ann \t of\nKent ", "Ann of Kent"),
        ("A\u030angstro\u0308m", "\u00c5ngstr\u00f6m"),
        ("\u200b\u2060\ufeffBo\u00ad\u200f", "Bo"),
        ("\u202eoB", "oB"),
        ("B\u200do\u200c", "Bo"),
        ("\x1b[31mBo\x9b", "[31mBo"),
        ("\u3164", ""),
        ("\u2800\u00a0\u3000", ""),
        ("\u115f\u1160\uffa0", ""),
        ("\ue000\U000e0041\U0010ffff", ""),
        ("\u0301", ""),
        ("\u180e\ufe0f\u034f", ""),
        ("e" + 30 * "\u0301", "\u00e9" + 4 * "\u0301"),
        ("x" * 30, "x" * 20),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),  # a family
        ("\u0dc1\u0dca\u200d\u0dbb\u0dd3", "\u0dc1\u0dca\u200d\u0dbb\u0dd3"),  # Sri, in Sinhala
        (
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        ),  # Persian
        ("\u200d\U0001f600\u200d", "\U0001f600"),
    ],
)
def test_a_name_is_what_is_seen_of_it(typed: str, shown: str) -> None:
    assert clean_name(typed) == shown
    assert clean_name(shown) == shown


def test_no_hidden_character_is_left_in_a_name() -> None:
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"}:
            assert clean_text(f"a{char}") == "a", hex(code)


@pytest.mark.parametrize(
    "names",
    [
        ("Ann", "ann"),
        ("Zo\u00eb", "Zoe\u0308"),
        ("Ann", "A\u200bnn"),
        ("Ann", "\u0410nn"),
        ("Ann", "\uff21nn"),
        ("Bo", "\u0392\u03bf"),
        ("Ann  B", "Ann B"),
        ("\u017fam", "Sam"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\U0001f469"),
    ],
)
def test_names_that_look_the_same_are_told_apart(names: tuple[str, str]) -> None:
    assert look_of(names[0]) == look_of(names[1])
    assert distinct(names) == (names[0], f"{names[1]}#2")
    assert distinct(("Ann", *names, "Bob"))[3] == "Bob"


def test_what_cannot_be_seen_is_written_out() -> None:
    assert visible("\x1b[1mna\u00efve\u00a0\U0001f600\x9b\u202e\n\tb\r\0") == (
        "\\u001b[1mna\u00efve\u00a0\U0001f600\\u009b\\u202e\n\tb\\u000d\\u0000"
    )
    assert visible("\x1b[1mb\x9b\U000e0041", styled=True) == "\x1b[1mb\\u009b\\udb40\\udc41"
    assert one_line(" a\n b\x1b") == "a b\\u001b"
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        if unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"} or unicodedata.bidirectional(char) in {
            *("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
        }:
            assert (visible(char) == char) == (char in "\n\t"), hex(code)


def test_marks_of_editors_are_read(tmp_path: Path) -> None:
    """A byte-order mark, and ends of lines with CR, as Windows and mail programs write them."""
    text = 'name = "mine"\nlike = "classic"\n[rules]\ngoal = 900\n'
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert load_edition(str(path)).rules(2).goal == 900
    match = Match.start(make_rules("classic"), seed="1", players=("Ann", "random"))
    game = SavedGame(match=match, seats=("human", "random"), seed="1", games=(0, 0), slots=((), ()))
    data = SaveWriter().data(game)
    save = tmp_path / "game.jsonl"
    for changed in (
        b"\xef\xbb\xbf" + data,
        data.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
    ):
        save.write_bytes(changed)
        assert read_save(save).seats == game.seats
        SaveWriter().write(game, save)
        assert save.read_bytes() == data
