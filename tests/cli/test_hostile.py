"""Files and programs of others say nothing to a terminal but what is shown: every command, on a real terminal."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from millebornes.editions import make_rules
from millebornes.game import Hand, Match
from millebornes.notation import transcript_lines
from millebornes.storage.checksum import BLANK, add_checksum
from millebornes.storage.saves import SavedGame, SaveWriter

EVIL = "\x1b]0;EVIL\x07\x1b[31m\x9b31m\u202e\u2066\u200fX\x00\x7f"
"""A title for the window, colours in two ways, text from right to left, and a null."""
REACHED = re.compile(
    "\x1b\\]|\x1b\\[31mX|\x00|\x7f|\x07|[\x80-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", re.DOTALL
)
pytestmark = pytest.mark.slow
BOT = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print(json.dumps({"type": "ready", "name": EVIL}), flush=True)
    elif said["type"] == "choose":
        sys.stderr.write(EVIL + "\\n")
        raise RuntimeError(EVIL)
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with everything that people exchange, each with something bad in every text."""
    folder = tmp_path_factory.mktemp("hostile")
    quoted = "".join(f"\\u{ord(char):04x}" for char in EVIL)
    texts = "\n".join(f'{name} = "{quoted}[/x] [a](http://e.vil)"' for name in ("name", "title", "summary", "source"))
    (folder / "edition.toml").write_text(f'{texts}\nlike = "classic"\n')
    (folder / "key.toml").write_text(f'name = "x"\n"{quoted}" = 1\n')
    (folder / "value.toml").write_text(f'name = "x"\nlike = "{quoted}"\n[rules]\n"{quoted}" = "{quoted}"\n')
    (folder / "broken.toml").write_text(f'name = "x" {EVIL}\n')
    rules = make_rules("classic")
    match = Match.start(rules, seed="1", players=(EVIL, f"{EVIL}2"), match_target=None)
    while not match.hand.is_over:
        match = match.play(match.hand.legal_moves[0])
    lines = list(transcript_lines(match))
    lines[1] = json.dumps(json.loads(lines[1]) | {"info": {"17": {EVIL: EVIL}}, EVIL: EVIL})
    (folder / "match.jsonl").write_text("\n".join(lines) + "\n")
    head = json.loads(lines[0])
    for name, changed in (
        ("edition", {"edition": EVIL}),
        ("set", {"set": {EVIL: EVIL}}),
        ("players", {"players": EVIL}),
    ):
        (folder / f"{name}.jsonl").write_text("\n".join([json.dumps(head | changed), *lines[1:]]) + "\n")
    moves = json.loads(lines[1])
    (folder / "moves.jsonl").write_text("\n".join([lines[0], json.dumps(moves | {"moves": [EVIL]})]) + "\n")
    shuffle = {"scheme": EVIL, "table": EVIL, "hand": 1, "commitment": EVIL, "server_seed": EVIL, "seat_seeds": [EVIL]}
    (folder / "shuffle.jsonl").write_text("\n".join([lines[0], json.dumps(moves | {"shuffle": shuffle})]) + "\n")
    game = SavedGame(
        match=Match.start(rules, seed="1", players=(EVIL, f"{EVIL}2"), match_target=None),
        seats=("human", "random"), seed="1", games=(0, 0), slots=((), ()), file=f"/{EVIL}",
    )  # fmt: skip
    (folder / "save.jsonl").write_bytes(SaveWriter().data(game))
    first, *rest = SaveWriter().data(game).decode().splitlines()
    other = json.loads(first)
    other["save"] |= {"seats": ["human", EVIL], "checksum": BLANK}
    (folder / "seats.jsonl").write_bytes(add_checksum([json.dumps(other, separators=(",", ":")), *rest]))
    view = Hand.deal(rules, "1", first=0).view(0)
    (folder / "view.json").write_text(json.dumps(view.to_dict() | {"hand": [EVIL], "rules": {"edition": EVIL}}))
    (folder / "position.txt").write_text(f"classic/2x2 {EVIL} {EVIL}")
    (folder / "exercises.jsonl").write_text(json.dumps({"format": "millebornes-exercise/1", "id": EVIL, EVIL: 1}))
    (folder / "bot.py").write_text(f"EVIL = {EVIL!r}\n{BOT}")
    (folder / "player.py").write_text(
        f"from millebornes.players import Player\nclass Bad(Player):\n    name = {EVIL!r}\n    summary = {EVIL!r}\n"
        f"    def choose(self, view, legal, rng):\n        raise RuntimeError({EVIL!r})\n"
    )
    return folder


