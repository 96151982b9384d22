"""What a viewer can do at a table, and the score sheet: plain values, so that the templates make no decisions."""

import dataclasses
import functools
import secrets
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Final, NamedTuple

from millebornes.cards import HAZARDS, Card, sorted_cards
from millebornes.editions import Rules
from millebornes.game import Action, Hand, Move, Phase, View
from millebornes.i18n import translator
from millebornes.themes import theme
from millebornes.words.card_help import card_help
from millebornes.words.moves import describe_move
from millebornes.words.score_sheet import score_rows
from millebornes.words.words import TableWords, Words

QUESTION_NAMES: Final = {Phase.COUP: "coup", Phase.OPENING: "coup", Phase.EXTEND: "extend", Phase.PLAY: "turn"}
"""The names that the pages use for the kinds of question."""


def new_key() -> str:
    """Return a key for a form. A form with a key is carried out only once, no matter how often it is sent."""
    return secrets.token_urlsafe(9)


class Option(NamedTuple):
    """A way to use a card: the move, its description, and the side on which the card is played (-1 for a discard).

    ``rival`` is the name of that side if it isn't the viewer's own side, and otherwise "".
    """

    move: str
    label: str
    side: int
    rival: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class HandCard:
    """A card in the viewer's hand. ``plays`` and ``discard`` are the ways to use it, and ``help`` says what it does.

    ``why_not`` and ``clause`` say why it can't be played.
    """

    id: str
    card: Card
    name: str
    plays: tuple[Option, ...]
    discard: Option | None
    why_not: str
    clause: str = ""
    help: str = ""
    is_new: bool = False


def hand_cards(view: View, legal: Sequence[Move], drawn: Sequence[Card], words: TableWords) -> list[HandCard]:
    """Return the viewer's cards in order. Without ``legal`` moves, no card can be used, and no reasons are given."""
    cards, seen, left = [], dict.fromkeys(Card, 0), list(drawn)
    for card in sorted_cards(view.hand):
        seen[card] += 1
        plays = [move for move in legal if move.card is card and move.action in {Action.PLAY, Action.AS_ROLL}]
        discards = [move for move in legal if move.card is card and move.action is Action.DISCARD]
        why_not, clause = ("", "") if plays or not legal else _why_not(view, card, words)
        is_new = card in left and seen[card] == view.hand.count(card)
        if is_new:
            left.remove(card)
        cards.append(
            HandCard(
                id=f"{card.code.lower()}-{seen[card]}",
                card=card,
                name=words.theme.name_of(card),
                plays=tuple(_option(move, view, words) for move in plays),
                discard=_option(discards[0], view, words) if discards else None,
                why_not=why_not,
                clause=clause,
                help=_card_helps(view.rules, words.theme.name, words.language)[card],
                is_new=is_new,
            )
        )
    return cards


@functools.lru_cache(maxsize=64)
def _card_helps(rules: Rules, theme_name: str, language: str) -> dict[Card, str]:
    """Return what each card does. Tables use only a few different rules and languages."""
    return {card: card_help(card, rules, Words(translator(language), theme(theme_name))) for card in Card}


def answers_of(legal: Sequence[Move], seat: int | None, words: TableWords) -> tuple[Option, ...]:
    """Return the answers to a question other than a turn. Passing or finishing comes last."""
    options = []
    for move in sorted(legal, key=lambda move: move.action in {Action.PASS, Action.FINISH}):
        label = describe_move(move, seat, words)
        options.append(Option(move.text, label[:1].upper() + label[1:], -1))
    return tuple(options)


def _option(move: Move, view: View, words: TableWords) -> Option:
    label = describe_move(move, view.seat, words)
    side = -1 if move.action is Action.DISCARD else view.side if move.target is None else move.target
    rival = "" if side in {-1, view.side} else words.participants.side(side)
    return Option(move.text, label[:1].upper() + label[1:], side, rival)


def _why_not(view: View, card: Card, words: Words) -> tuple[str, str]:
    """Return why a card can't be played now, and the clause that forbids it."""
    sides = [side for side in range(view.rules.sides) if side != view.side] if card in HAZARDS else [None]
    reasons = [reason for side in sides if (reason := view.why_not(Move(Action.PLAY, card, side))) is not None]
    telling = [reason for reason in reasons if reason.name != "NOT_LEFT"] or reasons
    if not telling:
        return "", ""
    text = words.theme.worded(words.translate(telling[0].text))
    return text[:1].upper() + text[1:], telling[0].clause


def sheet_of(
    hand: Hand,
    overall: Sequence[int],
    viewer: int | None,
    words: TableWords,
    target: int | None = None,
) -> SimpleNamespace:
    """Return the score sheet of the hand that has ended, with the viewer's side first.

    It has a heading for each side, a row for each line in which a side has scored, and rows of totals. ``standings``
    begin with the leader. Their ``percent`` is the side's share of the points that end the match (``target``) or, if
    there is no target, of the leader's points. ``is_best`` is true if no side has scored more in this hand.
    """
    _, completed, order = words.translate, hand.completed_by, words.participants.own_first(viewer)
    rows = score_rows(hand.scores, overall, None, _, order)
    scores, overall = [score.total for score in hand.scores], overall
    whole, best = max(1, target or max(overall)), max(scores)
    story = _("No one has completed the trip.")
    if completed is not None:
        story = _("{side}: trip completed.").format(side=words.participants.side(completed, viewer))
    standings = [
        SimpleNamespace(
            side=side,
            name=words.participants.side(side, viewer),
            hand=scores[side],
            total=overall[side],
            percent=min(100, 100 * overall[side] // whole),
            is_own=viewer is not None and side == words.participants.rules.side_of(viewer),
            is_best=scores[side] == best > 0,
        )
        for side in sorted(order, key=lambda side: -overall[side])
    ]
    return SimpleNamespace(
        heads=[words.participants.side(side, viewer) for side in order],
        rows=[row for row in rows if not row.is_total and any(row.values)],
        totals=[row for row in rows if row.is_total],
        story=story,
        sides=order,
        standings=standings,
    )
