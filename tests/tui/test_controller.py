"""What a person can do at a terminal: every question, every answer, every refusal, once for both screens."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from millebornes.cards import SAFETIES, Card
from millebornes.commands.table import Command
from millebornes.editions import edition
from millebornes.game import Action, InformationState, Move, Phase
from millebornes.i18n import translator
from millebornes.players.external_player import ForfeitError
from millebornes.session import requests
from millebornes.session.game_session import GameSession
from millebornes.session.tutorial import STEPS, Tutorial
from millebornes.storage import Preferences
from millebornes.table.questions import SeatQuestion
from millebornes.themes import theme
from millebornes.tui.common import hints
from millebornes.tui.common.moves import Unclear, Wish
from millebornes.tui.controller import SWITCHES, ChosenMove, Controller, Refusal, Switched, Told
from millebornes.words import prompts
from millebornes.words.words import Words
from tests.plain.inside import deck_of
from tests.session.driving import HUMAN, session
from tests.session.test_secrecy import hidden_places, moves_of

START = {0: "roll stop 25 200 right_of_way 50", 1: "roll 25 25 50 50 75"}
PILE = "100 75 gasoline repairs 75"
PLAIN = "25 25 50 50 75 75"


def question_of(table: GameSession) -> SeatQuestion:
    """The question to the seat that decides now."""
    seat = table.hand.seat
    assert seat is not None
    if table.hand.phase in {Phase.COUP, Phase.OPENING}:
        safety = table.hand.coup_question
        assert safety is not None
        return requests.Coup(seat, safety, True)
    drawn = table.settle()
    return requests.Extension(seat) if table.hand.phase is Phase.EXTEND else requests.Turn(seat, drawn)


def at(
    hands: dict[int, str],
    pile: str = "",
    moves: Sequence[str] = (),
    *,
    seats: Sequence[str] = (HUMAN, "random"),
    typed: bool = False,
    name: str = "classic",
    **more: Any,
) -> Controller:
    """A controller whose question is open after some moves of a hand of known cards."""
    rules = edition(name).rules(len(seats), len(seats), more.get("set", {}))
    table = session(*seats, name=name, deck=deck_of(rules, hands, pile), **more)
    for move in moves:
        table.settle()
        table.pick()
        table.play(Move.parse(move))
    controller = Controller(table, typed=typed)
    controller.ask(question_of(table))
    return controller


def begun(**more: Any) -> Controller:
    """At the first turn: roll, stop, 25, 200, right of way, 50, and 100 just drawn."""
    return at(START, PILE, **more)


def use(place: int | None = None, *, card: Card | None = None, side: int | None = None) -> Wish:
    return Wish(Action.PLAY, card, place, side)


def discard(place: int) -> Wish:
    return Wish(Action.DISCARD, place=place)


# ---------------------------------------------------------------------- turns


@pytest.mark.parametrize(
    ("wish", "decision"),
    [
        (use(1), ChosenMove(Move(Action.PLAY, Card.ROLL), 1)),
        (use(card=Card.ROLL), ChosenMove(Move(Action.PLAY, Card.ROLL), 1)),
        (use(5), ChosenMove(Move(Action.PLAY, Card.RIGHT_OF_WAY), 5)),
        (discard(7), ChosenMove(Move(Action.DISCARD, Card.D100), 7)),
        (Wish(Action.DISCARD, Card.D200), ChosenMove(Move(Action.DISCARD, Card.D200), 4)),
    ],
)
def test_a_card_is_used_or_discarded_by_its_place_or_its_name(wish: Wish, decision: ChosenMove) -> None:
    assert begun().use(wish) == decision


def test_of_two_cards_of_a_kind_the_one_at_its_place_is_used() -> None:
    controller = at({0: "roll 25 25 25 25 25"}, "100 75")
    assert controller.use(discard(3)) == ChosenMove(Move(Action.DISCARD, Card.D25), 3)
    assert controller.use(Wish(Action.DISCARD, Card.D25)) == ChosenMove(Move(Action.DISCARD, Card.D25), 2)


@pytest.mark.parametrize(
    ("wish", "clause"),
    [
        (use(3), "R4.1"),
        (use(2), "R4.4"),
        (use(card=Card.STOP, side=1), "R4.4"),
        (use(card=Card.GASOLINE), "R2.5"),
        (Wish(Action.AS_ROLL, Card.D200), "R4.7"),
        (Wish(Action.PASS), "R5.1"),
        (Wish(Action.COUP, Card.RIGHT_OF_WAY), "R5.1"),
        (Wish(Action.EXTEND), "R6.2"),
        (Wish(Action.FINISH), "R6.2"),
    ],
)
def test_what_the_rules_forbid_is_refused_with_its_clause_and_what_is_possible(wish: Wish, clause: str) -> None:
    refused = begun().use(wish)
    assert isinstance(refused, Refusal)
    assert refused.text.startswith("You can't do that: ")
    assert f"({clause})." in refused.text
    assert refused.instead == "You can play Right of Way; play Roll, or discard."


def test_where_there_is_little_room_many_moves_are_not_listed() -> None:
    hands = {0: "extra_tank driving_ace puncture_proof right_of_way 25 50"}
    all_four = "You can play Driving Ace; play Extra Tank; play Puncture-proof; play Right of Way, or discard."
    for typed, instead in ((True, all_four), (False, "L lists what you can do.")):
        refused = at(hands, "200", typed=typed).use(use(5))
        assert isinstance(refused, Refusal)
        assert refused.instead == instead


def test_what_can_only_be_discarded_or_only_be_played() -> None:
    refused = at({0: PLAIN}, "100").use(use(1))
    assert isinstance(refused, Refusal)
    assert refused.instead == "You can only discard: D and a number."
    hands = {0: "driving_ace extra_tank puncture_proof", 1: "25 25 25"}
    refused = at(hands, "right_of_way", name="bsd", set={"hand_size": 3}, typed=True).use(discard(1))
    assert isinstance(refused, Refusal)
    assert "(R4.8)" in refused.text
    assert refused.instead.startswith("You can only play ")


def test_a_place_without_a_card() -> None:
    controller = begun()
    assert controller.use(use(9)) == Refusal("You have no card 9.")
    controller.slots.cards[6] = None
    assert controller.use(discard(7)) == controller.no_card(7) == Refusal("You have no card P.")


def test_a_200_is_played_as_a_roll_where_that_is_all_it_can_be() -> None:
    as_roll = ChosenMove(Move(Action.AS_ROLL, Card.D200), 4)
    assert begun(name="house").use(use(4)) == begun(name="house").use(Wish(Action.AS_ROLL, Card.D200)) == as_roll
    moving = at(START, PILE, ["roll", "-75"], name="house")
    assert moving.use(use(card=Card.D200)) == ChosenMove(Move(Action.PLAY, Card.D200), 4)


def test_a_hazard_goes_to_the_only_side_it_can_hit() -> None:
    controller = at({0: "stop 25 25 25 25 25", 1: "roll 50 50 50 50 50"}, "25 75 25", ["-25", "roll"])
    stop = ChosenMove(Move(Action.PLAY, Card.STOP, 1), 1)
    assert controller.use(use(1)) == controller.use(use(1, side=1)) == stop
    refused = controller.use(use(1, side=0))
    assert isinstance(refused, Refusal)
    assert "(R4.4)" in refused.text


def test_of_several_sides_one_must_be_named() -> None:
    hands = {0: "stop 25 25 stop 25 25", 1: "roll 50 50 50 50 50", 2: "roll 75 75 75 75 75"}
    controller = at(hands, "25 50 75 25", ["-25", "roll", "roll"], seats=(HUMAN, "random", "random"))
    stops = tuple(Move(Action.PLAY, Card.STOP, side) for side in (1, 2))
    for wish, place in ((use(1), 1), (use(4), 4), (use(card=Card.STOP), 1)):
        unclear = Unclear(stops, wish.place)
        assert controller.use(wish) == unclear
        assert [controller.aim(unclear, side) for side in (1, 2)] == [ChosenMove(stop, place) for stop in stops]
    for side in (-1, 0, 3):
        assert controller.aim(Unclear(stops), side) == Refusal("You can play hazards on these sides now: 2, 3.")
    assert controller.use(use(1, side=2)) == ChosenMove(stops[1], 1)


def test_only_hazards_are_aimed_at_a_side() -> None:
    controller = begun()
    assert controller.use(use(1, side=1)) == Refusal("Only hazards can be played on a side.")
    assert controller.use(use(1, side=0)) == controller.use(use(1)) == controller.use(use(1))


def test_there_is_nothing_to_answer_at_a_turn() -> None:
    controller = begun()
    for yes in (True, False):
        assert controller.answer(yes) == Refusal("There's no question to answer.")
    assert not controller.is_yes_or_no
    assert controller.text == "Your turn."
    shared = begun(seats=(HUMAN, HUMAN))
    assert shared.text == "n0, your turn."


# ---------------------------------------------------------------------- picking


PICK_FIRST = Refusal("Pick a card first: P (R2.5).")


def test_cards_that_are_ready_are_picked_first() -> None:
    controller = begun(manual_pick=True, practice=True)
    assert controller.must_pick
    for wish in (use(1), discard(1), Wish(Action.DISCARD, Card.D25), Wish(Action.AS_ROLL, Card.D200)):
        assert controller.use(wish) == PICK_FIRST
    assert controller.no_card(7) == controller.no_hint() == controller.do(Command.COUNTS) == PICK_FIRST
    assert controller.pick() == "You draw 100 miles."
    assert controller.pick() == Refusal("You've already picked a card: P is 100 miles.")
    assert controller.use(use(1)) == ChosenMove(Move(Action.PLAY, Card.ROLL), 1)
    assert controller.no_hint() is None
    assert controller.do(Command.COUNTS) is None


def test_why_there_is_nothing_to_pick() -> None:
    controller = begun()
    assert controller.pick() == Refusal("You've already picked a card: P is 100 miles.")
    controller.slots.cards[6] = None
    assert controller.pick() == Refusal("There's nothing to pick now (R2.5).")
    table, rng = session(HUMAN, "random", seed="3"), random.Random(3)
    while table.hand.draw_pile or table.hand.seat != 0 or table.hand.phase is not Phase.PLAY:
        table.settle()
        discards = [move for move in table.hand.legal_moves if move.action is Action.DISCARD]
        table.play(rng.choice(discards or list(table.hand.legal_moves)))
    table.settle()
    controller = Controller(table)
    controller.ask(requests.Turn(0, ()))
    assert controller.slots.card_at(7) is None
    assert controller.pick() == Refusal("The draw pile is empty, so there's nothing to pick (R2.5).")


# ---------------------------------------------------------------------- yes or no


def stopped(card: str, *, seats: Sequence[str] = (HUMAN, HUMAN), **more: Any) -> Controller:
    """Seat 1 has been stopped, and its last card is ``card``; it is asked whether it answers."""
    hands = {0: "stop roll 100 100 100 100", 1: f"roll 25 25 50 50 {card}"}
    rules = edition("classic").rules(2)
    table = session(*seats, deck=deck_of(rules, hands, "25 25 75 25 25"), **more)
    for move in ("roll", "roll", "stop>1"):
        table.settle()
        table.play(Move.parse(move))
    controller = Controller(table, typed=True)
    controller.ask(requests.Coup(1, Card.RIGHT_OF_WAY, card == "right_of_way"))
    return controller


def test_a_coup_fourre_is_called_by_yes_or_by_its_card() -> None:
    controller = stopped("right_of_way")
    assert controller.is_yes_or_no
    coup, let_go = ChosenMove(Move(Action.COUP, Card.RIGHT_OF_WAY), 6), ChosenMove(Move(Action.PASS))
    assert controller.answer(True) == controller.do(Command.YES) == coup
    for wish in (Wish(Action.COUP, Card.RIGHT_OF_WAY), use(card=Card.RIGHT_OF_WAY)):
        assert controller.use(wish) == coup
    assert controller.answer(False) == controller.do(Command.NO) == controller.use(Wish(Action.PASS)) == let_go
    first = Refusal("Decide about the coup fourré first: y calls it, n passes (R5.1).")
    for wish in (use(card=Card.D25), use(6), discard(1), Wish(Action.EXTEND), Wish(Action.COUP, Card.EXTRA_TANK)):
        assert controller.use(wish) == controller.answer_first() == first


def test_who_does_not_hold_the_safety_is_asked_the_same_and_can_only_pass() -> None:
    holder, other = stopped("right_of_way"), stopped("75")
    assert holder.text == other.text
    assert "Right of Way would answer it" in other.text
    assert (
        holder.do(Command.LEGAL)
        == other.do(Command.LEGAL)
        == Told("", [prompts.may_call(other.session.hand, other.words)])
    )
    not_held = Refusal("You don't hold Right of Way (R2.5). Answer n to continue.")
    assert other.answer(True) == other.use(Wish(Action.COUP, Card.RIGHT_OF_WAY)) == not_held
    assert other.answer(False) == other.use(Wish(Action.PASS)) == ChosenMove(Move(Action.PASS))
    assert holder.no_hint() is None
    assert other.no_hint() == Refusal("There's no decision to make here; press Enter to continue.")
    assert holder.use(use(1)) == other.use(use(1)) == other.answer_first()


def at_the_goal(**more: Any) -> Controller:
    """The last miles of a trip that can be extended have been driven."""
    settings = {"goal": 100, "extension_goal": 1000}
    hands = {0: "roll 100 25 25 25 25", 1: "stop 75 75 75 75 75"}
    return at(hands, "25 75 25 75 25 75", ["roll", "-75", "100"], set=settings, **more)


def test_the_trip_is_extended_or_finished() -> None:
    controller = at_the_goal()
    assert controller.text == "You've completed the trip. You can extend it to 1000 miles, for everyone."
    extend, finish = ChosenMove(Move(Action.EXTEND)), ChosenMove(Move(Action.FINISH))
    assert controller.answer(True) == controller.use(Wish(Action.EXTEND)) == extend
    assert controller.answer(False) == controller.use(Wish(Action.FINISH)) == finish
    first = Refusal("Decide about the extension first: y extends the trip, n finishes the hand (R6.2).")
    for wish in (use(1), discard(1), Wish(Action.PASS), use(card=Card.D25)):
        assert controller.use(wish) == first


# ---------------------------------------------------------------------- what is possible


def test_legal_moves_and_why_not_the_rest() -> None:
    listed = begun(typed=True).do(Command.LEGAL)
    assert isinstance(listed, Told)
    assert listed.heading == "What you can do"
    for line in (
        "  play Roll  [roll]",
        "  play Right of Way  [right_of_way]",
        "  discard 25 miles, 50 miles, 100 miles, 200 miles, Stop, Roll, Right of Way",
        "  play 25 miles: you aren't moving; play Roll first (R4.1)",
        "  play Stop on n1: they aren't moving, so you can't stop them (R4.4)",
    ):
        assert line in listed.lines
    bare = begun().do(Command.LEGAL)
    assert isinstance(bare, Told)
    assert "  play Roll" in bare.lines


def test_between_questions_nothing_can_be_asked_of_a_decision() -> None:
    controller = begun(practice=True)
    controller.ask(None)
    waits = Refusal("It isn't your turn.")
    assert controller.do(Command.LEGAL) == controller.no_hint() == waits
    assert controller.answer(True) == Refusal("There's no question to answer.")
    assert controller.do(Command.COUNTS) is None


def test_commands_that_concern_only_the_screen_are_left_to_it() -> None:
    controller = begun()
    others = set(Command) - {Command.YES, Command.NO, Command.LEGAL, Command.UNDO, Command.COUNTS, *SWITCHES}
    assert [command for command in others if controller.do(command) is not None] == []


# ---------------------------------------------------------------------- practice

ONLY_IN_PRACTICE = "You can take moves back and count cards only in practice: "


def test_in_a_game_that_counts_nothing_is_taken_back_or_counted() -> None:
    controller = at(START, PILE, ["roll", "-75"])
    for command in (Command.UNDO, Command.COUNTS):
        refused = controller.do(command)
        assert isinstance(refused, Refusal)
        assert refused.text.startswith(ONLY_IN_PRACTICE)
    assert not controller.session.undo(0)


NO_MOVE = Refusal("You have no move in this hand that can be taken back.")


def test_one_person_takes_back_at_any_time() -> None:
    controller = begun(practice=True)
    assert controller.undo() == NO_MOVE
    controller.session.play(Move.parse("roll"))
    controller.ask(None)  # while the others move
    assert controller.do(Command.UNDO) == requests.TakeBack(0)
    controller.session.settle()
    controller.session.play(Move.parse("-75"))
    controller.ask(question_of(controller.session))
    assert controller.do(Command.UNDO) == requests.TakeBack(0)


def test_of_several_people_the_one_who_is_asked_takes_back() -> None:
    controller = at(START, PILE, ["roll"], seats=(HUMAN, HUMAN), practice=True)
    assert controller.seat == 1
    assert controller.undo() == NO_MOVE  # what the other has played is not theirs to take back
    controller.ask(None)
    assert controller.undo() == requests.TakeBack(0)
    controller.ask(requests.Turn(1, ()))
    controller.session.play(Move.parse("-75"))
    controller.ask(question_of(controller.session))
    assert controller.undo() == requests.TakeBack(0)
    controller.ask(None)
    assert controller.undo() == requests.TakeBack(1)


def test_during_a_question_and_after_the_hand() -> None:
    controller = at_the_goal(practice=True)
    assert controller.undo() == requests.TakeBack(0)
    controller.session.play(Move.parse("finish"))
    assert controller.session.hand.is_over
    controller.ask(None)
    assert controller.undo() == requests.TakeBack(0)
    asked = stopped("right_of_way", practice=True)
    assert asked.undo() == requests.TakeBack(1)


def test_after_a_forfeit() -> None:
    controller = at(START, PILE, ["roll"], practice=True, seats=(HUMAN, HUMAN, "random"))
    controller.session.lose(ForfeitError("random", 2, "sent nonsense"))
    controller.ask(None)
    assert controller.undo() == requests.TakeBack(0)


# ---------------------------------------------------------------------- preferences

SWITCHED: list[tuple[Command, bool, str, str, str]] = [
    (Command.ORDER, False, "sort", "Your hand is sorted from now on.", "Your hand is no longer sorted."),
    (Command.ONE_KEY, True, "one_key", "Typing a card's number now uses", "A number alone now does nothing."),
    (Command.ONE_KEY, False, "one_key", "One-key play: a number key plays", "Two-key play: U or D, then"),
    (Command.MANUAL, True, "manual_pick", "From your next turn on, you pick", "From your next turn on, cards are"),
    (Command.BRIEF, True, "brief", "Brief mode on: you'll hear only", "Brief mode off: you'll hear the whole"),
    (Command.WINDOW, False, "window", "", ""),
]


@pytest.mark.parametrize(("command", "typed", "name", "on", "off"), SWITCHED)
def test_a_preference_is_switched_and_back(command: Command, typed: bool, name: str, on: str, off: str) -> None:
    controller = begun(typed=typed)
    values = [getattr(controller.session.preferences, name)]
    for said in (on, off):
        switched = controller.do(command)
        assert isinstance(switched, Switched)
        assert switched.name == name
        assert switched.text.startswith(said)
        values.append(getattr(controller.session.preferences, name))
    assert values[0] == values[2] != values[1]
    assert {command for command, *_ in SWITCHED} == set(SWITCHES)


def test_sorting_changes_the_hand_at_once() -> None:
    controller = begun()
    controller.do(Command.ORDER)
    words = "25 50 200 stop roll right_of_way 100"
    assert controller.slots.cards == [Card(word) for word in words.split()]


def test_another_preference_leaves_a_sorted_hand_as_it_is() -> None:
    controller = begun(sort=True)
    lying = [controller.slots.cards[place] for place in (1, 0, 2, 3, 4, 5, 6)]  # as after the draws for a coup fourré
    controller.slots.cards[:] = lying
    controller.do(Command.WINDOW)
    assert controller.slots.cards == lying


# ---------------------------------------------------------------------- hints


def test_a_hint_is_counted_once_for_each_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    def thoughts(state: object) -> Iterator[None]:
        seen.append(state)
        yield None

    monkeypatch.setattr(hints, "thoughts", thoughts)
    controller = begun()
    assert controller.confirm() is None
    for _ in range(3):
        assert next(controller.thoughts()) is None
    assert seen == [InformationState.of_match(controller.session.match, 0)] * 3
    assert controller.session.hints == controller.session.hand_hints == [1, 0]
    controller.hinted = Move.parse("roll")
    assert controller.confirm() == ChosenMove(Move.parse("roll"), 1)
    controller.ask(controller.question)
    assert controller.confirm() is None
    controller.thoughts()
    assert controller.session.hints == [2, 0]


# ---------------------------------------------------------------------- lessons


def test_the_lessons_accept_what_leads_on_and_refuse_the_rest() -> None:
    lessons = Tutorial(Words(translator("en"), theme("english")))
    table = lessons.session(Preferences())
    controller, refused = Controller(table, lessons), 0
    for _ in STEPS:
        table.settle()
        while table.computers.player is not None:
            table.play(table.computers.choose())
            table.settle()
        controller.ask(question_of(table))
        for move in table.hand.legal_moves:
            nudge = lessons.accepts(table.hand, move)
            place = None if move.card is None else controller.slots.place_of(move.card)
            wanted = ChosenMove(move, place) if nudge is None else Refusal(nudge, is_lesson=True)
            assert controller.make(move) == wanted
            refused += nudge is not None
        if not controller.is_yes_or_no:
            nothing = controller.use(Wish(Action.EXTEND))
            assert isinstance(nothing, Refusal)
            assert not nothing.is_lesson
        controller.hinted = lessons.next_move(table.hand)
        decision = controller.confirm()
        assert isinstance(decision, ChosenMove)
        table.play(*decision)
    assert table.hand.is_over
    assert refused > len(STEPS)
    assert isinstance(controller.do(Command.UNDO), requests.TakeBack)


# ---------------------------------------------------------------------- secrets


def outcomes(controller: Controller) -> list[object]:
    """All that a person can learn from a controller at one question."""
    sides = (None, *range(controller.session.rules.sides))
    commands: Sequence[Callable[[], object]] = (
        controller.no_hint,
        controller.undo,
        controller.pick,
        lambda: controller.text,
        lambda: controller.do(Command.LEGAL),
        lambda: controller.do(Command.COUNTS),
        lambda: controller.view,
        lambda: controller.slots.texts(),
        lambda: [controller.answer(yes) for yes in (True, False)] if not controller.is_yes_or_no else None,
    )
    wishes = [
        Wish(action, place=place, side=side)
        for action in (Action.PLAY, Action.DISCARD)
        for place in range(1, controller.slots.size + 2)
        for side in (sides if action is Action.PLAY else (None,))
    ]
    wishes += [Wish(Action.PLAY, card) for card in Card] + [Wish(Action.COUP, card) for card in SAFETIES]
    return [ask() for ask in commands] + [controller.use(wish) for wish in wishes]


@pytest.mark.parametrize(("seats", "practice"), [((HUMAN, HUMAN, HUMAN), True), ((HUMAN, "random"), False)])
def test_nothing_that_is_returned_depends_on_hidden_cards(seats: Sequence[str], practice: bool) -> None:
    for seed in range(6):
        rng = random.Random(seed)
        table, plies = session(*seats, seed=str(seed), practice=practice), rng.randrange(4, 40)
        while table.hand.seat not in table.slots or table.hand.ply < plies or table.hand.phase is not Phase.PLAY:
            table.settle()
            table.play(rng.choice([move for move in table.hand.legal_moves if move.action is not Action.COUP]))
        hand, deck = table.hand, list(table.hand.at(0).deck or ())
        places = hidden_places(hand, hand.seat)
        other = list(deck)
        for place, card in zip(places, rng.sample([deck[n] for n in places], len(places)), strict=True):
            other[place] = card
        told = []
        for cards in (deck, other):
            twin = session(*seats, deck=cards, practice=practice)
            for _seat, move in moves_of(hand):
                if twin.hand.phase in {Phase.COUP, Phase.OPENING} and move.action is not Action.COUP:
                    twin.close_window()
                twin.settle()
                twin.play(move)
            while twin.hand.phase in {Phase.COUP, Phase.OPENING}:
                twin.close_window()
            controller = Controller(twin, typed=True)
            controller.ask(question_of(twin))
            told.append(outcomes(controller))
        assert told[0] == told[1]
