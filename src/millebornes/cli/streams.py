"""The standard streams of the process: what to do where one of them is closed, full, or no longer read.

A command just writes. What cannot be written is found out here, so that it ends with a status and a line of its own
and not with a traceback, or with the status 120 of an interpreter that cannot empty its buffers.
"""

import contextlib
import errno
import io
import os
import sys
from typing import IO, Any, Final

from millebornes.shown import visible

__all__ = ["prepare_streams", "settle"]

OUT: Final = 1
ERROR: Final = 2


class _Output(io.FileIO):
    """Standard output, whose errors say so: those of the system tell a file's name only where a file is opened."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            if error.errno == errno.EBADF:
                error.strerror = "it is closed"
            error.filename = "standard output"
            raise


def prepare_streams() -> None:
    """Give the process the standard streams that it was started without, and mark errors of standard output.

    On a closed standard output every write fails, as on a full one; a closed standard error takes everything and keeps
    nothing. ``sys.stdin`` stays None, and readers say that it is closed. The descriptors themselves are taken too:
    otherwise the next file that is opened would be the standard output of programs that are started.
    """
    for descriptor in range(ERROR + 1):
        try:
            os.fstat(descriptor)
        except OSError:
            # The lowest free number is given, which is this one. What is open for reading alone takes no output.
            os.open(os.devnull, os.O_RDWR if descriptor == ERROR else os.O_RDONLY)
            os.set_inheritable(descriptor, True)
    if sys.stderr is None:
        _put("stderr", _text(io.FileIO(ERROR, "wb", closefd=False)))
    if sys.stdout is None:
        _put("stdout", _text(_Output(OUT, "wb", closefd=False)))
    elif sys.stdout is sys.__stdout__:
        _mark(sys.stdout)
    if sys.stderr is sys.__stderr__ and type(sys.stderr) is io.TextIOWrapper:
        _replace("stderr", sys.stderr, sys.stderr.buffer)


class _VisibleText(io.TextIOWrapper):
    """A standard stream to which no character gets that is not seen: whatever a file or a peer says, it is shown.

    On a terminal the sequences pass by which the program itself paints; what it paints with is made visible before.
    """

    def write(self, text: str) -> int:
        return super().write(visible(text, styled=self.isatty()))


def _text(raw: io.FileIO) -> io.TextIOWrapper:
    return _VisibleText(io.BufferedWriter(raw), encoding="utf-8", errors="replace")


def _put(name: str, stream: io.TextIOWrapper) -> None:
    for place in (name, f"__{name}__"):  # the screen draws on the second
        setattr(sys, place, stream)


def _mark(stream: Any) -> None:
    """Lay the same stream again, over `_Output`; one that isn't a plain descriptor (a console of Windows) stays."""
    buffer = getattr(stream, "buffer", None)
    raw = getattr(buffer, "raw", buffer)
    if type(raw) is not io.FileIO or raw.fileno() != OUT:
        return
    output: Any = _Output(OUT, "wb", closefd=False)
    if raw is not buffer:
        output = io.BufferedWriter(output)
    _replace("stdout", stream, output)


def _replace(name: str, stream: Any, output: Any) -> None:
    again = _VisibleText(
        output,
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
    _put(name, again)
    _replaced.append(stream)


_replaced: Final[list[Any]] = []
"""Kept, because a stream that is let go closes its descriptor."""


def settle() -> OSError | None:
    """See on its way what has been written; what is wrong with standard output, None where nothing is.

    What cannot be written is dropped, so that nothing fails again when the interpreter ends.
    """
    _flush(sys.stderr)
    return _flush(sys.stdout)


def _flush(stream: IO[str] | None) -> OSError | None:
    if stream is None or stream.closed:
        return None
    try:
        stream.flush()
    except OSError as error:
        with contextlib.suppress(OSError, ValueError):  # no stream of the system's
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, stream.fileno())
            os.close(null)
        with contextlib.suppress(OSError):
            stream.flush()
        return error
    return None
