import pytest

from millebornes.arena.schedule import seed_value


@pytest.mark.parametrize(
    ("seed", "value"),
    [("7", 7), ("0", 0), ("007", "007"), ("-1", "-1"), ("", ""), ("a", "a"), ("٣", "٣"),
     (str(2**53 - 1), 2**53 - 1), (str(2**53), str(2**53)), ("9" * 5000, "9" * 5000)],
    ids=lambda value: str(value)[:20],
)  # fmt: skip
def test_seeds_are_numbers_where_every_reader_of_json_keeps_them(seed: str, value: int | str) -> None:
    assert seed_value(seed) == value
    assert type(seed_value(seed)) is type(value)
