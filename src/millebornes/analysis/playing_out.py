"""Blocks of worlds in which the moves of one position are played out, wherever that is done.

Worlds are numbered, and block n holds `BLOCK` of them. What comes of a block depends on the position, the seed and its
number alone: not on who plays it out, nor after which other one.
"""

import functools
import random
import threading
import time
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.errors import NotationError, PlayerError
from millebornes.game import Hand, InformationState, View
from millebornes.players.history_player import remember_state
from millebornes.players.information_set import information_set_of
from millebornes.players.search_preparation import ensure
from millebornes.policies.batch import KernelPlayer, KernelSeats
from millebornes.policies.dispatch import MAXIMS, NET, is_watching, workspace_for
from millebornes.search.evaluation import hand_worths
from millebornes.search.information_set import InformationSet
from millebornes.search.memory import Memory
from millebornes.search.moments import Sums, sums_of
from millebornes.search.outcomes import OUTCOME, follow_up
from millebornes.search.rollouts import RolloutSeats
from millebornes.search.searcher import RolloutQuestion, Searcher
from millebornes.search.settings import SearchSettings

__all__ = [
    "BLOCK",
    "PlayedBlocks",
    "Position",
    "Proven",
    "RolloutTask",
    "play_blocks",
    "read_position",
    "seen_of",
    "solve",
    "view_of",
]

BLOCK: Final = 512
"""Worlds of a block. The others' hands are sampled anew for each."""
SALTED: Final = 16
"""So many worlds share what players of a level forget, which depends on the cards they were dealt."""
FIELD_COUNTS: Final[dict[int, type[Hand] | type[View] | type[InformationState]]] = {
    9: Hand,
    12: View,
    7: InformationState,
}
APART: Final = 1_000_000_007
"""The worlds of moves that are tried in worlds of their own have numbers that differ by so much."""

Position = Hand | View | InformationState
"""All cards known; what a seat sees; all that it has seen of the hand."""


class RolloutTask(NamedTuple):
    """What is to be played out.

    ``player`` makes all later moves on every seat (None: whoever the champion's search has make them). ``is_match``
    weighs chances to win the match too. ``worlds`` are so many at most. Where moves are not ``paired``, each is tried
    in worlds of its own.
    """

    position: Position
    player: str | None
    is_match: bool
    seed: str
    worlds: int
    paired: bool


class PlayedBlocks(NamedTuple):
    """What came of some blocks, and the seconds that took."""

    blocks: tuple[Sums, ...]
    seconds: float


def read_position(text: str) -> Position:
    """The position that a text is: of a hand, a view or an information state (docs/positions.md).

    Raises `NotationError`.
    """
    text = text.strip()
    parts = len(text.split(" "))
    kind = FIELD_COUNTS.get(parts)
    if kind is None:
        raise NotationError(
            "a position is one line: of 9 fields with single spaces between (a hand), of 12 (a view) or of 7 (what a "
            f"seat has seen); this has {parts}"
        )
    return kind.parse(text)


def view_of(position: Position) -> View:
    """What the seat sees that decides. Raises `PlayerError` where nobody has anything to decide."""
    if isinstance(position, Hand):
        if position.seat is None:
            raise PlayerError("the hand is over; nobody has anything to decide")
        return position.view(position.seat)
    view = position if isinstance(position, View) else position.view
    if not view.legal_moves:
        raise PlayerError(f"seat {view.seat} has nothing to decide here; a rollout needs a decision")
    return view


def seen_of(position: Position) -> tuple[InformationSet, Memory]:
    """What a search needs to know of a position. Raises as `view_of` does, and `NotationError`."""
    view = view_of(position)
    if not isinstance(position, InformationState):
        return information_set_of(view), Memory(view.rules)
    return information_set_of(view), remember_state(position)


class _Stage:
    """What plays out at one table, in one thread."""

    def __init__(self, rules: Rules, player: str | None, is_match: bool) -> None:
        settings = SearchSettings(milliseconds=None, rollouts=2 * BLOCK, match=is_match)
        self.searcher: Final = Searcher(rules, settings)
        named = None if player is None else KernelPlayer.named(player, rules)
        deciders = "search" if named is None or named.who in (MAXIMS, NET) else "all"
        self.workspace: Final = workspace_for(rules, 2, deciders)
        self.players: Final = None if named is None else KernelSeats([named])


