"""Commands from people and programs. Each becomes a fact or an error that explains why it isn't possible."""

import random
import secrets
from typing import Final, NamedTuple

from millebornes.cards import CODES, Card
from millebornes.errors import NotationError
from millebornes.game import RULES_VERSION, Hand, InformationState, Move, shuffled_deck
from millebornes.game.fair_shuffle import SEAT_SEED_BYTES, SERVER_SEED_BYTES, read_hex
from millebornes.i18n import N_
from millebornes.roster import DEFAULT_PLAYER
from millebornes.schema.api import Wish
from millebornes.shown import clean_text
from millebornes.storage.saves import match_seed
from millebornes.table import facts
from millebornes.table.messages import PHRASES
from millebornes.table.refusal import CommandError
from millebornes.table.seats import AWAY_AFTER, ME, OPEN
from millebornes.table.setup import GameSetup
from millebornes.table.state import PASS, TableState, is_complete, may_request_undo, may_undo
from millebornes.themes import theme

MAX_CHAT: Final = 300


class Terms(NamedTuple):
    """The settings that can change from match to match. ``swap`` is two seats, the lower one first."""

    rules: str
    match_target: int | None
    coup_window: int
    swap: tuple[int, int] | None = None


def create(setup: GameSetup, at: int, coup_window: int) -> facts.Created:
    """Return the fact that creates a table with a new name and a new secret. ``coup_window`` is the usual one."""
    creator = setup.people[0] if setup.people else None
    return facts.Created(
        at=at,
        table=secrets.token_urlsafe(9),
        rules=str(setup.rules),
        rules_version=RULES_VERSION,
        places=tuple(ME if seat == creator else place for seat, place in enumerate(setup.places)),
        name="" if creator is None else setup.names[creator],
        match_target=setup.match_target,
        spectators=setup.spectators,
        coup_window=coup_window if setup.coup_window is None else setup.coup_window,
        secret=secrets.token_hex(16),
        seed=setup.seed,
        listed=setup.listed,
        clock=setup.clock,
        fill=setup.fill,
    )


def check_version(state: TableState, version: int) -> None:
    """Raise `CommandError` (stale) if the question has changed since ``version``. Chat messages don't matter."""
    if not state.question_version <= version <= state.version:
        text = f"the table has changed since version {version}; look at it again"
        raise CommandError("stale", text, version=state.version)


def move(state: TableState, seat: int, text: str, at: int) -> facts.MoveMade | None:
    """Return the fact for a move, or None for a pass (R5.5). Raises `CommandError` (turn, malformed, illegal)."""
    view = None if state.question(seat) is None else state.view(seat)
    if view is None:
        raise CommandError("turn", "it isn't your decision now")
    try:
        wanted = Move.parse(text)
    except NotationError as error:
        raise CommandError("malformed", f"move: {error}") from None
    if wanted not in view.legal_moves:
        reason = view.why_not(wanted)
        clause, why = ("R2.5", N_("you can't play it now")) if reason is None else (reason.clause, reason.text)
        texts, text = sorted(map(str, view.legal_moves)), f"{wanted} is not legal: {theme().worded(why)} ({clause})"
        raise CommandError("illegal", text, why=why, clause=clause, legal=texts)
    return None if wanted == PASS else facts.MoveMade(at=at, seat=seat, move=wanted.text)


def begin(state: TableState, at: int) -> facts.Shuffled | facts.HandDealt:
    """Return the fact that begins the next hand: a commitment or, if the table has a seed, the deal itself."""
    number, hand = state.next_hand
    seed = state.created.seed
    if seed is None:
        return facts.Shuffled(at=at, match=number, hand=hand, server_seed=secrets.token_bytes(SERVER_SEED_BYTES).hex())
    deck = shuffled_deck(state.next_rules, match_seed(seed, number), hand)
    return facts.HandDealt(at=at, match=number, hand=hand, deck=_codes(deck))


def deal(state: TableState, at: int) -> facts.HandDealt:
    """Return the fact that deals the hand to which the server has committed itself."""
    number, hand = state.next_hand
    return facts.HandDealt(at=at, match=number, hand=hand, deck=_codes(state.deck()))


def deal_from(created: facts.Created, seen: InformationState) -> facts.HandDealt:
    """Return the fact for a first hand that continues from what a seat has seen. Other cards are dealt again."""
    hand = seen.consistent_hand(random.Random(f"{created.secret} deal"))
    return dealt_before(hand, 1, 1, created.at)


