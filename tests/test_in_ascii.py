"""What an encoding lacks is written with letters that it has."""

import pytest

from millebornes.shown import RESPELL, in_ascii


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Coup fourré !", "Coup fourre !"),
        ("l’arrêt…", "l'arret..."),
        ("« Œdipe »", '" OEdipe "'),
        ("“−5 ± 2”", '"-5 +- 2"'),
        ("5\N{NO-BREAK SPACE}000\N{NARROW NO-BREAK SPACE}?", "5 000 ?"),
        ("25 → 50 ±3 €", "25 -> 50 +-3 EUR"),
        ("e\u0301", "e"),
        ("plain ?", "plain ?"),
        ("Аня", "\\u0410\\u043d\\u044f"),
        ("x\udcff", "x\\udcff"),
    ],
)
def test_everything_can_be_written_in_ascii(text: str, shown: str) -> None:
    assert in_ascii(text) == shown


@pytest.mark.parametrize(
    ("text", "encoding", "shown"),
    [
        ("Coup fourré !", "latin-1", "Coup fourré !"),
        ("« Œdipe »", "latin-1", "« OEdipe »"),
        ("Аня", "koi8-r", "Аня"),
        ("Аня", "latin-1", "\\u0410\\u043d\\u044f"),
        ("x\udcff", "utf-8", "x\\udcff"),
    ],
)
def test_a_stream_writes_what_its_encoding_has(text: str, encoding: str, shown: str) -> None:
    assert text.encode(encoding, RESPELL).decode(encoding) == shown


def test_what_cannot_be_read_is_no_matter_of_spelling() -> None:
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("utf-8", RESPELL)
