"""Position texts: everything round-trips, and what cannot lie on a table is refused by name."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.editions import Rules, make_rules
from millebornes.errors import EditionError, MilleBornesError, NotationError
from millebornes.game import Hand, Match, Phase, View
from tests.reference.randoms import KNOWN_TABLES, Style, random_rules, shuffled_deck

CLASSIC = (
    "classic/2x2 -:-:-:-|ROL:-:100:TNK! 25,100,OUT,STP,REP,SPR,PPF|50,75,100*2,GAS,ROL ?DRAW OUT 100,ROL,TNK play:0 1 -"
)


def whole(text: str) -> str:
    """A position text in which ``?DRAW`` stands for the rest of the deck, in card order."""
    fields = text.split(" ")
    left = dict(zip(CODES, Rules.parse(fields[0]).deck, strict=True))
    for part in ",".join([*fields[2].split("|"), fields[4], fields[5]]).split(","):
        code, _, count = part.partition("*")
        if code != "-":
            left[code] -= int(count or 1)
    return text.replace("?DRAW", ",".join(code for code, n in left.items() for _ in range(n)) or "-")


CODES = "25 50 75 100 200 ACC OUT FLT STP LIM REP GAS SPR ROL EOL ACE TNK PPF ROW".split()


def check_round_trips(hand: Hand, rng: random.Random) -> None:
    text = str(hand)
    parsed = Hand.parse(text)
    assert parsed == hand
    assert parsed.state == hand.state
    assert str(parsed) == text
    assert parsed.legal_moves == hand.legal_moves
    assert parsed.tableaux == hand.tableaux
    seat = rng.randrange(hand.rules.seats)
    totals = tuple(rng.randrange(5000) for _ in range(hand.rules.sides))
    view = hand.view(seat, totals, rng.randint(1, 9), rng.choice([None, 5000]))
    assert View.parse(str(view)) == view
    assert View.parse(str(view)).legal_moves == view.legal_moves


@pytest.mark.parametrize("table", KNOWN_TABLES, ids=lambda table: f"{table[0]}-{table[1]}x{table[2]}")
def test_known_tables(table: tuple[str, int, int]) -> None:
    rng = random.Random(str(table))
    rules = make_rules(*table)
    style = Style(rng)
    hand = Hand.from_deck(rules, shuffled_deck(rng, rules), rng.randrange(rules.seats))
    check_round_trips(hand, rng)
    while not hand.is_over:
        hand = hand.play(style.pick(hand.legal_moves.texts))
        if rng.random() < 0.1 or hand.phase is not Phase.PLAY:
            check_round_trips(hand, rng)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9))
def test_random_rules(seed: int) -> None:
    rng = random.Random(seed)
    rules = random_rules(rng)
    assert Rules.parse(str(rules)) == rules
    style = Style(rng)
    hand = Hand.from_deck(rules, shuffled_deck(rng, rules), rng.randrange(rules.seats))
    for _ in range(rng.randint(0, 150)):
        if hand.is_over:
            break
        hand = hand.play(style.pick(hand.legal_moves.texts))
    check_round_trips(hand, rng)


def test_repr_rebuilds() -> None:
    hand = Hand.deal(make_rules("house", 4), 3)
    assert eval(repr(hand)) == hand
    view = hand.view(2)
    assert eval(repr(view)) == view
    assert repr(hand) == f"Hand.parse('{hand}')"
    match = Match.start(make_rules("bsd"), 4, players=("Ann", "Bo"))
    while match.hand_number < 2:
        match = match.next_hand() if match.hand.is_over else match.play(match.hand.legal_moves[-1])
    assert eval(repr(match)) == match


def test_play_goes_on_from_a_position() -> None:
    hand = Hand.deal(make_rules(), 8)
    other = Hand.parse(str(hand))
    rng = random.Random(1)
    while not hand.is_over:
        move = rng.choice(hand.legal_moves)
        hand, other = hand.play(move), other.play(move)
        assert hand == other
    assert other.scores == hand.scores
    assert other.back(3) == hand.back(3)


def test_a_pile_under_a_pending_hazard() -> None:
    """R5.2: what lies under the hazard is part of the position, since a coup fourré shows it again."""
    text = whole("house/2x2 -:-:-:-|OUT/STP/200:-:100:- 25*6|75*5,TNK ?DRAW - 100,STP,OUT,200,ROL coup:1:OUT>1:0 0 -")
    after = Hand.parse(text).play("extra_tank!")
    assert after.tableaux[1].battle == "stop"
    assert after.discard_pile == ("out_of_gas",)
    passed = Hand.parse(text).play("pass")
    assert passed.tableaux[1].under == "out_of_gas"


def test_whoever_draws_the_last_card_still_plays() -> None:
    """R6.3 is asked before the draw, so a hand may go on for one turn that nobody can score in."""
    rules = make_rules("mille2", 2, settings={"deck": {"25": 7, "roll": 2}, "hand_size": 3})
    deck = ["25"] * 6 + ["roll", "roll", "25"]
    hand = Hand.from_deck(rules, deck).play_all(["-roll", "-roll", "-25"])
    assert hand.is_over
    before = hand.back()
    assert before.draw_pile == 0
    assert Hand.parse(str(before)) == before
    assert Hand.parse(str(hand)) == hand


def test_rules_texts() -> None:
    assert str(make_rules()) == "classic/2x2"
    rules = make_rules(
        "mille2", 3, settings={"targets": "left", "extension_goal": None, "deck": {"25": 20, "roll": 20}}
    )
    text = "mille2/3x3/deck=25*20+ROL*20,extension_goal=none,targets=left"
    assert str(rules) == text
    assert Rules.parse(text) == rules
    own = make_rules(None, 2, settings=make_rules("bsd").settings())
    assert str(own).startswith("own/2x2/deck=reduced,hand_size=6,goal=700,extension_goal=1000,")
    assert Rules.parse(str(own)) == own
    assert Rules.parse("classic/4x4/goal=700,deck=full") == make_rules("classic", 4, 4, {"goal": 700})


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "classic/2x2"),
        ("classic", "SEATSxSIDES"),
        ("clasic/2x2", "did you mean 'classic'"),
        ("/etc/x.toml/2x2", "SEATSxSIDES"),
        ("classic/4x3", "sides"),
        ("classic/2x2/", "a setting"),
        ("classic/2x2/target=left", "did you mean 'targets'"),
        ("classic/2x2/targets", "FIELD=VALUE"),
        ("classic/2x2/targets=left,targets=all", "twice"),
        ("classic/2x2/goal=710", "710"),
        ("classic/2x2/deck=25*10+XXX*1", "XXX"),
        ("classic/2x2/deck=25*10+25*1", "25*1"),
        ("classic/2x2/hazard_on=stack", "right_of_way_clears"),
        ("own/2x2", "every setting is needed"),
        ("own/2x2/" + "x" * 2000, "too long"),
    ],
)
def test_wrong_rules(text: str, part: str) -> None:
    with pytest.raises(EditionError) as caught:
        Rules.parse(text)
    assert part in str(caught.value)


def test_the_position_to_spoil_is_right() -> None:
    hand = Hand.parse(whole(CLASSIC))
    assert hand.seat == 0
    assert hand.tableaux[1].coups_fourres == ("extra_tank",)
    with pytest.raises(MilleBornesError, match="comes from a position"):
        assert hand.deck


SPOILT = [
    # old piece, new piece, what the message says
    ("play:0", "play:0 ", "9 fields"),
    ("-:-:-:-|ROL", "ROL", "SIDES: 1 parts for 2 sides"),
    ("-:-:-:-|", "-:-:-|", "SIDES, side 0: '-:-:-' has 3 parts instead of four"),
    ("ROL:-:100", "ROLL:-:100", "SIDES, side 1: 'ROLL' isn't a card"),
    ("ROL:-:100", "25:-:100", "25 does not belong on a battle pile"),
    ("ROL:-:100", "200:-:100", "roll_200"),
    ("ROL:-:100", "ROL:STP:100", "'STP' isn't a speed pile"),
    ("ROL:-:100", "ROL:-:ROL", "ROL isn't a distance card"),
    ("ROL:-:100", "ROL:-:100*1", "'1' is not allowed; it must be a whole number from 2 to 192"),
    ("ROL:-:100", "ROL:-:100*99", "9900 miles are more than any goal"),
    ("ROL:-:100", "ROL:-:200*3", "3 x 200 are too many; a side plays at most two (R4.1)"),
    ("TNK!", "TNK!,TNK", "'TNK' is not allowed; write each safety once"),
    ("ROL:-:100:TNK!", "ROL:-:100:-", "PLAYED: 1 x TNK, but the sides show 0"),
    ("ROL:-:100", "GAS:-:100", "PLAYED: 0 x GAS, but the sides show at least 1"),
    ("25,100,OUT", "25,100,100,OUT", "PLAYED: hands, draw pile, discards and played cards include 13 x 100"),
    ("25,100,OUT", "25,100", "include 2 x OUT, but the deck has 3"),
    ("25,100,OUT,STP,REP,SPR,PPF", "?7", "HANDS: '?7' isn't a card"),
    ("PPF|50", "PPF|-|50", "HANDS: 3 parts for 2 seats"),
    ("play:0", "play:1", "HANDS: seat 0 holds 7 cards; it must now hold exactly 6 (R2.5)"),
    ("play:0", "play:2", "TURN: '2' is not allowed; it must be a whole number from 0 to 1"),
    ("play:0", "play", "TURN: 'play' is not complete; write play:SEAT"),
    ("play:0", "plays:0", "TURN: 'plays' isn't a phase; it must be one of play, coup, opening, extend, over"),
    ("play:0", "coup:0", "TURN: 'coup:0' is not complete; write coup:SEAT:HAZARD>SIDE:BY"),
    ("play:0", "coup:0:GAS>0:1", "'GAS>0' isn't a hazard on a side"),
    ("play:0", "coup:0:FLT>0:1", "SIDES, side 0: '-' is not allowed; write the hazard that is being answered"),
    ("play:0", "coup:0:LIM>0:1", "the speed limit that is being answered must be there"),
    ("play:0", "extend:0", "seat 0 can be asked only when its side alone has reached 700 miles (R6.2)"),
    ("play:0", "opening:0", "no opening call"),
    ("play:0", "over:0", "while there are cards to draw"),
    (" 1 -", " 2 -", "FIRST: '2' is not allowed"),
    (" 1 -", " ٣ -", "FIRST: '٣' is not allowed"),
    (" 1 -", " 1 done", "TRIP: 'done' is not allowed"),
    (" 1 -", " 1 extended", "no side has reached 700 miles"),
    (" 1 -", " 1 completed:1", "a completed trip ends the hand"),
    (" ", "\t", "9 fields"),
]


@pytest.mark.parametrize(("old", "new", "part"), SPOILT, ids=[f"{old} to {new}" for old, new, _ in SPOILT])
def test_wrong_positions(old: str, new: str, part: str) -> None:
    text = whole(CLASSIC)
    assert old in text
    with pytest.raises(NotationError) as caught:
        Hand.parse(text.replace(old, new, 1 if old != " " else -1))
    assert part in str(caught.value)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("classic/2x2 ROL:-:100*7:-|-:-:-:- 25*6|50*7 ?DRAW - 100*7,ROL play:1 0 -", "has reached 700 miles"),
        (
            "classic/4x2 ROL:-:100*10:-|-:-:-:- 25*6|50*6|75*6|ROL*6 ?DRAW - 100*10,ROL extend:0 0 -",
            "the trip cannot be extended here",
        ),
        ("classic/2x2 ROL:-:100*7:-|-:-:-:- 25*6|50*6 ?DRAW - 100*7,ROL over:0 0 completed:1", "has not completed"),
        ("classic/2x2 STP:-:100:ROW|-:-:-:- 25*6|50*7 ?DRAW - 100,ROL,STP,ROW play:1 0 -", "R4.10"),
        ("classic/2x2 ROL:LIM:100:ROW|-:-:-:- 25*6|50*7 ?DRAW - 100,ROL,LIM,ROW play:1 0 -", "R4.10"),
        (
            "classic/2x2 FLT/ROL:-:100:-|-:-:-:- 25*5,TNK|50*6 ?DRAW - 100,ROL,FLT coup:0:FLT>0:1 0 -",
            "does not hold PPF",
        ),
        ("classic/2x2 FLT/-:-:-:-|-:-:-:- 25*5,PPF|50*6 ?DRAW - FLT coup:0:FLT>0:1 0 -", "R4.4"),
        (
            "classic/2x2 FLT/ROL:-:100:-|-:-:-:- 25*5,PPF|50*6 ?DRAW - 100,ROL,FLT coup:0:FLT>0:0 0 -",
            "cannot have played",
        ),
        ("classic/2x2 FLT/ROL:-:100:-|-:-:-:- 25*6|50*5,PPF ?DRAW - 100,ROL,FLT coup:1:FLT>0:1 0 -", "coup_by"),
        ("wikibooks/2x2 ROL:-:-:-|-:-:-:- 25*6|50*5,ROW ?DRAW - ROL opening:1 0 -", "before anything has been played"),
        (
            "classic/2x2 ROL:-:100*8:-|-:-:-:- 25*6|50*7 ?DRAW - 100*8,ROL play:1 0 -",
            "800 miles are more than the goal",
        ),
        ("wikibooks/2x2 -:-:-:-|-:-:-:- 25*6|50*6 ?DRAW - - opening:1 0 -", "does not hold ROW"),
        ("classic/2x2/hand_size=3,deck=25*4+ROL*2 -:-:-:-|-:-:-:- 25*3|- - 25,ROL*2 - play:1 0 -", "R2.6"),
        ("classic/2x2/hand_size=3,deck=25*4+ROL*2 -:-:-:-|-:-:-:- 25*3|- - 25,ROL*2 - over:1 0 -", "R6.3"),
        ("bsd/2x2/hand_size=3,deck=25*4+ROL*2 -:-:-:-|-:-:-:- 25,ROL|- - 25*3,ROL - over:0 0 -", "R6.3"),
        ("mille2/2x2/hand_size=3,deck=25*4+ROL*2 -:-:-:-|-:-:-:- 25,ROL|- - 25*3,ROL - over:0 0 -", "R6.3"),
    ],
)
def test_positions_that_cannot_come_about(text: str, part: str) -> None:
    with pytest.raises(NotationError) as caught:
        Hand.parse(whole(text))
    assert part in str(caught.value)


VIEW = (
    "classic/2x2 -:-:-:-|ROL:-:100:TNK! 25,100,OUT,STP,REP,SPR,PPF|?6 ?89 OUT 100,ROL,TNK play:0 1 - 0 300|1200 2/5000"
)


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        (" 2/5000", "", "12 fields"),
        ("?6", "50*6", "'50*6' is not hidden"),
        ("?6", "?", "HANDS: ''"),
        ("?6 ?89", "?5 ?90", "seat 1 holds 5 cards"),
        ("?89", "89", "'89' is not hidden"),
        ("?89", "?88", "there are 105 cards altogether, but the deck has 106"),
        ("25,100,OUT", "25*20,100,OUT", "the visible cards include 20 x 25"),
        ("300|1200", "300", "TOTALS: 1 parts"),
        ("2/5000", "2", "MATCH: '2'"),
        ("play:0", "over:?", "while there are cards to draw"),
    ],
)
def test_wrong_views(old: str, new: str, part: str) -> None:
    assert str(View.parse(VIEW)) == VIEW
    assert old in VIEW
    with pytest.raises(NotationError) as caught:
        View.parse(VIEW.replace(old, new, 1))
    assert part in str(caught.value)


PIECES = st.sampled_from(
    [*CODES, *"-|:/*,!? >=+901\0é٣", *"play coup extend over opening completed".split(), "house", "99999"]
)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_garbage_gives_only_our_errors(data: st.DataObject) -> None:
    text = whole(CLASSIC) if data.draw(st.booleans()) else VIEW
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 6)))
        text = text[:start] + "".join(data.draw(st.lists(PIECES, max_size=3))) + text[end:]
    for parse in (Hand.parse, View.parse, Rules.parse):
        try:
            found = parse(text)
        except (NotationError, EditionError):
            continue
        assert parse(str(found)) == found


@settings(max_examples=40, deadline=None)
@given(st.text())
def test_any_text_gives_only_our_errors(text: str) -> None:
    for parse in (Hand.parse, View.parse, Rules.parse):
        with pytest.raises((NotationError, EditionError)):
            parse(text)
