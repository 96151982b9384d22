"""Kernels that step many hands side by side.

Your moves come from outside, and players with kernels play the other seats.

The inner kernels take only records and addresses, because arrays are reference-counted and counting takes longer than a
move. The kernels that Python calls take arrays and look up their addresses in each call.
"""

from typing import Any, Final

import numpy as np
from numpy import uint64

from millebornes.envs.fields import MAX_HISTORY, MAX_POINTS, POINTS
from millebornes.envs.seeding import HASHING, deck_word
from millebornes.envs.seen import FORM, SEEN, write_mask, write_numbers, write_seen
from millebornes.kernels.bits import high_product
from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.kernels.memory import put_float
from millebornes.policies.compiled import highest_total
from millebornes.policies.deal import make_move, start_deal
from millebornes.policies.dispatch import RANDOM, choose_code
from millebornes.policies.games import decision_word, hand_word, is_decided
from millebornes.policies.random_play import RANKS, choose_ranked
from millebornes.rules.masks import legal_word
from millebornes.rules.scoring import side_score
from millebornes.rules.shuffling import random_word, write_shuffled
from millebornes.rules.state import SEATS, Phase, Record, Word
from millebornes.rules.tables import PASS

NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""When the next episode begins after one has ended: at the next step, during the same step, or when you ask for it."""
REWARDS: Final = ("points", "lead", "match")
EVERY_SEAT: Final = -1
FORFEIT: Final = -1000.0
"""The reward for an illegal action, which ends the episode. If the reward is ``match``, it is -1 instead."""

EVENTS: Final = MAX_HISTORY + 1

GAME: Final = np.dtype(
    [
        ("seed", "u8"),  # seed of the match
        ("key", "u8"),  # seed of the random choices in decisions
        ("hand", "i8"),  # number of the hand, from 1
        ("ply", "i8"),  # number of decisions so far
        ("ended", "i8"),  # 1 if the episode is over
        ("done", "i8"),  # 1 if the latest step ended the episode
        ("illegal", "i8"),  # 1 if an illegal action ended the episode
        ("seat", "i8"),  # the seat that has to decide, or your seat
        ("words", "u8", SEATS),  # mask of legal move codes
        ("line", "u1", SEATS),  # number of the player in each seat
        ("rewards", "f4", SEATS),  # reward of each side in the latest step
        ("points", "i4", SEATS),  # points of each side in the latest finished hand
        ("events", "i8"),  # number of public moves so far
        ("event", "u2", EVENTS),  # the latest public moves, as a ring: seat * 512 + move code
    ],
    align=True,
)
"""The data about a game that isn't in its state or deal."""

CONTROL: Final = np.dtype(
    [
        ("mode", "i8"),  # `NEXT_STEP`, `SAME_STEP` or `DISABLED`
        ("reward", "i8"),  # place in `REWARDS`
        ("seat", "i8"),  # your seat, or `EVERY_SEAT`
        ("mixture", "i8"),  # number of players to draw the other seats from
        ("observations", "i8"),  # address of the observations in this call, float32 ...
        ("final", "i8"),  # ... of the final observations
        ("numbers", "i8"),  # ... and size of one observation in bytes
        ("masks", "i8"),  # address of the masks in this call, int8 ...
        ("actions", "i8"),  # ... and number of actions
        ("rewards", "f4", SEATS),  # working memory
        ("points", "i4", SEATS),  # working memory
        ("seen", SEEN),  # working memory
        ("hashing", HASHING),
        ("form", FORM),
        ("ranks", RANKS),
    ],
    align=True,
)
"""How games are stepped and where results are written. The addresses are valid during one call (`write_addresses`)."""

U = np.uint64
ZERO, ONE, CODE_MASK, WORD_SHIFT, EVERY_CODE = U(0), U(1), U(63), U(6), ~U(0)
OVER = np.uint8(Phase.OVER)
PASS_CODE = U(PASS)
MIX_LINE: Final = 0xD6E8FEB86659FD93
"""A number that makes the random choice of a hand's opponents independent of the random choices in its decisions."""
SALT = U(MIX_LINE)
EVENT_MASK: Final = EVENTS - 1
EVENT_CODES: Final = 512
TOTAL_UNIT = np.float32(1 / POINTS)
NO_REWARD = np.float32(0)


@kernel
def begin_hand(state: Record, deal: Record, game: Record, work: Record, control: Record) -> None:
    tables = work["tables"]
    seats = np.int64(tables["seats"])
    game["hand"] += 1
    game["ply"] = game["events"] = game["ended"] = 0
    hand = game["hand"]
    work["generator"]["word"] = deck_word(game["seed"], hand, control["hashing"])
    write_shuffled(state, tables, work["generator"])
    deal["chance"] = hand_word(game["key"], hand)
    start_deal(state, tables, (hand - 1) % seats, deal)  # R2.7
    if control["mixture"] > 1:
        work["generator"]["word"] = deal["chance"] ^ SALT
        for seat in range(seats):
            game["line"][seat] = np.uint8(high_product(random_word(work["generator"]), uint64(control["mixture"])))


