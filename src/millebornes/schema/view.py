"""The objects VIEW, with everything that a seat can see of a hand, and SIDE, with the tableau of a side."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from millebornes.cards import Card
from millebornes.schema.fields import MAX_CARDS, MAX_NUMBER, MAX_POINTS, CardCounts, Seat, Side, about

PhaseName = Literal["play", "coup", "opening", "extend", "over"]
SpeedName = Literal["speed_limit", "end_of_limit"]


class SideObject(Struct, frozen=True, kw_only=True):
    """The tableau of a side, as every player at the table sees it."""

    battle: Annotated[
        Card | None, about('the visible top of the battle pile, or `null`; a 200 played as a roll shows as `"200"`')
    ]
    speed: Annotated[SpeedName | None, about('`"speed_limit"`, `"end_of_limit"` or `null`')]
    distance: Annotated[int, about("the miles travelled")]
    cards: Annotated[CardCounts, about("the number of distance cards of each kind")]
    safeties: Annotated[tuple[Card, ...], about("the safeties on the table, including coups fourrés")]
    coups_fourres: Annotated[tuple[Card, ...], about("the safeties that were played as a coup fourré")]
    moving: Annotated[bool, about("whether the side is moving (R3.3)")]
    under: Annotated[Card | None, about("the hazard that stops the side (R3.1), or `null`")]
    limited: Annotated[bool, about("whether the side has a speed limit (R3.2)")]


class PendingObject(Struct, frozen=True, kw_only=True):
    """A hazard that can still be answered with a coup fourré."""

    hazard: Annotated[Card, about("the hazard")]
    side: Annotated[Side, about("the side that it was played on")]
    by: Annotated[Seat, about("the seat that attacked")]


class ViewObject(Struct, frozen=True, kw_only=True):
    """Everything that the player of a seat could see at a real table, and nothing else."""

    seat: Annotated[Seat, about("the seat whose view it is")]
    phase: Annotated[PhaseName, about("what is being decided")]
    goal: Annotated[int, about("the goal in force")]
    extended: Annotated[bool, about("whether the extension was called")]
    hand: Annotated[tuple[Card, ...], about("the seat's own cards, sorted")]
    hand_sizes: Annotated[tuple[Annotated[int, Meta(ge=0, le=7)], ...], about("how many cards each seat holds")]
    draw_pile: Annotated[int, Meta(ge=0, le=MAX_CARDS), about("how many cards are left to draw")]
    sides: Annotated[tuple[SideObject, ...], about("a SIDE for each side, as in the replay")]
    discard_top: Annotated[Card | None, about("the latest discard, or `null`")]
    discards: Annotated[
        CardCounts,
        about("`{card: count}` of all discards, including the hazards that R4.6, R4.10 and R5.2 sent there"),
    ]
    played: Annotated[
        CardCounts | UnsetType,
        about(
            "`{card: count}` of all cards on the table, including covered ones; absent if the host does not know them"
        ),
    ] = UNSET
    first: Annotated[Seat, about("the seat that goes first in this hand")]
    totals: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=MAX_POINTS)], ...], about("the points of each side in the match so far")
    ]
    pending: Annotated[
        PendingObject | None,
        about(
            '`{"hazard":"stop","side":0,"by":1}` while a coup fourré can be called; `by` is the seat that attacked. '
            "Otherwise `null`, including in the phase `opening`",
            "null or an object with hazard, side and by",
        ),
    ]
    hand_number: Annotated[int, Meta(ge=1, le=MAX_NUMBER), about("the number of the hand in its match, from 1")]
    match_target: Annotated[int | None, about("the points that end the match; `null` for single hands")]
