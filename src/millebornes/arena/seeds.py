"""Seeds as reports give them."""

from typing import Final

__all__ = ["seed_value"]

EXACT: Final = 1 << 53
"""Whole numbers below this are read alike by every reader of JSON."""


def seed_value(seed: str) -> int | str:
    """A seed as JSON: a number where it is one that every reader keeps exactly, else the text."""
    if seed.isascii() and seed.isdigit() and len(seed) <= len(str(EXACT)):
        number = int(seed)
        if number < EXACT and str(number) == seed:
            return number
    return seed
