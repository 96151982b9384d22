"""A shuffle with which anyone can check afterwards that neither the players nor the host chose the deck.

The host chooses a secret server seed at random and publishes its SHA-256 hash, the commitment. After that, each seat
adds a seed. The deck is computed from all these seeds (`FairShuffle.deck`), and the server seed is published when the
hand is over. docs/fair-shuffle.md describes the method in enough detail to write a checker in any language.
"""

import dataclasses
import hashlib
import hmac
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.errors import NotationError
from millebornes.schema.reading import read
from millebornes.schema.transcript import ShuffleObject

SCHEME: Final = "hmac-sha256-fisher-yates/1"
"""The name and version of the method that turns seeds into decks."""

SERVER_SEED_BYTES: Final = 32
SEAT_SEED_BYTES: Final = 16
NO_SEAT_SEED: Final = bytes(SEAT_SEED_BYTES)
"""The seed of a seat that hasn't sent one."""

_WORD: Final = 4
_ALL_WORDS: Final = 1 << 32


def commitment_of(server_seed: bytes) -> str:
    """Return the commitment to a server seed: its SHA-256 hash in hexadecimal, which is published before the hand.

    >>> commitment_of(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(server_seed).hexdigest()


@dataclasses.dataclass(frozen=True, kw_only=True)
class FairShuffle:
    """All the data that determines the deck of one hand.

    ``table`` is the name of the table, and ``hand`` is the number of the hand, counted from 1. ``commitment`` was
    published before the hand, in hexadecimal. ``server_seed`` contains the host's 32 bytes, and ``seat_seeds`` contains
    16 bytes from each seat (zeros if the seat sent none).
    """

    table: str
    hand: int
    commitment: str
    server_seed: bytes
    seat_seeds: tuple[bytes, ...]

    @property
    def keeps_commitment(self) -> bool:
        """Whether the server seed matches the commitment.

        >>> FairShuffle(
        ...     table="t", hand=1, commitment=commitment_of(bytes(32)), server_seed=bytes(32), seat_seeds=()
        ... ).keeps_commitment
        True
        """
        return hmac.compare_digest(commitment_of(self.server_seed), self.commitment)

    def deck(self, rules: Rules) -> tuple[Card, ...]:
        """Return the deck for a table with these rules, in drawing order.

        >>> seeds = (bytes(16), bytes(16))
        >>> fair = FairShuffle(table="t", hand=1, commitment="", server_seed=bytes(32), seat_seeds=seeds)
        >>> [card.code for card in fair.deck(hand.rules)[:4]]
        ['ROL', 'OUT', '75', '25']
        """
        cards = [card for card, count in zip(Card, rules.deck, strict=True) for _ in range(count)]
        words = self._words()
        for i in range(len(cards) - 1, 0, -1):
            # Values above the largest multiple are skipped, because they would make some positions more likely than
            # others.
            limit = _ALL_WORDS - _ALL_WORDS % (i + 1)
            j = next(word for word in words if word < limit) % (i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return tuple(cards)

    def _words(self) -> Iterator[int]:
        message = self.table.encode() + b"\0" + self.hand.to_bytes(4, "big") + b"".join(self.seat_seeds)
        key = hmac.digest(self.server_seed, message, "sha256")
        counter = 0
        while True:
            block = hmac.digest(key, counter.to_bytes(4, "big"), "sha256")
            for start in range(0, len(block), _WORD):
                yield int.from_bytes(block[start : start + _WORD], "big")
            counter += 1

    def to_dict(self) -> dict[str, Any]:
        """Return the shuffle as the key ``shuffle`` in the line of a hand in a transcript.

        >>> seeds = (bytes(16), bytes(16))
        >>> FairShuffle(table="t", hand=1, commitment="", server_seed=bytes(32), seat_seeds=seeds).to_dict()["scheme"]
        'hmac-sha256-fisher-yates/1'
        """
        shuffle: dict[str, Any] = msgspec.to_builtins(self.to_object())
        return {**shuffle, "seat_seeds": list(shuffle["seat_seeds"])}

    def to_object(self) -> ShuffleObject:
        """Return the result of `to_dict` as a Struct.

        >>> seeds = (bytes(16), bytes(16))
        >>> FairShuffle(table="t", hand=1, commitment="", server_seed=bytes(32), seat_seeds=seeds).to_object().hand
        1
        """
        return ShuffleObject(
            scheme=SCHEME,
            table=self.table,
            hand=self.hand,
            commitment=self.commitment,
            server_seed=self.server_seed.hex(),
            seat_seeds=tuple(seed.hex() for seed in self.seat_seeds),
        )

    @classmethod
    def from_dict(cls, data: Any, seats: int) -> "FairShuffle":
        """Return the shuffle described by the result of `to_dict`, for a table with ``seats`` seats.

        Raises a `NotationError` that names the invalid key.

        >>> FairShuffle.from_dict({"scheme": "dice"}, 2)
        Traceback (most recent call last):
        millebornes.errors.NotationError: shuffle, scheme: 'dice' is not known; it must be 'hmac-sha256-fisher-yates/1'
        """
        scheme = data.get("scheme", SCHEME) if isinstance(data, Mapping) else SCHEME
        if scheme != SCHEME:
            raise NotationError(f"shuffle, scheme: {_shown(scheme)} is not known; it must be {SCHEME!r}")
        fields = read(ShuffleObject, data, fault=lambda text: NotationError(f"shuffle, {text}"))
        if len(fields.seat_seeds) != seats:
            raise NotationError(f"shuffle, seat_seeds: it must be a list of {seats} strings, one for each seat")
        return cls(
            table=fields.table,
            hand=fields.hand,
            commitment=fields.commitment.lower(),
            server_seed=bytes.fromhex(fields.server_seed),
            seat_seeds=tuple(map(bytes.fromhex, fields.seat_seeds)),
        )


def read_hex(text: Any, size: int, where: str) -> bytes:
    r"""Return the ``size`` bytes that are written as hexadecimal digits.

    ``where`` is the name of the value in a `NotationError`.

    >>> read_hex("00ff", 2, "bytes")
    b'\x00\xff'
    """
    digits = 2 * size
    if not isinstance(text, str) or len(text) != digits or not set(text) <= set("0123456789abcdefABCDEF"):
        raise NotationError(f"{where}: {_shown(text)} is not allowed; it must be {digits} hex digits")
    return bytes.fromhex(text)


def _shown(value: Any) -> str:
    text = repr(value) if isinstance(value, str | int | float | bool) or value is None else type(value).__name__
    return text if len(text) <= 60 else f"{text[:57]}..."
