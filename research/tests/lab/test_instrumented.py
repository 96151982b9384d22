"""What the observer writes down, against a replay through the game layer with the Python players."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from millebornes.cards import HAZARDS, REMEDY_OF, SAFETIES, SAFETY_OF, Card
from millebornes.editions import Rules, make_rules
from millebornes.errors import PlayerError
from millebornes.game import Hand
from millebornes.game.move import move_codes
from millebornes.players import Basic, Player
from millebornes.players.maxims import Maxims
from millebornes.policies.batch import KernelPlayer, play_batch, play_one
from millebornes.rules.clauses import SCORE_LINES
from millebornes_research.lab.instrumented import FATES, play_instrumented, play_one_instrumented

FACES: dict[str, Callable[[], Player]] = {"basic": Basic, "maxims": Maxims}
TABLES = [("classic", 2, 2), ("wikibooks", 4, 2), ("house", 3, 3), ("mille2", 2, 2), ("bsd", 2, 2), ("classic", 6, 3)]


def seated(rules: Rules, *names: str) -> list[KernelPlayer]:
    return [KernelPlayer.named(names[seat % len(names)], rules) for seat in range(rules.seats)]


def move_text(rules: Rules, seat: int, code: int) -> str:
    return next(str(move) for move, c in move_codes(rules, rules.side_of(seat)).codes.items() if c == code)


def phase_of(hand: Hand) -> str:
    assert hand.seat is not None
    return hand.view(hand.seat).phase.name


def finished(hand: Hand, move: str, face: Player) -> list[int]:
    """Points by side when a move is made and one player plays on for all."""
    hand = hand.play(move)
    while not hand.is_over:
        assert hand.seat is not None
        view = hand.view(hand.seat)
        hand = hand.play(face.choose(view, view.legal_moves, None))  # type: ignore[arg-type] # none of these uses chance
    return [sheet.total for sheet in hand.scores]


def lead(points: list[int], side: int) -> int:
    return len(points) * points[side] - sum(points)


class Replay:
    """The same facts, gathered from hands of the game layer."""

    def __init__(self, rules: Rules, deck: tuple[int, ...], codes: list[int], first: int, face: Player) -> None:
        self.rules = rules
        self.face = face
        self.turns = [0] * rules.seats
        self.fate = dict.fromkeys(SAFETIES, FATES[0])
        self.holder = dict.fromkeys(SAFETIES, -1)
        self.came, self.gone, self.asked = (dict.fromkeys(SAFETIES, 0) for _ in range(3))
        self.gain: dict[Card, int] = {}
        self.hazards, self.met = (dict.fromkeys(HAZARDS, 0) for _ in range(2))
        self.choice: tuple[int, list[int], list[int], bool] | None = None
        self.covered = 0
        self.cards = [tuple(Card)[kind] for kind in deck]
        hand = Hand.from_deck(rules, self.cards, first)
        self.draws(hand)
        last: Card | None = None
        for code in codes:
            assert hand.seat is not None
            text = move_text(rules, hand.seat, code)
            last = self.note(hand, text, last)
            hand = hand.play(text)
            self.draws(hand)
        for safety in SAFETIES:
            if self.fate[safety] == "in hand at the end":
                self.gone[safety] = self.turns[self.holder[safety]]
        self.hand = hand

    def draws(self, hand: Hand) -> None:
        for safety in SAFETIES:
            if self.holder[safety] < 0:
                for seat in range(self.rules.seats):
                    if safety in hand.hands[seat]:
                        self.holder[safety], self.came[safety] = seat, self.turns[seat]
                        self.fate[safety] = "in hand at the end"

    def note(self, hand: Hand, text: str, last: Card | None) -> Card | None:
        """Note a move before it is made; returns the hazard that it plays."""
        seat, phase = hand.seat, phase_of(hand)
        assert seat is not None
        side = self.rules.side_of(seat)
        if phase == "PLAY":
            self.turns[seat] += 1
        if phase == "EXTEND":
            finish, extend = (finished(hand, move, self.face) for move in ("finish", "extend"))
            self.covered = self.answered(hand, seat)
            self.choice = (side, finish, extend, text == "extend")
        if phase == "COUP":
            assert last is not None
            answer = SAFETY_OF[last]
            self.asked[answer] += 1
            if self.asked[answer] == 1:
                called, passed = (finished(hand, move, self.face) for move in (f"{answer.value}!", "pass"))
                self.gain[answer] = lead(called, side) - lead(passed, side)
            self.met[last] += text != "pass"
        name = text.lstrip("-").rstrip("!").partition(">")[0].partition("=")[0]
        for safety in SAFETIES:
            if name == safety.value:
                coup = "opening call" if phase == "OPENING" else "coup fourré"
                self.fate[safety] = "discarded" if text[0] == "-" else coup if text[-1] == "!" else "played"
                self.gone[safety] = self.turns[seat]
        if ">" in text:
            self.hazards[Card(name)] += 1
            return Card(name)
        return None

    def answered(self, hand: Hand, seat: int) -> int:
        """Of the hazards that stop, those that a seat need not fear."""
        view = hand.view(seat)
        count = 0
        for hazard in HAZARDS[:4]:
            remedy, safety = REMEDY_OF[hazard], SAFETY_OF[hazard]
            owned = safety in view.own.safeties
            count += owned or safety in view.hand or remedy in view.hand or view.unseen[hazard] == 0
        return count


@pytest.mark.parametrize(("edition", "seats", "sides"), TABLES)
def test_what_is_seen_is_what_a_replay_shows(edition: str, seats: int, sides: int) -> None:
    rules = make_rules(edition, seats, sides)
    coups = choices = 0
    for seed, name in ((5, "maxims"), (6, "basic"), (7, "maxims"), (8, "basic")):
        first = seed % seats
        found = play_one_instrumented(rules, seated(rules, name), seed=seed, first=first)
        replay = Replay(rules, found.hand.deck, found.hand.codes, first, FACES[name]())
        seen = found.seen
        assert replay.hand.is_over
        for side, sheet in enumerate(replay.hand.scores):
            assert seen["lines"][side].tolist() == [getattr(sheet, line) for line in SCORE_LINES]
        for seat in range(seats):
            dealt = replay.cards[(seat - first) % seats : rules.hand_size * seats : seats]
            assert int(seen["dealt"][seat]) == sum(1 << 3 * card.index for card in dealt)
        assert int(seen["moves"]) == len(found.hand.codes)
        assert seen["turns"][:seats].tolist() == replay.turns
        assert [FATES[number] for number in seen["fate"]] == list(replay.fate.values())
        for key in ("holder", "came", "gone", "asked", "hazards", "met"):
            assert seen[key].tolist() == list(getattr(replay, key).values()), key
        for i, safety in enumerate(SAFETIES):
            assert int(seen["gain"][i]) == replay.gain.get(safety, 0)
        coups += sum(replay.asked.values())
        choice: Any = seen["choice"]
        if replay.choice is None:
            assert int(choice["side"]) == -1
        else:
            choices += 1
            side, finish, extend, own = replay.choice
            assert (int(choice["side"]), int(choice["own"])) == (side, own)
            assert int(choice["covered"]) == replay.covered
            assert choice["finish"][:sides].tolist() == finish
            assert choice["extend"][:sides].tolist() == extend
    assert coups > 0
    assert choices > 0 or rules.extension_goal is None


@pytest.mark.parametrize(("edition", "seats", "sides"), TABLES)
def test_watching_changes_nothing(edition: str, seats: int, sides: int) -> None:
    rules = make_rules(edition, seats, sides)
    for seed in range(6):
        players = seated(rules, *(["maxims", "basic", "random"][: 1 + seed % 3]))
        plain = play_one(rules, players, seed=seed, first=seed % seats)
        assert play_one_instrumented(rules, players, seed=seed, first=seed % seats).hand == plain


def test_many_hands_are_those_of_a_batch() -> None:
    """First seats change from game to game in a batch; here they are given, so every other game is the same."""
    rules = make_rules()
    players = [KernelPlayer.named(name, rules) for name in ("maxims", "basic")]
    lineups = [[0, 1], [1, 0]]
    batch = play_batch(rules, players, lineups, 40, seed=9).points
    for first in (0, 1):
        seen = play_instrumented(rules, players, lineups, [first, first], 40, seed=9)
        points = seen["lines"].sum(axis=3)[:, :, :2]
        assert (points[first::2] == batch[first::2]).all()
        assert (points[1 - first :: 2] != batch[1 - first :: 2]).any()


def test_parts_of_a_batch_are_the_same() -> None:
    rules = make_rules("classic", 4)
    players = seated(rules, "maxims")[:1]
    whole = play_instrumented(rules, players, [[0] * 4], [2], 20, seed=3)
    parts = [play_instrumented(rules, players, [[0] * 4], [2], 10, seed=3, begin=begin) for begin in (0, 10)]
    assert whole.tobytes() == b"".join(part.tobytes() for part in parts)


def test_what_a_state_at_the_goal_is() -> None:
    rules = make_rules()
    seen = play_instrumented(rules, seated(rules, "maxims"), [[0, 1]], [0], 400, seed=2)[:, 0]
    choice = seen["choice"][seen["choice"]["side"] >= 0]
    assert 100 < len(choice) < 400
    assert not (choice["safeties"] & choice["held"]).any()
    assert ((choice["others"] == 0) == (choice["shut_out"] == 1)).all()
    assert (choice["others"] < 28).all()
    assert ((choice["exact"] == 0) | (choice["miles"] >= 12)).all()
    rows = np.arange(len(choice))
    distance_and_trip = choice["finish"][rows, choice["side"]]
    assert (distance_and_trip >= 700 + 400).all()
    won = choice["ends"] == 1
    assert (choice["extend"][rows, choice["side"]][won] >= 1000 + 400 + 200).all()
    assert set(choice["ends"].tolist()) == {-1, 0, 1}


@pytest.mark.parametrize(("line", "first"), [([0], 0), ([0, 2], 0), ([0, -1], 0), ([0, 0], 2), ([0, 0], -1)])
def test_a_line_up_names_players_and_a_first_seat(line: list[int], first: int) -> None:
    rules = make_rules()
    with pytest.raises(PlayerError, match="line-up"):
        play_instrumented(rules, seated(rules, "basic"), [line], [first], 1, seed=1)
