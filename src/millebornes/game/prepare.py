"""Getting the compiled rules ready before the first move."""

from collections.abc import Callable

from millebornes.editions import make_rules
from millebornes.game.hand import Hand
from millebornes.kernels.notice import on_compiling

__all__ = ["prepare"]


def prepare(on_compile: Callable[[], None] | None = None) -> None:
    """Load the kernels that a game needs, or compile them the very first time after installation.

    Compiling takes some seconds; ``on_compile`` is called before, if it must be done, so that a screen can say so. May
    run in a thread of its own.
    """
    with on_compiling(on_compile):
        hand = Hand.deal(make_rules(), 0)
        hand = hand.play(hand.legal_moves[0])
        view = hand.view(0)
        _ = hand.scores, view.legal_moves
