"""The maxims in words: the sentence of each, and the weights that implement it."""

import difflib
from typing import Final, NamedTuple

from millebornes.errors import PlayerError
from millebornes.policies.maxims.weights import MATCH, Advice

__all__ = ["BASE", "MAXIMS", "NEUTRAL", "Maxim", "parse_advice", "without"]


class Maxim(NamedTuple):
    """One piece of advice: its sentence, and the weights that implement it (all zero: switched off)."""

    says: str
    weights: tuple[str, ...]


MAXIMS: Final[dict[str, Maxim]] = {
    name: Maxim(says, tuple(weights.split()))
    for name, says, weights in (
        # distance
        ("large_distance_at_once", "Large distance in hand is played at once.", "mile drive_200"),
        (
            "break_the_shut_out",
            "Until you have some distance, avoiding a shut-out comes first.",
            "shut_out shut_out_behind",
        ),
        (
            "safe_trip",
            "A trip without 200s is worth more, so think before you play the first one.",
            "safe_trip safe_trip_far",
        ),
        (
            "delayed_action",
            "With care, you can hold back the last distance until the draw pile has run out.",
            "delay delay_near",
        ),
        (
            "even_finish",
            "The goal must be met exactly: put the last 200 together in hand before playing any of it.",
            "exact dead_end near_end keep_exact keep_last keep_odd",
        ),
        (
            "no_lone_odd_card",
            "A lone 75 is the riskiest distance to play, a lone 25 is risky, a lone 50 fairly safe.",
            "odd_25 odd_50 odd_75 odd_held odd_near_end",
        ),
        (
            "small_while_plenty",
            "A small distance card goes best while more of its kind is to come.",
            "small_plenty small_early small_offset small_limited drive_75",
        ),
        (
            "drive_from_behind",
            "Distance counts for less in front, and for more while many cards are to come.",
            "drive_ahead drive_behind drive_early",
        ),
        ("keep_up_speed", "Keep one low card in case you are hit with a speed limit.", "slow_spent"),
        # rolls, remedies, safeties
        ("roll_first", "A roll at the start is clearly the best play.", "roll roll_ready roll_spare roll_late"),
        ("end_what_holds_you", "A needed remedy is played, the sooner with a roll to follow.", "remedy remedy_roll"),
        (
            "end_a_limit_for_large_cards",
            "An end of limit is worth playing when large distance waits for it.",
            "end_of_limit end_of_limit_large end_of_limit_slow end_of_limit_stuck",
        ),
        (
            "hold_for_the_coup",
            "Hold each safety back for a coup fourré while its hazards may come, the right of way above all.",
            "safety_wait safety_dead safety_early safety_right_of_way",
        ),
        (
            "safety_for_relief",
            "Play a safety to get out of a hazard, especially if you don't have the remedy.",
            "safety_relief safety_remedy_held",
        ),
        (
            "safety_to_drive",
            "With large distance in hand the turn that a safety gives is worth more.",
            "safety_large",
        ),
        (
            "right_of_way_to_move",
            "After a remedy and without a roll the right of way gives certain distance, and so breaks a shut-out.",
            "safety_limit safety_moves safety_roll_held safety_shut_out",
        ),
        (
            "safeties_before_the_end",
            "Play all safeties when another side may arrive or the cards run out.",
            "safety_danger safety_near safety_late",
        ),
        # hazards
        (
            "strong_hazards_first",
            "Accident, empty tank and flat tyre are strong, a stop is minor, a speed limit weak.",
            "major stop speed_limit keep_major keep_stop keep_limit",
        ),
        (
            "scarce_remedies",
            "Each remedy seen makes its hazard worth more, to play and to keep.",
            "hit_remedies hit_no_remedy keep_hit_scarce",
        ),
        (
            "no_limit_on_the_stopped",
            "Don't play a speed limit on a side that isn't moving.",
            "hit_stuck_limit hit_limit_shut_out",
        ),
        ("no_cover", "A hazard on a side that waits for a roll gains little.", "hit_waiting"),
        (
            "hit_who_leads",
            "Attack whoever is well ahead or close to the goal.",
            "hit_progress hit_near hit_danger hit_leader",
        ),
        ("hope_for_the_shut_out", "Against a side without distance a hazard keeps the shut-out alive.", "hit_shut_out"),
        ("hit_before_small_distance", "With only small distance a hazard is the better play.", "hit_large_held"),
        (
            "roll_before_minor_hazards",
            "Before your first roll, only a major hazard is worth playing.",
            "hit_roll_held hit_roll_held_minor",
        ),
        ("use_spare_hazards", "A second hazard of a kind may lose its use at a stroke.", "hit_spare keep_second"),
        ("hit_late", "Hazards gain as the draw pile shrinks.", "hit_late hit_early limit_early"),
        ("few_hazards", "One hazard in hand serves almost as well as several.", "hit_more keep_hit_held"),
        (
            "hazards_wait",
            "A hazard is worth keeping while many cards are to come; less while more like it, or its safety, are.",
            "keep_hit_early keep_hit_unseen keep_hit_coup keep_minor_early keep_minor_coup",
        ),
        (
            "idle_hazards",
            "While the others are stopped, hazards that you can't play on them now are in the way.",
            "keep_hit_stuck keep_minor_stuck keep_minor_waiting",
        ),
        ("mind_their_coup", "Any hazard may meet a coup fourré.", "hit_coup hit_coup_minor"),
        (
            "answer_yourself",
            "If anyone may call, a hazard whose safety you hold is a coup fourré for you.",
            "hit_own_coup keep_own_coup",
        ),
        # keeping
        (
            "small_distance_first",
            "Distance goes first, the small before the large.",
            "keep_25 keep_50 keep_75 keep_100 keep_200 keep_same",
        ),
        (
            "small_card_for_a_limit",
            "Keep a small distance card while waiting to get moving, rather than an end of limit.",
            "keep_slow keep_slow_now keep_slow_waiting",
        ),
        (
            "distance_will_come",
            "Distance is easy to part with while you are stopped, and while you hold more of it or more is to come.",
            "keep_miles_unseen keep_miles_held keep_miles_waiting keep_miles_limited",
        ),
        (
            "keep_for_the_extension",
            (
                "Distance beyond the goal can help in an extension, and so can large distance, especially beside "
                "safeties."
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
            "A remedy is easier to part with while more like it, or its safety, are to come.",
            "keep_remedy_unseen keep_remedy_early keep_remedy_coup keep_end_unseen keep_end_early "
            "keep_roll_unseen keep_roll_early keep_roll_waiting",
        ),
        (
            "keep_what_is_needed",
            "Don't discard the only card that ends the hazard you are under.",
            "keep_remedy_now keep_end_now keep_roll_now",
        ),
        ("remedies_beside_a_safety", "If you hold the safety, you can throw away the matching remedy.", "keep_owned"),
        ("keep_rolls", "Rolls are needed after every hazard.", "keep_roll keep_roll_second keep_roll_third"),
        ("sure_hazards", "A hazard whose safety the others cannot have gains in value.", "keep_sure"),
        (
            "nothing_to_lose",
            "Far behind, with another side about to arrive, remedies may go.",
            "keep_desperate",
        ),
        # the extension
        (
            "extend_with_distance",
            "Extend with the distance in hand, or with enough cards still to draw.",
            "extend_miles extend_pile extend_no_pile extend_exact extend_safe_trip",
        ),
        (
            "extend_when_protected",
            "Extend when protected against all that may come, with rolls too or the right of way.",
            "extend_safety extend_right_of_way extend_all_out extend_remedy extend_roll extend_hazards extend_stops "
            "extend_limits extend_limited",
        ),
        (
            "extend_for_a_coup",
            "A safety still in hand raises the stakes: the extension may bring its coup fourré.",
            "extend_held extend_held_right_of_way extend_all_held",
        ),
        (
            "extend_against_the_stuck",
            "Extend while the others face what they cannot end, and mind what they may still drive.",
            "extend_stuck extend_waiting extend_slowed extend_hit extend_their_safety extend_their_miles",
        ),
        ("keep_the_shut_out", "Extend least of all when others are shut out.", "extend_shut_out"),
        (
            "play_for_the_match",
            "Play it safe if that wins the match; take risks if it could end the match now.",
            "match stake_ahead stake_near stake_close",
        ),
    )
}
"""Every maxim by name."""

BASE: Final = ("finish", "idle", "two_hundred_roll", "safety", "keep_safety", "extend")
"""Weights that belong to no maxim. They only rank kinds of moves against each other."""

NEUTRAL: Final = {
    "keep_desperate": 100,
    "keep_owned": 100,
    **dict.fromkeys(("major", "stop", "speed_limit"), 130),
    **dict.fromkeys(("keep_major", "keep_stop", "keep_limit"), 60),
}
"""The values at which weights have no effect, if those aren't zero."""


def without(advice: Advice, *names: str) -> Advice:
    """Return the same advice with some maxims switched off. Raises `KeyError` for a name that is not a maxim."""
    off = {weight: NEUTRAL.get(weight, 0) for name in names for weight in MAXIMS[name].weights}
    return advice._replace(**off)


def parse_advice(options: str, advice: Advice = MATCH) -> Advice:
    """Return advice from the options after the player's name, joined by commas. Later options win.

    ``match`` or ``points`` is the objective, ``no-MAXIM`` switches a maxim off, and ``WEIGHT=NUMBER`` sets a weight.
    Raises `PlayerError` for anything else.
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
        raise PlayerError(f"maxims: {name}={value} is beyond -10000 to 10000")
    return advice._replace(**{name: value})


def _closest(wrong: str, names: list[str]) -> str:
    close = difflib.get_close_matches(wrong, names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"it may be {', '.join(names[:4])} …"
