"""A game at one screen, without any input or output: its table, and one loop for both terminals.

A `game_session.GameSession` is a `millebornes.table.state.TableState` with the computer players and the order of
people's cards. `game_loop.GameLoop` plays it, hand after hand and match after match. The loop never waits, reads or
writes. Instead, it always has one current request (`requests`). The program that drives the loop does what the request
asks for and passes the answer back, and the loop responds with its next request. A driver only has to handle its own
medium, such as lines of text or a full screen.

The match must not change while ``run`` of other requests is working. The driver also sets the pace: after a `Compute`,
it waits until players have had time to see the previous move, except when that move was a pass (R5.5).

**Several people.** The screen shows only one person's hand at a time. The loop uses `PassKeyboard` to request that
people pass the keyboard on. The screen must not show any hand until they have answered.

**Coups fourrés (R5.5).** A player must not find out that another player is being asked. If several people play, the
loop therefore asks every person whom the rules entitle to a coup fourré, one after another, whether or not they hold
the safety. All of them get the same question. Only the person who is asked may see `Coup.holds`.

**Leaving.** A driver can stop answering at any time. The latest `Save` contains every decision that people have made.
"""
