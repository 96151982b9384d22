"""The questions to people at a table, and the explanations when something isn't possible. All terminals share them."""

from collections.abc import Iterable
from typing import Final

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game import Action, Hand, Move, Reason, View
from millebornes.i18n import N_, Translator
from millebornes.players.table import Forfeit
from millebornes.words.moves import describe_move
from millebornes.words.words import TableWords, Words

ANSWER_COUP: Final = N_("Decide about the coup fourré first: y calls it, n passes (R5.1).")
"""A player has to answer the question about a coup fourré first."""
ANSWER_EXTENSION: Final = N_("Decide about the extension first: y extends the trip, n finishes the hand (R6.2).")
"""A player has to make the choice at the goal first."""
PICK_FIRST: Final = N_("Pick a card first: P (R2.5).")
"""The cards that are ready have to be picked first."""


# ---------------------------------------------------------------- questions


def keyboard(seat: int, words: TableWords) -> str:
    """Return the request to pass the keyboard to the player in a seat."""
    _ = words.translate
    text = _("Pass the keyboard to {name}. {name}, press Enter when no one else is looking.")
    return text.format(name=words.participants.names[seat])


def turn(seat: int, words: TableWords) -> str:
    """Return the announcement of a seat's turn."""
    _, participants = words.translate, words.participants
    if not participants.is_shared:
        return _("Your turn.")
    return _("{name}, your turn.").format(name=participants.names[seat])


def coup(hand: Hand, seat: int, words: TableWords) -> str:
    """Return the question about a coup fourré, which is the same for those who don't hold the safety (R5.5)."""
    _, theme, move = words.translate, words.theme, hand.move
    if move is None or move.card is None or move.target is None:
        text = _("Before the first draw, you can call {safety} as a coup fourré.")
        return text.format(safety=called(hand, words))
    hazard, target = theme.name_of(move.card), words.participants.target(move.target, seat)
    text = _("{hazard} was played on {target}. {safety} would answer it: a coup fourré.")
    return text.format(hazard=hazard, target=target, safety=called(hand, words))


def called(hand: Hand, words: Words) -> str:
    """Return the name of the safety in the question about a coup fourré."""
    safety = hand.coup_question
    return "" if safety is None else words.theme.name_of(safety)


def extension(rules: Rules, words: Words) -> str:
    """Return the question whether to extend the trip at the goal (R6.2)."""
    _, goal = words.translate, words.theme.miles(rules.extension_goal or 0)
    return _("You've completed the trip. You can extend it to {goal}, for everyone.").format(goal=goal)


def another(*, is_over: bool, _: Translator) -> str:
    """Return the question after a hand or, if it ``is_over``, after a match whether to play another one."""
    return _("Another game?") if is_over else _("Another hand?")


def drawn(cards: Iterable[Card], words: Words) -> str:
    """Return the sentences that say which cards have been drawn, or ""."""
    _ = words.translate
    return " ".join(_("You draw {card}.").format(card=words.theme.name_of(card)) for card in cards)


def which_card(action: Action, _: Translator) -> str:
    """Return the question which card to use or discard."""
    return _("Discard which card?") if action is Action.DISCARD else _("Use which card?")


# ---------------------------------------------------------------- why not


def may_call(hand: Hand, words: Words) -> str:
    """Return a sentence about what a person can do when asked about a coup fourré."""
    _ = words.translate
    text = _("If you hold {card}, you can call a coup fourré. Otherwise, continue (R5.1).")
    return text.format(card=called(hand, words))


def not_held(hand: Hand, words: Words) -> str:
    """Return the explanation that a person can't call a coup fourré without the safety."""
    _ = words.translate
    return _("You don't hold {card} (R2.5). Answer n to continue.").format(card=called(hand, words))


def nothing_to_pick(picked: Card | None, draw_pile: int, words: Words) -> str:
    """Return the reason why there is no card to pick. ``picked`` is the card that has just been drawn, if any."""
    _ = words.translate
    if picked is not None:
        return _("You've already picked a card: P is {card}.").format(card=words.theme.name_of(picked))
    if draw_pile == 0:
        return _("The draw pile is empty, so there's nothing to pick (R2.5).")
    return _("There's nothing to pick now (R2.5).")


def refusal(reason: Reason, words: Words) -> str:
    """Return the explanation why a move is illegal, with the number of the clause."""
    _ = words.translate
    text = _("You can't do that: {reason} ({clause}).")
    return text.format(reason=words.theme.worded(_(reason.text)), clause=reason.clause)


def instead(view: View, words: TableWords, *, most: int | None = None) -> str:
    """Return what the viewer can do instead. More than ``most`` moves aren't listed."""
    _ = words.translate
    uses: list[Move] = [move for move in view.legal_moves if move.action is not Action.DISCARD]
    if not uses:
        return _("You can only discard: D and a number.")
    if most is not None and len(uses) > most:
        return _("L lists what you can do.")
    may_discard = len(uses) < len(view.legal_moves)
    text = _("You can {moves}, or discard.") if may_discard else _("You can only {moves}.")
    return text.format(moves=_.join(describe_move(move, view.seat, words) for move in uses))


def targets(sides: Iterable[int], _: Translator) -> str:
    """Return the sentence that lists the sides on which a hazard can be played."""
    numbers = ", ".join(str(side + 1) for side in sides)
    return _("You can play hazards on these sides now: {sides}.").format(sides=numbers)


# ---------------------------------------------------------------- what has changed


def sorts(*, on: bool, _: Translator) -> str:
    """Return the message that the sorting of hands has been turned on or off."""
    return _("Your hand is sorted from now on.") if on else _("Your hand is no longer sorted.")


def end(hand_number: int, loss: Forfeit | None, _: Translator) -> list[str]:
    """Return the heading at the end of a hand or, with the details of a forfeit, at the end of the match."""
    if loss is None:
        return [_("Hand {number}: the score").format(number=hand_number)]
    log = [] if loss.log is None else [_("The log is in {path}.").format(path=loss.log)]
    return [_("The match is over."), *log, _("The unfinished hand doesn't count.")]
