"""The seats of a table: which players they are for, who has taken them, and who comes and goes."""

from typing import Final

from msgspec import UNSET

from millebornes.schema.api import AwayEvent, JoinedEvent, LeftEvent, SwappedEvent, WaitEvent
from millebornes.shown import distinct
from millebornes.table.facts import Away, Back, Created, Left, Placed, Rekeyed, Returned, Swapped, Waited
from millebornes.table.messages import MessageWriter

ME: Final = "me"
OPEN: Final = "open"
AWAY_AFTER: Final = 40_000
"""If there is no sign of a seat for this many milliseconds, the others can choose what to do."""


class Seats:
    """The player in each seat, as the log of a table records it."""

    def __init__(self, created: Created) -> None:
        self.created = created
        """How the table was created, but with the settings of the current match."""
        self.places: list[str] = list(created.places)
        """Which player each seat is for, as in `Created`. This can change until the first deal."""
        self.names: list[str | None] = [
            created.name if place == ME else None if place == OPEN else place for place in created.places
        ]
        if created.names is not None:
            self.names = list(created.names)
        self.origins: list[int] = list(range(len(created.places)))
        """The number that each seat had when the table was created. Invitations move with people who swap."""
        self.away: set[int] = set()
        """The seats whose people have left. A computer player decides for them."""
        self.sent_away: set[int] = set()
        """The seats in ``away`` that others gave to the computer. At the first sign of their people, these are back."""
        self.absent: dict[int, int] = {}
        """The seats that don't respond, and when the others can choose what to do (milliseconds since 1970)."""
        self.is_cancelled = False
        """Whether the creator has cancelled the table."""

    @property
    def humans(self) -> tuple[bool, ...]:
        """Whether each seat is for a person."""
        return tuple(place in {ME, OPEN} for place in self.places)

    @property
    def is_one_screen(self) -> bool:
        """Whether all people at this table play at one screen, so that all of them know what one of them does."""
        return self.created.names is not None

    @property
    def creator(self) -> int | None:
        """The seat of the creator, or None if the creator is a spectator."""
        return self.places.index(ME) if ME in self.places else None

    @property
    def is_full(self) -> bool:
        """Whether every seat is taken."""
        return None not in self.names

    @property
    def shown_names(self) -> list[str | None]:
        """The names in all seats, made different from each other. The name of an open seat is None."""
        named = iter(distinct([name for name in self.names if name is not None]))
        return [None if name is None else next(named) for name in self.names]

    @property
    def present(self) -> tuple[int, ...]:
        """The seats of the people who haven't left."""
        people = (seat for seat, human in enumerate(self.humans) if human and self.names[seat] is not None)
        return tuple(seat for seat in people if seat not in self.away)

    @property
    def is_listed(self) -> bool:
        """Whether the table is shown in the lobby, because it has open seats and its creator is present."""
        creator = self.creator
        is_there = creator not in self.away and creator not in self.absent
        return self.created.listed and not self.is_cancelled and not self.is_full and is_there

    def is_played_for(self, seat: int) -> bool:
        """Return whether a computer player decides for a seat, as its player or in place of a person who has left."""
        return not self.humans[seat] or seat in self.away

    def sit(self, out: MessageWriter, seat: int | None) -> None:
        """Add the message that a person takes a seat. If ``seat`` is None, add only a version."""
        if seat is None:
            out.skip()
        else:
            out.broadcast(JoinedEvent(seat=seat, name=self.shown_names[seat]))

    def apply_seat_fact(
        self, out: MessageWriter, fact: Left | Returned | Away | Back | Waited | Placed | Rekeyed | Swapped
    ) -> None:
        """Apply a fact about who is present, and add its message."""
        seat = fact.seat
        name = self.shown_names[seat]
        match fact:
            case Left(by=by):
                self.away.add(seat)
                self.absent.pop(seat, None)
                if by is not None:
                    self.sent_away.add(seat)
                out.broadcast(LeftEvent(seat=seat, name=name, by=UNSET if by is None else by))
            case Returned():
                self.away.discard(seat)
                self.sent_away.discard(seat)
                self.sit(out, seat)
            case Away(until=until):
                self.absent[seat] = until
                out.broadcast(AwayEvent(seat=seat, name=name, left=max(0, until - fact.at)))
            case Waited(by=by, until=until):
                self.absent[seat] = until
                out.broadcast(WaitEvent(seat=seat, name=name, by=by, left=max(0, until - fact.at)))
            case Back():
                self.absent.pop(seat, None)
            case Placed(place=place, by=by):
                if name is not None:
                    out.broadcast(LeftEvent(seat=seat, name=name, free=True, by=UNSET if by is None else by))
                self._place(seat, place)
                if place != OPEN:
                    self.sit(out, seat)
            case Swapped(other=other, by=by):
                self._swap(seat, other)
                shown = self.shown_names
                out.broadcast(SwappedEvent(seat=seat, name=shown[seat], other=other, other_name=shown[other], by=by))
            case Rekeyed():
                out.resumed(seat)

    def _swap(self, seat: int, other: int) -> None:
        self.places[seat], self.places[other] = self.places[other], self.places[seat]
        self.names[seat], self.names[other] = self.names[other], self.names[seat]
        self.origins[seat], self.origins[other] = self.origins[other], self.origins[seat]
        changed = {seat: other, other: seat}
        self.away = {changed.get(each, each) for each in self.away}
        self.sent_away = {changed.get(each, each) for each in self.sent_away}
        self.absent = {changed.get(each, each): until for each, until in self.absent.items()}

    def _place(self, seat: int, place: str) -> None:
        self.places[seat] = place
        self.names[seat] = None if place == OPEN else place
        self.away.discard(seat)
        self.sent_away.discard(seat)
        self.absent.pop(seat, None)
