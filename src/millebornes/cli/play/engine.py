"""``millebornes engine``: run one of our players as a child process of any program that uses the bot protocol."""

import contextlib
import sys
from typing import Final

import click

from millebornes.cli.interruption import as_interrupts

_HELP: Final = """\
Play for another program: read messages of the bot protocol, one per line, and write the answers.

The command ends at the end of its input or when it gets the message quit. At the first invalid line, it says what
is wrong and ends with status 1. The documentation describes the protocol on the page Bots."""


@click.command(help=_HELP)
@click.option(
    "--player",
    "name",
    metavar="NAME",
    help="The computer player that answers ('millebornes players' lists them).  [default: the default player]",
)
@click.option(
    "--seed",
    metavar="S",
    help="Random seed: with the same seed, the player repeats its moves, unless they depend on the clock.",
)
def engine(name: str | None, seed: str | None) -> int:
    """Run the command ``engine``."""
    import secrets

    from millebornes.cli.common import blamed_on
    from millebornes.errors import MilleBornesError, NotationError, PlayerError
    from millebornes.players import DEFAULT_PLAYER, player
    from millebornes.players.engine_server import MAX_LINE, EngineServer

    chosen = DEFAULT_PLAYER if name is None else name
    with blamed_on("'--player'", PlayerError):
        player(chosen).close()
    if sys.stdin is None or sys.stdout is None:
        raise NotationError("standard input or output is closed; the host must keep both open")
    lines, out = sys.stdin.buffer, sys.stdout.buffer
    server = EngineServer(lambda: player(chosen), chosen, secrets.token_hex(8) if seed is None else seed)
    number = 0
    server.prepare()
    with contextlib.closing(server), as_interrupts("SIGTERM", "SIGHUP"):  # the player may be a program
        while not server.done and (line := lines.readline(MAX_LINE + 1)):
            number += 1
            if len(line) > MAX_LINE:
                raise NotationError(f"line {number}: longer than {MAX_LINE >> 20} MiB, the limit for a message")
            try:
                answer = server.answer(line)
            except MilleBornesError as error:
                raise NotationError(f"line {number}: {error}") from None
            if answer is not None:
                out.write(answer)
                out.flush()
    return 0
