"""The process that judges finished hands: one of its own and of low priority, so that no table ever waits for it."""

import contextlib
import dataclasses
import os
import pickle
import zlib
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:  # what it takes to judge a hand is loaded by the first review
    from millebornes.analysis.match_review import Review
    from millebornes.analysis.records import Analysis
    from millebornes.game import Match

__all__ = ["Failed", "Judging", "Order", "packed", "serve_orders", "unpacked"]

NICENESS: Final = 10
"""By how much the system prefers everybody else."""
SEED: Final = 0


class Order(NamedTuple):
    """The hand of a match that is wanted, and the most worlds for a decision and for its luck."""

    match: "Match"
    hand: int
    worlds: tuple[int, int]


class Judging(NamedTuple):
    """How many decisions have been judged, and how many there are."""

    done: int
    total: int


class Failed(NamedTuple):
    """What went wrong, for the log of the server."""

    reason: str


def serve_orders(orders: Connection) -> None:
    """What the process does: for each `Order` come `Judging`, then the packed review as bytes, or `Failed`."""
    from millebornes.arena.executors import settle_worker

    settle_worker()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    with contextlib.suppress(EOFError, OSError):  # the server has ended
        while True:
            order: Order = orders.recv()
            try:
                data: bytes | Failed = packed(_judged(order, orders))
            except OSError:
                raise
            except Exception as error:
                data = Failed(f"{type(error).__name__}: {error}")
            orders.send(data)


def _judged(order: Order, told: Connection) -> "Review":
    from millebornes.analysis.reviews import Effort, review

    return review(
        order.match,
        effort=Effort(*order.worlds),
        seed=SEED,
        hand=order.hand,
        progress=lambda done, total: told.send(Judging(done, total)),
    )


def packed(found: "Review") -> bytes:
    """A review as few bytes, without what each decision repeats of the hand."""
    decisions = (
        dataclasses.replace(decision, analysis=_without_state(decision.analysis)) for decision in found.decisions
    )
    return zlib.compress(pickle.dumps(dataclasses.replace(found, decisions=tuple(decisions))))


def unpacked(data: bytes) -> "Review":
    """The review that `packed` made these bytes of, in the reviewer of this server."""
    found: Review = pickle.loads(zlib.decompress(data))
    return found


def _without_state(analysis: "Analysis | None") -> "Analysis | None":
    return None if analysis is None else dataclasses.replace(analysis, state=None)
