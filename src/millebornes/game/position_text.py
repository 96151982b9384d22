"""Writes positions in one line; `millebornes.game.position` reads them back, docs/positions.md has the grammar."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from millebornes.cards import CODES, Card
from millebornes.editions import Rules
from millebornes.game.parts import cards_of_word
from millebornes.game.position_fields import NO_CARD, cards_text, match_text
from millebornes.game.tableau import Tableau
from millebornes.rules.engine import engine_for
from millebornes.rules.state import NOBODY, Phase, Side

if TYPE_CHECKING:
    from millebornes.game.view import View

__all__ = ["state_text", "view_text"]

_CARDS: Final = tuple(Card)


def state_text(rules: Rules, state: bytes) -> str:
    """The text of a packed state."""
    record = np.frombuffer(state, engine_for(rules).dtype)[0]
    phase = Phase(int(record["phase"]))
    words = record["side"][: rules.sides].tolist()
    sides = [_side_text(word) for word in words]
    turn = f"{phase.name.lower()}:{record['seat']}"
    if phase is Phase.COUP:
        hazard, target = _CARDS[record["hazard"]], int(record["target"])
        turn += f":{CODES[hazard]}>{target}:{record['attacker']}"
        if hazard is not Card.SPEED_LIMIT:
            sides[target] = f"{CODES[hazard]}/{_side_text(int(record['saved']))}"
    discarded, drawn = int(record["discarded"]), int(record["drawn"])
    discards = [_CARDS[kind] for kind in record["deck"][:discarded]]
    draw = [_CARDS[kind] for kind in record["deck"][drawn : rules.cards]]
    hands = [cards_of_word(word) for word in record["hand"][: rules.seats].tolist()]
    played = dict(zip(_CARDS, rules.deck, strict=True))
    for card in (*draw, *discards, *(card for hand in hands for card in hand)):
        played[card] -= 1
    completed = int(record["completed"])
    return " ".join(
        (
            str(rules),
            "|".join(sides),
            "|".join(cards_text(_sorted(hand)) for hand in hands),
            cards_text(draw),
            cards_text(discards),
            _counts_text(played),
            turn,
            str(record["first"]),
            _trip_text(bool(record["extended"]), None if completed == NOBODY else completed),
        )
    )


def view_text(view: "View") -> str:
    """The text of a view: hidden parts are a question mark and how many cards they are."""
    rules = view.rules
    hands = [f"?{size}" for size in view.hand_sizes]
    hands[view.seat] = cards_text(_sorted(view.hand))
    turn = f"{view.phase.name.lower()}:{'?' if view.mover is None else view.mover}"
    if view.pending is not None:
        turn += f":{CODES[view.pending.hazard]}>{view.pending.side}:{view.pending.by}"
    discards = dict(view.discards)
    if view.discard_top is not None:
        discards[view.discard_top] -= 1
    pile = [card for card in _CARDS for _ in range(discards[card])]
    pile += [] if view.discard_top is None else [view.discard_top]
    return " ".join(
        (
            str(rules),
            "|".join(_side_text(tableau.word) for tableau in view.tableaux),
            "|".join(hands),
            f"?{view.draw_pile}",
            cards_text(pile),
            _counts_text(view.played),
            turn,
            str(view.first),
            _trip_text(view.extended, view.completed_by),
            str(view.seat),
            "|".join(map(str, view.totals)),
            match_text(view.hand_number, view.match_target),
        )
    )


def _sorted(cards: Iterable[Card]) -> list[Card]:
    return sorted(cards, key=lambda card: card.index)


def _counts_text(counts: Mapping[Card, int]) -> str:
    return cards_text(card for card in _CARDS for _ in range(counts[card]))


def _side_text(word: int) -> str:
    tableau = Tableau(word)
    battle = NO_CARD if tableau.battle is None else CODES[tableau.battle]
    if word >> Side.ROLL_IS_200 & 1 and tableau.battle is not Card.D200:
        battle += f"/{CODES[Card.D200]}"
    parts = [CODES[Card.SPEED_LIMIT]] if word >> Side.LIMIT & 1 else []
    parts += [CODES[Card.END_OF_LIMIT]] if word >> Side.END_OF_LIMIT & 1 else []
    coups = tableau.coups_fourres
    safeties = ",".join(CODES[card] + "!" * (card in coups) for card in tableau.safeties)
    distance = _counts_text({**dict.fromkeys(_CARDS, 0), **tableau.distance_cards})
    return f"{battle}:{'/'.join(parts) or NO_CARD}:{distance}:{safeties or NO_CARD}"


def _trip_text(extended: bool, completed: int | None) -> str:
    parts = ["extended"] if extended else []
    parts += [] if completed is None else [f"completed:{completed}"]
    return ",".join(parts) or NO_CARD
