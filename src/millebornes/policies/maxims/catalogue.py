"""The maxims in words: a sentence for each of them, and the weights that implement it."""

import difflib
from typing import Final, NamedTuple

from millebornes.errors import PlayerError
from millebornes.policies.maxims.weights import MATCH, Advice

__all__ = ["BASE", "MAXIMS", "NEUTRAL", "Maxim", "parse_advice", "without"]


class Maxim(NamedTuple):
    """A piece of advice: its sentence, and the weights that implement it.

    If all of them are zero, the advice is ignored.
    """

    says: str
    weights: tuple[str, ...]


MAXIMS: Final[dict[str, Maxim]] = {
    name: Maxim(says, tuple(weights.split()))
    for name, says, weights in (
        # distance
        ("large_distance_at_once", "Play large distance cards at once.", "mile drive_200"),
        (
            "break_the_shut_out",
            "If you have no miles yet, get some first so that you aren't shut out.",
            "shut_out shut_out_behind",
        ),
        (
            "safe_trip",
            "A trip without 200s is worth more, so think before you play the first one.",
            "safe_trip safe_trip_far",
        ),
        (
            "delayed_action",
            "If it's safe, keep your last distance card until the draw pile has run out.",
            "delay delay_near",
        ),
        (
            "even_finish",
            "You must reach the goal exactly, so collect the last 200 miles in your hand before you play any of them.",
            "exact dead_end near_end keep_exact keep_last keep_odd",
        ),
        (
            "no_lone_odd_card",
            "A lone 75 is the riskiest distance to play, a lone 25 is risky, and a lone 50 is fairly safe.",
            "odd_25 odd_50 odd_75 odd_held odd_near_end",
        ),
        (
            "small_while_plenty",
            "Play small distance cards while more of the same are still to come.",
            "small_plenty small_early small_offset small_limited drive_75",
        ),
        (
            "drive_from_behind",
            "Distance matters more when you're behind, and early in the hand.",
            "drive_ahead drive_behind drive_early",
        ),
        ("keep_up_speed", "Keep one small distance card in case you get a speed limit.", "slow_spent"),
        # rolls, remedies, safeties
        ("roll_first", "At the start, a roll is clearly the best move.", "roll roll_ready roll_spare roll_late"),
        (
            "end_what_holds_you",
            "Play the remedy you need, above all if you have a roll to follow it.",
            "remedy remedy_roll",
        ),
        (
            "end_a_limit_for_large_cards",
            "Play an end of limit when you hold large distance cards.",
            "end_of_limit end_of_limit_large end_of_limit_slow end_of_limit_stuck",
        ),
        (
            "hold_for_the_coup",
            "Keep each safety for a coup fourré while its hazards may still come, above all the right of way.",
            "safety_wait safety_dead safety_early safety_right_of_way",
        ),
        (
            "safety_for_relief",
            "Play a safety to get out of a hazard, especially if you don't have the remedy.",
            "safety_relief safety_remedy_held",
        ),
        (
            "safety_to_drive",
            "A safety gives you another turn, and that's worth most when you hold large distance cards.",
            "safety_large",
        ),
        (
            "right_of_way_to_move",
            "If you've played a remedy but have no roll, the right of way gets you moving and so avoids a shut-out.",
            "safety_limit safety_moves safety_roll_held safety_shut_out",
        ),
        (
            "safeties_before_the_end",
            "Play all your safeties when another side may be about to arrive or the cards are running out.",
            "safety_danger safety_near safety_late",
        ),
        # hazards
        (
            "strong_hazards_first",
            "An accident, an empty tank and a flat tyre hurt most, a stop less, and a speed limit least.",
            "major stop speed_limit keep_major keep_stop keep_limit",
        ),
        (
            "scarce_remedies",
            "Each remedy that has been played makes its hazard worth more.",
            "hit_remedies hit_no_remedy keep_hit_scarce",
        ),
        (
            "no_limit_on_the_stopped",
            "Don't play a speed limit on a side that isn't moving.",
            "hit_stuck_limit hit_limit_shut_out",
        ),
        ("no_cover", "A hazard on a side that's waiting for a roll gains little.", "hit_waiting"),
        (
            "hit_who_leads",
            "Attack whoever is well ahead or close to the goal.",
            "hit_progress hit_near hit_danger hit_leader",
        ),
        ("hope_for_the_shut_out", "Attack a side that has no miles yet: you may shut it out.", "hit_shut_out"),
        ("hit_before_small_distance", "If you have only small distance cards, play a hazard first.", "hit_large_held"),
        (
            "roll_before_minor_hazards",
            "Before your first roll, only a major hazard is worth playing.",
            "hit_roll_held hit_roll_held_minor",
        ),
        (
            "use_spare_hazards",
            "If you hold two hazards of a kind, play one: a single safety can make both useless.",
            "hit_spare keep_second",
        ),
        ("hit_late", "Hazards are worth more as the draw pile shrinks.", "hit_late hit_early limit_early"),
        ("few_hazards", "One hazard in hand is almost as good as several.", "hit_more keep_hit_held"),
        (
            "hazards_wait",
            "Keep a hazard while many cards are to come; it matters less if its safety or others like it "
            "are among them.",
            "keep_hit_early keep_hit_unseen keep_hit_coup keep_minor_early keep_minor_coup",
        ),
        (
            "idle_hazards",
            "While the others are stopped, hazards that you can't play on them only take up room.",
            "keep_hit_stuck keep_minor_stuck keep_minor_waiting",
        ),
        ("mind_their_coup", "Any hazard can give the other side a coup fourré.", "hit_coup hit_coup_minor"),
        (
            "answer_yourself",
            "If anyone may call coups fourrés, play a hazard whose safety you hold: you can answer it with one.",
            "hit_own_coup keep_own_coup",
        ),
        # keeping cards in hand
        (
            "small_distance_first",
            "Discard distance cards first, small ones before large ones.",
            "keep_25 keep_50 keep_75 keep_100 keep_200 keep_same",
        ),
        (
            "small_card_for_a_limit",
            "While you wait to get moving, keep a small distance card rather than an end of limit.",
            "keep_slow keep_slow_now keep_slow_waiting",
        ),
        (
            "distance_will_come",
            "You can spare a distance card if you're stopped, hold enough others, or can expect to draw more.",
            "keep_miles_unseen keep_miles_held keep_miles_waiting keep_miles_limited",
        ),
        (
            "keep_for_the_extension",
            (
                "For an extension, keep large distance cards and those that go past the goal, "
                "above all with safeties in hand."
            ),
            "keep_beyond keep_large_safety keep_large_extendable",
        ),
        (
            "one_of_each_remedy",
            "Keep one of each major remedy, and hardly ever two.",
            "keep_remedy keep_remedy_risk keep_remedy_second keep_end keep_end_risk",
        ),
        (
            "remedies_will_come",
            "You can spare a remedy while more of its kind, or its safety, are still to come.",
            "keep_remedy_unseen keep_remedy_early keep_remedy_coup keep_end_unseen keep_end_early "
            "keep_roll_unseen keep_roll_early keep_roll_waiting",
        ),
        (
            "keep_what_is_needed",
            "Don't discard the only card that ends the hazard on you.",
            "keep_remedy_now keep_end_now keep_roll_now",
        ),
        ("remedies_beside_a_safety", "If you have the safety, you can discard its remedies.", "keep_owned"),
        (
            "keep_rolls",
            "Keep your rolls: you need one after every hazard.",
            "keep_roll keep_roll_second keep_roll_third",
        ),
        ("sure_hazards", "A hazard is worth more once the others can't have its safety.", "keep_sure"),
        (
            "nothing_to_lose",
            "If you're far behind and another side is about to arrive, discard remedies.",
            "keep_desperate",
        ),
        # the extension
        (
            "extend_with_distance",
            "Extend if you have the distance in hand, or if enough cards are left to draw.",
            "extend_miles extend_pile extend_no_pile extend_exact extend_safe_trip",
        ),
        (
            "extend_when_protected",
            "Extend if you're protected against everything that may come, and have rolls or the right of way.",
            "extend_safety extend_right_of_way extend_all_out extend_remedy extend_roll extend_hazards extend_stops "
            "extend_limits extend_limited",
        ),
        (
            "extend_for_a_coup",
            "Extend if you still have a safety in hand: there may be a coup fourré in it for you.",
            "extend_held extend_held_right_of_way extend_all_held",
        ),
        (
            "extend_against_the_stuck",
            "Extend while the others can't end their hazards, but mind how far they may still drive.",
            "extend_stuck extend_waiting extend_slowed extend_hit extend_their_safety extend_their_miles",
        ),
        ("keep_the_shut_out", "Don't extend when others are shut out.", "extend_shut_out"),
        (
            "play_for_the_match",
            "Play it safe if that wins the match. Take risks if this hand could end it.",
            "match stake_ahead stake_near stake_close",
        ),
    )
}
"""Every maxim by name."""

