import re
from pathlib import Path
from typing import Final

import pytest

from millebornes.i18n import translator
from millebornes.players import DEFAULT_PLAYER, FULL_INFORMATION_PLAYERS, PLAYERS, player
from millebornes.policies.levels import LEVELS
from millebornes.policies.maxim_catalogue import MAXIMS
from millebornes.roster import FULL_INFORMATION, ROSTER, level_label, level_text, level_word
from millebornes.table.setup import GameSetup

NOTEBOOK: Final = Path(__file__).resolve().parent.parent / "research" / "notebook"
MEASURED: Final = {name: known.elo for name, known in ROSTER.items() if known.elo is not None}
DIFFERENCE: Final = re.compile(r"([+-]\d+) \(([+-]\d+) … ([+-]\d+)\)")
"""So much above somebody, and between which bounds."""


def rows(page: str, heading: str) -> list[list[str]]:
    """The rows of the first table below a heading, without marks."""
    text = (NOTEBOOK / page).read_text(encoding="utf-8").split(f"\n{heading}\n", 1)[1]
    lines = text[text.index("\n|") + 1 :].split("\n\n", 1)[0].splitlines()
    return [[cell.strip(" `*") for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_all_are_offered_with_their_words_the_weakest_first() -> None:
    assert list(ROSTER) == list(PLAYERS)
    assert set(FULL_INFORMATION) == FULL_INFORMATION_PLAYERS.keys()
    assert [name for name in ROSTER if not ROSTER[name].entry_point] == list(LEVELS)
    assert sorted(MEASURED, key=MEASURED.__getitem__) == list(MEASURED)
    assert list(MEASURED) == list(ROSTER)[1:]  # `random` is off the scale
    for name, known in ROSTER.items():
        assert player(name).summary == known.summary
        assert known.strength
        assert known.meaning


def test_elo_is_what_the_ladder_says() -> None:
    ladder = {cells[0]: int(cells[1]) for cells in rows("ladder.md", "### Levels, two seats") if cells[0] != "random"}
    assert set(MEASURED) - set(ladder) == {"instant", "champion"}, "measure it with research/scripts/ladder-page"
    assert ladder == {name: MEASURED[name] for name in ladder}
    elo = MEASURED["instant"]
    for name, rival, *cells in rows("ladder.md", "## Players that look ahead, and that learned"):
        if name == "instant":
            ahead, _, _ = map(int, DIFFERENCE.findall(" ".join(cells))[-1])
            assert elo == MEASURED[rival] + ahead


def test_elo_of_the_champion_is_within_what_the_ladder_says() -> None:
    text = (NOTEBOOK / "ladder.md").read_text(encoding="utf-8")
    found = re.findall(r"\| classic, two seats \| `(\w+)` \|.*\| (.* \(.*\)) \|\n", text)
    assert {rival for rival, _ in found} == {"instant", "maxims"}
    for rival, difference in found:
        _, low, high = map(int, DIFFERENCE.findall(difference)[0])
        assert low <= MEASURED["champion"] - MEASURED[rival] <= high


def test_the_table_of_levels_is_up_to_date() -> None:
    found = rows("players.md", "## Levels")
    assert [cells[0] for cells in found] == list(LEVELS)
    for cells, level in zip(found, LEVELS.values(), strict=True):
        memory, fading, noise, impulse, blindness = level.handicap
        known = [MEASURED[level.name], f"{memory} - {fading}", noise, f"{impulse} %", f"{blindness} %"]
        assert [cells[1], *cells[3:]] == [str(cell) for cell in (*known, len(level.ignores))]
        assert set(level.ignores) <= set(MAXIMS)
    said = (NOTEBOOK / "players.md").read_text(encoding="utf-8")
    for name in ("maxims", "instant", "champion"):
        assert re.search(rf"`{name}` (is )?at\s+(some )?\{MEASURED[name]:+d}\b", said)


def test_the_default_plays_where_nobody_says_otherwise() -> None:
    assert DEFAULT_PLAYER in ROSTER
    assert GameSetup().places[1] == DEFAULT_PLAYER


def test_words_and_strength_in_both_languages() -> None:
    assert level_text("casual", translator("en")).endswith(f" (Elo −{-MEASURED['casual']}).")
    assert level_text("maxims", translator("en")).endswith(f" (Elo +{MEASURED['maxims']}).")
    assert "Elo" not in level_text("random", translator("en"))
    french, english = (
        [(level_text(name, translator(code)), level_label(name, translator(code))) for name in ROSTER]
        for code in ("fr", "en")
    )
    for one, other in zip(french, english, strict=True):
        assert one[0] != other[0]
        assert one[1] != other[1] or one[1] == "Champion"


def test_a_level_says_first_how_strong_it_is() -> None:
    assert level_label("skilled", translator("en")) == "skilled (rather hard)"
    text = level_text("casual", translator("en"))
    assert text.startswith("easy; a newcomer wins about one match in three. Plays for fun")


def test_people_read_the_same_word_for_a_level_everywhere() -> None:
    assert level_label("casual", translator("en")) == level_word("casual", translator("en")) == "Easy"
    assert level_word("casual", translator("de")) == "Leicht"
    assert level_word("skilled", translator("en")) == "skilled"


@pytest.mark.parametrize("name", ROSTER)
def test_only_who_takes_options_gets_them(name: str) -> None:
    if ROSTER[name].takes_options:
        assert player(f"{name}:").name == name
    else:
        with pytest.raises(Exception, match=f"there is no player '{name}:points'"):
            player(f"{name}:points")
