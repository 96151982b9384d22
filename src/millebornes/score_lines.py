"""R7: the lines of the score sheet, as data.

`ScoreLines` is the table: each attribute is a line, with its points, label and explanations. Programs write the lines
in the order of the attributes. `millebornes.rules.clauses.scoring` counts the things that each line rewards.
"""

import dataclasses
import enum
from typing import Any, Final, NamedTuple

__all__ = ["SCORE_LINES", "SCORE_SHEET", "Reasons", "ScoreLine", "ScoreLines", "Topic"]


class Reasons(NamedTuple):
    """The sentences that explain in reviews and hints how a move affects a line. They can be passed to a translator."""

    own: str
    """For a review, about "you", the side that decides. ``{best}`` and ``{other}`` are the two moves' figures."""
    others: tuple[str, str]
    """For a review, about the other sides: one sentence for a single rival and one for several."""
    more: str
    """For a hint, if the side that decides gets more."""
    less: str
    """For a hint, if the side that decides gets less."""
    rival_more: str | tuple[str, str]
    """For a hint, if ``{rival}`` gets more. A pair contains one sentence for a single rival and one for several."""
    rival_less: str | tuple[str, str]
    """For a hint, if ``{rival}`` gets less."""


class ScoreLine(NamedTuple):
    """R7: a line of the score sheet, with its points for each thing that it counts."""

    name: str
    per: str
    """The thing that the line counts."""
    label: str
    """Its label on the sheet. It is a key for translators."""
    reasons: Reasons
    points: int = 0
    setting: str = ""
    """The setting (R9) that can replace the points."""
    decimals: int | None = None
    """The decimals with which a sentence shows the line's average, or None if it shows a percentage instead."""

    @property
    def meaning(self) -> str:
        """The meaning of the points, as shown in the documentation of the formats."""
        return f"a point for {self.per}" if self.points == 1 else f"for {self.per}"


def _line(label: str, per: str, reasons: Reasons, **facts: Any) -> Any:
    """Return an attribute of `ScoreLines` with all facts about the line. The name comes from the attribute."""
    return dataclasses.field(default=0, metadata={"label": label, "per": per, "reasons": reasons, **facts})


