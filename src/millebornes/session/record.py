"""From finished games to statistics: what is kept of a session, and when."""

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
    """The same for the same people, cards and moves, whenever and however often the end is seen."""
    lines = [hand_line(hand, number) for number, hand in enumerate(hands, first)]
    told = "\n".join([session.seed, str(session.number), *session.seats, *session.participants.names, *lines, *more])
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _played(session: GameSession, date: datetime.datetime) -> dict[str, Any]:
    """What is kept of hands and matches alike: when, by which rules and by whom they were played."""
    rules = session.rules
    return {
        "date": date,
        "edition": rules.edition_name,
        "seats": rules.seats,
        "sides": rules.sides,
        "players": session.seats,
        "names": session.participants.names,
        "match_target": session.match.match_target,
    }


def hand_result(session: GameSession, date: datetime.datetime) -> HandResult:
    """What is kept of the hand that is just over; ``date`` is now."""
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
    """What is kept of the match that is just over, by points or by a forfeit; ``date`` is now."""
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
    """Keeps what a session finishes; nothing of practice games, and nothing where nobody but the computer plays."""

    def __init__(self, session: GameSession) -> None:
        self._session = session
        self._kept: set[tuple[int, int, bool]] = set()

    def keep(self, date: datetime.datetime) -> None:
        """To be called when a hand or the match is over; more than once does no harm. Raises `SaveError`."""
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
