"""The game on the whole screen: cards on a table, the keys of the classic game, and the mouse.

`play_full` opens a `MilleApp` (`start_flow`), a `FullScreenApp` (`app`) that goes from the command line to the table.
It knows these screens:

* `loading.LoadingScreen`, at once, while a thread loads the rules; nothing imported before it knows the game;
* `start.StartScreen`, a ``Screen[StartChoice]``, unless the command line said what to play. It is dismissed with a
  `start_choice.StartChoice`: a new game (``setup``), a saved one (``save``, a path), the tutorial; or None to leave;
* `table.TableScreen`, the table itself; what it shows is in `table_view.TableView`. A `game_driver.GameDriver` drives a
  `millebornes.session.game_loop.GameLoop` on it, in a worker of the screen, with computer players in a thread and at
  the pace of the preferences. A `input.TableInput` puts the questions to people and takes keys and clicks as answers;
  `commands.Commands` does the commands that are none;
* dialogues: `dialogs.Confirm`, `dialogs.AskName`, `dialogs.Reader`, `sheet.SheetScreen`, all dismissed with an answer;
  use ``await app.push_screen_wait(…)`` within a worker, or ``push_screen`` with a callback;
* `settings.SettingsScreen`, `statistics`, `hint` and `tutorial` screens, pushed over any of these.

``app.preferences`` are the `millebornes.storage.Preferences` in force; `MilleApp.prefer` changes and keeps them, and
brings colours, keys and the sitting in line. ``app.keymap`` maps each action of `keys.ACTIONS` to its keys
(`keys.KEYMAP` unless a config file says otherwise, see `keys_config`); Textual hears of the changes by its own key map.

Private names of Textual are used in `textual_private` only.

Widgets have fixed ids, which tests and other screens may rely on: see `table_view.TableView`.
"""

from millebornes.tui.full.launch import play_full

__all__ = ["play_full"]
