"""Hints during a game: the program computes them while the player looks at the table, and puts them into words."""

import time
from collections.abc import Generator
from typing import Final

from millebornes.analysis.hints import refined_hints
from millebornes.analysis.records import Analysis, MoveEstimate
from millebornes.errors import MilleBornesError
from millebornes.game import InformationState, Match, View
from millebornes.players.hint import Hint
from millebornes.players.kernel_parts import SEARCH
from millebornes.players.search_preparation import begin, is_running
from millebornes.policies.maxim_catalogue import MAXIMS
from millebornes.words.figures import loss_with_error
from millebornes.words.hint_sentence import hint_sentence
from millebornes.words.moves import describe_move
from millebornes.words.reasons import explain
from millebornes.words.words import TableWords

FIRST: Final = 64
"""The number of simulations for the first, quick hint, which also uses a small sample of hands."""
MAX_SIMULATIONS: Final = 1 << 15
"""The maximum number of simulations for a hint. After so many, its figures are accurate to a few points."""
WAIT: Final = 0.1
"""How many seconds to wait before checking again whether code is still being compiled."""


def seen_by(match: Match, seat: int) -> InformationState | View:
    """Return everything that a seat has seen in the current hand, or only its view if the earlier moves are unknown."""
    try:
        return InformationState.of_match(match, seat)
    except MilleBornesError:
        return match.view(seat)


def thoughts(seen: InformationState | View) -> Generator[Analysis | None, None, None]:
    """Yield better and better hints, starting at once. Yield None as long as the code is still being compiled.

    You can close the generator at any time. Raises `PlayerError` if the seat has nothing to decide.
    """
    begin(SEARCH, seen.rules, seen.match_target)
    while is_running(seen.rules, seen.match_target, WAIT):
        time.sleep(WAIT)  # is_running doesn't wait for the compiler
        yield None
    first = next(refined_hints(seen, worlds=FIRST))
    yield first
    for found in refined_hints(seen, worlds=MAX_SIMULATIONS):
        if found.rollouts > first.rollouts:
            yield found


def hint_lines(analysis: Analysis, viewer: int, words: TableWords) -> list[str]:
    """Return the hint in one sentence, then the figures, then how much the other moves lose."""
    _ = words.translate
    lines = [_("{head}: {text}").format(head=_("Hint"), text=hint_sentence(analysis, viewer, words))]
    lines += [f"  {line}" for line in explain(analysis, words)]
    others = [known for known in analysis.moves[1:] if known is not analysis.rival]
    if others:
        told = _.join(_behind(known, analysis, viewer, words) for known in others)
        lines.append("  " + _("The other moves, and what they lose: {moves}.").format(moves=told))
    worlds = analysis.moves[0].worlds
    text = _.plural(
        "Based on {n} simulation. Press H again to think longer.",
        "Based on {n} simulations. Press H again to think longer.",
        worlds,
    )
    lines.append("  " + text.format(n=worlds))
    return lines


def _behind(known: MoveEstimate, analysis: Analysis, viewer: int, words: TableWords) -> str:
    _, move = words.translate, describe_move(known.move, viewer, words)
    return _("{move}, {loss}").format(move=move, loss=loss_with_error(known, analysis, _))


def maxims_lines(advice: Hint, viewer: int, words: TableWords) -> list[str]:
    """Return the advice of the maxims, which is shown until hints are ready."""
    _, move = words.translate, describe_move(advice.best, viewer, words)
    lines = [_("Getting hints ready. This takes a minute or two the first time.")]
    lines.append(_("Until then, the strategy advice is: {move}.").format(move=move))
    if advice.maxim is not None:
        lines.append("  " + words.theme.worded(_(MAXIMS[advice.maxim].says)))
    return lines
