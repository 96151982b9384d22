"""The standard streams of the process: handle streams that are closed, full, or no longer read.

A command just writes. Errors are detected here, so that the command ends with its own status and a one-line message,
not with a traceback, or with status 120 of an interpreter that can't flush its buffers.
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
    """Standard output that is named in the errors it raises. Python's own name a file only if opening it failed."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            if error.errno == errno.EBADF:
                error.strerror = "it is closed"
            error.filename = "standard output"
            raise


def prepare_streams() -> None:
    """Open standard streams that the process was started without, and mark errors of standard output.

    If standard output is closed, every write fails, as on a full disk. If standard error is closed, everything written
    to it is dropped. ``sys.stdin`` stays None, and readers say that it is closed. The file descriptors are also
    occupied. Otherwise, the next file to be opened would become the standard output of child processes.
    """
    for descriptor in range(ERROR + 1):
        try:
            os.fstat(descriptor)
        except OSError:
            # The system uses the lowest free number, which is this one. Output fails, because it is open for reading
            # only.
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
    """A standard stream that shows control characters instead of sending them, whatever comes from a file or a peer.

    On a terminal, escape sequences for colours and styles pass, because the program itself writes them.
    """

    def write(self, text: str) -> int:
        return super().write(visible(text, styled=self.isatty()))


def _text(raw: io.FileIO) -> io.TextIOWrapper:
    return _VisibleText(io.BufferedWriter(raw), encoding="utf-8", errors="replace")


def _put(name: str, stream: io.TextIOWrapper) -> None:
    for place in (name, f"__{name}__"):  # the screen uses the second one
        setattr(sys, place, stream)


def _mark(stream: Any) -> None:
    """Replace a stream with the same one over `_Output`, unless it isn't a plain descriptor (a Windows console)."""
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
"""The replaced streams, kept because a stream that is garbage-collected closes its descriptor."""


def settle() -> OSError | None:
    """Flush standard output and standard error, and return the error of standard output, or None.

    Anything that can't be written is dropped, so that it doesn't fail again when the interpreter exits.
    """
    _flush(sys.stderr)
    return _flush(sys.stdout)


def _flush(stream: IO[str] | None) -> OSError | None:
    if stream is None or stream.closed:
        return None
    try:
        stream.flush()
    except OSError as error:
        with contextlib.suppress(OSError, ValueError):  # not a stream with a file descriptor
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, stream.fileno())
            os.close(null)
        with contextlib.suppress(OSError):
            stream.flush()
        return error
    return None
