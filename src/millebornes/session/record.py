"""The statistics of a session: which results are recorded, and when."""

import datetime
import hashlib
from typing import Any

from millebornes.game import Hand
from millebornes.notation import hand_line, transcript_lines
from millebornes.session.game_session import GameSession
from millebornes.session.luck import luck_of
from millebornes.storage import HandResult, MatchResult, keep_match, keep_result


def _digest(session: GameSession, hands: tuple[Hand, ...], first: int, *more: str) -> str:
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


def _hand_result(session: GameSession, date: datetime.datetime) -> HandResult:
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


def keep_results(session: GameSession, date: datetime.datetime) -> None:
    """Record the hand and the match if they have ended, unless it is a practice game or a game without people.

    Raises `SaveError`.
    """
    if session.practice or not session.participants.people:
        return
    if session.hand.is_over:
        keep_result(_hand_result(session, date))
    if session.is_over:
        result = match_result(session, date)
        keep_result(result)
        if session.can_review and session.preferences.keep_matches:
            keep_match(result.id, transcript_lines(session.match))