BASE: Final = ("finish", "idle", "two_hundred_roll", "safety", "keep_safety", "extend")
"""The weights that don't belong to any maxim. They only rank kinds of moves relative to each other."""

NEUTRAL: Final = {
    "keep_desperate": 100,
    "keep_owned": 100,
    **dict.fromkeys(("major", "stop", "speed_limit"), 130),
    **dict.fromkeys(("keep_major", "keep_stop", "keep_limit"), 60),
}
"""The values at which weights have no effect, for weights where this isn't zero."""


def without(advice: Advice, *names: str) -> Advice:
    """Return a copy of the advice with some maxims switched off. Raises `KeyError` if a name isn't that of a maxim."""
    off = {weight: NEUTRAL.get(weight, 0) for name in names for weight in MAXIMS[name].weights}
    return advice._replace(**off)


def parse_advice(options: str, advice: Advice = MATCH) -> Advice:
    """Return the advice described by the options after the name of the player, which are separated by commas.

    Later options override earlier ones. ``match`` and ``points`` set the objective, ``no-MAXIM`` switches a maxim off,
    and ``WEIGHT=NUMBER`` sets a weight. Raises `PlayerError` for all other options.
    """
    found = advice
    for option in filter(None, (part.strip() for part in options.split(","))):
        name, equals, number = option.partition("=")
        if equals:
            found = _with_weight(found, name.strip(), number.strip())
        elif option == "points":
            found = found._replace(match=0)
        elif option == "match":
            found = found._replace(match=1)
        elif option.startswith("no-") and option[3:] in MAXIMS:
            found = without(found, option[3:])
        else:
            names = ["match", "points", *(f"no-{maxim}" for maxim in MAXIMS)]
            raise PlayerError(f"maxims: there is no option {option!r}; {_closest(option, names)}")
    return found


def _with_weight(advice: Advice, name: str, number: str) -> Advice:
    if name not in Advice._fields:
        raise PlayerError(f"maxims: there is no weight {name!r}; {_closest(name, list(Advice._fields))}")
    try:
        value = int(number)
    except ValueError:
        raise PlayerError(f"maxims: {name}={number!r} isn't a whole number") from None
    if abs(value) > 10_000:
        raise PlayerError(f"maxims: {name}={value} is outside the range -10000 to 10000")
    return advice._replace(**{name: value})


def _closest(wrong: str, names: list[str]) -> str:
    close = difflib.get_close_matches(wrong, names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"choose one such as {', '.join(names[:4])} …"
