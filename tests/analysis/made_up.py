"""Reviews with made-up figures, for what shows them: a match played by chance, and figures by the same chance."""

import dataclasses
import random

from millebornes.analysis.match_review import Review
from millebornes.analysis.records import (
    Analysis,
    Decision,
    MoveDifference,
    MoveEstimate,
    SeatReview,
    SideReview,
    TurningPoint,
    rivals_of,
)
from millebornes.editions import Rules, make_rules
from millebornes.game import InformationState, Match, Move
from millebornes.policies.maxim_catalogue import MAXIMS
from millebornes.schema.exercises import Grade, Objective
from millebornes.score_lines import Topic


def difference(rng: random.Random, topic: Topic, is_own: bool = True) -> MoveDifference:
    """A difference whose figures go together."""
    points = rng.choice([-1, 1, 1, 1]) * rng.uniform(8, 90)
    if topic is Topic.DISTANCE:
        best = rng.uniform(200, 700)
        other = best - points if is_own else best + points
        turns = rng.uniform(1, 4)
        held = (turns, turns + (0.9 if best > other else -0.9))
        return MoveDifference(
            topic, is_own, points, 2.0, best, other, rng.choice([held, None]), rng.choice([(1, 2), None])
        )
    if topic in {Topic.SAFETIES, Topic.COUPS_FOURRES}:
        worth = 100 if topic is Topic.SAFETIES else 300
        return MoveDifference(topic, is_own, points, 2.0, 1 + points / worth, 1.0)
    if topic is Topic.LATER:
        return MoveDifference(topic, is_own, points, 2.0, 0.6, 0.57)
    return MoveDifference(topic, is_own, points, 2.0, 0.4 + points / 400, 0.4)


def analysis(rng: random.Random, state: InformationState, legal: list[Move], objective: Objective) -> Analysis:
    """Figures for all legal moves, in a random order."""
    moves = list(legal)
    rng.shuffle(moves)
    top, values, loss = rng.uniform(-300, 300), [], 0.0
    in_match = objective is Objective.MATCH
    for place, move in enumerate(moves):
        if place:
            loss += rng.expovariate(1 / 15)
        win = min(max(0.5 + (top - loss) / 800, 0.01), 0.99)
        values.append(
            MoveEstimate(
                move,
                top - loss,
                rng.uniform(2, 5),
                win,
                win if in_match else None,
                loss / 800 if in_match else loss,
                2.5 / 800 if in_match else 2.5,
                400,
            )
        )
    topics = rng.sample(list(Topic), 4)
    why = tuple(difference(rng, topic, rng.random() < 0.7) for topic in topics)
    maxim = rng.choice([None, *MAXIMS])
    proven = rng.random() < 0.05
    return Analysis(
        rivals=rivals_of(state.rules),
        state=state,
        objective=objective,
        moves=tuple(values),
        why=why,
        maxim=maxim,
        is_proven=proven,
        rollouts=4000,
    )


def grade_of(loss: float) -> Grade:
    """A grade for a loss in points."""
    bounds = ((0, Grade.BEST), (15, Grade.FINE), (30, Grade.INACCURACY), (60, Grade.MISTAKE))
    return next((grade for bound, grade in bounds if loss <= bound), Grade.BLUNDER)


def decide(rng: random.Random, match: Match, objective: Objective) -> Decision:
    """The decision of a position, and what is said of it."""
    hand = match.hand
    assert hand.seat is not None
    legal = list(hand.legal_moves)
    in_match = objective is Objective.MATCH
    sides = match.rules.sides
    luck = [rng.gauss(0, 0.02 if in_match else 20) for _ in range(sides - 1)]
    shares = [total + 400 + 40 * sheet for total, sheet in zip(match.before.totals, range(sides), strict=True)]
    shares = [share + tableau.distance for share, tableau in zip(shares, hand.tableaux, strict=True)]
    told = tuple(share / sum(shares) for share in shares) if in_match else None
    found = None
    if len(legal) > 1:
        found = analysis(rng, InformationState.of_match(match, hand.seat), legal, objective)
    plays = [move for move in legal if not move.text.startswith("-")]
    move = rng.choice(plays or legal)
    loss = stderr = 0.0
    if found is not None:
        if rng.random() < 0.7 and found.best in (plays or legal):
            move = found.best
        known = next(known for known in found.moves if known.move == move)
        loss, stderr = known.loss, known.loss_stderr
        if move != found.best:
            found = dataclasses.replace(found, against=move)
    return Decision(
        hand=match.hand_number,
        ply=hand.ply,
        seat=hand.seat,
        phase=hand.phase.name.lower(),
        move=move,
        best=move if found is None else found.best,
        loss=loss,
        stderr=stderr,
        grade=grade_of(loss * (800 if in_match else 1)),
        forced=found is None,
        win_match=told,
        luck=(*luck, -sum(luck)),
        open_loss=loss * 1.5,
        analysis=found,
    )


def review(
    seed: str = "1",
    objective: Objective = Objective.MATCH,
    rules: Rules | None = None,
    players: tuple[str, ...] = ("Ann", "Bo"),
    hands: int = 2,
    match_target: int | None = 5000,
) -> Review:
    """A review of so many hands, or of fewer where the match ends before."""
    rng = random.Random(f"review {seed}")
    rules = make_rules() if rules is None else rules
    match = Match.start(rules, seed=seed, players=players, match_target=match_target)
    decisions: list[Decision] = []
    while True:
        while not match.hand.is_over:
            decisions.append(decide(rng, match, objective))
            match = match.play(decisions[-1].move)
        if match.is_over or match.hand_number == hands:
            break
        match = match.next_hand()
    return Review(
        match=match,
        players=players,
        objective=objective,
        decisions=tuple(decisions),
        seats=tuple(seat_review(seat, players, decisions) for seat in range(rules.seats)),
        sides=side_reviews(rng, match, objective),
        turning_points=tuple(
            TurningPoint(found.hand, found.ply, rng.uniform(-0.3, 0.3))
            for found in sorted(rng.sample(decisions, 3), key=lambda found: (found.hand, found.ply))
        ),
        rollouts=123_456,
        seconds=12.5,
    )


def seat_review(seat: int, players: tuple[str, ...], decisions: list[Decision]) -> SeatReview:
    """The sums of a seat."""
    own = [found for found in decisions if found.seat == seat and not found.forced]
    losses = [found.loss for found in own]
    return SeatReview(
        seat=seat,
        name=players[seat] if players else "",
        decisions=len(own),
        loss_total=sum(losses),
        loss_per_decision=sum(losses) / max(len(own), 1),
        loss_stderr=0.001,
        grades={grade: sum(found.grade is grade for found in own) for grade in Grade},
        rating=None if seat == 1 else 1510.4,
        rating_ci95=None if seat == 1 else (1420.0, 1600.0),
    )


def side_reviews(rng: random.Random, match: Match, objective: Objective) -> tuple[SideReview, ...]:
    """Luck that adds up to zero."""
    sides = match.rules.sides
    unit = 0.1 if objective is Objective.MATCH else 100
    luck = [rng.gauss(0, unit) for _ in range(sides - 1)]
    luck.append(-sum(luck))
    return tuple(
        SideReview(side=side, points=match.totals[side], luck=luck[side], luck_stderr=unit / 10, adjusted=0.5 * unit)
        for side in range(sides)
    )
