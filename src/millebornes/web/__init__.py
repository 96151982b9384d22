"""The web game: tables on which people, computer players and programs play over HTTP.

`app.make_app` makes the ASGI application for a `tables.service.Service`, which contains all tables, and `serving` runs
it. The package ``tables`` runs tables (`millebornes.table`), ``store`` keeps their logs, and ``http`` and ``pages``
answer requests about them, for programs and for people.

**The log.** Everything that happens at a table is a `millebornes.table.facts.Fact` in its log, with a number (``seq``)
from 1. The storage accepts each number only once (`store.store.Store`), so any process can serve any table. A log
determines a `millebornes.table.state.TableState`, and the `millebornes.table.messages.Message` that each seat and each
spectator may see. The *version* of a table is the number of its messages so far, including messages without a viewer.

**Commands.** A command contains a key and the latest version that its sender has seen. `tables.live.LiveTable` checks
the command against the state, adds a fact to the log, and answers only when the fact is on disk. If two requests
want to add the same number, the second request is checked again against the new state. Repeating a command with the
same key always returns the same answer.

**Coups fourrés (R5.5).** After a hazard that a player might parry, a window opens. The window has a message of its own,
whose contents (a ``choose``) only the holder of the safety sees. The window lasts equally long for all players. A pass
is stored outside the log, so no version reveals it. When the time is over, the fact `millebornes.table.facts.Closed`
follows, whether or not anyone was asked and whatever they answered. A call takes effect immediately.

**Clocks.** The state of a table determines its next steps and their times (`millebornes.table.steps`). The process
that wrote the latest fact carries them out. If that process has died, another process takes over a little later.
"""