class _Stages(threading.local):
    """The stages of a thread: records that kernels write to belong to one thread alone."""

    def __init__(self) -> None:
        self.of = functools.lru_cache(maxsize=2)(_Stage)


_stages: Final = _Stages()


class Proven(NamedTuple):
    """What each move is worth when both play as well as they can: in points, or in chances to win the match.

    ``leads`` are the points of lead that this leads to; None if they are not known.
    """

    values: npt.NDArray[np.float64]
    leads: npt.NDArray[np.float64] | None


def solve(position: Position, is_match: bool) -> Proven | None:
    """What each move is worth when all play as well as they can, where nothing is hidden; else None.

    That is in points of lead, or with ``is_match`` in chances to win the match.
    """
    view = view_of(position)
    if len(view.legal_moves) < 2 or (isinstance(position, Hand) and view.draw_pile):
        return None
    ensure(view.rules, view.match_target or 0 if is_match else 0)
    seen, memory = seen_of(position)
    searcher = _stages.of(view.rules, None, is_match).searcher
    found = searcher.solve(seen, _codes(view), memory, is_match)
    if found is None:
        return None
    values = found.estimate.lead + found.estimate.value
    return Proven(values, searcher.solved_leads(seen, _codes(view), memory, is_match) if is_match else values)


def play_blocks(task: RolloutTask, places: tuple[int, ...], numbers: range) -> PlayedBlocks:
    """Play the moves at some places out in the blocks with these numbers."""
    start = time.perf_counter()
    view = view_of(task.position)
    ensure(view.rules, view.match_target or 0 if task.is_match else 0)
    blocks = tuple(_play(task, view, places, number) for number in numbers)
    return PlayedBlocks(blocks, time.perf_counter() - start)


def _codes(view: View) -> list[int]:
    return [view.legal_moves.code(move) or 0 for move in view.legal_moves]


def _play(task: RolloutTask, view: View, places: tuple[int, ...], number: int) -> Sums:
    stage = _stages.of(view.rules, task.player, task.is_match)
    rng = random.Random(f"{task.seed} rollout {number}")
    seen, memory = seen_of(task.position)
    question = stage.searcher.ask(seen, _codes(view), memory, rng)
    if isinstance(task.position, Hand):
        question = question._replace(known=question.known._replace(hands=_true_hands(task.position, question)))
    if stage.players is not None:
        line = np.zeros((1, view.rules.seats), np.int64)
        question = question._replace(seating=RolloutSeats(stage.players.records, line, line, 0))
    deal = stage.workspace.deals[0]
    deal["totals"][: len(view.totals)] = view.totals
    deal["target"], deal["opponents"] = question.stakes.goal, memory.opponents
    deal["watched"] = (
        is_watching(question.seating.players) if stage.players is not None else question.seating.net_plies > 0
    )
    worlds = min(BLOCK, task.worlds - number * BLOCK)
    out = np.zeros((worlds, len(places)), OUTCOME)
    codes = question.codes[list(places)]
    salts = None if stage.players is None else np.random.default_rng(rng.getrandbits(64))
    for begin in range(0, worlds, worlds if salts is None else SALTED):
        part = out[begin:] if salts is None else out[begin : begin + SALTED]
        if salts is not None:
            pack = np.repeat(np.arange(len(view.rules.deck)), view.rules.deck)
            deal["pile"][: len(pack)] = salts.permutation(pack)
        if task.paired:
            _follow(stage, question, begin, codes, part)
            continue
        for column, place in enumerate(places):
            one = np.zeros((len(part), 1), OUTCOME)
            _follow(stage, question, begin + place * APART, codes[column : column + 1], one)
            part[:, column] = one[:, 0]
    worth = hand_worths(question, view.rules)
    return sums_of(out, (worth - worth.mean())[np.arange(worlds) % len(worth)])


def _follow(stage: _Stage, question: RolloutQuestion, begin: int, codes: Any, out: Any) -> None:
    known, seating, stakes = question.known, question.seating, question.stakes
    follow_up(stage.workspace, known, seating, stakes, begin, question.seed, codes, out)


def _true_hands(hand: Hand, question: RolloutQuestion) -> npt.NDArray[np.uint64]:
    """The hands that the others really hold, as the one sample there is."""
    words = [sum(1 << 3 * card.index for card in hand.cards(seat)) for seat in question.known.other_seats.tolist()]
    return np.array([words], np.uint64)
