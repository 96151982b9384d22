"""Pictures of tables: well-formed, complete, and with no hidden card in a view."""

import random
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from millebornes.cards import CODES, Card
from millebornes.editions import make_rules
from millebornes.game import Hand, Match
from tests.reference.randoms import KNOWN_TABLES, Style, shuffled_deck

SVG = "{http://www.w3.org/2000/svg}"
ROOT = Path(__file__).parent.parent.parent


def faces(picture: str) -> list[str]:
    """Codes of the cards that lie face up."""
    titles = [title.text or "" for title in ElementTree.fromstring(picture).iter(f"{SVG}title")]
    return [match[1] for title in titles if (match := re.search(r"\((\w+)\)$", title))]


def test_every_card_has_a_picture() -> None:
    shown = {code for seed in range(25) for code in faces(Hand.deal(make_rules(), seed).to_svg())}
    assert shown == {CODES[card] for card in Card}


@pytest.mark.parametrize("table", KNOWN_TABLES[::3], ids=lambda table: f"{table[0]}-{table[1]}x{table[2]}")
def test_pictures_show_what_there_is(table: tuple[str, int, int]) -> None:
    rng = random.Random(f"picture {table}")
    rules = make_rules(*table)
    style = Style(rng)
    hand = Hand.from_deck(rules, shuffled_deck(rng, rules))
    while not hand.is_over:
        hand = hand.play(style.pick(hand.legal_moves.texts))
        if rng.random() > 0.1:
            continue
        picture = hand.to_svg()
        held = sorted(CODES[card] for cards in hand.hands for card in cards)
        found = faces(picture)
        for code in held:
            assert code in found
            found.remove(code)
        seat = rng.randrange(rules.seats)
        seen = faces(hand.view(seat).to_svg())
        for cards in (hand.cards(seat), *(tableau.safeties for tableau in hand.tableaux)):
            for card in cards:
                seen.remove(CODES[card])
        table_cards = [tableau.battle for tableau in hand.tableaux] + [tableau.speed for tableau in hand.tableaux]
        for top in (*table_cards, hand.discard_top):
            if top is not None:
                seen.remove(CODES[top])
        assert all(code.isdigit() for code in seen)  # what is left are the stacks of distance cards
        assert picture.count("rotate(90)") == sum(len(tableau.coups_fourres) for tableau in hand.tableaux)


def test_names_are_escaped() -> None:
    hand = Hand.deal(make_rules(), 3)
    picture = hand.to_svg(("<b>&\"'", "\0\n" + "x" * 100))
    texts = [text.text for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]
    assert "<b>&\"'" in texts
    assert "??" + "x" * 21 + "…" in texts


def test_jupyter() -> None:
    rules = make_rules()
    hand = Hand.deal(rules, 1)
    assert hand._repr_svg_() == hand.to_svg()
    assert hand.view(1)._repr_svg_() == hand.view(1).to_svg()
    match = Match.start(rules, 5, players=("A<", "B"))
    assert match._repr_html_() == match.hand.to_svg(("A<", "B"))
    while not match.hand.is_over:
        match = match.play(match.hand.legal_moves[-1])
    html = match._repr_html_()
    assert "<th>A&lt;</th><th>B</th>" in html
    assert "".join(f"<td>{total}</td>" for total in match.totals) in html
    sheet = match.hand.scores[0]
    assert f"<tr><th>total</th><td>{sheet.total}</td></tr>" in sheet._repr_html_()


@pytest.mark.once
def test_the_picture_in_the_documentation_is_drawn_by_the_program() -> None:
    done = subprocess.run([sys.executable, ROOT / "scripts" / "pictures", "--check"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
