"""Numbers to draw with, made from the text of a seed."""

import hashlib

__all__ = ["seed_word"]


def seed_word(seed: str, *names: object) -> int:
    """Return a 64-bit number made from the seed of a run and the names of its purpose."""
    text = "\0".join([seed, *map(str, names)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
