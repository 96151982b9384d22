"""Seats and matches that a request is about; where a log has to be read for them, each address waits for its turn."""

from starlette.requests import HTTPConnection

from millebornes.web.server.limits import Limits, place_of
from millebornes.web.server.metrics import note_seat
from millebornes.web.service import SeatAccess, Service
from millebornes.web.table.live import LiveTable
from millebornes.web.table.state import TableState

__all__ = ["address_of", "match_of", "seat_of"]


def address_of(request: HTTPConnection) -> str:
    """Where a request comes from, for limits."""
    return place_of(request.client.host) if request.client is not None else ""


async def seat_of(
    service: Service, limits: Limits, request: HTTPConnection, token: str | None, *, strict: bool
) -> SeatAccess:
    """Who asks, as `Service.seat`, at the table that the address names. Raises `ApiError`."""
    table = str(request.path_params["table"])
    if table in service.live:
        who = await service.seat(table, token, strict=strict)
    else:
        async with limits.reading(address_of(request)):
            who = await service.seat(table, token, strict=strict)
    note_seat(request, who)
    return who


async def match_of(
    service: Service, limits: Limits, request: HTTPConnection, table: LiveTable, number: int
) -> TableState:
    """A table at the end of one of its matches, as `Service.past`. Raises `ApiError`."""
    address = address_of(request)
    if await service.has_ended(table, number) and not service.archive.has(table.name, number):
        limits.spend("past", address)
    async with limits.reading(address):
        return await service.past(table, number)