def dealt_before(hand: Hand, match: int, number: int, at: int) -> facts.HandDealt:
    """Return the fact that deals a hand, of a match, that was dealt elsewhere, and makes the moves made there."""
    assert hand.deck is not None
    moves = tuple(move.text for move in hand.moves)
    first = None if hand.first == (match - 1) % hand.rules.seats else hand.first
    return facts.HandDealt(at=at, match=match, hand=number, deck=_codes(hand.deck), moves=moves, first=first)


def _codes(deck: tuple[Card, ...]) -> str:
    return " ".join(CODES[card] for card in deck)


def next_hand(
    state: TableState, seat: int, at: int, terms: Terms | None = None
) -> facts.Shuffled | facts.HandDealt | facts.Proposed | facts.Agreed | None:
    """Return the fact that begins the next hand or match, or that proposes or accepts other settings for the match.

    If ``terms`` differ from the settings of the match, the seat proposes them. Without terms, the seat agrees to the
    current proposal, if there is one. If the seat has already agreed, the function returns None. Raises `CommandError`
    if the current hand (or match, with terms) isn't over, or if the table is complete.
    """
    if state.status not in {"hand_over", "match_over"}:
        raise CommandError("not_over", "there is no finished hand to continue from", version=state.version)
    if is_complete(state):
        raise CommandError("complete", f"this table is complete after {state.hands} hands; set up another one")
    proposal = state.proposal
    if terms is not None and not state.is_between:
        raise CommandError("not_over", "settings: the match is not over yet", version=state.version)
    created = state.created
    if terms == Terms(created.rules, created.match_target, created.coup_window):
        return begin(state, at)
    if proposal is not None:
        proposed = Terms(proposal.rules, proposal.match_target, proposal.coup_window, proposal.swap)
        if terms is None or terms == proposed:
            return None if seat in state.agreed else facts.Agreed(at=at, seat=seat)
    return begin(state, at) if terms is None else facts.Proposed(at=at, seat=seat, **terms._asdict())


def undo(state: TableState, seat: int, at: int) -> facts.Undone:
    """Return the fact that takes back a person's latest decision. Raises `CommandError` (no_undo)."""
    if not may_undo(state, seat):
        raise CommandError(
            "no_undo",
            "there is no move that you can take back now; if other people play, they must agree to it first",
        )
    return facts.Undone(at=at, seat=seat, settled=True)


def request(state: TableState, seat: int, what: Wish, at: int) -> facts.Requested | None:
    """Return the fact with which a person asks the others for consent, or None if the person has already asked.

    Raises `CommandError` (not_playing, no_undo, sides, requested).
    """
    if state.status not in {"playing", "hand_over"} or (state.status == "hand_over" and state.is_between):
        raise CommandError("not_playing", "no match is being played at this table now")
    if seat in state.away:
        raise CommandError("away", "you have left the table; return first")
    if what == "undo" and not may_request_undo(state, seat):
        raise CommandError("no_undo", "you have no move in this hand that can be taken back now")
    if what == "resign" and state.rules.sides != 2:
        raise CommandError("sides", "you can resign only at a table with two sides; leave, or ask to end the match")
    known = state.requested
    if known is not None and known.seat != seat:
        raise CommandError("requested", "another player has asked for something; answer that first")
    if known is not None and known.what == what:
        return None
    return facts.Requested(at=at, seat=seat, what=what, settled=what == "undo")


def reply(state: TableState, seat: int, agree: bool, version: int, at: int) -> facts.Agreed | facts.Declined:
    """Return the fact with which a person answers a request. Raises `CommandError` (no_request, stale)."""
    known = state.requested
    if known is None or seat not in state.concerned:
        raise CommandError("no_request", "no one is asking you to agree to anything now")
    if version < state.requested_version:
        raise CommandError("stale", "another request has been made since then; look at it", version=state.version)
    return facts.Agreed(at=at, seat=seat) if agree else facts.Declined(at=at, seat=seat)


def contribute(state: TableState, seat: int, hand: int, text: str, at: int) -> facts.SeedContributed | None:
    """Return the fact for a seat's contribution to the shuffle, or None if there was one. Raises `CommandError`."""
    try:
        seed = read_hex(text, SEAT_SEED_BYTES, "bytes")
    except NotationError as error:
        raise CommandError("malformed", str(error)) from None
    if state.open is None or state.open.fact.hand != hand:
        raise CommandError("dealt", f"hand {hand} is not being shuffled")
    return None if seat in state.open.seeds else facts.SeedContributed(at=at, seat=seat, seed=seed.hex())


