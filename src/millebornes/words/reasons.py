"""Explain an analysis in sentences with figures. The sentences claim nothing that the figures don't show."""

from typing import Final

from millebornes.analysis.reasons import MILES_A_HAZARD, MILES_A_TURN, are_distinguishable, goes_with, main_differences
from millebornes.analysis.records import Analysis, MoveDifference, MoveEstimate
from millebornes.game import Action
from millebornes.i18n import N_, Translator
from millebornes.policies.maxim_catalogue import MAXIMS
from millebornes.schema.exercises import Grade, Objective
from millebornes.score_lines import SCORE_SHEET, Topic
from millebornes.words.figures import (
    chance,
    chances,
    lead_text,
    means,
    number,
    signed_points,
)
from millebornes.words.moves import describe_move
from millebornes.words.words import TableWords

GRADES: Final = {
    Grade.BEST: N_("best"),
    Grade.FINE: N_("fine"),
    Grade.INACCURACY: N_("inaccuracy"),
    Grade.MISTAKE: N_("mistake"),
    Grade.BLUNDER: N_("blunder"),
}

MARKS: Final = {Grade.BEST: "", Grade.FINE: "", Grade.INACCURACY: "?!", Grade.MISTAKE: "?", Grade.BLUNDER: "??"}
"""The symbols that annotators of chess games use for such moves."""

_OWN: Final = {
    **{Topic(line.name): line.reasons.own for line in SCORE_SHEET},
    Topic.LATER: N_("win the match in {best} of simulations rather than {other}"),
}
_OTHERS: Final = {Topic(line.name): line.reasons.others for line in SCORE_SHEET}
"""Sentences about the only rival, and about the average of the other sides.

The sentences in `_OWN` are about "you", the side that decides.
"""

_DECIMALS: Final = {Topic(line.name): line.decimals for line in SCORE_SHEET}

_HELD: Final = N_("{what}, because you're held up for {best} turns rather than {other}")
_HELD_OTHERS: Final = N_("{what}, because they're held up for {best} turns rather than {other}")
_SUFFERED: Final = N_("{what}, and you're hit by {best} hazards rather than {other}")
_SUFFERED_OTHERS: Final = N_("{what}, and they're hit by {best} hazards rather than {other}")


# ---------------------------------------------------------------- a difference


def sentence(difference: MoveDifference, _: Translator, rivals: int = 2) -> str:
    """Return a difference in words, without a full stop. If it concerns the player's own side, "you" is left out.

    If there is only one of the ``rivals``, they aren't called "the others".

    The sentence contains the figures after the best move and the other move, and how many points of the lead result
    from them. For the chance to win the match (`Topic.LATER`), it contains only the chances. Lost turns and suffered
    hazards are mentioned only if they explain the miles, because fewer hindrances lead to more miles.

    >>> from millebornes.i18n import translator
    >>> from millebornes.analysis.records import MoveDifference
    >>> sentence(MoveDifference(Topic.TRIP_COMPLETED, True, 64.2, 5.0, 0.412, 0.331), translator())
    'complete the trip in 41% of simulations rather than 33% (+64 points)'
    """
    best, other = _figures(difference, _)
    topic = difference.topic
    if difference.is_own:
        text = _(_OWN[topic])
    elif topic is Topic.LATER:
        text = _.plural(
            "your rival wins the match in {best} of simulations rather than {other}",
            "the others win the match in {best} of simulations rather than {other}",
            rivals,
        )
    else:
        text = _.plural(*_OTHERS[topic], rivals)
    text = text.format(best=best, other=other)
    more_miles = difference.best - difference.other
    if goes_with(difference.held_up, more_miles, MILES_A_TURN):
        held = means(*difference.held_up, _)
        text = _(_HELD if difference.is_own else _HELD_OTHERS).format(what=text, best=held[0], other=held[1])
    if goes_with(difference.suffered, more_miles, MILES_A_HAZARD):
        hit = means(*difference.suffered, _)
        pattern = _(_SUFFERED if difference.is_own else _SUFFERED_OTHERS)
        text = pattern.format(what=text, best=hit[0], other=hit[1])
    if difference.topic is Topic.LATER:
        return text
    return _("{what} ({points})").format(what=text, points=signed_points(difference.points, _))


def _figures(difference: MoveDifference, _: Translator) -> tuple[str, str]:
    decimals = _DECIMALS.get(difference.topic)
    if decimals is None:
        return chances(difference.best, difference.other, _)
    return means(difference.best, difference.other, _, decimals)


# ---------------------------------------------------------------- a decision


def grade_name(grade: Grade, _: Translator) -> str:
    """Return the name of a grade."""
    return _(GRADES[grade])


def lead_line(analysis: Analysis, words: TableWords) -> str:
    """Return a sentence with the best move and its lead over the other move, or that it is too close to call."""
    _, best, rival = words.translate, analysis.moves[0], analysis.rival
    seat = None if analysis.state is None else analysis.state.seat
    names = {"best": describe_move(best.move, seat, words)}
    if rival is None:
        return _("This is the only move: {best}.").format(**names)
    names["other"] = describe_move(rival.move, seat, words)
    in_match = analysis.objective is Objective.MATCH
    names["lead"] = lead_text(rival.loss, rival.loss_stderr, analysis.objective.value, _)
    if analysis.is_proven:
        if not rival.loss:
            text = _("Proven to be equally good: {best}; {other}.")
        elif in_match:
            text = _(
                "Proven best: {best}. Compared with {other}, it raises your chance of winning the match by {lead}."
            )
        else:
            text = _("Proven best: {best}. It is {lead} better than: {other}.")
    elif not are_distinguishable(analysis):
        text = _("{best} or {other}: the difference ({lead}) is within the margin of error.")
    elif in_match:
        text = _("Best: {best}. Compared with {other}, it raises your chance of winning the match by {lead}.")
    else:
        text = _("Best: {best}. It is {lead} better than: {other}.")
    said = text.format(**names)
    return said[:1].upper() + said[1:]


