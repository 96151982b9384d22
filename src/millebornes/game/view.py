"""A view: everything that one seat can see of a hand, and all that its player can base a decision on."""

import dataclasses
import operator
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

import msgspec

from millebornes.cards import Card, sorted_cards
from millebornes.editions import Rules
from millebornes.game.checks import check_names
from millebornes.game.decks import word_of_cards
from millebornes.game.legal import LegalMoves
from millebornes.game.move import Move, as_move, move_codes
from millebornes.game.position import (
    ReadPosition,
    cards_text,
    count_cards,
    counts_text,
    match_text,
    parse_view,
    side_text,
    trip_text,
    turn_text,
)
from millebornes.game.tableau import Pending, Tableau, side_object
from millebornes.rules import clauses
from millebornes.rules.clauses import Reason
from millebornes.rules.engine import engine_for
from millebornes.rules.refusal import Seen, refusal
from millebornes.rules.state import NOBODY, Phase
from millebornes.schema.reading import field_names
from millebornes.schema.view import PendingObject, ViewObject

_CARDS: Final = tuple(Card)
_PHASES: Final = {phase: phase.name.lower() for phase in Phase}
_SAME: Final = [n for n in field_names(ViewObject) if n not in {"phase", "sides", "discards", "played", "pending"}]
_same: Final = operator.attrgetter(*_SAME)


