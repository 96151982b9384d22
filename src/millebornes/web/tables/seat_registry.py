"""Seats: how people take them with invitations, in the lobby and with links, and what their tokens open."""

import base64
import dataclasses
import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, NamedTuple

from millebornes.shown import clean_name
from millebornes.table import commands
from millebornes.table.facts import Fact, Joined, Rekeyed
from millebornes.table.seats import OPEN
from millebornes.table.state import TableState
from millebornes.web.store.clock import now
from millebornes.web.store.store import ANY, Key, Store
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.live import Answer, KeyChanges, LiveTable

TOKEN_BYTES: Final = 24


def new_token() -> str:
    """Return a new token or invitation code with 192 random bits, too many to guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_of(token: str) -> str:
    """Return the hash of a token, which is what the storage contains. Tokens are random, so a fast hash is enough."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def check_name(name: str) -> str:
    """Return a person's name in a form that is safe to display. Raises `ApiError` if it has no visible characters."""
    cleaned = clean_name(name)
    if not cleaned:
        raise ApiError(400, "name", "name: it must contain at least one visible character")
    return cleaned


class Seated(NamedTuple):
    """A person's seat and the token for it. ``is_new`` is false if the person already had the seat."""

    table: str
    seat: int
    token: str
    is_new: bool = True


class Claim(NamedTuple):
    """How to recognise a person who asks for a seat.

    ``browser`` identifies a browser at all tables, and ``key`` identifies a program's request. If an answer with a
    token is lost, either of them leads to the same token again. ``held`` returns the tokens that the request contains
    for a table.
    """

    browser: str | None = None
    key: str | None = None
    held: Callable[[str], Sequence[str]] = lambda _table: ()

    def token(self, secret: str, scope: str) -> str:
        """Return the token for a seat at the table with this ``secret``. A key is valid only within its ``scope``."""
        if self.browser is not None:
            return _derived(secret, "browser", self.browser)
        return new_token() if self.key is None else _derived(secret, "key", scope, self.key)


NOBODY: Final = Claim()
"""A person who can't be recognised."""


def _derived(secret: str, *parts: str) -> str:
    proof = "\0".join(parts).encode("utf-8", "replace")
    found = hmac.digest(secret.encode(), proof, "sha256")
    return base64.urlsafe_b64encode(found[:TOKEN_BYTES]).decode()


@dataclasses.dataclass(frozen=True)
class SeatAccess:
    """A viewer's access to a table: a seat, or None for a spectator. ``hash`` is the hash of the viewer's token."""

    table: LiveTable
    seat: int | None
    hash: str | None = None

    @property
    def name(self) -> str | None:
        """The table and the seat in a single word. This is None for a spectator."""
        return None if self.seat is None else f"{self.table.name} {self.seat}"

    @property
    def own(self) -> int:
        """The viewer's seat. Raises `ApiError` for a spectator."""
        if self.seat is None:
            raise ApiError(401, "token", "this needs the token of a seat (Authorization: Bearer TOKEN)")
        return self.seat

    async def do(
        self,
        build: Callable[[TableState, int, int], Fact | None],
        key_changes: KeyChanges | None = None,
        *,
        version: int | None = None,
        key: str | None = None,
    ) -> Answer:
        """Run a command of a seat, as `LiveTable.do` does. ``build`` also gets the seat and the time.

        If seats have been swapped in the meantime, this is the seat that the token has now.
        """
        seat = self.own

        async def find(_state: TableState) -> Answer | None:
            nonlocal seat
            found = None if self.hash is None else await self.table.store.key(self.hash)
            if found is None:
                raise ApiError(401, "token", "this seat has been given up")
            seat = found.seat
            return None

        def build_now(state: TableState) -> Fact | None:
            return build(state, seat, self.table.time.now)

        return await self.table.do(seat, build_now, find, key_changes, version=version, key=key)


