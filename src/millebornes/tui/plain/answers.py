"""Short answers to questions about a single thing, for screen readers and for people who prefer them."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Final

from millebornes.cards import REMEDY_OF
from millebornes.commands.table import Command
from millebornes.game import Tableau, View
from millebornes.i18n import Translator
from millebornes.session.game_session import GameSession
from millebornes.session.log import log_lines
from millebornes.tui.plain.commands import TypedLine
from millebornes.tui.plain.table import hand_sentence, piles_sentence, safeties_text, side_sentence

__all__ = ["answer"]


def answer(
    command: TypedLine, session: GameSession, seat: int | None, latest: Sequence[str], _: Translator
) -> list[str]:
    """Return the answer to a question. The answer is one line long, except for the log and the latest events.

    ``seat`` is the seat of the reader. If it is None, the hand is over and everyone may look, so no cards in hands are
    shown. ``latest`` contains the events since the reader's last move.
    """
    question, theme = command.kind, session.theme
    if question is Command.LOG:
        return _log(command.number, session, seat, _)
    if question is Command.LAST:
        return list(latest) or [_("Nothing has happened yet.")]
    if question is Command.SCORE:
        return [_score(session, seat, command.side, _)]
    if question is Command.PLAYERS:
        return [_players(session, seat, _)]
    view = session.view(next(iter(session.participants.people), 0) if seat is None else seat)
    if question is Command.HAND:
        if seat is None:
            return [_("You can only see your own hand.")]
        return [hand_sentence(session.slots[seat], not session.must_pick(seat), theme, _)]
    if question is Command.PILE:
        return [piles_sentence(dataclasses.replace(view, draw_pile=session.shown_pile), theme, _)]
    if question is Command.GOAL:
        return [_goal(session, view, seat, _)]
    assert isinstance(question, Command)
    tell = _OF_SIDES[question]
    sides = session.participants.own_first(view.seat) if command.side is None else [command.side]
    told = [tell(session.participants.side(side, seat), view.tableaux[side], view, session, _) for side in sides]
    return [" ".join(told)]


def _status(name: str, tableau: Tableau, view: View, session: GameSession, _: Translator) -> str:
    text = side_sentence(name, tableau, view.goal, session.theme, _)
    safeties = safeties_text(tableau, session.theme)
    if not safeties:
        return text
    pile = session.theme.pile("safety")
    return f"{text} " + _("{head}: {text}").format(head=pile, text=safeties) + "."


def _miles(name: str, tableau: Tableau, view: View, session: GameSession, _: Translator) -> str:
    miles, left = session.theme.miles(tableau.distance), view.goal - tableau.distance
    return _("{name}: {miles}, {left} to go.").format(name=name, miles=miles, left=left)


def _hazard(name: str, tableau: Tableau, view: View, session: GameSession, _: Translator) -> str:
    theme, under, top = session.theme, tableau.under, tableau.battle
    if under is not None:
        hazard, remedy = theme.name_of(under), theme.name_of(REMEDY_OF[under])
        return _("{name}: {hazard}, needs {remedy}.").format(name=name, hazard=hazard, remedy=remedy)
    lies = _("nothing") if top is None else theme.name_of(top)
    return _("{name}: no hazard; on the battle pile: {card}.").format(name=name, card=lies)


def _limit(name: str, tableau: Tableau, view: View, session: GameSession, _: Translator) -> str:
    text = _("{name}: under a speed limit, 50 at most.") if tableau.is_limited else _("{name}: no speed limit.")
    return text.format(name=name)


def _safeties(name: str, tableau: Tableau, view: View, session: GameSession, _: Translator) -> str:
    cards = safeties_text(tableau, session.theme) or _("no safeties")
    return _("{head}: {text}").format(head=name, text=cards) + "."


_OF_SIDES: Final[dict[Command, Callable[[str, Tableau, View, GameSession, Translator], str]]] = {
    Command.STATUS: _status,
    Command.MILES: _miles,
    Command.HAZARD: _hazard,
    Command.LIMIT: _limit,
    Command.SAFETIES: _safeties,
}
"""The functions that describe a side, by command."""


def _goal(session: GameSession, view: View, seat: int | None, _: Translator) -> str:
    theme = session.theme
    text = _("The trip: {goal}.").format(goal=theme.miles(view.goal))
    if view.extended:
        return f"{text} " + _("It has been extended.")
    if session.rules.extension_goal:
        return f"{text} " + _("The player who completes it may extend it to {goal}.").format(
            goal=theme.miles(session.rules.extension_goal)
        )
    return text


def _score(session: GameSession, seat: int | None, only: int | None, _: Translator) -> str:
    """Return the points of each side in the match and in the current hand so far."""
    match = session.match
    parts = []
    for side, (total, sheet) in enumerate(zip(session.overall, match.hand.scores, strict=True)):
        if only is None or side == only:
            text = _("{name}: {hand} in this hand, {total} in the match")
            parts.append(text.format(name=session.participants.side(side, seat), total=total, hand=sheet.total))
    told = _.join(parts)
    if match.match_target is None:
        return f"{told}."
    text = _.plural(
        "{standing}. The match goes to {target} point.",
        "{standing}. The match goes to {target} points.",
        match.match_target,
    )
    return text.format(standing=told, target=match.match_target)


def _players(session: GameSession, seat: int | None, _: Translator) -> str:
    rules, participants = session.rules, session.participants
    sides = [
        _("side {number}: {names}").format(number=side + 1, names=participants.side(side, seat))
        for side in range(rules.sides)
    ]
    text = _.join(sides)
    return text[:1].upper() + text[1:] + "."


def _log(number: int | None, session: GameSession, seat: int | None, _: Translator) -> list[str]:
    hands = log_lines(session, seat)
    if number is not None:
        hands = tuple(hand for hand in hands if hand.number == number)
        if not hands:
            return [
                _("There is no hand {number}; this is hand {last}.").format(
                    number=number, last=session.match.hand_number
                )
            ]
    return [line for hand in hands for line in (hand.heading, *hand.lines)]
