"""A session of the game without input and output: one game loop under all screens, and what it plays on.

`game_loop.GameLoop` plays a `game_session.GameSession`: hand after hand, match after match. It never waits, reads or
writes. At any time it has one `requests.Request`; its driver does what that asks for and gives the answer, which
leads to the next request. A driver contains only its medium, whether that is lines, a full screen or a server:

* `Ask`: questions that stand open, one for each screen that is asked. Any one of them may be answered next. The next
  `Ask` then names those that still stand; a question that it does not name has been withdrawn.
* `Compute`, `Save` and `RecordResult`: work whose ``run`` takes a while. The driver calls it, in a thread or not, and
  gives back what it returns. Nobody may change the match meanwhile. Pace is the driver's: it waits before it gives back
  what a `Compute` returned, as long as the move before is to stay in sight, but not for a pass (R5.5).
* `Event`: something has happened. `Event.lines` tells it to one viewer, and `GameSession.view` shows the table as that
  viewer may see it. A viewer is a seat, or None for whoever may look and sits nowhere.
* `Trouble`: something went wrong that people should be told.

**Screens.** People sit at one screen (a keyboard that is passed round), or at several. ``screens`` names the seats of
people at each. A screen shows the hand of one person at a time; where it has several, the loop asks with `PassKeyboard`
for it to be passed, and no hand may be on it until that has been answered.

**Coups fourrés (R5.5).** Nobody may learn that somebody else is asked. Where several people play, or ``watched`` says
that others look on, the loop asks every person whom the rules entitle, whether or not they hold the safety, with the
same words and in the same order of requests; `Coup.holds` is for the person asked alone. All screens are asked at once.
The loop knows no clock: a server begins its time with the event ``WINDOW_OPENS``, answers with a pass for who has not
answered when it has run out, and goes on from ``WINDOW_CLOSES`` only when it has, so that a window lasts equally long
whoever was asked and whoever answered. The same holds for a computer player that is asked meanwhile. A line game asks
in order, and needs no clock.

**Leaving.** A driver leaves by not answering any more; the latest `Save` holds every decision of a person.
"""
