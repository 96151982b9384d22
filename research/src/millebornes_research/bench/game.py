"""Measure how fast the package `millebornes.game` plays random games, in comparison with python-chess."""

import random
from collections.abc import Callable

from millebornes.editions import make_rules
from millebornes.game import Hand
from millebornes_research.bench.base import Result, alternate, cpu_seconds, median, shown


def _hands(plies: int, seed: int) -> int:
    """Play random hands until at least ``plies`` plies have been made, and return the actual number."""
    rules, rng = make_rules(), random.Random(seed)
    made = 0
    while made < plies:
        hand = Hand.deal(rules, rng.getrandbits(64))
        while not hand.is_over:
            moves = hand.legal_moves
            hand = hand.play(moves[rng.randrange(len(moves))])
        made += hand.ply
    return made


def _chess_games(plies: int, seed: int) -> int:
    """Play random games of chess until at least ``plies`` plies have been made, and return the actual number."""
    import chess

    rng = random.Random(seed)
    made = 0
    while made < plies:
        board = chess.Board()
        while not board.is_game_over():
            moves = list(board.legal_moves)
            board.push(moves[rng.randrange(len(moves))])
        made += board.ply()
    return made


def _speed(play: Callable[[int, int], int], plies: int) -> Callable[[int], float]:
    def measure(i: int) -> float:
        made = 0

        def work() -> None:
            nonlocal made
            made = play(plies, i)

        seconds = cpu_seconds(work)
        return made / seconds

    return measure


def measure_game(quick: bool = False) -> Result:
    """Measure plies per CPU-second of random play in both games: random legal moves until each game is over."""
    plies, rounds = (4_000, 3) if quick else (60_000, 5)
    _hands(1, 0)
    ours = _speed(_hands, plies)
    try:
        import chess
    except ImportError:
        (mine,) = alternate(rounds, ours)
        note = "python-chess is not installed (pip install chess)"
        return Result("game", {"plies_per_cpu_s": median(mine)}, {"python_chess": None}, (note,))
    mine, theirs = alternate(rounds, ours, _speed(_chess_games, plies // 4))
    speed, chess_speed = median(mine), median(theirs)
    return Result(
        "game",
        {"plies_per_cpu_s": speed, "ratio_to_python_chess": shown(speed / chess_speed)},
        {"python_chess": {"plies_per_cpu_s": chess_speed, "version": chess.__version__}},
    )
