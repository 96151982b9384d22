"""Bytes in, bytes out: encodings, what isn't text, what is too long, lines that are broken."""

import io
import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from millebornes.tui.plain.console import LONGEST, Console, _broken

PLAY = [sys.executable, "-m", "millebornes", "play", "--plain", "--edition", "classic", "--seed", "3"]


def played(home: Path, typed: bytes, *options: str, **environ: str) -> bytes:
    """What the real program writes into a pipe; it must end well."""
    env = {name: value for name, value in os.environ.items() if name not in {"LC_ALL", "LC_CTYPE", "LANG", "LANGUAGE"}}
    env |= {"MILLEBORNES_HOME": str(home), **environ}
    done = subprocess.run([*PLAY, *options], input=typed, env=env, capture_output=True, timeout=300, check=False)
    assert done.stderr == b""
    assert done.returncode == 0
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("environ", "encoding", "says"),
    [
        ({"LC_ALL": "C"}, "ascii", "X n'est pas une commande."),
        ({"PYTHONIOENCODING": "latin-1"}, "latin-1", "Defausse : rien."),
    ],
)
def test_no_question_marks_for_letters(tmp_path: Path, environ: dict[str, str], encoding: str, says: str) -> None:
    options = ("--language", "fr", "--player", "human", "--player", "basic", "--name", "Œdipe")
    text = played(tmp_path, b"x\nd 1\n", *options, **environ).decode(encoding)
    assert says in text
    assert "OEdipe" in text
    questions = [line for line in text.splitlines() if "?" in line]
    assert all(re.search(r"\s\?", line) for line in questions), questions  # those of French questions, and the command


@pytest.mark.slow
def test_what_is_no_text_is_a_mistyped_line(tmp_path: Path) -> None:
    typed = b"\xff\xfe\x00\n\x00\nroll\x00\x1b[2J\x07\n\xc3\nD 1\n" + b"L" * 1_000_000 + b"\nmiles\n" + b"D" * 1_000_000
    said = played(tmp_path, typed, "--name", "\x1b]0;title\x07Bo", LC_ALL="C.UTF-8")
    assert b"\x1b" not in said
    assert b"\x07" not in said
    assert b"\x00" not in said
    assert b"You discard" in said
    assert b" miles, 700 to go." in said
    assert len(said) < 20_000


def test_a_line_is_read_as_far_as_it_is_looked_at() -> None:
    lines = Console(io.StringIO("x" * 200_000 + "\n  y \n" + "z" * 70_000), io.StringIO())
    assert [lines.ask(">") for _ in range(3)] == ["x" * LONGEST, "y", "z" * LONGEST]


def test_no_line_begins_with_a_colon() -> None:
    line = "  Commandes qui suivent : « oui » ou non ; puis Entrée !"
    joined = re.sub(r" (?=[:;!»])|(?<=«) ", "\u00a0", line)
    for text, width in itertools.product((line, joined), range(20, 60)):
        broken = _broken(text, width)
        assert broken.replace("\n   ", "") == text
        assert not any(part.lstrip()[0] in ":;!»" for part in broken.split("\n"))
