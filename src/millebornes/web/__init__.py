"""The web game: tables for people, computer players and programs over HTTP.

`app.make_app` makes the ASGI application of a `service.Service`, which contains all tables. ``table`` is one table,
``storage`` stores its log, ``api`` and ``pages`` answer requests about it, and ``server`` has everything else that
serving needs.

**The log.** Everything that happens at a table is a row of its log: a `table.events.TableEvent`, numbered from 1 (its
``seq``). Rows are only added, and the storage takes each number once (`storage.store.Store`), so any process can serve
any table. A `table.state.TableState` follows from a log. It drives the same game loop as the terminal screens
(`millebornes.session`), and makes the `table.messages.Message` that each seat and spectator may see. The *version* of a
table is the number of its messages so far, seen or unseen. Memory is only a cache: the state can be made again from the
log whenever that is easier.

**Commands.** A command gives the version that it has seen and a key. `table.live.LiveTable` checks it against the
state, adds the event to the log, and answers only when the event is on disk. If two requests want the same number, the
second one is checked again against the new state. The same key always gives the same answer.

**Coups fourrés (R5.5).** After a hazard that a player might parry, a window opens. It has its own message, which only
the holder of the safety sees (as a ``choose``). The window lasts equally long for all players. A pass is stored beside
the log, so that no version shows it. When the time is over, the event `table.events.Closed` follows, whether or not
anyone was asked and whatever they answered. A call takes effect immediately.

**Clocks.** The next steps of a table and their times follow from its state (`table.scheduler.steps_of`). The process
that wrote the latest event takes them. If that process has died, another one takes over a little later.
"""
