from millebornes.i18n import translator
from millebornes.players import DEFAULT_PLAYER, PLAYERS
from millebornes.players.levels import ELO as MEASURED
from millebornes.policies.levels import LEVELS as KNOWN
from millebornes.session.draft import Draft
from millebornes.session.setup import ELO, LEVELS, STRENGTHS, USUAL_LEVEL, level_label, level_text


def test_all_levels_are_offered_with_their_words_the_weakest_first() -> None:
    assert list(LEVELS) == [name for name in PLAYERS if name in LEVELS]
    assert set(KNOWN) <= set(LEVELS)
    for name, level in KNOWN.items():
        assert LEVELS[name] == level.summary


def test_their_strength_is_that_of_the_arena() -> None:
    assert {name: elo for name, elo in MEASURED.items() if name in LEVELS} == ELO
    assert set(LEVELS) - set(ELO) == {"random"}  # out of the scale


def test_the_usual_one_plays_where_nobody_says_otherwise() -> None:
    assert USUAL_LEVEL == DEFAULT_PLAYER
    assert USUAL_LEVEL in LEVELS
    assert Draft().players[1] == USUAL_LEVEL


def test_words_and_strength_in_both_languages() -> None:
    assert level_text("casual", translator("en")).endswith(f" (Elo −{-ELO['casual']}).")
    assert level_text("maxims", translator("en")).endswith(f" (Elo +{ELO['maxims']}).")
    assert "Elo" not in level_text("random", translator("en"))
    assert set(STRENGTHS) == set(LEVELS)
    for text in (level_text, level_label):
        french = [text(name, translator("fr")) for name in LEVELS]
        assert not set(french) & {text(name, translator("en")) for name in LEVELS}


def test_a_level_says_first_how_strong_it_is() -> None:
    assert level_label("casual", translator("en")) == "casual (for first games)"
    text = level_text("casual", translator("en"))
    assert text.startswith("for first games; a newcomer wins about one match in three. Plays for fun")