@inner_kernel
def play_code(state: Record, deal: Record, game: Record, work: Record, history: Word, code: Word) -> None:
    if history > 0 and code != PASS_CODE:
        place = game["events"] & EVENT_MASK
        game["event"][place] = np.uint16(EVENT_CODES * np.int64(state["seat"]) + np.int64(code))
        game["events"] += 1
    game["ply"] += 1
    make_move(state, work["tables"], code, deal)


@inner_kernel
def reward_match(deal: Record, game: Record, sides: Word) -> None:
    """Set the rewards for a finished match: 1 for the winner, -1 for losers, 0 for sides that share the lead (R8.2)."""
    best, leaders = highest_total(deal["totals"][:sides])
    for side in range(sides):
        if deal["totals"][side] < best:
            game["rewards"][side] = np.float32(-1)
        else:
            game["rewards"][side] = np.float32(leaders == 1)


@inner_kernel
def reward_hand(game: Record, sides: Word, is_lead: bool) -> None:
    total: Any = np.int64(0)
    for side in range(sides):
        total += np.int64(game["points"][side])
    for side in range(sides):
        worth = np.float64(game["points"][side])
        if is_lead:
            worth -= (np.float64(total) - worth) / np.float64(sides - 1)
        game["rewards"][side] += np.float32(worth)


@kernel
def finish_hand(state: Record, deal: Record, game: Record, work: Record, control: Record) -> Word:
    """Count the score. Return 1 if the episode is over, otherwise deal the next hand and return 0."""
    tables = work["tables"]
    sides = np.int64(tables["sides"])
    for side in range(sides):
        points = np.int64(side_score(state, tables, uint64(side)))
        game["points"][side] = np.int32(points)
        deal["totals"][side] += points
    ended = is_decided(deal["totals"], sides, deal["target"], work["lookups"])
    if control["reward"] < 2:
        reward_hand(game, sides, control["reward"] == 1)
    elif ended:
        reward_match(deal, game, sides)
    if ended:
        for side in range(sides):  # observations show the totals from before the hand
            deal["totals"][side] -= np.int64(game["points"][side])
        game["ended"] = 1
        return 1
    begin_hand(state, deal, game, work, control)
    return 0


@inner_kernel
def play_to_decision(state: Record, deal: Record, game: Record, work: Record, control: Record, players: Any) -> None:
    """Let the other seats play until your seat has to decide or the episode is over."""
    own, usable = control["seat"], control["ranks"]["usable"] != 0
    history = control["form"]["history"]
    while True:
        if state["phase"] == OVER:
            if finish_hand(state, deal, game, work, control):
                return
        elif own == EVERY_SEAT or np.int64(state["seat"]) == own:
            return
        else:
            work["generator"]["word"] = decision_word(deal["chance"], uint64(game["ply"]))
            seated = players[game["line"][state["seat"]]]
            if usable and seated["who"] == RANDOM:
                code = choose_ranked(state, work["tables"], control["ranks"], work["generator"])
            else:
                code = uint64(choose_code(state, deal, seated, work))
            play_code(state, deal, game, work, history, code)


@inner_kernel
def begin_episode(state: Record, deal: Record, game: Record, work: Record, control: Record, players: Any) -> None:
    """Deal hands until your seat has a decision to make. An episode in which it has none is skipped."""
    while True:
        for side in range(SEATS):
            deal["totals"][side] = 0
        begin_hand(state, deal, game, work, control)
        play_to_decision(state, deal, game, work, control, players)
        if game["ended"] == 0:
            return


@inner_kernel
def clear_rewards(game: Record, sides: Word) -> None:
    for side in range(sides):
        game["rewards"][side] = NO_REWARD


@inner_kernel
def observed_points(points: Word) -> Any:
    """Return match points in the unit of observations, limited to `MAX_POINTS`."""
    most: Any = np.int64(MAX_POINTS)
    return np.float32(min(np.int64(points), most)) * TOTAL_UNIT


@inner_kernel
def write_match(deal: Record, tables: Record, own: Word, form: Record, out: Word) -> None:
    """Write the totals and the target of the match to an observation, in units of `POINTS`."""
    at = form["totals_at"]
    for n in range(form["sides"]):
        put_float(out, at + n, observed_points(deal["totals"][tables["opponent"][own, n]]))
    put_float(out, at + form["sides"], observed_points(deal["target"]))


