"""The game on the whole screen: cards on a table, the keys of the classic game, and the mouse.

`play_full` runs a `MilleApp` (`screens.start_flow`). `MilleApp` is a `FullScreenApp` (`screens.app`), and leads from
the command line to the table. ``screens`` contains the screens and dialogues, ``widgets`` contains their parts, and
``terminal`` contains the keys and the code between Textual and the terminal. These are the screens:

* ``LoadingScreen`` appears at once, while a thread loads the rules. Nothing that is imported before it knows the game.
* ``StartScreen`` appears unless the command line says what to play.
* ``TableScreen`` is the table, and ``TableView`` contains its visible parts. A `screens.table.GameDriver` drives a
  `millebornes.session.game_loop.GameLoop` for this screen, and computer players run in a thread. A
  `screens.input.TableInput` turns keys and clicks into calls of the `millebornes.tui.controller.Controller`, and
  `screens.commands.Commands` shows what other commands lead to.
* Dialogues return a result when they are dismissed: use ``await app.push_screen_wait(…)`` in a worker, or
  ``push_screen`` with a callback.

`FullScreenApp.prefer` changes and saves preferences, and updates colours, keys and the session. ``app.keymap`` maps
each action in `terminal.keys.ACTIONS` to its keys. Only `terminal.textual_private` uses private names of Textual.
"""

from millebornes.tui.full.screens.start_flow import play_full

__all__ = ["play_full"]
