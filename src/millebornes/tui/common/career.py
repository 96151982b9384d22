"""How well a person has played over time, in words and small plots."""

from collections.abc import Mapping, Sequence
from typing import Final

from millebornes.i18n import Translator
from millebornes.schema.statistics import ReviewResult
from millebornes.storage import Results
from millebornes.storage.career import CareerMatch, Weighed, career_of, mean_loss, mean_rating
from millebornes.storage.summary import people
from millebornes.tui.common.text_plot import plot_rows
from millebornes.words.figures import rating_text

WIDTH: Final = 40
HEIGHT: Final = 3
FEWEST: Final = 3
"""A plot is shown only if there are at least this many matches."""
LATEST: Final = 5
"""The number of recent matches that count as the player's current form."""
FAR_APART: Final = 3
"""If the figures in a plot differ by less than this, the numbers on its scale have a decimal place."""
MISTAKES: Final = ("inaccuracy", "mistake", "blunder")


def career_lines(
    results: Results, reviews: Mapping[str, ReviewResult], _: Translator, *, ascii_only: bool = False
) -> list[str]:
    """Return lines that summarise each person's reviewed matches over time, if there are any."""
    lines = []
    for name in (None, *people(results)):
        found = career_of(results, reviews, name)
        if found:
            head = _("Your reviewed matches:") if name is None else _("Reviewed matches of {name}:").format(name=name)
            lines += [head, *("  " + line for line in _lines(found, _, ascii_only=ascii_only))]
    return lines


def _lines(found: tuple[CareerMatch, ...], _: Translator, *, ascii_only: bool) -> list[str]:
    lines = []
    whole, now = mean_loss(found), mean_loss(found[-LATEST:])
    if whole is not None and now is not None:
        text = _.plural(
            "Error rate: {loss} points per decision in {n} match.",
            "Error rate: {loss} points per decision in {n} matches.",
            len(found),
        ).format(loss=_shown(whole, _), n=len(found))
        if len(found) > LATEST:
            text += " " + _("In the latest {n}: {loss}.").format(n=LATEST, loss=_shown(now, _))
        lines.append(text)
        lines += _plot([match.loss for match in found], _, ascii_only=ascii_only)
        decisions = sum(match.decisions for match in found)
        counts = {grade: sum(match.grades.get(grade, 0) for match in found) for grade in MISTAKES}
        lines.append(
            _.plural(
                "Inaccuracies: {inaccuracy}, mistakes: {mistake}, blunders: {blunder}, of {n} decision.",
                "Inaccuracies: {inaccuracy}, mistakes: {mistake}, blunders: {blunder}, of {n} decisions.",
                decisions,
            ).format(n=decisions, **counts)
        )
    lucks = [match.luck for match in found if match.luck is not None]
    if lucks:
        text = _(
            "Luck was worth {luck} wins per match on average. With average luck you would have won {adjusted} of {n}."
        )
        adjusted = sum(match.adjusted for match in found if match.adjusted is not None)
        won = _.number(f"{min(max(adjusted, 0.0), len(lucks)):.1f}")
        luck = _.number(f"{sum(lucks) / len(lucks):+.2f}")
        lines.append(text.format(luck=luck, adjusted=won, n=len(lucks)))
        lines += _plot(lucks, _, ascii_only=ascii_only)
    rating, latest = mean_rating(found), mean_rating(found[-LATEST:])
    if rating is not None and latest is not None:
        text = _("Rating: {rating}, on the scale of the computer players. The 95% interval is in brackets.")
        text = text.format(rating=_rating(rating, _))
        if len(found) > LATEST:
            text += " " + _("Over the latest {n} matches: {rating}.").format(n=LATEST, rating=_rating(latest, _))
        lines.append(text)
        rated = [match.rating[0] for match in found if match.rating is not None]
        lines += _plot(rated, _, ascii_only=ascii_only)
    return lines


def _shown(mean: Weighed, _: Translator) -> str:
    return _.number(f"{mean.mean:.1f} ± {mean.error:.1f}")


def _rating(found: tuple[float, float, float], _: Translator) -> str:
    rating, *ends = found
    return rating_text(rating, (ends[0], ends[1]), _)


def _plot(values: Sequence[float], _: Translator, *, ascii_only: bool) -> list[str]:
    """Return a small plot over time with its scale, unless there are too few values."""
    if len(values) < FEWEST:
        return []
    low, high = min(values), max(values)
    if low == high:
        low, high = low - 1, high + 1
    rows = plot_rows(values, WIDTH, HEIGHT, low, high, ascii_only=ascii_only)
    decimals = 0 if high - low >= FAR_APART else 1
    labels = [_.number(f"{high:.{decimals}f}"), *[""] * (HEIGHT - 2), _.number(f"{low:.{decimals}f}")]
    width = max(map(len, labels))
    return [f"  {label:>{width}} {row}".rstrip() for label, row in zip(labels, rows, strict=True)]
