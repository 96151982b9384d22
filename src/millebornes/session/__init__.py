"""A session of the game without any input or output: the state of a game, and one game loop for all screens.

`game_loop.GameLoop` plays a `game_session.GameSession`, hand after hand and match after match. The loop never waits,
reads or writes. Instead, it always has one current request (`requests`). The program that drives the loop does what the
request asks for and passes the answer back, and the loop responds with its next request. A driver only has to handle
its own medium, such as lines of text, a full screen or a server.

The driver may answer any of the questions of an `Ask` next. If a question is missing from the next `Ask`, the loop has
withdrawn it. The match must not change while ``run`` of other requests is working. The driver also sets the pace: after
a `Compute`, it waits until players have had time to see the previous move, except when that move was a pass (R5.5).

**Screens.** All people share one screen and pass the keyboard around, or they use several screens. ``screens`` lists
the seats of the people at each screen. A screen shows only one person's hand at a time. If several people share a
screen, the loop uses `PassKeyboard` to request that they pass the keyboard on. The screen must not show any hand until
they have answered.

**Coups fourrés (R5.5).** A player must not find out that another player is being asked. If several people play, or if
``watched`` is true because someone else is watching, the loop therefore asks every person whom the rules entitle to a
coup fourré. All of them get the same question in the same order, whether or not they hold the safety. Only the person
who is asked may see `Coup.holds`. The loop asks the people at all screens at once. The loop has no clock of its own: a
server starts a timer at the event ``WINDOW_OPENS``, passes for everyone who hasn't answered when time runs out, and
waits until then before it continues from ``WINDOW_CLOSES``. A window therefore always lasts equally long, no matter who
was asked, who answered, or whether a computer player had to choose in the meantime. A line game asks one person after
another and needs no clock.

**Leaving.** A driver can stop answering at any time. The latest `Save` contains every decision that people have made.
"""
