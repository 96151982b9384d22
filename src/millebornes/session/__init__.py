"""A session of the game without input and output: the state of a game, and one game loop for all screens.

`game_loop.GameLoop` plays a `game_session.GameSession`: hand after hand, match after match. It never waits, reads or
writes. At any time it has one `requests.Request`. Its driver does what the request asks for and gives the answer back,
which leads to the next request. A driver deals only with its medium, such as lines, a full screen or a server:

* `Ask`: open questions, one for each screen that is asked. The driver may answer any of them next. The next `Ask`
  names the questions that are still open; a question that it doesn't name has been withdrawn.
* `Compute`, `Save` and `RecordResult`: work whose ``run`` takes a while. The driver calls it, in a thread or not, and
  gives back the result. The match must not change meanwhile. The driver sets the pace: after a `Compute`, it waits
  until the previous move has been visible for long enough, but not for a pass (R5.5).
* `Event`: something has happened. `Event.lines` describes it for one viewer, and `GameSession.view` returns the table
  as that viewer may see it. A viewer is a seat, or None for a spectator.
* `Trouble`: something went wrong, and the driver shows the text.

**Screens.** People sit at one screen (a keyboard that is passed around), or at several. ``screens`` names the seats of
the people at each one. A screen shows one person's hand at a time. If several people share a screen, the loop asks with
`PassKeyboard` for the keyboard to be passed, and the screen must not show any hand until that is answered.

**Coups fourrés (R5.5).** A player must not learn that another player is being asked. If several people play, or if
``watched`` says that others are watching, the loop asks every person who is entitled by the rules, whether or not they
hold the safety, in the same words and the same order. Only the person asked may see `Coup.holds`. All screens are asked
at once. The loop has no clock. A server starts its timer at the event ``WINDOW_OPENS``, passes for everyone who hasn't
answered when the time runs out, and continues from ``WINDOW_CLOSES`` only then. So a window always lasts equally long,
no matter who was asked and who answered, even if a computer player was asked in the meantime. A line game asks one
person after another, and needs no clock.

**Leaving.** To leave, a driver simply stops answering. The latest `Save` contains every decision that people have made.
"""
