"""The reasons why a move can be illegal, each with the clause that forbids it and a sentence for players."""

import enum


class Reason(enum.Enum):
    """The reason why a move is illegal.

    Its value is the clause that forbids the move and a sentence for players in English, which screens translate.
    """

    NOT_HELD = ("R2.5", "you don't have that card")
    NOT_YOUR_TURN = ("R2.1", "it isn't your turn")
    HELD_UP = ("R4.1", "you're stopped by a hazard; end it first")
    NOT_MOVING = ("R4.1", "you aren't moving; play {roll} first")
    TOO_FAST = ("R4.1", "{speed_limit} is in force, so you can only play a 25 or a 50")
    TOO_FAR = ("R4.1", "that's too far; you have to reach the goal exactly")
    THIRD_200 = ("R4.1", "you've already played two 200s in this hand")
    NOT_UNDER_IT = ("R4.2", "you aren't stopped by the hazard that this remedy ends")
    NOT_LIMITED = ("R4.2", "you have no {speed_limit} to end")
    ROLLING = ("R4.3", "you already have {roll}")
    REMEDY_FIRST = ("R4.3", "play the remedy first, then {roll}")
    PROTECTED = ("R4.4", "they have the safety against this hazard")
    TARGET_NOT_MOVING = ("R4.4", "they aren't moving, so you can't stop them")
    EMPTY_PILE = ("R4.4", "their battle pile is still empty")
    SAME_HAZARD = ("R4.4", "they already have this hazard; choose a different one")
    PROTECTED_FROM_LIMIT = ("R4.5", "they have {right_of_way}, so {speed_limit} has no effect")
    ALREADY_LIMITED = ("R4.5", "they already have {speed_limit}")
    NO_ROLL_200 = ("R4.7", "in this edition, you can't use a 200 as {roll}")
    SAFETY_NOT_DISCARDED = ("R4.8", "in this edition, you can't discard a safety; play it instead")
    OWN_SIDE = ("R4.4", "you can't attack your own side; choose a rival")
    NOT_LEFT = ("R4.9", "you can only attack the side on your left")
    NO_SUCH_SIDE = ("R2.2", "there's no such side at this table")
    NOT_ASKED = (
        "R5.1",
        "you can call a coup fourré only right after a hazard that you can answer",
    )
    COUP_FIRST = ("R5.1", "decide about the coup fourré first: call it or pass")
    OPENING_FIRST = ("R5.6", "decide about {right_of_way} first: call it or pass")
    NOT_AT_GOAL = ("R6.2", "you can decide on an extension only when you've just reached the goal")
    EXTENSION_FIRST = ("R6.2", "decide about the extension first: extend or finish")
    HAND_OVER = ("R6.1", "the hand is over")

    @property
    def clause(self) -> str:
        """The clause that forbids the move."""
        return self.value[0]

    @property
    def text(self) -> str:
        """The reason as a sentence without a full stop. Names of cards are placeholders, such as ``{roll}``."""
        return self.value[1]
