"""Practice sessions in words: the question, how good the answer was and why, and a summary of the session."""

import datetime
from collections.abc import Sequence
from typing import Final

from millebornes.analysis.exercises.exercise import Exercise, ExerciseKind
from millebornes.analysis.exercises.practice_session import AnswerOutcome, AnswerResult, PracticeSession
from millebornes.analysis.records import MoveEstimate
from millebornes.errors import printable
from millebornes.i18n import N_, Translator
from millebornes.words.editions import rules_title
from millebornes.words.figures import with_error
from millebornes.words.moves import describe_move
from millebornes.words.reasons import explain, grade_name
from millebornes.words.words import TableWords

KINDS: Final = {
    ExerciseKind.COUP: N_("coup fourré"),
    ExerciseKind.EXTENSION: N_("extension"),
    ExerciseKind.ENDGAME: N_("end of the hand"),
    ExerciseKind.HAZARD: N_("hazards"),
    ExerciseKind.SAFETY: N_("safeties"),
    ExerciseKind.DISCARD: N_("discards"),
    ExerciseKind.REMEDY: N_("remedies"),
    ExerciseKind.DISTANCE: N_("distance"),
}
"""The names of the topics."""

LISTED: Final = 6
"""The maximum number of moves whose losses are listed in one line."""

SAVED: Final = N_("Your answers are saved automatically.")

HOUR: Final = datetime.timedelta(hours=1)
DAY: Final = datetime.timedelta(days=1)


def question_line(practice_session: PracticeSession, _: Translator) -> str:
    """Return the line with the number of the question.

    The line omits the topic, which would give away half of the answer.
    """
    text = _("Repeated question {number} of {n}") if practice_session.is_again else _("Question {number} of {n}")
    return text.format(number=practice_session.number, n=practice_session.of)


def setting_line(exercise: Exercise, words: TableWords) -> str:
    """Return the line with the edition, the hand and, in a match, the score."""
    _, state = words.translate, exercise.state
    title = rules_title(state.rules, _)
    line = _("{edition}, hand {number}").format(edition=title, number=state.hand_number)
    if state.match_target is not None:
        text = _.plural("of a match to {target} point", "of a match to {target} points", state.match_target)
        line += " " + text.format(target=state.match_target)
    elif not any(state.totals):
        return f"{line}."
    order = range(state.rules.sides)
    standing = _.join(f"{words.participants.side(side, exercise.seat)} {state.totals[side]}" for side in order)
    return f"{line}. {standing}."


def origin_line(exercise: Exercise, _: Translator) -> str:
    """Return the line that says where an exercise comes from, or "" if that is unknown."""
    origin = exercise.origin
    if origin is None or not origin.file:
        return ""
    text = _("From {file}, hand {hand}, move {ply}.")
    return text.format(file=printable(origin.file), hand=origin.hand, ply=origin.ply + 1)


def cost_text(found: MoveEstimate, exercise: Exercise, _: Translator) -> str:
    """Return how much a move loses compared with the best move, with the standard error."""
    return with_error(found.loss, found.loss_stderr, exercise.objective.value, _)


def verdict(outcome: AnswerOutcome, words: TableWords) -> str:
    """Return a sentence that says how good the answer was."""
    _, exercise = words.translate, outcome.exercise
    best = describe_move(exercise.best, exercise.seat, words)
    if outcome.result is AnswerResult.BEST:
        return _("Right! {best} is the best move.").format(best=best)
    if outcome.move is None:
        return _("The best move: {best}.").format(best=best)
    move = describe_move(outcome.move, exercise.seat, words)
    cost = cost_text(exercise.estimate(outcome.move), exercise, _)
    if outcome.result is AnswerResult.GOOD:
        text = _("Right! {move} is as good as the best move, {best}, within the margin of error: it loses {cost}.")
        return text.format(move=move, best=best, cost=cost)
    return _("Not quite: {move} loses {cost}. Better: {best}.").format(move=move, best=best, cost=cost)


