"""``millebornes play`` on a terminal."""

from typing import TYPE_CHECKING

from millebornes.tui.full.app import MilleApp

if TYPE_CHECKING:
    from millebornes.tui.plain import Options

__all__ = ["play_full"]


def play_full(options: "Options") -> int:
    """Play on the whole screen; returns the exit status. Raises `SaveError` for a save that cannot be read."""
    app = MilleApp(options)
    status = app.run()
    if app.farewell:
        print(app.farewell, flush=True)
    if app.return_code:
        return app.return_code
    return status or 0
