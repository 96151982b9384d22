"""A player of `millebornes play --plain` that knows nothing of the game: it asks for the legal moves and types one."""

from __future__ import annotations

import os
import random
import re
import sys
from pathlib import Path
from types import TracebackType

import pexpect

PROMPTS: list[str | type[pexpect.EOF]] = [
    r"Your move: ",
    r"\(y/n\) ",
    r"press Enter when no one else is looking\. ",
    r"Another hand\? \(Y/n\) ",
    r"Another game\? \(Y/n\) ",
    pexpect.EOF,
]
MOVE, QUESTION, KEYBOARD, ANOTHER_HAND, ANOTHER_GAME, ENDED = range(6)
LEGAL = re.compile(r"\[([a-z0-9_>=!]+)\]")
DISCARDS = re.compile(r"^  discard (.+?)\r?$", re.MULTILINE)


def _compiled(text: str | type[pexpect.EOF]) -> re.Pattern[str] | type[pexpect.EOF]:
    return re.compile(text) if isinstance(text, str) else text


class Game:
    """The real program in a pseudo-terminal. `seen` is all that it has written; `rng` chooses the moves."""

    def __init__(self, home: Path, *args: str, rng: int = 0, term: str = "dumb", **environ: str) -> None:
        env = {**os.environ, "MILLEBORNES_HOME": str(home), "TERM": term, "LC_ALL": "C.UTF-8", **environ}
        self.child: pexpect.spawn[str] = pexpect.spawn(
            sys.executable,
            ["-m", "millebornes", "play", "--plain", *args],
            env=env,
            encoding="utf-8",
            echo=False,
            timeout=300,
            dimensions=(50, 200),
        )
        self.child.delaybeforesend = None
        self.rng = random.Random(rng)
        self.seen = ""
        self.latest = ""

    def __enter__(self) -> Game:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.child.close(force=True)

    def wait(self, *patterns: str | type[pexpect.EOF]) -> int:
        """Wait for one of some texts (by default any prompt); which one."""
        found: int = self.child.expect_list([_compiled(text) for text in patterns or PROMPTS])
        after = self.child.after
        self.latest = (self.child.before or "") + (after if isinstance(after, str) else "")
        self.seen += self.latest
        return found

    def send(self, line: str) -> None:
        self.child.sendline(line)

    def ask(self, line: str) -> str:
        """Type a line at the prompt for a move; what the program says until it asks again."""
        self.send(line)
        self.wait()
        return self.latest

    def legal(self) -> list[str]:
        """What the program says is legal, at the prompt for a move."""
        text = self.ask("L")
        moves = LEGAL.findall(text)
        said = DISCARDS.search(text)
        return moves + ([f"discard {card}" for card in said[1].split(", ")] if said else [])

    def choose(self) -> str:
        """A legal move: mostly onwards, so that matches end."""
        moves = self.legal()
        plays = [move for move in moves if not move.startswith("discard")]
        return self.rng.choice(plays if plays and self.rng.random() < 0.95 else moves)

    def play(self, stop: int = ANOTHER_GAME, limit: int = 5000) -> None:
        """Play on until some prompt comes, or the program ends; each move is typed as the program lists it."""
        found = self.wait()
        for _ in range(limit):
            if found in {stop, ENDED}:
                return
            if found == MOVE:
                self.send(self.choose())
            elif found == QUESTION:
                self.send(self.rng.choice("yn"))
            else:
                self.send("")
            found = self.wait()
        raise AssertionError(f"no end after {limit} prompts; at last:\n{self.latest}")

    def finish(self) -> int:
        """The exit status, once the program has ended."""
        self.wait(pexpect.EOF)
        self.child.close()
        return -1 if self.child.exitstatus is None else self.child.exitstatus
