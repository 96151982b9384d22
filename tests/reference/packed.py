"""The kernels behind the interface of the reference game: the same texts go in, the same plain values come out.

Moves are converted from and to codes as `millebornes.rules.state` describes them.
"""

# mypy: disallow-untyped-calls=False
# (kernels carry no annotations: Numba types them)

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from millebornes.cards import DISTANCES, HAZARDS, SAFETIES, Card
from millebornes.editions import Rules
from millebornes.game import Hand, Tableau
from millebornes.rules.engine import Position
from millebornes.rules.masks import legal_word
from millebornes.rules.scoring import side_counts, side_score
from millebornes.rules.state import BATTLE_TOPS, COMPACT_DECK, NOBODY, STATE, STATE_LARGE, Phase, Side
from millebornes.rules.tables import tables_for
from millebornes.rules.turns import apply_move, start_hand
from tests.reference.game import LINES, ReferenceGame

ANSWER_CODES: Final = {"pass": 60, "extend": 61, "finish": 62}
CARDS: Final = tuple(Card)


def text_of(code: int, own_side: int, sides: int) -> str:
    """The canonical text of a move code of a seat that plays for ``own_side``."""
    for text, answer in ANSWER_CODES.items():
        if code == answer:
            return text
    card, way = CARDS[code % 64 // 3], code % 64 % 3
    if way == 0:
        return f"-{card.value}"
    if way == 2:
        return "200=roll" if card is Card.D200 else f"{card.value}!"
    return f"{card.value}>{(own_side + 1 + code // 64) % sides}" if card in HAZARDS else card.value


def code_of(text: str, own_side: int, sides: int) -> int:
    """The code of a canonical text; the reverse of `text_of`."""
    if text in ANSWER_CODES:
        return ANSWER_CODES[text]
    if text == "200=roll":
        return 3 * Card.D200.index + 2
    if text.startswith("-"):
        return 3 * Card(text[1:]).index
    if text.endswith("!"):
        return 3 * Card(text[:-1]).index + 2
    name, _, target = text.partition(">")
    further = (int(target) - own_side) % sides - 1 if target else 0
    return 3 * Card(name).index + 1 + 64 * further


def cards_in(hand: int) -> list[str]:
    """The cards of a hand word, sorted."""
    return sorted(card.value for card in CARDS for _ in range(hand >> 3 * card.index & 7))


def side_shown(word: int) -> dict[str, Any]:
    """What a side word says about a tableau."""
    top = BATTLE_TOPS[word >> Side.BATTLE & 15]
    battle = top.value if top else None
    if top is Card.ROLL and word >> Side.ROLL_IS_200 & 1:
        battle = "200"
    speed = "end_of_limit" if word >> Side.END_OF_LIMIT & 1 else None
    tableau = Tableau(word)
    return {
        "battle": battle,
        "speed": "speed_limit" if word >> Side.LIMIT & 1 else speed,
        "distance": 25 * (word >> Side.MILES & Side.MILES_MASK),
        "cards": {
            card.value: word >> shift & (1 << bits) - 1
            for card, shift, bits in zip(DISTANCES, Side.DISTANCES, Side.DISTANCE_BITS, strict=True)
        },
        "safeties": sorted(card.value for i, card in enumerate(SAFETIES) if word >> Side.SAFETIES + i & 1),
        "coups_fourres": sorted(card.value for i, card in enumerate(SAFETIES) if word >> Side.COUPS + i & 1),
        "moving": tableau.is_moving,
        "under": tableau.under and tableau.under.value,
        "limited": tableau.is_limited,
    }


class PackedGame:
    """A hand played by the kernels, with the interface of `ReferenceGame`."""

    def __init__(self, rules: Rules, deck: Iterable[Card | str], first: int = 0) -> None:
        self.rules = rules
        self.tables = tables_for(rules)
        self.state = np.zeros(1, STATE if rules.cards <= COMPACT_DECK else STATE_LARGE)[0]
        kinds = [Card(card).index for card in deck]
        self.state["deck"][: len(kinds)] = kinds
        start_hand(self.state, self.tables, first)

    @property
    def phase(self) -> str:
        return Phase(int(self.state["phase"])).name.lower()

    @property
    def seat(self) -> int:
        return int(self.state["seat"])

    @property
    def over(self) -> bool:
        return self.phase == "over"

    @property
    def completed_by(self) -> int | None:
        completed = int(self.state["completed"])
        return None if completed == NOBODY else completed

    @property
    def extended(self) -> bool:
        return bool(self.state["extended"])

    def legal(self) -> list[str]:
        texts = []
        for n in range(int(self.tables["targets"])):
            word = int(legal_word(self.state, self.tables, np.uint64(n)))
            for bit in range(64):
                if word >> bit & 1:
                    texts.append(text_of(64 * n + bit, self.seat % self.rules.sides, self.rules.sides))
        return sorted(texts)

    def play(self, text: str) -> None:
        legal = self.legal()
        if text not in legal:
            raise ValueError(f"{text!r} is not legal in phase {self.phase}; legal are {legal}")
        code = code_of(text, self.seat % self.rules.sides, self.rules.sides)
        phase = apply_move(self.state, self.tables, np.uint64(code))
        assert phase == self.state["phase"]

    def hand(self, seat: int) -> list[str]:
        return cards_in(int(self.state["hand"][seat]))

    def shown(self, side: int) -> dict[str, Any]:
        return side_shown(int(self.state["side"][side]))

    def scores(self) -> list[dict[str, int]]:
        sheets = []
        for side in range(self.rules.sides):
            counts = side_counts(self.state, self.tables, np.uint64(side))
            points = (int(count * each) for count, each in zip(counts, self.tables["points"], strict=True))
            sheet = dict(zip(LINES, points, strict=True))
            sheet["total"] = int(side_score(self.state, self.tables, np.uint64(side)))
            sheets.append(sheet)
        return sheets

    def summary(self) -> dict[str, Any]:
        """Everything in the state, in plain values."""
        state, rules = self.state, self.rules
        pending = None
        if self.phase == "coup":
            pending = (CARDS[state["hazard"]].value, int(state["target"]), int(state["attacker"]))
        else:
            assert (state["hazard"], state["target"], state["attacker"]) == (NOBODY, NOBODY, NOBODY)
        assert not state["hand"][rules.seats :].any()
        assert not state["side"][rules.sides :].any()
        # Equal hands have equal states: nothing is left where drawn cards lay.
        assert not state["deck"][state["discarded"] : state["drawn"]].any()
        public = self.view(0)
        return {
            "phase": self.phase,
            "seat": self.seat,
            "first": int(state["first"]),
            "extended": self.extended,
            "completed_by": self.completed_by,
            "pending": pending,
            "hands": [self.hand(seat) for seat in range(rules.seats)],
            "sides": [self.shown(side) for side in range(rules.sides)],
            "draw_pile": [CARDS[kind].value for kind in state["deck"][state["drawn"] : rules.cards]],
            "discard_top": public["discard_top"],
            "discards": public["discards"],
            "discard_pile": [CARDS[kind].value for kind in state["deck"][: state["discarded"]]],
        }

    def view(self, seat: int) -> dict[str, Any]:
        """What a hand tells a seat, in plain values."""
        state = self.state.tobytes()
        view = Hand(self.rules, Position(state, ())).view(seat)
        return {
            "seat": view.seat,
            "phase": view.phase.name.lower(),
            "mover": view.mover,
            "first": view.first,
            "extended": view.extended,
            "completed_by": view.completed_by,
            "pending": view.pending and (view.pending.hazard.value, view.pending.side, view.pending.by),
            "hand": [card.value for card in view.hand],
            "hand_sizes": list(view.hand_sizes),
            "sides": [side_shown(tableau.word) for tableau in view.tableaux],
            "draw_pile": view.draw_pile,
            "discard_top": view.discard_top and view.discard_top.value,
            "discards": {card.value: n for card, n in view.discards.items() if n},
            "played": {card.value: n for card, n in view.played.items() if n},
        }


def _names(cards: Iterable[Card]) -> dict[str, int]:
    return {card.value: n for card, n in Counter(cards).items()}


def summary_of(game: ReferenceGame) -> dict[str, Any]:
    """What `PackedGame.summary` has to say about the same hand."""
    pending = game.pending
    return {
        "phase": game.phase,
        "seat": game.seat,
        "first": game.first,
        "extended": game.extended,
        "completed_by": game.completed_by,
        "pending": None if pending is None else (pending.hazard.value, pending.side, pending.by),
        "hands": [sorted(card.value for card in cards) for cards in game.hands],
        "sides": [side.shown() for side in game.sides],
        "draw_pile": [card.value for card in game.pile],
        "discard_top": game.discards[-1].value if game.discards else None,
        "discards": _names(game.discards),
        "discard_pile": [card.value for card in game.discards],
    }


def view_of(game: ReferenceGame, seat: int) -> dict[str, Any]:
    """What a seat may see of a hand (R2.3, R5.5), as `PackedGame.view` has to tell it."""
    asked = game.phase in {"coup", "opening"}
    hidden = asked and game.seat != seat
    pending = None if hidden else game.pending
    played: Counter[Card] = Counter()
    for side in game.sides:
        played += side.cards()
    return {
        "seat": seat,
        "phase": "play" if hidden else game.phase,
        "mover": None if hidden or game.over else game.seat,
        "first": game.first,
        "extended": game.extended,
        "completed_by": game.completed_by,
        "pending": None if pending is None else (pending.hazard.value, pending.side, pending.by),
        "hand": sorted(card.value for card in game.hands[seat]),
        "hand_sizes": [len(cards) for cards in game.hands],
        "sides": [side.shown() for side in game.sides],
        "draw_pile": len(game.pile),
        "discard_top": game.discards[-1].value if game.discards else None,
        "discards": _names(game.discards),
        "played": {card.value: n for card, n in played.items()},
    }


__all__ = ["PackedGame", "cards_in", "code_of", "side_shown", "summary_of", "text_of", "view_of"]
