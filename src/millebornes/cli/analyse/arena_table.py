"""What an arena has found out, as text for a terminal."""

from collections.abc import Iterator, Mapping
from typing import Any

from millebornes.cli.common import cost_text, counted

__all__ = ["table_of"]


def table_of(report: Mapping[str, Any]) -> Iterator[str]:
    """The lines that show a report of `millebornes.arena.arena.Arena`."""
    if report["match_target"] is None:
        played = counted(report["matches"], "hand")
    else:
        matches = counted(report["matches"], "match", "matches")
        played = f"{matches} to {report['match_target']} ({counted(report['hands'], 'hand')})"
    how = (
        f"on {counted(report['deals'], 'deal')}, each played in every rotation"
        if report["duplicate"]
        else "on fresh deals"
    )
    if report["ladder"]:
        how = f"between neighbours, {how}"
    name = report["edition"] or "an edition of your own"
    yield f"{name}, {report['seats']} seats, {report['sides']} sides: {played} {how}"
    yield f"seed {report['seed']}, {report['wall_s']:.1f} s" + ("" if report["complete"] else ", not complete")
    yield ""
    shown = _labels(report)
    rows: list[tuple[str, ...]] = [
        ("player", "won", "drawn", "share", "95 %", "points a hand", "95 %", "forfeits", "ms a move")
    ]
    for entry in report["results"]:
        rows.append(
            (
                shown[entry["player"]],
                f"{entry['matches_won']:,}",
                f"{entry['matches_drawn']:,}",
                _percent(entry["match_share"]),
                _range(entry["match_share_ci95"], _percent),
                _points(entry["mean_score"]),
                _range(entry["mean_score_ci95"], _points),
                str(entry["forfeits"]),
                "-" if entry["ms_per_move"] is None else cost_text(entry["ms_per_move"]),
            )
        )
    yield from _columns(rows)
    yield ""
    if "ratings" in report:
        yield from _columns(list(_ratings(report, shown)))
        yield ""
    pairs: list[tuple[str, ...]] = [("pair", "points a hand", "95 %", "Elo", "95 %", "worth of duplicate deals")]
    for pair in report["pairs"]:
        if not pair["matches"]:
            continue
        gain = pair["duplicate_gain"]
        pairs.append(
            (
                f"{shown[pair['a']]} - {shown[pair['b']]}",
                _signed(pair["mean_difference"]),
                _range(pair["ci95"], _signed),
                _signed(pair["elo"]),
                _range(pair["elo_ci95"], _signed),
                "-" if gain is None else f"{gain:.2f} x as many hands",
            )
        )
    yield from _columns(pairs)
    for name, label in shown.items():
        if label != name:
            yield f"{label} is {name}"
    for name in report.get("sees_everything", ()):
        yield f"{shown[name]} sees all cards: what it gets is a bound, not a result of play"
    for entry in report["results"]:
        for lost in entry["forfeit_list"]:
            legal = f"; legal: {', '.join(lost['legal'])}" if lost["legal"] else ""
            log = f"; what it wrote to standard error is in {lost['log']}" if lost["log"] else ""
            yield f"{shown[entry['player']]} lost {lost['count']} by forfeit: it {lost['reason']}{legal}{log}"
    if "sprt" in report:
        test = report["sprt"]
        low, high = test["bounds"]
        said = {"elo0": f"{test['elo0']:g} Elo it is", "elo1": f"{test['elo1']:g} Elo it is", None: "not decided"}
        yield ""
        yield (
            f"sequential test of {test['elo0']:g} against {test['elo1']:g} Elo: {said[test['decision']]} "
            f"(LLR {test['llr']:.2f}, decided at {low:.2f} or {high:.2f})"
        )


def _labels(report: Mapping[str, Any]) -> dict[str, str]:
    """How each player is shown: as it calls itself, with a number where others are shown so, too."""
    from millebornes.arena.programs import called_names

    names = {entry["player"]: entry["name"] for entry in report["results"]}
    return dict(zip(names, called_names(list(names), list(names.values())), strict=True))


def _ratings(report: Mapping[str, Any], shown: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    yield "rating", f"Elo above {shown[report['anchor']]}", "95 %", "games"
    for place, entry in enumerate(report["ratings"], 1):
        yield (
            f"{place}. {shown[entry['player']]}",
            _signed(entry["elo"]),
            _range(entry["elo_ci95"], _signed),
            f"{entry['matches']:,}",
        )


def _columns(rows: list[tuple[str, ...]]) -> Iterator[str]:
    """Rows as text, the first column to the left and all others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [
            f"{row[0]:{widths[0]}}",
            *(f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True)),
        ]
        yield "  ".join(cells).rstrip()


def _range(interval: list[float | None], show: Any) -> str:
    low, high = interval
    return f"{show(low)} … {show(high)}"


def _percent(value: float | None) -> str:
    return "?" if value is None else f"{100 * value:.2f} %"


def _points(value: float | None) -> str:
    return "?" if value is None else f"{value:.1f}"


def _signed(value: float | None) -> str:
    return "?" if value is None else f"{value:+.1f}"
