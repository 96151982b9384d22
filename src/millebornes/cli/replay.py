"""``millebornes replay``: check a recorded match and show it."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import click

from millebornes.cli.common import json_option

__all__ = ["replay"]

BUFFER = 1 << 20


@contextlib.contextmanager
def _opened(file: str) -> Iterator[tuple[BinaryIO, str]]:
    """The file's bytes, and its name in messages; ``-`` is standard input."""
    if file == "-":
        yield sys.stdin.buffer, "standard input (-)"
        return
    with Path(file).open("rb", buffering=BUFFER) as stream:
        yield stream, file


@click.command(short_help="Check a recorded match and show it.")
@click.argument("file", metavar="FILE")
@json_option
def replay(file: str, as_json: bool) -> None:
    """Check every line of the transcript FILE (- for standard input) and show the match.

    Without --json: an account of the match with its score sheets. With --json: one line for each decision, with all
    hands, what lies before each side and what was legal, one line for each finished hand, and the totals. At the first
    fault the command says what is wrong and where, and ends with status 1; what is good up to there is printed.
    """
    from millebornes.notation.replay import replay_lines

    with _opened(file) as (stream, where):
        if as_json:
            _write(replay_lines(stream, where))
        else:
            raise click.UsageError("only --json yet")


def _write(lines: Iterator[bytes]) -> None:
    """Write lines to standard output in large pieces; what came before an error is written too."""
    out = sys.stdout.buffer
    pieces: list[bytes] = []
    size = 0
    try:
        for line in lines:
            pieces.append(line)
            size += len(line)
            if size >= BUFFER:
                out.write(b"".join(pieces))
                pieces.clear()
                size = 0
    finally:
        out.write(b"".join(pieces))
        out.flush()
