"""Convert a view into the features that policies read."""

from millebornes.cards import Card
from millebornes.game.match import Standing
from millebornes.game.view import View
from millebornes.policies.features import Features, SideFeatures
from millebornes.policies.heuristic import threat
from millebornes.rules.clauses import may_others_answer, targets_in_reach
from millebornes.rules.engine import engine_for
from millebornes.rules.state import Phase


def features_of(view: View) -> Features:
    """Return the features of a view as integers."""
    rules = view.rules
    hand = [0] * len(Card)
    for card in view.hand:
        hand[card.index] += 1
    totals = view.totals or (0,) * rules.sides
    features = Features(
        hand=hand,
        unseen=list(view.unseen.values()),
        sides=[_side(view, n) for n in range(rules.sides)],
        threats=[0] * rules.sides,
        goal=view.goal // 25,
        extended_goal=0 if view.extended or rules.extension_goal is None else rules.extension_goal // 25,
        draw_pile=view.draw_pile,
        seats_a_side=rules.seats // rules.sides,
        side_count=rules.sides,
        targets=targets_in_reach(rules),
        anyone=int(may_others_answer(rules)),
        gives_roll=int(rules.safety_gives_roll),
        wins=int(view.phase is Phase.EXTEND and _wins_by_finishing(view)),
        own_total=totals[view.side],
        other_total=max(total for side, total in enumerate(totals) if side != view.side),
        match_target=view.match_target or 0,
    )
    for n in range(1, rules.sides):
        features.threats[n] = threat(n, features)
    return features


def _side(view: View, n: int) -> SideFeatures:
    side = (view.side + n) % view.rules.sides
    tableau = view.tableaux[side]
    under = tableau.under
    return SideFeatures(
        distance=tableau.distance // 25,
        two_hundreds=tableau.distance_cards[Card.D200],
        moving=int(tableau.is_moving),
        under=-1 if under is None else under.index,
        limited=int(tableau.is_limited),
        safeties=sum(1 << safety.index - Card.DRIVING_ACE.index for safety in tableau.safeties),
        cards=sum(view.hand_sizes[seat] for seat in view.rules.seats_of(side)) - len(view.hand) * (n == 0),
    )


def _wins_by_finishing(view: View) -> bool:
    """Return whether the viewer's side wins the match if it now completes the trip and the hand ends (R7, R8)."""
    engine = engine_for(view.rules)
    state = engine.pack(
        side=[tableau.word for tableau in view.tableaux],
        completed=view.side,
        drawn=view.rules.cards - view.draw_pile,
        extended=view.extended,
    )
    standing = Standing(view.totals, view.match_target, view.rules.tie).add(map(sum, engine.scores(state)))
    return standing.winner == view.side