class SeatRegistry:
    """The ways to get a seat at any table, of which a browser has one each. ``table`` finds a table by its name."""

    def __init__(self, store: Store, table: Callable[[str], Awaitable[LiveTable]]) -> None:
        self._store: Final = store
        self._table: Final = table

    # ------------------------------------------------------------------ taking a seat

    async def invitation(self, code: str) -> Key:
        """Return the key that belongs to an invitation to a seat or to `ANY`. Raises `ApiError` if it doesn't exist."""
        key = await self._store.key(hash_of(code))
        if key is None or key.purpose not in {"join", "link"}:
            raise ApiError(404, "no_invitation", "there is no such invitation")
        return key

    async def join(self, code: str, name: str, seat: int | None = None, claim: Claim = NOBODY) -> Seated:
        """Take a seat with an invitation. If it is valid for any open seat, ``seat`` chooses one. Raises `ApiError`."""
        key = await self.invitation(code)
        if key.seat != ANY and seat not in {None, key.seat}:
            raise ApiError(400, "seat", f"seat: this invitation is for seat {key.seat}")
        wanted = seat if key.seat == ANY else key.seat
        return await self._sit(key.table, lambda state: _open_seat(state, wanted), name, claim, hash_of(code))

    async def join_listed(self, table: str, seat: int | None, name: str, claim: Claim = NOBODY) -> Seated:
        """Take a seat at a table in the lobby, or any open seat if ``seat`` is None. Raises `ApiError`."""

        def choose(state: TableState) -> int:
            if not state.is_listed:
                raise ApiError(409, "not_open", "this table isn't in the lobby")
            return _open_seat(state, seat)

        await (await self._table(table)).refresh()
        return await self._sit(table, choose, name, claim, "lobby")

    async def holder(self, table: str, claim: Claim) -> Seated | None:
        """Return the seat that the caller already has at a table, or None."""
        for token in claim.held(table):
            key = await self._store.key(hash_of(token))
            if key is not None and key.purpose == "seat" and key.table == table:
                return Seated(table, key.seat, token, is_new=False)
        if claim.browser is None:
            return None
        token = claim.token((await self._table(table)).state.created.secret, "")
        key = await self._store.key(hash_of(token))
        return None if key is None else Seated(table, key.seat, token, is_new=False)

    async def _sit(
        self, name: str, choose: Callable[[TableState], int], person: str, claim: Claim, scope: str
    ) -> Seated:
        """Take the seat that ``choose`` returns. If the person already has a seat, return it and change nothing."""
        table = await self._table(name)
        token = claim.token(table.state.created.secret, scope)
        hash_ = hash_of(token)
        held = await self.holder(name, claim)
        if held is not None:
            return held._replace(is_new=held.token == token and claim.key is not None)
        cleaned = check_name(person)

        async def seat_held(_state: TableState) -> Answer | None:
            self._store.forget(name)
            key = await self._store.key(hash_)
            return None if key is None else {"seat": key.seat}

        def key_changes(fact: Fact) -> dict[str, Any]:
            assert isinstance(fact, Joined)
            table.presence.touch(fact.seat, now())
            return {"keys": (Key(hash_, name, fact.seat, "seat"),)}

        def build(state: TableState) -> Joined:
            return Joined(at=now(), seat=choose(state), name=cleaned)

        answer = await table.do(None, build, seat_held, key_changes)
        if "seat" in answer:
            return Seated(name, answer["seat"], token, is_new=claim.browser is None)
        key = await self._store.key(hash_)
        if key is None:
            raise ApiError(409, "taken", "this seat has been given to someone else")
        return Seated(name, key.seat, token)

    # ------------------------------------------------------------------ another browser

    async def resume_link(self, table: str, seat: int) -> str:
        """Return a new code for a link that resumes a seat in another browser. Any previous link becomes invalid."""
        code = new_token()
        await self._store.set_link(Key(hash_of(code), table, seat, "resume"))
        return code

    async def resume(self, code: str, claim: Claim = NOBODY) -> Seated:
        """Resume a seat with a link, which can be used only once, unless the person has a seat. Raises `ApiError`."""
        link, held = await self.resumed_by(code, claim)
        if held is not None:
            return held
        table = await self._table(link.table)
        token = claim.token(table.state.created.secret, link.hash)
        seat = link.seat

        async def check(_state: TableState) -> Answer | None:
            nonlocal seat
            self._store.forget(link.table)
            known = await self._store.key(hash_of(token))
            found = known or await self._store.key(link.hash)
            if found is None or found.purpose not in {"seat", "resume"}:
                raise _no_link()
            seat = found.seat
            return None if known is None else {}

        def key_changes(_event: Fact) -> dict[str, Any]:
            new = Key(hash_of(token), link.table, seat, "seat")
            return {"keys": (new,), "resumed": dataclasses.replace(link, seat=seat)}

        await table.do(seat, lambda _: Rekeyed(at=now(), seat=seat), check, key_changes)
        return Seated(link.table, seat, token)

    async def resumed_by(self, code: str, claim: Claim = NOBODY) -> tuple[Key, Seated | None]:
        """Return the key of a link and the caller's seat, without using the link. Raises `ApiError`."""
        key = await self._store.key(hash_of(code))
        if key is None or key.purpose not in {"resume", "used"}:
            raise _no_link()
        held = await self.holder(key.table, claim)
        if held is None and key.purpose == "used" and claim.key is None:
            raise _no_link()
        return key, held

    # ------------------------------------------------------------------ before the first deal

    async def place(self, who: SeatAccess, seat: int, place: str) -> Answer:
        """Free a seat, with a new ``invitation`` in the answer, or give it to a computer player. Raises `ApiError`."""
        code = new_token() if place == OPEN else None
        keys = {} if code is None else {"keys": (Key(hash_of(code), who.table.name, seat, "join"),)}
        answer = await who.do(lambda state, own, at: commands.place(state, own, seat, place, at), lambda _event: keys)
        is_new = code is not None and await self._store.key(hash_of(code)) is not None
        return answer | {"invitation": f"/join/{code}" if is_new else None}


def _open_seat(state: TableState, wanted: int | None) -> int:
    """Return the requested seat or, by default, the first open seat. Raises `ApiError` (taken) if it isn't open."""
    free = [seat for seat, name in enumerate(state.names) if name is None]
    if not free or wanted not in {None, *free}:
        raise ApiError(409, "taken", "someone has already taken this seat")
    return free[0] if wanted is None else wanted


def _no_link() -> ApiError:
    return ApiError(404, "no_link", "there is no such link, or it has been used")
