"""Hints in words: in one sentence, as a friend would put it, and with all figures; or the advice of the maxims."""

from typing import Final

from millebornes.analysis.reasons import MILES_A_HAZARD, MILES_A_TURN, are_distinguishable, goes_with, main_differences
from millebornes.analysis.records import Analysis, MoveDifference, MoveEstimate
from millebornes.game import Action, Move
from millebornes.i18n import N_, Translator
from millebornes.players.hint import Hint
from millebornes.policies.maxim_catalogue import MAXIMS
from millebornes.score_lines import SCORE_SHEET, Topic
from millebornes.words.figures import loss_with_error
from millebornes.words.moves import describe_move
from millebornes.words.reasons import explain
from millebornes.words.words import TableWords

STUCK: Final = "stuck"
SUFFERED: Final = "suffered"
"""Possible causes of a difference in miles, which are more instructive than the miles themselves."""


_OWN: Final[dict[str, tuple[str, str]]] = {
    **{line.name: (line.reasons.more, line.reasons.less) for line in SCORE_SHEET},
    STUCK: (N_("you spend fewer turns stuck"), N_("you spend more turns stuck")),
    SUFFERED: (N_("you're hit by fewer hazards"), N_("you're hit by more hazards")),
}
"""Reasons that concern the player who decides, by topic. Each topic has a reason for the move and one against it."""


def _others(_: Translator, rival: str, number: int) -> dict[str, tuple[str, str]]:
    """Return reasons that concern the other sides, by topic, each with one for the move and one against it."""

    def plural(text: str | tuple[str, str]) -> str:
        return _(text) if isinstance(text, str) else _.plural(*text, number)

    pairs = {
        **{line.name: (plural(line.reasons.rival_less), plural(line.reasons.rival_more)) for line in SCORE_SHEET},
        STUCK: (
            _.plural("{rival} spends more turns stuck", "{rival} spend more turns stuck", number),
            _.plural("{rival} spends fewer turns stuck", "{rival} spend fewer turns stuck", number),
        ),
        SUFFERED: (
            _.plural("{rival} is hit by more hazards", "{rival} are hit by more hazards", number),
            _.plural("{rival} is hit by fewer hazards", "{rival} are hit by fewer hazards", number),
        ),
    }
    return {topic: (less.format(rival=rival), more.format(rival=rival)) for topic, (less, more) in pairs.items()}


def hint_sentence(analysis: Analysis, viewer: int, words: TableWords) -> str:
    """Return a hint in one sentence, from the viewpoint of the player who has to decide.

    If the lead of the best move is within the margin of error, the sentence doesn't name a best move. The sentence
    gives only reasons that are larger than their own error. At a table with two sides, it mentions the rival by name,
    otherwise "your rivals". A player with a partner reads "your team".
    """
    _, best, rival = words.translate, analysis.moves[0].move, analysis.rival

    def described(move: Move) -> str:
        return describe_move(move, viewer, words)

    if rival is None:
        return _("You only have one move: {move}.").format(move=described(best))
    if not are_distinguishable(analysis):
        if analysis.is_proven:
            return _("It makes no difference: {a} or {b}.").format(a=described(best), b=described(rival.move))
        return _("Too close to call: {a} or {b}.").format(a=described(best), b=described(rival.move))
    move = described(best)
    return _("{move}: {reason}.").format(move=move[:1].upper() + move[1:], reason=reason_text(analysis, viewer, words))


def reason_text(analysis: Analysis, viewer: int, words: TableWords) -> str:
    """Return why the best move is better than the move it is compared with, as a clause without a full stop."""
    _, participants = words.translate, words.participants
    rules = participants.rules
    own = rules.side_of(viewer)
    others = [side for side in range(rules.sides) if side != own]
    number = len(rules.seats_of(others[0])) if len(others) == 1 else 2
    name = participants.side(others[0]) if len(others) == 1 else _("your rivals")
    of_rivals = _others(_, name, number)
    of_team = _others(_, _("your team"), 1) if len(rules.seats_of(own)) > 1 else {}

    def clause(difference: MoveDifference) -> str:
        if difference.topic is Topic.LATER:
            return _("it gives you the best chance of winning the match")
        topic, is_for = _cause(difference), difference.points > 0
        if difference.is_own and topic in of_team and topic != Topic.SHUT_OUT.value:
            return of_team[topic][1 if is_for else 0]
        if difference.is_own:
            pair = _OWN[topic]
            return _(pair[0] if is_for else pair[1]).format(rival=name)
        return of_rivals[topic][0 if is_for else 1]

    found = main_differences(analysis)
    is_coup = analysis.moves[0].move.action is Action.COUP
    if is_coup:  # the move itself already says this
        found = tuple(one for one in found if not (one.is_own and one.topic is Topic.COUPS_FOURRES))
    reasons = [one for one in found if one.points > 0 or one.topic is Topic.LATER]
    against = [one for one in found if one not in reasons]
    if not reasons:
        return _("you score the bonus") if is_coup else _("it's slightly better overall")
    if against:
        return _("{reason}, even though {against}").format(reason=clause(reasons[0]), against=clause(against[0]))
    if len(reasons) > 1 and (reasons[0].is_own or reasons[1].is_own):  # a friend wouldn't say "Bo … and Bo …"
        return _("{first} and {second}").format(first=clause(reasons[0]), second=clause(reasons[1]))
    return clause(reasons[0])


def _cause(difference: MoveDifference) -> str:
    """Return the topic of a reason. Lost turns or hazards that explain a difference in miles replace it."""
    miles = difference.best - difference.other
    if goes_with(difference.held_up, miles, MILES_A_TURN):
        return STUCK
    if goes_with(difference.suffered, miles, MILES_A_HAZARD):
        return SUFFERED
    return difference.topic.value


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
