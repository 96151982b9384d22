"""The web game: tables that people, computer players and programs sit at over HTTP.

**One truth.** All that happens at a table is a row of its log: a `facts.Fact`, numbered from 1 (its ``seq``). The log
is only added to, and the storage takes each number once (`store.Store`), so any process may serve any table. A
`table_state.TableState` is what follows from a log: it drives the game loop that the terminal screens drive
(`millebornes.session`), and makes the `messages.Message` that each seat and spectator may see. The *version* that
people and programs are told of a table is the number of its messages so far, seen or unseen. Memory is only a cache: a
state is made again from the log whenever that is easier.

**A command** names the version that it saw and a key. `live.LiveTable` checks it against the state, adds the fact to
the log, and answers only when that is on disk. Whoever comes second to a number is checked again against the new
state; the same key again gives the same answer.

**Coups fourrés (R5.5).** After a hazard that somebody might parry a window opens, with a message of its own, which only
the holder of the safety sees (as a ``choose``). It lasts as long for everybody. A pass is kept in the storage beside
the log, so that no version tells of it; when the time is over the fact `facts.Closed` follows, whoever was asked and
whatever was answered. A call counts at once.

**Clocks.** What a table has to do next, and when, follows from its state (`steps.steps_of`). The process that wrote the
latest fact does it; where that one has died, another one does a little later.

`app.make_app` makes the ASGI application: it mounts `api`; pages may be mounted beside it.
"""
