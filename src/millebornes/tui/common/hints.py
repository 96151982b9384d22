"""Hints in a game: computed while the player looks at the table, and put into words."""

import time
from collections.abc import Generator
from typing import Final

from millebornes.analysis.hints import refined_hints
from millebornes.analysis.records import Analysis, MoveEstimate
from millebornes.analysis.reports.hint_sentence import hint_sentence
from millebornes.analysis.reports.hint_text import loss_with_error
from millebornes.analysis.reports.reasons import explain
from millebornes.errors import MilleBornesError
from millebornes.game import InformationState, Match, View
from millebornes.i18n import Translator
from millebornes.players.hint import Hint
from millebornes.players.search_preparation import begin, is_running
from millebornes.policies.maxims.catalogue import MAXIMS
from millebornes.texts.moves import describe_move
from millebornes.texts.participants import Participants
from millebornes.themes import Theme

__all__ = ["hint_lines", "maxims_lines", "seen_by", "thoughts"]

FIRST: Final = 64
"""The number of simulations for the quick first hint, which also uses a small sample of hands."""
MAX_SIMULATIONS: Final = 1 << 15
"""The maximum number of simulations for a hint. By then, the errors are only a few points."""
WAIT: Final = 0.1
"""Seconds to wait, each time, for code that is still being compiled."""


def seen_by(match: Match, seat: int) -> InformationState | View:
    """Return everything a seat has seen of the current hand, or only its current view if the past is not known."""
    try:
        return InformationState.of_match(match, seat)
    except MilleBornesError:
        return match.view(seat)


def thoughts(seen: InformationState | View) -> Generator[Analysis | None, None, None]:
    """Yield better and better hints, the first at once. Yield None repeatedly while the code is still being compiled.

    You can close the generator at any time. Raises `PlayerError` if the seat has nothing to decide.
    """
    begin(seen.rules, seen.match_target)
    while is_running(seen.rules, seen.match_target, WAIT):
        time.sleep(WAIT)  # is_running does not wait during compilation
        yield None
    first = next(refined_hints(seen, worlds=FIRST))
    yield first
    for found in refined_hints(seen, worlds=MAX_SIMULATIONS):
        if found.rollouts > first.rollouts:
            yield found


def hint_lines(analysis: Analysis, participants: Participants, viewer: int, theme: Theme, _: Translator) -> list[str]:
    """Return the hint in one sentence, the figures, and what the other moves lose."""
    lines = [_("{head}: {text}").format(head=_("Hint"), text=hint_sentence(analysis, participants, viewer, theme, _))]
    lines += [f"  {line}" for line in explain(analysis, theme, _, participants)]
    others = [known for known in analysis.moves[1:] if known is not analysis.rival]
    if others:
        told = _.join(_behind(known, analysis, participants, viewer, theme, _) for known in others)
        lines.append("  " + _("The other moves, and what they lose: {moves}.").format(moves=told))
    worlds = analysis.moves[0].worlds
    text = _.plural(
        "Based on {n} simulation. Press H again to think longer.",
        "Based on {n} simulations. Press H again to think longer.",
        worlds,
    )
    lines.append("  " + text.format(n=worlds))
    return lines


def _behind(
    known: MoveEstimate, analysis: Analysis, participants: Participants, viewer: int, theme: Theme, _: Translator
) -> str:
    move = describe_move(known.move, participants, viewer, theme, _)
    return _("{move}, {loss}").format(move=move, loss=loss_with_error(known, analysis, _))


def maxims_lines(advice: Hint, participants: Participants, viewer: int, theme: Theme, _: Translator) -> list[str]:
    """Return the advice of the maxims, for the time until hints are ready."""
    move = describe_move(advice.best, participants, viewer, theme, _)
    lines = [_("Getting hints ready. This takes a minute or two the first time.")]
    lines.append(_("Until then the maxims advise: {move}.").format(move=move))
    if advice.maxim is not None:
        lines.append("  " + _(MAXIMS[advice.maxim].says))
    return lines
