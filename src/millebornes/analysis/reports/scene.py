"""What a reader has to know of a decision: who sat where, what lay on the table, what had just happened."""

from millebornes.analysis.match_review import Review
from millebornes.analysis.records import Decision
from millebornes.cards import Card
from millebornes.game import Action, Hand, Tableau, View
from millebornes.i18n import Translator
from millebornes.shown import distinct
from millebornes.texts.moves import describe_move
from millebornes.texts.participants import Participants
from millebornes.themes import Theme

__all__ = ["cards_text", "cast_of", "hand_before", "rules_line", "side_text", "since_last", "view_of"]


def cast_of(review: Review, _: Translator) -> Participants:
    """The names at the table of a review; seats without a name are numbered from 1, equal names told apart."""
    rules = review.match.rules
    names = review.players or tuple(_("Seat {number}").format(number=seat + 1) for seat in range(rules.seats))
    return Participants(rules, distinct(names), [False] * rules.seats, _)


def rules_line(review: Review, _: Translator) -> str:
    """What was played: the edition, the table, and how many hands and decisions were judged."""
    rules = review.match.rules
    judged = sum(not decision.forced for decision in review.decisions)
    hands = len({decision.hand for decision in review.decisions})
    parts = [
        _("edition {edition}").format(edition=rules.edition_name or _("of your own")),
        _.plural("{n} hand", "{n} hands", hands).format(n=hands),
        _.plural("{n} decision judged", "{n} decisions judged", judged).format(n=judged),
    ]
    if review.match.match_target is not None:
        parts.insert(1, _("match to {points}").format(points=review.match.match_target))
    return ", ".join(parts)


def hand_before(review: Review, decision: Decision) -> Hand:
    """The hand as it was when a decision was to be made. Raises `IndexError` for a moment that never was."""
    return review.match.hands[decision.hand - 1].at(decision.ply)


def view_of(review: Review, decision: Decision) -> View:
    """The table as the seat that decided saw it."""
    return review.match.at(decision.hand, decision.ply).view(decision.seat)


def cards_text(cards: tuple[Card, ...], theme: Theme, _: Translator) -> str:
    """Cards in words, in the order of their kinds."""
    names = [theme.name_of(card) for card in sorted(cards, key=lambda card: card.index)]
    return ", ".join(names) if names else _("no cards")


def side_text(tableau: Tableau, theme: Theme, _: Translator) -> str:
    """What lies before a side, in words: miles, the tops of its piles, its safeties."""
    parts = [theme.miles(tableau.distance)]
    battle = _("nothing") if tableau.battle is None else theme.name_of(tableau.battle)
    parts.append(_("{head}: {text}").format(head=theme.pile("battle"), text=battle))
    if tableau.speed is not None:
        parts.append(_("{head}: {text}").format(head=theme.pile("speed"), text=theme.name_of(tableau.speed)))
    if tableau.safeties:
        names = ", ".join(
            f"{theme.name_of(card)} ({theme.coup})" if card in tableau.coups_fourres else theme.name_of(card)
            for card in tableau.safeties
        )
        parts.append(_("{head}: {text}").format(head=theme.pile("safety"), text=names))
    return _.join(parts)


def since_last(hand: Hand, seat: int, cast: Participants, theme: Theme, _: Translator) -> list[str]:
    """What the others did since this seat's last decision, in order, as it saw it: no passes of others (R5.5)."""
    found: list[str] = []
    now = hand
    while (before := now.parent) is not None and now.move is not None and before.seat != seat:
        if now.move.action is not Action.PASS and before.seat is not None:
            told = describe_move(now.move, cast, seat, theme, _)
            found.append(_("{head}: {text}").format(head=cast.seat(before.seat, seat), text=told))
        now = before
    return found[::-1]
