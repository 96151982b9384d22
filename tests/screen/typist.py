"""People who know nothing of the game but what they see on the screen; one types, one has only a mouse."""

from __future__ import annotations

import enum
import random
import re
from typing import Protocol

from millebornes.tui.full.widgets.layout import Regions, arrange
from tests.screen.terminal import Terminal

MOST_STEPS = 5000

CARD = re.compile(r"[┌╭┏╔╒╓]([\[ ])([1-6P])[\] ][─━═]")
"""The upper edge of a card in the hand; its key is in brackets where the card can be used."""


class Asked(enum.Enum):
    """What the screen asks for; the value is what is seen then."""

    GAME = r"Another game\?"
    HAND = r"Another hand\?"
    KEYBOARD = r"Pass the keyboard to"
    COUP = r"N +pass "
    EXTENSION = r"N +finish the hand"
    TARGET = r"on which side\?"
    TURN = r"U +use +D +discard"


MESSAGES = {Asked.GAME, Asked.HAND, Asked.KEYBOARD, Asked.TARGET}
"""What is asked by a dialogue, or by a message above the hand."""


def asked(terminal: Terminal) -> Asked | None:
    """What is being asked, if anything."""
    text, bottom = terminal.text, terminal.bottom
    for what in Asked:
        if re.search(what.value, text if what in MESSAGES else bottom):
            return what
    return None


def wait_asked(terminal: Terminal) -> Asked:
    """Wait until something is asked."""
    found: list[Asked] = []

    def look() -> bool:
        if what := asked(terminal):
            found.append(what)
        return bool(found)

    terminal.wait(look)
    return found[0]


def hand(terminal: Terminal) -> dict[str, tuple[int, int, bool, str]]:
    """The cards in the hand by key: the column and row within it, whether it can be used, and the kind of its edge."""
    cards = {}
    top = plan(terminal, 2).cards[0].y
    for found in CARD.finditer(terminal.rows[top]):
        if terminal.rows[top + 1][found.start()] != " ":  # an empty place has no sides
            cards[found[2]] = (found.start() + 3, top + 1, found[1] == "[", found[0][0])
    return cards


def plan(terminal: Terminal, sides: int) -> Regions:
    """Where everything lies."""
    return arrange(*terminal.size, sides, sides)


def wait_answered(terminal: Terminal, what: Asked, before: str, yes: bool) -> None:
    """Wait until a question has gone, or yes is refused; ``before`` is the bottom of the screen with the question."""
    sheet = what in {Asked.HAND, Asked.GAME}

    def is_refused() -> bool:
        # Who shares a screen is asked without holding the card, and can only go on.
        return yes and "You don't hold" in terminal.text

    terminal.wait(lambda: asked(terminal) is not what or (not sheet and terminal.bottom != before) or is_refused())


class Hands(Protocol):
    """A way to make moves."""

    def move(self, card: str, uses: bool) -> None:
        """Use or discard a card."""

    def answer(self, what: Asked, yes: bool) -> None:
        """Answer a question."""


class Keys:
    """Moves by the classic keys."""

    def __init__(self, terminal: Terminal, rng: random.Random) -> None:
        self.terminal = terminal
        self.rng = rng

    def move(self, card: str, uses: bool) -> None:
        """Verb, number, RETURN or SPACE; each is seen before the next is typed."""
        terminal = self.terminal
        terminal.press("u" if uses else "d")
        terminal.wait(r"Use which card\?" if uses else r"Discard which card\?")
        terminal.press(card.lower())
        seen = rf"{'Use' if uses else 'Discard'} card {card}, [^?]*\?"
        terminal.wait(seen)
        terminal.press(self.rng.choice(["enter", " "]))
        terminal.wait(lambda: not re.search(seen, terminal.text))
        if asked(terminal) is Asked.TARGET:
            self.aim()

    def aim(self) -> None:
        """Choose one of the sides on offer."""
        terminal = self.terminal
        sides = re.findall(r" (\d)  ", terminal.rows[-1])
        terminal.press(self.rng.choice(sides))
        terminal.wait(lambda: asked(terminal) is not Asked.TARGET)

    def answer(self, what: Asked, yes: bool) -> None:
        """Y or N, or what else is wanted; returns when the question has gone."""
        if what in {Asked.HAND, Asked.GAME, Asked.KEYBOARD}:
            self.terminal.settle(0.5)  # an Enter that follows another one sooner is taken to be held down
        before = self.terminal.bottom
        if what in {Asked.HAND, Asked.GAME}:
            self.terminal.press("enter" if yes else "n")
        else:
            self.terminal.press("enter" if what is Asked.KEYBOARD else "y" if yes else "n")
        wait_answered(self.terminal, what, before, yes)


