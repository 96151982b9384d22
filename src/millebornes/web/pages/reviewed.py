"""A reviewed hand on its page: each decision, and the whole of it, in the words of ``millebornes review``."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from millebornes.analysis.figures import (
    chance,
    loss_text,
    luck_text,
    result_text,
    signed_in_unit,
    unit_name,
    with_error,
)
from millebornes.analysis.page.decision import Setting, figures_of, heads_of, is_mistake, open_text
from millebornes.analysis.page.summary import courses
from millebornes.analysis.records import Decision, Grade, Review
from millebornes.analysis.words import MARKS, explain, grade_name, move_text
from millebornes.texts.participants import Participants
from millebornes.web.pages.wording import Words

__all__ = ["Judged", "Mistake", "Reviewed", "Row"]


class Row(NamedTuple):
    """A move that could have been made, with its figures."""

    move: str
    cells: tuple[str, ...]
    is_best: bool
    is_played: bool


class Judged(NamedTuple):
    """A decision: who made it, its ``grade`` (a name for styles) in words, what was played and what was best, and why.

    ``loss`` is empty where nothing was lost; ``why`` and ``rows`` are empty where there was one move only.
    """

    name: str
    grade: str
    verdict: str
    loss: str
    played: str
    best: str
    why: tuple[str, ...]
    chance: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[Row, ...]


class Mistake(NamedTuple):
    """A decision to learn from, and the step of the hand that shows it."""

    step: int
    name: str
    grade: str
    verdict: str
    loss: str
    moves: str


class Reviewed:
    """A review as pages show it to a viewer; ``plies`` are the plies of the hand that are steps of its page."""

    def __init__(
        self, review: Review, plies: Sequence[int], cast: Participants, viewer: int | None, words: Words
    ) -> None:
        self._setting = Setting(review, cast, words.theme, words.translate, viewer)
        self._review = review
        self._plies = plies

    def _step(self, decision: Decision) -> int:
        """The step that shows what was decided; who let a coup fourré go at the end shows with the last one."""
        return next((step for step, ply in enumerate(self._plies) if ply > decision.ply), len(self._plies) - 1)

    def _name(self, decision: Decision) -> str:
        return self._setting.seat(decision.seat)

    def _verdict(self, decision: Decision) -> str:
        _ = self._setting._
        if decision.forced:
            return _("the only move")
        return f"{grade_name(decision.grade, _)} {MARKS[decision.grade]}".rstrip()

    def _loss(self, decision: Decision) -> str:
        if decision.loss <= 0:
            return ""
        return with_error(-decision.loss, decision.stderr, self._setting.unit, self._setting._, is_signed=True)

    # ------------------------------------------------------------------ one step

    def judged(self, step: int) -> list[Judged]:
        """What was decided on the way to a step."""
        return [self._judged(decision) for decision in self._review.decisions if self._step(decision) == step]

    def _judged(self, decision: Decision) -> Judged:
        setting, analysis = self._setting, decision.analysis
        why: list[str] = []
        rows: list[Row] = []
        if analysis is not None:
            why = explain(analysis, setting.theme, setting._, setting.cast)
            opened = open_text(setting, decision)
            why += [opened] if opened else []
            rows = [
                Row(
                    move_text(analysis, known.move, setting.theme, setting._, setting.cast),
                    tuple(figures_of(setting, known, analysis)),
                    known.move == decision.best,
                    known.move == decision.move,
                )
                for known in analysis.moves
            ]
        return Judged(
            self._name(decision),
            decision.grade.value,
            self._verdict(decision),
            self._loss(decision),
            setting.move(decision),
            setting.move(decision, best=True),
            tuple(why),
            tuple(self._chance(decision)),
            tuple(heads_of(setting, analysis)) if analysis is not None else (),
            tuple(rows),
        )

    def _chance(self, decision: Decision) -> list[str]:
        """What chance has done, apart from what was decided."""
        setting, _ = self._setting, self._setting._
        rules = self._review.match.rules
        side = rules.side_of(decision.seat)
        name, told = setting.side(side), []
        if decision.win_match is not None:
            share = chance(decision.win_match[side], _, 1)
            told.append(
                _("With all cards known, {name}'s chance of winning the match was {chance}.").format(
                    chance=share, name=name
                )
            )
        if decision.luck is not None:
            luck = signed_in_unit(decision.luck[side], setting.unit, _)
            is_last = decision is self._review.decisions[-1]
            text = (
                _("Luck since the previous decision, and to the end: {luck} for {name}.")
                if is_last
                else _("Luck since the previous decision: {luck} for {name}.")
            )
            told.append(text.format(luck=luck, name=name))
        return told

    # ------------------------------------------------------------------ all of them

    def marks(self) -> dict[int, tuple[str, str, str]]:
        """By step the worst mistake on the way there: its grade, its sign and its words."""
        found: dict[int, Grade] = {}
        order = list(Grade)
        for decision in filter(is_mistake, self._review.decisions):
            step = self._step(decision)
            found[step] = max(found.get(step, decision.grade), decision.grade, key=order.index)
        return {step: (grade.value, MARKS[grade], grade_name(grade, self._setting._)) for step, grade in found.items()}

    def mistakes(self) -> list[Mistake]:
        """All decisions that are at least inaccuracies, in order."""
        setting = self._setting
        pattern = setting._("{played}; best: {best}")
        return [
            Mistake(
                self._step(decision),
                self._name(decision),
                decision.grade.value,
                self._verdict(decision),
                self._loss(decision),
                pattern.format(played=setting.move(decision), best=setting.move(decision, best=True)),
            )
            for decision in filter(is_mistake, self._review.decisions)
        ]

    def summary(self) -> dict[str, Any]:
        """How everybody played, what was luck, and the course of the hand."""
        setting, review, _ = self._setting, self._review, self._setting._
        seats = [
            (
                setting.seat(seat.seat),
                str(seat.decisions),
                with_error(seat.loss_per_decision, seat.loss_stderr, setting.unit, _),
                loss_text(seat.loss_total, setting.unit, _),
            )
            for seat in review.seats
        ]
        sides = [
            (
                setting.side(side.side),
                str(side.points),
                luck_text(side.luck, setting.unit, _, side.luck_stderr),
                result_text(side.adjusted, setting.unit, _),
            )
            for side in review.sides
        ]
        counts = [
            (setting.seat(seat.seat), *(str(seat.grades.get(grade, 0)) for grade in Grade)) for seat in review.seats
        ]
        return {
            "unit": _("Losses are given in: {unit}.").format(unit=unit_name(setting.unit, _)),
            "seats": ((_("player"), _("decisions"), _("loss per decision"), _("loss in all")), seats),
            "grades": ((_("player"), *(grade_name(grade, _) for grade in Grade)), counts),
            "sides": ((_("side"), _("points"), _("luck"), _("without luck")), sides),
            "courses": Markup("".join(courses(setting))),  # everything in them is escaped where they are made
            "mistakes": self.mistakes(),
        }
