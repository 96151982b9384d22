"""The statistics of past games in words."""

from collections.abc import Mapping
from typing import Final

from millebornes.i18n import N_, Translator
from millebornes.storage import Results, Summary, summarize
from millebornes.storage.summary import Mean, WinsAndLosses, people
from millebornes.words.editions import seats_and_sides

WIDEST: Final = 40
"""The maximum number of columns for the name of a group."""
NONE_YET: Final = N_("You haven't finished a game yet.")
ABOUT_ERRORS: Final = N_("(± is a standard error: about two times in three, the true value is within it.)")


def statistics_lines(results: Results, _: Translator) -> list[str]:
    """Return all statistics: first for games against computer players, then for games with several people."""
    lines: list[str] = []
    own = summarize(results)
    if own.hands or own.matches.played:
        lines += [_("Your games against computer players:"), *_summary_lines(own, _)]
    names = people(results)
    if names:
        lines.append(_("Several people at one keyboard:"))
        for name in names:
            found = summarize(results, name)
            text = record_text(found.matches, _) if found.matches.played else _("no finished matches")
            if found.points is not None:
                text = _.join([text, _("{points} points a hand").format(points=mean_text(found.points))])
            lines.append("  " + _("{head}: {text}").format(head=name, text=text) + ".")
    if not lines:
        lines.append(_(NONE_YET))
    if results.dropped:
        lines.append(dropped_text(results.dropped, _))
    return lines


def dropped_text(dropped: int, _: Translator) -> str:
    """Return a sentence about the number of entries that couldn't be read."""
    text = _.plural(
        "{n} entry could not be read and is left out.", "{n} entries could not be read and are left out.", dropped
    )
    return text.format(n=dropped)


def record_text(record: WinsAndLosses, _: Translator) -> str:
    """Return the numbers of wins, losses and draws in words. Draws are left out if there are none."""
    if record.drawn:
        text = _("{won} won, {lost} lost, {drawn} drawn")
    else:
        text = _("{won} won, {lost} lost")
    return text.format(won=record.won, lost=record.lost, drawn=record.drawn)


def mean_text(mean: Mean, *, sign: bool = False) -> str:
    """Return an average with its standard error, in whole points, perhaps with a plus sign."""
    shown = (f"{mean.mean:+.0f}" if sign else f"{mean.mean:.0f}").replace("-", "\N{MINUS SIGN}")
    return shown if mean.error is None else f"{shown} ± {mean.error:.0f}"


def _size(mean: Mean) -> Mean:
    return mean._replace(mean=abs(mean.mean))


def _summary_lines(found: Summary, _: Translator) -> list[str]:
    lines = []
    if found.matches.played:
        lines.append("  " + _("Matches: {record}.").format(record=record_text(found.matches, _)))
    if found.hinted.played:
        lines.append("  " + _("Of these, with hints: {record}.").format(record=record_text(found.hinted, _)))
    streak = found.streak
    if streak is not None and found.matches.played > 1:
        latest = {
            "won": _("Current streak: {n} won. Longest winning streak: {longest}."),
            "lost": _("Current streak: {n} lost. Longest winning streak: {longest}."),
            "drawn": _("Current streak: {n} drawn. Longest winning streak: {longest}."),
        }[streak.outcome]
        lines.append("  " + latest.format(n=streak.length, longest=streak.longest_won))
    if found.single_hands.played:
        lines.append("  " + _("Single hands: {record}.").format(record=record_text(found.single_hands, _)))
    if found.points is not None and found.ahead is not None:
        more = _("Hands: {n}, averaging {points} points each, {ahead} more than the others.")
        fewer = _("Hands: {n}, averaging {points} points each, {ahead} fewer than the others.")
        text = fewer if found.ahead.mean < 0 else more
        ahead = mean_text(_size(found.ahead))
        lines.append("  " + text.format(n=found.hands, points=mean_text(found.points), ahead=ahead))
    if found.luck is not None:
        more = _("Luck: the cards were worth {luck} points a hand more to you than to the others.")
        less = _("Luck: the cards were worth {luck} points a hand less to you than to the others.")
        text = less if found.luck.mean < 0 else more
        lines.append("  " + text.format(luck=mean_text(_size(found.luck))))
    if found.points is not None and found.points.error is not None:
        lines.append("  " + _(ABOUT_ERRORS))
    if found.best is not None:
        edition = found.best.hand.edition or _("custom rules")
        text = _("Best hand: {points} points ({edition}, {date}).")
        date = found.best.hand.date.date().isoformat()
        lines.append("  " + text.format(points=found.best.points, edition=edition, date=date))
    lines += _group_lines(_("By edition:"), {name or _("custom rules"): r for name, r in found.by_edition.items()}, _)
    tables = {seats_and_sides(seats, sides, _): record for (seats, sides), record in found.by_table.items()}
    return lines + _group_lines(_("By table:"), tables, _) + _group_lines(_("Against:"), found.by_opponents, _)


def _group_lines(head: str, groups: Mapping[str, WinsAndLosses], _: Translator) -> list[str]:
    """Return a line for each group. A single group would repeat the total."""
    if len(groups) < 2:
        return []
    names = {name: name if len(name) <= WIDEST else f"{name[: WIDEST - 1]}…" for name in groups}
    width = max(map(len, names.values()))
    return [f"  {head}", *(f"    {names[name]:<{width}}  {record_text(groups[name], _)}" for name in groups)]
