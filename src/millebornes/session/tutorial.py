"""The first game: a prepared hand in which every important situation occurs once, with a lesson before each decision.

The cards are fixed and the other side follows a script. Each lesson lists the moves that continue the tutorial. Any
other legal move is answered with a hint and changes nothing, so the learner can't get lost. Illegal moves are refused
as in any game. A screen shows the `Tutorial.lesson` for the current hand, lets the person try a move, and passes it to
`Tutorial.accepts`.
"""

import random
from typing import Final, NamedTuple

from millebornes.cards import Card
from millebornes.editions import make_rules
from millebornes.game import Hand, Match, Move, View
from millebornes.game.legal import LegalMoves
from millebornes.i18n import N_
from millebornes.player_names import HUMAN
from millebornes.players import Player
from millebornes.session.game_session import GameSession
from millebornes.storage import Preferences, SavedGame
from millebornes.words.moves import describe_move
from millebornes.words.participants import Participants
from millebornes.words.words import Words

LEARNER: Final = 0
DISCARD: Final = "-"


class LessonStep(NamedTuple):
    """One decision for the learner to make.

    ``lesson`` is shown before the decision. ``moves`` lists the moves that continue the tutorial, in canonical
    notation; ``-`` allows any discard. The lesson itself names the first of these moves. ``nudge`` answers any other
    legal move. Both messages are translated, and contain placeholders for cards (``{roll}``, ``{d100}``), ``{other}``,
    ``{goal}`` and ``{extension}``.
    """

    lesson: str
    moves: tuple[str, ...]
    nudge: str


STEPS: Final = (
    LessonStep(
        N_(
            "Welcome! You and {other} race over {goal}. Driving exactly that far ends the hand. Each turn "
            "starts with a new card, drawn for you. Then you play one card or discard one. Nobody drives without "
            "{roll}, so play yours."
        ),
        ("roll",),
        N_("Not yet. Get moving first: play {roll}."),
    ),
    LessonStep(
        N_("{roll} is on your battle pile, so you're moving. Now you can play distance cards. Play {d100}."),
        ("100",),
        N_("You could, but let's drive first: play {d100}."),
    ),
    LessonStep(
        N_(
            "{other} is driving too. Hazards stop that: {accident}, {out_of_gas}, {flat_tire} and {stop} hold a "
            "player up until they play the remedy. You can only play them on someone who is moving. Play "
            "{out_of_gas}."
        ),
        ("out_of_gas>1",),
        N_("Stop {other} first: play {out_of_gas}."),
    ),
    LessonStep(
        N_(
            "{other} hit back with {accident}, so you can't drive. Every hazard has its own remedy: {repairs} for "
            "{accident}, {gasoline} for {out_of_gas}, {spare_tire} for {flat_tire}. Play {repairs}."
        ),
        ("repairs",),
        N_("Only the remedy helps now: play {repairs}."),
    ),
    LessonStep(
        N_("The car is repaired, but it isn't moving. After a remedy you need another {roll}. Play it."),
        ("roll",),
        N_("You aren't moving yet: play {roll}."),
    ),
    LessonStep(
        N_(
            "{speed_limit} is on your speed pile. Until you play {end_of_limit}, you can only play 25 and 50. Slow "
            "is better than stopped: play {d50}."
        ),
        ("50",),
        N_("Drive as far as the limit allows: play {d50}."),
    ),
    LessonStep(
        N_("You've drawn {end_of_limit}. It lets you play large distance cards again. Play it."),
        ("end_of_limit",),
        N_("End the limit first: play {end_of_limit}."),
    ),
    LessonStep(
        N_(
            "Full speed: play {d200}. You can play two of them in a hand. If you complete the trip without any, "
            "you get 300 extra points. {puncture_proof} in your hand is a safety. Keep it. You'll soon see why."
        ),
        ("200",),
        N_("Keep that for later and drive: play {d200}."),
    ),
    LessonStep(
        N_(
            "{other} plays {flat_tire} on you, and you hold {puncture_proof}, the safety against it. Show it at "
            "once: that's a coup fourré. The hazard is gone, you get 300 points on top of the 100 for the safety, "
            "and it's your turn. Call it!"
        ),
        ("puncture_proof!",),
        N_("No, a coup fourré is the best thing that can happen to you. Call it."),
    ),
    LessonStep(
        N_("You never stopped moving, and {flat_tire} can't hurt you for the rest of the hand. Play the other {d200}."),
        ("200",),
        N_("There's something better to do: play {d200}."),
    ),
    LessonStep(
        N_(
            "{driving_ace} is the safety against {accident}. You could keep it for a coup fourré, but a safety "
            "still in your hand at the end is worth nothing, and the end is near. If you play it now, it protects "
            "you, scores 100 points and gives you another turn. Play it."
        ),
        ("driving_ace",),
        N_("Play the safety first: {driving_ace}."),
    ),
    LessonStep(
        N_("It's your turn again. Play {d100}."),
        ("100",),
        N_("Drive on: play {d100}."),
    ),
    LessonStep(
        N_(
            "You have to stop exactly at the goal. You still need {d50}, and all your distance cards are too "
            "large. When you can't play anything useful, discard a card. You won't be able to play {d75} in this "
            "hand, so discard it."
        ),
        (f"{DISCARD}75", DISCARD),
        N_("Discard a card, such as {d75}."),
    ),
    LessonStep(
        N_("You've drawn {d50}, just what you needed. Play it."),
        ("50",),
        N_("You can arrive right now: play {d50}."),
    ),
    LessonStep(
        N_(
            "You've driven exactly the right distance. With two or three players you can now extend the trip to "
            "{extension} for everyone. There's more to win, and more to lose. This time, finish the hand."
        ),
        ("finish",),
        N_("Another time. For now, finish the hand."),
    ),
)
"""All decisions that the learner makes, in order."""

