"""A process between a host and a program that plays, which writes the program's log and ends all its processes.

`millebornes.players.external.launch` starts a supervisor for each program. The input and output of the program bypass
it, and only the program's standard error passes through it. To start quickly, it imports no other modules of this
package, and only a few from the standard library.

It ends all processes when its control socket is closed. The operating system closes this socket however the host ends,
even after SIGKILL. On Linux, the supervisor adopts all processes that the program leaves behind, so not even processes
in another session survive.
"""

import os
import select
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
else:  # Importing the enumerations in `signal` would take a third of the time to start, and so would contextlib.
    import _signal as signal

__all__ = ["EXITED", "FAILED", "LINGER", "SIGNALLED", "OutputLog", "main"]

LINGER = 0.5
"""Seconds between the signal that asks processes to end and the signal that kills them."""

STUCK = 5.0
"""If no process ends for this number of seconds, the supervisor gives up on the remaining processes."""

ROUND = 0.01
"""Seconds to wait for killed processes to end, before searching for more processes."""

FAILED, EXITED, SIGNALLED = "failed", "exited", "signalled"
"""The reports to the host, each a line with a number: the program didn't start (`errno`), or how it ended."""

HEAD = 8 << 20
TAIL = 1 << 20
CHUNK = 1 << 16
MAX_CHUNKS = 64
"""The maximum number of chunks to read at the end, which is more than a pipe can hold.

This sets a limit if a process can't be ended.
"""
FLUSH_SECONDS = 1.0

_LINUX = sys.platform.startswith("linux")
_SET_DEATH_SIGNAL = 1
_SET_SUBREAPER = 36


