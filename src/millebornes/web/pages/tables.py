"""The page of a table for one viewer. Everything on it shows the same moment."""

from types import SimpleNamespace
from typing import TYPE_CHECKING

from millebornes.editions import Rules
from millebornes.game import Action, Hand, Move, View
from millebornes.markup import board
from millebornes.players.hint import hint
from millebornes.policies.maxim_catalogue import MAXIMS
from millebornes.table.questions import Coup, Extension, SeatQuestion, Turn
from millebornes.table.state import TableState, is_complete, may_request_undo, may_undo
from millebornes.web.pages import model
from millebornes.web.pages.forms import rematch_of
from millebornes.web.tables.background import Progress
from millebornes.words.activity import ALL_AGREED, REQUESTS, activity_lines, line_of, words_at
from millebornes.words.editions import terms_text, with_swap
from millebornes.words.moves import describe_move
from millebornes.words.narration import Narrator
from millebornes.words.words import TableWords, Words

if TYPE_CHECKING:
    from millebornes.analysis.records import Analysis


def table_model(
    state: TableState,
    seat: int | None,
    question: SeatQuestion | None,
    words: Words,
    *,
    time: int,
    auto_pass: bool = False,
) -> SimpleNamespace:
    """Return the contents of a table's page for a seat, or for a spectator if ``seat`` is None.

    ``time`` is the current time in milliseconds since 1970, and all durations are in milliseconds. ``asked`` is
    ``turn``, ``coup``, ``extend`` or "".
    """
    words = words_at(state, words)
    participants, match, status = words.participants, state.match, state.status
    own = None if seat is None else state.view(seat)
    shown: View | None = own or state.view(None)
    turn = () if state.turn is None else (state.turn,)
    free = [n for n, name in enumerate(state.names) if name is None]
    plates = board.plates_of(participants, seat, () if shown is None else shown.hand_sizes, turn, state.away, free)
    sides = [] if shown is None else board.side_models(shown, plates, seat, words)
    legal: list[Move] = [] if question is None or own is None else list(own.legal_moves)
    asked = {Turn: "turn", Coup: "coup", Extension: "extend"}.get(type(question), "") if question is not None else ""
    drawn = question.drawn if isinstance(question, Turn) else ()
    sheet = None
    if match is not None and status in {"hand_over", "match_over"} and match.hand.is_over:
        sheet = model.sheet_of(match.hand, state.overall, seat, words, state.created.match_target)
        for side in sides:
            side.total = state.overall[side.side]
    is_over, opened, window = status == "match_over", state.open, state.window
    last, clocks = _last_move(state), None if state.clocks is None else state.clocks.to_object(time)
    fill = None if state.is_full else state.created.fill
    usable = legal if asked == "turn" else ()
    return SimpleNamespace(
        table=state.created.table,
        version=state.version,
        status=status,
        is_complete=is_complete(state),
        seat=seat,
        is_seated=seat is not None,
        is_creator=seat is not None and seat == state.creator,
        is_away=seat in state.away,
        plates=plates,
        sides=sides,
        road=board.road_of(sides) if sides else None,
        seats=state.rules.seats,
        goal=state.rules.goal if shown is None else shown.goal,
        hand_number=state.next_hand[1] if match is None or opened is not None else match.hand_number,
        match_number=state.number,
        match_target=state.created.match_target,
        draw_pile=0 if shown is None else shown.draw_pile,
        discard_top=None if shown is None else shown.discard_top,
        headline=headline_of(state, asked, seat, words),
        asked=asked,
        hand=[] if own is None else model.hand_cards(own, usable, drawn, words),
        answers=model.answers_of(legal, seat, words) if asked in {"coup", "extend"} else (),
        window=None
        if window is None
        else SimpleNamespace(id=window.seq, ms=window.until - window.opened, left=max(0, window.until - time)),
        last_move="" if last is None or last.move is None else last.move.text,
        last_seat=None if last is None or last.parent is None else last.parent.seat,
        landed=board.landed_on(last),
        # The number of plies would reveal who has passed on a coup fourré (R5.5).
        moves_seen=0 if last is None else sum(move.action is not Action.PASS for move in last.moves),
        auto_pass=auto_pass,
        sheet=sheet,
        result=_result(state, seat, words) if is_over else "",
        ending=_ending(state, seat, words) if is_over else "",
        is_winner=is_over and seat is not None and state.winner == state.rules.side_of(seat),
        finished=finished_hands(state),
        shuffling=None if opened is None else opened.fact.hand,
        needs_entropy=opened is not None and seat is not None and seat not in opened.seeds,
        spectators=state.created.spectators,
        absent=[
            (n, participants.seat(n), max(0, until - time)) for n, until in sorted(state.absent.items()) if n != seat
        ],
        fill=None if fill is None else max(0, state.created.at + fill - time),
        clocks=[
            (participants.seat(n, seat), left, n == clocks.running)
            for n, left in enumerate(clocks.left)
            if left is not None
        ]
        if clocks is not None
        else [],
        lines=activity_lines(state, seat, words),
        can_hint=bool(asked) and may_hint(state, seat),
        hint=None,
        hint_problem="",
        rematch=rematch_of(state, seat, words) if is_over else None,
        proposal=_proposal(state, seat, words),
        can_undo=seat is not None and may_undo(state, seat),
        can_request_undo=seat is not None and state.requested is None and may_request_undo(state, seat),
        can_resign=state.rules.sides == 2,
        request=_request(state, seat, words),
        terms=terms_text(state.rules, state.created.match_target, words.translate),
    )


