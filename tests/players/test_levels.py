import dataclasses
import itertools
import random
from collections.abc import Iterator

import numpy as np
import pytest

from millebornes.cards import Card
from millebornes.editions import make_rules
from millebornes.game import Hand, Match, View
from millebornes.players import Table, available, player
from millebornes.players.features import features_of
from millebornes.players.levels import LEVEL_PLAYERS, LevelPlayer, salt_of_cards
from millebornes.players.maxims import Maxims
from millebornes.policies.batch import KernelPlayer, play_batch
from millebornes.policies.codes import SAFETY
from millebornes.policies.dispatch import LEVEL
from millebornes.policies.handicaps import NO_HANDICAP, Handicap, first_impression, forget, misjudgement
from millebornes.policies.levels import LEVELS, advice_at, handicap_at
from millebornes.policies.maxim_catalogue import MAXIMS
from millebornes.roster import ROSTER

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it

CARDS = tuple(Card)
CLASSIC = make_rules()
NAMES = tuple(LEVELS)


# ---------------------------------------------------------------- what there is


def test_levels_are_players_like_others_the_weakest_first() -> None:
    assert list(LEVEL_PLAYERS) == list(LEVELS)
    found = available()
    for name, level in LEVELS.items():
        made = player(name)
        assert isinstance(made, LevelPlayer)
        assert (made.name, level.name) == (name, name)
        assert (found[name].elo, found[name].summary) == (ROSTER[name].elo, made.summary)
    assert found["random"].elo is None


def test_every_level_knows_more_and_errs_less_than_the_one_before() -> None:
    for low, high in itertools.pairwise(LEVELS.values()):
        assert set(high.ignores) < set(low.ignores) <= set(MAXIMS)
        a, b = low.handicap, high.handicap
        assert (a.noise, a.impulse, a.blindness, a.fading) > (b.noise, b.impulse, b.blindness, b.fading)
        assert a.memory < b.memory
        for one, other in zip(a[1:], b[1:], strict=True):
            assert one > other


# ---------------------------------------------------------------- playing


def test_a_match_that_is_taken_up_again_goes_on_as_it_would_have() -> None:
    whole = Table(Match.start(CLASSIC, "again"), [player("beginner"), player("novice")], seed="5")
    whole.play_hand()
    whole.next_hand()
    for ply in range(300):
        if whole.match.hand.is_over:
            break
        if ply % 10 == 0:
            later = Table(whole.match, [player("beginner"), player("novice")], seed="5")
            assert later.choose() == whole.choose()
        whole.step()
    assert whole.match.hand.is_over


def test_without_weaknesses_it_is_maxims() -> None:
    for rules in (CLASSIC, make_rules("classic", 3), make_rules("house", 4)):
        sure = dataclasses.replace(KernelPlayer.named("advanced", rules), handicap=NO_HANDICAP)
        maxims = KernelPlayer.named("maxims", rules)
        one, other = (
            play_batch(rules, [who], [[0] * rules.seats], 50, seed=3, match_target=2000).points
            for who in (sure, maxims)
        )
        assert (one == other).all()


@pytest.mark.parametrize(("weak", "strong"), list(itertools.pairwise([*NAMES, "maxims"])))
def test_every_level_beats_the_one_before(weak: str, strong: str) -> None:
    """Both over the same decks."""
    pair = [KernelPlayer.named(name, CLASSIC) for name in (strong, weak)]
    points = play_batch(CLASSIC, pair, [[0, 1], [1, 0]], 800, seed=31, match_target=5000).points
    ahead = np.stack([points[:, 0, 0] - points[:, 0, 1], points[:, 1, 1] - points[:, 1, 0]])
    wins = ((np.sign(ahead) + 1) / 2).mean(axis=0)
    expected = 1 / (1 + 10 ** (((ROSTER[weak].elo or 0) - (ROSTER[strong].elo or 0)) / 400))
    error = wins.std() / len(wins) ** 0.5
    assert wins.mean() - 3 * error > 0.5
    assert abs(wins.mean() - expected) < 5 * error + 0.02  # Elo of several players do not add up exactly


