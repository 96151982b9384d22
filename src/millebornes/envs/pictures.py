"""Pictures of a table for `render`: lines of text, or an SVG picture turned into pixels."""

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from millebornes.envs.arguments import brief
from millebornes.errors import MilleBornesError
from millebornes.game import Hand, Tableau, View
from millebornes.themes import Theme, theme

RENDER_MODES = ("human", "ansi", "rgb_array")
"""A table can be printed to standard output, or returned as text or as an array of bytes (height, width, 3)."""


def check_render_mode(mode: str | None) -> None:
    """Raise `MilleBornesError` if the render mode doesn't exist."""
    if mode is not None and not (type(mode) is str and mode in RENDER_MODES):
        raise MilleBornesError(
            f"render_mode: {brief(mode)} is not allowed; it must be one of {', '.join(RENDER_MODES)}"
        )


def render(mode: str, tables: Sequence[Hand | View]) -> tuple[Any, ...] | None:
    """Print tables, or return them as text or as arrays of pixels, depending on the render mode.

    Raises `MilleBornesError` if the extra `envs`, which pixels need, isn't installed.
    """
    if mode == "rgb_array":
        return tuple(map(_pixels_of, tables))
    texts = tuple(map(_text_of, tables))
    if mode == "ansi":
        return texts
    print("\n\n".join(texts))
    return None


def _text_of(seen: Hand | View) -> str:
    words = theme()
    lines = []
    for side, tableau in enumerate(seen.tableaux):
        lines.append(f"Side {side + 1}: {tableau.distance} of {words.miles(seen.goal)}, {_standing(tableau, words)}.")
        piles = [("battle", tableau.battle), ("speed", tableau.speed)]
        shown = [f"{words.pile(pile)}: {words.name_of(card)}." for pile, card in piles if card is not None]
        if tableau.safeties:
            names = (
                words.name_of(card) + (f" ({words.coup})" if card in tableau.coups_fourres else "")
                for card in tableau.safeties
            )
            shown.append(f"{words.pile('safety')}: {', '.join(names)}.")
        if shown:
            lines.append("   " + " ".join(shown))
    top = "nothing" if seen.discard_top is None else words.name_of(seen.discard_top)
    lines.append(f"{words.pile('draw')}: {seen.draw_pile}. {words.pile('discard')}: {top}.")
    hands = seen.hands if isinstance(seen, Hand) else (seen.hand,)
    seats = range(len(hands)) if isinstance(seen, Hand) else (seen.seat,)
    for seat, cards in zip(seats, hands, strict=True):
        lines.append(f"Seat {seat}: {', '.join(words.name_of(card) for card in cards) or 'no cards'}.")
    return "\n".join(lines)


def _standing(tableau: Tableau, words: Theme) -> str:
    under = tableau.under
    how = f"held up by {words.name_of(under)}" if under else "moving" if tableau.is_moving else "not moving"
    return f"{how}, under a speed limit" if tableau.is_limited else how


def _pixels_of(seen: Hand | View) -> npt.NDArray[np.uint8]:
    try:
        import resvg_py
        from PIL import Image
    except ImportError as error:
        raise MilleBornesError(f"pictures need the extra 'envs': pip install 'millebornes[envs]' ({error})") from None
    drawn: Any = resvg_py.svg_to_bytes(svg_string=seen.to_svg())
    with Image.open(io.BytesIO(bytes(drawn))) as image:
        return np.array(image.convert("RGB"), np.uint8)