CLOSING: Final = N_(
    "The score sheet shows what each thing was worth: one point a mile, 100 for each safety, 300 for each coup "
    "fourré, and 400 for your completed trip. A match goes on hand by hand until someone has enough points. That's "
    "all you need to know. Ask for a hint whenever you like. Have a good trip!"
)

HANDS: Final = ("roll 100 50 200 out_of_gas spare_tire", "roll accident gasoline speed_limit flat_tire 75")
"""The cards dealt to the learner and to the other side."""

DRAWS: Final = (
    "repairs 100 roll 25 end_of_limit 25 puncture_proof roll 200 50 100 stop 75 end_of_limit driving_ace 25 75 repairs"
    " spare_tire gasoline 100 75 roll 50 50 100"
)
"""The cards drawn, turn by turn.

The learner draws two after the coup fourré, and another for the extra turn after a safety.
"""

SCRIPT: Final = (
    *("roll", "75", "accident>0", "gasoline", "speed_limit>0", "roll"),
    *("100", "flat_tire>0", "25", "25", "50"),
)
"""The moves that the other side makes, in order."""


class _Scripted(Player):
    name = "tutorial"
    summary = "plays by a script"

    def match_started(self, *_: object) -> None:
        self._made = 0

    def moved(self, seat: int, move: Move) -> None:
        self._made += seat != LEARNER

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        return Move.parse(SCRIPT[self._made])


def _deck() -> list[Card]:
    rules = make_rules("classic")
    dealt = zip(*(row.split() for row in HANDS), strict=True)
    order = [Card(name) for pair in dealt for name in pair] + [Card(name) for name in DRAWS.split()]
    left = [card for card, count in zip(Card, rules.deck, strict=True) for _ in range(count)]
    for card in order:
        left.remove(card)
    return order + left


class Tutorial:
    """The lessons in one language and one theme. The hand shows how far the learner is."""

    def __init__(self, words: Words) -> None:
        self.words: Final = words
        self._ = _ = words.translate
        self.other: Final = _("Sam")

    def session(self, preferences: Preferences) -> GameSession:
        """Return a session for the tutorial, which is a practice game."""
        names = self._("You"), self.other
        game = SavedGame(
            match=Match.start(make_rules("classic"), deck=_deck(), players=names, match_target=None),
            seats=(HUMAN, _Scripted.name),
            seed="",
            games=(0, 0),
            slots=((), ()),
            preferences=preferences,
            practice=True,
        )
        return GameSession(game, None, self.words.theme, self._, players=(None, _Scripted()))

    def _step(self, hand: Hand) -> LessonStep | None:
        return STEPS[self._made(hand)] if hand.seat == LEARNER else None

    def lesson(self, hand: Hand) -> str:
        """Return the lesson to show before the learner decides, or "" if there is nothing to decide."""
        step = self._step(hand)
        return "" if step is None else self._fill(step.lesson)

    def accepts(self, hand: Hand, move: Move) -> str | None:
        """Return None if a legal move continues the tutorial, otherwise the hint to show instead of making the move."""
        step = self._step(hand)
        if step is None or str(move) in step.moves or (DISCARD in step.moves and str(move).startswith(DISCARD)):
            return None
        return self._fill(step.nudge)

    def next_move(self, hand: Hand) -> Move | None:
        """Return the move that the lesson names, or None if there is nothing to decide."""
        step = self._step(hand)
        return None if step is None else next(move for move in hand.legal_moves if str(move) == step.moves[0])

    def advice(self, hand: Hand) -> str:
        """Return advice on the next step for a learner who asks for it, or "" if there is nothing to decide."""
        move = self.next_move(hand)
        if move is None:
            return ""
        participants = Participants(hand.rules, (self._("You"), self.other), (True, False), self._)
        return self._("Next step: {move}.").format(move=describe_move(move, LEARNER, self.words.at(participants)))

    @property
    def closing(self) -> str:
        """The message to show with the score sheet."""
        return self._fill(CLOSING)

    def progress(self, hand: Hand) -> tuple[int, int]:
        """Return the number of decisions made so far, and the total number of decisions."""
        return self._made(hand), len(STEPS)

    def _made(self, hand: Hand) -> int:
        return sum(then.seat == LEARNER for then in hand.moments[:-1])

    def _fill(self, text: str) -> str:
        rules, theme = make_rules("classic"), self.words.theme
        return theme.worded(
            self._(text),
            other=self.other,
            goal=theme.miles(rules.goal),
            extension=theme.miles(rules.extension_goal or rules.goal),
        )
