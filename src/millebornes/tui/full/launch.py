"""``millebornes play`` on a terminal."""

from typing import TYPE_CHECKING

from millebornes.tui.full.app import MilleApp
from millebornes.tui.full.driver import say_last, terminal_driver
from millebornes.tui.full.keys import KEYMAP
from millebornes.tui.full.keys_config import load_keys

if TYPE_CHECKING:
    from millebornes.tui.plain import Options

__all__ = ["play_full"]


def play_full(options: "Options") -> int:
    """Play on the whole screen; returns the exit status.

    Raises `MilleBornesError`: a save or a file of keys that cannot be read.
    """
    app = MilleApp(options, load_keys(KEYMAP), terminal_driver())
    status = app.run()
    say_last(app.farewell)
    if app.failure is not None:
        raise app.failure
    return app.return_code or status or 0
