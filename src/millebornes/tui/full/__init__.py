"""The game on the whole screen: cards on a table, the keys of the classic game, and the mouse.

`play_full` opens a `MilleApp` (`start_flow`), which is a `FullScreenApp` (`app`) that leads from the command line to
the table. ``screens`` contains the screens and dialogues, ``widgets`` their parts, and ``terminal`` the code between
Textual and the terminal. These are the screens:

* ``LoadingScreen`` appears at once, while a thread loads the rules. Nothing imported before it knows the game.
* ``StartScreen`` is a ``Screen[StartChoice]``. It appears unless the command line said what to play. It is dismissed
  with a ``StartChoice`` (a new game in ``setup``, the path of a saved one in ``save``, or the tutorial), or with None
  to leave.
* ``TableScreen`` is the table. ``TableView`` contains the parts that it shows. A `game_driver.GameDriver` drives a
  `millebornes.session.game_loop.GameLoop` on it. The driver runs in a worker of the screen. Computer players run in a
  thread, at the pace set in the preferences. An `input.TableInput` asks people the questions, and takes keys and clicks
  as answers. `commands.Commands` runs the commands that are not answers.
* ``Confirm``, ``AskName``, ``Reader`` and ``SheetScreen`` are dialogues. All are dismissed with an answer, so use
  ``await app.push_screen_wait(…)`` within a worker, or ``push_screen`` with a callback.
* The screens for settings, statistics, hints and the tutorial are pushed over any of these.

``app.preferences`` are the current `millebornes.storage.Preferences`. `MilleApp.prefer` changes and saves them, and
updates colours, keys and the session. ``app.keymap`` maps each action of `keys.ACTIONS` to its keys (`keys.KEYMAP`
unless a config file changes them, see `keys_config`). Changes reach Textual through its own key map.

Only `textual_private` uses private names of Textual.

Widgets have fixed ids, which tests and other screens can use: see `millebornes.tui.full.screens.table_view.TableView`.
"""

from millebornes.tui.full.launch import play_full

__all__ = ["play_full"]
