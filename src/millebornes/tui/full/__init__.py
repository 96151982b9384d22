"""The game on the whole screen: cards on a table, the keys of the classic game, and the mouse.

`play_full` opens a `MilleApp` (`start_flow`), a `FullScreenApp` (`app`) that goes from the command line to the table.
``screens`` holds the screens and dialogues, ``widgets`` what they are made of, ``terminal`` what lies between Textual
and the terminal. These are the screens:

* ``LoadingScreen``, at once, while a thread loads the rules; nothing imported before it knows the game;
* ``StartScreen``, a ``Screen[StartChoice]``, unless the command line said what to play. It is dismissed with a
  ``StartChoice``: a new game (``setup``), a saved one (``save``, a path), the tutorial; or None to leave;
* ``TableScreen``, the table itself; what it shows is in ``TableView``. A `game_driver.GameDriver` drives a
  `millebornes.session.game_loop.GameLoop` on it, in a worker of the screen, with computer players in a thread and at
  the pace of the preferences. A `input.TableInput` puts the questions to people and takes keys and clicks as answers;
  `commands.Commands` does the commands that are none;
* dialogues: ``Confirm``, ``AskName``, ``Reader``, ``SheetScreen``, all dismissed with an answer; use
  ``await app.push_screen_wait(…)`` within a worker, or ``push_screen`` with a callback;
* screens for settings, statistics, hints and the tutorial, pushed over any of these.

``app.preferences`` are the `millebornes.storage.Preferences` in force; `MilleApp.prefer` changes and keeps them, and
brings colours, keys and the session in line. ``app.keymap`` maps each action of `keys.ACTIONS` to its keys
(`keys.KEYMAP` unless a config file says otherwise, see `keys_config`); Textual hears of the changes by its own key map.

Private names of Textual are used in `textual_private` only.

Widgets have fixed ids, which tests and other screens may rely on: see
`millebornes.tui.full.screens.table_view.TableView`.
"""

from millebornes.tui.full.launch import play_full

__all__ = ["play_full"]
