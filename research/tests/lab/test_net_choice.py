"""Which net plays at a table: settings that cannot matter, how far apart tables are, and what is said of it."""

import dataclasses
import random
import subprocess
import sys
from typing import Any

import pytest

from millebornes.cards import FULL_DECK, HAZARDS, MILES, SAFETIES, Card
from millebornes.editions import EDITIONS, FIELDS, Rules, edition, make_rules
from millebornes.game import Hand, shuffled_deck
from millebornes.i18n import LANGUAGES, translator
from millebornes.policies.batch import KernelPlayer, play_one
from millebornes.policies.net_choice import (
    ANY,
    BSD,
    CLASSIC,
    LEARNED,
    LIMIT,
    OWN_LIMIT,
    TABLES,
    alike,
    choose_net,
    distance,
    nearest_net,
    net_sentence,
)
from millebornes_research.lab.changes import SHAPES, changed_by_chance, single_changes

TWO_TABLES = ((2, 2), (3, 3))

READS = "Its net was trained at thousands of tables, and takes the rules of this one into account."


def difference(one: Rules, other: Rules, seed: int) -> str | None:
    """How a hand differs by two rules, all seats making the same moves by chance; None if it never does.

    A hand that ends sooner by one of them is played to the end by the other.
    """
    chance, deck = random.Random(seed), shuffled_deck(one, str(seed))
    hands = [Hand.from_deck(rules, deck, 0) for rules in (one, other)]
    while not any(hand.is_over for hand in hands):
        texts = [hand.legal_moves.texts for hand in hands]
        if texts[0] != texts[1]:
            return f"{texts[0]} and {texts[1]} after {hands[0].ply} moves"
        plays = [text for text in texts[0] if not text.startswith("-")]
        move = chance.choice(plays if plays and chance.random() < 0.8 else texts[0])
        hands = [hand.play(move) for hand in hands]
    for n in range(2):
        while not hands[n].is_over:
            hands[n] = hands[n].play(chance.choice(hands[n].legal_moves.texts))
    scores = [[sheet.to_dict() for sheet in hand.scores] for hand in hands]
    return None if scores[0] == scores[1] else f"{scores[0]} and {scores[1]}"


def odd_decks() -> list[dict[str, int]]:
    """Decks that lack something, so that some settings cannot matter."""
    lacking: list[tuple[Card, ...]] = [
        (Card.D200,),
        tuple(card for card in HAZARDS if card is not Card.SPEED_LIMIT),
        (Card.RIGHT_OF_WAY,),
        (Card.STOP, Card.SPEED_LIMIT),
        (Card.DRIVING_ACE, Card.EXTRA_TANK, Card.PUNCTURE_PROOF, Card.STOP),
        SAFETIES,
        HAZARDS,
        tuple(card for card in MILES if card is not Card.D50),
    ]
    return [{card.value: 0 if card in cards else n for card, n in FULL_DECK.items()} for cards in lacking]


@pytest.mark.parametrize("seats_sides", TWO_TABLES)
def test_settings_that_are_called_alike_never_matter(seats_sides: tuple[int, int]) -> None:
    chance, changed = random.Random(repr(seats_sides)), 0
    tables = [changed_by_chance(*seats_sides, chance)[1] for _ in range(6)]
    for deck in odd_decks():
        rules = changed_by_chance(*seats_sides, chance)[1]
        tables.append(rules.replace({"deck": deck}))
        tables.append(rules.replace({"deck": deck, "hand_end": "points", "coup_by": "anyone", "roll_200": True}))
    for seed, rules in enumerate(tables):
        usual = alike(rules)
        assert alike(usual) == usual
        changed += usual != rules
        assert difference(rules, usual, seed) is None, rules
    assert changed > 12


@pytest.mark.parametrize("seats_sides", TWO_TABLES)
def test_settings_that_matter_are_never_called_alike(seats_sides: tuple[int, int]) -> None:
    rules = make_rules("classic", *seats_sides)
    for told, changed in single_changes(rules):
        if changed.deck != rules.deck or changed.hand_size != rules.hand_size:
            assert alike(changed) != alike(rules)
        elif alike(changed) != alike(rules):
            assert any(difference(rules, changed, seed) for seed in range(400)), told


def test_how_a_hand_ends_may_matter_where_hazards_are_laid_on_hazards() -> None:
    rules = make_rules(settings={"hazard_on": "stack", "right_of_way_clears": False, "hand_end": "points"})
    assert alike(rules) != alike(rules.replace({"hand_end": "cards"}))
    assert alike(rules.replace({"hand_end": "plays"})) == alike(rules.replace({"hand_end": "cards"}))


def test_what_only_a_match_asks_of_is_all_the_same_to_a_net() -> None:
    rules, other = make_rules(), make_rules(settings={"tie": "play_on"})
    assert alike(rules) == alike(other)
    players = [[KernelPlayer.named("instant", table)] * 2 for table in (rules, other)]
    hands = [
        play_one(table, seated, seed=3, totals=(4600, 4600), match_target=5000)
        for table, seated in zip((rules, other), players, strict=True)
    ]
    assert hands[0] == hands[1]


# ---------------------------------------------------------------- which net


@pytest.mark.parametrize(
    "settings", [{"all_safeties_bonus": 700}, {"tie": "play_on"}, {"targets": "left"}, {"hand_end": "plays"}]
)
def test_a_changed_setting_does_not_drop_the_net(settings: dict[str, Any]) -> None:
    rules = make_rules(settings=settings)
    choice = choose_net(rules)
    assert (choice.file, choice.table) == (CLASSIC, make_rules())
    instant, maxims = ([KernelPlayer.named(name, rules)] * 2 for name in ("instant", "maxims"))
    assert any(play_one(rules, instant, seed=n).codes != play_one(rules, maxims, seed=n).codes for n in range(5))


