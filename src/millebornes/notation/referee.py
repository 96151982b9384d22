"""Follow a transcript move by move, and reject anything that is impossible."""

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO, Final, Literal, NamedTuple, NoReturn

from millebornes.cards import HAZARDS
from millebornes.editions import Rules
from millebornes.errors import IllegalMoveError, MilleBornesError, NotationError
from millebornes.game import Hand, Scoresheet, Standing, Tableau
from millebornes.notation.lines import TranscriptPlace
from millebornes.notation.transcript import RecordedHand, RecordedResult, read_records
from millebornes.rules.clauses import first_of_next_hand
from millebornes.rules.engine import engine_for
from millebornes.rules.replay import HandReplayer
from millebornes.rules.state import NOBODY, Phase
from millebornes.schema.reading import field_names
from millebornes.schema.strict import show
from millebornes.schema.transcript import ScoreObject

OVER: Final = int(Phase.OVER)


class CheckedMove(NamedTuple):
    """A legal move of a recorded hand, and the miles that the side of its ``seat`` had driven before it."""

    seat: int
    move: str
    distance: int


class HandOutcome(NamedTuple):
    """The result of a finished hand. ``scores`` contains the score of each side."""

    completed_by: int | None
    extended: bool
    scores: tuple[Scoresheet, ...]


