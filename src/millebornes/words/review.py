"""A review in a form that is ready to show, with every sentence, table and plot. Each part is made when first used.

The page from ``millebornes review --html``, the pages of the web game and the report in a terminal only arrange these
parts.
"""

import dataclasses
import functools
from collections.abc import Callable
from typing import NamedTuple

from millebornes.analysis.curves import Curves, curves_of
from millebornes.analysis.match_review import Review
from millebornes.analysis.records import MISTAKES, Decision
from millebornes.cards import Card, sorted_cards
from millebornes.game import Action, Hand, Move, Phase, Tableau, View
from millebornes.i18n import Translator
from millebornes.schema.exercises import Grade, Objective
from millebornes.shown import distinct
from millebornes.words.editions import rules_title
from millebornes.words.figures import (
    chance,
    loss_text,
    luck_text,
    move_figures,
    rating_text,
    result_text,
    signed_in_unit,
    unit_name,
    with_error,
)
from millebornes.words.moves import describe_move
from millebornes.words.participants import Participants, levels_of, with_computer_names
from millebornes.words.reasons import MARKS, explain, grade_name
from millebornes.words.table import safeties_text
from millebornes.words.words import TableWords, Words


class ReviewTable(NamedTuple):
    """A table that has text in its first column and figures in the others."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class SeatFigures(NamedTuple):
    """How well a player decided, in words.

    ``counts`` lists each grade with its name and the number of decisions, and ``shares`` its class and its share.
    """

    seat: int
    side: int
    name: str
    rating: str
    loss_per_decision: str
    loss_total: str
    decisions: str
    counts: tuple[tuple[Grade, str, int], ...]

    @property
    def shares(self) -> list[tuple[str, float]]:
        """The share of each grade in all decisions, with the class of the grade."""
        whole = sum(count for _grade, _name, count in self.counts) or 1
        return [(f"g-{grade.value}", count / whole) for grade, _name, count in self.counts]


class _MoveRow(NamedTuple):
    """A legal move with its figures. ``place`` is the index of the move when all moves are sorted by their texts."""

    name: str
    cells: tuple[str, ...]
    is_best: bool
    is_played: bool
    place: int


def side_text(tableau: Tableau, words: Words) -> str:
    """Return a description of a side's cards on the table: its miles, the tops of its piles, and its safeties."""
    _, theme = words.translate, words.theme
    piles = {"battle": _("nothing") if tableau.battle is None else theme.name_of(tableau.battle)}
    if tableau.speed is not None:
        piles["speed"] = theme.name_of(tableau.speed)
    if tableau.safeties:
        piles["safety"] = safeties_text(tableau, theme)
    parts = [_("{head}: {text}").format(head=theme.pile(pile), text=text) for pile, text in piles.items()]
    return _.join([theme.miles(tableau.distance), *parts])


