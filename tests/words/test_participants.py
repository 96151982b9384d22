"""Sentences about a side: the verb goes with how many it is."""

import pytest

from millebornes.editions import make_rules
from millebornes.game import Match
from millebornes.i18n import translator
from millebornes.themes import theme
from millebornes.words.narration import Narrator
from millebornes.words.participants import Participants
from millebornes.words.words import Words

NAMES = ("Ann", "Bo", "Cy", "Di")


@pytest.mark.parametrize(
    ("seats", "language", "says"),
    [
        (2, "en", "The hand is over: Ann completed the trip."),
        (4, "en", "The hand is over: Ann and Cy completed the trip."),
        (2, "fr", "La manche est finie ; Ann a terminé le parcours."),
        (4, "fr", "La manche est finie ; Ann et Cy ont terminé le parcours."),
    ],
)
def test_who_completed_the_trip(seats: int, language: str, says: str) -> None:
    rules, _ = make_rules("classic", seats, 2), translator(language)
    participants = Participants(rules, NAMES[:seats], [False] * seats, _)
    hand = Match.start(rules, 7, players=NAMES[:seats]).hand
    while hand.completed_by != 0:
        if hand.is_over:
            hand = Match.start(rules, str(hand.deck[0]) + str(hand.ply), players=NAMES[:seats]).hand
        legal = hand.legal_moves
        hand = hand.play(next((move for move in legal if not str(move).startswith("-")), legal[0]))
    words = Words(_, theme("french" if language == "fr" else "english"))
    assert Narrator(words.at(participants)).hand_over(hand)(None) == says


@pytest.mark.parametrize(
    ("number", "language", "says"),
    [
        (1, "en", "Ann wins the match."),
        (2, "en", "Ann win the match."),
        (1, "fr", "Ann gagne la partie."),
        (2, "fr", "Ann gagnent la partie."),
    ],
)
def test_who_wins_the_match(number: int, language: str, says: str) -> None:
    _ = translator(language)
    assert _.plural("{side} wins the match.", "{side} win the match.", number).format(side="Ann") == says