@pytest.mark.parametrize(
    ("name", "seats", "sides"), [("classic", 3, 3), ("classic", 4, 2), ("bsd", 2, 2), ("house", 2, 2)]
)
def test_the_order_holds_at_other_tables(name: str, seats: int, sides: int) -> None:
    rules = make_rules(name, seats, sides)
    for weak, strong in (("beginner", "regular"), ("regular", "maxims")):
        players = [KernelPlayer.named(who, rules) for who in (strong, weak)]
        lineups = [[int(rules.side_of(seat) != side) for seat in range(seats)] for side in range(sides)]
        points = play_batch(rules, players, lineups, 400, seed=8).points
        ahead = np.zeros(400)
        for side in range(sides):
            ahead += points[:, side, side] - np.delete(points[:, side], side, axis=1).mean(axis=1)
        assert ahead.mean() > 3 * ahead.std() / len(ahead) ** 0.5


# ---------------------------------------------------------------- memory


def known_cards(view: View, salt: int, handicap: Handicap) -> list[int]:
    """How many of the cards that have gone it remembers, by kind."""
    f = features_of(view)
    before = list(f.unseen)
    forget(view.rules.deck, salt, f, handicap)
    deck = view.rules.deck
    for kind, count in enumerate(deck):
        assert before[kind] <= f.unseen[kind] <= count - f.hand[kind]
        if kind >= SAFETY:
            assert f.unseen[kind] == before[kind]
    return [deck[kind] - f.hand[kind] - f.unseen[kind] for kind in range(len(deck))]


def views(seed: int) -> Iterator[View]:
    """What seat 0 sees at each of its decisions of a hand."""
    hand = Hand.deal(CLASSIC, seed)
    faces = [player("maxims"), player("maxims")]
    while not hand.is_over:
        assert hand.seat is not None
        view = hand.view(hand.seat)
        if hand.seat == 0:
            yield view
        hand = hand.play(faces[hand.seat].choose(view, view.legal_moves, random.Random(0)))


def test_what_is_forgotten_stays_so_until_more_is_seen() -> None:
    """From one decision to the next, no more cards come to mind than have gone meanwhile."""
    handicap = LEVELS["novice"].handicap
    fell = 0
    for seed in range(6):
        before, seen_before = [0] * len(CARDS), [0] * len(CARDS)
        for view in views(seed):
            known = known_cards(view, 1000 + seed, handicap)
            seen = [view.discards[card] + view.played[card] for card in CARDS]
            for kind in range(SAFETY):
                more = seen[kind] - seen_before[kind]
                assert known[kind] <= before[kind] + more or lies_open(view, kind)
                fell += known[kind] < before[kind]
            before, seen_before = known, seen
    assert fell > 20


def lies_open(view: View, kind: int) -> bool:
    """Whether a hazard of this kind holds somebody up: that is in full view."""
    under = [side.under.index for side in view.tableaux if side.under is not None]
    return kind in under or (CARDS[kind].value == "speed_limit" and any(side.is_limited for side in view.tableaux))


