"""Matches from elsewhere, as the logs of tables at which people can look at them and review them."""

from millebornes.cards import CODES
from millebornes.errors import MilleBornesError
from millebornes.i18n import Translator
from millebornes.notation import read_match
from millebornes.shown import clean_name
from millebornes.texts.participants import names_with_levels
from millebornes.web.errors import ApiError
from millebornes.web.table.events import Created, HandDealt, Joined, TableEvent
from millebornes.web.table.seats import OPEN
from millebornes.web.table.state import MAX_HANDS_BEFORE_MATCH

__all__ = ["log_of"]


def log_of(transcript: bytes, coup_window: int, _: Translator) -> list[TableEvent]:
    """Return the log of a new table with the finished hands in a transcript. All its seats are empty.

    ``coup_window`` is in milliseconds. ``_`` determines the language for the levels of computer players. Raises
    `ApiError` (transcript) if the transcript can't be read, has no finished hand, or has too many.
    """
    try:
        match = read_match(transcript.splitlines(keepends=True))
    except MilleBornesError as error:
        raise ApiError(400, "transcript", str(error)) from None
    hands = [hand for hand in match.hands if hand.is_over]
    if not 1 <= len(hands) <= MAX_HANDS_BEFORE_MATCH:
        text = f"the transcript has {len(hands)} finished hands; there must be 1 to {MAX_HANDS_BEFORE_MATCH}"
        raise ApiError(400, "transcript", text)
    seats = range(match.rules.seats)
    created = Created.new(
        match.rules,
        places=(OPEN,) * len(seats),
        name="",
        match_target=match.match_target,
        spectators=True,
        coup_window=coup_window,
    )
    names = names_with_levels(match.players, match.players, _) if match.players else [""] * len(seats)
    joined = [Joined(at=created.at, seat=seat, name=clean_name(names[seat]) or f"{seat + 1}") for seat in seats]
    number = hands[0].first + 1  # the number of the match determines the seat that begins
    dealt = [
        HandDealt(
            at=created.at,
            match=number,
            hand=place,
            deck=" ".join(CODES[card] for card in hand.deck or ()),
            moves=tuple(move.text for move in hand.moves),
        )
        for place, hand in enumerate(hands, 1)
    ]
    return [created, *joined, *dealt]