def counts_to_dict(counts: Mapping[Card, int]) -> dict[Card, int]:
    """Return the number of cards of each kind as in the bot protocol, without kinds that have no cards."""
    return {card: count for card, count in counts.items() if count}


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A hand as seen by one seat. It contains nothing that the player of this seat couldn't see at a real table.

    ``mover`` is the seat to decide, or None if that is hidden (R5.5) or the hand is over. ``hand`` contains the sorted
    cards of this seat. ``hand_sizes`` has an entry for each seat; ``tableaux`` and ``totals`` have one for each side.
    ``discards`` includes the hazards that were discarded because of a safety. ``played`` contains the number of cards
    of each kind in all tableaux, including buried cards. ``totals`` (points), ``hand_number`` and ``match_target``
    describe the match.
    """

    rules: Rules
    """The rules of the table."""
    seat: int
    """The seat that has this view."""
    phase: Phase
    """The kind of decision that has to be made."""
    mover: int | None
    hand: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    draw_pile: int
    """The number of cards left in the draw pile."""
    tableaux: tuple[Tableau, ...]
    discard_top: Card | None
    """The card on top of the discard pile, or None if it is empty."""
    discards: Mapping[Card, int]
    played: Mapping[Card, int]
    first: int
    """The nominal first seat of the hand (R2.7)."""
    extended: bool
    """Whether an extension has been called."""
    completed_by: int | None = None
    """The side that has completed the trip, or None."""
    pending: Pending | None = None
    """The hazard that can still be answered with a coup fourré, or None."""
    totals: tuple[int, ...] = ()
    hand_number: int = 1
    match_target: int | None = None

    def __reduce__(self) -> tuple[object, tuple[dict[str, Any]]]:
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return _restored, (fields | {"discards": dict(self.discards), "played": dict(self.played)},)

    @property
    def side(self) -> int:
        """The side to which this seat belongs."""
        return self.rules.side_of(self.seat)

    @property
    def own(self) -> Tableau:
        """The tableau of this seat's side."""
        return self.tableaux[self.side]

    @property
    def goal(self) -> int:
        """The goal in force, in miles."""
        return clauses.goal_in_force(self.rules, self.extended)

    @property
    def asked_for(self) -> Card | None:
        """The safety that this seat is asked to call as a coup fourré or to pass on (R5.1, R5.6), or None.

        >>> hand.view(0).asked_for is None
        True
        """
        if self.mover != self.seat or self.phase not in {Phase.COUP, Phase.OPENING}:
            return None
        return clauses.answer_to(self.pending.hazard if self.pending else None)

    @property
    def unseen(self) -> dict[Card, int]:
        """The number of cards of each kind that this seat hasn't seen: those in other hands and in the draw pile.

        >>> hand.view(0).unseen[Card("25")]
        7
        """
        left = dict(zip(_CARDS, self.rules.deck, strict=True))
        for card in self.hand:
            left[card] -= 1
        return {card: count - self.discards[card] - self.played[card] for card, count in left.items()}

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves of this seat. There are none if it isn't the seat to decide.

        >>> len(hand.view(0).legal_moves), len(hand.view(1).legal_moves)
        (5, 0)
        """
        codes = move_codes(self.rules, self.side)
        engine = engine_for(self.rules)
        if self.mover != self.seat:
            return LegalMoves(codes, (0,) * engine.targets)
        hands = [0] * self.rules.seats
        hands[self.seat] = word_of_cards(self.hand)
        state = engine.pack(
            hand=hands,
            side=[tableau.word for tableau in self.tableaux],
            seat=self.seat,
            phase=self.phase,
            extended=self.extended,
            hazard=self.pending.hazard.index if self.pending else NOBODY,
        )
        return LegalMoves(codes, engine.words(state))

    def why_not(self, move: Move | str) -> Reason | None:
        """Return the reason why this seat can't make a move now, or None if it can.

        Raises `NotationError` if a string isn't a move.

        >>> hand.view(1).why_not("-75")
        <Reason.NOT_YOUR_TURN: ('R2.1', "it isn't your turn")>
        """
        move = as_move(move)
        if self.phase is not Phase.OVER and self.mover != self.seat:
            return Reason.NOT_YOUR_TURN
        seen = Seen(
            self.rules,
            self.phase,
            self.seat,
            self.hand,
            tuple(tableau.word for tableau in self.tableaux),
            self.extended,
            self.pending.hazard if self.pending else None,
        )
        return refusal(seen, move.action, move.card, move.target)

    def to_dict(self) -> dict[str, Any]:
        """Return the view as a VIEW object of the bot protocol.

        >>> hand.view(1).to_dict()["hand"]
        ['50', '75', '75', 'end_of_limit', 'spare_tire', 'speed_limit']
        """
        view: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self.to_object()))
        return view

    def to_object(self) -> ViewObject:
        """Return the result of `to_dict` as a Struct.

        The other fields of the Struct have the same names as those of the view.

        >>> hand.view(1).to_object().draw_pile
        93
        """
        pending = self.pending
        fields: dict[str, Any] = dict(zip(_SAME, _same(self), strict=True))
        fields["phase"] = _PHASES[self.phase]
        fields["sides"] = tuple([side_object(tableau.word) for tableau in self.tableaux])
        fields["discards"] = counts_to_dict(self.discards)
        fields["played"] = counts_to_dict(self.played)
        fields["pending"] = pending and PendingObject(hazard=pending.hazard, side=pending.side, by=pending.by)
        return ViewObject(**fields)

    def to_svg(self, names: Iterable[str] = ()) -> str:
        """Draw the table as this seat sees it, as an SVG document. ``names`` contains a name for each seat, or nothing.

        Raises `NotationError` if the number of names is wrong.

        >>> hand.view(0).to_svg()[:4]
        '<svg'
        """
        from millebornes.game.svg import HandPicture, draw

        hands: list[tuple[Card, ...] | int] = list(self.hand_sizes)
        hands[self.seat] = self.hand
        return draw(
            HandPicture(
                rules=self.rules,
                tableaux=self.tableaux,
                hands=tuple(hands),
                draw_pile=self.draw_pile,
                discard_top=self.discard_top,
                discards=sum(self.discards.values()),
                goal=self.goal,
                mover=self.mover,
                names=check_names(self.rules, names),
            )
        )

    def _repr_svg_(self) -> str:
        return self.to_svg()

    @classmethod
    def parse(cls, text: str) -> "View":
        """Return the view described by a position in text form (docs/positions.md).

        Raises `NotationError` if the text is invalid, and `EditionError` if the rules are invalid.

        >>> View.parse(str(hand.view(0))) == hand.view(0)
        True
        """
        return cls.from_position(*parse_view(text))

    def __str__(self) -> str:
        rules = self.rules
        hands = [f"?{size}" for size in self.hand_sizes]
        hands[self.seat] = cards_text(sorted_cards(self.hand))
        discards = dict(self.discards)
        if self.discard_top is not None:
            discards[self.discard_top] -= 1
        pile = [card for card in _CARDS for _ in range(discards[card])]
        pile += [] if self.discard_top is None else [self.discard_top]
        return " ".join(
            (
                str(rules),
                "|".join(side_text(tableau.word) for tableau in self.tableaux),
                "|".join(hands),
                f"?{self.draw_pile}",
                cards_text(pile),
                counts_text(self.played),
                turn_text(self.phase, self.mover, self.pending),
                str(self.first),
                trip_text(self.extended, self.completed_by),
                str(self.seat),
                "|".join(map(str, self.totals)),
                match_text(self.hand_number, self.match_target),
            )
        )

    def __repr__(self) -> str:
        return f"View.parse({str(self)!r})"

    @classmethod
    def from_position(
        cls, position: ReadPosition, totals: tuple[int, ...], hand_number: int, match_target: int | None
    ) -> "View":
        """Return the view of the seat to which a position belongs. The position must have been checked."""
        seat = position.viewer
        assert seat is not None
        return cls(
            rules=position.rules,
            seat=seat,
            phase=position.phase,
            mover=position.mover,
            hand=tuple(sorted(position.hand(seat))),
            hand_sizes=position.sizes,
            draw_pile=position.draw_size,
            tableaux=tuple(Tableau(word) for word in position.words),
            discard_top=position.discards[-1] if position.discards else None,
            discards=MappingProxyType(count_cards(position.discards)),
            played=MappingProxyType(dict(position.played)),
            first=position.first,
            extended=position.extended,
            completed_by=position.completed,
            pending=position.pending,
            totals=totals,
            hand_number=hand_number,
            match_target=match_target,
        )


def _restored(fields: dict[str, Any]) -> View:
    """Return a view that is being copied or unpickled."""
    counts = {name: MappingProxyType(fields[name]) for name in ("discards", "played")}
    return View(**(fields | counts))
