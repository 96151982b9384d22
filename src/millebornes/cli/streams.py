"""The standard streams of the process, which may be closed, full, or no longer read by anyone.

Commands simply write to them. The functions here detect errors, so that a command ends with its own exit status and a
one-line message. Otherwise, it would end with a traceback, or with status 120 from an interpreter that can't flush its
buffers.
"""

import contextlib
import errno
import io
import os
import sys
from typing import IO, Any, Final

from millebornes.shown import RESPELL, visible

OUT: Final = 1
ERROR: Final = 2


class _Output(io.FileIO):
    """Standard output that is named in the errors it raises. Python's errors name a file only if opening it failed."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            if error.errno == errno.EBADF:
                error.strerror = "it is closed"
            error.filename = "standard output"
            raise


def prepare_streams() -> None:
    """Open standard streams that are missing in this process, and let errors of standard output name the stream.

    If standard output is closed, every attempt to write fails, as on a full disk. If standard error is closed,
    everything written to it is dropped. ``sys.stdin`` stays None, and readers report that it is closed. The file
    descriptors of missing streams are occupied as well, because otherwise the next file to be opened would become the
    standard output of child processes.
    """
    for descriptor in range(ERROR + 1):
        try:
            os.fstat(descriptor)
        except OSError:
            # The system uses the lowest free number, which is this one. Writing fails, because it is open for reading
            # only.
            os.open(os.devnull, os.O_RDWR if descriptor == ERROR else os.O_RDONLY)
            os.set_inheritable(descriptor, True)
    _replace("stdout", OUT, _Output)
    _replace("stderr", ERROR, io.FileIO)


class _VisibleText(io.TextIOWrapper):
    """A standard stream that makes control characters visible, so that other people's text can't use them.

    On a terminal, escape sequences for colours and styles are allowed, because the program writes them itself.
    """

    def write(self, text: str) -> int:
        return super().write(visible(text, styled=self.isatty()))


def _replace(name: str, descriptor: int, kind: type[io.FileIO]) -> None:
    """Replace a standard stream, unless that has been done or it has no plain file descriptor (a Windows console)."""
    stream = getattr(sys, name)
    if isinstance(stream, _VisibleText):
        return
    raw = kind(descriptor, "wb", closefd=False)
    if stream is None:
        again = _VisibleText(io.BufferedWriter(raw), encoding="utf-8", errors="replace")
    else:
        buffer = getattr(stream, "buffer", None)
        old = getattr(buffer, "raw", buffer)
        if stream is not getattr(sys, f"__{name}__") or type(old) is not io.FileIO or old.fileno() != descriptor:
            return
        output: Any = raw if old is buffer else io.BufferedWriter(raw)
        again = _VisibleText(
            output,
            encoding=stream.encoding,
            errors=RESPELL,  # if the terminal can't show "é", the program shows "e" instead of failing
            line_buffering=stream.line_buffering,
            write_through=stream.write_through,
        )
        _replaced.append(stream)
    for place in (name, f"__{name}__"):  # the full screen uses the second one
        setattr(sys, place, again)


_replaced: Final[list[Any]] = []
"""The replaced streams. They are kept, because a stream that is garbage-collected closes its file descriptor."""


def flush_streams() -> OSError | None:
    """Flush standard output and standard error, and return the error of standard output, or None.

    Text that can't be written is dropped, so that it doesn't cause another error when the interpreter exits.
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