def chat(seat: int, text: str | None, phrase: str | None, at: int) -> facts.ChatSent:
    """Return the fact for a chat message: a text or the name of a phrase. Raises `CommandError`."""
    if (text is None) == (phrase is None):
        raise CommandError("malformed", "text, phrase: give one of them, and only one")
    if phrase is not None:
        if phrase not in PHRASES:
            raise CommandError("malformed", f"phrase: it must be one of {', '.join(PHRASES)}")
        return facts.ChatSent(at=at, seat=seat, text=PHRASES[phrase], phrase=phrase)
    assert text is not None
    shown = clean_text(text[: 4 * MAX_CHAT])
    if not shown:
        why = N_("A message needs at least one visible character.")
        raise CommandError("malformed", "text: it must contain at least one visible character", why=why)
    if len(shown) > MAX_CHAT or len(text) > 4 * MAX_CHAT:
        raise CommandError("too_long", f"text: it must have at most {MAX_CHAT} characters")
    return facts.ChatSent(at=at, seat=seat, text=shown)


def leave(state: TableState, seat: int, at: int) -> facts.Left | facts.Placed | None:
    """Return the fact for a person who leaves, or None. Before the first deal, a seat becomes free again."""
    if state.match is None and state.places[seat] == OPEN:
        return None if state.names[seat] is None else facts.Placed(at=at, seat=seat, place=OPEN)
    return None if seat in state.away else facts.Left(at=at, seat=seat)


def fill(state: TableState, at: int) -> facts.Placed | None:
    """Return the fact that gives the first open seat to a computer player, or None if someone has just taken it."""
    if state.is_full:
        return None
    return facts.Placed(at=at, seat=state.names.index(None), place=DEFAULT_PLAYER, by=state.creator)


def place(state: TableState, own: int, seat: int, place: str, at: int) -> facts.Placed | None:
    """Return the fact with which the creator, in seat ``own``, frees a seat or gives it to a computer player.

    If nothing would change, return None. Raises `CommandError` if another person asks, or if ``seat`` can't be changed.
    """
    if own != state.creator:
        raise CommandError("creator", "only the person who set up the table can change its seats")
    if not 0 <= seat < state.rules.seats:
        raise CommandError("no_seat", f"there is no seat {seat} at this table")
    if seat == own:
        raise CommandError("own_seat", "this is your own seat")
    if state.match is not None:
        raise CommandError("dealt", "the first hand has been dealt, so seats can't be changed any more")
    if (state.places[seat], state.names[seat]) == (place, None if place == OPEN else place):
        return None
    return facts.Placed(at=at, seat=seat, place=place, by=own)


def swap(state: TableState, own: int, seat: int, other: int, at: int) -> facts.Swapped | None:
    """Return the fact with which the players in two seats change places, or None if nothing would change.

    The creator may swap any two seats, and others may move to an open seat, but only before the first deal. ``own`` is
    the seat of the caller. Raises `CommandError` (creator, no_seat, dealt).
    """
    for each in (seat, other):
        if not 0 <= each < state.rules.seats:
            raise CommandError("no_seat", f"there is no seat {each} at this table")
    if state.match is not None:
        raise CommandError("dealt", "the first hand has been dealt; seats stay as they are")
    names = state.names[seat], state.names[other]
    if own != state.creator and not (own in {seat, other} and None in names):
        raise CommandError("creator", "only whoever set up the table decides about the seats of others")
    return None if seat == other or names == (None, None) else facts.Swapped(at=at, seat=seat, other=other, by=own)


def cancel(state: TableState, seat: int, at: int) -> facts.Cancelled:
    """Return the fact with which the creator cancels the table. Raises `CommandError` (creator, dealt)."""
    if seat != state.creator:
        raise CommandError("creator", "only the person who set up the table can cancel it")
    if state.match is not None:
        raise CommandError("dealt", "the first hand has been dealt; propose to end the match instead")
    return facts.Cancelled(at=at, seat=seat)


def return_(state: TableState, seat: int, at: int) -> facts.Returned | None:
    """Return the fact for a person who returns to their seat, or None if they haven't left."""
    return facts.Returned(at=at, seat=seat) if seat in state.away else None


def absent(state: TableState, own: int, seat: int, choice: str, at: int) -> facts.Left | facts.Waited:
    """Return the fact with which seat ``own`` waits for ``seat`` or lets a computer play. Raises `CommandError`."""
    if choice not in {"wait", "computer"}:
        raise CommandError("malformed", "choice: it must be wait or computer")
    until = state.absent.get(seat)
    if until is None or seat == own:
        raise CommandError("present", f"seat: {seat} is not away")
    if at < until:
        left = until - at
        raise CommandError(
            "too_early", f"seat {seat} may still come back; you can choose in {-(-left // 1000)} s", left=left
        )
    if choice == "wait":
        return facts.Waited(at=at, seat=seat, by=own, until=at + AWAY_AFTER)
    return facts.Left(at=at, seat=seat, by=own)