def trip_lines(analysis: Analysis, _: Translator) -> list[str]:
    """Return the benefit and the risk of the trip.

    These lines are given for every extension, and otherwise only if the two moves are too close to call. The lines say
    how often the trip is completed, how much that gains, and how much is lost otherwise.
    """
    rival = analysis.rival
    if rival is None:
        return []
    moves = (analysis.moves[0], rival)
    by_action = {known.move.action: place for place, known in enumerate(moves)}
    if Action.EXTEND in by_action and Action.FINISH in by_action:
        extends, finishes = by_action[Action.EXTEND], by_action[Action.FINISH]
        return _extension_lines(analysis, moves[extends], moves[finishes], _)
    if analysis.trips is None or analysis.is_proven or are_distinguishable(analysis):
        return []
    best, other = analysis.trips[:2]
    share = chances(best.completes, other.completes, _)
    lines = []
    if share[0] != share[1]:
        text = _("The first move completes the trip in {best} of simulations, the second in {other}.")
        lines.append(text.format(best=share[0], other=share[1]))
    if best.then is not None and best.else_ is not None:
        text = _("The average lead is {gain} if you complete it, and {risk} if you don't.")
        lines.append(text.format(gain=signed_points(best.then, _), risk=signed_points(best.else_, _)))
    return lines


def _extension_lines(analysis: Analysis, extends: MoveEstimate, finishes: MoveEstimate, _: Translator) -> list[str]:
    lines = []
    if analysis.trips is None:
        gain = signed_points(extends.value - finishes.value, _)
        lines.append(_("Compared with finishing now, extending is worth {gain}.").format(gain=gain))
    else:
        best, other = analysis.trips[:2]
        trip = best if analysis.best == extends.move else other
        text = _("If you extend, you complete the longer trip in {share} of simulations.")
        lines.append(text.format(share=chance(trip.completes, _)))
        leads = [None if lead is None else signed_points(lead - finishes.value, _) for lead in (trip.then, trip.else_)]
        if None not in leads:
            text = _("Compared with finishing now, completing it is worth {gain} on average, and failing {risk}.")
            lines.append(text.format(gain=leads[0], risk=leads[1]))
        elif leads[0] is not None:
            lines.append(
                _("Compared with finishing now, completing it is worth {gain} on average.").format(gain=leads[0])
            )
        else:
            lines.append(_("Compared with finishing now, failing is worth {risk} on average.").format(risk=leads[1]))
    if extends.win_match is not None and finishes.win_match is not None:
        wins = chances(extends.win_match, finishes.win_match, _)
        text = _("Extending wins the match in {best} of simulations, finishing now in {other}.")
        lines.append(text.format(best=wins[0], other=wins[1]))
    return lines


def standing_line(known: MoveEstimate, _: Translator) -> str:
    """Return the expected result after a move: the lead in the hand, and the chances to win the hand and the match."""
    lead = number(abs(known.value), 0, _)
    if known.stderr:
        lead = f"{lead} (± {number(known.stderr, 0 if known.stderr >= 1 else 1, _)})"
    ahead = _("{lead} points behind") if round(known.value) < 0 else _("{lead} points ahead")
    names = {"lead": ahead.format(lead=lead), "hand": chance(known.win_hand, _)}
    if known.win_match is None:
        return _("Expected result: {lead} at the end of the hand; {hand} chance of winning the hand.").format(**names)
    names["match"] = chance(known.win_match, _)
    text = _(
        "Expected result: {lead} at the end of the hand; {hand} chance of winning the hand, {match} of winning the "
        "match."
    )
    return text.format(**names)


def explain(analysis: Analysis, words: TableWords) -> list[str]:
    """Explain an analysis: the lead, the main reasons, a maxim that agrees, and the meaning of the figures."""
    _ = words.translate
    lines = [lead_line(analysis, words), *trip_lines(analysis, _)]
    for difference in main_differences(analysis):
        against = difference.points < 0 and difference.topic is not Topic.LATER
        pattern = _("Against: you {what}.") if against else _("In favour: you {what}.")
        if not difference.is_own:
            pattern = _("Against: {what}.") if against else _("In favour: {what}.")
        lines.append(pattern.format(what=sentence(difference, _, analysis.rivals)))
    if analysis.maxim is not None and analysis.maxim in MAXIMS:
        lines.append(_("A maxim agrees: {says}").format(says=words.theme.worded(_(MAXIMS[analysis.maxim].says))))
    lines.append(standing_line(analysis.moves[0], _))
    if analysis.is_proven:
        lines.append(_("No cards are hidden, so this hand has been solved exactly."))
    elif not analysis.history:
        lines.append(
            _(
                "The earlier moves of this hand were not known, so all the cards that the others could hold were "
                "treated as equally likely."
            )
        )
    return lines
