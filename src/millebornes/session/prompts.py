"""The questions to the people at a session's table, and the explanations when something isn't possible."""

from collections.abc import Iterable
from typing import Final

from millebornes.cards import Card
from millebornes.game import Action, Reason, View
from millebornes.session.game_session import GameSession
from millebornes.words import prompts


class Prompts:
    """The questions that a session asks, and its explanations when it refuses something."""

    def __init__(self, session: GameSession) -> None:
        self._session: Final = session
        self._: Final = session.translate

    # ------------------------------------------------------------------ questions

    def keyboard(self, seat: int) -> str:
        """Return the request to pass the keyboard to the player in a seat."""
        return prompts.keyboard(seat, self._session.words)

    def turn(self, seat: int) -> str:
        """Return the announcement of a seat's turn."""
        return prompts.turn(seat, self._session.words)

    def coup(self, seat: int) -> str:
        """Return the question about a coup fourré, which is the same for those who don't hold the safety (R5.5)."""
        return prompts.coup(self._session.hand, seat, self._session.words)

    @property
    def called(self) -> str:
        """The name of the safety in the question about a coup fourré."""
        return prompts.called(self._session.hand, self._session.words)

    def extension(self) -> str:
        """Return the question whether to extend the trip at the goal (R6.2)."""
        return prompts.extension(self._session.rules, self._session.words)

    def another(self) -> str:
        """Return the question after a hand or a match whether to play another one."""
        return prompts.another(is_over=self._session.is_over, _=self._)

    def drawn(self, cards: Iterable[Card]) -> str:
        """Return the sentences that say which cards have been drawn, or ""."""
        return prompts.drawn(cards, self._session.words)

    def which_card(self, action: Action) -> str:
        """Return the question which card to use or discard."""
        return prompts.which_card(action, self._)

    # ------------------------------------------------------------------ why not

    def answer_coup(self) -> str:
        """Return the explanation that a player has to answer the question about a coup fourré first."""
        return self._(prompts.ANSWER_COUP)

    def answer_extension(self) -> str:
        """Return the explanation that a player has to make the choice at the goal first."""
        return self._(prompts.ANSWER_EXTENSION)

    def may_call(self) -> str:
        """Return a sentence about what a person can do when asked about a coup fourré."""
        return prompts.may_call(self._session.hand, self._session.words)

    def not_held(self) -> str:
        """Return the explanation that a person can't call a coup fourré without the safety."""
        return prompts.not_held(self._session.hand, self._session.words)

    def pick_first(self) -> str:
        """Return the request to pick the cards that are ready."""
        return self._(prompts.PICK_FIRST)

    def nothing_to_pick(self, seat: int) -> str:
        """Return the reason why there is no card to pick."""
        slots = self._session.slots[seat]
        return prompts.nothing_to_pick(slots.card_at(slots.size + 1), self._session.shown_pile, self._session.words)

    def refusal(self, reason: Reason) -> str:
        """Return the explanation why a move is illegal, with the number of the clause."""
        return prompts.refusal(reason, self._session.words)

    def instead(self, view: View, *, most: int | None = None) -> str:
        """Return what the viewer can do instead. More than ``most`` moves aren't listed."""
        return prompts.instead(view, self._session.words, most=most)

    def sides(self, sides: Iterable[int]) -> str:
        """Return the sentence that lists the sides on which a hazard can be played."""
        return prompts.targets(sides, self._)

    # ------------------------------------------------------------------ what has changed

    def sorts(self, on: bool) -> str:
        """Return the message that the sorting of hands has been turned on or off."""
        return prompts.sorts(on=on, _=self._)

    def end(self) -> list[str]:
        """Return the heading at the end of a hand or, with the details of a forfeit, at the end of the match."""
        return prompts.end(self._session.match.hand_number, self._session.loss, self._)