@kernel
def write_events(game: Record, seat: Word, form: Record, out: Word) -> None:
    at = form["history_at"]
    seats = form["seats"]
    count = min(game["events"], form["history"])
    for n in range(form["history"]):
        if n < count:
            event = np.int64(game["event"][(game["events"] - 1 - n) & EVENT_MASK])
            put_float(out, at, np.float32((event // EVENT_CODES + seats - np.int64(seat)) % seats + 1))
            put_float(out, at + 1, np.float32(event % EVENT_CODES + 1))
        else:
            put_float(out, at, NO_REWARD)
            put_float(out, at + 1, NO_REWARD)
        at += 2


@kernel
def write_row(state: Record, deal: Record, game: Record, work: Record, control: Record, seat: Word, out: Word) -> None:
    tables, form, seen = work["tables"], control["form"], control["seen"]
    write_seen(state, tables, deal["public"], seat, seen)
    write_numbers(seen, form, out)
    write_match(deal, tables, tables["side_of"][seat], form, out)
    if form["history"] > 0:
        write_events(game, seat, form, out)


@inner_kernel
def write_all(state: Record, deal: Record, game: Record, work: Record, control: Record, i: Word) -> None:
    """Write the observation, the mask and the current seat of a game. If the episode is over, the mask is all ones."""
    tables, form = work["tables"], control["form"]
    seat = np.int64(state["seat"]) if control["seat"] == EVERY_SEAT else control["seat"]
    game["seat"] = seat
    write_row(state, deal, game, work, control, uint64(seat), control["observations"] + i * control["numbers"])
    mask = control["masks"] + i * control["actions"]
    for n in range(tables["targets"]):
        word = EVERY_CODE if game["ended"] else legal_word(state, tables, uint64(n))
        game["words"][n] = word
        write_mask(word, form, np.int64(n), mask)


@inner_kernel
def forfeit(state: Record, game: Record, work: Record, control: Record) -> None:
    """End the episode after an illegal action. The side that tried it gets a penalty, and the others get no reward."""
    for side in range(SEATS):
        game["points"][side] = 0
    punished = np.float32(-1.0) if control["reward"] == 2 else np.float32(FORFEIT)
    game["rewards"][work["tables"]["side_of"][state["seat"]]] = punished
    game["ended"] = game["illegal"] = 1


@kernel
def begin_in_same_step(state: Record, deal: Record, game: Record, work: Record, control: Record, players: Any) -> None:
    """In the mode `SAME_STEP`, begin the next episode but keep the rewards and points of the episode that has ended."""
    rewards, points = control["rewards"], control["points"]
    for side in range(SEATS):
        rewards[side], points[side] = game["rewards"][side], game["points"][side]
    begin_episode(state, deal, game, work, control, players)
    for side in range(SEATS):
        game["rewards"][side], game["points"][side] = rewards[side], points[side]


@inner_kernel
def write_addresses(control: Record, outputs: Any) -> None:
    """Store the addresses of the output arrays for this call.

    The outputs are the observations (games, numbers), the final observations of finished episodes, the masks (games,
    actions), and the states in which illegal actions were tried. The final observations and the states are empty unless
    the next episode begins during the same step.
    """
    control["observations"] = np.int64(outputs[0].ctypes.data)
    control["final"] = np.int64(outputs[1].ctypes.data)
    control["masks"] = np.int64(outputs[2].ctypes.data)


@kernel
def begin_games(
    which: Any, players: Any, works: Any, controls: Any, states: Any, deals: Any, games: Any, outputs: Any
) -> None:
    """Begin new episodes where ``which`` is true, and write the observations of all games (see `write_addresses`)."""
    work, control = works[0], controls[0]
    write_addresses(control, outputs)
    for i in range(len(which)):
        state, deal, game = states[i], deals[i], games[i]
        if which[i]:
            begin_episode(state, deal, game, work, control, players)
            clear_rewards(game, SEATS)
            game["done"] = game["illegal"] = 0
        write_all(state, deal, game, work, control, i)


@kernel
def step_games(
    actions: Any, players: Any, works: Any, controls: Any, states: Any, deals: Any, games: Any, outputs: Any
) -> Word:
    """Make a move in every game, and play until your next decision. Return the number of illegal actions."""
    illegal = 0
    work, control = works[0], controls[0]
    write_addresses(control, outputs)
    history, mode, size = control["form"]["history"], control["mode"], control["actions"]
    sides = np.int64(work["tables"]["sides"])
    for i in range(len(actions)):
        state, deal, game = states[i], deals[i], games[i]
        clear_rewards(game, sides)
        game["illegal"] = 0
        if game["ended"]:
            if mode != DISABLED:
                begin_episode(state, deal, game, work, control, players)
                clear_rewards(game, sides)
                game["done"] = 0
                write_all(state, deal, game, work, control, i)
            continue
        action = actions[i]
        code = uint64(action)
        if 0 <= action < size and game["words"][code >> WORD_SHIFT] >> (code & CODE_MASK) & ONE:
            play_code(state, deal, game, work, history, code)
            play_to_decision(state, deal, game, work, control, players)
        else:
            if mode == SAME_STEP:
                outputs[3][i] = states[i]
            forfeit(state, game, work, control)
            illegal += 1
        game["done"] = game["ended"]
        if game["ended"] and mode == SAME_STEP:
            write_row(state, deal, game, work, control, uint64(game["seat"]), control["final"] + i * control["numbers"])
            begin_in_same_step(state, deal, game, work, control, players)
        write_all(state, deal, game, work, control, i)
    return illegal


@kernel
def observe_seat(i: Word, seat: Word, out: Any, works: Any, controls: Any, states: Any, deals: Any, games: Any) -> None:
    """Write the observation of any seat in a game to an array, even if another seat has to decide."""
    write_row(states[i], deals[i], games[i], works[0], controls[0], uint64(seat), np.int64(out.ctypes.data))
