"""Finished hands, which you can replay move by move with all cards face up, and how they were shuffled."""

from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from millebornes.cards import CODES, sorted_cards
from millebornes.game import Hand, Match
from millebornes.markup.board import ShownHand, board_of, landed_on
from millebornes.table.state import PASS, TableState
from millebornes.web.pages.errors import error_text, failure_text
from millebornes.web.pages.locale_text import words_of
from millebornes.web.pages.site import Site
from millebornes.web.tables.analyses import HandName, Reviews
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.seat_registry import SeatAccess
from millebornes.words.activity import words_at
from millebornes.words.editions import terms_text
from millebornes.words.narration import Narrator, heard
from millebornes.words.words import TableWords, Words

if TYPE_CHECKING:
    from millebornes.analysis.match_review import Review


def hand_address(name: HandName) -> str:
    """Return the address of the page for a finished hand."""
    return f"/t/{name.table}/hands/{name.hand}?match={name.match}"


def _finished(request: Request, state: TableState) -> tuple[int, Hand]:
    number = int(request.path_params["hand"])
    hands = () if state.match is None else state.match.hands
    if not 1 <= number <= len(hands) or not hands[number - 1].is_over:
        raise ApiError(404, "no_hand", f"hand {number} is not finished")
    return number, hands[number - 1]


def _steps(hand: Hand, number: int, narrator: Narrator, viewer: int | None) -> list[tuple[Hand, str]]:
    """Return the moments in a hand, and in words what led to each of them."""
    first, *moments = _shown_moments(hand)
    steps = [(first, narrator.hand_begins(hand, number)(viewer))]
    return steps + [(moment, " ".join(heard(narrator.move(moment), viewer))) for moment in moments]


def _shown_moments(hand: Hand) -> list[Hand]:
    """Return the start of a hand, and the moment after each move that all players have seen."""
    return [moment for moment in hand.moments if moment.move != PASS]


def _step_of(request: Request, last: int) -> int:
    text = request.query_params.get("step", "0")
    return min(int(text), last) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def hand_page(
    site: Site, request: Request, who: SeatAccess, state: TableState, refused: ApiError | None, *, waits: bool
) -> Response:
    """Return the page of a finished hand at one of its moments. If no review can be made now, ``refused`` says why.

    If the review ``waits``, the page tries again later.
    """
    words, reviews = words_at(state, words_of(request)), site.service.reviews
    number, hand = _finished(request, state)
    match = state.match
    assert match is not None
    name = HandName(who.table.name, state.number, number)
    steps = _steps(hand, number, Narrator(words), who.seat)
    step = _step_of(request, len(steps) - 1)
    shown = steps[step][0]
    totals = match.before.totals if hand is match.hand else (0,) * state.rules.sides
    view = shown.view(who.seat or 0, totals, number, state.created.match_target)
    turn = () if shown.seat is None else (shown.seat,)
    context: dict[str, Any] = {
        "steps": [text for _moment, text in steps],
        "board": board_of(view, who.seat, turn, words),
        "landed": landed_on(shown),
        "hands": [
            ShownHand(
                words.participants.seat(seat, who.seat), tuple((card, "") for card in sorted_cards(shown.cards(seat)))
            )
            for seat in range(state.rules.seats)
        ],
        "can_play_on": who.seat is not None and not shown.is_over,
        "terms": terms_text(state.rules, state.created.match_target, words.translate),
        "has_deal": number in state.shuffles,
        "others": [n for n, other in enumerate(match.hands, 1) if other.is_over and n != number],
        **_review_context(request, words, name, reviews, refused if waits else None),
        "step": step,
    }
    review = reviews.result(name)
    if review is not None:
        context |= _reviewed(review, steps, step, who.seat, words)
    context["links"] = _links(step, len(steps) - 1, list(context["marks"]), context["query"])
    return site.page(request, "hand.html", None if waits else refused, **context)


def _links(step: int, last: int, mistakes: list[int], query: str) -> dict[str, str]:
    """Return the addresses to which the buttons and keys lead from a step. ``mistakes`` are steps."""
    places = {"first": 0, "back": max(step - 1, 0), "on": min(step + 1, last), "last": last}
    if mistakes:
        places["worse-back"] = max((n for n in mistakes if n < step), default=step)
        places["worse-on"] = min((n for n in mistakes if n > step), default=step)
    return {go: f"?{query}&step={place}" for go, place in places.items()}


