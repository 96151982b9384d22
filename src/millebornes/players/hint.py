"""Hints: what the best player there is would do in a person's place, and why."""

import dataclasses
import random
from collections.abc import Mapping
from typing import Final, NamedTuple

from millebornes.errors import PlayerError
from millebornes.game.move import Action, Move
from millebornes.game.view import View
from millebornes.i18n import N_
from millebornes.players.external.player import PREFIX
from millebornes.players.maxims import Maxims, features_of
from millebornes.players.registry import player as player_named
from millebornes.policies.features import Features
from millebornes.policies.heuristic import CALL, WORST
from millebornes.policies.maxims.catalogue import MAXIMS, Maxim, without
from millebornes.policies.maxims.values import arrives, greatest_threat, move_value
from millebornes.policies.maxims.weights import Advice, tuned

__all__ = ["BEST", "BEYOND", "Hint", "RankedMove", "Why", "hint"]

BEST: Final = Maxims.name
"""The best player there is; hints come from it."""

BEYOND: Final = 100_000
"""Values beyond this are no points but orders: always, or never."""

PLAIN_REASONS: Final[Mapping[str, str]] = {
    "finish": N_("It completes the trip."),
    "idle": N_("A roll on a side that rolls already is wasted."),
    "two_hundred_roll": N_("A 200 is dear for a roll."),
    "safety": N_("A safety scores, protects for the rest of the hand, and gives another turn."),
    "keep_safety": N_("A safety is not thrown away."),
    "extend": N_("An extension is a risk in itself."),
}
"""What the weights say that belong to no maxim (`millebornes.policies.maxims.catalogue.BASE`)."""

COUP: Final = N_("A coup fourré is always called: it ends the hazard, scores, protects, and gives the turn.")
USELESS: Final = N_("The card is of no use any more.")
LAST_CHANCE: Final = N_("The trip can be completed with the next card: a safety still in hand would be lost.")


class RankedMove(NamedTuple):
    """A legal move and what it seems worth.

    ``value`` is in points, of which only differences mean anything; None where the player names no points, or where it
    is beyond all weighing (a coup fourré).
    """

    move: Move
    value: int | None


class Why(NamedTuple):
    """A reason: its name (a maxim's, where it is one), what it says in English (a key for translators), its weight.

    ``points`` is by how much it speaks for the best move rather than the next best, below zero where it speaks
    against it; None where it decides without being weighed.
    """

    name: str
    says: str
    points: int | None


@dataclasses.dataclass(frozen=True)
class Hint:
    """What ``player`` would do: moves, the best first, and why the best comes before the next.

    ``moves`` holds all legal moves where the player weighs them, else its choice alone. ``pros`` and ``cons`` are
    reasons, the weightiest first; empty where the player gives none, or where nothing else can be done.
    """

    player: str
    moves: tuple[RankedMove, ...]
    pros: tuple[Why, ...] = ()
    cons: tuple[Why, ...] = ()

    @property
    def best(self) -> Move:
        """The move to make."""
        return self.moves[0].move

    @property
    def lead(self) -> int | None:
        """Points by which the best seems better than the next best; None where that cannot be said."""
        values = [ranked.value for ranked in self.moves[:2]]
        return None if len(values) < 2 or values[0] is None or values[1] is None else values[0] - values[1]


def hint(view: View, *, player: str = "best") -> Hint:
    """What a player would do with this view; it is told nothing else.

    ``player`` is a name of `millebornes.players.registry.player`, or ``best`` for the best there is. Raises
    `PlayerError` when this seat has nothing to decide, for an unknown player, and for programs, which play whole
    matches only.
    """
    name = BEST if player == "best" else player
    if name.startswith(PREFIX):
        raise PlayerError(f"{name!r} plays whole matches only; a hint comes from a player of this program")
    legal = view.legal_moves
    if not legal:
        raise PlayerError(f"seat {view.seat} has nothing to decide; a hint needs a decision")
    chosen = player_named(name)
    try:
        if isinstance(chosen, Maxims):
            return _weighed(view, name, chosen)
        move = chosen.choose(view, legal, random.Random(f"millebornes hint {view}"))
    finally:
        chosen.close()
    if move not in legal:
        raise PlayerError(f"the player {name!r} chose {move!s}, which is not legal")
    return Hint(name, (RankedMove(move, None),))


def _weighed(view: View, name: str, chosen: Maxims) -> Hint:
    """The moves in the order of `millebornes.policies.maxims.values.best_move`, and what made the first come first."""
    advice = chosen.advice_for(tuned(view.rules) if chosen.advice is None else chosen.advice)
    legal, features = view.legal_moves, features_of(view)
    by_code = {legal.code(move) or 0: move for move in legal}
    values = _values(sorted(by_code), features, advice)
    order = sorted(values, key=lambda code: (-values[code], code))
    ranked = tuple(RankedMove(by_code[code], _points(values[code])) for code in order)
    if len(order) < 2:
        return Hint(name, ranked)
    best, following = order[:2]
    if values[best] >= CALL and by_code[best].card is not None:
        is_coup = best % 64 % 3 == 2
        why = Why("coup", COUP, None) if is_coup else Why("last_chance", LAST_CHANCE, None)
        return Hint(name, ranked, (why,))
    reasons: list[tuple[int, Why]] = []
    for reason, says, off in _switched_off(advice):
        other = _values([best, following], features, off, sorted(by_code))
        points = values[best] - values[following] - (other[best] - other[following])
        if points:
            reasons.append((points, Why(reason, says, _points(points))))
    if by_code[best].action is Action.DISCARD and values[best] == 0 > values[following]:
        reasons.append((-values[following], Why("useless", USELESS, _points(-values[following]))))
    reasons.sort(key=lambda found: (-abs(found[0]), found[1].name))
    pros = tuple(why for points, why in reasons if points > 0)
    cons = tuple(why for points, why in reasons if points < 0)
    return Hint(name, ranked, pros, cons)


def _values(codes: list[int], f: Features, advice: Advice, legal: list[int] | None = None) -> dict[int, int]:
    """What moves are worth by some advice; ``legal`` are all codes (by default these)."""
    danger, finishing = greatest_threat(f), arrives(codes if legal is None else legal, f)
    return {code: int(move_value(code, danger, finishing, f, advice)) for code in codes}


def _points(value: int) -> int | None:
    return value if abs(value) < min(BEYOND, CALL, -WORST) else None


def _switched_off(advice: Advice) -> list[tuple[str, str, Advice]]:
    """Each maxim and plain reason: its name, what it says, and the advice without it."""
    found: dict[str, Maxim] = dict(MAXIMS)
    off = [(name, maxim.says, without(advice, name)) for name, maxim in found.items()]
    return off + [(name, says, advice._replace(**{name: 0})) for name, says in PLAIN_REASONS.items()]
