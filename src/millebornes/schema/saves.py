"""The first line of a saved game, and the files that the program keeps for its user."""

from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from millebornes.cards import Card
from millebornes.schema.fields import MAX_NUMBER, Seat, Side, about

MAX_SEED: Final = 10_000
MAX_SLOTS: Final = 7
MAX_SECOND: Final = 250_000_000_000
"""The latest time allowed, in seconds since 1970. It is before the year 10000."""

_Count = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
_Counts = tuple[_Count, ...]
_Texts = Annotated[list[str], Meta(extra={"right": "a list of strings"})]
_Answer = tuple[Annotated[int, Meta(ge=0, le=MAX_SECOND)], Literal[0, 1]]


class ForfeitObject(Struct, frozen=True, kw_only=True):
    """The way in which a match ended early."""

    side: Annotated[Side, about("the side that lost it")]
    seat: Annotated[Seat, about("the seat that lost it")]
    player: Annotated[str, about("the player there")]
    reason: Annotated[str, about("what the player did, in words")]


class SaveObject(Struct, frozen=True, kw_only=True):
    """The data of a saved game, stored under `save` in the first line of its transcript."""

    version: Annotated[int, about("the number of this layout")]
    checksum: Annotated[str, about("the SHA-256 of the file with zeros in this place, in hex")]
    program: Annotated[str, about("the version of the program")] = ""
    seats: Annotated[tuple[str, ...], about("by seat: `human`, or a computer player's name")]
    seed: Annotated[str, Meta(max_length=MAX_SEED), about("the seed of the whole session")]
    number: Annotated[int, Meta(ge=1, le=MAX_NUMBER), about("the number of the match in the session, from 1")]
    games: Annotated[_Counts, about("the matches that each side has won")]
    slots: Annotated[
        tuple[Annotated[tuple[Card | None, ...], Meta(max_length=MAX_SLOTS)], ...],
        about("the cards of each seat in the order in which a person sees them; `null` for an empty place"),
    ]
    preferences: Annotated[dict[str, Any], about("the person's preferences that concern the table")]
    file: Annotated[str | None, about("the file in which the person saved the game")]
    practice: Annotated[bool, about("whether moves may be taken back")] = False
    points: Annotated[_Counts, about("the points that each side has in the unfinished hand")] = ()
    begun: Annotated[bool, about("whether there is anything to continue")] = True
    hints: Annotated[_Counts, about("the number of hints in this match, by seat")] = ()
    hand_hints: Annotated[_Counts, about("the number of hints in this hand, by seat")] = ()
    finished: Annotated[bool, about("whether the match is over")] = False
    forfeit: Annotated[ForfeitObject | UnsetType, about("how the match ended early")] = UNSET
    asked: Annotated[bool, about("whether everyone who might call a coup fourré now has been asked (R5.5)")] = False


class LastGameObject(Struct, frozen=True, kw_only=True):
    """The settings of the last new game. They are checked only when a game is started with them."""

    edition: Annotated[str | None, about("the edition")] = None
    seats: Annotated[_Count | None, Meta(extra={"right": "a whole number or null"}), about("the seats")] = None
    sides: Annotated[_Count | None, Meta(extra={"right": "a whole number or null"}), about("the sides")] = None
    set: Annotated[dict[str, Any], about("settings by name", "an object of settings")] = {}
    players: Annotated[_Texts, about("the players by seat", "a list of strings")] = []
    names: Annotated[_Texts, about("their names by seat", "a list of strings")] = []
    match_target: Annotated[
        _Count | None, about("the points that end the match; `null` for single hands", "a whole number or null")
    ] = None
    practice: Annotated[bool, about("whether moves may be taken back")] = False


class ProgressObject(Struct, frozen=True, kw_only=True):
    """All answers given in practice."""

    format: Annotated[str, about("`millebornes-practise/1`")]
    answers: Annotated[
        dict[Annotated[str, Meta(min_length=1, max_length=100)], tuple[_Answer, ...]],
        about(
            "by the id of the exercise: when it was answered (seconds since 1970), and whether the answer was right "
            "(1 or 0)"
        ),
    ]