@pytest.mark.parametrize("name", NAMES)
def test_how_much_is_remembered(name: str) -> None:
    """The share of the cards gone, at the end of a hand, is about what the handicap says for cards of that age."""
    handicap = LEVELS[name].handicap
    deck, start = CLASSIC.deck, features_of(Hand.deal(CLASSIC, 1).view(0))
    shares = []
    for salt in range(100):
        f = start._replace(hand=[0] * 19, unseen=[0] * 19)
        forget(deck, salt * 7919, f, handicap)
        shares.append(1 - sum(f.unseen[:SAFETY]) / sum(deck[:SAFETY]))
    gone = sum(deck[:SAFETY])
    ages = [gone * (2 * (n - k) - 1) // (2 * n) for n in deck[:SAFETY] for k in range(n)]
    expected = float(np.mean([max(0, handicap.memory - handicap.fading * age // 10) / 100 for age in ages]))
    assert abs(np.mean(shares) - expected) < 0.03


def test_other_cards_dealt_are_another_memory() -> None:
    salts = {salt_of_cards(Hand.deal(CLASSIC, seed).view(0).hand[:6]) for seed in range(200)}
    assert len(salts) > 190
    *_, last = views(3)
    assert len({tuple(known_cards(last, salt, LEVELS["casual"].handicap)) for salt in range(20)}) > 10


def test_nothing_is_forgotten_by_the_sure() -> None:
    for view in views(5):
        assert known_cards(view, 5, NO_HANDICAP) == [view.discards[card] + view.played[card] for card in CARDS]


# ---------------------------------------------------------------- chance, impulse, oversight


def test_misjudgements_are_as_large_as_told_and_do_not_lean() -> None:
    chance = random.Random(2)
    handicap = Handicap(noise=50)
    found = np.array(
        [[misjudgement(chance.getrandbits(62), code, handicap) for code in (4, 5, 70)] for _ in range(4000)]
    )
    assert np.abs(found.mean(axis=0)).max() < 4 * 50 / 4000**0.5 + 0.5
    assert np.abs(found.std(axis=0) - 50).max() < 4
    assert np.abs(np.corrcoef(found.T) - np.eye(3)).max() < 0.07


def test_on_impulse_distance_is_driven_and_what_is_needed_later_thrown_away() -> None:
    view = next(view for view in views(4) if view.own.is_moving and "100" in view.legal_moves)
    f = features_of(view)
    codes = {move.text: view.legal_moves.code(move) or 0 for move in view.legal_moves}
    liked = {text: first_impression(code, f) for text, code in codes.items()}
    plays = [text for text in liked if not text.startswith("-")]
    assert max(liked, key=liked.__getitem__) in {"100", "200"}
    assert min(liked[text] for text in plays) > max(liked[text] for text in liked if text.startswith("-"))


def coup_hand() -> Hand:
    """Seat 1 may answer a hazard with a coup fourré."""
    for seed in range(2000):
        hand = Hand.deal(CLASSIC, seed)
        for _ in range(60):
            if hand.is_over or hand.seat is None:
                break
            if any(move.text.endswith("!") for move in hand.legal_moves):
                return hand
            faces = Maxims()
            view = hand.view(hand.seat)
            hand = hand.play(faces.choose(view, view.legal_moves, random.Random(0)))
    raise AssertionError("no coup in 2000 hands")


@pytest.mark.parametrize("name", NAMES)
def test_a_coup_is_overlooked_as_often_as_the_level_says(name: str) -> None:
    hand = coup_hand()
    assert hand.seat is not None
    view = hand.view(hand.seat)
    made = player(name)
    tries = 1000
    missed = sum(made.choose(view, view.legal_moves, random.Random(n)).text == "pass" for n in range(tries))
    share = LEVELS[name].handicap.blindness / 100
    assert abs(missed / tries - share) < 5 * (share * (1 - share) / tries) ** 0.5


def test_advice_and_habits_fit_the_table() -> None:
    crowd = make_rules("classic", 3)
    level = LEVELS["casual"]
    assert advice_at(level, crowd) != advice_at(level, CLASSIC)
    assert handicap_at(level, CLASSIC) == level.handicap
    assert handicap_at(level, crowd)._replace(noise=level.handicap.noise) == level.handicap
    assert handicap_at(level, crowd).noise < level.handicap.noise
    assert KernelPlayer.named("casual", crowd) == KernelPlayer(
        LEVEL, advice=advice_at(level, crowd), handicap=handicap_at(level, crowd)
    )
