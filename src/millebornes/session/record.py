"""The statistics of a session: which results are recorded, and when."""

import datetime
import hashlib
from typing import Any

from millebornes.game import Hand
from millebornes.notation import hand_line, transcript_lines
from millebornes.session.game_session import GameSession
from millebornes.session.luck import luck_of
from millebornes.storage import HandResult, MatchResult, keep_match, keep_result

__all__ = ["Recorder", "hand_result", "match_result"]


def _digest(session: GameSession, hands: tuple[Hand, ...], first: int, *more: str) -> str:
    """Return a digest of the people, cards and moves. The digest doesn't depend on the time at which it is computed."""
    lines = [hand_line(hand, number) for number, hand in enumerate(hands, first)]
    told = "\n".join([session.seed, str(session.number), *session.seats, *session.stored_names, *lines, *more])
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _played(session: GameSession, date: datetime.datetime) -> dict[str, Any]:
    rules = session.rules
    return {
        "date": date,
        "edition": rules.edition_name,
        "seats": rules.seats,
        "sides": rules.sides,
        "players": session.seats,
        "names": session.stored_names,
        "match_target": session.match.match_target,
    }


def hand_result(session: GameSession, date: datetime.datetime) -> HandResult:
    """Return the result of the hand that has just ended. ``date`` is the current time."""
    match = session.match
    return HandResult(
        id=_digest(session, (match.hand,), match.hand_number),
        **_played(session, date),
        number=match.hand_number,
        points=tuple(sheet.total for sheet in match.hand.scores),
        hints=tuple(session.hand_hints),
        luck=tuple(round(points, 1) for points in luck_of(match.hand)),
    )


def match_result(session: GameSession, date: datetime.datetime) -> MatchResult:
    """Return the result of the match that has just ended, by points or by a forfeit. ``date`` is the current time."""
    match, loss = session.match, session.loss
    over = match.hands if match.hand.is_over else match.finished
    lost = "" if loss is None else f"forfeit {loss.side}"
    return MatchResult(
        id=_digest(session, match.hands, 1, lost),
        **_played(session, date),
        hints=tuple(session.hints),
        totals=match.totals,
        hands=tuple(tuple(sheet.total for sheet in hand.scores) for hand in over),
        winner=session.winner,
        loser=None if loss is None else loss.side,
    )


class Recorder:
    """Records the results of a session, except for practice games and games without people."""

    def __init__(self, session: GameSession) -> None:
        self._session = session
        self._kept: set[tuple[int, int, bool]] = set()

    def keep(self, date: datetime.datetime) -> None:
        """Record the hand or the match if it has ended. You can safely call this method more than once.

        Raises `SaveError`.
        """
        session = self._session
        if session.practice or not session.participants.people:
            return
        for is_match, over in ((False, session.hand.is_over), (True, session.is_over)):
            moment = (session.number, session.match.hand_number, is_match)
            if over and moment not in self._kept:
                result = match_result(session, date) if is_match else hand_result(session, date)
                keep_result(result)
                self._kept.add(moment)
                if is_match and session.can_review and session.preferences.keep_matches:
                    keep_match(result.id, transcript_lines(session.match))
