"""The two pipes to a child process, with read and write operations that never block."""

import contextlib
import os
import socket
import struct
import subprocess
import sys
import threading
from typing import Any, Final

__all__ = ["Direct", "Pipes", "Pumped", "pipes_to"]

CHUNK: Final = 1 << 16


class Direct:
    """Pipes that are used directly, on systems where a selector can watch them (all except Windows)."""

    def __init__(self, child: "subprocess.Popen[bytes]") -> None:
        assert child.stdin is not None
        assert child.stdout is not None
        self._stdin: Final = child.stdin
        self._stdout: Final = child.stdout
        self._in: Final = child.stdin.fileno()
        self._out: Final = child.stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)

    def reader(self) -> Any:
        """The descriptor of the child's output, for use with a selector."""
        return self._out

    def writer(self) -> Any:
        """The descriptor of the child's input, for use with a selector, or None after `close_writer`."""
        return None if self._stdin.closed else self._in

    def read(self) -> bytes | None:
        """Return the available data, None if there is none yet, or ``b""`` if no more data can arrive."""
        try:
            return os.read(self._out, CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def write(self, data: bytes) -> int:
        """Write as many bytes as fit, and return their number.

        Raises `BrokenPipeError` if the child no longer reads.
        """
        if self._stdin.closed:
            raise BrokenPipeError
        try:
            return os.write(self._in, data)
        except BlockingIOError:
            return 0

    def unread(self) -> int:
        """Return the number of written bytes that the child hasn't read yet.

        On systems other than Linux, the number is always 0.
        """
        if not sys.platform.startswith("linux") or self._stdin.closed:
            return 0
        import fcntl
        import termios

        try:
            answer = fcntl.ioctl(self._in, termios.FIONREAD, b"\0" * 4)
        except OSError:
            return 0
        return int(struct.unpack("i", answer)[0])

    def close_writer(self) -> None:
        """Close the child's input, so that the child sees the end of the data."""
        with contextlib.suppress(OSError):
            self._stdin.close()

    def close(self) -> None:
        """Close both pipes."""
        self.close_writer()
        with contextlib.suppress(OSError):
            self._stdout.close()


class Pumped:
    """Sockets that are connected to the pipes by threads, because selectors on Windows only support sockets."""

    def __init__(self, child: "subprocess.Popen[bytes]") -> None:
        assert child.stdin is not None
        assert child.stdout is not None
        self._in, far_in = socket.socketpair()
        self._out, far_out = socket.socketpair()
        for near in (self._in, self._out):
            near.setblocking(False)
        self._writing = True
        for pump, arguments in ((_pump_in, (far_in, child.stdin)), (_pump_out, (child.stdout, far_out))):
            threading.Thread(target=pump, args=arguments, daemon=True, name="millebornes bot").start()

    def reader(self) -> Any:
        """The socket with the child's output."""
        return self._out

    def writer(self) -> Any:
        """The socket for the child's input."""
        return self._in if self._writing else None

    def read(self) -> bytes | None:
        """Return the available data (see `Direct.read`)."""
        try:
            return self._out.recv(CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def write(self, data: bytes) -> int:
        """Write as many bytes as fit (see `Direct.write`)."""
        try:
            return self._in.send(data)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise BrokenPipeError from error

    def unread(self) -> int:
        """Return 0, because the number of unread bytes isn't known here."""
        return 0

    def close_writer(self) -> None:
        """Close the child's input (see `Direct.close_writer`)."""
        self._writing = False
        self._in.close()

    def close(self) -> None:
        """Close the sockets and the pipes."""
        self.close_writer()
        self._out.close()


def _pump_in(far: socket.socket, stdin: Any) -> None:
    with far, contextlib.suppress(OSError, ValueError):
        while data := far.recv(CHUNK):
            stdin.write(data)
            stdin.flush()
    with contextlib.suppress(OSError, ValueError):
        stdin.close()


def _pump_out(stdout: Any, far: socket.socket) -> None:
    with far, contextlib.suppress(OSError, ValueError):
        while data := os.read(stdout.fileno(), CHUNK):
            far.sendall(data)
    with contextlib.suppress(OSError, ValueError):
        stdout.close()


Pipes = Direct | Pumped


def pipes_to(child: "subprocess.Popen[bytes]") -> Pipes:
    """Return the pipes to a child process that was started with pipes for ``stdin`` and ``stdout``."""
    return Pumped(child) if sys.platform == "win32" else Direct(child)