@dataclasses.dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)  # see `Scoresheet`
class ScoreLines:
    """R7: the score sheet of one side for one hand, in points."""

    distance: int = _line(
        "Distance Driven",
        "each mile",
        Reasons(
            own="drive {best} miles on average, not {other}",
            others=(
                "your rival drives {best} miles on average, not {other}",
                "the others drive {best} miles on average, not {other}",
            ),
            more="you drive further",
            less="you don't drive as far",
            rival_more=("{rival} drives further", "{rival} drive further"),
            rival_less=("{rival} doesn't drive as far", "{rival} don't drive as far"),
        ),
        points=1,
        decimals=0,
    )
    """One point for each mile."""
    safeties: int = _line(
        "Each Safety",
        "each safety on the table",
        Reasons(
            own="play {best} safeties on average, not {other}",
            others=(
                "your rival plays {best} safeties on average, not {other}",
                "the others play {best} safeties on average, not {other}",
            ),
            more="you play more safeties",
            less="you play fewer safeties",
            rival_more=("{rival} plays more safeties", "{rival} play more safeties"),
            rival_less=("{rival} plays fewer safeties", "{rival} play fewer safeties"),
        ),
        points=100,
        decimals=2,
    )
    """Points for each safety on the table."""
    all_safeties: int = _line(
        "All 4 Safeties",
        "all four safeties",
        Reasons(
            own="get all four safeties in {best} of simulations rather than {other}",
            others=(
                "your rival gets all four safeties in {best} of simulations rather than {other}",
                "the others get all four safeties in {best} of simulations rather than {other}",
            ),
            more="you're more likely to get all four safeties",
            less="you're less likely to get all four safeties",
            rival_more=(
                "{rival} is more likely to get all four safeties",
                "{rival} are more likely to get all four safeties",
            ),
            rival_less=(
                "{rival} is less likely to get all four safeties",
                "{rival} are less likely to get all four safeties",
            ),
        ),
        setting="all_safeties_bonus",
    )
    """Points for having all four safeties on the table."""
    coups_fourres: int = _line(
        "Each Coup Fourré",
        "each coup fourré",
        Reasons(
            own="call {best} coups fourrés on average, not {other}",
            others=(
                "your rival calls {best} coups fourrés on average, not {other}",
                "the others call {best} coups fourrés on average, not {other}",
            ),
            more="you're more likely to call a coup fourré",
            less="you're less likely to call a coup fourré",
            rival_more=("{rival} calls more coups fourrés", "{rival} call more coups fourrés"),
            rival_less=("{rival} calls fewer coups fourrés", "{rival} call fewer coups fourrés"),
        ),
        points=300,
        decimals=2,
    )
    """Points for each coup fourré."""
    trip_completed: int = _line(
        "Trip Completed",
        "reaching the goal in force",
        Reasons(
            own="complete the trip in {best} of simulations rather than {other}",
            others=(
                "your rival completes the trip in {best} of simulations rather than {other}",
                "the others complete the trip in {best} of simulations rather than {other}",
            ),
            more="you're more likely to complete the trip",
            less="you're less likely to complete the trip",
            rival_more=("{rival} is more likely to complete the trip", "{rival} are more likely to complete the trip"),
            rival_less=("{rival} is less likely to complete the trip", "{rival} are less likely to complete the trip"),
        ),
        points=400,
    )
    """Points for reaching the goal in force."""
    delayed_action: int = _line(
        "Delayed Action",
        "reaching it with the draw pile empty",
        Reasons(
            own="complete the trip after the draw pile has run out in {best} of simulations rather than {other}",
            others=(
                "your rival completes the trip after the draw pile has run out in {best} of simulations rather than "
                "{other}",
                "the others complete the trip after the draw pile has run out in {best} of simulations rather than "
                "{other}",
            ),
            more="you're more likely to arrive after the draw pile runs out",
            less="you're less likely to arrive after the draw pile runs out",
            rival_more=(
                "{rival} is more likely to arrive after the draw pile runs out",
                "{rival} are more likely to arrive after the draw pile runs out",
            ),
            rival_less=(
                "{rival} is less likely to arrive after the draw pile runs out",
                "{rival} are less likely to arrive after the draw pile runs out",
            ),
        ),
        points=300,
    )
    """Points for completing the trip after the draw pile has run out."""
    safe_trip: int = _line(
        "Safe Trip",
        "reaching it without a 200",
        Reasons(
            own="complete the trip without 200s in {best} of simulations rather than {other}",
            others=(
                "your rival completes the trip without 200s in {best} of simulations rather than {other}",
                "the others complete the trip without 200s in {best} of simulations rather than {other}",
            ),
            more="you're more likely to arrive without playing a 200",
            less="you're less likely to arrive without playing a 200",
            rival_more=(
                "{rival} is more likely to arrive without playing a 200",
                "{rival} are more likely to arrive without playing a 200",
            ),
            rival_less=(
                "{rival} is less likely to arrive without playing a 200",
                "{rival} are less likely to arrive without playing a 200",
            ),
        ),
        points=300,
    )
    """Points for completing the trip without a 200."""
    extension: int = _line(
        "Extension",
        "reaching it in an extended hand",
        Reasons(
            own="complete an extended trip in {best} of simulations rather than {other}",
            others=(
                "your rival completes an extended trip in {best} of simulations rather than {other}",
                "the others complete an extended trip in {best} of simulations rather than {other}",
            ),
            more="you're more likely to complete the longer trip",
            less="you're less likely to complete the longer trip",
            rival_more=(
                "{rival} is more likely to complete the longer trip",
                "{rival} are more likely to complete the longer trip",
            ),
            rival_less=(
                "{rival} is less likely to complete the longer trip",
                "{rival} are less likely to complete the longer trip",
            ),
        ),
        points=200,
    )
    """Points for completing the trip in an extended hand."""
    shut_out: int = _line(
        "Shut-Out",
        "each opposing side without a mile by then",
        Reasons(
            own="shut others out in {best} of simulations rather than {other}",
            others=(
                "your rival shuts a side out in {best} of simulations rather than {other}",
                "the others shut a side out in {best} of simulations rather than {other}",
            ),
            more="you're more likely to shut {rival} out",
            less="you're less likely to shut {rival} out",
            rival_more="you're more likely to be shut out",
            rival_less="you're less likely to be shut out",
        ),
        points=500,
    )
    """Points for each opposing side that has driven no miles when the trip is completed."""


class Topic(enum.Enum):
    """The kinds of consequences in which two moves can differ. The first nine are the lines of the score sheet (R7)."""

    # Type checkers need the members written out. tests/test_score_lines.py compares them with the table.
    DISTANCE = "distance"
    SAFETIES = "safeties"
    ALL_SAFETIES = "all_safeties"
    COUPS_FOURRES = "coups_fourres"
    TRIP_COMPLETED = "trip_completed"
    DELAYED_ACTION = "delayed_action"
    SAFE_TRIP = "safe_trip"
    EXTENSION = "extension"
    SHUT_OUT = "shut_out"
    LATER = "later"
    """The chance to win the match, as far as it goes beyond the points of this hand."""


SCORE_SHEET: Final = tuple(ScoreLine(name=line.name, **line.metadata) for line in dataclasses.fields(ScoreLines))
"""The lines of the score sheet, in the order in which programs write them."""

SCORE_LINES: Final = tuple(line.name for line in SCORE_SHEET)
"""The names of the lines."""
