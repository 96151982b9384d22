"""Formatting of points, chances and averages for people, with the decimal mark of their language."""

import math
from collections.abc import Callable
from typing import Final

from millebornes.analysis.records import Analysis, MoveEstimate
from millebornes.i18n import N_, Translator
from millebornes.schema.exercises import Objective

_MATCH: Final = "match"
_CHANCE: Final = N_("{figure}%")
_MINUS: Final = "\N{MINUS SIGN}"
_DECIMALS: Final = 1
_MOST_DECIMALS: Final = 2
_MOST_DECIMALS_OF_ERRORS: Final = 3


def number(value: float, decimals: int, _: Translator) -> str:
    """Return a number with ``decimals`` decimal places. The result is never "-0". NaN and infinity become a dash."""
    if not math.isfinite(value):
        return "–"
    text = f"{value:.{decimals}f}"
    if not text.strip("-0."):
        text = text.lstrip("-")
    return _.number(text.replace("-", _MINUS))


def signed(value: float, decimals: int, _: Translator) -> str:
    """Return a number with its sign, even if it is positive. Zero has no sign."""
    text = number(value, decimals, _)
    return f"+{text}" if value > 0 and text.strip("0.,") else text


def chance(value: float, _: Translator, decimals: int = 0) -> str:
    """Return a chance or a share (0 to 1) as a percentage."""
    return _(_CHANCE).format(figure=number(100 * value, decimals, _))


def chances(first: float, second: float, _: Translator) -> tuple[str, str]:
    """Return two chances for comparison, with enough decimals to make them look different, but at most two."""
    return _apart(100 * first, 100 * second, 0, _, _(_CHANCE))


def means(first: float, second: float, _: Translator, decimals: int = 1) -> tuple[str, str]:
    """Return two averages for comparison.

    Both have at least ``decimals`` decimals, and more (at most two) if they would look the same.
    """
    return _apart(first, second, decimals, _, "{figure}")


def _apart(first: float, second: float, decimals: int, _: Translator, pattern: str) -> tuple[str, str]:
    while True:
        texts = number(first, decimals, _), number(second, decimals, _)
        if texts[0] != texts[1] or decimals >= _MOST_DECIMALS:
            return pattern.format(figure=texts[0]), pattern.format(figure=texts[1])
        decimals += 1


def rating_text(rating: float | None, ci95: tuple[float, float] | None, _: Translator) -> str:
    """Return a rating with its interval, or a dash if it is unknown."""
    if rating is None or ci95 is None:
        return "–"
    low, high = (number(bound, 0, _) for bound in ci95)
    return _("{figure} ({low} to {high})").format(figure=number(rating, 0, _), low=low, high=high)


def signed_points(value: float, _: Translator) -> str:
    """Return points with their sign and the word for points: "+64 points"."""
    whole = round(value) if math.isfinite(value) else 0
    return _.plural("{n} point", "{n} points", abs(whole)).format(n=signed(value, 0, _))


def move_figures(known: MoveEstimate, objective: str, _: Translator) -> list[str]:
    """Return a move's loss, its lead, and its chances to win the hand and, in a match, the match."""
    loss = with_error(known.loss, known.loss_stderr, objective, _) if known.loss else "–"
    match = [] if known.win_match is None else [chance(known.win_match, _, 1)]
    return [loss, expected_lead(known.value, known.stderr, _), chance(known.win_hand, _), *match]


def expected_lead(value: float, stderr: float, _: Translator) -> str:
    """Return a lead in points with its standard error, as in "+63 ± 5", or without it if the lead is exact: "+63"."""
    if not stderr:
        return signed(value, 0, _)
    return f"{signed(value, 0, _)} ± {number(stderr, 0 if stderr >= 1 else 1, _)}"


# ---------------------------------------------------------------- in the unit of an objective


def _scaled(value: float, objective: str) -> float:
    return 100 * value if objective == _MATCH else value


def unit_name(objective: str, _: Translator) -> str:
    """Return the name of the unit of losses and luck."""
    if objective == _MATCH:
        return _("the chance of winning the match, in %")
    return _("the lead in the hand, in points")


def loss_text(value: float, objective: str, _: Translator) -> str:
    """Return a loss, or another figure without a sign: "3.2%" of the chance of winning the match, or "41.2 points"."""
    return with_error(value, 0.0, objective, _)