@dataclasses.dataclass(frozen=True, eq=False)
class ReviewModel:
    """A review in the reader's words. ``viewer`` is the reader's seat, or None if the reader didn't play."""

    review: Review
    words: TableWords
    viewer: int | None = None

    # ------------------------------------------------------------------ names

    @property
    def _(self) -> Translator:
        return self.words.translate

    @property
    def unit(self) -> str:
        """The value of the review's `Objective`."""
        return self.review.objective.value

    def seat(self, seat: int) -> str:
        """Return the name of the player in a seat, or ``You`` for the viewer."""
        return self.words.participants.seat(seat, self.viewer)

    def side(self, side: int) -> str:
        """Return the name of a side."""
        return self.words.participants.side(side, self.viewer)

    def is_reader(self, name: str) -> bool:
        """Return whether a name is ``You``, in which case the sentence addresses the reader."""
        return name == self._("You")

    def headed(self, head: str, text: object) -> str:
        """Return a heading and the text that follows it on the same line."""
        return self._("{head}: {text}").format(head=head, text=text)

    def place(self, hand: int, ply: int) -> str:
        """Return a description of a hand and a ply, such as a heading can use."""
        return self._("hand {hand}, move {ply}").format(hand=hand, ply=ply + 1)

    # ------------------------------------------------------------------ the whole review

    @property
    def title(self) -> str:
        """The title of the review, which names the players."""
        sides = range(self.review.match.rules.sides)
        names = (self.words.participants.side_with_levels(side, self.viewer) for side in sides)
        return self.headed(self._("Review"), " – ".join(names))

    @property
    def played_line(self) -> str:
        """A line about the reviewed game: its edition, its table, and the numbers of hands and decisions."""
        _, match = self._, self.review.match
        judged = sum(not decision.forced for decision in self.review.decisions)
        hands = len({decision.hand for decision in self.review.decisions})
        parts = [
            rules_title(
                match.rules, _, _("edition {edition}").format(edition=match.rules.edition_name or _("of your own"))
            ),
            _.plural("{n} hand", "{n} hands", hands).format(n=hands),
            _.plural("{n} decision judged", "{n} decisions judged", judged).format(n=judged),
        ]
        if match.match_target is not None:
            parts.insert(1, _("match to {points}").format(points=match.match_target))
        return ", ".join(parts)

    @property
    def unit_line(self) -> str:
        """A line that explains the unit of the losses."""
        return self._("Losses are measured by {unit}.").format(unit=unit_name(self.unit, self._))

    @functools.cached_property
    def seats(self) -> tuple[SeatFigures, ...]:
        """How well the player in each seat decided."""
        _ = self._
        return tuple(
            SeatFigures(
                seat.seat,
                self.review.match.rules.side_of(seat.seat),
                self.seat(seat.seat),
                rating_text(seat.rating, seat.rating_ci95, _),
                with_error(seat.loss_per_decision, seat.loss_stderr, self.unit, _),
                loss_text(seat.loss_total, self.unit, _),
                str(seat.decisions),
                tuple((grade, grade_name(grade, _), seat.grades.get(grade, 0)) for grade in Grade),
            )
            for seat in self.review.seats
        )

    def seat_table(self, *, rated: bool = True) -> ReviewTable:
        """Return a table that shows how well each player decided.

        The table contains ratings only if ``rated`` is true. A single hand is too short for a rating.
        """
        _ = self._
        heads = (_("player"), _("decisions"), _("loss per decision"), _("total loss"), _("rating"))
        rows = [
            (seat.name, seat.decisions, seat.loss_per_decision, seat.loss_total, seat.rating) for seat in self.seats
        ]
        return ReviewTable(heads, tuple(rows)) if rated else ReviewTable(heads[:-1], tuple(row[:-1] for row in rows))

    @property
    def grade_table(self) -> ReviewTable:
        """A table with the number of each player's decisions by grade."""
        heads = (self._("player"), *(grade_name(grade, self._) for grade in Grade))
        return ReviewTable(heads, tuple((s.name, *(str(count) for _g, _n, count in s.counts)) for s in self.seats))

    @property
    def side_table(self) -> ReviewTable:
        """A table with each side's points, luck, and result without luck."""
        _ = self._
        rows = (
            (
                self.side(side.side),
                str(side.points),
                luck_text(side.luck, self.unit, _, side.luck_stderr),
                result_text(side.adjusted, self.unit, _),
            )
            for side in self.review.sides
        )
        return ReviewTable((_("side"), _("points"), _("luck"), _("without luck")), tuple(rows))

    @functools.cached_property
    def decisions(self) -> "tuple[DecisionModel, ...]":
        """All decisions in the order of play."""
        return tuple(DecisionModel(self, decision) for decision in self.review.decisions)

    @property
    def mistakes(self) -> "list[DecisionModel]":
        """The decisions that the players can learn from."""
        return [decision for decision in self.decisions if decision.is_mistake]

    @property
    def no_mistakes(self) -> str:
        """The sentence in place of an empty list of mistakes."""
        return self._("No clear mistakes. Well played!")

    def worst(self, seat: int, count: int) -> "list[DecisionModel]":
        """Return the decisions that cost a seat most."""
        return [DecisionModel(self, decision) for decision in self.review.worst(seat, count)]

    @property
    def turning_points(self) -> list[str]:
        """The decisions that changed the chances most."""
        text = self._("{place}: {swing} for {name}")
        return [
            text.format(
                place=self.place(point.hand, point.ply),
                swing=signed_in_unit(point.swing, self.unit, self._),
                name=self.words.participants.side(0),
            )
            for point in self.review.turning_points
        ]

    # ------------------------------------------------------------------ the course of the match

    @functools.cached_property
    def curves(self) -> Curves:
        """The chances and the luck as series of figures over the decisions."""
        return curves_of(self.review)

    def course_title(self, *, of_chances: bool) -> str:
        """Return the title for a plot of the chances or of the luck."""
        return self._("Chance of winning the match") if of_chances else self._("Luck so far")

    def in_words(self, series: list[list[float]], said: Callable[[float], str]) -> str:
        """Return the figures at the start of each hand and at the end, for people who can't see the plot."""
        figures_of_sides = []
        for side, values in enumerate(series[:1] if len(series) == 2 else series):
            figures = ", ".join(said(values[place]) for place in (*self.curves.hands, len(values) - 1))
            figures_of_sides.append(self.headed(self.side(side), figures))
        return self._("At the start of each hand, and at the end: {figures}.").format(
            figures=self._.join(figures_of_sides)
        )


