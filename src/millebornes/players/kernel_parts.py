"""Load or compile the kernels for a game, a net, a search and a review, and record which of them have been compiled."""

import random
from typing import Final

import numpy as np

from millebornes.editions import Rules
from millebornes.kernels.python_fallback import NET, mark_loaded
from millebornes.kernels.store import is_prepared, mark_prepared
from millebornes.policies.features import FEATURES
from millebornes.policies.net import OUTPUTS, best_by_net, score_moves
from millebornes.policies.opponent_features import (
    OPPONENT_FEATURES,
    clear_opponent_features,
    note_act,
    write_opponent_features,
)
from millebornes.policies.shipped_nets import net_named
from millebornes.rules.engine import engine_for
from millebornes.rules.state import SEATS, STATE
from millebornes.rules.tables import tables_for

GAME, SEARCH, REVIEW = "game", "search", "review"
PARTS: Final = (GAME, NET, SEARCH, REVIEW)
"""The parts that can be compiled for a table, in the order in which they are needed."""
MIN_ROLLOUTS: Final = 100
"""A number of rollouts that is greater than the number of legal moves at the start of any hand."""


def compile_part(part: str, rules: Rules, target: int) -> None:
    """Compile a part of the kernels for a table, or load it. Each part needs those before it in `PARTS`.

    The slowest code of a search is compiled last, so that everything else has been stored even if this is interrupted.
    """
    if part == SEARCH:
        from millebornes.policies.dispatch import chooser_address

        _load_search(rules, target, "none")
        chooser_address(engine_for(rules).dtype, "search")
    load_part(part, rules, target)


def load_part(part: str, rules: Rules, target: int) -> None:
    """Load a part of the kernels for a table, or compile it.

    The part for a search includes those for a game and a net.
    """
    engine_for(rules).load()
    if part in {NET, SEARCH}:
        _load_net(rules)
    if part == SEARCH:
        _load_search(rules, target)
    if part == REVIEW:
        _load_review(rules, target)


def is_compiled(rules: Rules, target: int | None, part: str = SEARCH) -> bool:
    """Return whether a part has been compiled for tables of this kind, so that it only has to be loaded."""
    return is_prepared(_name(part, rules, target or 0))


def mark_compiled(rules: Rules, target: int, part: str) -> None:
    """Record that a part has been compiled."""
    mark_prepared(_name(part, rules, target))


def _load_search(rules: Rules, target: int, players: str = "search") -> None:
    """Load or compile everything that a search or an analysis needs at this table, by running it briefly.

    ``target`` is the match target, or 0 for none. ``players`` is the argument of `Searcher` with this name.
    """
    from millebornes.game.match import Match
    from millebornes.players.information_set import information_set_of
    from millebornes.search.endgames import EndgameSolver
    from millebornes.search.memory import Memory
    from millebornes.search.searcher import Searcher
    from millebornes.search.settings import SearchSettings

    match = Match.start(rules, 0, match_target=target or None)
    seat = match.hand.seat
    assert seat is not None
    searcher = Searcher(rules, SearchSettings(milliseconds=None, rollouts=MIN_ROLLOUTS), players)
    view = match.view(seat)
    legal = [view.legal_moves.code(move) or 0 for move in view.legal_moves]
    searcher.search(information_set_of(view), legal, Memory(rules), random.Random(0))
    if rules.seats == 2:
        EndgameSolver(rules).prepare()


def _name(part: str, rules: Rules, target: int) -> str:
    """Return the name under which a part is recorded. Different kinds of tables have different kernels."""
    if part == GAME:
        return engine_for(rules).code
    words = [part, "compact" if engine_for(rules).dtype == STATE else "large"]
    if part != NET:
        from millebornes.policies.equity_tables import RACE_SIDES
        from millebornes.policies.match_equity import DEFAULT_TARGET, is_stored

        words.append("two" if rules.seats == 2 else f"{min(rules.sides, RACE_SIDES)}sides")
        words.append("points" if not target else "stored" if is_stored(rules) else "own")
        if target > DEFAULT_TARGET:
            words.append("far")
    return "-".join(words)


def _load_net(rules: Rules) -> None:
    engine = engine_for(rules)
    record, opponents, state = (
        np.zeros(1, FEATURES)[0],
        np.zeros(SEATS, OPPONENT_FEATURES),
        np.zeros(1, engine.dtype)[0],
    )
    clear_opponent_features(opponents)
    note_act(state, tables_for(rules), opponents, np.uint64(0))
    write_opponent_features(0, tables_for(rules), opponents, record["opponents"])
    numbers = net_named("").ready(rules).numbers
    score_moves(record, numbers, np.zeros(OUTPUTS, np.float32))
    best_by_net(record, numbers)
    mark_loaded(NET)


def _load_review(rules: Rules, target: int) -> None:
    """Load the code that separates luck from skill. Everything else in a review belongs to the search."""
    from millebornes.game.match import Match
    from millebornes.policies.match_equity import sample_scores
    from millebornes.search.hand_values import HandDone, values_of_hand

    match = Match.start(rules, 0, match_target=target or None)
    hand = match.hand
    code = hand.legal_moves.code(hand.legal_moves[0]) or 0
    done = HandDone(tuple(card.index for card in hand.deck), hand.first, (code,), match.totals)
    values_of_hand(rules, done, np.array([-1]), target, 1, 0)
    if not target:
        sample_scores(rules, 1, 1)
