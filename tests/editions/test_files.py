"""Editions of one's own, from TOML files."""

from pathlib import Path

import pytest

from millebornes.editions import FIELDS, edition, load_edition, make_rules
from millebornes.errors import EditionError

GOOD = """
name = "evening"
title = "Our evenings"
like = "house"
tables = ["2x2", "8x4"]

[rules]
targets = "left"
deck = {25 = 20, roll = 20, stop = 10, extra_tank = 1}

[seats.8]
hand_size = 5
"""


def write(folder: Path, text: str | bytes, name: str = "own.toml") -> str:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def refused(path: str) -> str:
    with pytest.raises(EditionError) as caught:
        load_edition(path)
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith(path)
    return text.removeprefix(path + ": ")


def test_an_edition_of_ones_own(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD)
    own = load_edition(path)
    assert (own.name, own.title, own.tables) == ("evening", "Our evenings", ((2, 2), (8, 4)))
    rules = own.rules(8, 4)
    assert (rules.targets, rules.coup_by, rules.hand_size, rules.cards) == ("left", "anyone", 5, 51)
    assert own.rules(2, 2).hand_size == 6
    assert make_rules(path, 8, 4) == rules


def test_like_takes_over_settings_by_seats_and_tables(tmp_path: Path) -> None:
    own = load_edition(write(tmp_path, 'name = "mine"\nlike = "classic"'))
    assert own.tables == edition("classic").tables
    assert own.rules(4, 2).goal == 1000
    assert own.rules(2, 2).settings() == edition("classic").rules().settings()


def test_like_can_be_changed_by_seats(tmp_path: Path) -> None:
    text = 'name = "mine"\nlike = "classic"\n[seats.4]\ngoal = 900\nextension_goal = 1200\n[seats.2]\ngoal = 600'
    own = load_edition(write(tmp_path, text))
    assert (own.rules(4, 2).goal, own.rules(4, 2).extension_goal) == (900, 1200)
    assert (own.rules(2).goal, own.rules(3).goal) == (600, 700)


def test_without_like_every_setting_must_be_given(tmp_path: Path) -> None:
    lines = {name: f"{name} = {value}" for name, value in zip(FIELDS, _values(), strict=True)}
    text = 'name = "mine"\n[rules]\n' + "\n".join(lines.values())
    assert load_edition(write(tmp_path, text)).rules().settings() == edition("classic").rules().settings()
    for name in FIELDS:
        less = 'name = "mine"\n[rules]\n' + "\n".join(line for other, line in lines.items() if other != name)
        message = refused(write(tmp_path, less))
        assert message.startswith(f"rules: missing settings: {name};")
        assert 'like = "classic"' in message


