"""The command that started this program, as you would type it again in a shell."""

import os
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

NAME: Final = "millebornes"
SCRIPT: Final = "MILLEBORNES_SCRIPT"
"""The variable in which ``scripts/play`` passes on the command that ran it. That command needs no ``play``."""
UV_TOOLS: Final = ("archive-v0", "environments-v2")
"""The folders of uv's cache that hold the environments for ``uvx``."""


def shell_word(path: Path | str) -> str:
    """Return a file name, which may contain spaces or invalid text, as you would type it in a shell."""
    name = str(path)
    if name.isprintable() and sys.platform == "win32":
        return f'"{name}"' if " " in name else name
    if name.isprintable():
        return shlex.quote(name)
    codes = (chr(byte) if 32 <= byte < 127 and byte not in b"\\'" else f"\\x{byte:02x}" for byte in os.fsencode(name))
    return f"$'{''.join(codes)}'"


def play_command(save: Path | None = None, environ: Mapping[str, str] | None = None) -> str:
    """Return the command that starts the game again and resumes ``save`` or, by default, an unfinished game."""
    command = _command("play", environ)
    return command if save is None else f"{command} {shell_word(save)}"


def practise_command(environ: Mapping[str, str] | None = None) -> str:
    """Return the command that asks practice questions."""
    return _command("practise", environ)


def _command(name: str, environ: Mapping[str, str] | None) -> str:
    environ = os.environ if environ is None else environ
    script = environ.get(SCRIPT)
    if not script:
        return f"{program(environ=environ)} {name}"
    return shell_word(script) if name == "play" else f"{shell_word(script)} {name}"


def program(
    started: Sequence[str] | None = None,
    script: str | None = None,
    prefix: str | None = None,
    environ: Mapping[str, str] | None = None,
) -> str:
    """Return the part of the command before a subcommand, such as ``uvx millebornes``, by default of this process."""
    environ = os.environ if environ is None else environ
    started = sys.orig_argv if started is None else started
    script = sys.argv[0] if script is None else script
    folders = Path(sys.prefix if prefix is None else prefix).parts
    if Path(script).name == "__main__.py" and "-m" in started:
        return f"{_found(started[0])} -m {NAME}"
    if any(folder in UV_TOOLS for folder in folders):
        return f"uvx {NAME}"
    if "pipx" in folders and not {"cache", ".cache"}.isdisjoint(folders):
        return f"pipx run {NAME}"
    if environ.get("UV_RUN_RECURSION_DEPTH"):
        return f"uv run {NAME}"
    return _found(script) if Path(script).name == NAME else NAME


def _found(path: str) -> str:
    name = Path(path).name
    there = shutil.which(name)
    try:
        same = there is not None and Path(there).samefile(path)
    except OSError:  # on Windows, the command doesn't contain the suffix of the file
        same = True
    return name if same else shell_word(path)