def _reset_signals() -> None:
    """Restore the default action for signals that Python or a shell ignores, or that this supervisor handles."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)


class OutputLog:
    """A log file that contains the first ``head`` bytes of the output and at least the last ``tail`` bytes.

    The file is created when the first byte arrives, can be read only by its owner, and never replaces another file. It
    contains at most twice ``tail`` bytes from the end. Data that can't be written is dropped.
    """

    def __init__(self, path: str, head: int = HEAD, tail: int = TAIL) -> None:
        self._path = path
        self._file: int | None = None
        self._begun = False
        self._head = head
        self._most = tail
        self._room = head
        self._tail = bytearray()
        self._dropped = 0
        self._flushed = 0
        """The number of bytes of the tail that are in the file, or -1 if the tail in the file must be rewritten."""

    @property
    def is_behind(self) -> bool:
        """Return whether there is data that `flush` would write to the file."""
        return self._flushed != len(self._tail)

    def add(self, data: bytes) -> None:
        """Add output to the log.

        Data after the first ``head`` bytes is only written to the file by the next `flush`.
        """
        if not self._begun and self._path:
            self._begun = True
            try:
                flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
                self._file = os.open(self._path, flags, 0o600)
            except OSError:
                self._file = None
        if self._file is None:
            return
        if self._room:
            self._write(data[: self._room])
            data, self._room = data[self._room :], max(0, self._room - len(data))
        self._tail += data
        if len(self._tail) > 2 * self._most:
            self._dropped += len(self._tail) - self._most
            del self._tail[: -self._most]
            self._flushed = -1

    def flush(self) -> None:
        """Write all data to the file."""
        if self._file is None or not self.is_behind:
            return
        if self._flushed < 0:
            try:
                os.ftruncate(self._file, min(self._head, os.fstat(self._file).st_size))
                os.lseek(self._file, 0, os.SEEK_END)
            except OSError:
                return
            self._write(f"\n({self._dropped} bytes that stood here were dropped)\n".encode())
            self._flushed = 0
        self._write(bytes(self._tail[self._flushed :]))
        self._flushed = len(self._tail)

    def _write(self, data: bytes) -> None:
        assert self._file is not None
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError:
            return  # the disk is full, so the rest is dropped

    def close(self) -> None:
        """Write all data to the file and close it."""
        self.flush()
        if self._file is not None:
            os.close(self._file)
            self._file = None


class _Supervisor:
    """A program and all processes that it has started."""

    def __init__(self, control: int, host: int, log: str, words: list[str]) -> None:
        self._control = control
        self._log = OutputLog(log)
        self._flush_at: float | None = None
        self._must_end = False
        self._running = False
        self._errors_open = True
        self._reaped = 0.0
        """The time when a process last ended."""
        self._poll = select.poll()
        os.set_inheritable(control, False)
        os.set_blocking(control, False)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        self._wake_up, waker = os.pipe()
        for number in (self._wake_up, waker):
            os.set_blocking(number, False)
        signal.set_wakeup_fd(waker)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._on_end)
        self._adopts = _prctl(_SET_SUBREAPER, 1)
        self._host = _open_process(host)
        self._errors, errors = os.pipe()
        self._pid = self._start(words, errors)
        os.close(errors)
        os.set_blocking(self._errors, False)
        for number in (control, self._wake_up, self._errors, *([] if self._host is None else [self._host])):
            self._poll.register(number, select.POLLIN)
        if os.getppid() != host:
            self._must_end = True  # the process has already ended

    def _on_end(self, *_: object) -> None:
        self._must_end = True

    def _start(self, words: list[str], errors: int) -> int:
        """Start the program in a new session and return its process number.

        If this fails, report the error to the host.
        """
        failure, report = os.pipe()
        own = os.getpid()
        pid = os.fork()
        if pid == 0:
            try:
                os.setsid()
                _reset_signals()
                os.dup2(errors, 2)
                # If the supervisor itself is killed, this at least ends the program.
                _prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
                if os.getppid() == own:
                    os.execvp(words[0], words)
            except OSError as error:
                os.write(report, str(error.errno).encode())
            except BaseException:
                os.write(report, b"0")
            finally:
                os._exit(127)
        os.close(report)
        code = os.read(failure, 16)
        os.close(failure)
        if code:
            _tell(self._control, FAILED, int(code))
        self._running = not code
        # This must come last: when the host sees the end of the output, the reason must already be available.
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        os.close(nothing)
        return pid

    # ------------------------------------------------------------------ watching

    def run(self) -> None:
        """Watch the program until it is time to end, and then end all processes."""
        while not self._must_end:
            self._step(None)
        if self._running:
            _kill(-self._pid, signal.SIGTERM)
        until = time.monotonic() + LINGER
        while self._running and time.monotonic() < until:
            self._step(until - time.monotonic())
        self._kill_all()
        for _ in range(MAX_CHUNKS):
            if not self._take_error():
                break
        self._log.close()

    def _step(self, seconds: float | None) -> None:
        """Wait at most ``seconds`` for an event, and handle it."""
        if self._flush_at is not None:
            left = self._flush_at - time.monotonic()
            seconds = left if seconds is None else min(left, seconds)
        happened = self._poll.poll(None if seconds is None else 1000 * max(0.0, seconds))
        for number, _ in happened:
            if number == self._errors:
                self._take_error()
            elif number == self._wake_up:
                os.read(self._wake_up, CHUNK)
            else:  # the host never sends anything, so this means that it has ended
                self._poll.unregister(number)
                self._must_end = True
        self._reap()
        if self._flush_at is not None and time.monotonic() >= self._flush_at:
            self._log.flush()
            self._flush_at = None

    def _take_error(self) -> bool:
        """Read some of the program's standard error. Returns False if there is nothing to read."""
        try:
            data = os.read(self._errors, CHUNK)
        except BlockingIOError:
            return False
        if data:
            self._log.add(data)
            if self._flush_at is None and self._log.is_behind:
                self._flush_at = time.monotonic() + FLUSH_SECONDS
        elif self._errors_open:
            self._errors_open = False
            self._poll.unregister(self._errors)
        return bool(data)

    def _reap(self) -> bool:
        """Collect the status of processes that have ended. Returns False if no processes are left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            self._reaped = time.monotonic()
            if pid == self._pid and self._running:
                self._running = False
                code = os.waitstatus_to_exitcode(status)
                _tell(self._control, SIGNALLED if code < 0 else EXITED, abs(code))

    # ------------------------------------------------------------------ ending

    def _kill_all(self) -> None:
        """Kill the program and all other processes that it has started.

        Only child processes of the supervisor are killed, so their numbers can't belong to other processes. The
        children of killed processes then become children of the supervisor.
        """
        if self._running or not self._adopts:
            _kill(-self._pid, signal.SIGKILL)
        self._reaped = time.monotonic()
        while self._reap() and time.monotonic() < self._reaped + STUCK:
            for pid in _children():
                _kill(pid, signal.SIGKILL)
            self._step(ROUND)


def _kill(pid: int, number: int) -> None:
    """Send a signal to a process, or to a process group if ``pid`` is negative.

    Errors are ignored, because the process may have ended or may belong to another user.
    """
    try:
        os.kill(pid, number)
    except OSError:
        return


def _tell(control: int, what: str, number: int) -> None:
    """Send a report to the host, which may already have ended."""
    try:
        os.write(control, f"{what} {number}".encode())
    except OSError:
        return


def _children() -> list[int]:
    """Return the process numbers of all child processes, even ended ones, or none if the system has no list of them."""
    found = []
    try:
        numbers = [int(name) for name in os.listdir("/proc") if name.isdecimal()]  # noqa: PTH208
    except OSError:
        return []
    for number in numbers:
        try:
            with open(f"/proc/{number}/stat", "rb") as stream:  # noqa: PTH123
                stat = stream.read()
        except OSError:
            continue
        # "number (name) state parent …", where the name can contain any characters
        if int(stat.rpartition(b")")[2].split()[1]) == os.getpid():
            found.append(number)
    return found


def _prctl(option: int, value: int) -> bool:
    """Change a setting of this process on Linux. Returns False on other systems, or if this isn't possible."""
    if not _LINUX:
        return False
    try:
        from ctypes import CDLL, c_int, c_ulong

        prctl = CDLL(None).prctl
        prctl.argtypes = [c_int, c_ulong, c_ulong, c_ulong, c_ulong]
        return bool(prctl(option, value, 0, 0, 0) == 0)
    except (ImportError, OSError, AttributeError):
        return False


def _open_process(pid: int) -> int | None:
    """Return a descriptor that becomes readable when a process has ended, or None if the system has no such feature.

    With this, the end of the host is noticed even if a forked copy of the host keeps the control socket open.
    """
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def main() -> None:
    """Run the supervisor.

    Its arguments are the control socket, the process number of the host, the path of the log (or ""), and the command.
    """
    control, host, log, *words = sys.argv[1:]
    try:
        supervisor = _Supervisor(int(control), int(host), log, words)
    except OSError as error:  # the system has no more processes or file descriptors available
        _tell(int(control), FAILED, error.errno or 0)
    else:
        supervisor.run()
    os._exit(0)  # there is nothing left to tidy up