def test_a_learned_table_has_its_own_net() -> None:
    own = {("classic", (2, 2)): CLASSIC, ("wikibooks", (2, 2)): CLASSIC, ("bsd", (2, 2)): BSD}
    for editions in LEARNED.values():
        for name, tables in editions.items():
            for table in tables:
                rules = make_rules(name, *table)
                choice = choose_net(dataclasses.replace(rules, edition=None))
                assert choice.distance == 0
                assert alike(choice.table) == alike(rules)
                assert choice.file == own.get((name, table), TABLES)


@pytest.mark.parametrize(
    ("edition_name", "settings", "file", "played_as"),
    [
        ("bsd", {"all_safeties_bonus": 700}, BSD, "bsd"),
        ("classic", {"deck": "reduced"}, BSD, "bsd"),
        ("mille2", {}, TABLES, "mille2"),
        ("bsd", {"roll_200": True}, TABLES, "bsd"),
    ],
)
def test_a_net_that_learned_one_game_plays_only_near_it(
    edition_name: str, settings: dict[str, Any], file: str, played_as: str
) -> None:
    choice = choose_net(make_rules(edition_name, settings=settings))
    assert (choice.file, choice.table.edition) == (file, played_as)
    assert choice.distance <= (LIMIT if file == TABLES else OWN_LIMIT)


def test_other_seats_are_taken_for_the_most_similar() -> None:
    found = {
        f"{seats}x{sides}": nearest.table.table
        for seats, sides in SHAPES
        if (nearest := nearest_net(make_rules("classic", seats, sides)))
    }
    same = {"2x2", "3x3", "4x2", "4x4", "6x2", "6x3"}
    like = {"5x5": "4x4", "6x6": "4x4", "7x7": "4x4", "8x8": "4x4", "8x2": "6x2", "8x4": "6x3"}
    assert found == {table: table for table in same} | like
    house = nearest_net(make_rules("house", 5, 5))
    assert house is not None
    assert (house.table.edition, house.distance) == ("classic", 0)


def test_far_tables_and_other_seats_have_a_net_that_reads_their_rules() -> None:
    bare = {card.value: 0 if card in HAZARDS else n for card, n in FULL_DECK.items()}
    for rules in (
        make_rules("classic", 3, 3, {"targets": "left"}),
        make_rules(settings={"deck": bare}),
        make_rules("classic", 5),
        make_rules("house", 8, 4),
    ):
        choice = choose_net(rules)
        assert (choice.file, choice.table) == (ANY, rules)
        instant, maxims = ([KernelPlayer.named(name, rules)] * rules.seats for name in ("instant", "maxims"))
        assert any(play_one(rules, instant, seed=n).codes != play_one(rules, maxims, seed=n).codes for n in range(5))
    near, far = (make_rules(settings={"roll_200": True, "hand_size": size}) for size in (6, 5))
    assert distance(near, make_rules()) <= LIMIT < distance(far, make_rules())
    assert [choose_net(rules).file for rules in (near, far)] == [TABLES, ANY]


def test_each_net_can_be_asked_for() -> None:
    for file in (CLASSIC, BSD, TABLES):
        nearest = nearest_net(make_rules("house"), file)
        assert nearest is not None
        assert nearest.file == file
    assert nearest_net(make_rules("house", 3), CLASSIC) is None


# ---------------------------------------------------------------- in words


@pytest.mark.parametrize(
    ("player", "settings", "said"),
    [
        ("instant", {}, "Its net was trained at this table."),
        ("champion:rollouts=50", {"tie": "play_on", "targets": "left"}, "Its net was trained at this table."),
        ("instant", {"all_safeties_bonus": 700}, "Its net was trained at Classic 2x2, the closest to this table."),
        ("instant", {"deck": {"25": 30, "roll": 9}}, READS),
        ("champion", {"deck": {"25": 30, "roll": 9}}, READS),
        ("instant:my.npz", {}, "It uses the net in my.npz."),
        ("champion:points, net=my.npz", {}, "It uses the net in my.npz."),
        ("champion:no-net", {}, "It uses no net."),
        ("maxims", {}, ""),
        ("cmd:instant", {}, ""),
    ],
)
def test_a_sentence_says_which_net_plays(player: str, settings: dict[str, Any], said: str) -> None:
    assert net_sentence(player, make_rules(settings=settings)) == said


def test_the_sentence_is_there_in_every_language_for_every_table() -> None:
    for language in LANGUAGES:
        for name in EDITIONS:
            for seats, sides in SHAPES:
                said = net_sentence("instant", edition(name).rules(seats, sides), translator(language))
                assert said.endswith(".")


def test_screens_can_say_it_without_loading_a_net() -> None:
    code = (
        "import sys; from millebornes.editions import make_rules; "
        "from millebornes.policies.net_choice import net_sentence; "
        "print(net_sentence('instant', make_rules()), sorted({'numpy', 'numba'} & set(sys.modules)))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == "Its net was trained at this table. []\n"


# ---------------------------------------------------------------- the tables that are measured


def test_every_setting_is_changed() -> None:
    rules = make_rules()
    singles = list(single_changes(rules))
    for name in FIELDS:
        values = {str(getattr(changed, name)) for _, changed in singles} | {str(getattr(rules, name))}
        assert values >= set(FIELDS[name].choices) - {"full", "reduced"}
        assert len(values) > 1
    assert len({told for told, _ in singles}) == len(singles)
