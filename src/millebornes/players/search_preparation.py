"""Getting all that a game, a net, a search or a review runs loaded or compiled: at once, or behind a game that goes on.

Compiling is done by a process of its own (`millebornes.players.compiling_process`), some twenty seconds of a core the
first time after installation. Where that cannot be, it is done in the process that needs it.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from millebornes.editions import Rules
from millebornes.players.compiling_process import compile_elsewhere
from millebornes.rules.compile_notice import tell
from millebornes.rules.engine import engine_for
from millebornes.rules.jit import is_prepared, mark_prepared
from millebornes.rules.meanwhile import NET, play_on, plays_on
from millebornes.rules.state import STATE

__all__ = [
    "REVIEW",
    "SEARCH",
    "Job",
    "begin",
    "begin_game",
    "begin_net",
    "compile_first",
    "ensure",
    "get_ready",
    "is_compiled",
    "is_running",
    "parts",
]

GAME, SEARCH, REVIEW = "game", "search", "review"
ENOUGH: Final = 100
"""Rollouts that are more than there are moves at the start of a hand."""

Key = tuple[str, Rules, int]
_jobs: dict[Key, "Job"] = {}
_ready: set[Key] = set()
_lock: Final = threading.Lock()


class Part(NamedTuple):
    """Kernels with a purpose: how they are loaded or compiled, and how it is remembered that they are kept."""

    name: str
    load: Callable[[], None]
    mark: Callable[[], None]


def parts(rules: Rules, target: int) -> Iterator[Part]:
    """What there is to compile for a table, in the order in which it is wanted; each needs those before it."""
    for name, load in ((GAME, _load_game), (NET, _load_net), (SEARCH, _compile_search), (REVIEW, _load_review)):

        def mark(name: str = name) -> None:
            mark_prepared(_name(name, rules, target))

        def load_it(load: Callable[[Rules, int], None] = load) -> None:
            load(rules, target)

        yield Part(name, load_it, mark)


def get_ready(rules: Rules, target: int, players: str = "search") -> None:
    """Load all that a search or an analysis at this table runs, or compile it, by those that are as short as can be.

    ``target`` is that of the match, 0 for none; ``players`` are those of `Searcher`.
    """
    from millebornes.game.match import Match
    from millebornes.players.information_set import information_set_of
    from millebornes.search.endgames import EndgameSolver
    from millebornes.search.evaluation import Evaluation
    from millebornes.search.memory import Memory
    from millebornes.search.searcher import Searcher
    from millebornes.search.settings import Settings

    match = Match.start(rules, 0, match_target=target or None)
    seat = match.hand.seat
    assert seat is not None
    searcher = Searcher(rules, Settings(milliseconds=None, rollouts=ENOUGH), players)
    view = match.view(seat)
    legal = [view.legal_moves.code(move) or 0 for move in view.legal_moves]
    searcher.search(information_set_of(view), legal, Memory(rules), random.Random(0))
    Evaluation(searcher, searcher.ask(information_set_of(view), legal, Memory(rules), random.Random(0))).add(1)
    if rules.seats == 2:
        EndgameSolver(rules).prepare()


def is_compiled(rules: Rules, target: int | None, part: str = SEARCH) -> bool:
    """Whether all that a search at such a table runs was compiled before, and has but to be loaded."""
    return is_prepared(_name(part, rules, target or 0))


def _name(part: str, rules: Rules, target: int) -> str:
    """What a part is called where it is remembered: it has other kernels for other kinds of tables."""
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


class Job(threading.Thread):
    """Gets one part ready for one table, behind the back of a game."""

    def __init__(self, part: str, rules: Rules, target: int) -> None:
        super().__init__(name=f"getting-{part}-ready", daemon=True)
        self._key: Final = part, rules, target
        self.is_compiling = False
        """Whether something is being compiled, which takes long, rather than loaded."""
        self.error: Exception | None = None
        """What went wrong; whoever needs it will say so."""
        self.start()

    def run(self) -> None:
        """Wait for the process that compiles, and load; or compile."""
        try:
            _get_part(*self._key, self._tell)
        except Exception as error:
            self.error = error

    def _tell(self, is_compiling: bool) -> None:
        self.is_compiling = is_compiling

    @property
    def is_over(self) -> bool:
        """Whether the part is ready (or never will be)."""
        return not self.is_alive()


def _get_part(part: str, rules: Rules, target: int, told: Callable[[bool], None]) -> None:
    """Load a part, and before have it compiled, or compile it; ``told`` is told whether it is being compiled."""

    def is_done() -> bool:
        return is_compiled(rules, target, part)

    if not is_done():
        told(True)
        told(not compile_elsewhere(part, rules, target, is_done))
    _load_game(rules, target)
    if part != GAME:
        _load_net(rules, target)
    if part == SEARCH:
        get_ready(rules, target)
    if not is_done():
        mark_prepared(_name(part, rules, target))


def begin(rules: Rules, target: int | None) -> None:
    """Wait for no machine code from now on; get a search ready for a table behind the back of the game."""
    if play_on():
        _begin(SEARCH, rules, target or 0)


def begin_net(rules: Rules) -> None:
    """Get what asks a net ready behind the back of the game."""
    _begin(NET, rules, 0)


def begin_game(rules: Rules) -> None:
    """Wait for no machine code from now on; get that of the rules ready behind the back of the game."""
    if play_on():
        _begin(GAME, rules, 0)


def _begin(part: str, rules: Rules, target: int) -> Job:
    key = part, rules, target
    with _lock:
        if key not in _jobs:
            _jobs[key] = Job(*key)
        return _jobs[key]


def ensure(rules: Rules, target: int) -> None:
    """Get a search ready for a table, unless that was done; it is no part of the time that a decision may take."""
    key = SEARCH, rules, target
    if key in _jobs:
        _jobs[key].join()
    elif key not in _ready:
        _get_part(*key, lambda is_compiling: tell() if is_compiling else None)
    _ready.add(key)


def compile_first(rules: Rules, target: int, part: str = REVIEW) -> None:
    """Have all that a review of such a match runs compiled, unless it is, before other processes load it."""
    if not is_compiled(rules, target, part):
        tell()
        compile_elsewhere(part, rules, target, lambda: is_compiled(rules, target, part))


def is_running(rules: Rules, target: int | None, seconds: float) -> bool:
    """Whether this process gets a search ready for a table behind a game, and has not done so in so many more seconds.

    While it is being compiled nothing is waited for. Where nobody plays on meanwhile, what is missing is compiled when
    it is needed.
    """
    if not plays_on():
        return False
    job = _begin(SEARCH, rules, target or 0)
    until = time.monotonic() + seconds
    while not (job.is_over or job.is_compiling) and time.monotonic() < until:
        job.join(min(0.01, seconds))
    return not job.is_over


# ---------------------------------------------------------------------- the parts


def _load_game(rules: Rules, target: int) -> None:
    engine_for(rules).load()


def _load_net(rules: Rules, target: int) -> None:
    from millebornes.players.instant import load_net

    load_net(rules)


def _compile_search(rules: Rules, target: int) -> None:
    """What takes longest comes last, so that all else is kept whatever happens."""
    from millebornes.policies.chooser import chooser_address

    get_ready(rules, target, "none")
    chooser_address(engine_for(rules).dtype, "search")
    get_ready(rules, target)


def _load_review(rules: Rules, target: int) -> None:
    import numpy as np

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
