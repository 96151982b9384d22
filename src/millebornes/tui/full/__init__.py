"""The game on the whole screen: cards on a table, the keys of the classic game, and the mouse.

`play_full` runs a `MilleApp` (`start_flow`). `MilleApp` is a `FullScreenApp` (`app`), and leads from the command line
to the table. ``screens`` contains the screens and dialogues, ``widgets`` contains their parts, and ``terminal``
contains the code between Textual and the terminal. These are the screens:

* ``LoadingScreen`` appears at once, while a thread loads the rules. Nothing that is imported before it knows the game.
* ``StartScreen`` is a ``Screen[StartChoice]``. The start screen appears unless the command line says what to play. The
  result of the start screen is a ``StartChoice``, which contains a new game in ``setup``, the path of a saved game in
  ``save``, or the choice of the tutorial. The result is None if the player leaves.
* ``TableScreen`` is the table, and ``TableView`` contains its visible parts. A `screens.table.GameDriver` drives a
  `millebornes.session.game_loop.GameLoop` for this screen. The driver runs in one of the screen's workers, and computer
  players run in a thread, at the pace set in the preferences. An `input.TableInput` asks people the questions and
  accepts keys and clicks as answers. `commands.Commands` runs all commands that aren't answers.
* ``Confirm``, ``AskName``, ``Reader`` and ``SheetScreen`` are dialogues. Each returns a result when it is dismissed, so
  use ``await app.push_screen_wait(…)`` in a worker, or ``push_screen`` with a callback.
* The screens for settings, statistics, hints and the tutorial can be opened on top of any other screen.

``app.preferences`` contains the current `millebornes.storage.Preferences`. `MilleApp.prefer` changes and saves them,
and updates colours, keys and the session. ``app.keymap`` maps each action in `keys.ACTIONS` to its keys. These are the
keys in `keys.KEYMAP`, unless a config file changes them (see `keys_config`). Textual learns about changes through its
own key map.

Only `textual_private` uses private names of Textual.

Widgets have fixed ids, so that tests and other screens can refer to them. See
`millebornes.tui.full.screens.table_view.TableView`.
"""

from millebornes.tui.full.launch import play_full

__all__ = ["play_full"]
