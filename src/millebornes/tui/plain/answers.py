"""Short answers to questions about a single thing, for screen readers and for people who prefer them."""

import dataclasses
from collections.abc import Sequence

from millebornes.cards import REMEDY_OF, Card
from millebornes.commands.table import Command
from millebornes.game import View
from millebornes.i18n import Translator
from millebornes.session.game_session import GameSession
from millebornes.session.log import log_lines
from millebornes.tui.plain.commands import LineKind, TypedLine
from millebornes.tui.plain.table import hand_sentence
from millebornes.words.table import limited_text, piles_sentence, safeties_text, side_sentence
from millebornes.words.words import Words


def answer(
    command: TypedLine, session: GameSession, seat: int | None, latest: Sequence[str], _: Translator
) -> list[str]:
    """Return the answer to a question. The answer is one line long, except for the log and the latest events.

    ``seat`` is the seat of the reader. If it is None, the hand is over and everyone may look, so no cards in hands are
    shown. ``latest`` contains the events since the reader's last move.
    """
    question = command.kind
    if question is Command.LOG:
        return _log(command.number, session, seat, _)
    if question is Command.LAST:
        return list(latest) or [_("Nothing has happened yet.")]
    if question is Command.SCORE:
        return [_score(session, seat, command.side, _)]
    if question is Command.PLAYERS:
        names = [session.participants.side(side, seat) for side in range(session.rules.sides)]
        told = _.join(_("side {number}: {names}").format(number=n, names=name) for n, name in enumerate(names, 1))
        return [told[:1].upper() + told[1:] + "."]
    view = session.view(next(iter(session.participants.people), 0) if seat is None else seat)
    if question is Command.HAND:
        if seat is None:
            return [_("You can only see your own hand.")]
        return [hand_sentence(session.slots[seat], not session.must_pick(seat), session.words)]
    if question is Command.PILE:
        return [piles_sentence(dataclasses.replace(view, draw_pile=session.shown_pile), session.words)]
    if question is Command.GOAL:
        return [_goal(session, view, seat, _)]
    participants = session.participants
    sides = participants.own_first(view.seat) if command.side is None else [command.side]
    return [
        " ".join(_of_side(command.kind, participants.side(side, seat), side, view, session.words) for side in sides)
    ]


def _of_side(question: Command | LineKind, name: str, side: int, view: View, words: Words) -> str:
    _, theme = words.translate, words.theme
    tableau = view.tableaux[side]
    under, top, safeties = tableau.under, tableau.battle, safeties_text(tableau, theme)
    match question:
        case Command.MILES:
            miles, left = theme.miles(tableau.distance), view.goal - tableau.distance
            return _("{name}: {miles}, {left} to go.").format(name=name, miles=miles, left=left)
        case Command.HAZARD if under is not None:
            hazard, remedy = theme.name_of(under), theme.name_of(REMEDY_OF[under])
            return _("{name}: {hazard}, needs {remedy}.").format(name=name, hazard=hazard, remedy=remedy)
        case Command.HAZARD:
            lies = _("nothing") if top is None else theme.name_of(top)
            return _("{name}: no hazard; on the battle pile: {card}.").format(name=name, card=lies)
        case Command.LIMIT if tableau.is_limited:
            return _("{head}: {text}").format(head=name, text=limited_text(words)) + "."
        case Command.LIMIT:
            return _("{name}: no {limit}.").format(name=name, limit=theme.name_of(Card.SPEED_LIMIT))
        case Command.SAFETIES:
            return _("{head}: {text}").format(head=name, text=safeties or _("no safeties")) + "."
    status = side_sentence(name, tableau, view.goal, words)
    if not safeties:
        return status
    return f"{status} " + _("{head}: {text}").format(head=theme.pile("safety"), text=safeties) + "."


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


def _log(number: int | None, session: GameSession, seat: int | None, _: Translator) -> list[str]:
    hands = [hand for hand in log_lines(session, seat) if number in {None, hand.number}]
    if not hands:
        text = _("There is no hand {number}; this is hand {last}.")
        return [text.format(number=number, last=session.match.hand_number)]
    return [line for hand in hands for line in (hand.heading, *hand.lines)]
