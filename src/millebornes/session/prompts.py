"""The questions to people at a table, and the explanations when something isn't possible. All terminals share them."""

from collections.abc import Iterable
from typing import Final

from millebornes.cards import Card
from millebornes.game import Action, Reason, View
from millebornes.session.game_session import GameSession
from millebornes.words.moves import describe_move


class Prompts:
    """The questions that a session asks, and its explanations when it refuses something."""

    def __init__(self, session: GameSession) -> None:
        self._session: Final = session
        self._: Final = session.translate

    # ------------------------------------------------------------------ questions

    def keyboard(self, seat: int) -> str:
        """Return the request to pass the keyboard to the player in a seat."""
        text = self._("Pass the keyboard to {name}. {name}, press Enter when no one else is looking.")
        return text.format(name=self._session.participants.names[seat])

    def turn(self, seat: int) -> str:
        """Return the announcement of a seat's turn."""
        participants = self._session.participants
        return (
            self._("{name}, your turn.").format(name=participants.names[seat])
            if participants.is_shared
            else self._("Your turn.")
        )

    def coup(self, seat: int) -> str:
        """Return the question about a coup fourré, which is the same for those who don't hold the safety (R5.5)."""
        session, move = self._session, self._session.hand.move
        if move is None or move.card is None or move.target is None:
            text = self._("Before the first draw, you can call {safety} as a coup fourré.")
            return text.format(safety=self.called)
        hazard, target = session.theme.name_of(move.card), session.participants.target(move.target, seat)
        text = self._("{hazard} was played on {target}. {safety} would answer it: a coup fourré.")
        return text.format(hazard=hazard, target=target, safety=self.called)

    @property
    def called(self) -> str:
        """The name of the safety in the question about a coup fourré."""
        safety = self._session.hand.coup_question
        return "" if safety is None else self._session.theme.name_of(safety)

    def extension(self) -> str:
        """Return the question whether to extend the trip at the goal (R6.2)."""
        goal = self._session.theme.miles(self._session.rules.extension_goal or 0)
        return self._("You've completed the trip. You can extend it to {goal}, for everyone.").format(goal=goal)

    def another(self) -> str:
        """Return the question after a hand or a match whether to play another one."""
        return self._("Another game?") if self._session.is_over else self._("Another hand?")

    def drawn(self, cards: Iterable[Card]) -> str:
        """Return the sentences that say which cards have been drawn, or ""."""
        theme = self._session.theme
        return " ".join(self._("You draw {card}.").format(card=theme.name_of(card)) for card in cards)

    def which_card(self, action: Action) -> str:
        """Return the question which card to use or discard."""
        return self._("Discard which card?") if action is Action.DISCARD else self._("Use which card?")

    # ------------------------------------------------------------------ why not

    def answer_coup(self) -> str:
        """Return the explanation that a player has to answer the question about a coup fourré first."""
        return self._("Decide about the coup fourré first: y calls it, n passes (R5.1).")

    def answer_extension(self) -> str:
        """Return the explanation that a player has to make the choice at the goal first."""
        return self._("Decide about the extension first: y extends the trip, n finishes the hand (R6.2).")

    def may_call(self) -> str:
        """Return a sentence about what a person can do when asked about a coup fourré."""
        return self._("If you hold {card}, you can call a coup fourré. Otherwise, continue (R5.1).").format(
            card=self.called
        )

    def not_held(self) -> str:
        """Return the explanation that a person can't call a coup fourré without the safety."""
        return self._("You don't hold {card} (R2.5). Answer n to continue.").format(card=self.called)

    def pick_first(self) -> str:
        """Return the request to pick the cards that are ready."""
        return self._("Pick a card first: P (R2.5).")

    def nothing_to_pick(self, seat: int) -> str:
        """Return the reason why there is no card to pick."""
        slots = self._session.slots[seat]
        last = slots.card_at(slots.size + 1)
        if last is not None:
            return self._("You've already picked a card: P is {card}.").format(card=self._session.theme.name_of(last))
        if self._session.shown_pile == 0:
            return self._("The draw pile is empty, so there's nothing to pick (R2.5).")
        return self._("There's nothing to pick now (R2.5).")

    def refusal(self, reason: Reason) -> str:
        """Return the explanation why a move is illegal, with the number of the clause."""
        text = self._("You can't do that: {reason} ({clause}).")
        return text.format(reason=self._session.theme.worded(self._(reason.text)), clause=reason.clause)

    def instead(self, view: View, *, most: int | None = None) -> str:
        """Return what the viewer can do instead. More than ``most`` moves aren't listed."""
        session = self._session
        uses = [move for move in view.legal_moves if move.action is not Action.DISCARD]
        if not uses:
            return self._("You can only discard: D and a number.")
        if most is not None and len(uses) > most:
            return self._("L lists what you can do.")
        moves = self._.join(describe_move(move, view.seat, session.words) for move in uses)
        may_discard = len(uses) < len(view.legal_moves)
        text = self._("You can {moves}, or discard.") if may_discard else self._("You can only {moves}.")
        return text.format(moves=moves)

    def sides(self, sides: Iterable[int]) -> str:
        """Return the sentence that lists the sides on which a hazard can be played."""
        numbers = ", ".join(str(side + 1) for side in sides)
        return self._("You can play hazards on these sides now: {sides}.").format(sides=numbers)

    # ------------------------------------------------------------------ what has changed

    def sorts(self, on: bool) -> str:
        """Return the message that the sorting of hands has been turned on or off."""
        return self._("Your hand is sorted from now on.") if on else self._("Your hand is no longer sorted.")

    def end(self) -> list[str]:
        """Return the heading at the end of a hand or, with the details of a forfeit, at the end of the match."""
        loss = self._session.loss
        if loss is None:
            return [self._("Hand {number}: the score").format(number=self._session.match.hand_number)]
        log = [] if loss.log is None else [self._("The log is in {path}.").format(path=loss.log)]
        return [self._("The match is over."), *log, self._("The unfinished hand doesn't count.")]