def may_hint(state: TableState, seat: int | None) -> bool:
    """Return whether a seat may ask for hints. Only people who play against computer players alone may do so."""
    return seat is not None and [n for n, human in enumerate(state.humans) if human] == [seat]


def hint_model(
    analysis: "Analysis | None", state: TableState, seat: int, hand: list[model.HandCard], words: Words
) -> SimpleNamespace:
    """Return a hint: a sentence, the ``lines`` behind it, and the id of the card that it is about (``slot``), or "".

    If ``analysis``, which takes a while, is None, the hint is the advice of the maxims.
    """
    _, words = words.translate, words_at(state, words)

    def slot(best: Move) -> str:
        return next((card.id for card in hand if card.card is best.card), "")

    if analysis is None:
        view = state.view(seat)
        assert view is not None
        advice = hint(view)
        move = describe_move(advice.best, seat, words)
        says = () if advice.maxim is None else (words.theme.worded(_(MAXIMS[advice.maxim].says)),)
        sentence = _("Rule of thumb: {move}.").format(move=move)
        return SimpleNamespace(sentence=sentence, lines=says, slot=slot(advice.best), note="")
    from millebornes.words.hints import hint_sentence  # loaded only if there is a hint to show
    from millebornes.words.reasons import explain

    sentence = hint_sentence(analysis, seat, words)
    lines = explain(analysis, words)
    return SimpleNamespace(sentence=sentence, lines=lines, slot=slot(analysis.best), note="")


def hint_note(progress: Progress, words: Words, *, is_first: bool) -> str:
    """Return a note that a better hint is being made, and how long that takes.

    ``is_first`` is true if it may have to wait until code has been compiled.
    """
    _ = words.translate
    note = _("The computer is still working out your moves. A better hint follows.")
    if is_first:
        return " ".join([note, _("The first hint can take a minute.")])
    wait = _.plural("About {n} second left.", "About {n} seconds left.", progress.seconds)
    return " ".join([note, wait.format(n=progress.seconds)])


def _proposal(state: TableState, seat: int | None, words: TableWords) -> SimpleNamespace | None:
    """Return the ``text`` of a proposal for another match, and whether it ``waits`` for the viewer's answer."""
    proposal, _ = state.proposal, words.translate
    if proposal is None:
        return None
    pair = "" if proposal.swap is None else words.participants.pair(*proposal.swap, seat)
    terms = with_swap(terms_text(Rules.parse(proposal.rules), proposal.match_target, _), pair, _)
    is_own = proposal.seat == seat
    text = _(line_of("proposed", is_own=is_own)).format(name=words.participants.seat(proposal.seat), terms=terms)
    return SimpleNamespace(text=text, waits=not is_own and seat is not None and seat not in state.agreed)


def _request(state: TableState, seat: int | None, words: TableWords) -> SimpleNamespace | None:
    """Return the ``text`` of a request to others, and whether it ``waits`` for the viewer's answer."""
    wish = state.requested
    if wish is None:
        return None
    own, other = REQUESTS[wish.what]
    text = words.translate(own if wish.seat == seat else other)
    return SimpleNamespace(text=text.format(name=words.participants.seat(wish.seat)), waits=seat in state.concerned)


def finished_hands(state: TableState) -> tuple[int, ...]:
    """Return the numbers of the finished hands in this match."""
    if state.match is None:
        return ()
    return tuple(n for n, hand in enumerate(state.match.hands, 1) if hand.is_over)


def _last_move(state: TableState) -> Hand | None:
    """Return the hand after the latest move that all players have seen. A pass isn't such a move (R5.5)."""
    hand = None if state.status == "waiting" else state.hand
    while hand is not None and hand.move is not None and hand.move.action is Action.PASS:
        hand = hand.parent
    return hand


def _result(state: TableState, seat: int | None, words: TableWords) -> str:
    ended, _ = state.ended, words.translate
    if state.match is None:
        return ""
    if ended is not None and ended.what == "end":
        return _("The match has ended without a winner.")
    return Narrator(words).result(state.winner, state.loss)(seat)


def _ending(state: TableState, seat: int | None, words: TableWords) -> str:
    ended, _ = state.ended, words.translate
    if state.loss is not None:
        return Narrator(words).forfeit(state.loss)(seat)
    if ended is None:
        return ""
    if ended.what == "end":
        return _(ALL_AGREED)
    return _(line_of("resigned", is_own=ended.seat == seat)).format(name=words.participants.seat(ended.seat))


def headline_of(state: TableState, asked: str, seat: int | None, words: TableWords) -> str:
    """Return what the table is waiting for, as far as this viewer may know. ``asked`` is as in `table_model`."""
    _, status = words.translate, state.status
    if state.is_cancelled:
        return _("This table has been cancelled")
    if not state.is_full:
        return _("Waiting for players")
    if status == "waiting":
        return _("The cards are being shuffled")
    if status == "match_over":
        return _("The match is over")
    if status == "hand_over":
        return _("The hand is over")
    if asked == "coup":
        return _("You can call a coup fourré!")
    if state.window is not None:
        return _("A coup fourré can be called now")
    if asked == "extend":
        return _("You've arrived. Extend the trip?")
    if asked == "turn":
        return _("Your turn")
    turn = state.turn
    if turn is None:
        return _("One moment")
    return _("{name}'s turn").format(name=words.participants.seat(turn, None if turn != seat else seat))