class Referee:
    """Checks a transcript, of any length, in order: for each of its `hands`, read the moves and then call `conclude`.

    Raises `TranscriptError` at the first error.
    """

    def __init__(self, lines: BinaryIO | Iterable[str | bytes], where: str) -> None:
        self.header, self._records = read_records(lines, where)
        self.rules: Final[Rules] = self.header.rules
        self.standing = Standing((0,) * self.rules.sides, self.header.match_target, self.rules.tie)
        self.outcome: HandOutcome | None = None
        """The result of the latest hand, or None if the hand isn't over."""
        self.replayer: Final = HandReplayer(self.rules)
        """The positions before all decisions of the latest hand."""
        self.played = 0
        """The number of legal moves in the latest hand before the first illegal one."""
        self._engine: Final = engine_for(self.rules)
        self._latest: RecordedHand | None = None
        self._result: RecordedResult | None = None

    @property
    def winner(self) -> int | Literal["unfinished"] | None:
        """The winning side, None for a draw, or ``"unfinished"`` if the match isn't decided."""
        return self.standing.winner if self.standing.is_over else "unfinished"

    def hands(self) -> Iterator[RecordedHand]:
        """Yield each hand when its moves have been followed, and check any result."""
        for record in self._records:
            if self._result is not None:
                raise record.place.fault(
                    f"nothing can follow the result on line {self._result.place.line}, which ends the transcript"
                )
            if isinstance(record, RecordedResult):
                self._check_result(record)
                continue
            self._check_order(record)
            self._latest, self.outcome = record, None
            self.played = self.replayer.run([card.index for card in record.deck], record.first, record.moves)
            yield record

    def moves(self) -> Iterator[CheckedMove]:
        """Yield the legal moves of the latest hand, and then `conclude` it."""
        assert self._latest is not None
        seats, sides = self.replayer.small[: self.played, 1].tolist(), self.replayer.sides[: self.played].tolist()
        for seat, words, move in zip(seats, sides, self._latest.moves, strict=False):
            yield CheckedMove(seat, move, Tableau(words[self.rules.side_of(seat)]).distance)
        self.conclude()

    def conclude(self) -> None:
        """Check the end of the latest hand. Afterwards, `outcome` and `standing` include it."""
        hand = self._latest
        assert hand is not None
        if self.played < len(hand.moves):
            self._refuse(hand, self.played)
        if self.replayer.small[self.played, 0] != OVER:
            if hand.scores is not None:
                raise hand.place.fault(
                    f"scores: the hand is not over after its {len(hand.moves)} moves, so it cannot have scores"
                )
            return
        self._finish(hand, self.replayer.state)

    def _check_result(self, result: RecordedResult) -> None:
        totals, recorded = list(self.standing.totals), list(result.totals)
        if (self._latest is not None and self.outcome is None) or not self.standing.is_over:
            raise result.place.fault(f"result: the match is not over (R8.1); the totals are {totals}{self._aim()}")
        if recorded != totals:
            raise result.place.fault(f"totals: {recorded} is recorded, but the hands add up to {totals} (R8.1)")
        if result.winner != self.standing.winner:
            found, right = show(result.winner), show(self.standing.winner)
            raise result.place.fault(f"winner: {found} is recorded, but with the totals {totals} it is {right} (R8.2)")
        self._result = result

    def _aim(self) -> str:
        if self.header.match_target is None:
            return ", and without a match_target a match never ends"
        return f", the match target is {self.header.match_target}"

    def _check_order(self, hand: RecordedHand) -> None:
        place, before = hand.place, self._latest
        if before is not None and self.outcome is None:
            raise place.fault(
                f"another hand follows, but hand {before.number} on line {before.place.line} is unfinished; "
                "only the last hand may be unfinished"
            )
        if self.standing.is_over:
            raise place.fault(
                "this hand comes after the end of the match (R8.1); "
                f"the totals are {list(self.standing.totals)}{self._aim()}"
            )
        number = 1 if before is None else before.number + 1
        if hand.number != number:
            raise place.fault(f"hand: {hand.number} is out of order; this must be hand {number}")
        if before is not None:
            first = first_of_next_hand(before.first, self.rules)
            if hand.first != first:
                raise place.fault(
                    f"first: {hand.first} is out of turn; after seat {before.first} it is seat {first} (R2.7)"
                )

    def _refuse(self, hand: RecordedHand, ply: int) -> NoReturn:
        """Play the hand again with `Hand`, which raises an error that explains what is wrong with the move."""
        place = dataclasses.replace(hand.place, ply=ply)
        move = hand.moves[ply]
        before = Hand.from_deck(self.rules, hand.deck, hand.first).play_all(hand.moves[:ply])
        legal = f"legal: {', '.join(before.legal_moves.texts)}" if before.legal_moves else "the hand is over"
        if type(move) is not str:
            raise place.fault(f"{show(move)} isn't a move, which must be a string; {legal}")
        try:
            before.play(move)
        except IllegalMoveError as error:
            raise place.fault(str(error)) from None
        except NotationError as error:
            if move in HAZARDS:
                raise place.fault(f"{show(move)} does not name a side, as {move}>1 does; {legal}") from None
            raise place.fault(f"{error}; {legal}") from None
        raise MilleBornesError(f"{move} is refused, but is legal; please report this transcript")

    def _finish(self, hand: RecordedHand, state: bytes) -> None:
        offsets = self._engine.offsets
        completed = state[offsets["completed"]]
        scores = tuple(Scoresheet.of(lines) for lines in self._engine.scores(state))
        if hand.scores is not None:
            self._check_scores(hand.place, hand.scores, scores)
        self.outcome = HandOutcome(None if completed == NOBODY else completed, bool(state[offsets["extended"]]), scores)
        self.standing = self.standing.add(sheet.total for sheet in scores)

    def _check_scores(
        self, place: TranscriptPlace, recorded: Sequence[ScoreObject], scores: tuple[Scoresheet, ...]
    ) -> None:
        if len(recorded) != len(scores):
            raise place.wrong("scores", list(recorded), f"a list of {len(scores)} score sheets, one for each side (R7)")
        for side, (found, sheet) in enumerate(zip(recorded, scores, strict=True)):
            right = sheet.to_object()
            for line in field_names(ScoreObject) if found != right else ():
                recorded_points, is_right = getattr(found, line), getattr(right, line)
                if recorded_points != is_right:
                    raise place.fault(
                        f"scores of side {side}: {line} is recorded as {recorded_points}, but it is {is_right} (R7)"
                    )