class Mouse:
    """Moves by clicks alone."""

    def __init__(self, terminal: Terminal, rng: random.Random, sides: int = 2) -> None:
        self.terminal = terminal
        self.rng = rng
        self.sides = sides

    def move(self, card: str, uses: bool) -> None:
        """Click the card and then the pile; a second click uses, the right button discards."""
        terminal, by_pile = self.terminal, self.rng.random() < 0.5
        terminal.wait(lambda: self._moment() is not None)
        before, kept = self._moment(), terminal.saved_at()
        x, y, _usable, edge = hand(terminal)[card]
        where = plan(terminal, self.sides)
        hazard = uses and edge == "┏"
        # The sides are in the order of the screen: the own side lies at the bottom.
        side = where.sides[0] if hazard else where.sides[-1]
        pile = where.discard if not uses else side
        to = pile.x + min(4, pile.width - 1), pile.y + 1
        if by_pile:
            terminal.click(x, y)
            terminal.wait(rf"Card {card}, ")
            terminal.click(*to)
        elif uses:
            terminal.click(x, y)
            terminal.wait(rf"Card {card}, ")
            terminal.click(x, y)
        else:
            terminal.click(x, y, button=2)
        # The next turn looks like this one, and a click while nothing is asked means "go on". So the turn that is asked
        # must be seen to be another one.
        terminal.wait(lambda: asked(terminal) not in {None, Asked.TURN} or self._moment() not in {None, before})
        assert terminal.saved_at() != kept

    def _moment(self) -> tuple[int, frozenset[str]] | None:
        """Cards in the draw pile, and the places that hold a card: one of them is another one at a person's next turn.

        Both are painted in one frame with the question. None where none is asked, or what announces a coup fourré
        lies over the table.
        """
        terminal = self.terminal
        pile = plan(terminal, self.sides).draw
        if "!  ★" in terminal.text or asked(terminal) is not Asked.TURN:
            return None
        count = re.search(r"\d+", " ".join(row[pile.x : pile.right] for row in terminal.rows[pile.y : pile.bottom]))
        return int(count[0]) if count else 0, frozenset(hand(terminal))

    def answer(self, what: Asked, yes: bool) -> None:
        """Click the choice or the button that says it."""
        texts = {
            Asked.COUP: (r"coup fourré with", r"(?<=N  )pass "),
            Asked.EXTENSION: (r"extend the trip(?=  )", r"finish the hand(?=  )"),
            Asked.HAND: (r"(?<=  )Yes ", r"(?<=  )No "),
            Asked.GAME: (r"(?<=  )Yes ", r"(?<=  )No "),
            Asked.KEYBOARD: (r"show the hand of", r"show the hand of"),
        }
        self.terminal.settle()  # so that nothing moves below the mouse
        place = self.terminal.find(texts[what][0 if yes else 1])
        assert place is not None, self.terminal.text
        before = self.terminal.bottom
        self.terminal.click(*place)
        wait_answered(self.terminal, what, before, yes)


def step(terminal: Terminal, hands: Hands, rng: random.Random, what: Asked) -> None:
    """Answer what is asked: mostly use what can be used, so that matches end."""
    if what is Asked.TURN:
        cards = hand(terminal)
        usable = [card for card, (_x, _y, can, _edge) in cards.items() if can]
        uses = bool(usable) and rng.random() < 0.95
        hands.move(rng.choice(usable if uses else list(cards)), uses)
    else:
        hands.answer(what, rng.random() < 0.7 and "You don't hold" not in terminal.text)


def play(terminal: Terminal, hands: Hands, rng: random.Random, until: Asked = Asked.GAME) -> int:
    """Play until something is asked; how many answers and moves that took."""
    for steps in range(MOST_STEPS):
        what = wait_asked(terminal)
        if what is until:
            return steps
        if what is Asked.HAND:
            hands.answer(what, True)
        else:
            step(terminal, hands, rng, what)
    raise AssertionError(f"no end after {MOST_STEPS} steps:\n{terminal.text}")