def on_terminal(folder: Path, *command: str, typed: str = "") -> str:
    """What Python writes to a terminal."""
    import pty

    dropped = {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "NO_COLOR"}
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    more = {"HOME": str(folder / "home"), "XDG_CACHE_HOME": cache, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    environment = {**kept, **more, "COLUMNS": "100"}
    own, theirs = pty.openpty()
    program = [sys.executable, *command]
    with subprocess.Popen(
        program, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        assert process.stdin is not None
        process.stdin.write(typed.encode())
        process.stdin.close()
        said = bytearray()
        while True:
            try:
                piece = os.read(own, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            said += piece
    os.close(own)
    return said.decode("utf-8", "surrogateescape")


GIVEN = EVIL.replace("\0", "")
"""What can be given as an argument."""
BOT_PLAYER = f"cmd:{sys.executable} bot.py"
COMMANDS: dict[str, tuple[str, ...]] = {
    **{
        f"{command} {name}": (command, f"{name}.toml")
        for command in ("rules", "editions")
        for name in ("edition", "key", "value", "broken")
    },
    "editions json": ("editions", "edition.toml", "--json"),
    "rules json": ("rules", "edition.toml", "--json"),
    "rules compare": ("rules", "--compare", "edition.toml", "bsd"),
    "rules clause": ("rules", "R4.4", "--edition", "edition.toml"),
    **{
        f"replay {name}": ("replay", f"{name}.jsonl")
        for name in ("match", "edition", "set", "players", "moves", "save")
    },
    "replay json": ("replay", "match.jsonl", "--json"),
    "review": ("review", "match.jsonl", "--quick"),
    "verify": ("verify", "shuffle.jsonl"),
    "hint view": ("hint", "view.json"),
    "hint position": ("hint", "position.txt"),
    "hint at": ("hint", "match.jsonl", "--at", "1:3", "--worlds", "8"),
    "rollout": ("rollout", "position.txt"),
    "practise": ("practise", "--plain", "exercises.jsonl"),
    "play save": ("play", "--plain", "save.jsonl"),
    "play seats": ("play", "--plain", "seats.jsonl", "--trust"),
    "play name": (
        *("play", "--plain", "--edition", "edition.toml", "--name", f"Bo{GIVEN}"),
        *("--player", "human", "--player", BOT_PLAYER),
    ),
    "arena bot": (
        *("arena", "--player", BOT_PLAYER, "--player", "random"),
        *("--matches", "2", "--edition", "edition.toml"),
    ),
    "arena class": ("arena", "--player", "py:player.py", "--player", "random", "--matches", "2"),
    "arena json": ("arena", "--player", BOT_PLAYER, "--player", "random", "--matches", "2", "--json"),
    "no file": ("replay", GIVEN),
    "no command": (GIVEN,),
    "no player": ("arena", "--player", GIVEN, "--player", "random"),
}


MANY = """
import json, sys, traceback
from millebornes.cli import main
for name, words in json.loads(sys.stdin.read()).items():
    print(f"==> {name}", flush=True)
    try:
        main(words)
    except BaseException:
        traceback.print_exc()
"""
"""Runs commands one after the other. What they do with their input is that of a closed one."""


def check(said: str) -> None:
    assert said.strip()
    assert "Traceback" not in said, said
    found = REACHED.search(said)
    assert found is None, (found, said[max(0, found.start() - 200) : found.end() + 50])


def test_nothing_hidden_reaches_a_terminal(files: Path) -> None:
    wanted = {name: words for name, words in COMMANDS.items() if name.split()[0] not in {"play", "review"}}
    first, *parts = re.split(r"^==> ", on_terminal(files, "-c", MANY, typed=json.dumps(wanted)), flags=re.MULTILINE)
    assert not first
    found = {name.strip(): said for name, _, said in (part.partition("\n") for part in parts)}
    assert list(found) == list(wanted)
    for said in found.values():
        check(said)


@pytest.mark.parametrize(
    "name", ["play save", "play seats", "play name", pytest.param("review", marks=pytest.mark.once)]
)
def test_nothing_hidden_of_a_game_reaches_a_terminal(files: Path, name: str) -> None:
    check(on_terminal(files, "-m", "millebornes", *COMMANDS[name], typed="l\nq\ny\n"))