def answer_lines(outcome: AnswerOutcome, words: TableWords, *, listed: int = LISTED) -> list[str]:
    """Return the reasons for the best move, the losses of ``listed`` other moves, and the move played in the game."""
    _, exercise, seat = words.translate, outcome.exercise, outcome.exercise.seat
    lines = list(explain(exercise, words))
    others = [
        _("{head}: {text}").format(head=describe_move(found.move, seat, words), text=cost_text(found, exercise, _))
        for found in exercise.moves[1 : listed + 1]
    ]
    if len(exercise.moves) > 2 and others:  # if there are only two moves, everything has been said
        lines.append(_("What the other moves lose: {moves}.").format(moves=_.join(others)))
    left = len(exercise.moves) - 1 - len(others)
    if listed and left > 0:
        lines[-1] += " " + _.plural(
            "{n} other move loses at least as much.", "{n} other moves lose at least as much.", left
        ).format(n=left)
    if exercise.played is not None:
        played = describe_move(exercise.played, seat, words)
        text = _("Played at the time: {move}.").format(move=played)
        if exercise.grade is not None:
            grade, cost = grade_name(exercise.grade, _), cost_text(exercise.estimate(exercise.played), exercise, _)
            text = _("Played at the time: {move} ({grade}, losing {cost}).").format(move=played, grade=grade, cost=cost)
        lines.append(text)
    return lines


def when_text(due: datetime.datetime, now: datetime.datetime, _: Translator) -> str:
    """Return the time until ``due`` in words, rounded to a whole unit."""
    left = due - now
    if left <= datetime.timedelta(0):
        return _("now")
    if left < HOUR:
        minutes = max(1, round(left.total_seconds() / 60))
        return _.plural("in {n} minute", "in {n} minutes", minutes).format(n=minutes)
    if left < DAY - HOUR / 2:
        hours = round(left / HOUR)
        return _.plural("in {n} hour", "in {n} hours", hours).format(n=hours)
    days = round(left / DAY)
    return _.plural("in {n} day", "in {n} days", days).format(n=days)


def again_line(outcome: AnswerOutcome, now: datetime.datetime, _: Translator) -> str:
    """Return a sentence that says when the question will be repeated."""
    return _("You'll see it again {when}.").format(when=when_text(outcome.due, now, _))


def summary_lines(practice_session: PracticeSession, now: datetime.datetime, _: Translator) -> list[str]:
    """Return a summary of a session.

    The summary says how many first answers were right, which kinds of question were missed, and when the next question
    is due.
    """
    done = practice_session.outcomes
    if not done:
        return [_("No questions answered.")]
    right = sum(outcome.is_right for outcome in done)
    lines = [
        _.plural(
            "{right} of {n} question right first time.", "{right} of {n} questions right first time.", len(done)
        ).format(right=right, n=len(done))
    ]
    missed = [outcome for outcome in done if not outcome.is_right]
    if missed:
        lines.append(_("Missed: {kinds}.").format(kinds=_kinds(missed, _)))
    if practice_session.made_good:
        good = sum(outcome.is_right for outcome in practice_session.made_good)
        text = _.plural(
            "{good} of {n} repeated question right.",
            "{good} of {n} repeated questions right.",
            len(practice_session.made_good),
        )
        lines.append(text.format(good=good, n=len(practice_session.made_good)))
    latest = {outcome.exercise.id: outcome.due for outcome in (*done, *practice_session.made_good)}
    lines.append(_("The first of them is due again {when}.").format(when=when_text(min(latest.values()), now, _)))
    return lines


def _kinds(missed: Sequence[AnswerOutcome], _: Translator) -> str:
    kinds = [outcome.exercise.kind for outcome in missed]
    return ", ".join(f"{_(name)} ({kinds.count(kind)})" for kind, name in KINDS.items() if kind in kinds)


def nothing_due(known: int, due: datetime.datetime | None, now: datetime.datetime, _: Translator) -> str:
    """Return why there is no question to ask: either there are no exercises, or none is due yet."""
    if due is None or not known:
        return _("There's nothing to practise here.")
    text = _("Nothing is due yet; the next exercise is due {when}. Use --all to practise anyway.")
    return text.format(when=when_text(due, now, _))
