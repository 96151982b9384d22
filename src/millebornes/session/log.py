"""The log of a match, hand by hand, with only what one player could see.

The log isn't saved. It is made from the moves of the match, so a resumed game has its whole log again.
"""

import copy
import dataclasses

from millebornes.session.game_session import GameSession
from millebornes.words.narration import Narration, Narrator, heard


@dataclasses.dataclass(frozen=True)
class HandLog:
    """The log of one hand: its ``number`` from 1, a ``heading`` with the first player, and a sentence per event."""

    number: int
    heading: str
    lines: tuple[str, ...]


def log_lines(session: GameSession, viewer: int | None) -> tuple[HandLog, ...]:
    """Return the log of each hand of the current match.

    ``viewer`` is the seat of the reader, or None for everyone. The log contains only what that seat could see at the
    table.
    """
    return tuple(_hand_log(session, n, viewer, session.narrator) for n in range(len(session.match.hands)))


def latest_lines(session: GameSession, viewer: int | None, most: int, *, brief: bool = False) -> list[str]:
    """Return up to ``most`` of the last lines, including headings. ``brief`` works as in `Narrator`."""
    narrator = copy.copy(session.narrator)
    narrator.brief = brief
    lines: list[str] = []
    for n in reversed(range(len(session.match.hands))):
        hand = _hand_log(session, n, viewer, narrator)
        lines = [hand.heading, *hand.lines, *lines]
        if len(lines) >= most:
            break
    return lines[-most:]


def _hand_log(session: GameSession, n: int, viewer: int | None, narrator: Narrator) -> HandLog:
    """Return the log of the ``n``-th hand that is known (a `PuzzleMatch` knows only the current one)."""
    match = session.match
    hand, number = match.hands[n], match.hand_number - len(match.hands) + 1 + n
    events: list[Narration] = []
    for then in hand.moments:
        events += narrator.move(then)
        if then is not hand or session.is_settled:  # R5.5: until then, a coup fourré was possible
            events += narrator.passed_over(then)
        events += session.notes.get((number, then.ply), ())
    if hand.is_over:
        events.append(narrator.hand_over(hand))
    if hand is match.hand and session.loss is not None:
        events.append(narrator.forfeit(session.loss))
    heading = narrator.hand_begins(hand, number)(viewer)
    return HandLog(number, heading, tuple(heard(events, viewer)))
