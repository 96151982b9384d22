"""One hand of Mille Bornes played with lists of cards, as on a table, and written from the rulebook alone.

Nothing here comes from `millebornes.rules`, so that a mistake there shows as a difference. Piles keep every card that
was ever put on them, cards are moved one by one, and the end of a hand and its score depend on the cards on the table.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from millebornes.cards import Card
from millebornes.editions import Rules

MILES = {Card.D25: 25, Card.D50: 50, Card.D75: 75, Card.D100: 100, Card.D200: 200}
REMEDY_OF = {
    Card.ACCIDENT: Card.REPAIRS,
    Card.OUT_OF_GAS: Card.GASOLINE,
    Card.FLAT_TIRE: Card.SPARE_TIRE,
    Card.STOP: Card.ROLL,
    Card.SPEED_LIMIT: Card.END_OF_LIMIT,
}
SAFETY_OF = {
    Card.ACCIDENT: Card.DRIVING_ACE,
    Card.OUT_OF_GAS: Card.EXTRA_TANK,
    Card.FLAT_TIRE: Card.PUNCTURE_PROOF,
    Card.STOP: Card.RIGHT_OF_WAY,
    Card.SPEED_LIMIT: Card.RIGHT_OF_WAY,
}
SAFETIES = set(SAFETY_OF.values())

LINES = (
    "distance",
    "safeties",
    "all_safeties",
    "coups_fourres",
    "trip_completed",
    "delayed_action",
    "safe_trip",
    "extension",
    "shut_out",
)


class Lying(NamedTuple):
    """Something on a battle pile: what shows, what it counts as, whether a real card lies there (R4.6: not always)."""

    shown: Card
    counts: Card
    real: bool = True


class Tableau:
    """All that lies before one side (R2.3)."""

    def __init__(self) -> None:
        self.battle: list[Lying] = []
        self.speed: list[Card] = []
        self.distance: list[Card] = []
        self.safeties: list[Card] = []
        self.coups: list[Card] = []

    @property
    def miles(self) -> int:
        return sum(MILES[card] for card in self.distance)

    @property
    def top(self) -> Card | None:
        """What the top of the battle pile counts as; a 200 played as a roll is a roll (R4.7)."""
        return self.battle[-1].counts if self.battle else None

    @property
    def under(self) -> Card | None:
        """The hazard that the side is under, or None (R3.1)."""
        if self.top in {Card.ACCIDENT, Card.OUT_OF_GAS, Card.FLAT_TIRE, Card.STOP}:
            return None if SAFETY_OF[self.top] in self.safeties else self.top
        return None

    @property
    def limited(self) -> bool:
        """Whether a speed limit is in effect (R3.2)."""
        if Card.RIGHT_OF_WAY in self.safeties:
            return False
        return bool(self.speed) and self.speed[-1] is Card.SPEED_LIMIT

    @property
    def moving(self) -> bool:
        """Whether the side is moving (R3.3)."""
        if self.top is Card.ROLL:
            return True
        return Card.RIGHT_OF_WAY in self.safeties and self.under is None

    def cards(self) -> Counter[Card]:
        """Every real card that lies there, buried ones too."""
        battle = [lying.shown for lying in self.battle if lying.real]
        return Counter(battle + self.speed + self.distance + self.safeties)

    def shown(self) -> dict[str, Any]:
        """What everybody sees, as a SIDE of the replay format."""
        return {
            "battle": self.battle[-1].shown.value if self.battle else None,
            "speed": self.speed[-1].value if self.speed else None,
            "distance": self.miles,
            "cards": {card.value: self.distance.count(card) for card in MILES},
            "safeties": sorted(card.value for card in self.safeties),
            "coups_fourres": sorted(card.value for card in self.coups),
            "moving": self.moving,
            "under": self.under.value if self.under else None,
            "limited": self.limited,
        }


class Pending(NamedTuple):
    """The hazard that somebody may answer with a coup fourré (R5.1)."""

    hazard: Card
    side: int
    by: int


class ReferenceGame:
    """A hand, from the deal to its end; it always stands after the draws of the seat that decides.

    ``phase`` is one of play, coup, opening, extend, over; ``seat`` is who decides (while over: who moved last).
    """

    def __init__(self, rules: Rules, deck: Iterable[Card | str], first: int = 0) -> None:
        self.rules = rules
        self.first = first
        self.pile = [Card(card) for card in deck]
        if Counter(self.pile) != Counter(dict(zip(Card, rules.deck, strict=True))):
            raise ValueError("the deck holds other cards than the rules say")
        self.hands: list[list[Card]] = [[] for _ in range(rules.seats)]
        self.sides = [Tableau() for _ in range(rules.sides)]
        self.discards: list[Card] = []
        self.extended = False
        self.completed_by: int | None = None
        self.delayed = False
        self.pending: Pending | None = None
        self.moves: list[str] = []
        self.phase = "play"
        self.seat = first
        for k in range(rules.seats * rules.hand_size):  # R2.4
            self.hands[(first + k) % rules.seats].append(self.pile.pop(0))
        holders = [seat for seat in range(rules.seats) if Card.RIGHT_OF_WAY in self.hands[seat]]
        if rules.opening_right_of_way and holders:  # R5.6
            self.phase, self.seat = "opening", holders[0]
        else:
            self._turn(first)

    # what is to be seen

    @property
    def goal(self) -> int:
        """The goal in force (R6.2)."""
        return (self.rules.extension_goal or 0) if self.extended else self.rules.goal

    @property
    def over(self) -> bool:
        return self.phase == "over"

    def side_of(self, seat: int) -> Tableau:
        return self.sides[seat % self.rules.sides]

    def legal(self) -> list[str]:
        """All legal moves of the seat that decides, sorted, each once."""
        if self.phase == "over":
            return []
        if self.phase == "extend":
            return ["extend", "finish"]
        if self.phase == "opening":
            return ["pass", "right_of_way!"]
        if self.pending is not None:
            return sorted(["pass", f"{SAFETY_OF[self.pending.hazard].value}!"])
        discards = [  # R4.8
            f"-{card.value}" for card in self.hands[self.seat] if card not in SAFETIES or self.rules.discard_safeties
        ]
        return sorted({*self._plays(self.seat), *discards})

    def replay_line(self, hand: int, move: str) -> dict[str, Any]:
        """The line that the replay format prints for the decision ``move``, before it is made."""
        return {
            "hand": hand,
            "ply": len(self.moves),
            "phase": self.phase,
            "seat": self.seat,
            "hands": [sorted(card.value for card in cards) for cards in self.hands],
            "draw_pile": len(self.pile),
            "sides": [side.shown() for side in self.sides],
            "legal": self.legal(),
            "move": move,
        }

    def end_line(self, hand: int) -> dict[str, Any]:
        """The line that the replay format prints for a finished hand."""
        return {"hand": hand, "completed_by": self.completed_by, "extended": self.extended, "scores": self.scores()}

    def scores(self) -> list[dict[str, int]]:
        """R7 for each side: nine lines and the total, counted from the piles."""
        sheets = []
        for number, side in enumerate(self.sides):
            sheet = dict.fromkeys(LINES, 0)
            sheet["distance"] = side.miles
            sheet["safeties"] = 100 * len(side.safeties)
            if set(side.safeties) == SAFETIES:
                sheet["all_safeties"] = self.rules.all_safeties_bonus
            sheet["coups_fourres"] = 300 * len(side.coups)
            if self.completed_by == number:
                sheet["trip_completed"] = 400
                sheet["delayed_action"] = 300 if self.delayed else 0
                sheet["safe_trip"] = 0 if Card.D200 in side.distance else 300
                sheet["extension"] = 200 if self.extended else 0
                sheet["shut_out"] = 500 * sum(1 for other in self.sides if not other.distance)
            sheet["total"] = sum(sheet.values())
            sheets.append(sheet)
        return sheets

    def all_cards(self) -> Counter[Card]:
        """Every card wherever it is: always the whole deck."""
        found = Counter(self.pile) + Counter(self.discards)
        for cards in self.hands:
            found += Counter(cards)
        for side in self.sides:
            found += side.cards()
        return found

    # making a move

    def play(self, text: str) -> None:
        """Make a move; `ValueError` when it is not legal."""
        legal = self.legal()
        if text not in legal:
            raise ValueError(f"{text!r} is not legal in phase {self.phase}; legal are {legal}")
        self.moves.append(text)
        if self.phase == "extend":
            self._choose(text)
        elif self.phase in {"coup", "opening"}:
            self._answer(text)
        elif text.startswith("-"):
            self.discards.append(self._take(text[1:]))  # R4.8
            self._turn(self.seat + 1)
        elif text == "200=roll":
            self.side_of(self.seat).battle.append(Lying(self._take("200"), Card.ROLL))  # R4.7
            self._turn(self.seat + 1)
        elif ">" in text:
            name, _, target = text.partition(">")
            self._hit(self._take(name), int(target))
        else:
            self._play_on_own_side(self._take(text))

    def _take(self, name: str) -> Card:
        self.hands[self.seat].remove(Card(name))
        return Card(name)

    def _play_on_own_side(self, card: Card) -> None:
        side = self.side_of(self.seat)
        if card in SAFETIES:  # R4.6
            if self.rules.safety_gives_roll and side.top in SAFETY_OF and SAFETY_OF[side.top] is card:
                self.discards.append(side.battle.pop().shown)
                side.battle.append(Lying(Card.ROLL, Card.ROLL, real=False))
            self._lay_safety(card, side)
            self._turn(self.seat)
        elif card in MILES:
            side.distance.append(card)
            if side.miles == self.goal:
                self._reach_goal()
            else:
                self._turn(self.seat + 1)
        else:
            if card is Card.END_OF_LIMIT:
                side.speed.append(card)
            else:
                side.battle.append(Lying(card, card))
            self._turn(self.seat + 1)

    def _lay_safety(self, card: Card, side: Tableau) -> None:
        side.safeties.append(card)
        if card is Card.RIGHT_OF_WAY and self.rules.right_of_way_clears:  # R4.10
            if side.top is Card.STOP:
                self.discards.append(side.battle.pop().shown)
            if side.speed and side.speed[-1] is Card.SPEED_LIMIT:
                self.discards.append(side.speed.pop())

    def _hit(self, hazard: Card, target: int) -> None:
        side = self.sides[target]
        if hazard is Card.SPEED_LIMIT:
            side.speed.append(hazard)
        else:
            side.battle.append(Lying(hazard, hazard))
        for seat, cards in enumerate(self.hands):  # R5.1
            entitled = self.rules.coup_by == "anyone" or seat % self.rules.sides == target
            if entitled and SAFETY_OF[hazard] in cards:
                self.pending = Pending(hazard, target, self.seat)
                self.phase, self.seat = "coup", seat
                return
        self._turn(self.seat + 1)

    def _answer(self, text: str) -> None:
        pending, self.pending = self.pending, None
        self.phase = "play"
        if text == "pass":
            self._turn(self.first if pending is None else pending.by + 1)  # R5.6, R5.4
            return
        safety = self._take(text[:-1])
        side = self.side_of(self.seat)
        if pending is not None and side is self.sides[pending.side]:  # R5.2
            pile: list[Any] = side.speed if pending.hazard is Card.SPEED_LIMIT else side.battle
            pile.pop()
            self.discards.append(pending.hazard)
        side.coups.append(safety)
        self._lay_safety(safety, side)
        self._turn(self.seat)  # R5.3, R5.6

    # the goal and the end

    def _reach_goal(self) -> None:
        if self.rules.extension_goal is not None and not self.extended:
            self.phase = "extend"  # R6.2
        else:
            self._finish()

    def _choose(self, text: str) -> None:
        if text == "finish":
            self._finish()
            return
        self.extended = True
        self.phase = "play"
        self._turn(self.seat + 1)

    def _finish(self) -> None:
        self.completed_by = self.seat % self.rules.sides
        self.delayed = not self.pile
        self.phase = "over"

    def _turn(self, seat: int) -> None:
        """The turn comes to a seat, or goes on to the next that has cards (R2.5, R2.6), or the hand ends (R6.3)."""
        if not self.pile and self._is_over():
            self.phase = "over"
            return
        seat %= self.rules.seats
        while not self.pile and not self.hands[seat]:
            seat = (seat + 1) % self.rules.seats
        while self.pile and len(self.hands[seat]) < self.rules.hand_size + 1:
            self.hands[seat].append(self.pile.pop(0))
        self.phase, self.seat = "play", seat

    def _is_over(self) -> bool:
        """R6.3, with nothing left to draw."""
        if not any(self.hands):
            return True
        if self.rules.hand_end == "plays":
            return not any(self._plays(seat) for seat in range(self.rules.seats))
        if self.rules.hand_end == "points":
            return not any(self._can_score(side) for side in range(self.rules.sides))
        return False

    def _plays(self, seat: int) -> set[str]:
        """Every way to play a card of the seat's hand, discards aside, as if it were its turn."""
        own = self.side_of(seat)
        plays = set()
        for card in self.hands[seat]:
            if card in SAFETY_OF:
                hit = [target for target in self._targets(seat) if self._may_hit(card, self.sides[target])]
                plays |= {f"{card.value}>{target}" for target in hit}
            elif self._may_play(card, own):
                plays.add(card.value)
            if card is Card.D200 and self.rules.roll_200 and self._may_roll(own):  # R4.7
                plays.add("200=roll")
        return plays

    def _may_play(self, card: Card, own: Tableau) -> bool:
        """Whether a card that is no hazard may be played on one's own side, in the ordinary way."""
        if card in SAFETIES:
            return True  # R4.6
        if card in MILES:  # R4.1
            if not own.moving or (own.limited and MILES[card] > 50):
                return False
            return self._is_in_reach(card, own)
        if card is Card.ROLL:
            return self._may_roll(own)
        if card is Card.END_OF_LIMIT:
            return own.limited  # R4.2
        return own.under is not None and REMEDY_OF[own.under] is card  # R4.2

    def _may_roll(self, own: Tableau) -> bool:
        """R4.3: whether a roll may be played on this battle pile."""
        if own.top is None or own.top is Card.STOP:
            return True
        if own.top in {Card.REPAIRS, Card.GASOLINE, Card.SPARE_TIRE}:
            return True
        return own.top in SAFETY_OF and SAFETY_OF[own.top] in own.safeties

    def _is_in_reach(self, card: Card, side: Tableau) -> bool:
        """R4.1: whether the goal in force and the limit of two 200s allow a distance card."""
        if card is Card.D200 and side.distance.count(Card.D200) == 2:
            return False
        return side.miles + MILES[card] <= self.goal

    def _targets(self, seat: int) -> list[int]:
        """R4.9: the sides that this seat may play hazards on."""
        sides = self.rules.sides
        if self.rules.targets == "left":
            return [(seat + 1) % sides]
        return [side for side in range(sides) if side != seat % sides]

    def _may_hit(self, hazard: Card, other: Tableau) -> bool:
        """R4.4, R4.5: whether a hazard may be played on an opposing side with these cards."""
        if SAFETY_OF[hazard] in other.safeties:
            return False
        if hazard is Card.SPEED_LIMIT:
            return not other.limited
        if self.rules.hazard_on == "rolling":
            return other.moving
        if not other.battle:
            return False
        return self.rules.hazard_on == "stack" or other.top is not hazard

    def _can_score(self, number: int) -> bool:
        """R6.4: could this side add to its score with the cards its seats hold, opponents standing still?"""
        side = self.sides[number]
        held = [card for seat in range(number, self.rules.seats, self.rules.sides) for card in self.hands[seat]]
        if any(card in SAFETIES for card in held):
            return True
        return any(card in MILES and self._can_lay(card, held, side) for card in held)

    def _can_lay(self, card: Card, held: Sequence[Card], side: Tableau) -> bool:
        others = list(held)
        others.remove(card)
        if not self._is_in_reach(card, side):
            return False
        if side.limited and MILES[card] > 50 and Card.END_OF_LIMIT not in others:
            return False
        if side.moving:
            return True
        if side.under not in {None, Card.STOP} and REMEDY_OF[side.under] not in others:
            return False
        if Card.RIGHT_OF_WAY in side.safeties:
            return True  # no roll is needed
        return Card.ROLL in others or (self.rules.roll_200 and Card.D200 in others)


__all__ = ["LINES", "Lying", "Pending", "ReferenceGame", "Tableau"]
