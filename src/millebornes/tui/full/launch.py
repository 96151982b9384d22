"""Run ``millebornes play`` on the full screen."""

import atexit
import os
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import TYPE_CHECKING

from textual.driver import Driver

from millebornes.storage import let_go
from millebornes.themes.spelling import respelled
from millebornes.tui.full.app import FullScreenApp
from millebornes.tui.full.keys import KEYMAP
from millebornes.tui.full.keys_config import load_keys
from millebornes.tui.full.start_flow import MilleApp
from millebornes.tui.full.terminal.driver import say_last, terminal_driver

if TYPE_CHECKING:
    from millebornes.tui.plain import PlayOptions

__all__ = ["play_full", "run_app"]


Making = Callable[[Mapping[str, Sequence[str]], type[Driver] | None, Sequence[str]], FullScreenApp]
"""A function that makes an app from the keys of each action, the terminal driver, and the errors in the keys file."""


def play_full(options: "PlayOptions") -> int:
    """Play on the full screen and return the exit status. Raises `MilleBornesError` if a save can't be read."""
    return run_app(lambda keymap, driver, faults: MilleApp(options, keymap, driver, key_faults=faults))


def run_app(make: Making) -> int:
    """Run an app in this terminal and return its exit status.

    While the app is closing, Ctrl-C makes the program end sooner. Raises the `MilleBornesError` that ended the app.
    """
    keys = load_keys(KEYMAP)
    app = make(keys.keys, terminal_driver(), keys.faults)

    def hurry(number: int, frame: FrameType | None) -> None:
        if not app.is_leaving:
            signal.default_int_handler(number, frame)
        _part(app)
        os._exit(app.return_code or app.return_value or 0)  # no work is lost if a computer player is still thinking

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, hurry)
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    status = app.run()
    let_go()
    _part(app)
    if app.failure is not None:
        raise app.failure
    return app.return_code or status or 0


def _part(app: FullScreenApp) -> None:
    """Print the app's farewell, but only once."""
    farewell, app.farewell = app.farewell, ""
    say_last(farewell if app.glyphs is None else respelled(farewell, app.glyphs))
