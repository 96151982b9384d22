"""What an encoding lacks is written with letters that it has."""

import pytest

from millebornes.themes.spelling import RESPELL, respelled


@pytest.mark.parametrize(
    ("text", "encoding", "shown"),
    [
        ("Coup fourré !", "ascii", "Coup fourre !"),
        ("Coup fourré !", "latin-1", "Coup fourré !"),
        ("« Œdipe »", "latin-1", "« OEdipe »"),
        ("l’arrêt…", "latin-1", "l'arrêt..."),
        ("“−5 ± 2”", "ascii", '"-5 +- 2"'),
        ("5\N{NO-BREAK SPACE}000\N{NARROW NO-BREAK SPACE}?", "ascii", "5 000 ?"),
        ("Аня", "ascii", "\\u0410\\u043d\\u044f"),
        ("Аня", "koi8-r", "Аня"),
        ("x\udcff", "utf-8", "x\\udcff"),
    ],
)
def test_what_is_lacking_is_written_otherwise(text: str, encoding: str, shown: str) -> None:
    assert respelled(text, encoding) == shown


def test_what_cannot_be_read_is_no_matter_of_spelling() -> None:
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("utf-8", RESPELL)
