"""The command ``millebornes``, which runs the requested subcommand and turns every error into an exit status.

Each subcommand has a module of its own, which is imported only when the subcommand runs. ``--help`` and shell
completion therefore respond without loading the heavy libraries that the game uses.
"""

import contextlib
import difflib
import functools
import importlib
import os
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import click
from click.shell_completion import CompletionItem

from millebornes._version import __version__
from millebornes.cli.streams import flush_streams, prepare_streams
from millebornes.errors import MilleBornesError, printable
from millebornes.session.invocation import SCRIPT

__all__ = ["COMMANDS", "GROUP", "LazyCommand", "LazyGroup", "cli", "main"]

GROUP: Final = "millebornes.commands"
"""The group of entry points with which other distributions add commands. Each entry point refers to a `LazyCommand`."""


class LazyCommand(NamedTuple):
    """A subcommand that is imported when it runs.

    ``target`` is the place of the command (``module:attribute``), ``help`` is its line in the list of commands, and
    ``section`` is the heading above that line.
    """

    target: str
    help: str
    section: str = "Commands"


PLAY, IMPROVE, HOST, BUILD, ADDED = "Play", "Improve", "Host", "Build and research", "Added by other packages"
"""The sections in the list of commands, starting with the one that players need."""

_OWN: Final = {
    PLAY: {
        "play": ("play.play", "Play a game in the terminal."),
        "saves": ("play.saves", "List unfinished games; delete some."),
        "rules": ("reference.rules", "Show the rules: all of them, one clause, or those of an edition."),
        "editions": ("reference.editions", "List the editions of the rules."),
        "players": ("reference.players", "List the computer players."),
    },
    IMPROVE: {
        "hint": ("analyse.hint", "Suggest the best move and explain why."),
        "review": ("analyse.review", "Grade every move of a match; separate luck from skill."),
        "practise": ("play.practise", "Turn your mistakes (or a set of decisions) into a quiz."),
        "replay": ("data.replay", "Check a recorded match and show it."),
    },
    HOST: {
        "serve": ("play.serve", "Serve the web game."),
        "backup": ("play.backup", "Back up the web game's database to a file."),
        "restore": ("play.backup", "Restore the web game's database from a backup."),
        "verify": ("data.verify", "Check that recorded hands were shuffled fairly."),
    },
    BUILD: {
        "engine": ("play.engine", "Run a computer player for another program."),
        "arena": ("analyse.arena", "Play a tournament between players and rate them."),
        "rollout": ("analyse.rollout", "Simulate a position and report what each move is worth."),
        "evaluate": ("analyse.evaluate", "Measure a policy on a fixed task."),
        "equity": ("analyse.equity", "Show the chance to win a match from its totals."),
        "export": ("data.export", "Write games as training data."),
    },
}
"""The module and the line of help of each command, by section."""

COMMANDS: Final = {
    name: LazyCommand(f"millebornes.cli.{module}:{name}", text, section)
    for section, commands in _OWN.items()
    for name, (module, text) in commands.items()
}
"""The subcommands of this program by name, in the order in which the help lists them."""

SYNONYMS: Final = {
    "play": "start game new resume continue",
    "play --tutorial": "tutorial",
    "play --statistics": "statistics stats",
    "practise": "quiz",
    "serve": "web server",
    "backup": "dump",
    "restore": "load",
    "saves": "list games",
    "hint": "tip advice suggest",
    "replay": "show check",
    "review": "analyse analyze judge",
    "editions": "variants",
    "players": "bots levels",
    "engine": "bot",
    "arena": "tournament match compare",
    "export": "data",
    "rollout": "simulate",
    "bench": "benchmark",
}
"""Other names that people may try for each command."""


