"""The reasons why a move is illegal: for each, the clause that forbids it and a sentence for players."""

import enum

__all__ = ["Reason"]


class Reason(enum.Enum):
    """Why a move is illegal.

    The clause that forbids it and a sentence for players (in English; screens translate it).
    """

    NOT_HELD = ("R2.5", "you do not hold that card")
    NOT_YOUR_TURN = ("R2.1", "it is another seat's turn")
    HELD_UP = ("R4.1", "a hazard holds your side up; first end it")
    NOT_MOVING = ("R4.1", "your side is not moving; first play a roll")
    TOO_FAST = ("R4.1", "under a speed limit only 25 and 50 may be played")
    TOO_FAR = ("R4.1", "that would go beyond the goal, which must be reached exactly")
    THIRD_200 = ("R4.1", "a side may play at most two 200s")
    NOT_UNDER_IT = ("R4.2", "your side is not under the hazard that this remedy ends")
    NOT_LIMITED = ("R4.2", "your side is under no speed limit")
    ROLLING = ("R4.3", "a roll is already on top of your battle pile")
    REMEDY_FIRST = ("R4.3", "a hazard is on your battle pile; first play its remedy")
    PROTECTED = ("R4.4", "that side owns the safety against this hazard")
    TARGET_NOT_MOVING = ("R4.4", "that side is not moving, so it cannot be stopped")
    EMPTY_PILE = ("R4.4", "that side's battle pile is still empty")
    SAME_HAZARD = ("R4.4", "the same hazard is already on top of that side's battle pile")
    PROTECTED_FROM_LIMIT = ("R4.5", "that side owns the right of way")
    ALREADY_LIMITED = ("R4.5", "that side is already under a speed limit")
    NO_ROLL_200 = ("R4.7", "a 200 cannot be played as a roll in this edition")
    SAFETY_NOT_DISCARDED = ("R4.8", "safeties may not be discarded in this edition")
    OWN_SIDE = ("R4.4", "a hazard is played on an opposing side, not on your own")
    NOT_LEFT = ("R4.9", "hazards may only be played on the side to your left")
    NO_SUCH_SIDE = ("R2.2", "there is no such side at this table")
    NOT_ASKED = (
        "R5.1",
        "a coup fourré can be called, or let go, only when a hazard you can answer has just been played",
    )
    COUP_FIRST = ("R5.1", "first say whether you call the coup fourré or let it go")
    OPENING_FIRST = ("R5.6", "first say whether you call the right of way or let it go")
    NOT_AT_GOAL = ("R6.2", "an extension is decided only by the seat that has just reached the goal")
    EXTENSION_FIRST = ("R6.2", "first say whether to extend or to finish")
    HAND_OVER = ("R6.1", "the hand is over")

    @property
    def clause(self) -> str:
        """The clause that forbids the move."""
        return self.value[0]

    @property
    def text(self) -> str:
        """The reason in words, without a full stop."""
        return self.value[1]
