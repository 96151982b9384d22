"""The first game: one prepared hand in which everything happens once, with a lesson before each decision.

The cards are fixed, the other side follows a script, and each lesson names the moves that lead on. Other legal moves
only get an answer in words and change nothing, so the learner can't leave the path. Illegal moves are refused as in any
game. A screen shows the `Tutorial.lesson` of the current hand, lets the person try, and asks `Tutorial.accepts`.
"""

import random
from collections.abc import Sequence
from typing import Final, NamedTuple

from millebornes.cards import Card
from millebornes.editions import make_rules
from millebornes.game import Hand, Match, Move, View
from millebornes.game.legal import LegalMoves
from millebornes.i18n import N_, Translator
from millebornes.players import Player
from millebornes.session.game_session import GameSession
from millebornes.session.setup import HUMAN
from millebornes.storage import Preferences, SavedGame
from millebornes.texts.moves import describe_move
from millebornes.texts.participants import Participants
from millebornes.themes import Theme

__all__ = ["LEARNER", "SCRIPT", "STEPS", "LessonStep", "Tutorial", "tutorial_match"]

LEARNER: Final = 0
DISCARD: Final = "-"


class LessonStep(NamedTuple):
    """One decision of the learner.

    ``lesson`` comes before the decision. ``moves`` are the moves that lead on, as canonical texts (``-`` is any
    discard). ``nudge`` answers any other legal move. Both texts are keys for translators, with placeholders for cards
    (``{roll}``, ``{d100}``), ``{other}``, ``{goal}`` and ``{extension}``.
    """

    lesson: str
    moves: tuple[str, ...]
    nudge: str


STEPS: Final = (
    LessonStep(
        N_(
            "Welcome! You and {other} drive {goal}, and whoever gets exactly that far ends the hand. On "
            "every turn you draw a card, which is done for you, and then use a card or discard one. No one "
            "drives without {roll}: use yours."
        ),
        ("roll",),
        N_("All in good time. First get going: use {roll}."),
    ),
    LessonStep(
        N_("{roll} is on your battle pile: you are moving, and distance counts from now on. Use {d100}."),
        ("100",),
        N_("That would be allowed, but let us drive first: use {d100}."),
    ),
    LessonStep(
        N_(
            "{other} drives too. Hazards put a stop to that: {accident}, {out_of_gas}, {flat_tire} and {stop} hold a"
            " side up until it plays the remedy. They are played on others who move. Use {out_of_gas}."
        ),
        ("out_of_gas>1",),
        N_("First hold {other} up: use {out_of_gas}."),
    ),
    LessonStep(
        N_(
            "The answer was {accident}, and now you cannot drive. Each hazard has its remedy: {repairs} for"
            " {accident}, {gasoline} for {out_of_gas}, {spare_tire} for {flat_tire}. Use {repairs}."
        ),
        ("repairs",),
        N_("Nothing gets you further but the remedy: use {repairs}."),
    ),
    LessonStep(
        N_("The car is mended, but it stands: after a remedy it takes another {roll}. Use it."),
        ("roll",),
        N_("You do not move yet: use {roll}."),
    ),
    LessonStep(
        N_(
            "{speed_limit} is on your speed pile: until {end_of_limit} ends it you can play 25 and 50 only. "
            "Slowly is better than not at all: use {d50}."
        ),
        ("50",),
        N_("Drive as far as the limit lets you: use {d50}."),
    ),
    LessonStep(
        N_("You hold {end_of_limit}. With it the way is free for large distance again: use it."),
        ("end_of_limit",),
        N_("Get rid of the limit first: use {end_of_limit}."),
    ),
    LessonStep(
        N_(
            "Full speed: use {d200}. You can play two of them in a hand; if you complete the trip without "
            "any, you get 300 points more. {puncture_proof} in your hand is a safety: keep it, you'll soon "
            "see why."
        ),
        ("200",),
        N_("Keep that for later. Drive: use {d200}."),
    ),
    LessonStep(
        N_(
            "{other} plays {flat_tire}, and you hold the safety that answers it, {puncture_proof}. Show it at once,"
            " and it is a coup fourré: the hazard goes away, you get 300 points besides the 100 of the safety, and it"
            " is your turn. Call it!"
        ),
        ("puncture_proof!",),
        N_("No, a coup fourré is the best thing that can happen: call it."),
    ),
    LessonStep(
        N_(
            "You have never stopped moving, and no {flat_tire} can hurt you in this hand any more. Use the other"
            " {d200}."
        ),
        ("200",),
        N_("There is something better to do: use {d200}."),
    ),
    LessonStep(
        N_(
            "{driving_ace} is the safety against {accident}. It could wait for a coup fourré too, but a safety that"
            " is still in your hand at the end is lost, and the end is near. Used in your own turn it protects you,"
            " is worth 100 points, and gives you another turn. Use it."
        ),
        ("driving_ace",),
        N_("First put the safety down: use {driving_ace}."),
    ),
    LessonStep(
        N_("And so it is your turn again. Use {d100}."),
        ("100",),
        N_("Drive on: use {d100}."),
    ),
    LessonStep(
        N_(
            "You have to reach the goal exactly, and you still need {d50}: all your distance cards are too "
            "large. If nothing helps, you discard a card. You can't use {d75} any more in this hand, so "
            "discard it."
        ),
        (DISCARD,),
        N_("Discard a card, {d75} for instance."),
    ),
    LessonStep(
        N_("You have drawn {d50}, and that is what was missing. Use it."),
        ("50",),
        N_("You could arrive at once: use {d50}."),
    ),
    LessonStep(
        N_(
            "You've driven exactly the right distance. With two or three players you can now extend the trip "
            "to {extension}, for everyone: more to win, and more to lose. This time, finish the hand."
        ),
        ("finish",),
        N_("Another time, perhaps. Finish the hand now."),
    ),
)
"""All decisions of the learner, in order."""