class LazyGroup(click.Group):
    """A group whose subcommands are imported only when they run.

    ``own`` contains the group's own commands by name. Commands that other distributions add (`GROUP`) are looked up
    only if a name is not among these or if all commands are listed. Added commands never replace one of the group's own
    commands.
    """

    def __init__(self, *args: Any, own: dict[str, LazyCommand], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.own: Final = own

    @functools.cached_property
    def added(self) -> dict[str, LazyCommand]:
        """The commands that other distributions add. If one can't be loaded, its line in the help says so."""
        commands: dict[str, LazyCommand] = {}
        for point in sorted(metadata.entry_points(group=GROUP), key=lambda point: point.name):
            if point.name not in self.own:
                try:
                    commands[point.name] = LazyCommand(*point.load())._replace(section=ADDED)
                except Exception as error:
                    commands[point.name] = LazyCommand("", f"Cannot be loaded: {error}", ADDED)
        return commands

    @property
    def lazy(self) -> dict[str, LazyCommand]:
        """All commands by name, starting with the group's own."""
        return {**self.own, **self.added}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, in the order of the help."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a subcommand and return it, or None if it doesn't exist. Raises `UsageError` if it can't be loaded."""
        lazy = self.own.get(cmd_name) or self.added.get(cmd_name)
        if lazy is None:
            return None
        if not lazy.target:
            raise click.UsageError(f"the command {cmd_name!r} comes from another package. {lazy.help}", ctx)
        module, _, attribute = lazy.target.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        if not isinstance(command, click.Command):
            raise click.UsageError(
                f"the command {cmd_name!r} can't be loaded: {lazy.target} isn't a click command", ctx
            )
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand that the arguments name. If it doesn't exist, the error suggests a similar one."""
        if args and args[0] not in self.own and not args[0].startswith("-") and args[0] not in self.added:
            typed, known = args[0].lower(), {name: name for name in self.lazy}
            others = {word: name for name, words in SYNONYMS.items() for word in words.split()}
            words = {word: name for word, name in (others | known).items() if name.split()[0] in self.lazy}
            close = [typed] if typed in words else difflib.get_close_matches(typed, words, n=1)
            hint = f"did you mean {words[close[0]]!r}?" if close else f"the commands are {', '.join(self.lazy)}"
            ctx.fail(f"there is no command {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of subcommands without importing any of them."""
        for section in dict.fromkeys(command.section for command in self.lazy.values()):
            with formatter.section(section):
                lines = [(name, command.help) for name, command in self.lazy.items() if command.section == section]
                formatter.write_dl(lines)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return completions for the names of subcommands and for the group's own options."""
        names = [
            CompletionItem(name, help=command.help)
            for name, command in self.lazy.items()
            if name.startswith(incomplete)
        ]
        return names + click.Command.shell_complete(self, ctx, incomplete)


_HELP: Final = """\
Play Mille Bornes, the classic French road-race card game.

This program has the exact rules of five editions, a game for the terminal, and computer players. If you leave out
the command on a terminal, a game starts, as with `play`."""


@click.command(
    help=_HELP,
    cls=LazyGroup,
    own=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Run 'millebornes COMMAND --help' for help with a command, or 'millebornes play' to start a game.",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Run the program without a subcommand."""
    if ctx.invoked_subcommand is None:
        if all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
            play = cast(LazyGroup, ctx.command).get_command(ctx, "play")
            assert play is not None
            with play.make_context("play", [], parent=ctx) as child:
                play.invoke(child)
        else:
            click.echo(ctx.get_help())


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status: 0, 1 if the command failed, or 2 if it was used incorrectly.

    ``args`` are the words after the program's name. By default, they are the arguments of this process. Results are
    written to standard output, and everything else to standard error. Each expected error is reported there in a single
    line and never as a traceback.
    """
    prepare_streams()
    status = _run(args)
    trouble = flush_streams()
    if trouble is not None and status == 0:
        status = _tell(trouble)
        flush_streams()
    return status


def _run(args: Sequence[str] | None) -> int:
    try:
        status = cli.main(
            _words(sys.argv[1:]) if args is None else list(args),
            prog_name="millebornes",
            standalone_mode=False,
            windows_expand_args=False,
        )
        return status if isinstance(status, int) else 0
    except click.ClickException as error:
        with contextlib.suppress(OSError):  # an error while writing to standard error doesn't change the exit status
            error.show()
        return error.exit_code
    except MilleBornesError as error:
        return _say(str(error))
    except OSError as error:
        return _tell(error)
    except (click.Abort, KeyboardInterrupt):
        return 1


def _words(typed: Sequence[str]) -> list[str]:
    """Return the words of the command line. Those that follow ``scripts/play`` are for ``play`` or name a command."""
    is_play = SCRIPT in os.environ and (not typed or typed[0] not in COMMANDS or Path(typed[0]).exists())
    return ["play", *typed] if is_play else [*typed]


def _tell(error: OSError) -> int:
    """Report an operating system error, unless the reader has closed the pipe, and return the exit status."""
    if isinstance(error, BrokenPipeError):
        return 1
    where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
    return _say(f"{where}{error.strerror or error}")


def _say(message: str) -> int:
    with contextlib.suppress(OSError):
        click.echo(f"millebornes: {printable(' '.join(message.splitlines()))}", err=True)
    return 1
