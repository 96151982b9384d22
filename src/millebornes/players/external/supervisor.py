"""A process between a host and a program that plays, which ends all processes of the program.

`millebornes.players.external.launch` starts a supervisor for each program. The input and output of the program bypass
it. To start quickly, it imports no other modules of this package, and only a few from the standard library.

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

__all__ = ["EXITED", "FAILED", "LINGER", "SIGNALLED", "STUCK", "main"]

LINGER = 0.5
"""Seconds between the signal that asks processes to end and the signal that kills them."""

STUCK = 5.0
"""If processes are left after this number of seconds, the supervisor gives up on them."""

ROUND = 0.01
"""Seconds to wait for killed processes to end, before searching for more processes."""

FAILED, EXITED, SIGNALLED = "failed", "exited", "signalled"
"""The reports to the host, each a line with a number: the program didn't start (`errno`), or how it ended."""

_LINUX = sys.platform.startswith("linux")
_SET_DEATH_SIGNAL = 1
_SET_SUBREAPER = 36


def _reset_signals() -> None:
    """Restore the default action for signals that Python or a shell ignores, or that this supervisor handles."""
    numbers = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP)
    for number in (*numbers, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)


class _Supervisor:
    def __init__(self, control: int, host: int, words: list[str]) -> None:
        self._control = control
        self._must_end = False
        self._running = False
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
        self._pid = self._start(words)
        for number in (control, self._wake_up, *([] if self._host is None else [self._host])):
            self._poll.register(number, select.POLLIN)
        if os.getppid() != host:
            self._must_end = True  # the process has already ended

    def _on_end(self, *_: object) -> None:
        self._must_end = True

    def _start(self, words: list[str]) -> int:
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
        for number in (0, 1, 2):
            os.dup2(nothing, number)
        os.close(nothing)
        return pid

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

    def _step(self, seconds: float | None) -> bool:
        """Wait at most ``seconds`` for an event, and handle it. Returns False if no processes are left."""
        for number, _ in self._poll.poll(None if seconds is None else 1000 * max(0.0, seconds)):
            if number == self._wake_up:
                os.read(self._wake_up, 1 << 16)
            else:  # the host never sends anything, so this means that it has ended
                self._poll.unregister(number)
                self._must_end = True
        try:
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == self._pid and self._running:
                    self._running = False
                    code = os.waitstatus_to_exitcode(ended[1])
                    _tell(self._control, SIGNALLED if code < 0 else EXITED, abs(code))
        except ChildProcessError:
            return False
        return True

    def _kill_all(self) -> None:
        """Kill the program and all other processes that it has started.

        Only child processes of the supervisor are killed, so their numbers can't belong to other processes. The
        children of killed processes then become children of the supervisor.
        """
        if self._running or not self._adopts:
            _kill(-self._pid, signal.SIGKILL)
        until, wait = time.monotonic() + STUCK, 0.0
        while self._step(wait) and time.monotonic() < until:
            for pid in _children():
                _kill(pid, signal.SIGKILL)
            wait = ROUND


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

    Its arguments are the control socket, the process number of the host, and the command.
    """
    control, host, *words = sys.argv[1:]
    try:
        supervisor = _Supervisor(int(control), int(host), words)
    except OSError as error:  # the system has no more processes or file descriptors available
        _tell(int(control), FAILED, error.errno or 0)
    else:
        supervisor.run()
    os._exit(0)  # there is nothing left to tidy up