def _reviewed(
    review: "Review",
    steps: list[tuple[Hand, str]],
    step: int,
    viewer: int | None,
    words: TableWords,
) -> dict[str, Any]:
    """Return the review of the whole hand for the first step, or of the decisions that led to another step."""
    from millebornes.markup.review import review_context
    from millebornes.schema.exercises import Grade
    from millebornes.words.review import DecisionModel, ReviewModel

    def step_of(judged: DecisionModel) -> int:
        """Return the step at which a decision is shown. A pass on a coup fourré at the end belongs to the last step."""
        return next((n for n, (hand, _) in enumerate(steps) if hand.ply > judged.decision.ply), len(steps) - 1)

    model = ReviewModel(review, words, viewer)
    order, marks = list(Grade), dict[int, DecisionModel]()
    for judged in model.mistakes:
        worst = marks.setdefault(step_of(judged), judged)
        if order.index(judged.decision.grade) > order.index(worst.decision.grade):
            marks[step_of(judged)] = judged
    return {
        "reviewed": True,
        "seated": viewer is not None,
        "to_practise": any(viewer in {None, judged.decision.seat} for judged in model.mistakes),
        "marks": marks,
        "step_of": step_of,
        "places": [step_of(judged) for judged in model.decisions],
        "judged": [judged for judged in model.decisions if step_of(judged) == step],
    } | review_context(model)


def _review_context(
    request: Request, words: Words, name: HandName, reviews: Reviews, delayed: ApiError | None
) -> dict[str, Any]:
    """Return the values for the part with the review. If it can't even be queued yet, ``delayed`` says why."""
    return {
        "table": name.table,
        "number": name.hand,
        "query": f"match={name.match}",
        "step": _step_of(request, 99_999),
        "reviewed": False,
        "progress": reviews.progress(name),
        "is_first": reviews.is_first,
        "delayed": "" if delayed is None else error_text(delayed, words),
        "marks": {},
        "problem": failure_text(reviews.failure(name), words),
    }


def match_at(request: Request, state: TableState, step: int) -> Match:
    """Return the match at a step of a finished hand. Raises `ApiError` if the hand is over then."""
    number, hand = _finished(request, state)
    assert state.match is not None
    moments = _shown_moments(hand)
    if step >= len(moments) or moments[step].is_over:
        raise ApiError(409, "no_step", f"you can't play on from step {step} of hand {number}")
    return state.match.at(number, moments[step].ply)


def wanted_review(request: Request, state: TableState) -> tuple[HandName, Match]:
    """Return the hand that an address asks to review, and the match at the end of that hand. Raises `ApiError`."""
    number, hand = _finished(request, state)
    assert state.match is not None
    return HandName(state.created.table, state.number, number), state.match.at(number, hand.ply)


def review_part(site: Site, request: Request, name: HandName, delayed: ApiError | None) -> Response:
    """Return the progress of a review for a page that is waiting. When it is ready, the page reloads."""
    reviews = site.service.reviews
    made = site.page(request, "_review.html", **_review_context(request, words_of(request), name, reviews, delayed))
    if reviews.has(name):
        made.headers["hx-refresh"] = "true"
    return made


def deal_page(site: Site, request: Request, who: SeatAccess, state: TableState) -> Response:
    """Return the page with all that people need to check how a finished hand was shuffled. Raises `ApiError`."""
    number, hand = _finished(request, state)
    shuffle = state.shuffles.get(number)
    participants = words_at(state, words_of(request)).participants
    given = () if shuffle is None else shuffle.seat_seeds
    return site.page(
        request,
        "deal.html",
        table=who.table.name,
        number=number,
        query=f"match={state.number}",
        match=state.number,
        shuffle=shuffle,
        server_seed="" if shuffle is None else shuffle.server_seed.hex(),
        shares=[(participants.seat(seat, who.seat), seed.hex(), any(seed)) for seat, seed in enumerate(given)],
        is_kept=shuffle is not None and shuffle.keeps_commitment,
        is_same=shuffle is not None and shuffle.deck(state.rules) == hand.deck,
        deck=[CODES[card] for card in hand.deck or ()],
    )