CLOSING: Final = N_(
    "The score sheet shows what it was worth: a point a mile, 100 for each safety, 300 for each coup "
    "fourré, and for you 400 for the completed trip. A match continues hand by hand until someone "
    "has enough points. That's all there is to know; ask for a hint whenever you like. Have a good "
    "trip!"
)

HANDS: Final = ("roll 100 50 200 out_of_gas spare_tire", "roll accident gasoline speed_limit flat_tire 75")
"""The cards dealt to the learner and to the other side."""

DRAWS: Final = (
    "repairs 100 roll 25 end_of_limit 25 puncture_proof roll 200 50 100 stop 75 end_of_limit driving_ace 25 75 repairs"
    " spare_tire gasoline 100 75 roll 50 50 100"
)
"""The cards drawn, turn by turn: two after the coup fourré, and one more for the extra turn after a safety."""

SCRIPT: Final = (
    *("roll", "75", "accident>0", "gasoline", "speed_limit>0", "roll"),
    *("100", "flat_tire>0", "25", "25", "50"),
)
"""The moves of the other side."""


class _Scripted(Player):
    """Plays the scripted moves of the other side."""

    name = "tutorial"
    summary = "plays by a script"

    def __init__(self) -> None:
        self._seat = 1 - LEARNER
        self._made = 0

    def match_started(self, seat: int, *_: object) -> None:
        self._seat, self._made = seat, 0

    def moved(self, seat: int, move: Move) -> None:
        self._made += seat == self._seat

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        return Move.parse(SCRIPT[self._made])


def _deck() -> list[Card]:
    """Return the cards in the order of the deal and the draws, followed by the rest in any order."""
    rules = make_rules("classic")
    dealt = zip(*(row.split() for row in HANDS), strict=True)
    order = [Card(name) for pair in dealt for name in pair] + [Card(name) for name in DRAWS.split()]
    left = [card for card, count in zip(Card, rules.deck, strict=True) for _ in range(count)]
    for card in order:
        left.remove(card)
    return order + left


def tutorial_match(names: Sequence[str]) -> Match:
    """Return the match whose first hand is the lesson. ``names`` are those of the learner and the other side."""
    return Match.start(make_rules("classic"), deck=_deck(), players=names, match_target=None)


class Tutorial:
    """The lessons in one language, with the words of a theme. It has no state: the hand shows the progress."""

    def __init__(self, theme: Theme, _: Translator) -> None:
        self._ = _
        self.theme: Final = theme
        self.other: Final = _("Sam")

    def session(self, preferences: Preferences) -> GameSession:
        """Return a session for the tutorial. It is a practice game, so nothing counts and moves can be taken back."""
        match = tutorial_match((self._("You"), self.other))
        game = SavedGame(
            match=match,
            seats=(HUMAN, _Scripted.name),
            seed="",
            games=(0, 0),
            slots=((), ()),
            preferences=preferences,
            practice=True,
        )
        return GameSession(game, None, self.theme, self._, players=(None, _Scripted()))

    def step(self, hand: Hand) -> LessonStep | None:
        """Return the decision that the learner has to make now, or None if there isn't one."""
        return STEPS[self._made(hand)] if hand.seat == LEARNER else None

    def lesson(self, hand: Hand) -> str:
        """Return the text to show before the learner decides, or an empty text if there is nothing to decide."""
        step = self.step(hand)
        return "" if step is None else self._fill(step.lesson)

    def accepts(self, hand: Hand, move: Move) -> str | None:
        """Return None if a legal move leads on, else the text to show instead of making it."""
        step = self.step(hand)
        if step is None or str(move) in step.moves or (DISCARD in step.moves and str(move).startswith(DISCARD)):
            return None
        return self._fill(step.nudge)

    def advice(self, hand: Hand) -> str:
        """Return the next step for a learner who asks, or an empty text if there is nothing to decide."""
        step = self.step(hand)
        if step is None:
            return ""
        if DISCARD in step.moves:
            return self._fill(step.nudge)
        move = next(move for move in hand.legal_moves if str(move) in step.moves)
        participants = Participants(hand.rules, (self._("You"), self.other), (True, False), self._)
        return self._("Next step: {move}.").format(move=describe_move(move, participants, LEARNER, self.theme, self._))

    @property
    def closing(self) -> str:
        """The text to show with the score sheet."""
        return self._fill(CLOSING)

    def progress(self, hand: Hand) -> tuple[int, int]:
        """Return the number of decisions that the learner has made, and the number of all decisions."""
        return self._made(hand), len(STEPS)

    def _made(self, hand: Hand) -> int:
        made, then = 0, hand
        while then.parent is not None:
            then = then.parent
            made += then.seat == LEARNER
        return made

    def _fill(self, text: str) -> str:
        rules = make_rules("classic")
        words = {(f"d{card.value}" if card.value.isdigit() else card.value): self.theme.name_of(card) for card in Card}
        return self._(text).format(
            **words,
            other=self.other,
            goal=self.theme.miles(rules.goal),
            extension=self.theme.miles(rules.extension_goal or rules.goal),
        )
