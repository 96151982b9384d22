"""A player of one's own, measured: a sample project that is checked by mypy --strict and pyright against the package.

Try it:    python examples/library/measure.py
"""

import random

from millebornes import (
    ArenaResults,
    Hand,
    InformationState,
    KernelPlayer,
    LegalMoves,
    Match,
    Move,
    Plan,
    Player,
    View,
    code_of_move,
    equity_for,
    make_rules,
    play_batch,
    play_match,
    player,
    run_arena,
    sample_worlds,
)
from millebornes.errors import IllegalMoveError


class Thrifty(Player):
    """Plays what it can, the longest distance first; discards what it has most of."""

    name = "thrifty"
    summary = "keeps one of each"

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        plays = [move for move in legal if not move.text.startswith("-")]
        if plays:
            return max(plays, key=lambda move: move.card.miles if move.card is not None else 0)
        return max(legal, key=lambda move: view.hand.count(move.card) if move.card is not None else 0)


def share_of(results: ArenaResults) -> dict[str, float]:
    """The part of the games that each player won."""
    return {row.player: row.match_share for row in results.results if row.match_share is not None}


def main() -> None:
    rules = make_rules("classic", seats=2, settings={"targets": "left"})
    hand = Hand.deal(rules, seed=7)
    try:
        hand.play("75")
    except IllegalMoveError as error:
        print(error.clause, error.reason)
    worlds = sample_worlds(InformationState.of(hand, 0), 10, seed=1, beliefs=False)
    print(len(worlds), code_of_move(rules, 0, hand.legal_moves[0]))

    match = play_match(Match.start(rules, seed=1, match_target=1000), [Thrifty(), player("random")])
    print(match.totals, match.winner, match.rows()[0]["move"])

    batch = play_batch(rules, [KernelPlayer.named(name, rules) for name in ("basic", "random")], games=10, seed=1)
    print(batch.points.shape, batch.hands)

    results = run_arena(Plan(rules=rules, players=("basic", "random"), games=20, match_target=None, seed="sample"))
    print(share_of(results), results.pairs[0].ci95)
    print(round(float(equity_for(make_rules(), 5000).chance((1000, 1000), 0)), 2))


if __name__ == "__main__":
    main()
