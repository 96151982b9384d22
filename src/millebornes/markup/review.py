"""The plots of a review and the tables of its decisions, as its pages draw them."""

from types import SimpleNamespace
from typing import Any, NamedTuple

from markupsafe import Markup

from millebornes.cards import Card, sorted_cards
from millebornes.markup.board import ShownHand, board_of
from millebornes.markup.plots import Axis, Dot, plot
from millebornes.words.figures import chance, luck_text
from millebornes.words.review import DecisionModel, ReviewModel


class _Course(NamedTuple):
    title: str
    sides: tuple[tuple[int, str], ...]
    drawn: Markup


def review_context(model: ReviewModel) -> dict[str, Any]:
    """Return what the template ``review.html`` needs to show a review."""
    return {"m": model, "courses_of": courses_of, "board_at": board_at, "hands_at": hands_at}


def courses_of(model: ReviewModel) -> list[_Course]:
    """Return the plots of the chances to win the match, if these are known, and of the luck so far."""
    count = len(model.curves.luck)
    sides = tuple((side, model.side(side)) for side in range(1 if count == 2 else count))
    drawn = {True: _chances(model)} if model.curves.chances else {}
    drawn[False] = _luck(model)
    return [_Course(model.course_title(of_chances=known), sides, text) for known, text in drawn.items()]


def _chances(model: ReviewModel) -> Markup:
    _, found = model._, model.curves
    labels = tuple((value, chance(value, _)) for value in (0.0, 0.5, 1.0))
    rules = model.review.match.rules
    dots = [
        Dot(
            0 if rules.sides == 2 else rules.side_of(decision.seat),  # of two sides, only the first one is drawn
            place,
            f"g-{decision.grade}",
            f"{decision.place}, {decision.name}: {decision.played}",
        )
        for place, decision in enumerate(model.decisions)
        if decision.is_mistake
    ]
    dots += [Dot(0, place, "turn", model.decisions[place].place) for place in found.turns]
    label = model.in_words(found.chances, lambda value: chance(value, _))
    return plot(found.chances, Axis(0.0, 1.0, labels), label, found.hands, dots)


def _luck(model: ReviewModel) -> Markup:
    _, unit, found = model._, model.unit, model.curves
    most = max(max(map(abs, values)) for values in found.luck) or 1.0
    labels = tuple((value, luck_text(value, unit, _)) for value in (-most, 0.0, most))
    label = model.in_words(found.luck, lambda value: luck_text(value, unit, _))
    return plot(found.luck, Axis(-1.08 * most, 1.08 * most, labels), label, found.hands, names_hands=False)


def board_at(decision: DecisionModel) -> SimpleNamespace:
    """Return the table as the player saw it, in the form of `board_of`."""
    model = decision.model
    return board_of(decision.view, model.viewer, {decision.seat}, model.words)


def hands_at(judged: DecisionModel) -> list[ShownHand]:
    """Return the cards of all players, the player's own first. A mark shows the best move and the move made."""
    decision, model, left = judged.decision, judged.model, dict[Card | None, str]()
    if not judged.forced:
        left = {decision.move.card: "played", decision.best.card: "best"}
    own = tuple((card, left.pop(card, "")) for card in sorted_cards(judged.view.hand))
    others = [seat for seat in range(model.review.match.rules.seats) if seat != judged.seat]
    return [ShownHand(judged.name, own)] + [
        ShownHand(model.seat(seat), tuple((card, "") for card in sorted_cards(judged.hand.cards(seat))), False)
        for seat in others
    ]