def signed_in_unit(value: float, objective: str, _: Translator) -> str:
    """Return a figure formatted as in `loss_text`, but with its sign. Luck and leads are shown in this form."""
    return with_error(value, 0.0, objective, _, is_signed=True)


def with_error(value: float, stderr: float, objective: str, _: Translator, *, is_signed: bool = False) -> str:
    """Return a figure with its standard error, and with as many decimals as the error justifies: "3.2% ± 0.4".

    If the figure is exact, the error is left out.
    """
    scaled = _scaled(value, objective)
    figure, error = _figure_and_error(scaled, _scaled(stderr, objective), _, signed if is_signed else number)
    if objective == _MATCH:
        text = _(_CHANCE).format(figure=figure)
    else:
        text = _.plural("{n} point", "{n} points", scaled).format(n=figure)
    return f"{text} ± {error}" if stderr else text


def lead_text(value: float, stderr: float, objective: str, _: Translator) -> str:
    """Return by how much one move is better than another: "2.3 ± 0.4 percentage points", or "41.2 points ± 7.0".

    ``stderr`` is 0 if the figure is exact.
    """
    if objective != _MATCH:
        return with_error(value, stderr, objective, _)
    scaled = _scaled(value, objective)
    figure, error = _figure_and_error(scaled, _scaled(stderr, objective), _)
    text = f"{figure} ± {error}" if stderr else figure
    return _.plural("{n} percentage point", "{n} percentage points", scaled).format(n=text)


def _figure_and_error(
    scaled: float, stderr: float, _: Translator, written: Callable[[float, int, Translator], str] = number
) -> tuple[str, str]:
    decimals = _DECIMALS
    if 0 < stderr < math.inf:
        decimals = min(max(decimals, -math.floor(math.log10(stderr))), _MOST_DECIMALS_OF_ERRORS)
    return written(scaled, decimals, _), number(stderr, decimals, _)


# ---------------------------------------------------------------- the result and its luck


def _wins(value: float, figure: str, _: Translator) -> str:
    return _.plural("{n} win", "{n} wins", 1 if abs(value) == 1 else 2).format(n=figure)


def luck_text(value: float, objective: str, _: Translator, stderr: float = 0.0) -> str:
    """Return the value of luck with its standard error, in wins ("+0.31 wins ± 0.05") or in points of lead.

    Luck in a match is counted in wins, because it can be worth more than one: a player whose decisions cost more than a
    whole win, but who won the match anyway, had that much luck.
    """
    if objective != _MATCH:
        return with_error(value, stderr, objective, _, is_signed=True)
    text = _wins(value, signed(value, 2, _), _)
    return f"{text} ± {number(stderr, 2, _)}" if stderr else text


def result_text(value: float, objective: str, _: Translator) -> str:
    """Return what a result would have been without luck: "0.62 wins", or points of lead."""
    if objective != _MATCH:
        return signed_in_unit(value, objective, _)
    return _wins(value, number(value, 2, _), _)


# ---------------------------------------------------------------- the loss of a move

MIN_ERRORS_OF_LOSSES: Final = 2.0
"""A loss smaller than this many standard errors may be due to chance."""


def _is_certain(known: MoveEstimate) -> bool:
    return not known.loss_stderr or known.loss > MIN_ERRORS_OF_LOSSES * known.loss_stderr


def loss_with_error(known: MoveEstimate, analysis: Analysis, _: Translator) -> str:
    """Return the loss of a move with its unit. If it may be due to chance, add the standard error."""
    stderr = 0.0 if _is_certain(known) else known.loss_stderr
    return with_error(known.loss, stderr, analysis.objective.value, _)


def loss_column(known: MoveEstimate, analysis: Analysis, _: Translator) -> str:
    """Return the loss of a move for a narrow column: "12" or "1.2%".

    If it may be due to chance: "12±7" or "1.2±0.7".
    """
    in_match = analysis.objective is Objective.MATCH
    if _is_certain(known):
        return chance(known.loss, _, 1) if in_match else number(known.loss, 0, _)
    figures = [100 * x if in_match else x for x in (known.loss, known.loss_stderr)]
    return "±".join(number(figure, int(in_match), _) for figure in figures)
