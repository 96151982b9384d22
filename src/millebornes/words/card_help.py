"""Help on each card: what it does and when you can play it."""

from collections.abc import Sequence

from millebornes.cards import ANSWERS, REMEDY_OF, SAFETY_OF, Card, Group
from millebornes.editions import Rules
from millebornes.words.participants import listed
from millebornes.words.words import Words


def card_help(card: Card, rules: Rules, words: Words) -> str:
    """Return a few sentences about what a card does and when you can play it, following these rules.

    >>> from millebornes import make_rules
    >>> from millebornes.i18n import translator
    >>> from millebornes.themes import theme
    >>> card_help(Card.REPAIRS, make_rules("classic"), Words(translator(), theme()))
    'Play it when Accident has stopped you. Then play Roll to get moving again.'
    """
    return " ".join(_SENTENCES[card.group](card, rules, words))


def _distance(card: Card, rules: Rules, words: Words) -> list[str]:
    _, theme = words.translate, words.theme
    found = [
        _("Takes you {miles} further. Play it while you're moving, if it doesn't take you past the goal.").format(
            miles=theme.miles(card.miles)
        )
    ]
    if card.miles > 50:
        found.append(_("You can't play it while {limit} is in force.").format(limit=theme.name_of(Card.SPEED_LIMIT)))
    if card is Card.D200:
        found.append(_("You may play two of them in a hand."))
        if rules.roll_200:
            found.append(_("It can also stand in for {roll}.").format(roll=theme.name_of(Card.ROLL)))
    return found


def _hazard(card: Card, rules: Rules, words: Words) -> list[str]:
    _, name = words.translate, words.theme.name_of
    if card is Card.SPEED_LIMIT:
        text = _("Your opponent can play only 25 and 50 until they play {remedy}. They needn't be moving.")
        found = [text.format(remedy=name(Card.END_OF_LIMIT))]
    else:
        text = (
            _("Stops your opponent until they play {remedy}.")
            if card is Card.STOP
            else _("Stops your opponent until they play {remedy} and then {roll}.")
        )
        found = [
            text.format(remedy=name(REMEDY_OF[card]), roll=name(Card.ROLL)),
            _("Play it on someone who is moving.")
            if rules.hazard_on == "rolling"
            else _("Play it on someone who has a card on the battle pile."),
        ]
    return [*found, _("{safety} protects against it.").format(safety=name(SAFETY_OF[card]))]


def _remedy(card: Card, rules: Rules, words: Words) -> list[str]:
    _, name = words.translate, words.theme.name_of
    if card is Card.ROLL:
        text = _("Gets you moving: at the start, after {stop}, and after you've ended any other hazard.")
        return [text.format(stop=name(Card.STOP))]
    hazards = _listed([hazard for hazard, remedy in REMEDY_OF.items() if remedy is card], words)
    if card is Card.END_OF_LIMIT:
        return [_("Ends {hazard}, so that you can play every distance again.").format(hazard=hazards)]
    text = _("Play it when {hazard} has stopped you. Then play {roll} to get moving again.")
    return [text.format(hazard=hazards, roll=name(Card.ROLL))]


def _safety(card: Card, rules: Rules, words: Words) -> list[str]:
    _, theme = words.translate, words.theme
    text = _("Protects you from {hazards} for the rest of the hand, scores points and gives you another turn.")
    found = [text.format(hazards=_listed(ANSWERS[card], words))]
    if card is Card.RIGHT_OF_WAY:
        found.append(_("You no longer need {roll}.").format(roll=theme.name_of(Card.ROLL)))
    return [*found, _("If you play it the moment you're hit, that's a coup fourré, which scores even more.")]


def _listed(cards: Sequence[Card], words: Words) -> str:
    return listed([words.theme.name_of(card) for card in cards], words.translate)


_SENTENCES = {Group.DISTANCE: _distance, Group.HAZARD: _hazard, Group.REMEDY: _remedy, Group.SAFETY: _safety}
