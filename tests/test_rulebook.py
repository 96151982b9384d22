import re
from pathlib import Path

import pytest

import millebornes
from millebornes.cards import FULL_DECK, REDUCED_DECK, REMEDY_OF, SAFETY_OF, Card
from millebornes.editions import EDITIONS, FIELDS, edition
from millebornes.errors import NotationError
from millebornes.i18n import LANGUAGES, words
from millebornes.rulebook import chapter_of, clause, clauses, preamble, whole
from millebornes.rules.clauses import SCORE_SHEET, Reason

NUMBERS = """R1 R2 R2.1 R2.2 R2.3 R2.4 R2.5 R2.6 R2.7 R3 R3.1 R3.2 R3.3 R4 R4.1 R4.2 R4.3 R4.4 R4.5 R4.6 R4.7 R4.8 R4.9
R4.10 R5 R5.1 R5.2 R5.3 R5.4 R5.5 R5.6 R6 R6.1 R6.2 R6.3 R6.4 R7 R8 R8.1 R8.2 R9""".split()
HAS_CLAUSES = {"R2", "R3", "R4", "R5", "R6", "R8"}


def tables(markdown: str) -> list[list[list[str]]]:
    """The tables of a Markdown text as rows of cells, without marks and without the line under the head."""
    found: list[list[list[str]]] = []
    for block in re.findall(r"(?:^\|.*\n?)+", markdown, re.MULTILINE):
        rows = [[cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in block.splitlines()]
        found.append([rows[0], *rows[2:]])
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clause_is_there_in_order(language: str) -> None:
    assert [entry.number for entry in clauses(language)] == NUMBERS


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", NUMBERS)
def test_every_clause_says_something(number: str, language: str) -> None:
    entry = clause(number, language)
    assert entry.title
    assert len(entry.text) > 40 or number in HAS_CLAUSES
    assert entry.markdown in whole(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_of_the_book_is_lost(language: str) -> None:
    assert whole(language).strip() == "\n\n".join([preamble(language), *(e.markdown for e in clauses(language))])


@pytest.mark.parametrize("language", LANGUAGES)
def test_cited_clauses_exist(language: str) -> None:
    for cited in re.findall(r"R\d+(?:\.\d+)?", whole(language)):
        assert cited in NUMBERS


def test_every_clause_that_the_code_cites_exists() -> None:
    assert {reason.clause for reason in Reason} <= set(NUMBERS)
    assert {field.clause for field in FIELDS.values()} <= set(NUMBERS)
    for path in Path(millebornes.__file__).parent.rglob("*.py"):
        for cited in re.findall(r"\bR[1-9]\.\d+\b", path.read_text(encoding="utf-8")):
            assert cited in NUMBERS, f"{path}: {cited}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_setting_is_explained_where_it_says(language: str) -> None:
    chapters = {number: "\n".join(e.text for e in chapter_of(number.partition(".")[0], language)) for number in NUMBERS}
    for field in FIELDS.values():
        book = f"locale/{language}/rulebook.md: {field.name}"
        assert f"`{field.name}`" in clause("R9", language).text, f"{book} is missing in the table of R9"
        if field.name != "deck" and field.name != "goal":
            assert f"`{field.name}`" in chapters[field.clause], f"{book} is not explained near {field.clause}"
        if field.name in {"hazard_on", "targets", "coup_by", "hand_end", "tie"}:
            for value in re.split(r", | or ", field.allowed):
                assert f"`{value}`" in chapters[field.clause], value


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tables_of_cards_are_those_of_the_game(language: str) -> None:
    groups, answers, decks = tables(clause("R1", language).text)
    named = [card for row in groups[1:] for card in re.findall(r"[a-z_]+|\d+", re.sub(r"\([^)]*\)", "", row[1]))]
    assert named == [card.value for card in Card]
    assert answers[1:] == [[h.value, REMEDY_OF[h].value, SAFETY_OF[h].value] for h in REMEDY_OF]
    assert decks[1:] == [[card.value, str(FULL_DECK[card]), str(REDUCED_DECK[card])] for card in Card]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_editions_is_what_they_play(language: str) -> None:
    (table,) = tables(clause("R9", language).text)
    names, shapes, rows = table[0][1:], table[1][1:], {row[0]: row[1:] for row in table[2:]}
    assert sorted(names) == sorted(EDITIONS)
    assert set(rows) == set(FIELDS)
    yes_no: dict[str, bool | None] = {"none": None}
    yes_no |= dict.fromkeys(words("yes"), True) | dict.fromkeys(words("no"), False)
    for name in names:
        found = edition(name)
        cells = {field: row[names.index(name)] for field, row in rows.items()}
        assert shapes[names.index(name)] == ", ".join(f"{seats}x{sides}" for seats, sides in found.tables)
        for seats, sides in (*found.tables, (4, 2), (4, 4)):
            settings = found.rules(seats, sides).settings(short_deck=True)
            for field, cell in cells.items():
                usual, *special = re.split(r"\s*;\s*", cell)
                four = re.match(r"(\w+) \w+ 4 ", special[0]) if special else None
                text = four[1] if four and seats == 4 else usual
                assert str(yes_no.get(text, text)) == str(settings[field]), (name, seats, field)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_score_table_has_the_lines_of_r7(language: str) -> None:
    (table,) = tables(clause("R7").text)
    wanted = [(line.name, line.setting or str(line.points)) for line in SCORE_SHEET]
    assert [(row[0], row[1].replace(",", "").split()[0]) for row in table[1:]] == wanted
    (other,) = tables(clause("R7", language).text)
    for english_row, other_row in zip(table[1:], other[1:], strict=True):
        assert english_row[0] == other_row[0]
        assert re.findall(r"\d+", english_row[1]) == re.findall(r"\d+", other_row[1])


def test_numbers_may_be_written_loosely() -> None:
    assert clause("r4.10") is clause(" 4.10 ") is clause("R4.10")


@pytest.mark.parametrize("number", ["R4.99", "R0", "R10", "R4.1.1", "", "x", "R", "4,2", "R04.2", "R" + "1" * 5000])
def test_numbers_that_the_book_lacks(number: str) -> None:
    with pytest.raises(NotationError, match="there is no clause"):
        clause(number)


def test_chapter_or_clause() -> None:
    assert [entry.number for entry in chapter_of("R8")] == ["R8", "R8.1", "R8.2"]
    assert [entry.number for entry in chapter_of("R8.1")] == ["R8.1"]


def test_unknown_language() -> None:
    with pytest.raises(ValueError, match=r"the languages are en, .*fr"):
        whole("../../secrets")


def test_the_documentation_includes_the_book_and_has_no_copy() -> None:
    docs = Path(__file__).parents[1] / "docs" / "rules.md"
    text = docs.read_text(encoding="utf-8")
    (included,) = re.findall(r"```\{include\} (\S+)", text)
    assert (docs.parent / included).read_text(encoding="utf-8") == whole()
    assert "R4.2" not in text
