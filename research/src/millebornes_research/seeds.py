"""Derive random numbers from the text of a seed."""

import hashlib


def seed_word(seed: str, *names: object) -> int:
    """Return a 64-bit number derived from the seed of a run and the names of its purpose."""
    text = "\0".join([seed, *map(str, names)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
