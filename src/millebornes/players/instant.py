"""A player that chooses moves by a net, without looking ahead.

The net has been trained to predict the value of each move.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, cast

import numpy as np

from millebornes.cards import Card
from millebornes.editions import Rules, make_rules
from millebornes.game.legal import LegalMoves
from millebornes.game.move import Move
from millebornes.game.view import View
from millebornes.kernels.decorator import LazyObject
from millebornes.kernels.python_fallback import NET, in_python, is_usable, with_fallback
from millebornes.players.features import features_of
from millebornes.players.history_player import HistoryPlayer
from millebornes.players.kernel_parts import load_part
from millebornes.players.search_preparation import begin
from millebornes.policies.features import FEATURES, NUMBERS
from millebornes.policies.heuristic import arrives, greatest_threat
from millebornes.policies.maxim_values import move_value
from millebornes.policies.maxim_weights import tuned
from millebornes.policies.net import OUTPUTS, best_by_net, score_moves
from millebornes.policies.net_choice import net_sentence
from millebornes.policies.net_files import Net
from millebornes.policies.opponent_features import write_opponent_features
from millebornes.policies.shipped_nets import net_named
from millebornes.roster import ROSTER
from millebornes.rules.engine import engine_for
from millebornes.rules.state import Record
from millebornes.rules.tables import tables_for
from millebornes.search.memory import Records

_write_opponent_features: Final = with_fallback(write_opponent_features, NET)


class Instant(HistoryPlayer):
    """Makes the move that a net rates highest.

    The player uses no random numbers. It remembers the cards that other players seemed not to have, and the cards that
    they discarded. ``options`` can name the file of another net, such as one written by `millebornes train`.
    Alternatively, you can pass a ``net``. If the process doesn't wait for machine code
    (`millebornes.kernels.python_fallback`), the net runs in Python until its kernels have been compiled, with the same
    results.
    """

    name = "instant"
    summary: ClassVar[str] = ROSTER[name].summary

    def __init__(self, options: str = "", net: Net | None = None) -> None:
        self.net: Final = net_named(options) if net is None else net
        self._asked_for: Final = f"{self.name}:{options}" if net is None else ""
        self._buffer = np.zeros(1, FEATURES)
        self._latest: dict[str, object] = {}
        self._rules = Rules()

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """Return the move that the net rates highest. ``rng`` isn't used."""
        by_code = {legal.code(move) or 0: move for move in legal}
        self._latest = {}
        if len(by_code) == 1:
            return legal[0]
        record, numbers = self._buffer[0], self.net.ready(view.rules).numbers
        opponents = self.memory_for(view.rules).opponents
        write_view(view, sorted(by_code), record, opponents, weighed=bool(numbers[0]))
        scores = np.zeros(OUTPUTS, np.float32)
        ask: tuple[Callable[..., Any], Callable[..., Any]] = score_moves, best_by_net
        if not is_usable(NET):
            begin(NET, view.rules)
            ask, record = (in_python(cast(LazyObject, ask[0])), in_python(cast(LazyObject, ask[1]))), _in_lists(record)
        value = ask[0](record, numbers, scores)
        points = {str(by_code[code]): round(float(score)) for code, score in zip(sorted(by_code), scores, strict=False)}
        self._latest = {"points": points, "lead": round(float(value))}
        self._rules = view.rules
        return by_code[int(ask[1](record, numbers))]

    def prepare_behind(self, rules: Rules, match_target: int | None) -> bool:
        """Load the kernels, or compile them in another process. Moves can be made before they are ready."""
        return begin(NET, rules)

    def prepare(self) -> None:
        """Load the kernels, or compile them, which takes a while."""
        load_part(NET, make_rules(), 0)

    def explain(self) -> Mapping[str, object]:
        """Return the net's value of each move in points (only differences matter), and the additional lead it expects.

        The entry ``net`` is a sentence that names the net.
        """
        net = net_sentence(self._asked_for, self._rules) if self._latest else ""
        return {**self._latest, "net": net} if net else self._latest


def _in_lists(record: Record) -> dict[str, Any]:
    """Return a `FEATURES` record as lists, for kernels that run in Python.

    With a record, sums of bytes could overflow.
    """
    lists: dict[str, Any] = {name: record[name].tolist() for name in FEATURES.names or ()}
    for name in ("sides", "opponents"):
        fields = record[name].dtype.names
        columns = [record[name][field].tolist() for field in fields]
        lists[name] = [dict(zip(fields, row, strict=True)) for row in zip(*columns, strict=True)]
    lists["scores"] = record["scores"].copy()
    return lists


def write_view(view: View, codes: list[int], f: Record, opponents: Records, *, weighed: bool) -> None:
    """Write a view and the past of each seat to a `FEATURES` record.

    ``opponents`` is indexed by seat (`millebornes.policies.opponent_features.OPPONENT_FEATURES`). If ``weighed`` is
    true, this also writes the maxims' value of each move.
    """
    features = features_of(view)
    for name in ("hand", "unseen"):
        f[name][: len(Card)] = getattr(features, name)
    f["sides"][: len(features.sides)] = features.sides
    for name in NUMBERS:
        f[name] = getattr(features, name)
    if view.match_target:
        f["own_need"], f["other_need"] = _needs(view)
    f["threats"][: len(features.threats)] = features.threats
    f["codes"][: len(codes)] = codes
    f["count"] = len(codes)
    _write_opponent_features(view.seat, tables_for(view.rules), opponents, f["opponents"])
    f["top"] = -1 if view.discard_top is None else view.discard_top.index
    if weighed:
        danger, finishing, advice = greatest_threat(features), arrives(codes, features), tuned(view.rules)
        f["worths"][: len(codes)] = [int(move_value(code, danger, finishing, features, advice)) for code in codes]


def _needs(view: View) -> tuple[int, int]:
    """Return the points that the viewer's side and the nearest other side would need if the hand ended now."""
    engine = engine_for(view.rules)
    scores = engine.scores(engine.pack(side=[tableau.word for tableau in view.tableaux]))
    needs = [(view.match_target or 0) - total - sum(lines) for total, lines in zip(view.totals, scores, strict=True)]
    return needs[view.side], min(need for side, need in enumerate(needs) if side != view.side)
