"""The processes that review finished hands and make hints.

The processes have a low priority, so that no table has to wait.
"""

import contextlib
import dataclasses
import os
import pickle
import zlib
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:  # the first review loads the modules that it needs
    from millebornes.analysis.match_review import Review
    from millebornes.analysis.records import Analysis
    from millebornes.game import InformationState, Match, View

__all__ = ["Failed", "HintOrder", "Judging", "Order", "packed", "serve_orders", "unpacked"]

NICENESS: Final = 10
"""How far this process lowers its priority (its niceness)."""
SEED: Final = 0


class Order(NamedTuple):
    """A request to review a hand in a match.

    The order limits the number of simulations for a decision and for the luck in it.
    """

    match: "Match"
    hand: int
    worlds: tuple[int, int]


class HintOrder(NamedTuple):
    """A request for a hint based on what a seat has seen.

    The order limits the number of simulations and of milliseconds.
    """

    seen: "InformationState | View"
    simulations: int
    milliseconds: int


class Judging(NamedTuple):
    """A progress report with the number of decisions that have been judged and the number of all decisions."""

    done: int
    total: int


class Failed(NamedTuple):
    """A description of an error, for the log of the server."""

    reason: str


def serve_orders(orders: Connection) -> None:
    """Answer each `Order` with several `Judging` reports and then the packed review as bytes, or with `Failed`.

    The answer to a `HintOrder` is the pickled analysis.
    """
    from millebornes.arena.executors import settle_worker

    settle_worker()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    with contextlib.suppress(EOFError, OSError):  # the server has ended
        while True:
            order: Order | HintOrder = orders.recv()
            try:
                data: bytes | Failed = (
                    packed(_judged(order, orders)) if isinstance(order, Order) else pickle.dumps(_hinted(order))
                )
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


def _hinted(order: HintOrder) -> "Analysis":
    from millebornes.analysis.hints import hint

    found = hint(order.seen, worlds=order.simulations, milliseconds=order.milliseconds, seed=SEED)
    return dataclasses.replace(found, state=None)


def packed(found: "Review") -> bytes:
    """Return a review as a small number of bytes. The parts of the hand that all decisions share are left out."""
    decisions = (
        decision
        if decision.analysis is None
        else dataclasses.replace(decision, analysis=dataclasses.replace(decision.analysis, state=None))
        for decision in found.decisions
    )
    return zlib.compress(pickle.dumps(dataclasses.replace(found, decisions=tuple(decisions))))


def unpacked(data: bytes) -> "Review":
    """Return the review in bytes made by `packed` in this server's own reviewer process."""
    found: Review = pickle.loads(zlib.decompress(data))
    return found
