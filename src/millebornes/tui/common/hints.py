"""A hint in words."""

from collections.abc import Sequence
from typing import Final

from millebornes.i18n import Translator
from millebornes.players.hint import Hint, RankedMove, Why
from millebornes.session.cast import Cast
from millebornes.themes import Theme
from millebornes.tui.common.moves import describe_move

__all__ = ["hint_lines", "main_reasons"]

MOST: Final = 3
"""Reasons that are told for a move; as many against it would only confuse, so one is."""


def main_reasons(reasons: Sequence[Why]) -> list[Why]:
    """The reasons that really count: not those of a fifth of the weightiest or less."""
    if not reasons or reasons[0].points is None:
        return list(reasons[:1])
    least = abs(reasons[0].points) / 5
    return [why for why in reasons if why.points is None or abs(why.points) > least][:MOST]


def hint_lines(hint: Hint, cast: Cast, viewer: int, theme: Theme, _: Translator) -> list[str]:
    """What is advised, by how much it seems better than the next best, what speaks for it and what against it."""
    move = describe_move(hint.best, cast, viewer, theme, _)
    lines = [_("A hint from {player}: {move}.").format(player=hint.player, move=move)]
    if len(hint.moves) == 1:
        lines.append("  " + _("No other move was weighed."))
    else:
        following = describe_move(hint.moves[1].move, cast, viewer, theme, _)
        lead = hint.lead
        if lead == 0:
            lines.append("  " + _("Just as good: {move}.").format(move=following))
        elif lead is not None:
            text = _.plural(
                "By {n} point it seems better than the next best: {move}.",
                "By {n} points it seems better than the next best: {move}.",
                lead,
            )
            lines.append("  " + text.format(n=lead, move=following))
    for why in main_reasons(hint.pros):
        lines.append(f"  + {_(why.says)}{_weight(why)}")
    for why in main_reasons(hint.cons)[:1]:
        lines.append(f"  - {_(why.says)}{_weight(why)}")
    if len(hint.moves) > 1 and not (hint.pros or hint.cons):
        lines.append("  " + _("This player gives no reasons."))
    if len(hint.moves) > 2:
        others = _.join(_behind(ranked, hint, cast, viewer, theme, _) for ranked in hint.moves[2:])
        lines.append("  " + _("The other moves, with the points that they seem to cost: {moves}.").format(moves=others))
    return lines


def _behind(ranked: RankedMove, hint: Hint, cast: Cast, viewer: int, theme: Theme, _: Translator) -> str:
    """A move, and by how much it seems worse than the best."""
    move, best = describe_move(ranked.move, cast, viewer, theme, _), hint.moves[0].value
    if ranked.value is None or best is None:
        return _("{move}, worse").format(move=move)
    return _("{move}, {n}").format(move=move, n=best - ranked.value)


def _weight(why: Why) -> str:
    return "" if why.points is None else f" ({why.points:+d})"
