"""Values of another kind than is wanted are refused with a sentence that says what to give instead."""

import contextlib
import io
import sys
from collections.abc import Callable
from typing import Any

import pytest

import millebornes
from millebornes import (
    Hand,
    InformationState,
    KernelPlayer,
    Match,
    View,
    code_of_move,
    make_rules,
    move_of_code,
    number_of_codes,
    sample_worlds,
)
from millebornes.errors import ArgumentError, EditionError, IllegalMoveError, MilleBornesError, NotationError, SeatError

RULES = make_rules()
HAND = Hand.deal(RULES, 1958)
ANY: Any = None
WRONG: list[tuple[Callable[[Any], object], type[MilleBornesError], str]] = [
    (
        lambda x: x.Hand.deal("classic"),
        ArgumentError,
        r"'classic' isn't a millebornes.Rules; make them with make_rules",
    ),
    (lambda x: x.Hand.deal(RULES), ArgumentError, "seed: give a whole number or a string"),
    (lambda x: x.Match.start("house"), ArgumentError, r"make them with make_rules\('house'\)"),
    (lambda x: HAND.play(3), ArgumentError, r"3 isn't a move; give a millebornes.Move or its text"),  # type: ignore[arg-type]
    (lambda x: HAND.why_not(None), ArgumentError, "None isn't a move"),  # type: ignore[arg-type]
    (lambda x: HAND.view(0).why_not(7), ArgumentError, "7 isn't a move"),  # type: ignore[arg-type]
    (lambda x: x.Move.parse(["roll"]), NotationError, r"\['roll'\].* isn't a move"),
    (lambda x: HAND.cards(5), SeatError, "there is no seat 5; the seats are 0 to 1"),
    (lambda x: HAND.cards(-1), SeatError, "there is no seat -1"),
    (lambda x: HAND.cards("0"), ArgumentError, "'0' isn't the number of a seat"),  # type: ignore[arg-type]
    (lambda x: HAND.dealt(2), SeatError, "there is no seat 2"),
    (lambda x: HAND.view(7), SeatError, "there is no seat 7; the seats are 0 to 1"),
    (lambda x: x.InformationState.of(HAND, 2), SeatError, "there is no seat 2"),
    (lambda x: HAND.to_svg(names=("A",)), NotationError, "names: 1 for 2 seats; give one for each seat, or none"),
    (lambda x: HAND.view(0).to_svg("AB"), ArgumentError, "'AB' isn't a list of names"),
    (lambda x: x.play_batch(RULES, ["basic"]), ArgumentError, r"KernelPlayer.named\('basic', rules\)"),
    (lambda x: x.play_batch("classic", []), ArgumentError, "isn't a millebornes.Rules"),
    (lambda x: x.make_rules(5), EditionError, "5 isn't an edition"),
    (lambda x: sample_worlds(HAND, 1, seed=1), ArgumentError, "neither a View nor an InformationState"),  # type: ignore[arg-type]
    (lambda x: sample_worlds(HAND.view(0), -1, seed=1), NotationError, "count: -1"),
    (lambda x: sample_worlds(HAND.view(0), 1, seed=1, beliefs=True), NotationError, "give an InformationState"),
    (lambda x: code_of_move(RULES, 0, "stop>0"), IllegalMoveError, "stop>0 isn't a move for seat 0"),
    (lambda x: move_of_code(RULES, 0, 9999), NotationError, "9999 isn't the code of a move"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_was_wanted_is_said(number: int) -> None:
    call, kind, said = WRONG[number]
    with pytest.raises(kind, match=said):
        call(millebornes)


def test_codes_are_those_of_the_legal_moves() -> None:
    for name, seats in (("classic", 2), ("house", 6)):
        rules = make_rules(name, seats)
        hand = Hand.deal(rules, 3)
        for _ in range(12):
            assert hand.seat is not None
            for move in hand.legal_moves:
                code = code_of_move(rules, hand.seat, move)
                assert 0 <= code < number_of_codes(rules)
                assert move_of_code(rules, hand.seat, code) == move
                assert hand.legal_moves.code(move) == code
            hand = hand.play(hand.legal_moves[-1])


def test_all_that_leads_on_is_there_and_can_be_read() -> None:
    for name in millebornes.__all__:
        assert getattr(millebornes, name) is not None
    assert dir(millebornes) == sorted(millebornes.__all__)
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        help(KernelPlayer)
    text = told.getvalue()
    assert "KernelPlayer.named" in text
    assert max(map(len, text.splitlines())) < 320  # the signature
    assert len(text) < 5000


def fits(world: Any, view: View) -> None:
    """Nothing seen is missing, nothing unseen is there twice."""
    assert tuple(map(len, world.hands)) == view.hand_sizes
    assert world.hands[view.seat] == view.hand
    assert len(world.draw_pile) == view.draw_pile
    hidden = [*world.draw_pile, *(card for seat, hand in enumerate(world.hands) if seat != view.seat for card in hand)]
    assert {card: hidden.count(card) for card in view.unseen} == view.unseen


@pytest.mark.slow
def test_worlds_fit_what_a_seat_has_seen_and_nothing_else_matters() -> None:
    hand = Hand.deal(RULES, 7)
    while hand.ply < 24:
        hand = hand.play(hand.legal_moves[-1])
    assert hand.seat is not None
    state, other = InformationState.of(hand, hand.seat), 1 - hand.seat
    view = state.view
    uniform = sample_worlds(view, 400, seed=1)
    believed = sample_worlds(state, 200, seed=1)
    for world in (*uniform, *believed[::10]):
        fits(world, view)
    assert sample_worlds(view, 2, seed=1) == uniform[:2]
    assert sample_worlds(state, 40, seed=1) == believed[:40]
    assert sample_worlds(state, 5, seed=1, beliefs=False) == uniform[:5]
    # A card in a hand of hidden cards comes as often as chance has it.
    card = max(view.unseen, key=view.unseen.__getitem__)
    size = view.hand_sizes[other]
    expected = size * view.unseen[card] / sum(view.unseen.values())
    mean = sum(world.hands[other].count(card) for world in uniform) / len(uniform)
    assert abs(mean - expected) < 0.3
    # What really lies there makes no difference: only what was seen does.
    assert sample_worlds(InformationState.parse(str(state)), 40, seed=1) == believed[:40]


def test_a_match_is_a_table_of_its_decisions() -> None:
    match = Match.start(RULES, 5, players=("Ann", "Bo"), match_target=None)
    while not match.hand.is_over:
        match = match.play(match.hand.legal_moves[-1])
    rows = match.rows()
    assert [row["move"] for row in rows] == [move.text for move in match.hand.moves]
    assert {row["player"] for row in rows} == {"Ann", "Bo"}
    assert {row["score"] for row in rows} == {sheet.total for sheet in match.hand.scores}
    for library in ("pandas", "polars"):
        pytest.importorskip(library)
        frame: Any = millebornes.to_frame(rows, library)
        assert (len(frame), list(frame.columns)) == (len(rows), list(rows[0]))
        assert type(frame).__module__.startswith(library)
        assert len(millebornes.to_frame(match, library)) == len(rows)
    assert len(match.to_frame()) == len(rows)
    assert len(millebornes.to_frame(iter(rows))) == len(rows)
    for wrong in (match.hand, "rows", None, 3, rows[0], [1, 2]):
        with pytest.raises(ArgumentError, match=r"contains no rows; .*match\.to_frame\(\)"):
            millebornes.to_frame(wrong)
    with pytest.raises(MilleBornesError, match="use 'pandas' or 'polars'"):
        millebornes.to_frame(rows, "arrow")


def test_the_seat_that_decides_may_be_asked_for_without_a_check() -> None:
    # `hand.seat` is None when a hand is over; what takes a seat takes it all the same, so that mypy has nothing to say.
    match = Match.start(RULES, 5, match_target=None)
    hand = match.hand
    assert hand.view(hand.seat) == match.view(hand.seat)
    assert hand.cards(hand.seat) == InformationState.of(hand, hand.seat).view.hand
    while not hand.is_over:
        hand = hand.play(hand.legal_moves[-1])
    with pytest.raises(ArgumentError, match="when a hand is over, no seat decides"):
        hand.view(hand.seat)


def test_without_a_library_of_frames_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MilleBornesError, match="a data frame needs pandas or polars: pip install pandas"):
        millebornes.to_frame([])
