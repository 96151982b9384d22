"""Players from a single file: ``py:FILE`` or ``py:FILE:CLASS`` uses a class from it, without an installed package."""

import functools
import hashlib
import inspect
import stat
import sys
import traceback
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Final

from millebornes.errors import PlayerError, printable, shortened
from millebornes.player_names import FILE_PREFIX
from millebornes.players.base import Player

MODULE: Final = "millebornes_file_"
LONGEST: Final = 300
"""The maximum length of an exception's text in a message."""


def player_in_file(name: str) -> Player:
    """Return a new player of the class to which a name such as ``py:mybot.py`` refers.

    Its attribute ``name`` contains this name. Raises a `PlayerError` with a sentence about the problem, and with the
    file and line if they are known.
    """
    made = class_in_file(name)
    try:
        player = made()
        player.name = name
    except (Exception, SystemExit) as error:
        what = f"the player {printable(name)!r} could not be created"
        raise PlayerError(f"{what}: {error_text(error, _file_of(made))}") from error
    return player


def class_in_file(name: str) -> type[Player]:
    """Return the class to which a name such as ``py:mybot.py:Careful`` refers.

    Raises the same errors as `player_in_file`. The file is run once in each process, as by an import, and again after
    it has changed. Its folder is added at the end of the module search path.
    """
    file, chosen = _split(name.removeprefix(FILE_PREFIX))
    path = Path(file)
    try:
        path = path.resolve()
        status = path.stat()
    except FileNotFoundError:
        raise PlayerError(f"{printable(name)}: there is no file {printable(file)!r}") from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise PlayerError(f"{printable(name)}: {printable(file)!r} cannot be read ({why})") from None
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):  # reading a pipe might never end
        raise PlayerError(f"{printable(file)}: this isn't a file")
    classes = _classes(path, file, status.st_mtime_ns, status.st_size)
    if chosen is not None:
        if chosen not in classes:
            there = f"it has {', '.join(classes)}" if classes else "it has no subclass of millebornes.players.Player"
            raise PlayerError(f"{printable(file)} has no player {chosen!r}; {there}")
        return classes[chosen]
    if not classes:
        raise PlayerError(
            f"{printable(file)} has no player; it must define a subclass of millebornes.players.Player with a "
            "choose method"
        )
    if len(classes) > 1:
        first = next(iter(classes))
        raise PlayerError(
            f"{printable(file)} has several players, {', '.join(classes)}; name one, as in {FILE_PREFIX}{file}:{first}"
        )
    return next(iter(classes.values()))


def where_raised(error: BaseException, player: object) -> str:
    """Return where in its file a class raised an error, as ``" (mybot.py, line 12)"``, or "" for other players."""
    file = _file_of(type(player))
    line = _line(error.__traceback__, file) if file is not None else None
    return "" if file is None or line is None else f" ({printable(file.name)}, line {line})"


def _split(text: str) -> tuple[str, str | None]:
    """Split a name into the file and the class, which is None if the name doesn't contain one.

    The path of the file may contain colons.
    """
    head, colon, tail = text.rpartition(":")
    if colon and head and tail.isidentifier() and not text.endswith(".py") and not _is_file(text):
        return head, tail
    return text, None


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


@functools.lru_cache(maxsize=64)
def _classes(path: Path, shown: str, changed: int, size: int) -> dict[str, type[Player]]:
    """Return all players that a file defines, by the names of their classes.

    ``changed`` and ``size`` identify the version of the file.
    """
    module = _run(path, shown)
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, Player)
        and value.__module__ == module.__name__
        and value.__name__ == name
        and not inspect.isabstract(value)
    }


def _run(path: Path, shown: str) -> ModuleType:
    try:
        code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    except OSError as error:
        raise PlayerError(f"{printable(shown)}: cannot be read ({error.strerror or error})") from None
    except SyntaxError as error:
        line = f", line {error.lineno}" if error.lineno else ""
        raise PlayerError(f"{printable(shown)}{line}: {type(error).__name__}: {printable(error.msg)}") from None
    except (MemoryError, RecursionError):  # Python's parser raises either of them
        raise PlayerError(f"{printable(shown)}: this isn't Python source, or it is nested too deeply") from None
    except (ArithmeticError, ValueError) as error:
        raise PlayerError(error_text(error, path, shown)) from None
    module = ModuleType(MODULE + hashlib.sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()[:16])
    module.__file__ = str(path)
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    sys.modules[module.__name__] = module  # data classes and pickles look for their own module there
    try:
        exec(code, vars(module))
    except BaseException as error:
        sys.modules.pop(module.__name__, None)  # the file may have removed itself
        if isinstance(error, KeyboardInterrupt):
            raise
        raise PlayerError(error_text(error, path, shown)) from error
    return module


def error_text(error: BaseException, file: Path | None = None, shown: str | None = None) -> str:
    """Describe another author's error on one line, with the ``file`` and the line number if they are known."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # the file may define its own exceptions
        text = ""
    message = f"{type(error).__name__}: {shortened(text, LONGEST)}".rstrip(": ")
    if file is None:
        return message
    line = _line(error.__traceback__, file)
    return f"{printable(shown or str(file))}{f', line {line}' if line else ''}: {printable(message)}"


def _line(raised: TracebackType | None, file: Path) -> int | None:
    lines = [frame.lineno for frame in traceback.extract_tb(raised) if frame.filename == str(file)]
    return lines[-1] if lines else None


def _file_of(made: type) -> Path | None:
    if not made.__module__.startswith(MODULE):
        return None
    file = getattr(sys.modules.get(made.__module__), "__file__", None)
    return None if file is None else Path(file)
