"""The web game: tables that people, computer players and programs sit at over HTTP.

`app.make_app` makes the ASGI application of a `service.Service`, which holds all tables. ``table`` is one table,
``storage`` keeps its log, ``api`` and ``pages`` answer requests about it, and ``server`` is what serving needs besides
the game.

**One truth.** All that happens at a table is a row of its log: a `table.events.TableEvent`, numbered from 1 (its
``seq``). Rows are only added, and the storage takes each number once (`storage.store.Store`), so any process may serve
any table. A `table.state.TableState` is what follows from a log: it drives the game loop that the terminal screens
drive (`millebornes.session`), and makes the `table.messages.Message` that each seat and spectator may see. The
*version* of a table is the number of its messages so far, seen or unseen. Memory is only a cache: a state is made again
from the log whenever that is easier.

**A command** names the version that it saw and a key. `table.live.LiveTable` checks it against the state, adds the
event to the log, and answers only when that is on disk. Whoever comes second to a number is checked again against the
new state; the same key again gives the same answer.

**Coups fourrés (R5.5).** After a hazard that somebody might parry a window opens, with a message of its own, which only
the holder of the safety sees (as a ``choose``). It lasts as long for everybody. A pass is kept in the storage beside
the log, so that no version tells of it; when the time is over the event `table.events.Closed` follows, whoever was
asked and whatever was answered. A call counts at once.

**Clocks.** What a table has to do next, and when, follows from its state (`table.scheduler.steps_of`). The process that
wrote the latest event does it; where that one has died, another one does a little later.
"""