def _values() -> list[str]:
    values = edition("classic").rules().settings(short_deck=True).values()
    return [str(v).lower() if isinstance(v, (bool, int)) else f'"{v}"' for v in values]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "not a TOML file"),
        (b'name = "\xff"', "not UTF-8 text"),
        ("[" * 3000, "not a TOML file"),
        ("", "name: an edition needs a name"),
        ('like = "classic"', "name: an edition needs a name"),
        ("name = 5", "name: must be a string"),
        ('name = "mine"', "rules: missing settings: deck, hand_size"),
        ('name = "mine"\nlike = "nonsense"', "there is no edition 'nonsense'"),
        ('name = "mine"\nlike = "classic"\ntable = ["2x2"]', "unknown key 'table' (did you mean 'tables'?)"),
        ('name = "mine"\nlike = "classic"\nauthor = "me"', "unknown key 'author'"),
        ('name = "mine"\nlike = "classic"\nrules = 5', "rules: must be a table"),
        ('name = "mine"\nlike = "classic"\nseats = 5', "seats: must be tables such as [seats.4]"),
        ('name = "mine"\nlike = "classic"\n[seats.9]\ngoal = 500', "seats: [seats.9]"),
        ('name = "mine"\nlike = "classic"\n[seats.two]\ngoal = 500', "seats: [seats.two]"),
        ('name = "mine"\nlike = "classic"\n[seats]\n4 = 5', "seats.4: must be a table"),
        ('name = "mine"\nlike = "classic"\n[rules]\ngoal = 710', "goal: 710 is not allowed"),
        ('name = "mine"\nlike = "classic"\n[rules]\nroll_200 = 1', "roll_200: 1 is not allowed"),
        ('name = "mine"\nlike = "classic"\n[rules]\ngole = 500', "there is no setting 'gole' (did you mean 'goal'?)"),
        ('name = "mine"\nlike = "classic"\n[rules]\ngoal = 1000', "goal: 1000 is not below extension_goal"),
        ('name = "mine"\nlike = "classic"\n[rules]\nhazard_on = "stack"', "right_of_way_clears: "),
        ('name = "mine"\nlike = "classic"\n[rules]\ndeck = {roll = 5}', "deck: 5 cards cannot be dealt"),
        ('name = "mine"\nlike = "classic"\ntables = ["8x8"]\n[rules]\ndeck = {roll = 25, 25 = 20}', "deck: 45 cards"),
        ('name = "mine"\nlike = "classic"\ntables = []', "tables: must be a list"),
        ('name = "mine"\nlike = "classic"\ntables = ["2"]', "tables: '2' isn't a table"),
        ('name = "mine"\nlike = "classic"\ntables = ["4x3"]', "sides: 3 is not allowed"),
        ('name = "mine"\nlike = "classic"\ntables = ["9x9"]', "seats: 9 is not allowed"),
        ('name = "mine"\nlike = "classic"\ntables = ["²x2"]', "tables: '²x2' isn't a table"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, text: str | bytes, message: str) -> None:
    assert refused(write(tmp_path, text)).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"goal = {'9' * 5000}", "line 5: a number with thousands of digits cannot be read"),
        (f"goal = [1, {'9_' * 5000}9]", "line 5: a number with thousands of digits cannot be read"),
        (f"goal = 0x{'f' * 9000}", "goal: a number with many digits is not allowed; it must be a multiple of 25"),
        (f"deck = {{25 = 0x{'f' * 9000}}}", "deck: the count of 25 must be a whole number from 0 to 192, not a number"),
        ("goal = 1e999999", "goal: Infinity is not allowed"),
        (f"goal = {'[' * 400}{']' * 400}", "goal: [["),
        (f"goal = {'[' * 9000}{']' * 9000}", "not a TOML file that can be read (nested too deeply)"),
        ("goal = 9999-99-99", "not a TOML file ("),
        ("goal = 9999-12-31", 'goal: "datetime.date(9999, 12, 31)" is not allowed'),
        ('"go\\u001b[31mal\\n" = 7', "rules: there is no setting 'go\\x1b[31mal\\n'"),
        ('goal = "\\u009b31m"', 'goal: "\\x9b31m" is not allowed'),
    ],
    ids=lambda value: str(value)[:30],
)
def test_values_beyond_measure(tmp_path: Path, text: str, message: str) -> None:
    said = refused(write(tmp_path, f'name = "x"\nlike = "classic"\n\n[rules]\n{text}\n'))
    assert said.removeprefix("rules: ").startswith(message.removeprefix("rules: "))
    assert said.isprintable()
    assert len(said) < 600


def test_a_file_name_with_control_characters(tmp_path: Path) -> None:
    name = "a\x1b[31m\nb.toml"
    with pytest.raises(EditionError) as caught:
        load_edition(str(tmp_path / name))
    assert "a\\x1b[31m\\nb.toml: cannot be read" in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert "cannot be read" in refused(str(tmp_path / "none.toml"))
    (tmp_path / "folder.toml").mkdir()
    assert "cannot be read" in refused(str(tmp_path / "folder.toml"))
    assert "too large" in refused(write(tmp_path, b"#" * ((1 << 20) + 1)))
    with pytest.raises(EditionError):
        load_edition("x\0.toml")
