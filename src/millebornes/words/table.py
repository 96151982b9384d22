"""The table in sentences: how far each side has driven, its state, and the piles."""

from collections.abc import Mapping
from typing import Final

from millebornes.cards import REMEDY_OF, Card
from millebornes.game import Tableau, View
from millebornes.i18n import Translator
from millebornes.themes import Theme
from millebornes.words.words import TableWords, Words

LAST_CARDS: Final = 10
"""If the draw pile has fewer cards than this, brief mode warns that the cards are running out."""


def _standing(tableau: Tableau, words: Words) -> str:
    _, theme, under = words.translate, words.theme, tableau.under
    if under is not None:
        needs = theme.name_of(REMEDY_OF[under])
        return _("held up by {hazard}, needs {remedy}").format(hazard=theme.name_of(under), remedy=needs)
    if tableau.is_moving:
        return _("moving")
    return _("not moving, needs {remedy}").format(remedy=theme.name_of(Card.ROLL))


def limited_text(words: Words) -> str:
    """Return what a speed limit means for a side, as a part of a sentence."""
    _ = words.translate
    return _("at most 50 a turn because of {limit}").format(limit=words.theme.name_of(Card.SPEED_LIMIT))


def side_sentence(name: str, tableau: Tableau, goal: int, words: Words) -> str:
    """Return a sentence about how far a side has driven, and its state."""
    _, theme = words.translate, words.theme
    parts = [_("{name}: {miles} of {goal}").format(name=name, miles=tableau.distance, goal=theme.miles(goal))]
    parts.append(_standing(tableau, words))
    if tableau.is_limited:
        parts.append(limited_text(words))
    return ", ".join(parts) + "."


def safeties_text(tableau: Tableau, theme: Theme) -> str:
    """Return the names of a side's safeties, with coups fourrés marked, or "" if there are none."""
    coups = tableau.coups_fourres
    return ", ".join(
        f"{theme.name_of(card)} ({theme.coup})" if card in coups else theme.name_of(card) for card in tableau.safeties
    )


def table_lines(view: View, words: TableWords) -> list[str]:
    """Return the lines that describe the whole table: each side, starting with the viewer's, and then the piles."""
    _, theme, participants = words.translate, words.theme, words.participants
    lines: list[str] = []
    for side in participants.own_first(view.seat):
        tableau = view.tableaux[side]
        name = _("Side {number}").format(number=side + 1) + f", {participants.side(side, view.seat)}"
        lines.append(side_sentence(name, tableau, view.goal, words))
        cards = {
            "battle": "" if tableau.battle is None else theme.name_of(tableau.battle),
            "speed": "" if tableau.speed is None else theme.name_of(tableau.speed),
            "safety": safeties_text(tableau, theme),
        }
        if any(cards.values()):
            lines.append("   " + _piles({theme.pile(pile): text for pile, text in cards.items() if text}, _))
    return [*lines, piles_sentence(view, words)]


def piles_sentence(view: View, words: Words) -> str:
    """Return a sentence about the two piles that all players share."""
    _, theme = words.translate, words.theme
    top = _("nothing") if view.discard_top is None else theme.name_of(view.discard_top)
    return _piles({theme.pile("draw"): view.draw_pile, theme.pile("discard"): top}, _)


def _piles(cards: Mapping[str, object], _: Translator) -> str:
    return " ".join(_("{head}: {text}").format(head=pile, text=text) + "." for pile, text in cards.items())


def changes(known: View | None, view: View, words: TableWords) -> list[str]:
    """Return the sentences that describe all changes since the viewer last saw the table, starting with their side.

    The sentences don't repeat the moves and their miles, which are described as they happen. If ``known`` is None,
    every side is described in full, unless the hand has only just begun.
    """
    _, theme, participants = words.translate, words.theme, words.participants
    sides = participants.own_first(view.seat)
    names = {side: participants.side(side, view.seat) for side in sides}
    if known is None:
        begun = any(side.distance or side.safeties or side.battle or side.speed for side in view.tableaux)
        told = sides if begun else []
        return [side_sentence(names[side], view.tableaux[side], view.goal, words) for side in told]
    lines = []
    for side in sides:
        before, now, parts = known.tableaux[side], view.tableaux[side], []
        if (now.is_moving, now.under) != (before.is_moving, before.under):
            parts.append(_standing(now, words))
        if now.is_limited != before.is_limited:
            over = _("no {limit} any more").format(limit=theme.name_of(Card.SPEED_LIMIT))
            parts.append(limited_text(words) if now.is_limited else over)
        if parts:
            lines.append(_("{head}: {text}").format(head=names[side], text=", ".join(parts)) + ".")
    left = view.draw_pile
    if left == 0 < known.draw_pile:
        lines.append(_("The draw pile is empty."))
    elif left <= LAST_CARDS < known.draw_pile:
        lines.append(_.plural("{n} card is left to draw.", "{n} cards are left to draw.", left).format(n=left))
    return lines
