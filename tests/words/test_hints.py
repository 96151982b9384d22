"""A hint in one sentence: it holds to the figures of the analysis, and says nothing that they don't show."""

import dataclasses
import random
import re

import pytest

from millebornes.analysis.reasons import are_distinguishable, main_differences
from millebornes.analysis.records import Analysis, MoveDifference
from millebornes.cards import Card
from millebornes.editions import make_rules
from millebornes.game import Action, InformationState, Match, Move
from millebornes.i18n import LANGUAGES, translator
from millebornes.schema.exercises import Objective
from millebornes.score_lines import Topic
from millebornes.themes import theme_for
from millebornes.words.hints import hint_sentence
from millebornes.words.participants import Participants, SideNames
from millebornes.words.words import Words
from tests.analysis import made_up
from tests.words.test_reasons import decision, own

EN = translator("en")


def said(analysis: Analysis, language: str = "en", seats: int = 2, sides: int | None = None) -> str:
    _ = translator(language)
    rules = make_rules("classic", seats, sides)
    names = ("You", "Bo", "Cleo", "Dee")[:seats]
    participants = Participants(rules, names, [True] + [False] * (seats - 1), _)
    return hint_sentence(analysis, 0, Words(_, theme_for(language)).at(participants))


def theirs(topic: Topic, points: float) -> MoveDifference:
    return MoveDifference(topic, False, points, 1.0, 0.5, 0.4)


def miles(points: float, is_own: bool = True, held: tuple[float, float] | None = None) -> MoveDifference:
    more = points if is_own else -points
    return MoveDifference(Topic.DISTANCE, is_own, points, 1.0, 400 + more, 400.0, held)


@pytest.mark.parametrize(
    ("analysis", "english", "french"),
    [
        (
            decision(40, 2, miles(40)),
            "Play 100 miles: you drive further.",
            "Jouer 100 km\u00a0: vous roulez plus loin.",
        ),
        (
            decision(90, 2, miles(90, False, (5.2, 3.4))),
            "Play 100 miles: Bo spends more turns stuck.",
            "Jouer 100 km\u00a0: Bo perd plus de tours à l’arrêt.",
        ),
        (
            decision(30, 2, own(Topic.TRIP_COMPLETED, 90), own(Topic.COUPS_FOURRES, -60)),
            "Play 100 miles: you're more likely to complete the trip, even though you're less likely to call a coup "
            "fourré.",
            "Jouer 100 km\u00a0: vous avez plus de chances de terminer le parcours, même si vous avez moins de chances "
            "d’annoncer un coup fourré.",
        ),
        (
            decision(100, 2, own(Topic.TRIP_COMPLETED, 50), theirs(Topic.SAFETIES, 30)),
            "Play 100 miles: you're more likely to complete the trip and Bo plays fewer safeties.",
            "Jouer 100 km\u00a0: vous avez plus de chances de terminer le parcours et Bo pose moins de bottes.",
        ),
        (
            decision(50, 2),
            "Play 100 miles: it's slightly better overall.",
            "Jouer 100 km\u00a0: c’est un peu mieux dans l’ensemble.",
        ),
        (
            decision(3, 2, own(Topic.TRIP_COMPLETED, 70)),
            "Too close to call: play 100 miles or discard Roll.",
            "Trop serré pour trancher\u00a0: jouer 100 km ou défausser Feu vert.",
        ),
    ],
)
def test_worked_examples(analysis: Analysis, english: str, french: str) -> None:
    assert said(analysis) == english
    assert said(analysis, "fr").replace("«\u00a0", "").replace("\u00a0»", "") == french


def test_several_rivals_and_teams() -> None:
    analysis = decision(90, 2, theirs(Topic.TRIP_COMPLETED, 90))
    assert said(analysis, seats=3) == "Play 100 miles: your rivals are less likely to complete the trip."
    assert said(analysis, seats=4, sides=2) == "Play 100 miles: Bo and Dee are less likely to complete the trip."
    assert said(decision(40, 2, miles(40)), seats=4, sides=2) == "Play 100 miles: your team drives further."
    against = decision(30, 2, own(Topic.TRIP_COMPLETED, 90), own(Topic.COUPS_FOURRES, -60))
    assert said(against, "fr", seats=4, sides=2).endswith(
        "votre équipe a plus de chances de terminer le parcours, même si votre équipe annonce moins de coups fourrés."
    )


def test_a_coup_fourre_is_no_reason_for_itself() -> None:
    analysis = decision(190, 2, own(Topic.COUPS_FOURRES, 100))
    best = analysis.moves[0]._replace(move=Move(Action.COUP, Card.DRIVING_ACE))
    called = dataclasses.replace(analysis, moves=(best, *analysis.moves[1:]))
    assert said(called) == "Call a coup fourré with Driving Ace: you score the bonus."
    stuck = dataclasses.replace(called, why=(*called.why, miles(90, False, (5.2, 3.4))))
    assert said(stuck) == "Call a coup fourré with Driving Ace: Bo spends more turns stuck."


def test_players_without_names() -> None:
    rules, analysis = make_rules("classic"), decision(90, 2, theirs(Topic.TRIP_COMPLETED, 90))
    told = hint_sentence(analysis, 0, Words(EN, theme_for("en")).at(SideNames(rules, 0, EN)))
    assert told == "Play 100 miles: your rival is less likely to complete the trip."


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_hold_to_the_figures(language: str) -> None:
    """No figures but those of cards; both moves where the lead is within the error; reasons only beyond theirs."""
    rng = random.Random(f"hint {language}")
    _, close = translator(language), 0
    state = InformationState.of_match(Match.start(make_rules(), seed=7), 0)
    for _n in range(100):
        analysis = made_up.analysis(rng, state, list(state.view.legal_moves), rng.choice(list(Objective)))
        text = said(analysis, language)
        assert text.endswith(".")
        assert "{" not in text
        assert not re.search(r"%|±|\d[.,]\d", text), text
        if not are_distinguishable(analysis):
            close += 1
            assert text.startswith(
                (_("Too close to call: {a} or {b}.")[:8], _("It makes no difference: {a} or {b}.")[:8])
            )
        elif not main_differences(analysis):
            assert text.endswith(_("it's slightly better overall") + ".")
    assert 0 < close < 100
