"""The tokens and invitation codes with which people and programs show who they are."""

import hashlib
import secrets
from typing import Final

TOKEN_BYTES: Final = 24


def new_token() -> str:
    """Return a new token or invitation code with 192 random bits, too many to guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_of(token: str) -> str:
    """Return the hash of a token, which is what the storage contains. Tokens are random, so a fast hash is enough."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
