"""While an app runs, every signal wakes its event loop, whichever thread takes it, and none spoils the screen."""

import asyncio
import os
import signal
import sys
import threading

import pytest

from millebornes.tui.full.screens.start_flow import MilleApp
from tests.full.playing import options

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no signals between threads there")
PATIENCE = 60.0


def test_a_signal_that_another_thread_takes_is_handled_at_once() -> None:
    over, late = threading.Event(), threading.Event()

    async def hear() -> None:
        loop, heard, app = asyncio.get_running_loop(), asyncio.Event(), MilleApp(options(["human", "basic"]))

        def give_up() -> None:
            late.set()
            loop.call_soon_threadsafe(heard.set)

        previous = signal.signal(signal.SIGUSR1, lambda *_: heard.set())
        app._take_signals()
        threading.Thread(target=over.wait, daemon=True).start()  # it takes what the main thread leaves
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
        patience = threading.Timer(PATIENCE, give_up)  # a limit of the loop's own would wake it
        patience.start()
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        try:
            await heard.wait()
        finally:
            patience.cancel()
            over.set()
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1])
            app.on_unmount()
            signal.signal(signal.SIGUSR1, previous)

    asyncio.run(hear())
    assert not late.is_set()


def test_more_signals_than_the_pipe_holds_do_no_harm(capfd: pytest.CaptureFixture[str]) -> None:
    async def hear() -> int:
        count = 0

        def handler(*_: object) -> None:
            nonlocal count
            count += 1

        app, previous = MilleApp(options(["human", "basic"])), signal.signal(signal.SIGUSR1, handler)
        app._take_signals()
        try:
            for _ in range(2000):
                signal.raise_signal(signal.SIGUSR1)
            await asyncio.sleep(0)
        finally:
            app.on_unmount()
            signal.signal(signal.SIGUSR1, previous)
        return count

    assert asyncio.run(hear()) == 2000
    assert capfd.readouterr().err == ""
    assert signal.set_wakeup_fd(-1) == -1