class DecisionModel:
    """A decision with the table as the player saw it, the verdict, the figures for all moves, and the reasons."""

    def __init__(self, model: ReviewModel, decision: Decision) -> None:
        self.model = model
        self.decision = decision
        self.seat = decision.seat
        self.forced = decision.forced
        self.grade = decision.grade.value
        self.mark = MARKS[decision.grade]
        self.grade_name = grade_name(decision.grade, model._)
        self.is_mistake = decision.grade in MISTAKES
        """Whether the player can learn from this decision."""
        self.is_best = decision.move == decision.best

    @property
    def anchor(self) -> str:
        """The id of the decision within a web address."""
        return f"m{self.decision.hand}-{self.decision.ply + 1}"

    @property
    def name(self) -> str:
        """The name of the player who decided."""
        return self.model.seat(self.seat)

    @property
    def place(self) -> str:
        """The hand and the ply, in words."""
        return self.model.place(self.decision.hand, self.decision.ply)

    @property
    def heading(self) -> str:
        """A heading with the hand, the ply and the player."""
        text = f"{self.place} · {self.name}"
        return text[0].upper() + text[1:]

    # ------------------------------------------------------------------ the verdict

    @property
    def verdict(self) -> str:
        """The grade, with the symbol that chess annotators use."""
        return self.model._("the only move") if self.forced else f"{self.grade_name} {self.mark}".rstrip()

    @property
    def loss(self) -> str:
        """The loss with a minus sign, or "" if there is none."""
        decision, model = self.decision, self.model
        if decision.loss <= 0:
            return ""
        return with_error(-decision.loss, decision.stderr, model.unit, model._, is_signed=True)

    def _words(self, move: Move) -> str:
        return describe_move(move, self.seat, self.model.words)

    @property
    def played(self) -> str:
        """The move that was made."""
        return self._words(self.decision.move)

    @property
    def best(self) -> str:
        """The best move in this situation."""
        return self._words(self.decision.best)

    @property
    def moves(self) -> str:
        """A line with the move that was made and the best move."""
        return self.model._("{played}; best: {best}").format(played=self.played, best=self.best)

    @property
    def verdict_lines(self) -> list[tuple[str, str]]:
        """The move that was made and the best move, with their classes. A forced move has none."""
        _, headed = self.model._, self.model.headed
        if self.decision.analysis is None:
            return [("", headed(_("played"), self.played))]
        if self.is_best:
            return [("best", headed(_("played and best"), self.played))]
        return [("played", headed(_("played"), self.played)), ("best", headed(_("best"), self.best))]

    @property
    def why(self) -> list[str]:
        """The reasons for the best move."""
        model, analysis = self.model, self.decision.analysis
        return [] if analysis is None else explain(analysis, model.words)

    @property
    def opened(self) -> str:
        """The verdict on the move if all cards had been open, or "" if that was the best move."""
        _, open_loss = self.model._, self.decision.open_loss
        if open_loss is None or self.is_best or self.decision.analysis is None:
            return ""
        text = (
            _("With all cards known, the move played was {loss} worse than the one judged best.")
            if open_loss >= 0
            else _("With all cards known, the move played was {loss} better than the one judged best.")
        )
        return text.format(loss=loss_text(abs(open_loss), self.model.unit, _))

    @property
    def chance(self) -> list[str]:
        """A sentence about the part that luck played, apart from the decision."""
        decision, model, _ = self.decision, self.model, self.model._
        side = model.review.match.rules.side_of(self.seat)
        name, sentences = model.side(side), []
        is_you = model.is_reader(name)
        if decision.win_match is not None:
            text = (
                _("With all cards known, your chance of winning the match was {chance}.")
                if is_you
                else _("With all cards known, {name}'s chance of winning the match was {chance}.")
            )
            sentences.append(text.format(chance=chance(decision.win_match[side], _, 1), name=name))
        if decision is not model.review.decisions[-1]:
            text = (
                _("Luck since the previous decision: {luck} for you.")
                if is_you
                else _("Luck since the previous decision: {luck} for {name}.")
            )
        elif is_you:
            text = _("Luck since the previous decision and up to the end: {luck} for you.")
        else:
            text = _("Luck since the previous decision and up to the end: {luck} for {name}.")
        return [*sentences, text.format(luck=signed_in_unit(decision.luck[side], model.unit, _), name=name)]

    # ------------------------------------------------------------------ the moves

    @property
    def question(self) -> str:
        """The question that the player had to answer."""
        _, phase = self.model._, self.view.phase
        if phase in {Phase.COUP, Phase.OPENING}:
            return _("You can call a coup fourré. What would you do?")
        if phase is Phase.EXTEND:
            return _("You've reached the goal. Would you extend the trip?")
        return _("What would you play?")

    @property
    def heads(self) -> list[str]:
        """The headings above the table of moves."""
        _, is_match = self.model._, self.model.review.objective is Objective.MATCH
        return [_("move"), _("loss"), _("lead"), _("wins hand")] + ([_("wins match")] if is_match else [])

    @functools.cached_property
    def rows(self) -> list[_MoveRow]:
        """All legal moves with the best first, or none if only one move was legal."""
        decision, analysis = self.decision, self.decision.analysis
        if analysis is None:
            return []
        order = sorted(known.move.text for known in analysis.moves)
        return [
            _MoveRow(
                self._words(known.move),
                tuple(move_figures(known, self.model.unit, self.model._)),
                known.move == decision.best,
                known.move == decision.move,
                order.index(known.move.text),
            )
            for known in analysis.moves
        ]

    # ------------------------------------------------------------------ the table

    @functools.cached_property
    def hand(self) -> Hand:
        """The hand at the moment of the decision."""
        return self.model.review.match.hands[self.decision.hand - 1].at(self.decision.ply)

    @functools.cached_property
    def view(self) -> View:
        """The table as the player saw it."""
        return self.model.review.match.at(self.decision.hand, self.decision.ply).view(self.seat)

    @property
    def before(self) -> list[str]:
        """The other players' moves since this player's last decision, in order.

        As at the table, they don't include passes (R5.5).
        """
        model, found, now = self.model, list[str](), self.hand
        while (before := now.parent) is not None and now.move is not None and before.seat != self.seat:
            if now.move.action is not Action.PASS and before.seat is not None:
                found.append(model.headed(model.words.participants.seat(before.seat, self.seat), self._words(now.move)))
            now = before
        return found[::-1]

    def cards(self, cards: tuple[Card, ...]) -> str:
        """Return cards in words, sorted by kind."""
        names = [self.model.words.theme.name_of(card) for card in sorted_cards(cards)]
        return ", ".join(names) if names else self.model._("no cards")


def words_for(review: Review, words: Words) -> TableWords:
    """Return words with the players' names. Unnamed seats are numbered, and equal names made different."""
    rules, _ = review.match.rules, words.translate
    names = review.players or tuple(_("Seat {number}").format(number=seat + 1) for seat in range(rules.seats))
    levels = levels_of(names)
    return words.at(Participants(rules, distinct(with_computer_names(names, levels)), [False] * rules.seats, _, levels))
